// more-with-star
MATCH (m:Method {name: 'Oak'}) WITH *, m.papers AS n RETURN m.name, n

// more-with-filter-order
MATCH (p:Paper)-[:ADDRESSES]->(t:Task) WITH t, count(p) AS papers ORDER BY papers DESC LIMIT 1 MATCH (t)<-[:ADDRESSES]-(q:Paper) RETURN t.name, q.title ORDER BY q.title

// more-optional-chain
MATCH (p:Paper) OPTIONAL MATCH (p)-[:PUBLISHED_IN]->(v:Venue) OPTIONAL MATCH (p)-[:PROPOSES]->(m:Method) RETURN p.id, v.name, m.name ORDER BY p.id

// more-optional-where
MATCH (m:Method) OPTIONAL MATCH (m)<-[:USES]-(p:Paper) WHERE p.year > 2022 RETURN m.name, p.title ORDER BY m.name, p.title

// more-contains-empty
MATCH (p:Paper) WHERE p.title CONTAINS '' RETURN count(p) AS n

// more-starts-param
// {"prefix": "Oak"}
MATCH (p:Paper) WHERE toLower(p.title) STARTS WITH toLower($prefix) RETURN p.title

// more-not-contains
MATCH (p:Paper) WHERE NOT p.title CONTAINS 'Oak' RETURN p.title ORDER BY p.title

// more-not-in
MATCH (p:Paper) WHERE NOT p.year IN [2021, 2022] RETURN p.id ORDER BY p.id

// more-not-equal
MATCH (m:Method) WHERE m.name <> 'Oak' RETURN m.name ORDER BY m.name

// more-date-prefix
MATCH (p:Paper) WHERE p.date STARTS WITH '2023' RETURN p.id, p.date ORDER BY p.id

// more-collect-slice
MATCH (p:Paper) WHERE p.year IS NOT NULL WITH p ORDER BY p.year DESC, p.id RETURN collect(p.title)[..3] AS newest

// more-collect-map
MATCH (a:Author)-[w:WROTE]->(p:Paper) WITH a, p, w ORDER BY p.id RETURN a.name, collect({title: p.title, place: w.position}) AS papers ORDER BY a.name

// more-collect-distinct
MATCH (a:Author)-[:WROTE]->(p:Paper) WHERE p.year IS NOT NULL RETURN a.name, size(collect(DISTINCT p.year)) AS years ORDER BY a.name

// more-unwind-two
UNWIND [1, 2] AS a UNWIND ['x', 'y'] AS b RETURN a, b ORDER BY a, b

// more-unwind-null
UNWIND [1, null, 2] AS x RETURN x ORDER BY x

// more-unwind-nested
WITH [[1, 2], [3]] AS nested UNWIND nested AS l UNWIND l AS x RETURN x ORDER BY x

// more-unwind-maps
// {"rows": [{"name": "Oak", "stars": 5}, {"name": "Elm", "stars": 3}]}
UNWIND $rows AS row MATCH (m:Method {name: row.name}) RETURN m.id, row.stars AS stars ORDER BY stars

// more-case-in-order
MATCH (m:Method) RETURN m.name ORDER BY CASE m.name WHEN 'Ivy' THEN 0 ELSE 1 END, m.name

// more-case-in-agg
MATCH (p:Paper) RETURN sum(CASE WHEN p.year >= 2023 THEN 1 ELSE 0 END) AS recent, count(*) AS n

// more-sum-float
MATCH (c:Claim) RETURN round(sum(c.confidence), 3) AS s, round(avg(c.confidence) * 100) / 100 AS a

// more-round-digits
RETURN round(3.14159, 2) AS a, round(-1.5) AS b, ceil(1.1) AS c, floor(-1.1) AS d, abs(-3) AS e, sign(-2) AS f

// more-math
RETURN 7 / 2 AS a, 7.0 / 2 AS b, 7 % 3 AS c, 2 ^ 3 AS d, sqrt(16) AS e, -7 / 2 AS f, -7 % 3 AS g

