// Papers that propose a method, newest first, with the sentence that says so.
// param method: Method; the method
// param limit: count = 50; how many rows at most
// sample: method=GRPO
MATCH (m:Method)<-[r:PROPOSES]-(p:Paper)
WHERE m.id IN $method
RETURN p.year AS year, p.title AS title, m.name AS method, r.confidence AS confidence,
       r.sentence AS sentence, p.id AS paper
ORDER BY year DESC, title, paper, method
LIMIT $limit
