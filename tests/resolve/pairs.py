"""The pairs of pairs.csv, made by hand from real names, and how many are judged rightly.

`python -m tests.resolve.pairs` prints the table of docs/resolution.md, and each pair that is
judged wrongly. A pair is judged in a corpus of two papers, one for each name, and of the papers
that its column `in_text` asks for: "DPO=direct preference optimization*9" is nine papers that
write "direct preference optimization (DPO)".
"""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from kg.resolve.entities import MENTIONS, resolve_entities

PAIRS = Path(__file__).with_name("pairs.csv")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two names, whether they are one thing, and what papers say of them."""

    kind: str
    one: tuple[str, str, bool]  # label, surface, named
    other: tuple[str, str, bool]
    same: bool
    in_text: tuple[tuple[str, str], ...]


def read_pairs(path: Path = PAIRS) -> tuple[Pair, ...]:
    """Return every pair of the file."""
    with path.open(encoding="utf-8", newline="") as lines:
        return tuple(
            Pair(
                row["kind"],
                (row["label"], row["one"], row["one_named"] == "1"),
                (row["other_label"], row["other"], row["other_named"] == "1"),
                row["verdict"] == "same",
                tuple(_evidence(row["in_text"])),
            )
            for row in csv.DictReader(lines)
        )


def judge(pair: Pair) -> bool:
    """Return whether resolution takes the two names for one thing."""
    rows = [("one", *pair.one), ("other", *pair.other)]
    for number, (short, long) in enumerate(pair.in_text):
        rows += [(f"said {number}", pair.one[0], form, pair.one[2]) for form in (short, long)]
    columns = [
        [row[0] for row in rows],
        [0] * len(rows),
        [row[1] for row in rows],
        [row[2] for row in rows],
        [row[3] for row in rows],
        [1] * len(rows),
    ]
    arrays = [pa.array(c, f.type) for c, f in zip(columns, MENTIONS, strict=True)]
    ids = resolve_entities(pa.table(arrays, schema=MENTIONS)).assignment.to_pylist()
    return bool(ids[0] == ids[1])


@dataclass(frozen=True, slots=True)
class Score:
    """Pairs by verdict; `same` is what the file says, `joined` what resolution does."""

    pairs: int
    same: int
    joined: int
    right: int  # joined, and the same

    @property
    def precision(self) -> float:
        """Of what was joined, the share that is one thing."""
        return self.right / self.joined if self.joined else 1.0

    @property
    def recall(self) -> float:
        """Of what is one thing, the share that was joined."""
        return self.right / self.same if self.same else 1.0


def score(judged: Iterable[tuple[Pair, bool]]) -> Score:
    """Count verdicts."""
    listed = list(judged)
    return Score(
        len(listed),
        sum(pair.same for pair, _ in listed),
        sum(joined for _, joined in listed),
        sum(pair.same and joined for pair, joined in listed),
    )


def _evidence(text: str) -> Iterator[tuple[str, str]]:
    for part in text.split(";") if text else ():
        short, _, rest = part.partition("=")
        long, _, times = rest.partition("*")
        yield from [(short, long)] * int(times or 1)


def main() -> None:
    """Print the table and the mistakes."""
    judged = [(pair, judge(pair)) for pair in read_pairs()]
    print("| kind | pairs | same | joined | wrongly joined | wrongly apart |")
    print("| --- | --- | --- | --- | --- | --- |")
    for kind in sorted({pair.kind for pair, _ in judged}):
        s = score(each for each in judged if each[0].kind == kind)
        print(f"| {kind} | {s.pairs} | {s.same} | {s.joined} | {s.joined - s.right} "
              f"| {s.same - s.right} |")  # fmt: skip
    s = score(judged)
    print(f"| all | {s.pairs} | {s.same} | {s.joined} | {s.joined - s.right} "
          f"| {s.same - s.right} |")  # fmt: skip
    print(f"\nprecision {s.precision:.4f}, recall {s.recall:.4f}")
    for pair, joined in judged:
        if pair.same != joined:
            print("wrongly", "joined" if joined else "apart", pair.one, pair.other, pair.in_text)


if __name__ == "__main__":
    main()
