// basic-return
MATCH (p:Paper) RETURN p.title, p.year ORDER BY p.title

// whole-node
MATCH (m:Method {name: 'Oak'}) RETURN m

// inline-map
MATCH (p:Paper {year: 2023}) RETURN p.id AS id ORDER BY id

// two-hops
MATCH (a:Author)-[:WROTE]->(p)-[:PROPOSES]->(m) RETURN a.name, m.name ORDER BY a.name, m.name

// incoming
MATCH (m:Method {name: 'Oak'})<-[:USES]-(p:Paper) RETURN p.title ORDER BY p.title

// undirected
MATCH (m:Method {name: 'Birch'})-[r:OUTPERFORMS]-(o) RETURN o.name ORDER BY o.name

// rel-or
MATCH (p:Paper)-[r:PROPOSES|USES]->(m:Method) RETURN p.id, type(r), m.name ORDER BY p.id, m.name, type(r)

// rel-props
MATCH (a:Author)-[w:WROTE {position: 1}]->(p) RETURN a.name, p.title ORDER BY a.name, p.title

// rel-value
MATCH (:Method {name:'Elm'})-[r:EXTENDS]->() RETURN r

// type-fn
MATCH (:Paper {id: 'doi:10.1/elm'})-[r]->(x) RETURN type(r) AS t, x.id ORDER BY t, x.id

// labels-fn
MATCH (n {name: 'Glade'}) RETURN labels(n) AS l

// label-or
MATCH (n:Method|Dataset) RETURN n.name ORDER BY n.name

// label-pred
MATCH (n) WHERE n:Dataset OR n:Task RETURN n.name ORDER BY n.name

// label-expr-and
MATCH (n:Method&!Dataset) RETURN count(n) AS n

// reserved-type
MATCH (r:Result)-[:ON]->(d:Dataset), (r)-[:OF]->(m:Method), (r)-[:BY]->(k) RETURN m.name, d.name, k.name, r.value ORDER BY r.value

// reserved-property
MATCH (c:Claim) RETURN c.start, c.end ORDER BY c.id

// multi-match
MATCH (a:Author {name:'Ada Hazel'}) MATCH (a)-[:WROTE]->(p) MATCH (p)-[:ADDRESSES]->(t) RETURN DISTINCT t.name ORDER BY t.name

// cartesian
MATCH (d:Dataset), (t:Task) RETURN d.name, t.name ORDER BY d.name, t.name

// chain-dup
MATCH (a:Paper)-[:CITES]->(b:Paper)-[:CITES]->(c:Paper) RETURN a.id, c.id ORDER BY a.id, c.id

// rel-unique
MATCH (a:Author)-[x:WROTE]->(p)<-[y:WROTE]-(b) RETURN count(*) AS n

// element-eq
MATCH (a:Author)-[:WROTE]->(p)<-[:WROTE]-(b:Author) WHERE a <> b RETURN a.name, b.name, p.id ORDER BY a.name, b.name, p.id

// id-fn
MATCH (m:Method {name:'Oak'})-[:EXTENDS]-(x) WHERE id(m) <> id(x) RETURN x.name ORDER BY x.name

// elementid-lt
MATCH (a:Author)-[:WROTE]->(p)<-[:WROTE]-(b:Author) WHERE elementId(a) < elementId(b) RETURN count(*) AS n

// starts-on-rel
MATCH ()-[r:OUTPERFORMS]->() WHERE r.confidence > 0.8 RETURN r.sentence

// optional
MATCH (p:Paper) OPTIONAL MATCH (p)-[:PROPOSES]->(m:Method) RETURN p.id, m.name ORDER BY p.id

// optional-count
MATCH (m:Method) OPTIONAL MATCH (m)<-[r:USES]-(:Paper) RETURN m.name, count(r) AS n ORDER BY n DESC, m.name
