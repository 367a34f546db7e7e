// Reads {schema, statements: [{text, parameters}]} on stdin; prints what Neo4j's linter finds in each
// statement, once as Cypher 5 and once as Cypher 25, the language of Neo4j 2026.
const { lintCypherQuery } = require("@neo4j-cypher/language-support");

const { schema, statements } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const found = [];
for (const { text, parameters } of statements) {
  for (const version of ["CYPHER 5", "CYPHER 25"]) {
    const known = { ...schema, parameters, defaultLanguage: version };
    const { diagnostics } = lintCypherQuery(text, known);
    for (const { severity, message } of diagnostics) {
      found.push({ version, text, severity: severity === 1 ? "error" : "warning", message });
    }
  }
}
console.log(JSON.stringify(found));
