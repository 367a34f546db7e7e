"""The graph is a function of what is in it, not of how it got there."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.api.extracting import Reading
from kg.graph.assembly import assemble, with_hashes
from kg.graph.build import Draft, make_build
from kg.graph.extraction_table import extractions_table, text_hash
from kg.graph.folder import writing
from kg.graph.manifest import Input, Settings
from kg.graph.record_parts import (
    REJECTED_PART,
    Part,
    ordered_records,
    record_part,
    stored_parts,
    without_inputs,
)
from kg.graph.tables import TABLES
from kg.model.extraction import Extraction
from kg.model.record import Identifiers, Person, Record, Reference
from kg.resolve.papers import match_records
from tests.graph.capitals import Capitals

_IN_MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: PTH112, S108
# How many sequences are tried; a long run sets the variable.
_SEQUENCES = int(os.environ.get("KG_TEST_SEQUENCES", "1000"))
_SEQUENCES_ON_DISK = max(30, _SEQUENCES // 30)

# Papers that touch each other in every way: shared names under several spellings, shared
# identifiers, one text twice, references to papers that are there, come later or never come.
_PAPERS = (
    Record(title="On NetA", text="We propose NetA. NetA gains 3.1% on SetB.", ids=Identifiers(doi="10.1/a")),
    Record(title="More NetA", text="NetA-XL extends NetA on SetB and SetC.", ids=Identifiers(doi="10.1/b", arxiv="2401.00001"),
           references=(Reference(ids=Identifiers(doi="10.1/a")), Reference(ids=Identifiers(doi="10.1/zz"), title="Gone"))),
    Record(title="More NetA", text="NetA-XL extends NetA on SetB and SetC, a preprint.", ids=Identifiers(arxiv="2401.00001"),
           authors=(Person("Lin", "Bo"), Person(name="A. Ash"))),
    Record(title="", text="The NETA and the SETB. It gains 2.2% over NetD.", venue="Journal of Nets"),
    Record(title="", text="The NETA and the SETB. It gains 2.2% over NetD.", venue="journal of nets"),
    Record(title="NetD", text="NetDs beat NetA by 1% (doi:10.1/a).", ids=Identifiers(doi="10.1/d"),
           authors=(Person("Lin", "Bo", orcid="0000-0001"), Person("Lin", "Bo"))),
    Record(title="Only a title", authors=(Person("Ash", "A."),), year=2020, venue="JN"),
    Record(title="Zed", text="SetC is part of SetB. TaskE uses NetD.", ids=Identifiers(doi="10.1/zz")),
)  # fmt: skip

# The same papers as their sources corrected them: another identifier, title, text or reference.
_CORRECTED = (
    replace(_PAPERS[0], title="On NetA and SetB", year=2021),
    replace(_PAPERS[1], references=(Reference(raw="B. Lin. NetD. 2020."), *_PAPERS[1].references[:1])),
    replace(_PAPERS[2], ids=Identifiers(arxiv="2401.00001", doi="10.1/d")),
    replace(_PAPERS[3], text="The NetA and the SetB. It gains 2.3% over NetD (doi:10.1/zz)."),
    replace(_PAPERS[4], title="Now it has a title", ids=Identifiers(s2="77")),
    replace(_PAPERS[5], text="NetDs beat NetA by 1% (doi:10.1/a) and 2% (doi:10.1/b).", year=2020),
    replace(_PAPERS[6], authors=(Person("Bee", "C."),)),
    replace(_PAPERS[7], ids=Identifiers(doi="10.1/z2"), title="Only a title", year=2020),
)  # fmt: skip


class _Later(Capitals):
    """Another version of the model: it finds no relations, and thinks less of its claims."""

    def __init__(self) -> None:
        super().__init__("capitals-2")

    def _extraction(self, text: str) -> Extraction:
        found = super()._extraction(text)
        claims = tuple(replace(claim, confidence=0.6) for claim in found.claims)
        return replace(found, relations=(), claims=claims)


_MODELS = (Capitals, _Later)


@dataclass(frozen=True)
class _Step:
    """One run: papers that come, are corrected and go, by their place; and whether it upgrades."""

    add: tuple[int, ...] = ()
    correct: tuple[int, ...] = ()
    remove: tuple[int, ...] = ()
    upgrade: bool = False

    def records(self) -> Iterator[tuple[int, int]]:
        """Place and version of every record that this run reads."""
        yield from ((place, 0) for place in self.add if place not in self.remove)
        yield from ((p, 1) for p in self.correct if p not in (*self.add, *self.remove))


@dataclass(frozen=True)
class _Content:
    """What a sequence of runs leaves: versions of papers, and the model that read them."""

    versions: frozenset[tuple[int, int]] = frozenset()
    model: int = 0

    def after(self, step: _Step) -> "_Content":
        """What it is after one more run."""
        gone = {*step.add, *step.correct, *step.remove}
        kept = {(place, version) for place, version in self.versions if place not in gone}
        return _Content(frozenset({*kept, *step.records()}), max(self.model, int(step.upgrade)))


_places = st.lists(st.integers(0, len(_PAPERS) - 1), max_size=4, unique=True).map(tuple)
_few = st.lists(st.integers(0, len(_PAPERS) - 1), max_size=2, unique=True).map(tuple)
_upgrades = st.integers(0, 5).map(lambda n: n == 0)
_steps = st.lists(st.builds(_Step, _places, _few, _places, _upgrades), min_size=1, max_size=6)
_often = settings(
    max_examples=_SEQUENCES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@_often
@given(_steps, st.integers(1, 5))
def test_any_sequence_of_runs_gives_the_graph_of_what_is_left(
    steps: Sequence[_Step], batch_rows: int
) -> None:
    """Adding, removing, correcting and upgrading are one thing: the function runs again."""
    library, content = _Library(), _Content()
    for step in steps:
        library.run(step)
        content = content.after(step)

    found, expected = library.tables(batch_rows), _tables_from_nothing(content)
    assert [name for name in TABLES if not found[name].equals(expected[name])] == []


@settings(_often, max_examples=_SEQUENCES_ON_DISK)
@given(_steps)
def test_any_sequence_of_runs_gives_the_bytes_of_one_build_of_what_is_left(
    steps: Sequence[_Step],
) -> None:
    """Otherwise a graph that grew for a year could not be compared with one made today."""
    content = _Content()
    with TemporaryDirectory(dir=_IN_MEMORY) as name:
        grown = Path(name, "grown.kg")
        for step in steps:
            content = content.after(step)
            _run(grown, step, content.model)

        assert _files(grown) == _bytes_from_nothing(content)


@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4, 5, 6, 7), (7, 2, 5, 4, 3, 1, 6, 0)])
def test_the_order_of_papers_does_not_show(tmp_path: Path, order: tuple[int, ...]) -> None:
    """Two people with the same files in two folders must get the same graph."""
    _run(tmp_path / "one.kg", _Step(add=order))
    _run(tmp_path / "other.kg", _Step(add=tuple(range(len(_PAPERS)))))

    assert _files(tmp_path / "one.kg") == _files(tmp_path / "other.kg")


@pytest.fixture(autouse=True)
def _no_syncing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of small builds would wait for the disk; test_durable.py is about that."""
    monkeypatch.setattr("os.fsync", lambda _: None)


