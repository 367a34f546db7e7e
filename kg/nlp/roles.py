"""Roles: what each entity is to the paper."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from kg.model.extraction import Entity, Role
from kg.nlp.dense import Dense
from kg.nlp.grams import keep_together
from kg.nlp.kept import Kept, Together
from kg.nlp.layout import Layout
from kg.nlp.layout_of import keep_layout, layout_of
from kg.nlp.linear import Linear, parted, softmax
from kg.nlp.role_features import role_features
from kg.nlp.scores import ROLES, TYPES, Floats, TokenScores

_FLOOR: Final = -8.0  # of a log-probability


class RoleModel:
    """The probability of every role for every entity of a text."""

    FILES = (*(f"roles.{name}" for name in Linear.FILES), "roles.context.json")

    def __init__(self, words: Linear, context: Dense) -> None:
        """Take the model of single entities, and that of all of a text."""
        self.words = words
        self.context = context

    def __call__(
        self, layouts: Sequence[Layout], scores: Sequence[TokenScores | None]
    ) -> list[Floats]:
        """Return of each text (e, 6), the probabilities of ROLES of each entity.

        Args:
            layouts: the texts; each has an entity.
            scores: of an encoder, if the model was trained with one.
        """
        found = parted(self.words(role_features(layouts)), [len(one.entities) for one in layouts])
        return [
            self.context(context_features(layout, own, theirs))
            for layout, own, theirs in zip(layouts, found, scores, strict=True)
        ]

    def save(self, folder: Path) -> None:
        """Write FILES."""
        self.words.save(folder, "roles.")
        self.context.save(folder / "roles.context.json")

    @classmethod
    def load(cls, folder: Path) -> "RoleModel":
        """Read what ``save`` wrote."""
        return cls(Linear.load(folder, "roles."), Dense.load(folder / "roles.context.json"))


def context_features(layout: Layout, words: Floats, scores: TokenScores | None) -> Floats:
    """Return the numbers that the second model sees of each entity.

    Args:
        layout: the text.
        words: (e, 6), what the first model says of each entity.
        scores: of an encoder, or None.
    """
    own = np.maximum(np.log(softmax(words)), _FLOOR)
    types = np.array([TYPES.index(entity.type.value) for entity in layout.entities])
    same = types[:, None] == types[None]
    np.fill_diagonal(same, val=False)
    # The strongest rival of the same type for each role: a paper proposes few things.
    rivals = np.where(same[:, :, None], own[None], _FLOOR).max(1)
    kinds = np.eye(len(TYPES), dtype=np.float32)[types]
    named = np.array([entity.named for entity in layout.entities], np.float32)[:, None]
    parts = [own, rivals, kinds, named, kinds * named]
    if scores is not None and scores.role is not None:
        theirs = np.maximum(_of_entities(layout, scores), _FLOOR)
        rivals = np.where(same[:, :, None], theirs[None], _FLOOR).max(1)
        parts += [theirs, rivals]
    return np.hstack(parts).astype(np.float32)


def _of_entities(layout: Layout, scores: TokenScores) -> Floats:
    """(e, 6): the logarithm of the mean probability over all words of all mentions."""
    assert scores.role is not None  # noqa: S101 - the caller looked
    starts = scores.words[:, 0]
    found = np.full((len(layout.entities), len(ROLES)), -np.log(len(ROLES)), np.float32)
    for index, places in enumerate(layout.of_entity):
        rows = [
            scores.role[np.searchsorted(starts, p.start) : np.searchsorted(starts, p.end)]
            for p in places
        ]
        if rows and sum(map(len, rows)):
            found[index] = np.log(np.exp(np.vstack(rows)).mean(0) + 1e-6)
    return found


def with_roles(entities: tuple[Entity, ...], probabilities: Floats) -> tuple[Entity, ...]:
    """Return the entities with their most probable roles."""
    return tuple(
        replace(
            entity,
            role=Role(ROLES[int(row.argmax())]),
            role_confidence=round(float(row.max()), 4),
        )
        for entity, row in zip(entities, probabilities, strict=True)
    )


class Roles(Kept, Together):
    """Set the roles of the entities of texts."""

    FILES = RoleModel.FILES

    def __init__(self) -> None:
        self._model: RoleModel | None = None

    def load(self, folder: Path) -> None:
        """Read the model."""
        self._model = RoleModel.load(folder)

    def read_all(self, docs: Sequence[Doc]) -> None:
        """Set the roles."""
        if self._model is None:
            return
        # Those without entities too, for the components that come next.
        keep_together([layout_of(doc).signs for doc in docs])
        named = [doc for doc in docs if doc._.kg_entities]
        if not named:
            return
        layouts = [layout_of(doc) for doc in named]
        found = self._model(layouts, [doc._.kg_scores for doc in named])
        for doc, layout, rows in zip(named, layouts, found, strict=True):
            doc._.kg_entities = with_roles(doc._.kg_entities, rows)
            keep_layout(doc, layout)


@Language.factory("kg_roles", assigns=["doc._.kg_entities"])
def make_roles(nlp: Language, name: str) -> Roles:  # noqa: ARG001 - spaCy passes both
    """Build the component; its weights come from its folder."""
    return Roles()
