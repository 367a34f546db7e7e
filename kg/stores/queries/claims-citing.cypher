// Claims in whose sentence a paper is cited: what others say of it.
// param paper: Paper; title or id of the paper
// param limit: count = 50; how many rows at most
// sample: paper=Attention
MATCH (cited:Paper)<-[r:CITES]-(c:Claim)<-[:MAKES]-(p:Paper)
WHERE cited.id IN $paper
RETURN cited.title AS about, c.kind AS kind, c.polarity AS polarity, r.sentence AS sentence,
       r.confidence AS confidence, p.year AS year, p.title AS title, c.id AS id
ORDER BY confidence DESC, year DESC, id, about
LIMIT $limit