// more-math2
RETURN round(exp(1), 5) AS a, round(log(10), 5) AS b, log10(100) AS c, round(sin(pi() / 2), 5) AS d, round(degrees(pi()), 2) AS e

// more-string-fns
RETURN lTrim('  a') AS a, rTrim('a  ') AS b, size('grün') AS c, 'a' + 'b' + 1 AS d, toString(1.5) AS e, toString(true) AS f

// more-upper-lower
RETURN upper('abc') AS a, lower('ABC') AS b, normalize('Å') = 'Å' AS c

// more-to-integer
RETURN toInteger('42') AS a, toInteger('3.9') AS b, toInteger('x') AS c, toFloat('1.5') AS d, toBoolean('TRUE') AS e, toInteger(2.9) AS f

// more-lists-to
RETURN toIntegerList(['1', '2']) AS a, toStringList([1, 2]) AS b, toFloatList(['1.5']) AS c

// more-range-step
RETURN range(0, 10, 5) AS a, range(5, 1, -2) AS b, size(range(1, 0)) AS c

// more-list-nested-comp
RETURN [x IN range(1, 3) | [y IN range(1, 2) | y * 10]] AS l

// more-list-eq
RETURN [1, 2] = [1, 2] AS a, [1, 2] <> [2, 1] AS b, 3 IN [1, 2, null] AS c, [] = [] AS d

// more-null-logic
RETURN true AND null AS a, false AND null AS b, true OR null AS c, NOT null AS d, null XOR true AS e

// more-coalesce-prop
MATCH (a:Author) RETURN a.name, coalesce(a.orcid, 'no orcid') AS orcid ORDER BY a.name

// more-nullif
RETURN nullIf(4, 4) AS a, nullIf('abc', 'def') AS b

// more-exists-nested
MATCH (a:Author) WHERE EXISTS { MATCH (a)-[:WROTE]->(p:Paper) WHERE EXISTS { MATCH (p)-[:PUBLISHED_IN]->(:Venue) } } RETURN a.name ORDER BY a.name

// more-not-exists
MATCH (p:Paper) WHERE NOT EXISTS { (p)-[:CITES]->() } RETURN p.title ORDER BY p.title

// more-exists-return
MATCH (m:Method) RETURN m.name, EXISTS { (m)-[:EXTENDS]->() } AS extends ORDER BY m.name

// more-count-in-order
MATCH (p:Paper) RETURN p.title ORDER BY COUNT { (p)<-[:CITES]-() } DESC, p.title

// more-count-two
MATCH (p:Paper) WITH p, COUNT { (p)<-[:CITES]-() } AS cited, COUNT { (p)-[:CITES]->() } AS citing WHERE cited + citing > 1 RETURN p.id, cited, citing ORDER BY p.id

// more-collect-sub-limit
MATCH (a:Author) RETURN a.name, COLLECT { MATCH (a)-[:WROTE]->(p:Paper) RETURN p.title ORDER BY p.year DESC LIMIT 1 } AS latest ORDER BY a.name

// more-collect-sub-where
MATCH (m:Method) WHERE 'arxiv:2301.00001' IN COLLECT { MATCH (m)<-[:USES]-(p:Paper) RETURN p.id } RETURN m.name ORDER BY m.name

// more-call-agg
MATCH (p:Paper) CALL (p) { MATCH (p)<-[:CITES]-(q) RETURN count(q) AS cited } WITH p, cited WHERE cited > 0 RETURN p.title, cited ORDER BY cited DESC, p.title

// more-call-collect
MATCH (a:Author) CALL (a) { MATCH (a)-[:WROTE]->(p) RETURN collect(p.year) AS years } RETURN a.name, size(years) AS n ORDER BY a.name

// more-call-plain
MATCH (a:Author {name: 'Ada Hazel'}) CALL (a) { MATCH (a)-[:WROTE]->(p:Paper) RETURN p.title AS title } RETURN a.name, title ORDER BY title

