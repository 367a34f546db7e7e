// Who writes most on a task, method or dataset.
// param topic: Task|Method|Dataset; a task, method or dataset
// param limit: count = 30; how many rows at most
// sample: topic=question answering
UNWIND $topic AS key
MATCH (t:Task|Method|Dataset {id: key})<-[:ADDRESSES|PROPOSES|USES|EVALUATES_ON]-(p:Paper)<-[:WROTE]-(a:Author)
RETURN a.name AS author, t.name AS topic, count(DISTINCT p.id) AS papers,
       min(p.year) AS first_year, max(p.year) AS last_year, a.id AS id
ORDER BY papers DESC, author, id, topic
LIMIT $limit
