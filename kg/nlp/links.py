"""Links of claims: what each is about, compares with, was measured on, and by what."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from kg.model.extraction import Claim
from kg.nlp.encoder_heads import link_scores
from kg.nlp.kept import Kept, Together
from kg.nlp.layout import Layout, part
from kg.nlp.layout_of import layout_of
from kg.nlp.linear import Linear, parted, softmax
from kg.nlp.link_features import FITS, Linked, Made, link_features
from kg.nlp.scores import KINDS, ROLES, TYPES, Floats, Ints
from kg.nlp.trees import Trees, judged_by

FIELDS: Final = tuple(FITS)  # about, compared_to, on, metrics
CLASSES: Final = ("NONE", *FIELDS)
_FAR: Final = 20  # sentences, of an entity that stands nowhere near
_LONG: Final = 60  # sentences, more than an abstract has
_WINDOW: Final = 20  # sentences of a long text whose claims are read at a time, and on each side
_FLOOR: Final = -9.0  # of a log-probability


class Candidate(NamedTuple):
    """A possible link; indices into the claims, the entities and FIELDS."""

    claim: int
    entity: int
    field: int


class LinkModel:
    """The probability of every link of the claims of a text."""

    FILES = (*(f"links.{name}" for name in Linear.FILES), "links.onnx", "links.json")

    def __init__(self, words: Linear, trees: Trees, thresholds: dict[str, float]) -> None:
        """Take the model of single pairs, that of all of a claim, and least probabilities."""
        self.words = words
        self.trees = trees
        self.thresholds = thresholds

    def __call__(
        self, texts: Sequence[Linked], judged: Sequence[Floats | None]
    ) -> list[list[tuple[Candidate, float]]]:
        """Return every candidate of each text with its probability.

        Args:
            texts: each has a claim and an entity.
            judged: (c, e, 4), what an encoder says, if the model was trained with one.
        """
        sizes = [len(text.claims) * len(text.roles) for text in texts]
        scores = parted(self.words(link_features(texts)), sizes)
        found = [
            candidate_rows(*text, own, theirs)
            for text, own, theirs in zip(texts, scores, judged, strict=True)
        ]
        return judged_by(self.trees, found)

    def save(self, folder: Path, trees: bytes) -> None:
        """Write FILES."""
        self.words.save(folder, "links.")
        (folder / "links.onnx").write_bytes(trees)
        settings = {"thresholds": {k: round(v, 4) for k, v in sorted(self.thresholds.items())}}
        (folder / "links.json").write_text(json.dumps(settings) + "\n", "utf-8")

    @classmethod
    def load(cls, folder: Path) -> "LinkModel":
        """Read what ``save`` wrote."""
        settings = json.loads((folder / "links.json").read_text("utf-8"))
        return cls(
            Linear.load(folder, "links."), Trees.load(folder / "links.onnx"), settings["thresholds"]
        )


def candidate_rows(
    layout: Layout,
    claims: Sequence[Made],
    roles: Sequence[str],
    scores: Floats,
    judged: Floats | None,
) -> tuple[list[Candidate], Floats]:
    """Return the candidates of a text and the numbers that the trees see of each.

    Args:
        layout: the text.
        claims: its claims.
        roles: of each entity.
        scores: (c * e, 5) of CLASSES for each claim and entity.
        judged: (c, e, 4), what an encoder says, or None.
    """
    count = len(layout.entities)
    logs = np.maximum(np.log(softmax(scores) + 1e-9), _FLOOR).reshape(len(claims), count, -1)
    types = np.array([TYPES.index(entity.type.value) for entity in layout.entities])
    entity = _entity_numbers(layout, roles)
    kinds = np.array([KINDS.index(claim.kind) for claim in claims], np.float32)
    inside = np.zeros((len(claims), count), np.float32)
    back = np.full((len(claims), count), _FAR, np.float32)
    for row, claim in enumerate(claims):
        nearest: dict[int, int] = {}
        within: dict[int, int] = {}
        for place in layout.places:
            away = claim.sentence - place.sentence
            if not away:
                within[place.entity] = within.get(place.entity, 0) + 1
            if abs(away) < abs(nearest.get(place.entity, _FAR)):
                nearest[place.entity] = away
        inside[row, list(within)] = list(within.values())
        back[row, list(nearest)] = list(nearest.values())
    if judged is not None:
        clipped = np.clip(judged, 1e-4, 1 - 1e-4)
        judged = np.log(clipped / (1 - clipped))
    candidates: list[Candidate] = []
    parts: list[Floats] = []
    for field, fits in enumerate(FITS.values()):
        chosen = np.flatnonzero([TYPES[t] in fits for t in types])
        if not len(chosen):
            continue
        candidates += [
            Candidate(row, index, field) for row in range(len(claims)) for index in chosen.tolist()
        ]
        mine = logs[:, chosen]
        columns = [
            np.full(inside[:, chosen].shape, field),
            *_compared(mine[:, :, field + 1]),
            mine[:, :, 0],
            mine[:, :, 1:].max(2),
            _across(kinds, chosen),
            _across(inside.sum(1), chosen),
            _across(inside[:, chosen].sum(1), chosen),
            inside[:, chosen],
            back[:, chosen],
            np.tile(mine[:, :, field + 1].max(0), (len(claims), 1)),
        ]
        if judged is not None:
            theirs = judged[:, chosen]
            columns += [*_compared(theirs[:, :, field]), theirs.max(2)]
            columns.append(np.tile(theirs[:, :, field].max(0), (len(claims), 1)))
        flat = [column.reshape(-1) for column in columns]
        parts.append(np.column_stack((*flat, np.tile(entity[chosen], (len(claims), 1)))))
    return candidates, np.vstack(parts).astype(np.float32)


def _across(numbers: Floats, chosen: Ints) -> Floats:
    """A number of each claim for each of the chosen entities."""
    return np.repeat(numbers[:, None], len(chosen), 1)


def _compared(scores: Floats) -> list[Floats]:
    """Of each claim: a score, how far it is from the best of the field, how many are better."""
    better = (scores[:, None] > scores[:, :, None]).sum(2).astype(np.float32)
    return [scores, scores - scores.max(1, keepdims=True), better]


def _entity_numbers(layout: Layout, roles: Sequence[str]) -> Floats:
    """(e, ...): what is known of each entity by itself."""
    kinds = Counter(entity.type for entity in layout.entities)
    ranks = Counter(roles)
    rows = [
        (
            ROLES.index(role),
            TYPES.index(entity.type.value),
            entity.confidence,
            entity.named,
            min(len(places), 8),
            kinds[entity.type],
            ranks[role],
        )
        for entity, role, places in zip(layout.entities, roles, layout.of_entity, strict=True)
    ]
    return np.array(rows, np.float32)


def link(
    claims: Sequence[Claim],
    layout: Layout,
    judged: Sequence[tuple[Candidate, float]],
    thresholds: dict[str, float],
) -> tuple[Claim, ...]:
    """Return the claims with their links, each field in the order of the entities.

    An entity that fits two fields of a claim takes the one that it passes by the wider margin.
    """
    best: dict[tuple[int, int], tuple[float, int]] = {}
    for candidate, probability in judged:
        margin = probability - thresholds[FIELDS[candidate.field]]
        key = (candidate.claim, candidate.entity)
        if margin >= 0 and margin > best.get(key, (-1.0, 0))[0]:
            best[key] = (margin, candidate.field)
    fields: list[dict[str, list[str]]] = [{name: [] for name in FIELDS} for _ in claims]
    for (claim, entity), (_, field) in sorted(best.items()):
        fields[claim][FIELDS[field]].append(layout.entities[entity].name)
    return tuple(
        replace(
            claim,
            about=tuple(own["about"]),
            compared_to=tuple(own["compared_to"]),
            on=tuple(own["on"]),
            metrics=tuple(own["metrics"]),
        )
        for claim, own in zip(claims, fields, strict=True)
    )


class Links(Kept, Together):
    """Set the links of the claims of texts."""

    FILES = LinkModel.FILES

    def __init__(self) -> None:
        self._model: LinkModel | None = None

    def load(self, folder: Path) -> None:
        """Read the model."""
        self._model = LinkModel.load(folder)

    def read_all(self, docs: Sequence[Doc]) -> None:
        """Set the links."""
        if self._model is None:
            return
        read = [doc for doc in docs if doc._.kg_claims and doc._.kg_entities]
        parts = [(doc, *one) for doc in read for one in windows(layout_of(doc), doc._.kg_claims)]
        linked = iter(self._linked([one for one in parts if one[1].entities], self._model))
        found: dict[int, list[Claim]] = {id(doc): [] for doc in read}
        for doc, layout, claims in parts:
            found[id(doc)] += next(linked) if layout.entities else claims
        for doc in read:
            doc._.kg_claims = tuple(found[id(doc)])

    def _linked(
        self, parts: Sequence[tuple[Doc, Layout, Sequence[Claim]]], model: LinkModel
    ) -> list[tuple[Claim, ...]]:
        if not parts:
            return []
        texts, theirs = [], []
        for doc, layout, claims in parts:
            made = claims_made(layout, claims)
            texts.append(Linked(layout, made, [entity.role.value for entity in layout.entities]))
            theirs.append(link_scores(doc, layout, [claim.sentence for claim in made]))
        return [
            link(claims, layout, judged, model.thresholds)
            for (_, layout, claims), judged in zip(parts, model(texts, theirs), strict=True)
        ]


def windows(layout: Layout, claims: Sequence[Claim]) -> list[tuple[Layout, Sequence[Claim]]]:
    """Return the parts of a text in which its claims find what they link to.

    That is the whole text, unless it is long: claims times entities would grow with its square.
    """
    count = len(layout.sentences)
    if count <= _LONG:
        return [(layout, claims)]
    found: list[tuple[Layout, Sequence[Claim]]] = []
    for first in range(0, count, _WINDOW):
        start, last = layout.sentences[first][0], min(first + _WINDOW, count)
        own = [claim for claim in claims if start <= claim.start < layout.sentences[last - 1][1]]
        if own:
            found.append((part(layout, max(0, first - _WINDOW), last + _WINDOW), own))
    return found


def claims_made(layout: Layout, claims: Sequence[Claim]) -> list[Made]:
    """Return the sentence and kind of each claim."""
    starts = {start: index for index, (start, _) in enumerate(layout.sentences)}
    return [Made(starts[claim.start], claim.kind.value) for claim in claims]


@Language.factory("kg_links", assigns=["doc._.kg_claims"])
def make_links(nlp: Language, name: str) -> Links:  # noqa: ARG001 - spaCy passes both
    """Build the component; its weights come from its folder."""
    return Links()
