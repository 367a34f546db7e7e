"""Mentions to entities: which surface forms, over the whole corpus, name one thing."""

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from kg.model.decision import Decision, DecisionKind, in_force
from kg.model.known_name import KnownName
from kg.resolve.aliases import Known, shipped
from kg.resolve.assigning import assign_rows
from kg.resolve.columns import MERGES
from kg.resolve.corpus import Corpus, read_corpus
from kg.resolve.describing import ENTITIES, describe
from kg.resolve.forms import read_rows
from kg.resolve.joining import (
    join_decided,
    join_heads,
    join_in_text,
    join_names,
    join_one_sense,
    join_parts,
)
from kg.resolve.retyping import retype_decided, retype_named, yield_rare
from kg.resolve.variants import join_variants

__all__ = ["ENTITIES", "MENTIONS", "MERGES", "Resolution", "Unapplied", "resolve_entities"]

MENTIONS = pa.schema(
    [
        pa.field("paper", pa.string(), False),
        pa.field("local", pa.int32(), False),
        pa.field("label", pa.string(), False),
        pa.field("surface", pa.string(), False),
        pa.field("named", pa.bool_(), False),
        pa.field("count", pa.int32(), False),
    ]
)


@dataclass(frozen=True, slots=True)
class Unapplied:
    """A decision that finds nothing to do in this corpus, and why."""

    decision: Decision
    why: str


@dataclass(frozen=True, slots=True)
class Resolution:
    """Which entity each mention row names, the entities, and why.

    `assignment` has one entity id per input row, dictionary-encoded. The label of a row's
    entity is the entity's, which may differ from the row's own. `entities` has the columns of
    the schema's entity tables, with `label` and `confidence` beside them, sorted by id.
    `merges` has one row for each form that is not the name shown, and for each sense of an
    abbreviation that has several.
    """

    assignment: pa.DictionaryArray
    entities: pa.Table
    merges: pa.Table
    unapplied: tuple[Unapplied, ...] = ()


def resolve_entities(
    mentions: pa.Table,
    decisions: Sequence[Decision] = (),
    names: Sequence[KnownName] = (),
    *,
    known: Known | None = None,
) -> Resolution:
    """Group mention rows into entities; a pure function of the set of rows.

    Args:
        mentions: columns of MENTIONS, one row per paper, local entity and surface form; rows of
            one paper with one `local` are one thing by that text's own word.
        decisions: the user's, in any order.
        names: the user's own names, which win over everything but decisions.
        known: names and abbreviations known beforehand; what ships with kg by default.

    Raises:
        DecisionError: a decision cannot be taken, or two contradict each other.
        ValueError: a row has a label that is none of an entity.
    """
    known = shipped() if known is None else known
    holding = [decision for decision in in_force(decisions) if not decision.about_papers]
    rows, forms = read_rows(mentions)
    corpus = read_corpus(rows, forms, holding, names, known)
    join_decided(corpus, holding)
    join_names(corpus)
    retype_named(corpus)
    join_variants(corpus, known)
    join_heads(corpus)
    join_in_text(corpus, known)
    join_parts(corpus, known)
    join_one_sense(corpus, known)
    yield_rare(corpus)
    retype_decided(corpus, holding)
    unapplied = _apply_names(corpus, holding)
    assigned = assign_rows(corpus)
    tables = describe(corpus, assigned)
    return Resolution(tables.assignment, tables.entities, tables.merges, unapplied)


def _apply_names(corpus: Corpus, decisions: Sequence[Decision]) -> tuple[Unapplied, ...]:
    """Note the names that the user gave; report the decisions that find nothing."""
    unapplied = []
    for decision in decisions:
        missing = [form for form in decision.forms if corpus.finder.find(form) is None]
        if missing:
            names = " and ".join(str(form) for form in missing)
            unapplied.append(Unapplied(decision, f"no paper of the graph names {names}"))
        elif decision.kind is DecisionKind.RENAME and decision.first is not None:
            node = corpus.finder.find(decision.first)
            if node is not None:
                corpus.shown[node] = decision.to
    return tuple(unapplied)
