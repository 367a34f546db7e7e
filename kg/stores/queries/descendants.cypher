// What was built on a method, up to four steps of EXTENDS forward.
// param method: Method; the method
// param limit: count = 100; how many rows at most
// sample: method=PPO
MATCH (m:Method) WHERE m.id IN $method
MATCH path = ANY SHORTEST (m)<-[:EXTENDS]-{1,4}(heir:Method)
WHERE heir.id <> m.id
WITH m, heir, min(length(path)) AS steps
RETURN m.name AS method, heir.name AS extended_by, steps, heir.id AS id
ORDER BY steps, extended_by, id, method
LIMIT $limit
