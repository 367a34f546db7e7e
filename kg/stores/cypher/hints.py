"""A database's refusal with the names of the schema that were probably meant."""

import difflib

from kg.errors import QueryError
from kg.model.schema import EDGE_TABLES, NODE_TABLES
from kg.stores.cypher.tokens import Kind, Token, code, tokenize

LABELS = tuple(table.name for table in NODE_TABLES)
TYPES = tuple(dict.fromkeys(table.type.value for table in EDGE_TABLES))
PROPERTIES = tuple(
    dict.fromkeys(
        [p.name for table in NODE_TABLES for p in table.properties]
        + [p.name for edges in EDGE_TABLES for p in edges.properties]
    )
)


def refused(message: str, cypher: str) -> QueryError:
    """Return the error of a query: what the database said, and the nearest names."""
    first = message.strip().splitlines()[0] if message.strip() else "the query failed"
    first = first.removeprefix("Binder exception: ").removeprefix("Runtime exception: ")
    near = nearest(cypher)
    return QueryError(first, near or "The labels are " + ", ".join(LABELS) + ".")


def nearest(cypher: str) -> str:
    """Name what the schema has in place of each name that it does not have."""
    return " ".join(
        f"{kind} {name!r} is not in the schema; nearest: {', '.join(found)}."
        for kind, name, found in unknown_names(cypher)
    )


def unknown_names(cypher: str) -> list[tuple[str, str, list[str]]]:
    """Return (kind, name, nearest names) of the labels, types and properties not in the schema."""
    tokens = code(tokenize(cypher))
    brackets: list[str] = []
    found: dict[tuple[str, str], list[str]] = {}
    for index, token in enumerate(tokens):
        if token.text in ("(", "[", "{"):
            brackets.append(token.text)
        elif token.text in (")", "]", "}") and brackets:
            brackets.pop()
        if token.kind not in (Kind.WORD, Kind.QUOTED) or index == 0:
            continue
        before, after = tokens[index - 1], tokens[index + 1] if index + 1 < len(tokens) else None
        inside = brackets[-1] if brackets else ""
        if before.text in (":", "|", "&", "!") and inside in ("(", "["):
            kind, known = ("Label", LABELS) if inside == "(" else ("Relationship type", TYPES)
            if before.text != ":" and not _in_label(tokens, index):
                continue
        elif _is_property(before, after, inside):
            kind, known = "Property", PROPERTIES
        else:
            continue
        if token.name not in known:
            found[kind, token.name] = _near(token.name, known)
    return [(kind, name, near) for (kind, name), near in found.items() if near]


def _is_property(before: Token, after: Token | None, inside: str) -> bool:
    if before.text == ".":
        return after is None or after.text != "("
    in_map = inside == "{" and before.text in ("{", ",")
    return in_map and after is not None and after.text == ":"


def _in_label(tokens: list[Token], index: int) -> bool:
    for token in reversed(tokens[:index]):
        if token.text == ":":
            return True
        if token.text not in ("|", "&", "!", "(", ")") and token.kind not in (
            Kind.WORD,
            Kind.QUOTED,
        ):
            return False
    return False


def _near(name: str, known: tuple[str, ...]) -> list[str]:
    folded = {k.casefold(): k for k in known}
    close = difflib.get_close_matches(name.casefold(), list(folded), 3, 0.5)
    return [folded[k] for k in close]
