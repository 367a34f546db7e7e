// Datasets that a method is evaluated on, with the papers that say so.
// param method: Method; the method
// param limit: count = 50; how many rows at most
// sample: method=GRPO
MATCH (m:Method)-[r:EVALUATED_ON]->(d:Dataset)
WHERE m.id IN $method
RETURN m.name AS method, d.name AS dataset, count(DISTINCT r.paper) AS papers,
       max(r.confidence) AS confidence, min(r.sentence) AS sentence, d.id AS id
ORDER BY papers DESC, dataset, id, method
LIMIT $limit
