"""Entities and merges as tables, with the reason for each surface form."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg.model.identity import entity_id
from kg.model.schema import NodeLabel
from kg.resolve.columns import Merges, Strings
from kg.resolve.corpus import Corpus
from kg.resolve.explain import SHOWN, because, by_capitals, by_company, likeness, split_reason
from kg.resolve.forms import LABELS, Ints, Numbers
from kg.resolve.naming import Naming
from kg.resolve.partition import Edge
from kg.resolve.senses import Sense

_NODE_LABELS = tuple(NodeLabel(label) for label in LABELS)

ENTITIES = pa.schema(
    [
        pa.field("id", pa.string(), False),
        pa.field("label", pa.string(), False),
        pa.field("name", pa.string()),
        pa.field("named", pa.bool_()),
        pa.field("surfaces", pa.list_(pa.string())),
        pa.field("surface_counts", pa.list_(pa.int64())),
        pa.field("reasons", pa.list_(pa.string())),
        pa.field("papers", pa.int64()),
        pa.field("mentions", pa.int64()),
        pa.field("aliases", pa.list_(pa.string())),
        pa.field("confidence", pa.float64()),
    ]
)


@dataclass(frozen=True, slots=True)
class Tables:
    """The entities by id, the merges, and the id of each row's entity."""

    assignment: pa.DictionaryArray
    entities: pa.Table
    merges: pa.Table


def describe(corpus: Corpus, assigned: Ints) -> Tables:
    """Return the tables of a finished partition; `assigned` is the root of each row's entity."""
    forms, nodes = corpus.forms, corpus.nodes
    roots, entity = np.unique(assigned, return_inverse=True)
    found = _written(corpus, entity, len(roots))
    form, starts = found.form, found.starts
    named = 2 * np.bincount(entity, weights=corpus.rows.named) >= np.bincount(entity)

    judged = _judged(corpus, entity)
    naming = Naming(corpus)
    merges = Merges()
    reasons = [SHOWN] * len(form)
    ids, names = Strings(), Strings()
    labels: list[int] = []
    aliases: list[tuple[str, ...]] = []
    confidence: list[float] = []
    for index, root in enumerate(roots.tolist()):
        span = slice(int(starts[index]), int(starts[index + 1]))
        if span.stop - span.start == 1 and naming.is_plain(root):
            # Nearly all entities of a large corpus: one form, in one paper.
            labels.append(nodes.label[root])
            ids.append(entity_id(_NODE_LABELS[nodes.label[root]], nodes.keys(root)[0]))
            names.append(str(forms.surface[int(form[span.start])]))
            aliases.append(())
            confidence.append(1.0)
            continue
        members = corpus.partition.members(root)
        label = naming.label(members)
        identifier, others = naming.identity(members, label)
        mine = dict(zip(form[span].tolist(), found.papers[span].tolist(), strict=True))
        name, shown = naming.name(members, mine, named=bool(named[index]))
        sure = 1.0
        if len(mine) > 1 or len(members) > 1 or shown < 0:
            unsaid = {one: judged[index, one] for one in mine if (index, one) in judged}
            explained = _explain(corpus, mine, unsaid, name, shown, members)
            for offset, (one, why) in enumerate(zip(mine, explained, strict=True)):
                reasons[span.start + offset] = why.reason
                sure = min(sure, why.confidence)
                if one != shown:
                    typed = LABELS[int(forms.label[one])]
                    row = (str(forms.surface[one]), name, why.rule, why.reason, why.papers)
                    merges.add((identifier, "merge", typed, *row, why.confidence))
        ids.append(identifier)
        names.append(name)
        labels.append(label)
        aliases.append(others)
        confidence.append(sure)
    identifiers = _distinct(ids.array(), roots, nodes.label)
    of_root = _ids_of(corpus, roots, identifiers)
    _add_splits(corpus, of_root, merges)
    _add_yielded(corpus, of_root, merges)
    offsets = pa.array(starts, pa.int32())
    assignment = pa.DictionaryArray.from_arrays(pa.array(entity, pa.int32()), identifiers)
    columns = [
        identifiers,
        pa.array([LABELS[label] for label in labels], pa.string()),
        names.array(),
        pa.array(named, pa.bool_()),
        pa.ListArray.from_arrays(offsets, forms.surface.take(pa.array(form))),
        pa.ListArray.from_arrays(offsets, pa.array(found.mentions, pa.int64())),
        pa.ListArray.from_arrays(offsets, pa.array(reasons, pa.string())),
        pa.array(_papers(corpus, entity), pa.int64()),
        pa.array(np.add.reduceat(found.mentions, starts[:-1]) if len(roots) else [], pa.int64()),
        pa.array(aliases, pa.list_(pa.string())),
        pa.array(confidence, pa.float64()),
    ]
    return Tables(assignment, _in_order(columns, pc.sort_indices(identifiers)), merges.table())


