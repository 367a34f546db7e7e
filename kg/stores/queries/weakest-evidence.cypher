// Relations between methods that were read with the least confidence: a list to review.
// param below: float = 0.6; only those with a confidence below this
// param limit: count = 50; how many rows at most
// sample: below=0.8
MATCH (a:Method)-[r:EXTENDS|USES|OUTPERFORMS|PART_OF]->(b:Method)
WHERE r.confidence < $below
RETURN r.confidence AS confidence, a.name AS head, type(r) AS relation, b.name AS tail,
       r.sentence AS sentence, r.paper AS paper, r.id AS id
ORDER BY confidence, head, relation, tail, id
LIMIT $limit
