// case-simple
MATCH (c:Claim) RETURN CASE c.kind WHEN 'theory' THEN 1 ELSE 0 END AS t ORDER BY c.id

// case-generic
MATCH (p:Paper) RETURN p.id, CASE WHEN p.year IS NULL THEN 'unknown' WHEN p.year < 2023 THEN 'old' ELSE 'new' END AS age ORDER BY p.id

// coalesce
MATCH (p:Paper) RETURN coalesce(p.doi, p.arxiv, 'none') AS d ORDER BY p.id

// nulls
RETURN null = null AS a, null IS NULL AS b, 1 + null AS c, coalesce(null, 2) AS d

// list-comp
RETURN [x IN range(1,5) WHERE x % 2 = 1 | x * 10] AS l

// list-comp-map
MATCH (m:Method) RETURN m.name, [s IN m.surfaces WHERE size(s) > 3 | toUpper(s)] AS l ORDER BY m.name

// pattern-comp
MATCH (a:Author) RETURN a.name, size([(a)-[:WROTE]->(p) | p.id]) AS n ORDER BY a.name

// any-all
MATCH (m:Method) WHERE any(s IN m.surfaces WHERE s CONTAINS 'XL') OR all(s IN m.surfaces WHERE s = 'Elm') RETURN m.name ORDER BY m.name

// none-single
MATCH (m:Method) WHERE none(s IN m.surfaces WHERE s = 'Oak') AND single(s IN m.surfaces WHERE size(s) > 0) RETURN m.name ORDER BY m.name

// reduce
RETURN reduce(total = 0, x IN [1,2,3] | total + x) AS s

// list-index
WITH [10,20,30,40] AS l RETURN l[0], l[-1], l[1..3], l[..2], l[2..], size(l)

// list-fns
RETURN head([1,2,3]) AS h, last([1,2,3]) AS l, tail([1,2,3]) AS t, reverse([1,2,3]) AS r

// list-in-concat
RETURN 2 IN [1,2] AS a, [1,2] + [3] AS b, [1] + 2 AS c

// isempty
MATCH (p:Paper) WHERE isEmpty(p.topics) RETURN p.id ORDER BY p.id

// dynamic-prop
MATCH (a:Author {name:'Bo Rowan'}) RETURN a['family'] AS f

// map-literal
MATCH (p:Paper {year: 2021}) RETURN {id: p.id, year: p.year, nested: {a: [1, 2]}} AS m

// map-access
WITH {name: 'Oak', end: 3} AS m RETURN m.name, m.end, m['name'] AS x

// map-projection
MATCH (a:Author) RETURN a {.name, .family, papers: COUNT { (a)-[:WROTE]->() }} AS m ORDER BY a.name

// keys-props
MATCH (a:Author {name:'Bo Rowan'}) UNWIND keys(a) AS key RETURN key, properties(a) AS all ORDER BY key

// strings
RETURN substring('climbing', 2, 3) AS a, substring('oak', 1) AS b, left('abc', 2) AS c, right('abc', 2) AS d, trim(' x ') AS e, replace('abc','b','x') AS f, split('a,b,c', ',') AS g, toUpper('a') AS h, toLower('A') AS i, reverse('abc') AS j

// string-concat
MATCH (a:Author) RETURN a.family + ', ' + a.given AS n, size(a.name) AS s ORDER BY n

// conversion
RETURN toInteger('42') AS a, toFloat('1.5') AS b, toString(3) AS c, toBoolean('true') AS d, toInteger('x') AS e, toString(1.5) AS f, toInteger(2.9) AS g

// tochar
RETURN toString(date('2024-01-02')) AS s, 'a' + 1 AS t

// math
RETURN abs(-2) AS a, ceil(1.2) AS b, floor(1.8) AS c, round(1.5) AS d, sqrt(16) AS e, sign(-3) AS f, 7 / 2 AS g, 7 % 3 AS h, 2 ^ 3 AS i, 7.0 / 2 AS j, round(2.345, 2) AS k

// date-fns
RETURN date('2024-05-17') AS d, date('2024-05-17').year AS y, date('2024-05-17').month AS m

// duration-fns
RETURN date('2024-05-17') + duration('P1M') AS d

// datetime-fns
RETURN datetime('2024-05-17T10:00:00Z').year AS y
