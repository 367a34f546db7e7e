"""From a name as people type it to the surface form that a decision is about."""

import pyarrow as pa
import pyarrow.compute as pc

from kg.errors import DecisionError, NotFoundError
from kg.graph.changes import Snapshot
from kg.graph.lookup import find_nodes
from kg.model.decision import Form
from kg.model.schema import ENTITY_LABELS, NodeLabel
from kg.resolve.records import writable_text

_SHOWN = 4


def find_form(snapshot: Snapshot, name: str, label: NodeLabel | None = None) -> Form:
    """Return the form that a name means: a surface form as papers write it, else an entity's name.

    Args:
        snapshot: the build that is looked at.
        name: a surface form, an entity's name or its id.
        label: of the entity, where several have the name.

    Raises:
        NotFoundError: nothing is called so.
        DecisionError: things of several types are, and no label was given.
    """
    name = writable_text(name)
    wanted = (label,) if label else ENTITY_LABELS
    written = [Form(each, name) for each in wanted if _is_written(snapshot, each, name)]
    if not written:
        found = [node for node in find_nodes(snapshot, name) if node.label in wanted]
        if not found:
            kind = label.value.lower() if label else "method, dataset, task or metric"
            raise NotFoundError(f"no {kind} is called '{name}'", f"kg show lists what '{name}' is.")
        written = [Form(node.label, node.name) for node in found]
    labels = sorted({form.label.value for form in written})
    if len(labels) > 1:
        raise DecisionError(
            f"'{name}' is a {' and a '.join(labels)}",
            f"Say which one you mean: --type {labels[0].lower()}",
        )
    names = sorted({form.surface for form in written})
    if len(names) > 1:
        raise DecisionError(
            f"'{name}' may be {', '.join(repr(each) for each in names[:_SHOWN])}",
            "Use the name of one of them.",
        )
    return written[0]


def _is_written(snapshot: Snapshot, label: NodeLabel, name: str) -> bool:
    surfaces = snapshot.table(label.value)["surfaces"]
    return any(
        pc.any(pc.equal(pc.list_flatten(chunk), pa.scalar(name, pa.string()))).as_py()
        for chunk in surfaces.chunks
    )
