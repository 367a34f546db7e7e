// What a paper cites.
// param paper: Paper; title or id of the paper
// param limit: count = 100; how many rows at most
// sample: paper=Attention
MATCH (p:Paper)-[r:CITES]->(cited:Paper)
WHERE p.id IN $paper
RETURN p.title AS paper, cited.title AS cites, cited.year AS year, r.origin AS origin,
       r.confidence AS confidence, cited.known AS known, cited.id AS id
ORDER BY year DESC, cites, id, paper
LIMIT $limit
