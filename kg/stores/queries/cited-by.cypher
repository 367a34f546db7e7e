// Which papers cite a paper.
// param paper: Paper; title or id of the paper
// param limit: count = 100; how many rows at most
// sample: paper=Attention
MATCH (p:Paper)<-[r:CITES]-(citing:Paper)
WHERE p.id IN $paper
RETURN p.title AS paper, citing.title AS cited_by, citing.year AS year, r.origin AS origin,
       r.confidence AS confidence, citing.id AS id
ORDER BY year DESC, cited_by, id, paper
LIMIT $limit
