// varlength
MATCH (m:Method {name:'Ivy'})-[:EXTENDS*1..3]->(x) RETURN x.name ORDER BY x.name

// varlength-path
MATCH p = (m:Method {name:'Ivy'})-[:EXTENDS*]->(x:Method {name:'Oak'}) RETURN length(p) AS l, [n IN nodes(p) | n.name] AS names ORDER BY l

// trail
MATCH (a:Method {name:'Oak'})-[r:EXTENDS*2..4]-(b) RETURN b.name, size(r) AS n ORDER BY b.name, n

// zero-hops
MATCH (m:Method {name:'Elm'})-[:EXTENDS*0..1]->(x) RETURN x.name ORDER BY x.name

// quantified
MATCH (m:Method {name:'Ivy'})-[:EXTENDS]->{1,3}(x) RETURN x.name ORDER BY x.name

// quantified-plus
MATCH (m:Method {name:'Ivy'})-[:EXTENDS]->+(x:Method) RETURN DISTINCT x.name ORDER BY x.name

// shortest
MATCH p = shortestPath((a:Author {name:'Cy Aspen'})-[*..6]-(v:Venue)) RETURN length(p) AS l

// shortest-names
MATCH p = shortestPath((a:Method {name:'Ivy'})-[:EXTENDS*]->(b:Method {name:'Oak'})) RETURN [n IN nodes(p) | n.name] AS names, [r IN relationships(p) | type(r)] AS types

// allshortest
MATCH p = allShortestPaths((a:Method {name:'Ivy'})-[:EXTENDS*]-(b:Method {name:'Elm'})) RETURN nodes(p)[1].name AS middle, length(p) AS steps ORDER BY middle

// return-path
MATCH path = (a:Author {name:'Cy Aspen'})-[:WROTE]->() RETURN path

// start-end-node
MATCH (:Author)-[w:WROTE]->(p:Paper {year: 2021}) RETURN startNode(w).name AS a, endNode(w).id AS p, w.position ORDER BY w.position
