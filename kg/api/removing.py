"""Taking papers out of a graph."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from kg.api.building import current_build, reading_of, silent
from kg.api.syncing import sync_embedded
from kg.errors import NotFoundError
from kg.graph.build import Draft, make_build
from kg.graph.folder import writing
from kg.graph.lookup import find_papers
from kg.graph.manifest import Manifest
from kg.graph.record_parts import filtered, stored_parts, stored_rejected
from kg.graph.snapshot import FolderSnapshot, read_stored

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RemoveReport:
    """What was taken out."""

    manifest: Manifest
    papers: tuple[tuple[str, str], ...]  # id and title
    records: int


def remove_papers(
    path: Path, wanted: Sequence[str], *, wait: bool, say: Say | None
) -> RemoveReport:
    """Take papers out, with everything that nothing else supports."""
    with writing(path, wait=wait, say=say) as writer:
        before = current_build(writer)
        snapshot = FolderSnapshot(path, before)
        found = dict(pair for name in wanted for pair in find_papers(snapshot, name))
        matches_file = before.report("matches")
        matches = read_stored(path, matches_file) if matches_file else None
        gone = pa.array(sorted(found), pa.string())
        if matches is None or not len(found):
            raise NotFoundError("no paper was named", "Name papers by id or title.")
        of_gone = matches.filter(pc.is_in(matches["paper"], gone))
        cited_only = sorted(set(found) - set(of_gone["paper"].to_pylist()))
        if cited_only:
            raise NotFoundError(
                f"{cited_only[0]}: is only cited; no record of it was read",
                "Remove the papers that cite it.",
            )
        # A record is known by its place in the reading that gave it.
        places = {
            (row["input"], row["file"], row["ordinal"])
            for row in of_gone.select(["input", "file", "ordinal"]).to_pylist()
        }
        parts = stored_parts(path, before)
        left = filtered(parts, [_not_at(part.rows, places) for part in parts])
        removed: dict[str, int] = {}
        for input_id in of_gone["input"].to_pylist():
            removed[input_id] = removed.get(input_id, 0) + 1
        draft = Draft(
            parts=left,
            rejected=stored_rejected(path, before),
            inputs=tuple(
                replace(each, removed=each.removed + removed.get(each.id, 0))
                for each in before.inputs
            ),
            settings=before.settings,
            action=f"remove {' '.join(wanted)}",
        )
        built = make_build(writer, draft, reading_of(before))
        sync_embedded(FolderSnapshot(path, built.manifest), say or silent)
        return RemoveReport(built.manifest, tuple(sorted(found.items())), of_gone.num_rows)


def _not_at(rows: pa.Table, places: set[tuple[str, str, int]]) -> pa.Array:
    keys = zip(*(rows[name].to_pylist() for name in ("input", "file", "ordinal")), strict=True)
    return pa.array([key not in places for key in keys], pa.bool_())
