"""Records as they are compared: what of them is held for all, and what is looked up for a few."""

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg.model.identity import content_parts, paper_id
from kg.model.record import Identifiers
from kg.resolve.compared_record import Folded
from kg.resolve.gathering import PIECE, Gatherer, Ints, groups_of, hash64
from kg.resolve.paper_fields import SHARED, Row
from kg.resolve.paper_similarity import Blocks, Pair

_COLUMNS = ["title", "text", "authors", "year", "ids", "file", "line", "ordinal"]


class ComparedRecords:
    """Records by number; of all of them ids and hashes are held, the rest is read when needed."""

    def __init__(self, records: pa.Table, order: Ints) -> None:
        """Go through all records once.

        Args:
            records: columns of kg.resolve.records.RECORDS.
            order: row numbers; the record of number i is in row order[i].
        """
        self._rows = Gatherer(records.select(_COLUMNS))
        self._order = order
        self._ids = records["ids"]
        self._blocks = Blocks()
        self._years = array("q")
        self._contents, self._contented = array("Q"), array("q")
        self._titles, self._titled = array("Q"), array("q")
        alone: list[pa.Array] = [pa.array([], pa.string())]
        own: list[pa.Array] = [pa.array([], pa.string())]
        for start in range(0, len(order), PIECE):
            names = [
                self._add(number, row)
                for number, row in enumerate(self._read(order[start : start + PIECE]), start)
            ]
            alone.append(pa.array([name for name, _ in names], pa.string()))
            own.append(pa.array([name for _, name in names], pa.string()))
        self._alone = pa.chunked_array(alone).combine_chunks()
        self._own = pa.chunked_array(own).combine_chunks()

    def _add(self, number: int, row: Row) -> tuple[str, str]:
        folded = Folded(row)
        self._blocks.add(folded)
        self._years.append(folded.year or 0)
        ids = Identifiers(**row["ids"])
        if folded.text:
            self._contents.append(hash64(_content(folded)))
            self._contented.append(number)
        elif not any(row["ids"][name] for name in SHARED):
            self._titles.append(hash64(_content(folded)))
            self._titled.append(number)
        who = folded.family, folded.year
        alone = paper_id(ids, folded.title, folded.text, *who)
        own = alone
        if alone.startswith("hash:"):
            own = paper_id(ids, row["title"], row["text"], *who)
        return alone, own

    def _read(self, rows: Ints) -> list[Row]:
        batch = self._rows.take(rows)
        place = batch.schema.get_field_index("authors")
        first = pc.list_slice(batch["authors"], 0, 1)
        return list(batch.set_column(place, "authors", first).to_pylist())

    def ids(self, number: int) -> dict[str, str]:
        """The identifiers of a record."""
        found: dict[str, str] = self._ids[int(self._order[number])].as_py()
        return found

    def year(self, number: int) -> int:
        """The year of a record, 0 where it says none."""
        return self._years[number]

    def alone(self, number: int) -> str:
        """The id of the paper that a record would be without others, of what is compared."""
        return str(self._alone[number])

    def alone_of(self, numbers: Ints) -> pa.Array:
        """The same of several records."""
        return self._alone.take(pa.array(numbers))

    def own(self, numbers: Ints) -> pa.Array:
        """The ids of the papers of records that stay without others."""
        return self._own.take(pa.array(numbers))

    def with_alone(self, wanted: Collection[str]) -> dict[str, list[int]]:
        """The records that alone would be one of some papers, by these."""
        found: dict[str, list[int]] = defaultdict(list)
        if wanted:
            values = pa.array(sorted(wanted), pa.string())
            mask = pc.is_in(self._alone, value_set=values).to_numpy(zero_copy_only=False)
            for number in np.flatnonzero(mask).tolist():
                found[self.alone(number)].append(number)
        return found

    def ordered(self, members: Sequence[int]) -> list[int]:
        """Records in an order that does not tell in which order they came."""
        if len(members) == 1:
            return list(members)
        folded = dict(zip(members, self.fold(np.array(members, np.int64)), strict=True))
        return sorted(members, key=lambda i: (self.alone(i), folded[i].digest))

    def fold(self, numbers: Ints) -> list[Folded]:
        """Records as they are compared."""
        return [Folded(row) for row in self._read(self._order[numbers])]

    def similar_pairs(self) -> list[Pair]:
        """Two records each that share no key, and are likely of one paper."""
        return self._blocks.similar_pairs(self.fold)

    def sharing(self) -> Iterator[tuple[str, str, list[int]]]:
        """Yield what several records share, why that makes them one, and the records."""
        for name in SHARED:
            yield from self._sharing_identifier(name)
        for members in _several(self._contents, self._contented):
            for key, same in self._alike(members).items():
                yield f"text:{key}", "the same title and abstract", same
        for members in _several(self._titles, self._titled):
            for key, same in self._alike(members).items():
                yield f"title:{key}", "the same title, author and year, no abstract", same

    def _sharing_identifier(self, name: str) -> Iterator[tuple[str, str, list[int]]]:
        column = pa.chunked_array(
            [pc.struct_field(chunk, name) for chunk in self._ids.chunks], pa.string()
        )
        encoded = column.combine_chunks().dictionary_encode()
        values = encoded.dictionary
        codes = encoded.indices.to_numpy(zero_copy_only=False)[self._order]
        empty = pc.index(values, pa.scalar("", pa.string())).as_py()
        counts = np.bincount(codes, minlength=len(values))
        shared = counts > 1
        if empty >= 0:
            shared[empty] = False
        places = np.flatnonzero(shared[codes])
        found, bounds = groups_of(codes[places].astype(np.uint64))
        for start, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            members = places[found[start:end]].tolist()
            value = str(values[int(codes[members[0]])])
            yield f"{name}:{value}", f"the same {name} {value}", members

    def _alike(self, members: Ints) -> dict[str, list[int]]:
        """Records of one hash by what was hashed."""
        found: dict[str, list[int]] = defaultdict(list)
        for number, folded in zip(members.tolist(), self.fold(members), strict=True):
            found[_content(folded)].append(number)
        return {key: same for key, same in found.items() if len(same) > 1}


def _content(folded: Folded) -> str:
    """What tells a record without identifiers from others, as its paper's id does."""
    return "\n".join(content_parts(folded.title, folded.text, folded.family, folded.year))


def _several(hashes: "array[int]", numbers: "array[int]") -> Iterator[Ints]:
    """Yield the numbers that share a hash, ascending."""
    if not hashes:
        return
    held = np.frombuffer(numbers, np.int64)
    order, bounds = groups_of(np.frombuffer(hashes, np.uint64))
    for at in np.flatnonzero(np.diff(bounds) > 1).tolist():
        yield held[order[bounds[at] : bounds[at + 1]]]