// more-call-uncorrelated
CALL { MATCH (p:Paper) RETURN count(p) AS papers } MATCH (m:Method) RETURN papers, count(m) AS methods

// more-path-where-all
MATCH p = (:Method {name: 'Ivy'})-[:EXTENDS*1..3]->(x:Method) WHERE all(n IN nodes(p) WHERE n.papers > 0) RETURN x.name, length(p) AS l ORDER BY x.name, l

// more-path-rels-min
MATCH p = (:Method {name: 'Ivy'})-[:EXTENDS*1..3]->(:Method {name: 'Oak'}) RETURN [r IN relationships(p) | r.confidence] AS c ORDER BY length(p)

// more-path-reduce
MATCH p = (:Method {name: 'Ivy'})-[:EXTENDS*1..3]->(:Method {name: 'Oak'}) RETURN length(p) AS l, round(reduce(t = 1.0, r IN relationships(p) | t * r.confidence), 4) AS product ORDER BY l

// more-path-ends
MATCH p = (:Method {name: 'Ivy'})-[:EXTENDS*1..3]->(:Method {name: 'Oak'}) RETURN nodes(p)[0].name AS a, last(nodes(p)).name AS b, size(relationships(p)) AS n ORDER BY n

// more-quantified-exact
MATCH (a:Method {name: 'Ivy'})-[:EXTENDS]->{2}(b) RETURN b.name ORDER BY b.name

// more-quantified-group
MATCH (a:Method {name: 'Ivy'}) (()-[r:EXTENDS]->()){1,2} (b:Method) RETURN b.name, size(r) AS n ORDER BY b.name, n

// more-quantified-named
MATCH (a:Method {name: 'Ivy'}) ((x)-[:EXTENDS]->(y)){1,3} (b:Method {name: 'Oak'}) RETURN [n IN x | n.name] AS names ORDER BY size(names)

// more-any-shortest
MATCH p = ANY SHORTEST (a:Method {name: 'Ivy'})-[:EXTENDS]->+(b:Method {name: 'Oak'}) RETURN length(p) AS l

// more-shortest-group
MATCH p = ALL SHORTEST (a:Method {name: 'Ivy'})-[:EXTENDS]-+(b:Method {name: 'Elm'}) RETURN length(p) AS l

// more-undirected-vlen
MATCH (a:Author {name: 'Cy Aspen'})-[:WROTE*2]-(b:Author) RETURN DISTINCT b.name ORDER BY b.name

// more-label-not
MATCH (n:!Paper&!Claim&!Result) WHERE n.name STARTS WITH 'A' RETURN n.name ORDER BY n.name

// more-label-wild
MATCH (n:%) RETURN count(n) > 0 AS some

// more-label-where-and
MATCH (n) WHERE n:Method AND n.papers > 2 RETURN n.name

// more-rel-type-not
MATCH (:Method {name: 'Birch'})-[r:!EXTENDS&!USES]-(x) RETURN type(r) AS t, count(*) AS n ORDER BY t

// more-rel-any
MATCH (p:Paper {id: 'doi:10.1/oak'})-->(x) RETURN labels(x)[0] AS label, count(*) AS n ORDER BY label

// more-rel-any-both
MATCH (p:Paper {id: 'doi:10.1/oak'})--(x:Paper) RETURN x.id ORDER BY x.id

// more-rel-var-type-filter
MATCH (p:Paper)-[r]->(m:Method) WHERE type(r) IN ['PROPOSES', 'USES'] RETURN type(r) AS t, count(*) AS n ORDER BY t

// more-rel-prop-where
MATCH (p:Paper)-[r:PROPOSES]->(m) WHERE r.confidence > 0.9 AND r.sentence CONTAINS 'propose' RETURN m.name, r.sentence

// more-two-patterns-where
MATCH (a:Paper)-[:CITES]->(b:Paper), (a)-[:ADDRESSES]->(t:Task)<-[:ADDRESSES]-(b) RETURN a.title, b.title, t.name ORDER BY a.title, b.title

