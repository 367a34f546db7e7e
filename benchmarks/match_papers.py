"""How well records of one paper are found when the identifiers that would tell are hidden.

    python benchmarks/match_papers.py FILE_OR_FOLDER... [--show N] [--seed N]

Reads the inputs and makes pairs of records in four ways, each judged in a run of its own among
all the other records:

- *two files*: records of different files that share an identifier; one of the two loses all of
  its identifiers.
- *rewritten*: each record once more as another service would give it: authors as initials or the
  family name first, titles in capitals, no abstract, LaTeX, a publisher's tail, HTML.
- *worn*: each record once more with a typing error, the title cut short or without its subtitle,
  or as the preprint of a year before with another title or a revised abstract.
- *apart*: papers that are made to look like each record and are others: an erratum, a reply, another
  part or edition, the same title by others or ten years later.

A last run hides every identifier of every record. There, and in every run, two records that were
put together are wrong when they hold different identifiers of one kind, right when they share one
or were made from each other, and left out of the figures when nothing tells.
"""

import argparse
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from kg.model.record import Identifiers, Person, Record
from kg.resolve.papers import match_records
from kg.resolve.records import records_table
from kg.sources.registry import read

# Of each of these a paper has one; a preprint or a copy in a repository has a DOI of its own.
_TELLING = ("doi", "arxiv", "pmid", "acl", "s2", "corpus", "dblp")
_REPOSITORIES = (
    "10.1101/",
    "10.48550/",
    "10.6084/",
    "10.5281/",
    "10.5061/",
    "10.2139/",
    "10.21203/",
)
_NAMES = tuple(f.name for f in fields(Identifiers) if f.name != "key")
_LARGEST = 60  # records in a group beyond which pairs are not counted one by one

Random = random.Random
Change = Callable[[Record, Random], Record]


@dataclass
class Score:
    """Pairs that were put together, and pairs that should have been."""

    right: int = 0
    wrong: int = 0
    untold: int = 0
    found: int = 0
    wanted: int = 0

    def line(self, name: str) -> str:
        """The figures as a line of the report."""
        precision = self.right / max(1, self.right + self.wrong)
        recall = f"recall {self.found / self.wanted:.4f}" if self.wanted else "nothing to find"
        return (
            f"{name:<34} {self.wanted:>7,} pairs  precision {precision:.4f}  {recall}"
            f"  ({self.wrong} wrong, {self.untold} untold)"
        )


# Ways in which services write the same paper.


def _initials(person: Person) -> str:
    return ". ".join(word[:1] for word in re.split(r"[\s.-]+", person.given) if word)


def _person(name: Person) -> Person:
    """Family and given name, where only the whole is known."""
    if name.family:
        return name
    if "," in name.name:
        family, _, given = name.name.partition(",")
        return Person(family.strip(), given.strip())
    given, _, family = name.name.rpartition(" ")
    return Person(family, given)


def _people(record: Record, write: Callable[[Person], Person]) -> tuple[Person, ...]:
    return tuple(write(_person(person)) for person in record.authors)


def as_scopus(record: Record, _: Random) -> Record:
    """Family name and initials, a publisher's tail."""
    return replace(
        record,
        authors=_people(record, lambda p: Person(p.family, f"{_initials(p)}.")),
        text=f"{record.text} © {record.year} Elsevier B.V. All rights reserved."
        if record.text
        else "",
    )


def as_wos(record: Record, _: Random) -> Record:
    """Capitals, initials without points."""
    return replace(
        record,
        title=record.title.title(),
        authors=_people(record, lambda p: Person(p.family, _initials(p).replace(". ", ""))),
    )


def as_bibtex(record: Record, _: Random) -> Record:
    """Typed by hand: no abstract, LaTeX dashes and quotes, whole names."""
    return replace(
        record,
        title=record.title.replace("-", "--", 1).replace("“", "``").replace("”", "''"),
        authors=_people(record, lambda p: Person(name=f"{p.given} {p.family}".strip())),
        text="",
    )


