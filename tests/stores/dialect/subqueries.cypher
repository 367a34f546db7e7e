// count-sub
MATCH (m:Method) RETURN m.name, COUNT { (m)<-[:USES]-(:Paper) } AS n ORDER BY n DESC, m.name

// collect-sub
MATCH (a:Author) RETURN a.name, COLLECT { MATCH (a)-[:WROTE]->(p) RETURN p.id ORDER BY p.id } AS l ORDER BY a.name

// call-sub
MATCH (m:Method) CALL (m) { MATCH (m)<-[:USES]-(p:Paper) RETURN count(p) AS n } RETURN m.name, n ORDER BY n DESC, m.name

// call-sub-with
MATCH (m:Method) CALL { WITH m MATCH (m)<-[:USES]-(p:Paper) RETURN count(p) AS n } RETURN m.name, n ORDER BY n DESC, m.name

// call-union
CALL { MATCH (m:Method) RETURN m.name AS name UNION MATCH (d:Dataset) RETURN d.name AS name } RETURN name ORDER BY name LIMIT 3
