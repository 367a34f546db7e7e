"""Relations between the entities of an abstract, within and across its sentences."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from kg.model.extraction import Relation, RelationType
from kg.nlp.encoder_heads import relation_scores
from kg.nlp.hedges import denies_victory
from kg.nlp.kept import Kept, Together
from kg.nlp.layout import Layout, Place, Span
from kg.nlp.layout_of import layout_of
from kg.nlp.linear import Linear, parted, softmax
from kg.nlp.pair_features import (
    JOINED,
    JOINS,
    Nearest,
    Pairs,
    closest,
    nearest,
    outlines,
    pair_features,
    pairs,
)
from kg.nlp.scores import ROLES, Floats, Ints
from kg.nlp.trees import Trees, judged_by

RELATIONS: Final = tuple(JOINS)
CLASSES: Final = ("NONE", *RELATIONS)
_FAR: Final = 30  # sentences, more than an abstract has
_FLOOR: Final = -9.0  # of a log-probability


# Which of RELATIONS may join each pair of types.
_FITTING: Final = {
    joint: tuple(joint in joins for joins in JOINS.values()) for joint in sorted(JOINED)
}


class Candidate(NamedTuple):
    """A possible relation; indices into the entities and RELATIONS."""

    head: int
    tail: int
    type: int


class RelationModel:
    """The probability of every relation that two entities of a text may have."""

    FILES = (
        *(f"relations.{name}" for name in Linear.FILES),
        "relations.onnx",
        "relations.json",
    )

    def __init__(
        self,
        words: Linear,
        trees: Trees,
        outlines: frozenset[str],
        thresholds: dict[str, float],
    ) -> None:
        """Take the model of single pairs, that of all of a text, and what is worth a look.

        Args:
            words: scores of CLASSES for a pair.
            trees: probability of a candidate.
            outlines: of the pairs that are looked at.
            thresholds: least probability of each relation.
        """
        self.words = words
        self.trees = trees
        self.outlines = outlines
        self.thresholds = thresholds

    def __call__(
        self, texts: Sequence[Pairs], judged: Sequence[Floats | None]
    ) -> list[list[tuple[Candidate, float]]]:
        """Return every candidate of each text with its probability.

        Args:
            texts: what ``pairs`` returns of each; none is without pairs.
            judged: (e, e, 6), what an encoder says, if the model was trained with one.
        """
        scores = parted(self.words(pair_features(texts)), [len(text.chosen) for text in texts])
        found = [
            candidate_rows(*text, own, theirs)
            for text, own, theirs in zip(texts, scores, judged, strict=True)
        ]
        return judged_by(self.trees, found)

    def pairs(self, layout: Layout) -> Pairs:
        """Return a text with the pairs that are worth a look."""
        roles = [entity.role.value for entity in layout.entities]
        chosen = self._look_at(layout, roles)
        return Pairs(layout, chosen, closest(layout, chosen), roles)

    def _look_at(self, layout: Layout, roles: Sequence[str]) -> list[tuple[int, int]]:
        """Return the pairs that are worth a look: others hardly ever have a relation."""
        every = pairs(layout)
        if len(layout.sentences) > _FAR:
            every = [pair for pair in every if _near(layout, *pair)]
        seen = outlines(layout, every, roles)
        return [pair for pair, one in zip(every, seen, strict=True) if one in self.outlines]

    def save(self, folder: Path, trees: bytes) -> None:
        """Write FILES."""
        self.words.save(folder, "relations.")
        (folder / "relations.onnx").write_bytes(trees)
        settings = {
            "outlines": sorted(self.outlines),
            "thresholds": {k: round(v, 4) for k, v in sorted(self.thresholds.items())},
        }
        (folder / "relations.json").write_text(json.dumps(settings, indent=0) + "\n", "utf-8")

    @classmethod
    def load(cls, folder: Path) -> "RelationModel":
        """Read what ``save`` wrote."""
        settings = json.loads((folder / "relations.json").read_text("utf-8"))
        return cls(
            Linear.load(folder, "relations."),
            Trees.load(folder / "relations.onnx"),
            frozenset(settings["outlines"]),
            settings["thresholds"],
        )


def _near(layout: Layout, head: int, tail: int) -> bool:
    """Say whether two entities are mentioned within _FAR sentences: texts may be very long."""
    one, other = layout.of_entity[head], layout.of_entity[tail]
    return bool(one and other) and (
        one[0].sentence - other[-1].sentence <= _FAR
        and other[0].sentence - one[-1].sentence <= _FAR
    )


def candidate_rows(
    layout: Layout,
    chosen: Sequence[tuple[int, int]],
    near: Sequence[Nearest | None],
    roles: Sequence[str],
    scores: Floats,
    judged: Floats | None,
) -> tuple[list[Candidate], Floats]:
    """Return the candidates of a text and the numbers that the trees see of each.

    Args:
        layout: the text.
        chosen: heads and tails.
        near: the closest mentions of each.
        roles: of each entity.
        scores: (p, 7) of CLASSES for each chosen pair.
        judged: (e, e, 6), what an encoder says, or None.
    """
    count = len(layout.entities)
    logs = np.maximum(np.log(softmax(scores) + 1e-9), _FLOOR)
    grid = np.full((count, count, len(CLASSES)), _FLOOR, np.float32)
    heads = np.array([head for head, _ in chosen])
    tails = np.array([tail for _, tail in chosen])
    grid[heads, tails] = logs
    theirs = None
    if judged is not None:
        theirs = np.log(np.clip(judged, 1e-4, 1 - 1e-4) / (1 - np.clip(judged, 1e-4, 1 - 1e-4)))
    entity = _entity_numbers(layout, roles)
    distances = np.array([_distance(one) for one in near], np.float32)
    types = [entity.type.value for entity in layout.entities]
    fits = np.array([_FITTING[types[h], types[t]] for h, t in chosen]).T
    number, at = np.nonzero(fits)
    one, other = heads[at], tails[at]
    candidates = list(map(Candidate, one.tolist(), other.tolist(), number.tolist()))
    columns = [
        number,
        *_compared(grid.transpose(2, 0, 1), number + 1, one, other),
        grid[one, other, 0],
        grid[one, other, 1:].max(1),
        grid[other, one, 0],
    ]
    if theirs is not None:
        columns += _compared(theirs.transpose(2, 0, 1), number, one, other)
        columns += [theirs[one, other].max(1), theirs[other, one].max(1)]
    columns += [entity[one], entity[other], distances[at]]
    return candidates, np.column_stack(columns).astype(np.float32)


def _compared(grid: Floats, kind: Ints, one: Ints, other: Ints) -> list[Floats]:
    """A score, the other way round, and against the best of the same head and the same tail."""
    own = grid[kind, one, other]
    of_head, of_tail = grid[kind, one], grid[kind, :, other]
    return [
        own,
        grid[kind, other, one],
        own - of_head.max(1),
        own - of_tail.max(1),
        (of_head > own[:, None]).sum(1).astype(np.float32),
        (of_tail > own[:, None]).sum(1).astype(np.float32),
    ]


def _entity_numbers(layout: Layout, roles: Sequence[str]) -> Floats:
    """(e, ...): what is known of each entity by itself."""
    rows = []
    count = max(1, len(layout.sentences))
    peers = Counter(entity.type for entity in layout.entities)
    for entity, role, places in zip(layout.entities, roles, layout.of_entity, strict=True):
        rows.append(
            (
                ROLES.index(role),
                entity.confidence,
                entity.named,
                min(len(places), 8),
                peers[entity.type],
                places[0].sentence if places else -1,
                places[0].sentence / count if places else -1,
            )
        )
    return np.array(rows, np.float32)


def _distance(near: Nearest | None) -> tuple[float, float, float]:
    if near is None:
        return 9, 0, 0
    apart = near.tail.sentence - near.head.sentence
    return apart, near.tail.position - near.head.position if not apart else 0, near.shared


def find_relations(
    layout: Layout, judged: Sequence[tuple[Candidate, float]], thresholds: dict[str, float]
) -> tuple[Relation, ...]:
    """Return the relations of a text in the order of their evidence.

    A victory that the sentence denies, doubts or calls a draw is none.
    """
    found = []
    for candidate, probability in judged:
        name = RELATIONS[candidate.type]
        if probability < thresholds[name]:
            continue
        start, end = evidence(layout, candidate)
        if name == "OUTPERFORMS" and _is_denied(layout, candidate):
            continue
        found.append(
            Relation(
                head=layout.entities[candidate.head].name,
                type=RelationType(name),
                tail=layout.entities[candidate.tail].name,
                start=start,
                end=end,
                confidence=round(probability, 4),
            )
        )
    return tuple(sorted(found, key=lambda r: (r.start, r.end, r.head, r.type.value, r.tail)))


def evidence(layout: Layout, candidate: Candidate) -> Span:
    """Return the sentences from the first to the last of the closest mentions."""
    near = nearest(layout, candidate.head, candidate.tail)
    if near is None:
        return (0, 0)
    first, last = sorted((near.head.sentence, near.tail.sentence))
    return layout.sentences[first][0], layout.sentences[last][1]


def _is_denied(layout: Layout, candidate: Candidate) -> bool:
    """Whether no sentence that holds both says that the head is better."""
    together = [
        (one, other)
        for one in layout.of_entity[candidate.head]
        for other in layout.of_entity[candidate.tail]
        if one.sentence == other.sentence
    ]
    return bool(together) and all(
        denies_victory(_clauses(layout, one, other)) for one, other in together
    )


def _clauses(layout: Layout, one: Place, other: Place) -> str:
    """The clauses, parted by commas and semicolons, that hold two mentions of a sentence."""
    first, last = sorted((one, other), key=lambda place: place.start)
    low, high = layout.sentences[first.sentence]
    text = layout.text
    start = max(text.rfind(sign, low, first.start) for sign in ",;:")
    ends = [text.find(sign, last.end, high) for sign in ",;:"]
    end = min((at for at in ends if at >= 0), default=high)
    return text[max(low, start + 1) : end]


class Relations(Kept, Together):
    """Set the relations of texts."""

    FILES = RelationModel.FILES

    def __init__(self) -> None:
        self._model: RelationModel | None = None

    def load(self, folder: Path) -> None:
        """Read the model."""
        self._model = RelationModel.load(folder)

    def read_all(self, docs: Sequence[Doc]) -> None:
        """Set the relations of the texts."""
        if self._model is None:
            return
        several = [doc for doc in docs if len(doc._.kg_entities) > 1]
        every = [(doc, self._model.pairs(layout_of(doc))) for doc in several]
        read = [(doc, text) for doc, text in every if text.chosen]
        if not read:
            return
        theirs = [relation_scores(doc, text.layout) for doc, text in read]
        found = self._model([text for _, text in read], theirs)
        for (doc, text), judged in zip(read, found, strict=True):
            relations = find_relations(text.layout, judged, self._model.thresholds)
            doc._.kg_relations = relations


@Language.factory("kg_relations", assigns=["doc._.kg_relations"])
def make_relations(nlp: Language, name: str) -> Relations:  # noqa: ARG001 - spaCy passes both
    """Build the component; its weights come from its folder."""
    return Relations()