def as_dblp(record: Record, _: Random) -> Record:
    """A full stop behind the title, a number behind a namesake, no abstract."""
    return replace(
        record,
        title=f"{record.title.rstrip('.')}.",
        authors=_people(record, lambda p: Person(name=f"{p.given} {p.family} 0001".strip())),
        text="",
    )


def as_pubmed(record: Record, _: Random) -> Record:
    """The first authors only, section heads in the abstract."""
    return replace(
        record,
        authors=_people(record, lambda p: Person(p.family, _initials(p).replace(". ", "")))[:3],
        text=f"BACKGROUND: {record.text}" if record.text else "",
    )


def as_crossref(record: Record, _: Random) -> Record:
    """The subtitle on a line of its own, tags taken out, no abstract, a year later."""
    return replace(
        record, title=record.title.replace(": ", ":\n "), text="", year=(record.year or 0) + 1
    )


def swapped(record: Record, _: Random) -> Record:
    """Family and given names in each other's place."""
    return replace(record, authors=_people(record, lambda p: Person(p.given or p.family, p.family)))


# What happens to records on the way.


def typing_error(record: Record, random_: Random) -> Record:
    """A letter of the title lost, one twice, or two in each other's place; no abstract."""
    title = record.title
    at = random_.randrange(1, max(2, len(title) - 2))
    one, two = title[at], title[at + 1]
    return replace(
        record,
        title=title[:at] + random_.choice((two, one + one + two, two + one)) + title[at + 2 :],
        text="",
    )


def other_letter(record: Record, random_: Random) -> Record:
    """A letter of the title for another; the abstract is there."""
    at = random_.randrange(1, len(record.title) - 1)
    title = record.title[:at] + random_.choice("aeionrst") + record.title[at + 1 :]
    return replace(record, title=title)


