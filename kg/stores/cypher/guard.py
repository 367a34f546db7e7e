"""Which queries only read: decided on tokens, before a database sees the query."""

from collections.abc import Iterable

from kg.errors import QueryError
from kg.stores.cypher.tokens import Kind, Token, code

# Clauses that write to the graph.
_WRITING = frozenset({"CREATE", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "FOREACH", "INSERT"})
# Statements that write or read files, change the schema or reach the network, in either database.
_FOREIGN = frozenset(
    {
        "LOAD", "COPY", "EXPORT", "IMPORT", "INSTALL", "UNINSTALL", "UPDATE", "ATTACH", "DETACH",
        "DROP", "ALTER", "GRANT", "DENY", "REVOKE", "START", "STOP", "TERMINATE", "USE",
        "BEGIN", "COMMIT", "ROLLBACK", "CHECKPOINT", "COMMENT", "PROJECT", "ENABLE", "RENAME",
    }
)  # fmt: skip
# A word after one of these is a name, not the beginning of a clause.
_BEFORE_NAMES = frozenset({".", ":", "|", "&", "!", "AS", "(", "[", ",", "$", "YIELD"})
# A word before one of these is a variable or a function in an expression.
_AFTER_NAMES = frozenset({".", ":", ")", ",", "=", "<", ">", "<>", "<=", ">=", "]", "+=", "|", "}"})
_STARTS = frozenset(
    {"MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN", "CALL", "SHOW", "EXPLAIN", "PROFILE",
     "CYPHER", "FILTER", "LET"}
)  # fmt: skip


def statements(tokens: Iterable[Token]) -> list[list[Token]]:
    """Cut at semicolons; empty statements are dropped."""
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind is Kind.SIGN and token.text == ";":
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if code(part)]


def writing_words(tokens: Iterable[Token]) -> list[str]:
    """Return the clauses that write or reach outside the database, in capitals."""
    words = code(tokens)
    found = []
    for index, token in enumerate(words):
        if token.kind is not Kind.WORD or token.upper not in _WRITING | _FOREIGN:
            continue
        before = words[index - 1].upper if index else ""
        after = words[index + 1].upper if index + 1 < len(words) else ""
        if before in _BEFORE_NAMES or after in _AFTER_NAMES:
            continue
        found.append(token.upper)
    return found


def require_reading(tokens: Iterable[Token]) -> None:
    """Raise QueryError unless this is one statement that only reads."""
    tokens = list(tokens)
    parts = statements(tokens)
    if not parts:
        raise QueryError(
            "the query is empty", "Pass a query such as 'MATCH (p:Paper) RETURN p.title'."
        )
    if len(parts) > 1:
        raise QueryError("more than one statement", "Pass one statement at a time.")
    writes = writing_words(tokens)
    first = code(parts[0])[0].upper
    if writes:
        raise QueryError(
            f"{writes[0]} writes or reaches outside the graph, and this query may only read",
            "Pass --write to change the database. A name such as this goes into backticks.",
        )
    if first not in _STARTS and first not in {"(", "{"}:
        raise QueryError(
            f"{code(parts[0])[0].text} begins no reading query",
            "Begin with MATCH, OPTIONAL MATCH, UNWIND, WITH, RETURN or CALL.",
        )
