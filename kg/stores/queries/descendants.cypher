// What was built on a method, up to four steps of EXTENDS forward.
// param method: Method; the method
// param limit: count = 100; how many rows at most
// sample: method=PPO
UNWIND $method AS key
MATCH path = (m:Method {id: key})<-[:EXTENDS*1..4]-(heir:Method)
WITH m, heir, min(length(path)) AS steps
RETURN m.name AS method, heir.name AS extended_by, steps, heir.id AS id
ORDER BY steps, extended_by, id, method
LIMIT $limit
