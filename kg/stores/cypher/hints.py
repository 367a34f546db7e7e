"""A database's refusal with the names of the schema that were probably meant."""

import difflib
import re

from kg.errors import QueryError
from kg.model.schema import EDGE_TABLES, NODE_TABLES
from kg.stores.cypher.functions import FUNCTIONS
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
    """Return the error of a query: what the database said, and what to do about it."""
    lines = message.strip().splitlines() or ["the query failed"]
    problem = _KIND.sub("", lines[0])
    if problem.endswith(":"):  # what was expected and found stands in the next lines
        problem = " ".join([problem, *(line.strip() for line in lines[1:2])])
    for pattern, remedy in _REMEDIES:
        if re.search(pattern, problem):
            return QueryError(problem, remedy)
    missing = re.search(r"function (\w+) does not exist|Variable (\S+) is not in scope", problem)
    if missing:
        function, variable = missing.groups()
        return QueryError(problem, _function(function) if function else _variable(variable, cypher))
    return QueryError(problem, nearest(cypher) or "The labels are " + ", ".join(LABELS) + ".")


def unsupported(what: str, instead: str) -> QueryError:
    """Return the error for what the embedded database cannot be made to do."""
    return QueryError(
        f"the embedded database knows no {what}", f"{instead} Neo4j takes it as it is."
    )


_KIND = re.compile(r"^(Binder|Runtime|Catalog|Conversion|Overflow) exception: ")
# What the database says, and what to do about it.
_REMEDIES = (
    (
        r"(Divide|Modulo) by zero",
        "Leave such rows out with WHERE x <> 0, or write 1.0 for 1: as a float it is infinity.",
    ),
    (r"skip/limit", "Give LIMIT and SKIP a whole number that is not negative."),
    (
        r"parsing (date|timestamp)|Error occurred during parsing",
        "Write a date as '2024-05-31'; the dates of papers are text and compare as such.",
    ),
    (
        r"INT64 range|out of range|overflow|Overflow",
        "Numbers without a point have 64 bits; write one as 1.0 to reckon with floats.",
    ),
    (
        r"Cast failed|Could not convert|correct arguments|data type|Unable to cast",
        "Make them of one type: toString(), toInteger() and toFloat() give null where they cannot.",
    ),
    (
        r"Invalid input|Parser exception",
        "Look before the place that it names: is a bracket, comma or quote missing?",
    ),
)


def _function(name: str) -> str:
    near = difflib.get_close_matches(name.lower(), FUNCTIONS, 3, 0.6)
    return f"Nearest: {', '.join(near)}." if near else "docs/cypher.md says what is taken."


def _variable(name: str, cypher: str) -> str:
    words = {t.name for t in code(tokenize(cypher)) if t.kind in (Kind.WORD, Kind.QUOTED)}
    bound = sorted(words - {name, *LABELS, *TYPES})
    near = [each for each in difflib.get_close_matches(name, bound, 3, 0.6) if not _keyword(each)]
    start = f"Is {' or '.join(near)} meant? " if near else ""
    return f"{start}Bind it with MATCH, UNWIND or WITH; text goes into quotes."


def _keyword(word: str) -> bool:
    return word.upper() == word and len(word) > 1


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
