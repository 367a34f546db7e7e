// Results measured by a metric, the largest value first.
// param metric: Metric; the metric
// param unit: string = ; only results with this unit, such as %; all when empty
// param limit: count = 50; how many rows at most
// sample: metric=accuracy
MATCH (k:Metric)<-[:BY]-(r:Result)
WHERE k.id IN $metric AND ($unit = '' OR r.unit = $unit)
MATCH (p:Paper)-[:MAKES]->(:Claim)-[:REPORTS]->(r)
OPTIONAL MATCH (r)-[:OF]->(m:Method)
OPTIONAL MATCH (r)-[:ON]->(d:Dataset)
RETURN k.name AS metric, r.value AS value, r.unit AS unit, r.change AS change,
       m.name AS method, d.name AS dataset, p.year AS year, p.title AS title, r.id AS id
ORDER BY value DESC, method, dataset, id, title
LIMIT $limit
