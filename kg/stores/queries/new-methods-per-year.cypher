// How many papers propose a method, and how many methods are first proposed, per year.
MATCH (p:Paper)-[:PROPOSES]->(m:Method)
WHERE p.year IS NOT NULL
WITH m, min(p.year) AS year, count(DISTINCT p.id) AS papers
RETURN year, count(m) AS new_methods, sum(papers) AS papers_proposing_them
ORDER BY year
