// Methods that the same papers use or propose, the most frequent company first.
// param method: Method; the method
// param limit: count = 30; how many rows at most
// sample: method=PPO
MATCH (m:Method)<-[:USES|PROPOSES]-(p:Paper)-[:USES|PROPOSES]->(other:Method)
WHERE m.id IN $method AND other.id <> m.id
WITH m, other, count(DISTINCT p) AS papers, min(p.year) AS first_year, max(p.year) AS last_year
RETURN m.name AS method, other.name AS with_method, papers, first_year, last_year, other.id AS id
ORDER BY papers DESC, with_method, id, method
LIMIT $limit
