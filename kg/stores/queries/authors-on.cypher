// Who writes most on a task, method or dataset.
// param topic: Task|Method|Dataset; a task, method or dataset
// param limit: count = 30; how many rows at most
// sample: topic=question answering
MATCH (t:Task|Method|Dataset)<-[:ADDRESSES|PROPOSES|USES|EVALUATES_ON]-(p:Paper)<-[:WROTE]-(a:Author)
WHERE t.id IN $topic
WITH t, a, count(DISTINCT p) AS papers, min(p.year) AS first_year, max(p.year) AS last_year
RETURN a.name AS author, t.name AS topic, papers, first_year, last_year, a.id AS id
ORDER BY papers DESC, author, id, topic
LIMIT $limit