// more-cocitation
MATCH (a:Paper)<-[:CITES]-(c:Paper)-[:CITES]->(b:Paper) WHERE a.id < b.id RETURN a.title, b.title, count(c) AS n ORDER BY n DESC, a.title, b.title

// more-coauthor
MATCH (a:Author {name: 'Ada Hazel'})-[:WROTE]->(:Paper)<-[:WROTE]-(co:Author) RETURN co.name, count(*) AS together ORDER BY together DESC, co.name

// more-no-result-agg
MATCH (p:Paper) WHERE p.year = 1900 RETURN count(p) AS n, collect(p.id) AS ids, max(p.year) AS y, sum(p.year) AS s

// more-percentile-disc
MATCH (p:Paper) RETURN percentileDisc(p.year, 0.5) AS m, percentileCont(p.year, 0.9) AS c, stdevp(p.year) > 0 AS s

// more-min-string
MATCH (m:Method) RETURN min(m.name) AS a, max(m.name) AS b

// more-avg-null
MATCH (p:Paper) RETURN avg(p.year) AS a, count(p.year) AS n, count(*) AS all

// more-group-by-expr
MATCH (p:Paper) WHERE p.year IS NOT NULL RETURN p.year / 10 * 10 AS decade, count(*) AS n ORDER BY decade

// more-group-by-null
MATCH (p:Paper) RETURN p.year AS year, count(*) AS n ORDER BY year

// more-having-collect
MATCH (t:Task)<-[:ADDRESSES]-(p:Paper) WITH t, collect(p) AS papers WHERE size(papers) >= 2 UNWIND papers AS p RETURN t.name, p.title ORDER BY p.title

// more-order-two-dir
MATCH (p:Paper) RETURN p.year AS y, p.title AS t ORDER BY y DESC, t ASC

// more-order-alias-prop
MATCH (p:Paper) WITH p AS paper RETURN paper.title ORDER BY paper.year DESCENDING, paper.title ASCENDING SKIP 1 LIMIT 3

// more-limit-expr
// {"n": 1}
MATCH (p:Paper) RETURN p.id ORDER BY p.id SKIP $n LIMIT $n + 1

// more-offset
MATCH (p:Paper) RETURN p.id ORDER BY p.id OFFSET 2 LIMIT 2

// more-distinct-multi
MATCH (:Author)-[:WROTE]->(p:Paper)-[:ADDRESSES]->(t) RETURN DISTINCT t.name AS task, p.year AS year ORDER BY task, year

// more-union-three (unordered)
MATCH (m:Method) RETURN m.name AS name, 'Method' AS kind UNION MATCH (d:Dataset) RETURN d.name AS name, 'Dataset' AS kind UNION MATCH (t:Task) RETURN t.name AS name, 'Task' AS kind

// more-backticks
MATCH (`my paper`:Paper {year: 2021}) RETURN `my paper`.title AS `the title`

// more-string-escape
RETURN 'it\'s' AS a, "double \"quoted\"" AS b, 'tab\there' AS c, '\u00e9' AS d, 'back\\slash' AS e

// more-number-forms
RETURN 0x1F AS a, 1e3 AS b, 1_000 AS c, .5 AS d, 0o17 AS e

// more-map-null-key
WITH {a: 1, b: null} AS m RETURN m.a AS a, m.b AS b, m.a IS NOT NULL AS c

// more-map-keys
WITH {a: 1, b: 2} AS m RETURN keys(m) AS k

// more-map-all-projection
MATCH (v:Venue) RETURN v {.*, kind: 'journal'} AS m

// more-properties-of
MATCH (t:Task {name: 'rooting'}) RETURN properties(t).name AS n

// more-date-fns
RETURN date('2024-05-31').year AS y, date('2024-05-31').month AS m, date('2024-05-31') > date('2024-01-01') AS later, toString(date('2024-05-31')) AS s

// more-duration-add
RETURN toString(date('2024-01-31') + duration('P1D')) AS d