def _in_order(columns: list[pa.Array], order: pa.Array) -> pa.Table:
    """The entities in an order; each column is let go of when it is in order."""
    ordered = []
    while columns:
        ordered.append(columns.pop(0).take(order))
    return pa.table(ordered, schema=ENTITIES)


@dataclass(frozen=True, slots=True)
class _Written:
    """The forms of each entity, the most mentioned first."""

    starts: Ints  # of each entity's, and the end of all
    form: Ints
    mentions: Ints
    papers: Ints


def _written(corpus: Corpus, entity: Ints, size: int) -> _Written:
    rows, forms = corpus.rows, corpus.forms
    width = max(1, len(forms.surface))
    # A surface is one form of an entity, under whatever label its papers have it.
    pairs, at = np.unique(entity * width + forms.text[rows.form], return_inverse=True)
    mentions = np.bincount(at, weights=rows.count, minlength=len(pairs)).astype(np.int64)
    written = np.bincount(at, minlength=len(pairs)).astype(np.int64)
    owner, form = pairs // width, _commonest(at, rows.form, width)
    # Forms are numbered in sorted order.
    order = np.lexsort((form, -mentions, owner))
    starts = np.concatenate(([0], np.cumsum(np.bincount(owner, minlength=size))))
    return _Written(starts.astype(np.int64), form[order], mentions[order], written[order])


