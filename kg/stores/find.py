"""From a name as people type it to the ids that a graph holds for it."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from kg.errors import NotFoundError
from kg.model.identity import fold
from kg.model.lookup import IDENTIFIERS, identifier_forms, shown_property
from kg.model.schema import ENTITY_LABELS, NodeLabel
from kg.stores.protocol import Store
from kg.stores.queries import CannedQuery


def find(store: Store, name: str, labels: Iterable[str]) -> list[str]:
    """Return the ids of the nodes that a name or id means, the best matches only.

    In order: an id; an id that a node had before; a paper's identifier; the name as written; the
    name but for case, accents and punctuation; any surface form, or words out of a title. The
    first of these that finds anything decides.
    """
    wanted = [NodeLabel(label) for label in labels]
    for look in (_by_id, _by_earlier_id, _by_identifier, _by_name, _by_fold, _by_fold_of_all):
        found = [id_ for label in wanted for id_ in look(store, name, label)]
        if found:
            return list(dict.fromkeys(found))
    raise NotFoundError(
        f"no {' or '.join(label.value.lower() for label in wanted)} is called {name!r}",
        _suggestion(store, name, wanted),
    )


def resolved(store: Store, query: CannedQuery, given: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of a canned query's parameters, names turned into ids."""
    values = query.values(given)
    for parameter in query.parameters:
        if parameter.labels:
            values[parameter.name] = find(store, values[parameter.name], parameter.labels)
    return values


def _ids(store: Store, cypher: str, parameters: Mapping[str, Any]) -> list[str]:
    return [row[0] for row in store.rows(cypher, parameters).rows]


def _by_id(store: Store, name: str, label: NodeLabel) -> list[str]:
    return _ids(store, f"MATCH (n:{label} {{id: $name}}) RETURN n.id", {"name": name})


def _by_earlier_id(store: Store, name: str, label: NodeLabel) -> list[str]:
    if label is not NodeLabel.PAPER and label not in ENTITY_LABELS:
        return []
    return _ids(
        store,
        f"MATCH (n:{label}) WHERE $name IN n.aliases RETURN n.id ORDER BY n.id",
        {"name": name},
    )


def _by_name(store: Store, name: str, label: NodeLabel) -> list[str]:
    return _ids(
        store,
        f"MATCH (n:{label}) WHERE n.{shown_property(label)} = $name RETURN n.id ORDER BY n.id",
        {"name": name},
    )


def _by_identifier(store: Store, name: str, label: NodeLabel) -> list[str]:
    if label is not NodeLabel.PAPER:
        return []
    condition = " OR ".join(f"n.{identifier} IN $values" for identifier in IDENTIFIERS)
    return _ids(
        store,
        f"MATCH (n:Paper) WHERE {condition} RETURN n.id ORDER BY n.id",
        {"values": list(identifier_forms(name))},
    )


def _by_fold(store: Store, name: str, label: NodeLabel) -> list[str]:
    wanted = fold(name).split()
    parts = [part for part in re.findall(r"[a-z0-9]+", name.lower()) if part in wanted]
    return _matching(store, name, label, max(parts, key=len, default=""))


def _by_fold_of_all(store: Store, name: str, label: NodeLabel) -> list[str]:
    # Only this finds Schrödinger by schrodinger, at the price of folding every name.
    return _matching(store, name, label, "")


def _matching(store: Store, name: str, label: NodeLabel, part: str) -> list[str]:
    wanted = fold(name)
    if not wanted:
        return []
    shown = shown_property(label)
    has_surfaces = label in ENTITY_LABELS
    extra = ", n.surfaces" if has_surfaces else ""
    where = f"WHERE {_containing(shown, has_surfaces)} " if part else ""
    rows = store.rows(
        f"MATCH (n:{label}) {where}RETURN n.id, n.{shown}{extra} ORDER BY n.id", {"part": part}
    ).rows
    if has_surfaces:
        return _entities(rows, wanted)
    exact = [row[0] for row in rows if fold(row[1] or "") == wanted]
    within = [row[0] for row in rows if f" {wanted} " in f" {fold(row[1] or '')} "]
    return exact or within


def _containing(shown: str, has_surfaces: bool) -> str:
    condition = f"toLower(n.{shown}) CONTAINS $part"
    if has_surfaces:
        condition += " OR any(s IN n.surfaces WHERE toLower(s) CONTAINS $part)"
    return condition


def _entities(rows: Iterable[tuple[Any, ...]], wanted: str) -> list[str]:
    by_name, by_surface = [], []
    for id_, shown, surfaces in rows:
        if fold(shown or "") == wanted:
            by_name.append(id_)
        elif any(fold(surface) == wanted for surface in surfaces or ()):
            by_surface.append(id_)
    return by_name or by_surface


def _suggestion(store: Store, name: str, labels: Iterable[NodeLabel]) -> str:
    from rapidfuzz import fuzz, process

    names: dict[str, None] = {}
    for label in labels:
        cypher = f"MATCH (n:{label}) WHERE n.{shown_property(label)} IS NOT NULL RETURN n.{shown_property(label)}"
        names.update(dict.fromkeys(_ids(store, cypher, {})))
    near = process.extract(
        name, list(names), scorer=fuzz.WRatio, processor=fold, limit=3, score_cutoff=70
    )
    if near:
        return "Nearest: " + ", ".join(repr(match) for match, _, _ in near) + "."
    return "`kg info GRAPH` shows what the graph holds."
