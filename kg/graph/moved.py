"""Papers that are as they were, at another place of the file that they were read from.

Where a line is put in or taken out of a file, every later paper of it stands at another line. Its
row says so, and stores hold what it says; who asks what is new in a graph does not ask for that.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from kg.graph.changes import TableChange
from kg.graph.compare import differing

_SOURCES = "sources"
_PLACE = re.compile(r"[:#]\d+\Z")


def moved(change: TableChange) -> npt.NDArray[np.bool_]:
    """Say of each changed row whether nothing but its place in the same files differs."""
    found = np.zeros(change.changed.num_rows, bool)
    if _SOURCES not in change.changed.column_names:
        return found
    sides = (change.before, change.changed)
    found = ~differing(*(rows.drop_columns([_SOURCES]) for rows in sides))
    lists = (rows[_SOURCES].to_pylist() for rows in sides)
    for row, (before, after) in enumerate(zip(*lists, strict=True)):
        found[row] &= _files(before) == _files(after)
    return found


def without_moved(change: TableChange) -> TableChange:
    """Return the change without the rows of which nothing but the place differs."""
    others = pa.array(~moved(change))
    return replace(
        change, changed=change.changed.filter(others), before=change.before.filter(others)
    )


def _files(sources: Iterable[str] | None) -> Counter[str]:
    return Counter(_PLACE.sub("", source) for source in sources or ())
