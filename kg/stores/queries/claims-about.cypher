// Claims about a name, in the words of the papers.
// param name: Method|Dataset|Task|Metric; a method, dataset, task or metric
// param kind: string = ; performance, finding or theory; all when empty
// param limit: count = 50; how many rows at most
// sample: name=GRPO
MATCH (e:Method|Dataset|Task|Metric)<-[:ABOUT]-(c:Claim)<-[:MAKES]-(p:Paper)
WHERE e.id IN $name AND ($kind = '' OR c.kind = $kind)
RETURN e.name AS name, c.kind AS kind, c.polarity AS polarity, c.text AS claim,
       c.confidence AS confidence, p.year AS year, p.title AS title, c.id AS id
ORDER BY confidence DESC, year DESC, id, name
LIMIT $limit
