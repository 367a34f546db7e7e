// Papers that name the same things as a paper, weighted by how rare each thing is.
// param paper: Paper; title or id of the paper
// param limit: count = 20; how many rows at most
// sample: paper=Attention
MATCH (p:Paper)-[:PROPOSES|USES|COMPARES_WITH|EVALUATES_ON|ADDRESSES]->(e:Method|Dataset|Task)
WHERE p.id IN $paper AND e.papers <= 1000
MATCH (e)<-[:PROPOSES|USES|COMPARES_WITH|EVALUATES_ON|ADDRESSES]-(other:Paper)
WHERE other.id <> p.id
WITH p, other, count(DISTINCT e) AS shared, round(sum(1.0 / e.papers) * 1000.0) / 1000.0 AS score
RETURN p.title AS paper, other.title AS similar, other.year AS year, shared, score, other.id AS id
ORDER BY score DESC, shared DESC, similar, id, paper
LIMIT $limit
