"""How well references are matched to papers when their identifiers are hidden, and how fast.

    python benchmarks/match_references.py FILE_OR_FOLDER... [--papers N]

Reads the inputs, takes every reference whose identifier names a paper among them, hides the
identifiers, and matches again by what is left: the printed line, or title, authors, year and venue.
With --papers, N papers with made titles are put beside them, each cited once by a printed line of a
random style, and the time is for all of them.
"""

import argparse
import random
import sys
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa

sys.path.insert(0, str(Path(__file__).parent.parent))

from kg.model.record import Identifiers, Person, Record, Reference
from kg.resolve.citations import REFERENCES, match_references
from kg.resolve.papers import match_records
from kg.resolve.records import records_table
from kg.sources.registry import read

STYLES = (
    "{a}. {t}. {v}, {y}.",
    "{f} ({y}). {t}. {v}, 12, 34-56.",
    "[7] {a}, “{t},” in {v}, {y}, pp. 34–56.",
    "{a}: {t}. {v} 12, 34-56 ({y})",
    "{a}. {y}. {t}. In {v}, pages 34-56.",
)


def printed(record: Record, style: str, random_: random.Random, *, typos: bool) -> str:
    """A record as a line of a bibliography; with typos, a letter of the title is lost."""
    title = record.title
    if typos and len(title) > 12:
        place = random_.randrange(4, len(title) - 4)
        title = title[:place] + title[place + 1 :]
    people = record.authors[:3]
    given_first = ", ".join(f"{p.given[:1]}. {p.family}" for p in people)
    family_first = ", ".join(f"{p.family}, {p.given[:1]}." for p in people)
    return style.format(a=given_first, f=family_first, t=title, v=record.venue, y=record.year)


def made(count: int, random_: random.Random) -> list[Record]:
    """Records with titles of words drawn by rank, as words of titles are."""
    words = [
        f"{a}{b}{c}"
        for a in "bdfgklmnprst"
        for b in "aeiou"
        for c in ("lin", "mor", "tex", "van", "sis", "dor")
    ]
    ranks = [1 / (n + 1) for n in range(len(words))]
    return [
        Record(
            title=" ".join(random_.choices(words, ranks, k=random_.randint(4, 11))).capitalize(),
            authors=tuple(
                Person(f"{random_.choice(words).capitalize()}{n % 997}", "Ann")
                for _ in range(random_.randint(1, 4))
            ),
            year=random_.randint(1990, 2025),
            venue=f"Journal of {random_.choice(words)}",
            ids=Identifiers(doi=f"10.5555/{n}"),
        )
        for n in range(count)
    ]


def reference_rows(citing: str, references: list[Reference]) -> list[dict[str, object]]:
    """Rows of REFERENCES."""
    return [
        {
            "paper": citing,
            "origin": "reference" if reference.raw else "metadata",
            **asdict(reference),
            "kind": "",
            "target": "",
        }
        for reference in references
    ]


def means(ids: Identifiers, known: dict[str, str]) -> str | None:
    """The paper that identifiers mean."""
    found = (known.get(f"{name}:{value}") for name, value in asdict(ids).items() if value)
    return next((paper for paper in found if paper), None)


def main() -> None:
    """Print precision, recall and seconds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("inputs", nargs="*")
    parser.add_argument("--papers", type=int, default=0)
    options = parser.parse_args()
    random_ = random.Random(0)  # noqa: S311  (not for secrets)

    records = [r for r in read(options.inputs) if isinstance(r, Record)] if options.inputs else []
    extra = made(options.papers, random_)
    papers = match_records(records_table([*records, *extra])).papers
    held = zip(papers["identifiers"].to_pylist(), papers["id"].to_pylist(), strict=True)
    known = {each: paper for identifiers, paper in held for each in identifiers}

    hidden: list[Reference] = []
    wanted: list[str] = []
    for record in records:
        for reference in record.references:
            target, raw = means(reference.ids, known), reference.raw
            if target and (reference.title or raw or reference.authors):
                for value in asdict(reference.ids).values():
                    raw = raw.replace(value, "") if value else raw
                hidden.append(
                    Reference(
                        raw,
                        Identifiers(),
                        reference.title,
                        reference.authors,
                        reference.year,
                        reference.venue,
                        reference.volume,
                        reference.page,
                    )
                )
                wanted.append(target)
    real = len(hidden)
    for record in [*records, *extra]:
        target = means(record.ids, known)
        if target and record.title and record.authors and record.year:
            line = printed(record, random_.choice(STYLES), random_, typos=random_.random() < 0.1)
            hidden.append(Reference(raw=line))
            wanted.append(target)

    start, cpu = time.perf_counter(), time.process_time()
    table = pa.Table.from_pylist(reference_rows("citing", hidden), REFERENCES)
    found = match_references(table, papers).resolved
    seconds, worked = time.perf_counter() - start, time.process_time() - cpu
    cited, status = found["cited"].to_pylist(), found["status"].to_pylist()
    for name, part in (
        ("listed by services", slice(0, real)),
        ("printed by us", slice(real, None)),
    ):
        answered = [
            (c, w)
            for c, w, s in zip(cited[part], wanted[part], status[part], strict=True)
            if s == "resolved"
        ]
        right = sum(c == w for c, w in answered)
        total = len(wanted[part])
        print(
            f"{name}: {total} references, precision {right / max(1, len(answered)):.4f},"
            f" recall {right / max(1, total):.4f}, {dict(Counter(status[part]))}"
        )
    print(
        f"{len(hidden)} references, {papers.num_rows} papers: {seconds:.1f} s, {worked:.1f} s of CPU"
    )


if __name__ == "__main__":
    main()
