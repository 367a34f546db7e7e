"""From a name as people type it to the nodes that a graph holds for it, out of the tables."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from rapidfuzz import fuzz, process

from kg.errors import NotFoundError
from kg.graph.changes import Snapshot
from kg.graph.part import columns
from kg.model.identity import fold
from kg.model.lookup import IDENTIFIERS, identifier_forms, shown_property
from kg.model.schema import ENTITY_LABELS, NodeLabel
from kg.resolve.records import writable_text

_PEOPLE_AND_PLACES = (NodeLabel.AUTHOR, NodeLabel.VENUE)
_NEAR = 5
_NEAR_SCORE = 70.0


@dataclass(frozen=True, slots=True)
class Found:
    """A node that a name means, and how it was found."""

    label: NodeLabel
    id: str
    name: str
    by: str  # id, earlier id, identifier, name, surface form or title


def find_nodes(snapshot: Snapshot, name: str) -> tuple[Found, ...]:
    """Return the papers, entities, authors and venues that a name or id means.

    In order: an id; an id that a node had before; a paper's identifier; the name as written; the
    name but for case, accents and punctuation; a surface form, as written or but for these. The
    first that finds anything decides.

    Raises:
        NotFoundError: nothing does; names the nearest.
    """
    name = writable_text(name)  # a shell may hand over bytes that are no UTF-8
    held = [_Column.of(snapshot, label) for label in _labels()]
    looks = (
        _by_id,
        _by_alias,
        _by_identifier,
        _by_name,
        _by_folded_name,
        _by_surface,
        _by_folded_surface,
    )
    for look in looks:
        found = tuple(node for column in held for node in look(column, name))
        if found:
            return found
    raise NotFoundError(f"nothing in the graph is called '{name}'", _nearest(held, name))


def find_papers(snapshot: Snapshot, name: str) -> tuple[tuple[str, str], ...]:
    """Return id and title of the papers that an id, identifier or title means.

    Raises:
        NotFoundError: no paper does.
    """
    name = writable_text(name)
    column = _Column.of(snapshot, NodeLabel.PAPER)
    for look in (_by_id, _by_alias, _by_identifier, _by_name, _by_folded_name):
        found = tuple((node.id, node.name) for node in look(column, name))
        if found:
            return found
    raise NotFoundError(f"no paper is called '{name}'", _nearest([column], name))


def _labels() -> tuple[NodeLabel, ...]:
    return (NodeLabel.PAPER, *ENTITY_LABELS, *_PEOPLE_AND_PLACES)


@dataclass(frozen=True, slots=True)
class _Column:
    """What the nodes of a label are called."""

    label: NodeLabel
    rows: pa.Table  # id, name, and what else there is of aliases, surfaces and identifiers

    @classmethod
    def of(cls, snapshot: Snapshot, label: NodeLabel) -> "_Column":
        wanted = ["id", shown_property(label)]
        if label is NodeLabel.PAPER:
            wanted += ["aliases", *IDENTIFIERS]
        elif label in ENTITY_LABELS:
            wanted += ["aliases", "surfaces"]
        # Only these, a batch at a time: the texts of the papers are most of a graph.
        table = columns(snapshot, label.value, tuple(wanted))
        return cls(label, table.rename_columns(["id", "name", *wanted[2:]]))

    def where(self, mask: pa.Array, by: str) -> Iterator[Found]:
        for row in self.rows.filter(mask).select(["id", "name"]).to_pylist():
            yield Found(self.label, row["id"], row["name"] or row["id"], by)

    def having(self, column: str, value: str, by: str) -> Iterator[Found]:
        """Nodes whose list holds the value."""
        if column in self.rows.column_names:
            lists = self.rows[column].combine_chunks()
            at = pc.list_parent_indices(lists).filter(pc.equal(pc.list_flatten(lists), value))
            rows = pa.array(sorted(set(at.to_pylist())), pa.int64())
            for row in self.rows.take(rows).select(["id", "name"]).to_pylist():
                yield Found(self.label, row["id"], row["name"] or row["id"], by)


def _by_id(column: _Column, name: str) -> Iterable[Found]:
    return column.where(pc.equal(column.rows["id"], name), "id")


def _by_alias(column: _Column, name: str) -> Iterable[Found]:
    return column.having("aliases", name, "earlier id")


def _by_identifier(column: _Column, name: str) -> Iterator[Found]:
    if column.label is not NodeLabel.PAPER:
        return
    for value in identifier_forms(name):
        for identifier in IDENTIFIERS:
            mask = pc.fill_null(pc.equal(column.rows[identifier], value), False)
            yield from column.where(mask, "identifier")


def _by_name(column: _Column, name: str) -> Iterable[Found]:
    by = "title" if column.label is NodeLabel.PAPER else "name"
    return column.where(pc.fill_null(pc.equal(column.rows["name"], name), False), by)


def _by_folded_name(column: _Column, name: str) -> Iterable[Found]:
    wanted = fold(name)
    names = column.rows["name"].to_pylist()
    mask = pa.array([bool(wanted) and fold(each or "") == wanted for each in names], pa.bool_())
    return column.where(mask, "title" if column.label is NodeLabel.PAPER else "name")


def _by_surface(column: _Column, name: str) -> Iterator[Found]:
    yield from column.having("surfaces", name, "surface form")


def _by_folded_surface(column: _Column, name: str) -> Iterator[Found]:
    wanted = fold(name)
    if not wanted or "surfaces" not in column.rows.column_names:
        return
    lists = column.rows["surfaces"].to_pylist()
    mask = pa.array(
        [any(fold(each) == wanted for each in forms or ()) for forms in lists], pa.bool_()
    )
    yield from column.where(mask, "surface form")


def _nearest(columns: list[_Column], name: str) -> str:
    wanted = fold(name)
    names: dict[str, Any] = {}
    for column in columns:
        for each in column.rows["name"].to_pylist():
            if each:
                names.setdefault(each, fold(each))
    near = process.extract(wanted, names, scorer=fuzz.WRatio, limit=_NEAR, score_cutoff=_NEAR_SCORE)
    if not near:
        return "See kg info for what the graph holds."
    return "Near it are: " + "; ".join(f"'{key}'" for _, _, key in near) + "."
