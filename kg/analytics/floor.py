"""What a list of names alone would find: the floor that any model has to rise above."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from kg.analytics.scoring import Row, folded
from kg.nlp.name_matcher import NameMatcher


class Floor:
    """Every name of annotated abstracts, as what it most often is there."""

    def __init__(self, train: Iterable[Row]) -> None:
        """Take annotated abstracts."""
        seen: dict[str, Counter[tuple[str, bool, str]]] = defaultdict(Counter)
        written: dict[str, str] = {}
        for row in train:
            for entity in row.get("entities") or ():
                told = (entity["type"].lower(), bool(entity.get("named")), entity.get("role") or "")
                for form in entity.get("surfaces") or [entity["name"]]:
                    seen[folded(form)][told] += 1
                    written.setdefault(folded(form), form)
        forms = sorted(seen)
        # The most frequent type first, then what names of this type most often are.
        self._told = [_usual(seen[form]) for form in forms]
        self._matcher = NameMatcher((at, written[form]) for at, form in enumerate(forms))

    def read(self, text: str) -> dict[str, Any]:
        """Return the entities of a text, as `kg extract` would write them."""
        found: dict[tuple[str, str, bool, str], list[str]] = {}
        for match in self._matcher.matches(text):
            surface = text[match.start : match.end]
            kind, named, role = self._told[match.things[0]]
            found.setdefault((folded(surface), kind, named, role), []).append(surface)
        return {
            "entities": [
                {"name": forms[0], "surfaces": list(dict.fromkeys(forms)), "type": kind,
                 "named": named, "role": role}
                for (_, kind, named, role), forms in found.items()
            ]
        }  # fmt: skip


def floor(gold: Mapping[str, Row], train: Iterable[Row]) -> dict[str, dict[str, Any]]:
    """Return what the names of `train` alone find in the texts of `gold`, by id."""
    known = Floor(train)
    return {key: known.read(row["text"]) for key, row in gold.items()}


def _usual(told: Counter[tuple[str, bool, str]]) -> tuple[str, bool, str]:
    types: Counter[str] = Counter()
    for (kind, _, _), count in told.items():
        types[kind] += count
    best = min(types, key=lambda kind: (-types[kind], kind))
    return min((one for one in told if one[0] == best), key=lambda one: (-told[one], one))