class _Library:
    """What a folder holds, in the order in which it came, without the disk."""

    def __init__(self) -> None:
        self._parts: tuple[Part, ...] = ()
        self._kept: dict[tuple[str, int], Extraction] = {}
        self._model = 0

    def run(self, step: _Step) -> None:
        """Do what a build or a removal does to the records, and read what is new."""
        self._parts = _parts_after(self._parts, step)
        self._model = max(self._model, int(step.upgrade))
        for part in self._parts:
            for text in part.rows["text"].to_pylist():
                if text:
                    (found,) = _MODELS[self._model]().extract([text])
                    self._kept.setdefault((text_hash(text), self._model), found)

    def tables(self, batch_rows: int) -> dict[str, pa.Table]:
        """The graph, assembled from extractions in the order in which texts were read."""
        records, order = ordered_records(self._parts)
        matched = match_records(records.drop_columns(["input"]), order=order)
        pairs = ((key, each) for (key, model), each in self._kept.items() if model == self._model)
        table = extractions_table(pairs)
        papers = with_hashes(matched.papers)
        return dict(assemble(papers, lambda: iter(table.to_batches(batch_rows))).tables)


@cache
def _tables_from_nothing(content: _Content) -> dict[str, pa.Table]:
    library = _Library()
    library.run(_whole(content))
    return library.tables(100)


def _whole(content: _Content) -> _Step:
    """One run that leaves the content."""
    by_version: tuple[list[int], list[int]] = ([], [])
    for place, version in sorted(content.versions, reverse=True):
        by_version[version].append(place)
    return _Step(tuple(by_version[0]), tuple(by_version[1]), upgrade=content.model > 0)


def _parts_after(parts: Iterable[Part], step: _Step) -> tuple[Part, ...]:
    gone = [str(place) for place in (*step.add, *step.correct, *step.remove)]
    new = (Part(record_part(str(p), [_record(p, version)])) for p, version in step.records())
    return (*without_inputs(parts, gone), *new)


def _run(folder: Path, step: _Step, model: int = 0) -> None:
    """Read papers as inputs of their own and take others out, in one build."""
    with writing(folder, create=True) as writer:
        settings = writer.manifest.settings if writer.manifest else Settings()
        draft = Draft(
            _parts_after(stored_parts(folder, writer.manifest), step), REJECTED_PART.empty_table(),
            tuple(_inputs(range(len(_PAPERS)))), settings, "test", step.upgrade,
        )  # fmt: skip
        make_build(writer, draft, Reading(_MODELS[model]()))


@cache
def _bytes_from_nothing(content: _Content) -> dict[str, bytes]:
    with TemporaryDirectory(dir=_IN_MEMORY) as name:
        _run(Path(name, "fresh.kg"), _whole(content), content.model)
        return _files(Path(name, "fresh.kg"))


def _record(place: int, version: int) -> Record:
    known = (_PAPERS, _CORRECTED)[version][place]
    return replace(known, file=f"{place}.json", line=1, ordinal=1)


def _inputs(places: Sequence[int]) -> Iterator[Input]:
    return (Input(str(p), f"{p}.json", "", "", "", "json", 1, 0) for p in places)


def _files(folder: Path) -> dict[str, bytes]:
    """Every byte of nodes/ and edges/, by file."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for table in ("nodes", "edges")
        for path in sorted((folder / table).iterdir())
    }
