"""Neo4j's reading Cypher in the words of the embedded database."""

from dataclasses import dataclass

from kg.stores.cypher.parser import parse
from kg.stores.cypher.reader import UnparsedError
from kg.stores.cypher.tokens import Kind, Token, quote
from kg.stores.cypher.write_clauses import QueryWriter


@dataclass(frozen=True, slots=True)
class Translated:
    """A query for the embedded database."""

    cypher: str
    sparse: frozenset[int] = frozenset()  # columns of maps whose missing values are left out


def to_ladybug(tokens: list[Token], source: str) -> Translated:
    """Translate a query; what is not understood goes to the database nearly as it is."""
    try:
        query = parse(tokens, source)
    except UnparsedError:
        return Translated(_quoted_names(tokens))
    writer = QueryWriter()
    text = writer.write(query)
    return Translated(text, writer.sparse)


def _quoted_names(tokens: list[Token]) -> str:
    """Put names of properties into backticks: end and others are keywords there."""
    parts = []
    before = ""
    for i, token in enumerate(tokens):
        text = " " if token.kind is Kind.COMMENT else token.text
        called = i + 1 < len(tokens) and tokens[i + 1].text == "("
        if token.kind is Kind.WORD and before == "." and not called:
            text = quote(token.text)
        parts.append(text)
        if token.kind is not Kind.SPACE:
            before = token.text
    return "".join(parts)
