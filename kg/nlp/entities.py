"""Make the entities of a text from its spans: group, decide what is a proper name, calibrate."""

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

import kg.nlp.document  # noqa: F401 - registers the names under doc._
from kg.model.extraction import Entity, EntityType, Mention, Role
from kg.nlp.candidates import LONGEST
from kg.nlp.folding import folded, single_spaced
from kg.nlp.grouping import Group, group_mentions, spread
from kg.nlp.kept import Kept
from kg.nlp.lexicon import EMPTY, GOLD, GOLD_NAMED, LISTS, READ, Row
from kg.nlp.sameness import Sameness
from kg.nlp.scores import ROLES, TYPES, Floats, words
from kg.nlp.trees import Trees

_MARKUP: Final = frozenset("$\\{_^@")
_MOST_CACHED: Final = 20_000  # surfaces

# What an entity is to a paper when nobody judged it, by type.
_USUAL_ROLE: Final = {
    "method": Role.USED,
    "dataset": Role.EVALUATED_ON,
    "task": Role.ADDRESSED,
    "metric": Role.USED,
}


def naming_features(text: str, group: Group, names: Mapping[str, Row]) -> list[float]:
    """Return what tells a proper name from a term, of one entity.

    Args:
        text: as read.
        group: the entity's mentions.
        names: counts of known names in the text, by folded name.
    """
    surfaces = list(dict.fromkeys(text[m.start : m.end] for m in group.mentions))
    rows = [names.get(single_spaced(folded(surface)), EMPTY) for surface in surfaces]
    gold = [sum(row[GOLD]) for row in rows]
    named = [row[GOLD_NAMED] for row in rows]
    name = group.name
    first = text[group.mentions[0].start : group.mentions[0].end].split()
    inner, capitals, small, high, hyphen, markup = zip(*map(_facts, surfaces), strict=True)
    tagged = [m.named for m in group.mentions]
    return [
        float(group.kind),
        sum(tagged) / len(tagged),
        max(tagged),
        float(sum(named)),
        float(sum(gold) - sum(named)),
        sum(named) / (sum(gold) + 1.0),
        float(max((sum(row[LISTS]) for row in rows), default=0)),
        math.log1p(max((sum(row[READ]) for row in rows), default=0)),
        float(any(inner)),
        sum(inner) / len(inner),
        float(any(capitals)),
        float(all(small)),
        float(all(high)),
        float(any(map(str.isdigit, name))),
        float(any(hyphen)),
        float(any(markup)),
        float(len(surfaces)),
        float(len(group.mentions)),
        float(group.abbreviated),
        float(len(words(name))),
        float(len(first)),
        sum(map(_title_like, first)) / max(1, len(first)),
        max(m.confidence for m in group.mentions),
        group.mentions[0].start / max(1, len(text)),
        float(name.endswith("s") and not name.isupper()),
    ]


@lru_cache(maxsize=_MOST_CACHED)
def _facts(surface: str) -> tuple[bool, ...]:
    """Return what a surface is made of."""
    return (
        any(map(str.isupper, surface[1:])),
        surface.isupper(),
        surface.islower(),
        surface[:1].isupper(),
        "-" in surface,
        not _MARKUP.isdisjoint(surface),
    )


def _title_like(word: str) -> bool:
    return word[:1].isupper() or word.lower() in ("of", "the", "for", "and", "in", "on", "to")


class Calibration:
    """A rising map from scores to probabilities, by points between which it is straight."""

    def __init__(self, points: Sequence[tuple[float, float]]) -> None:
        self._scores = [score for score, _ in points]
        self._shares = [share for _, share in points]

    def __call__(self, score: float) -> float:
        """Return the probability that something with this score is right.

        >>> Calibration([(0.0, 0.1), (1.0, 0.9)])(0.5)
        0.5
        """
        return float(np.interp(score, self._scores, self._shares)) if self._scores else score


def make_entities(
    text: str, groups: Sequence[Group], named: Sequence[float], calibrate: Calibration
) -> tuple[Entity, ...]:
    """Return the entities of a text, in the order of their first mentions.

    Args:
        text: as read.
        groups: in text order; their names differ.
        named: of each the probability that it is a proper name.
        calibrate: from the best score of a mention to the probability that the entity is right.
    """
    found = []
    for group, probability in zip(groups, named, strict=True):
        role, role_confidence = _role(group)
        seen = sorted({(m.start, m.end) for m in group.mentions})
        found.append(
            Entity(
                name=group.name,
                type=EntityType(TYPES[group.kind]),
                named=probability >= 0.5,
                role=role,
                confidence=round(calibrate(max(m.confidence for m in group.mentions)), 4),
                mentions=tuple(Mention(a, b, text[a:b]) for a, b in seen),
                role_confidence=role_confidence,
            )
        )
    return tuple(found)


def _role(group: Group) -> tuple[Role, float]:
    """Return the role that the tagger gives, else the usual one of the type."""
    rows = [mention.role for mention in group.mentions if mention.role is not None]
    if not rows:
        return _USUAL_ROLE[TYPES[group.kind]], 0.5
    mean = np.exp(np.array(rows, np.float64).mean(0))
    mean /= mean.sum()
    best = int(mean.argmax())
    return Role(ROLES[best]), round(float(mean[best]), 4)


class Entities(Kept):
    """Set the entities of a text."""

    FILES = ("named.onnx", "same.onnx", "entities.json")

    def __init__(self) -> None:
        self._named: Trees | None = None
        self._same: Sameness | None = None
        self._calibrate = Calibration(())

    def load(self, folder: Path) -> None:
        """Read the trees and the calibration."""
        self._named = Trees.load(folder / "named.onnx")
        settings: dict[str, Any] = json.loads((folder / "entities.json").read_text("utf-8"))
        self._calibrate = Calibration([(x, y) for x, y in settings["calibration"]])
        self._same = Sameness(Trees.load(folder / "same.onnx"), settings["same"])

    def __call__(self, doc: Doc) -> Doc:
        """Set the entities of the text."""
        spans = doc._.kg_spans
        if not spans or self._named is None or self._same is None:
            return doc
        text = doc._.kg_text
        whole = spread(text, words(text), spans, LONGEST)
        groups = self._same(
            text, group_mentions(text, whole, doc._.kg_abbreviations), doc._.kg_abbreviations
        )
        names = {name: row for _, _, name, row in doc._.kg_names}
        rows: Floats = np.array([naming_features(text, g, names) for g in groups], np.float32)
        named = self._named(rows).tolist()
        doc._.kg_entities = make_entities(text, groups, named, self._calibrate)
        return doc


@Language.factory("kg_entities", assigns=["doc._.kg_entities"])
def make_entity_maker(nlp: Language, name: str) -> Entities:  # noqa: ARG001 - spaCy passes both
    """Build the component; its trees come from its folder."""
    return Entities()
