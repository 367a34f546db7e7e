// Methods compared on a dataset with the results that papers report for them.
// param dataset: Dataset; the dataset
// param limit: count = 50; how many rows at most
// sample: dataset=ImageNet
MATCH (d:Dataset)<-[:ON]-(r:Result)-[:OF]->(m:Method)
WHERE d.id IN $dataset
MATCH (p:Paper)-[:MAKES]->(c:Claim)-[:REPORTS]->(r)
OPTIONAL MATCH (r)-[:BY]->(k:Metric)
RETURN d.name AS dataset, k.name AS metric, m.name AS method, r.value AS value, r.unit AS unit,
       r.change AS change, r.direction AS direction, p.year AS year, p.title AS title,
       c.text AS claim, r.id AS result
ORDER BY dataset, metric, value DESC, method, result, claim, title
LIMIT $limit