// more-date-map
RETURN toString(date({year: 2024, month: 2, day: 29})) AS d

// more-isempty-string
MATCH (p:Paper) WHERE isEmpty(p.date) RETURN p.title

// more-size-pattern-string
MATCH (m:Method) WHERE size(m.name) = 3 RETURN m.name ORDER BY m.name

// more-split-index
MATCH (p:Paper) RETURN split(p.id, ':')[0] AS scheme, count(*) AS n ORDER BY scheme

// more-substring-prop
MATCH (p:Paper) WHERE p.date <> '' RETURN substring(p.date, 0, 4) AS year, count(*) AS n ORDER BY year

// more-any-param-list
// {"words": ["Oak", "Scale"]}
MATCH (p:Paper) WHERE any(word IN $words WHERE p.title CONTAINS word) RETURN p.title ORDER BY p.title

// more-list-param-in-topics
// {"topic": "trees"}
MATCH (p:Paper) WHERE $topic IN p.topics RETURN p.title ORDER BY p.title

// more-list-intersect
MATCH (a:Paper {id: 'doi:10.1/oak'}), (b:Paper) WHERE a <> b AND any(t IN a.topics WHERE t IN b.topics) RETURN b.title ORDER BY b.title

// more-comp-filter-outer
MATCH (m:Method) WITH m, 3 AS least RETURN m.name, [s IN m.surfaces WHERE size(s) >= least] AS l ORDER BY m.name

// more-pattern-comp-where
MATCH (a:Author) RETURN a.name, [(a)-[:WROTE]->(p:Paper) WHERE p.year > 2022 | p.title] AS l ORDER BY a.name

// more-param-map
// {"wanted": {"name": "Oak"}}
MATCH (m:Method) WHERE m.name = $wanted.name RETURN m.id

// more-param-in-map-pattern
// {"year": 2021}
MATCH (p:Paper {year: $year})<-[:WROTE]-(a) RETURN a.name ORDER BY a.name

// more-let-like-with
WITH 2021 AS from, 2023 AS to MATCH (p:Paper) WHERE from <= p.year <= to RETURN count(p) AS n

// more-with-where-agg-distinct
MATCH (a:Author)-[:WROTE]->(p)-[:ADDRESSES]->(t:Task) WITH t, count(DISTINCT a) AS authors WHERE authors > 1 RETURN t.name, authors

// more-with-then-optional
MATCH (m:Method) WITH m ORDER BY m.name LIMIT 2 OPTIONAL MATCH (m)-[:EXTENDS]->(x) RETURN m.name, x.name ORDER BY m.name, x.name

// more-value-type-mix
MATCH (r:Result) RETURN r.value, r.unit ORDER BY r.value DESC LIMIT 1

// more-self-join-inequality
MATCH (a:Result)-[:ON]->(d)<-[:ON]-(b:Result) WHERE a.value > b.value RETURN d.name, a.value - b.value AS gap

// more-is-labelled
MATCH (n {name: 'Oak'}) RETURN n:Method AS m, n:Dataset AS d

// more-not-label
MATCH (n) WHERE NOT n:Paper AND n.name = 'Glade' RETURN labels(n) AS l

// more-elementid-count
MATCH (n:Method) RETURN count(DISTINCT elementId(n)) AS n

// more-char-length
RETURN char_length('abc') AS a, character_length('ab') AS b

// more-trim-both
RETURN trim(BOTH 'x' FROM 'xxaxx') AS a, btrim('  a ') AS b

// more-isnan
RETURN isNaN(0.0 / 0.0) AS a

// more-head-collect
MATCH (p:Paper) WHERE p.year IS NOT NULL WITH p ORDER BY p.year, p.id WITH p.year AS y, collect(p) AS ps RETURN y, head(ps).title AS first ORDER BY y

// more-return-rel-prop-map
MATCH (a:Author {name: 'Bo Rowan'})-[w:WROTE]->(p) RETURN w {.position} AS m, p.id ORDER BY p.id

