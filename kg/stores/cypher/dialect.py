"""Neo4j's reading Cypher in the words of the embedded database, rewritten on tokens."""

from collections.abc import Iterable

from kg.stores.cypher.tokens import Kind, Token, quote


def to_ladybug(tokens: Iterable[Token]) -> str:
    """Return the query as the embedded database takes it, with the same columns."""
    rewritten = [Token(Kind.SPACE, " ") if t.kind is Kind.COMMENT else t for t in tokens]
    rewritten = _quoted_names(rewritten)
    return "".join(token.text for token in rewritten)


def _quoted_names(tokens: list[Token]) -> list[Token]:
    """Put names of labels, types and properties into backticks, as ON and end are keywords there."""
    result = list(tokens)
    places = [i for i, t in enumerate(tokens) if t.kind not in (Kind.SPACE,)]
    for before, here, after in zip(places, places[1:], [*places[2:], None], strict=False):
        token = tokens[here]
        if token.kind is not Kind.WORD:
            continue
        called = after is not None and tokens[after].text == "("
        if tokens[before].text == "." and not called:
            result[here] = Token(Kind.QUOTED, quote(token.text), token.start)
    return result
