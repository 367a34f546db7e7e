"""Reads tests/data/numbers.txt: sentences with numbers, and what each number is."""

import re
from dataclasses import dataclass
from pathlib import Path

from kg.model.extraction import Claim, ClaimKind, Entity, EntityType, Mention, Role
from kg.nlp.layout import Layout, lay_out

_FILE = Path(__file__).parents[1] / "data" / "numbers.txt"
_MARK = re.compile(r"\[(?P<name>[^\[\]|]+)\|(?P<field>\w+)(?::(?P<type>\w+))?\]")
_TYPES = {
    "about": EntityType.METHOD,
    "compared_to": EntityType.METHOD,
    "on": EntityType.DATASET,
    "metrics": EntityType.METRIC,
}


@dataclass(frozen=True, slots=True)
class Expected:
    """What a careful reader says of one number."""

    raw: str
    value: float | None
    unit: str
    change: str
    direction: str
    value_from: float | None
    relative: bool
    links: tuple[tuple[str, str], ...]  # of, on, by, against


@dataclass(frozen=True, slots=True)
class Case:
    """A claim of one sentence with its entities and links, and its results."""

    layout: Layout
    claim: Claim
    expected: tuple[Expected, ...]


def cases() -> list[Case]:
    """Return every case of the file, in order."""
    found: list[tuple[str, list[str]]] = []
    for line in _FILE.read_text("utf-8").splitlines():
        if line.startswith(">"):
            found[-1][1].append(line.removeprefix("> "))
        elif line and not line.startswith("#"):
            found.append((line, []))
    return [_case(marked, lines) for marked, lines in found]


def _case(marked: str, lines: list[str]) -> Case:
    text, entities = "", []
    links: dict[str, list[str]] = {field: [] for field in _TYPES}
    at = 0
    for match in _MARK.finditer(marked):
        text += marked[at : match.start()]
        name, field = match["name"], match["field"]
        kind = EntityType(match["type"]) if match["type"] else _TYPES[field]
        mention = Mention(len(text), len(text) + len(name), name)
        entities.append(Entity(name, kind, True, Role.USED, 1.0, (mention,)))
        links[field].append(name)
        text += name
        at = match.end()
    text += marked[at:]
    claim = Claim(
        start=0,
        end=len(text),
        text=text,
        kind=ClaimKind.THEORY if "O(" in text or "Omega" in text else ClaimKind.PERFORMANCE,
        confidence=1.0,
        about=tuple(links["about"]),
        compared_to=tuple(links["compared_to"]),
        on=tuple(links["on"]),
        metrics=tuple(links["metrics"]),
    )
    layout = lay_out(text, [(0, len(text))], tuple(entities))
    return Case(layout, claim, tuple(_expected(line) for line in lines))


def _expected(line: str) -> Expected:
    raw, _, told = line.rpartition(" = ")
    value, unit, change, direction, *rest = told.split(" ")
    fields: dict[str, list[str]] = {}
    field = ""
    for word in rest:
        if re.match(r"(?:of|on|by|against|from):", word):
            field, _, word = word.partition(":")
        elif word == "relative":
            field = "relative"
        fields.setdefault(field, []).append(word)
    start = fields.get("from")
    return Expected(
        raw=raw,
        value=None if value == "-" else float(value),
        unit="" if unit == "-" else unit,
        change=change,
        direction=direction,
        value_from=float(start[0]) if start else None,
        relative="relative" in fields,
        links=tuple(
            (name, " ".join(fields.get(name, []))) for name in ("of", "on", "by", "against")
        ),
    )