// more-startnode-undirected
MATCH (a:Method {name: 'Birch'})-[r:OUTPERFORMS]-(b) RETURN startNode(r).name AS s, endNode(r).name AS e

// more-is-type-simple
MATCH (p:Paper) WHERE p.year IS :: INTEGER RETURN count(p) AS n

// more-mixed-list
RETURN [1, 'a', true] AS l

// more-duration-between
RETURN duration.inDays(date('2024-01-01'), date('2024-03-01')).days AS d

// more-call-union2
CALL () { MATCH (m:Method) RETURN m.name AS name UNION MATCH (t:Task) RETURN t.name AS name } RETURN count(name) AS n

// more-call-limit
MATCH (t:Task) CALL (t) { MATCH (t)<-[:ADDRESSES]-(p:Paper) RETURN p.title AS title ORDER BY p.year DESC LIMIT 1 } RETURN t.name, title ORDER BY t.name

// more-exists-func-prop
MATCH (p:Paper) WHERE p.doi IS NOT NULL AND p.doi =~ '10\\.1/.*' RETURN p.doi ORDER BY p.doi

// more-count-star-sub
RETURN COUNT { (:Paper) } AS papers, COUNT { (:Method)-[:EXTENDS]->() } AS ext

// more-toset
RETURN size([x IN [1, 2, 2, 3] WHERE x > 1]) AS n, reduce(s = '', w IN ['a', 'b'] | s + w) AS joined

// more-reduce-nodes
MATCH p = (:Method {name: 'Ivy'})-[:EXTENDS*1..3]->(:Method {name: 'Oak'}) RETURN reduce(t = 0, n IN nodes(p) | t + n.papers) AS papers ORDER BY papers

// more-reduce-text
MATCH p = (:Method {name: 'Ivy'})-[:EXTENDS*1..3]->(:Method {name: 'Oak'}) RETURN reduce(s = '', n IN nodes(p) | s + n.name + ' ') AS names ORDER BY size(names)

// more-contains-property
MATCH (p:Paper), (m:Method) WHERE p.title CONTAINS m.name RETURN p.title, m.name ORDER BY p.title, m.name

// more-not-in-null
MATCH (p:Paper) WHERE p.year IN [2021, null] OR (p.year IN [null]) IS NULL AND p.year = 2024 RETURN p.id ORDER BY p.id

// more-call-first
CALL { MATCH (p:Paper) WHERE p.year IS NOT NULL RETURN p ORDER BY p.year DESC, p.id LIMIT 2 } MATCH (p)<-[:WROTE]-(a) RETURN p.title, a.name ORDER BY p.title, a.name

// more-group-where
MATCH (a:Method {name: 'Ivy'}) (()-[r:EXTENDS WHERE r.confidence > 0.1]->())+ (b:Method) RETURN DISTINCT b.name ORDER BY b.name

// more-sum-groups
MATCH (m:Method) OPTIONAL MATCH (m)<-[:USES]-(p:Paper) RETURN m.name, sum(p.year) AS s ORDER BY m.name

// more-sum-divided
MATCH (p:Paper) RETURN sum(p.year) / count(p.year) AS mean, sum(DISTINCT p.year) % 100 AS rest

// more-hex-in-list
RETURN [0xff, 0o7][0] AS a, 0x10 + 1 AS b

// more-in-null-text
RETURN 'a' IN ['b', NULL] AS x, NOT 'a' IN ['b', null] AS y, 'a' IN ['a', null] AS z

// more-renewed-name
UNWIND [1, 2, 3] AS x RETURN -x AS x ORDER BY x

// more-renewed-node
MATCH (m:Method) RETURN size(m.name) AS m ORDER BY m DESC

// more-renewed-with
UNWIND [1, 2, 3] AS x WITH -x AS x ORDER BY x LIMIT 2 RETURN x

// more-renewed-count
MATCH (t:Task)<-[:ADDRESSES]-(p:Paper) RETURN t.name AS name, count(p) AS p ORDER BY p DESC, name
