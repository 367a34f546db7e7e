"""References to papers: which paper each reference, in a bibliography or a text, means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kg.resolve.gathering import Ints
from kg.resolve.paper_fields import SHARED
from kg.resolve.paper_index import PaperIndex
from kg.resolve.records import REFERENCE
from kg.resolve.reference_judging import BY_IDENTIFIER, NO_LIST, Judge, result
from kg.resolve.reference_titles import Row
from kg.resolve.stubs import Stubs

REFERENCES = pa.schema(
    [
        pa.field("paper", pa.string(), False),  # the citing one
        pa.field("origin", pa.string(), False),  # metadata, reference or inline
        *REFERENCE.fields,
        pa.field("kind", pa.string()),  # of an inline citation, as its extraction says
        pa.field("target", pa.string()),  # its key or number
        pa.field("start", pa.int64()),  # of an inline citation in the citing paper's text
        pa.field("end", pa.int64()),
    ]
)

RESOLVED = pa.schema(
    [
        pa.field("cited", pa.string()),  # a paper or a stub, null where nothing is meant for sure
        # resolved, stub, ambiguous, missing, self, or link: an address that is no paper's
        pa.field("status", pa.string(), False),
        pa.field("method", pa.string(), False),
        pa.field("score", pa.float64(), False),
        pa.field("candidates", pa.list_(pa.string())),  # of an ambiguous one
    ]
)

# What is looked at of papers.
CITED: Final = (
    "id", "title", "title_made", "authors", "year", "venue", "identifiers", "keys", "references",
)  # fmt: skip
_PIECE: Final = 1 << 16  # references whose identifiers are looked up at a time
_ROWS: Final = 2048  # references that are judged at a time
_NOT_BY_IDENTIFIER: Final = pa.array(["url", "numeric", "key"])  # kinds of citations in texts
_SAID: Final = ("raw", "title", "venue")


@dataclass(frozen=True, slots=True)
class Missing:
    """The papers that no record describes.

    `stubs` has the columns of PAPERS and is sorted by id. `aliases` says which ids papers would
    have as stubs, if there were no record of them.
    """

    stubs: pa.Table
    aliases: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Citations(Missing):
    """Which paper each reference means, row by row, and the papers that no record describes."""

    resolved: pa.Table


def match_references(references: pa.Table, papers: pa.Table) -> Citations:
    """Find the paper of each reference.

    By its identifiers; else by its title, first author and year, which a printed line is taken
    apart for; else, where no title is printed, by first author, year and venue or, in running
    text, all the authors named. A missing paper of which enough is known becomes a stub, the
    same for all references to it.

    Args:
        references: columns of REFERENCES; a paper's own references in the order of its list.
        papers: columns of PAPERS.
    """
    matcher = ReferenceMatcher(papers)
    resolved = matcher.resolve(references)
    missing = matcher.missing()
    return Citations(missing.stubs, missing.aliases, resolved)


class ReferenceMatcher:
    """Matches references of some papers after the other, and gathers what is missing of all."""

    def __init__(self, papers: pa.Table) -> None:
        """Take columns of PAPERS."""
        self._index = PaperIndex(papers)
        self._stubs = Stubs()
        self._judge = Judge(self._index, self._stubs)

    def resolve(self, references: pa.Table) -> pa.Table:
        """Return RESOLVED of references, row by row; all those of a paper must come together."""
        pieces = [self._resolved(batch) for batch in references.to_batches(_PIECE)]
        return _numbered(references, pa.concat_tables([RESOLVED.empty_table(), *pieces]))

    def missing(self) -> Missing:
        """Return the missing papers of all references so far."""
        stubs = self._stubs.table()
        return Missing(stubs, self._stubs.aliases(stubs["id"]))

    def _resolved(self, references: pa.RecordBatch) -> pa.Table:
        """By identifiers all at once, everything else one by one."""
        held = _Held.of(references, self._index)
        known = np.flatnonzero((held.paper >= 0) & ~held.unclear)
        bare = np.flatnonzero(_tells_nothing(references) & (held.paper < 0) & (held.count == 1))
        rest = np.setdiff1d(np.arange(references.num_rows), np.concatenate([known, bare]))
        tables = [
            self._known(references["paper"].take(pa.array(known)), held, known),
            self._bare(references["ids"].take(pa.array(bare)), held.name[bare]),
        ]
        for start in range(0, len(rest), _ROWS):
            rows = references.take(pa.array(rest[start : start + _ROWS])).to_pylist()
            judged = [self._judge.judge(row) for row in rows]
            tables.append(pa.Table.from_pylist(judged, RESOLVED))
        order = np.argsort(np.concatenate([known, bare, rest]))
        return pa.concat_tables(tables).combine_chunks().take(pa.array(order))

    def _known(self, citing: pa.Array, held: "_Held", rows: Ints) -> pa.Table:
        cited = self._index.ids.take(pa.array(held.paper[rows]))
        own = pc.equal(citing, cited)
        methods = pa.array([f"the same {name}" for name in SHARED], pa.string())
        return _table(
            pc.if_else(own, pa.scalar(None, pa.string()), cited),
            pc.if_else(own, "self", "resolved"),
            methods.take(pa.array(held.name[rows])),
        )

    def _bare(self, ids: pa.Array, names: Ints) -> pa.Table:
        cited = pa.nulls(len(names), pa.string())
        for number in np.unique(names).tolist():
            mask = pa.array(names == number)
            values = pc.struct_field(ids, SHARED[number]).filter(mask)
            self._stubs.add_bare(SHARED[number], values)
            own = pc.binary_join_element_wise(pa.scalar(f"{SHARED[number]}:"), values, "")
            cited = pc.replace_with_mask(cited, mask, own)
        return _table(cited, pa.repeat("stub", len(names)), pa.repeat(BY_IDENTIFIER, len(names)))


@dataclass(frozen=True, slots=True)
class _Held:
    """Per reference what its identifiers lead to."""

    count: Ints  # identifiers that it gives
    name: Ints  # of the one that leads to a paper, else of its last; index into SHARED
    paper: Ints  # number of the paper that holds it; -1 for none
    unclear: npt.NDArray[np.bool_]  # its identifiers lead to several papers

    @staticmethod
    def of(references: pa.RecordBatch, index: PaperIndex) -> "_Held":
        """Look the identifiers of references up."""
        size = references.num_rows
        count, name = np.zeros(size, np.int64), np.zeros(size, np.int64)
        paper, unclear = np.full(size, -1, np.int64), np.zeros(size, bool)
        kinds = pc.is_in(references["kind"], value_set=_NOT_BY_IDENTIFIER)
        other = kinds.to_numpy(zero_copy_only=False).astype(bool)
        for number, each in enumerate(SHARED):
            values = pc.fill_null(pc.struct_field(references["ids"], each), "")
            given = pc.not_equal(values, "").to_numpy(zero_copy_only=False).astype(bool) & ~other
            at = np.flatnonzero(given)
            if not len(at):
                continue
            found, several = index.holders(each, values.take(pa.array(at)))
            before = paper[at]
            count[at] += 1
            unclear[at] |= several | ((before >= 0) & (found >= 0) & (before != found))
            new = before < 0
            name[at[new]] = number
            paper[at[new]] = found[new]
        return _Held(count, name, paper, unclear)


def _tells_nothing(references: pa.RecordBatch) -> npt.NDArray[np.bool_]:
    """Which references say nothing but identifiers."""
    told = pc.or_(
        pc.is_valid(references["year"]),
        pc.greater(pc.fill_null(pc.list_value_length(references["authors"]), 0), 0),
    )
    for name in _SAID:
        told = pc.or_(told, pc.not_equal(pc.fill_null(references[name], ""), ""))
    nothing: npt.NDArray[np.bool_] = ~told.to_numpy(zero_copy_only=False).astype(bool)
    return nothing


def _table(cited: pa.Array, status: pa.Array, method: pa.Array) -> pa.Table:
    """References that are sure, as columns of RESOLVED."""
    size = len(cited)
    offsets = pa.array(np.zeros(size + 1, np.int32))
    candidates = pa.ListArray.from_arrays(offsets, pa.array([], pa.string()))
    columns = [cited, status, method, pa.array(np.ones(size)), candidates]
    return pa.table(columns, schema=RESOLVED)


def _numbered(references: pa.Table, resolved: pa.Table) -> pa.Table:
    """Let "[12]" be the twelfth line of the paper's own bibliography, wherever that stands."""
    number = pc.and_(
        pc.equal(references["kind"], "numeric"), pc.equal(references["origin"], "inline")
    )
    places = np.flatnonzero(number.to_numpy().astype(bool))
    if not len(places):
        return resolved
    rows = references.select(["paper", "target"]).take(pa.array(places)).to_pylist()
    wanted = pa.array(sorted({row["paper"] for row in rows}), pa.string())
    listed = pc.and_(
        pc.not_equal(references["origin"], "inline"), pc.is_in(references["paper"], wanted)
    )
    lists: dict[str, list[Row | None]] = {}
    # What a service knows by identifiers alone keeps no order, but its place in a mixed list.
    lines = zip(
        references["paper"].filter(listed).to_pylist(),
        references["origin"].filter(listed).to_pylist(),
        resolved.filter(listed).to_pylist(),
        strict=True,
    )
    for paper, origin, line in lines:
        lists.setdefault(paper, []).append(line if origin == "reference" else None)
    found = [_line(row["target"], lists.get(row["paper"], [])) for row in rows]
    order = np.arange(resolved.num_rows)
    order[places] = resolved.num_rows + np.arange(len(places))
    both = pa.concat_tables([resolved, pa.Table.from_pylist(found, RESOLVED)])
    return both.take(pa.array(order))


def _line(target: str, lines: Sequence[Row | None]) -> Row:
    """What a number means: what became of that line, a little less sure."""
    number = int(target) if target.isdecimal() else 0
    line = lines[number - 1] if 0 < number <= len(lines) else None
    if line is None:
        return result(None, "missing", NO_LIST, 0.0)
    method = "number in the bibliography"
    if line["status"] in ("missing", "ambiguous"):
        method = f"{method}: {line['method']}"
    return line | {"method": method, "score": 0.9 * line["score"]}
