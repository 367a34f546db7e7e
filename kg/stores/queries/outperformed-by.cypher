// Which methods are said to outperform a method, with the sentence.
// param method: Method; the method
// param limit: count = 50; how many rows at most
// sample: method=PPO
MATCH (m:Method)<-[r:OUTPERFORMS]-(other:Method)
WHERE m.id IN $method
OPTIONAL MATCH (p:Paper {id: r.paper})
RETURN m.name AS method, other.name AS outperformed_by, p.year AS year, p.title AS title,
       r.sentence AS sentence, r.confidence AS confidence, r.id AS id
ORDER BY confidence DESC, outperformed_by, id, method
LIMIT $limit
