// return-star (unordered)
MATCH (a:Author {name:'Cy Aspen'})-[w:WROTE]->(p) RETURN *

// distinct
MATCH (:Author)-[:WROTE]->(p:Paper) RETURN DISTINCT p.id ORDER BY p.id

// count-star
MATCH (p:Paper)-[:PROPOSES]->() RETURN count(*)

// count-distinct
MATCH (p:Paper)-[]->(m:Method) RETURN count(DISTINCT m) AS methods, count(m) AS all

// aggregates
MATCH (p:Paper) RETURN min(p.year) AS a, max(p.year) AS b, avg(p.year) AS c, sum(p.year) AS d

// group-collect
MATCH (a:Author)-[w:WROTE]->(p:Paper) WITH a, p ORDER BY p.id RETURN a.name, collect(p.id) AS papers ORDER BY a.name

// collect-distinct
MATCH (a:Author)-[:WROTE]->(:Paper)-[:ADDRESSES]->(t) WITH DISTINCT a.name AS name, t.name AS task ORDER BY task RETURN name, collect(task) AS tasks ORDER BY name

// with-having
MATCH (a:Author)-[:WROTE]->(p) WITH a, count(p) AS n WHERE n > 1 RETURN a.name, n ORDER BY n DESC, a.name

// with-limit
MATCH (p:Paper) WITH p ORDER BY p.id LIMIT 2 MATCH (p)<-[:WROTE]-(a) RETURN p.id, a.name ORDER BY p.id, a.name

// order-null
MATCH (p:Paper) RETURN p.year ORDER BY p.year

// order-null-desc
MATCH (p:Paper) RETURN p.year ORDER BY p.year DESC

// order-by-expr
MATCH (p:Paper) RETURN p.title AS title ORDER BY size(p.title), p.id

// order-by-agg
MATCH (p:Paper)-[:ADDRESSES]->(t) RETURN t.name, count(p) AS n ORDER BY count(p) DESC, t.name

// skip-limit
MATCH (p:Paper) RETURN p.id ORDER BY p.id SKIP 1 LIMIT 2

// unwind
UNWIND [3, 1, 2] AS x RETURN x ORDER BY x

// unwind-topics
MATCH (p:Paper) UNWIND p.topics AS t RETURN t, count(*) AS n ORDER BY n DESC, t

// unwind-range
UNWIND range(1, 10, 3) AS i RETURN i

// foldlist
MATCH (m:Method) WITH collect(m.name) AS names UNWIND names AS n RETURN n ORDER BY n

// union (unordered)
MATCH (m:Method) RETURN m.name AS name UNION MATCH (d:Dataset) RETURN d.name AS name

// union-all
MATCH (m:Method {name:'Oak'}) RETURN m.name AS n UNION ALL MATCH (m:Method {name:'Oak'}) RETURN m.name AS n

// nested-agg
MATCH (p:Paper)-[:ADDRESSES]->(t) WITH t.name AS t, count(*) AS n ORDER BY t RETURN max(n) AS m, collect(t) AS ts

// size-collect
MATCH (p:Paper)-[:ADDRESSES]->(t:Task) RETURN t.name, size(collect(p)) AS n ORDER BY t.name

// count-if
MATCH (c:Claim) RETURN c.kind, count(CASE WHEN c.confidence > 0.85 THEN 1 END) AS sure ORDER BY c.kind

// percentile
MATCH (c:Claim) RETURN percentileCont(c.confidence, 0.5) AS p, stdev(c.confidence) AS s

// case-insensitive-kw
match (p:Paper) where p.year = 2021 return p.title as Title

// comments
MATCH (p:Paper) // all 'papers'
 /* MATCH (x) */ RETURN count(p) AS n
