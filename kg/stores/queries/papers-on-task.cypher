// Papers that address a task, newest first, with what they propose for it.
// param task: Task; the task
// param limit: count = 50; how many rows at most
// sample: task=question answering
MATCH (t:Task)<-[:ADDRESSES]-(p:Paper)
WHERE t.id IN $task
OPTIONAL MATCH (p)-[:PROPOSES]->(m:Method)
WITH t, p, min(m.name) AS proposes, count(m) AS proposed
RETURN p.year AS year, p.title AS title, proposes, proposed, t.name AS task, p.id AS paper
ORDER BY year DESC, title, paper, task
LIMIT $limit
