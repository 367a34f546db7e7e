// where-range
MATCH (p:Paper) WHERE 2021 < p.year <= 2023 RETURN p.id ORDER BY p.id

// where-bool
MATCH (p:Paper) WHERE p.year = 2021 OR (p.year > 2022 AND NOT p.title STARTS WITH 'Birch') RETURN p.id ORDER BY p.id

// where-xor
MATCH (p:Paper) WHERE (p.year > 2022) XOR (p.title CONTAINS 'Oak') RETURN p.id ORDER BY p.id

// where-in
MATCH (p:Paper) WHERE p.year IN [2021, 2024] RETURN p.id ORDER BY p.id

// is-null
MATCH (p:Paper) WHERE p.year IS NULL RETURN p.title

// exists-prop
MATCH (a:Author) WHERE a.orcid IS NOT NULL RETURN a.name

// regex
MATCH (m:Method) WHERE m.name =~ '(?i)o.k|b.*' RETURN m.name ORDER BY m.name

// string-preds
MATCH (p:Paper) WHERE p.title ENDS WITH 'Oak' AND p.title CONTAINS 'tends' RETURN p.title

// not-pattern
MATCH (m:Method) WHERE NOT (m)<-[:PROPOSES]-() RETURN m.name ORDER BY m.name

// pattern-pred
MATCH (m:Method) WHERE (m)-[:EXTENDS]->(:Method {name:'Oak'}) RETURN m.name ORDER BY m.name

// where-inline
MATCH (p:Paper WHERE p.year > 2023) RETURN p.id

// rel-where-inline
MATCH (a)-[w:WROTE WHERE w.position = 2]->(p) RETURN a.name ORDER BY a.name

// exists-sub
MATCH (m:Method) WHERE EXISTS { (m)<-[:USES]-(:Paper) } RETURN m.name ORDER BY m.name

// exists-match
MATCH (m:Method) WHERE EXISTS { MATCH (m)<-[:USES]-(p:Paper) WHERE p.year > 2022 } RETURN m.name ORDER BY m.name

// count-sub-where
MATCH (m:Method) WHERE COUNT { MATCH (m)-[:EXTENDS]->(x) WHERE x.papers > 2 } > 0 RETURN m.name ORDER BY m.name

// params
// {"year": 2022, "text": "Oak"}
MATCH (p:Paper) WHERE p.year >= $year AND p.title CONTAINS $text RETURN p.title ORDER BY p.title

// params-list
// {"ids": ["doi:10.1/oak", "doi:10.1/elm"]}
MATCH (p:Paper) WHERE p.id IN $ids RETURN p.title ORDER BY p.title

// params-unwind
// {"names": ["Oak", "Elm", "Nope"]}
UNWIND $names AS name MATCH (m:Method {name: name}) RETURN m.id ORDER BY m.id

// is-type
MATCH (p:Paper) WHERE p.year IS :: INTEGER NOT NULL RETURN count(p) AS n
