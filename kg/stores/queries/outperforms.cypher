// Which methods a method is said to outperform and be outperformed by, with the sentence.
// param method: Method; the method
// param limit: integer = 50; how many rows at most
// sample: method=GRPO
UNWIND $method AS key
MATCH (m:Method {id: key})-[r:OUTPERFORMS]-(other:Method)
OPTIONAL MATCH (p:Paper {id: r.paper})
RETURN CASE WHEN startNode(r) = m THEN m.name ELSE other.name END AS better,
       CASE WHEN startNode(r) = m THEN other.name ELSE m.name END AS worse,
       p.year AS year, p.title AS title, r.sentence AS sentence, r.confidence AS confidence,
       r.id AS id
ORDER BY confidence DESC, better, worse, id
LIMIT $limit
