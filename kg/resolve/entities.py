"""Mentions to entities: which surface forms, over the whole corpus, name one thing."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from kg.model.decision import Decision
from kg.model.identity import entity_id, fold
from kg.model.schema import NodeLabel
from kg.resolve.names import KnownName

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

MERGES = pa.schema(
    [
        pa.field("entity", pa.string(), False),
        pa.field("kind", pa.string(), False),  # merge, split or retype
        pa.field("label", pa.string(), False),
        pa.field("surface", pa.string(), False),
        pa.field("other", pa.string(), False),
        pa.field("rule", pa.string(), False),
        pa.field("reason", pa.string(), False),
        pa.field("papers", pa.int64(), False),
        pa.field("confidence", pa.float64(), False),
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
    """

    assignment: pa.DictionaryArray
    entities: pa.Table
    merges: pa.Table
    unapplied: tuple[Unapplied, ...] = ()


def resolve_entities(
    mentions: pa.Table,
    decisions: Sequence[Decision] = (),
    names: Sequence[KnownName] = (),
) -> Resolution:
    """Group mention rows into entities; a pure function of the set of rows.

    Args:
        mentions: columns of MENTIONS, one row per paper, local entity and surface form; rows of
            one paper with one `local` are one thing by that text's own word.
        decisions: the user's, in any order.
        names: the user's own names, which win over everything but decisions.
    """
    rows = mentions.select(MENTIONS.names).to_pylist()
    groups: dict[tuple[str, int], list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        groups[row["paper"], row["local"]].append(index)
    parent: dict[tuple[str, str], tuple[str, str]] = {}

    def root(node: tuple[str, str]) -> tuple[str, str]:
        while parent.setdefault(node, node) != node:
            node = parent[node]
        return node

    nodes = [(row["label"], _key(row["surface"])) for row in rows]
    for members in groups.values():
        for other in members[1:]:
            one, two = sorted((root(nodes[members[0]]), root(nodes[other])))
            if one[0] == two[0]:
                parent[two] = one
    components: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, node in enumerate(nodes):
        components[root(node)].append(index)
    ids: list[str] = [""] * len(rows)
    entities = []
    for members in components.values():
        label = nodes[members[0]][0]
        keys = sorted({nodes[i][1] for i in members}, key=lambda key: (-len(key), key))
        identifiers = [entity_id(NodeLabel(label), key) for key in keys]
        counts: Counter[str] = Counter()
        for i in members:
            counts[rows[i]["surface"]] += rows[i]["count"]
            ids[i] = identifiers[0]
        surfaces = sorted(counts, key=lambda surface: (-counts[surface], surface))
        entities.append(
            {
                "id": identifiers[0],
                "label": label,
                "name": surfaces[0],
                "named": sum(rows[i]["named"] for i in members) * 2 >= len(members),
                "surfaces": surfaces,
                "surface_counts": [counts[s] for s in surfaces],
                "reasons": ["same name" for _ in surfaces],
                "papers": len({rows[i]["paper"] for i in members}),
                "mentions": sum(counts.values()),
                "aliases": sorted(identifiers[1:]),
                "confidence": 1.0,
            }
        )
    entities.sort(key=lambda entity: str(entity["id"]))
    return Resolution(
        pa.array(ids, pa.string()).dictionary_encode(),
        pa.Table.from_pylist(entities, ENTITIES),
        MERGES.empty_table(),
    )


def _key(surface: str) -> str:
    words = fold(surface).split()
    return " ".join(
        w[:-1] if len(w) > 3 and w.endswith("s") and w[-2] not in "sui" else w for w in words
    )