def _papers(corpus: Corpus, entity: Ints) -> Ints:
    """In how many papers each entity is named."""
    width = int(corpus.rows.paper.max(initial=0)) + 1
    papers: Ints = np.bincount(np.unique(entity * width + corpus.rows.paper) // width)
    return papers


@dataclass(frozen=True, slots=True)
class _Judged:
    """In how many papers the sense of a form, which they do not say, was judged by what."""

    company: int = 0
    capitals: int = 0

    def reason(self, surface: str) -> str:
        parts = [by_company(surface, self.company)] if self.company else []
        parts += [by_capitals(surface, self.capitals)] if self.capitals else []
        return "; ".join(parts)


def _judged(corpus: Corpus, entity: Ints) -> dict[tuple[int, int], _Judged]:
    """Count rows by entity and form whose sense was judged, not said."""
    company, capitals = (
        _count_rows(corpus, entity, groups)
        for groups in (corpus.by_company.keys() - corpus.by_capitals.keys(), corpus.by_capitals)
    )
    return {key: _Judged(company[key], capitals[key]) for key in {*company, *capitals}}


def _count_rows(corpus: Corpus, entity: Ints, groups: Collection[int]) -> Counter[tuple[int, int]]:
    if not groups:
        return Counter()
    at = np.flatnonzero(np.isin(corpus.rows.group, list(groups)))
    return Counter(zip(entity[at].tolist(), corpus.rows.form[at].tolist(), strict=True))


def _commonest(at: Ints, form: Numbers, width: int) -> Ints:
    """Return, for each number in `at`, the form that most of its rows have."""
    pairs, rows = np.unique(at * width + form, return_counts=True)
    order = np.lexsort((pairs % width, -rows, pairs // width))
    first = np.unique((pairs // width)[order], return_index=True)[1]
    commonest: Ints = (pairs % width)[order][first]
    return commonest


@dataclass(frozen=True, slots=True)
class _Why:
    rule: str
    reason: str
    papers: int
    confidence: float


def _explain(
    corpus: Corpus,
    forms: dict[int, int],
    judged: dict[int, _Judged],
    name: str,
    shown: int,
    members: Sequence[int],
) -> list[_Why]:
    """Say of each form of an entity why it belongs there.

    Args:
        corpus: what the forms are of.
        forms: papers that write each.
        judged: how many of these papers do not say it, by form, and how they were judged.
        name: what the entity is called.
        shown: the form that is its name, or -1.
        members: nodes of the entity.
    """
    surface = {form: str(corpus.forms.surface[form]) for form in forms}
    start = int(corpus.node_of[shown]) if shown >= 0 else members[0]
    paths = corpus.partition.paths(start)
    main: dict[int, str] = {}
    for form in forms:
        main.setdefault(int(corpus.node_of[form]), surface[form])
    main[start] = name
    found = []
    for form, written in forms.items():
        node = int(corpus.node_of[form])
        if form == shown:
            found.append(_Why("name", SHOWN, written, 1.0))
        elif node == start:
            found.append(_Why("spelling", likeness(surface[form], name), written, 0.99))
        elif node in paths and paths[node][1].rule != "taken in":
            found.append(_through(corpus, paths, node, surface[form], main, written))
        else:
            found.append(_unexpanded(judged.get(form, _Judged()), surface[form], name, written))
    return found


def _unexpanded(judged: _Judged, surface: str, name: str, written: int) -> _Why:
    """The reason of a form that names several things: what its papers say, or what was judged."""
    said = written - judged.company - judged.capitals
    rule = "text" if said else "company" if judged.company else "capitals"
    sure = 0.75 if judged.company else 0.8 if judged.capitals else 0.9
    reason = judged.reason(surface)
    if said:
        told = because(Edge("text", said, 0.9), surface, name)
        reason = f"{told}; {reason}" if reason else told
    return _Why(rule, reason, written, sure)


def _through(
    corpus: Corpus,
    paths: dict[int, tuple[int, Edge]],
    node: int,
    surface: str,
    main: dict[int, str],
    written: int,
) -> _Why:
    """The reason of the first step towards the name; as sure as all steps together."""
    step, edge = paths[node]
    other = main.get(step) or corpus.surface(step)
    sure = 1.0
    at = node
    while at in paths:
        at, passed = paths[at]
        sure *= passed.confidence
    reason = because(edge, surface, other)
    return _Why(edge.rule, reason, edge.papers or written, round(sure, 4))


def _distinct(ids: pa.Array, roots: Ints, label: list[int]) -> pa.Array:
    """Give ids that two entities would share, after a retyping, the type that one had before."""
    encoded = ids.dictionary_encode()
    codes = encoded.indices.to_numpy()
    shared = np.flatnonzero(np.bincount(codes, minlength=len(encoded.dictionary)) > 1)
    if not len(shared):
        return ids
    at = np.flatnonzero(np.isin(codes, shared))
    taken: set[str] = set()
    others = []
    for place in at.tolist():
        identifier = str(ids[place])
        if identifier in taken:
            identifier += f" ({LABELS[label[int(roots[place])]].lower()})"
        taken.add(identifier)
        others.append(identifier)
    mask = np.zeros(len(ids), bool)
    mask[at] = True
    return pc.replace_with_mask(ids, pa.array(mask), pa.array(others, pa.string()))


def _ids_of(corpus: Corpus, roots: Ints, ids: pa.Array) -> dict[int, str]:
    """The ids of the entities that splits and retypings are told of, by root."""
    nodes = {node for node, _, _ in corpus.yielded}
    for short, senses in corpus.senses.items():
        nodes.add(short)
        nodes.update(node for sense in senses.senses for node in sense.nodes)
    wanted = sorted({corpus.partition.root(node) for node in nodes})
    at = np.searchsorted(roots, wanted)
    return {
        root: str(ids[int(i)])
        for root, i in zip(wanted, at, strict=True)
        if i < len(roots) and roots[i] == root
    }


def _add_splits(corpus: Corpus, ids: dict[int, str], merges: Merges) -> None:
    """Tell of abbreviations that stand for several things."""
    for short, senses in corpus.senses.items():
        here = [sense for sense in senses.senses if sense.papers]
        meant = senses.overwhelming
        if not here or (len(here) == 1 and meant is here[0]):
            continue
        surface = corpus.surface(short)
        told = [(_long_form(corpus, sense), sense.papers) for sense in here]
        reason = split_reason(surface, told, _long_form(corpus, meant) if meant else "")
        typed = LABELS[corpus.nodes.label[short]]
        for sense, (long, papers) in zip(here, told, strict=True):
            root = corpus.partition.root(sense.nodes[0] if sense.nodes else short)
            if root in ids:
                row = (surface, long, "sense", reason, papers, round(senses.share, 4))
                merges.add((ids[root], "split", typed, *row))


def _long_form(corpus: Corpus, sense: Sense) -> str:
    return corpus.surface(sense.nodes[0]) if sense.nodes else sense.long


def _add_yielded(corpus: Corpus, ids: dict[int, str], merges: Merges) -> None:
    """Tell of forms whose type gave way to the one that most papers give them."""
    for node, other, edge in corpus.yielded:
        root = corpus.partition.root(node)
        if root in ids:
            surface, namesake = corpus.surface(node), corpus.surface(other)
            typed = LABELS[corpus.nodes.label[node]]
            row = (surface, namesake, edge.rule, because(edge, surface, namesake), edge.papers)
            merges.add((ids[root], "retype", typed, *row, round(edge.confidence, 4)))
