// Where the papers of the graph were published.
// param limit: count = 30; how many rows at most
MATCH (v:Venue)<-[:PUBLISHED_IN]-(p:Paper)
RETURN v.name AS venue, count(p) AS papers, min(p.year) AS first_year, max(p.year) AS last_year,
       v.id AS id
ORDER BY papers DESC, venue, id
LIMIT $limit
