// The datasets on which most papers evaluate.
// param since: integer = 0; count papers of this year and later; 0 counts those without a year too
// param limit: count = 30; how many rows at most
// sample: since=2020
MATCH (d:Dataset)<-[r:EVALUATES_ON]-(p:Paper)
WHERE $since = 0 OR p.year >= $since
WITH d, count(r) AS papers, min(p.year) AS first_year, max(p.year) AS last_year
RETURN d.name AS dataset, papers, first_year, last_year, d.id AS id
ORDER BY papers DESC, dataset, id
LIMIT $limit