def cut_short(record: Record, _: Random) -> Record:
    """The title ends where a column did."""
    words = record.title.split()
    return replace(record, title=" ".join(words[: max(4, len(words) * 3 // 4)]) + "...")


def without_subtitle(record: Record, _: Random) -> Record:
    """Only what stands before the colon."""
    return replace(record, title=record.title.partition(": ")[0])


def preprint(record: Record, random_: Random) -> Record:
    """A year earlier, on arXiv, the first words of the title others, the abstract revised."""
    sentences = re.split(r"(?<=[.!?])\s+", record.text)
    del sentences[random_.randrange(len(sentences))]
    words = record.title.split()
    return replace(
        record,
        title=" ".join(["Towards", *words[1:]]),
        text=" ".join(sentences),
        year=(record.year or 1) - 1,
        authors=_people(record, lambda p: Person(name=f"{p.given} {p.family}".strip())),
    )


REWRITTEN: dict[str, Change] = {
    f"rewritten as {name}": change
    for name, change in (
        ("Scopus", as_scopus), ("Web of Science", as_wos), ("BibTeX", as_bibtex), ("DBLP", as_dblp),
        ("PubMed", as_pubmed), ("Crossref", as_crossref), ("names swapped", swapped),
    )
}  # fmt: skip
WORN: dict[str, Change] = {
    "worn: a typing error": typing_error,
    "worn: another letter": other_letter,
    "worn: title cut short": cut_short,
    "worn: without its subtitle": without_subtitle,
    "worn: preprint, other title": preprint,
}

# Other papers, however alike.


def erratum(record: Record, _: Random) -> Record:
    """Printed a year later, by the same authors."""
    return replace(
        record, title=f"Erratum to: {record.title}", text="", year=(record.year or 0) + 1
    )


def reply(record: Record, _: Random) -> Record:
    """By another, to the same title."""
    return replace(
        record, title=f"Reply to “{record.title}”", text="", authors=(Person("Quux", "Zoe"),)
    )


def next_part(record: Record, _: Random) -> Record:
    """The second of two parts, with nearly the same abstract."""
    return replace(
        record,
        title=f"{record.title}, Part II",
        text=f"{record.text} This is the second of two parts." if record.text else "",
    )


def other_edition(record: Record, _: Random) -> Record:
    """A report that comes every year: the title differs by a number."""
    year = record.year or 2000
    title = (
        record.title.replace(str(year), str(year + 1))
        if str(year) in record.title
        else f"{record.title} {year + 1}"
    )
    return replace(record, title=title, text="", year=year + 1)


def by_others(record: Record, _: Random) -> Record:
    """The same title in the same year, by somebody else."""
    return replace(record, authors=(Person("Quux", "Zoe"), Person("Corge", "Ian")), text="")


def years_later(record: Record, _: Random) -> Record:
    """The same title and authors, ten years later."""
    return replace(record, text="", year=(record.year or 0) + 10)


def next_paper(record: Record, _: Random) -> Record:
    """By the same authors in the same year, of the same kind, on something else."""
    words = record.title.split()
    return replace(record, title=" ".join([*words[:-2], "quantum", "gravity"]), text="")


APART: dict[str, Change] = {
    "apart: an erratum": erratum,
    "apart: a reply": reply,
    "apart: the second part": next_part,
    "apart: the next edition": other_edition,
    "apart: same title, other authors": by_others,
    "apart: same title, ten years later": years_later,
    "apart: same authors, similar title": next_paper,
}


class Truth:
    """Which records of the inputs are known to be of one paper, and which are known not to be."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._parent = list(range(len(records)))
        self._ids: list[dict[str, set[str]]] = [defaultdict(set) for _ in records]
        holders: dict[tuple[str, str], int] = {}
        for number, record in enumerate(records):
            for name in _NAMES:
                value = getattr(record.ids, name)
                if value:
                    if not value.startswith(_REPOSITORIES):
                        self._ids[self._root(number)][name].add(value)
                    first = holders.setdefault((name, value), number)
                    self._join(first, number)

    def _root(self, number: int) -> int:
        while self._parent[number] != number:
            number = self._parent[number]
        return number

    def _join(self, one: int, two: int) -> None:
        one, two = self._root(one), self._root(two)
        if one != two:
            self._parent[two] = one
            for name, values in self._ids[two].items():
                self._ids[one][name] |= values

    def same(self, one: int, two: int) -> bool | None:
        """Whether two records are of one paper; None when their identifiers do not tell."""
        one, two = self._root(one), self._root(two)
        if one == two:
            return True
        first, second = self._ids[one], self._ids[two]
        told = [first[n].isdisjoint(second[n]) for n in _TELLING if first[n] and second[n]]
        return False if any(told) else None


@dataclass
class Run:
    """Records in which a number of the originals stands behind each, and what is wanted of them.

    `origin` is the place of the record that one was made from or is; None for a made paper that is
    another than all of them.
    """

    records: list[Record]
    origin: list[int | None]
    wanted: list[tuple[int, int]]


def two_files(records: Sequence[Record]) -> Iterator[Run]:
    """One run for each place in its group that a record can have, so that each loses its ids."""
    holders: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, record in enumerate(records):
        for name in _NAMES:
            if getattr(record.ids, name):
                holders[name, getattr(record.ids, name)].append(number)
    pairs = {
        (one, two)
        for group in holders.values()
        for one, two in combinations(sorted(set(group)), 2)
        if records[one].file != records[two].file
        and all(records[n].title or records[n].text for n in (one, two))
    }
    bare = {two for _, two in pairs}
    changed = [
        replace(record, ids=Identifiers()) if number in bare else record
        for number, record in enumerate(records)
    ]
    yield Run(changed, list(range(len(records))), sorted(pairs))


def copies(
    records: Sequence[Record], change: Change, random_: Random, *, same: bool
) -> Iterator[Run]:
    """Beside every record that says enough of itself another, made of it."""
    made: list[Record] = []
    origin: list[int | None] = [*range(len(records))]
    wanted = []
    for number, record in enumerate(records):
        if not (record.authors and record.year and len(record.title.split()) >= 4):
            continue
        if not (record.authors[0].family or record.authors[0].name):
            continue
        if change in (preprint, other_letter) and record.text.count(". ") < 4:
            continue
        copy = change(replace(record, ids=Identifiers(), file="made", ordinal=number), random_)
        if change is without_subtitle and len(copy.title.split()) < 3:
            continue
        if copy == replace(record, ids=copy.ids, file="made", ordinal=number):
            continue
        if same:
            wanted.append((number, len(records) + len(made)))
        made.append(copy)
        origin.append(number if same else None)
    yield Run([*records, *made], origin, wanted)


def judge(run: Run, truth: Truth, originals: int, *, between: bool) -> tuple[Score, list[str]]:
    """Match the records of a run and count; `between`: count pairs of originals, too."""
    papers = match_records(records_table(run.records)).records
    of = papers["paper"].to_pylist()
    reasons = papers["reason"].to_pylist()
    score = Score(wanted=len(run.wanted), found=sum(of[a] == of[b] for a, b in run.wanted))
    groups: dict[str, list[int]] = defaultdict(list)
    for number, paper in enumerate(of):
        groups[paper].append(number)
    wrong = []
    for members in groups.values():
        for one, two in combinations(members[:_LARGEST], 2):
            if two < originals and not between:
                continue
            first, second = run.origin[one], run.origin[two]
            told = False if first is None or second is None else truth.same(first, second)
            if first is None and second is None:
                continue
            score.right += told is True
            score.wrong += told is False
            score.untold += told is None
            if told is False:
                said = (
                    f"{r.title!r} {_who(r)} {r.year}" for r in (run.records[one], run.records[two])
                )
                wrong.append(f"    {' | '.join(said)}  [{reasons[two] or reasons[one]}]")
    return score, wrong


def _who(record: Record) -> str:
    return record.authors[0].display if record.authors else "-"


def missed(run: Run) -> Iterator[str]:
    """Say which pairs were not found."""
    of = match_records(records_table(run.records)).records["paper"].to_pylist()
    for one, two in run.wanted:
        if of[one] != of[two]:
            a, b = run.records[one], run.records[two]
            yield f"    {a.title!r} {_who(a)} {a.year} | {b.title!r} {_who(b)} {b.year}"


def runs(records: Sequence[Record], seed: int) -> Iterator[tuple[str, Run, bool]]:
    """Every run with its name and whether pairs of originals count in it."""
    for run in two_files(records):
        yield "two files, one without identifiers", run, True
    for table, same in ((REWRITTEN, True), (WORN, True), (APART, False)):
        for name, change in table.items():
            for run in copies(records, change, Random(seed), same=same):
                yield name, run, False
    # What is nothing but an identifier would be nothing at all.
    bare = [
        replace(record, ids=Identifiers()) if record.title or record.text else record
        for record in records
    ]
    (pairs,) = two_files(records)
    yield "no identifiers at all", Run(bare, list(range(len(records))), pairs.wanted), True


def main() -> None:
    """Print precision and recall by kind of pair, and over all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="Print N faults of each kind."
    )
    parser.add_argument("--only", default="", metavar="WORDS", help="Runs whose names begin so.")
    options = parser.parse_args()
    records = [r for r in read(options.inputs) if isinstance(r, Record)]
    truth = Truth(records)
    services = Counter(Path(r.file.partition("!")[0]).parent.name for r in records)
    print(f"{len(records):,} records of {len(services)} folders")
    total = Score()
    start = time.process_time()
    for name, run, between in runs(records, options.seed):
        if not name.startswith(options.only):
            continue
        score, wrong = judge(run, truth, len(records), between=between)
        print(score.line(name))
        for line in wrong[: options.show]:
            print("  wrong" + line)
        if options.show:
            for line in [*missed(run)][: options.show]:
                print("  missed" + line)
        for each in ("right", "wrong", "untold", "found", "wanted"):
            setattr(total, each, getattr(total, each) + getattr(score, each))
    print(total.line("all"))
    print(f"{time.process_time() - start:.0f} s of CPU")


if __name__ == "__main__":
    main()
