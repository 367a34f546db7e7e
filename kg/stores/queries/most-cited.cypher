// The papers that most papers of the graph cite.
// param limit: count = 30; how many rows at most
MATCH (cited:Paper)<-[r:CITES]-(:Paper)
WITH cited, count(r) AS citations
RETURN cited.title AS title, cited.year AS year, citations, cited.known AS known, cited.id AS id
ORDER BY citations DESC, title, id
LIMIT $limit
