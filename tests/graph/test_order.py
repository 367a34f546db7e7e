"""The graph is a function of what is in it, not of how it got there."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.api.extracting import Reading
from kg.graph.build import Draft, make_build
from kg.graph.folder import writing
from kg.graph.manifest import Input, Settings
from kg.graph.record_parts import (
    REJECTED_PART,
    Part,
    record_part,
    stored_parts,
    without_inputs,
)
from kg.model.record import Identifiers, Person, Record, Reference
from tests.graph.capitals import Capitals

_IN_MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: PTH112, S108

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


@dataclass(frozen=True)
class _Step:
    """One run: papers that come and papers that go, by their place in _PAPERS."""

    add: tuple[int, ...]
    remove: tuple[int, ...]


_places = st.lists(st.integers(0, len(_PAPERS) - 1), max_size=4, unique=True).map(tuple)
_steps = st.lists(st.builds(_Step, _places, _places), min_size=1, max_size=5)


@settings(
    max_examples=int(os.environ.get("KG_TEST_SEQUENCES", "100")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(_steps)
def test_any_sequence_of_runs_gives_the_bytes_of_one_build_of_what_is_left(
    steps: Sequence[_Step],
) -> None:
    """Otherwise a graph that grew for a year could not be compared with one made today."""
    left: set[int] = set()
    with TemporaryDirectory(dir=_IN_MEMORY) as name:
        grown = Path(name, "grown.kg")
        for step in steps:
            left = (left | set(step.add)) - set(step.remove)
            _run(grown, add=step.add, remove=step.remove)

        assert _files(grown) == _from_nothing(frozenset(left))


@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4, 5, 6, 7), (7, 2, 5, 4, 3, 1, 6, 0)])
def test_the_order_of_papers_does_not_show(tmp_path: Path, order: tuple[int, ...]) -> None:
    """Two people with the same files in two folders must get the same graph."""
    _run(tmp_path / "one.kg", add=order, remove=())
    _run(tmp_path / "other.kg", add=range(len(_PAPERS)), remove=())

    assert _files(tmp_path / "one.kg") == _files(tmp_path / "other.kg")


@pytest.fixture(autouse=True)
def _no_syncing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of small builds would wait for the disk; test_durable.py is about that."""
    monkeypatch.setattr("os.fsync", lambda _: None)


def _run(folder: Path, *, add: Sequence[int], remove: Sequence[int]) -> None:
    """Add papers as inputs of their own and take others out, in one build."""
    with writing(folder, create=True) as writer:
        parts = without_inputs(
            stored_parts(folder, writer.manifest), [str(place) for place in (*add, *remove)]
        )
        new = [
            Part(record_part(str(place), [_record(place)])) for place in add if place not in remove
        ]
        draft = Draft(
            (*parts, *new), REJECTED_PART.empty_table(), tuple(_inputs(range(len(_PAPERS)))),
            Settings(), "test",
        )  # fmt: skip
        make_build(writer, draft, Reading(Capitals()))


@cache
def _from_nothing(places: frozenset[int]) -> dict[str, bytes]:
    with TemporaryDirectory(dir=_IN_MEMORY) as name:
        _run(Path(name, "fresh.kg"), add=sorted(places, reverse=True), remove=())
        return _files(Path(name, "fresh.kg"))


def _record(place: int) -> Record:
    return replace(_PAPERS[place], file=f"{place}.json", line=1, ordinal=1)


def _inputs(places: Sequence[int]) -> Iterator[Input]:
    return (Input(str(p), f"{p}.json", "", "", "", "json", 1, 0) for p in places)


def _files(folder: Path) -> dict[str, bytes]:
    """Every byte of nodes/ and edges/, by file."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for table in ("nodes", "edges")
        for path in sorted((folder / table).iterdir())
    }
