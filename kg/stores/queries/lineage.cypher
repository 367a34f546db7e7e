// What a method builds on, up to four steps of EXTENDS back.
// param method: Method; the method
// param limit: count = 100; how many rows at most
// sample: method=GRPO
MATCH (m:Method) WHERE m.id IN $method
MATCH path = ANY SHORTEST (m)-[:EXTENDS]->{1,4}(ancestor:Method)
WHERE ancestor.id <> m.id
WITH m, ancestor, min(length(path)) AS steps
RETURN m.name AS method, ancestor.name AS builds_on, steps, ancestor.id AS id
ORDER BY steps, builds_on, id, method
LIMIT $limit
