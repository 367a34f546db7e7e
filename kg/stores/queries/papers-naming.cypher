// Every paper that names a method, dataset, task or metric, and in what role.
// param name: Method|Dataset|Task|Metric; the name
// param limit: count = 100; how many rows at most
// sample: name=GRPO
MATCH (e:Method|Dataset|Task|Metric)<-[r:PROPOSES|USES|COMPARES_WITH|EVALUATES_ON|ADDRESSES|MEASURES|MENTIONS]-(p:Paper)
WHERE e.id IN $name
RETURN p.year AS year, p.title AS title, type(r) AS relation, r.sentence AS sentence,
       e.name AS name, p.id AS paper
ORDER BY year DESC, title, paper, name, relation
LIMIT $limit
