// Methods that the same papers use or propose, the most frequent company first.
// param method: Method; the method
// param limit: count = 30; how many rows at most
// sample: method=PPO
UNWIND $method AS key
MATCH (m:Method {id: key})<-[:USES|PROPOSES]-(p:Paper)-[:USES|PROPOSES]->(other:Method)
WHERE other.id <> key
RETURN m.name AS method, other.name AS with_method, count(DISTINCT p.id) AS papers,
       min(p.year) AS first_year, max(p.year) AS last_year, other.id AS id
ORDER BY papers DESC, with_method, id, method
LIMIT $limit
