"""The embedded store as a cache: damage, other versions, swaps, readers while a writer works."""

import errno
import functools
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from kg.errors import QueryError, StoreError
from kg.graph.changes import Changes
from kg.graph.snapshot import MemorySnapshot
from kg.graph.tables import Table
from kg.stores import embedded_cache
from kg.stores.embedded import EmbeddedStore
from kg.stores.embedded_cache import STATE, Cache, encoded
from kg.stores.embedded_tables import copy_statement
from tests.stores import damage
from tests.stores.library import grown, library
from tests.stores.made import MadeSnapshot, difference, edge, entity

TITLES = "MATCH (p:Paper) RETURN p.title AS title ORDER BY title"


def since(old: MadeSnapshot, new: MadeSnapshot) -> Callable[[str], Changes]:
    """What a graph's folder says of the difference between two builds."""
    return lambda _: difference(old, new)


def database(folder: Path) -> Path:
    """The current database file."""
    state = Cache(folder).state()
    assert state is not None
    return folder / state.file


def test_a_second_opening_reads_what_is_there(tmp_path: Path, snapshot: MadeSnapshot) -> None:
    """Filling it again for each query would make queries as slow as builds."""
    EmbeddedStore.synced(tmp_path, snapshot).close()
    before = database(tmp_path).stat()
    said: list[str] = []
    EmbeddedStore.synced(tmp_path, snapshot, notice=said.append).close()

    assert database(tmp_path).stat() == before
    assert said == []


def test_a_new_build_is_applied_as_a_difference(
    tmp_path: Path, snapshot: MadeSnapshot, later: MadeSnapshot
) -> None:
    """And leaves one file and nothing of the work."""
    EmbeddedStore.synced(tmp_path, snapshot).close()
    asked: list[str] = []

    def asking(build: str) -> Changes:
        asked.append(build)
        return difference(snapshot, later)

    store = EmbeddedStore.synced(tmp_path, later, changes_since=asking)
    assert asked == [snapshot.build]
    assert store.counts() == later.counts()
    assert sorted(p.suffix for p in tmp_path.iterdir()) == ["", "", ".json", ".lbug", ".wal"]
    store.close()


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for place in range(5000, len(content), 4099):
        content[place] ^= 0x5A
    path.write_bytes(content)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "bytes flipped": lambda folder: _flip(database(folder)),
    "one byte flipped in its old time": lambda folder: _flip_one(database(folder)),
    "cut short": lambda folder: os.truncate(database(folder), 9000),
    "emptied": lambda folder: database(folder).write_bytes(b""),
    "removed": lambda folder: database(folder).unlink(),
    "something else": lambda folder: database(folder).write_bytes(b"not a database" * 900),
    "other engine": lambda folder: _state(folder, engine="0.1"),
    "other tables": lambda folder: _state(folder, tables="0"),
    "no state": lambda folder: (folder / STATE).unlink(),
    "half a state": lambda folder: (folder / STATE).write_text('{"build": "x', encoding="utf-8"),
    "a state of another kind": lambda folder: (folder / STATE).write_text("[]", encoding="utf-8"),
    "a log left behind": lambda folder: _beside(folder, ".wal").write_bytes(b"\x01\x02" * 500),
    "pages left behind": lambda folder: _beside(folder, ".shadow").write_bytes(b"\0" * 4096),
    "everything removed": shutil.rmtree,
    **{
        f"random bytes {n}": functools.partial(lambda n, at: _flip_some(n, at), n) for n in range(6)
    },
}


def _beside(folder: Path, suffix: str) -> Path:
    path = database(folder)
    return path.with_name(path.name + suffix)


def _flip_some(seed: int, folder: Path) -> None:
    """Change up to a hundred bytes somewhere."""
    chance = np.random.default_rng(seed)
    content = bytearray(database(folder).read_bytes())
    for place in chance.integers(0, len(content), chance.choice([1, 3, 100])):
        content[place] ^= int(chance.integers(1, 256))
    database(folder).write_bytes(content)


def _flip_one(path: Path) -> None:
    found = path.stat()
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def _state(folder: Path, **changes: str) -> None:
    path = folder / STATE
    said = json.loads(path.read_text(encoding="utf-8"))["state"]
    path.write_text(encoded(said | changes), encoding="utf-8")


@pytest.mark.parametrize("damage", DAMAGES)
def test_whatever_happens_to_the_cache_it_is_made_again(
    tmp_path: Path, snapshot: MadeSnapshot, damage: str
) -> None:
    """The tables are the truth; a broken cache costs a moment and one line."""
    store = EmbeddedStore.synced(tmp_path, snapshot)
    expected = store.rows(TITLES)
    store.close()
    DAMAGES[damage](tmp_path)
    said: list[str] = []
    store = EmbeddedStore.synced(tmp_path, snapshot, notice=said.append)

    assert store.rows(TITLES) == expected
    assert store.counts() == snapshot.counts()
    assert len(said) == 1
    assert said[0].endswith("it is made again from the tables.")
    store.close()


def test_random_damage_of_any_kind_costs_one_line(tmp_path: Path) -> None:
    """KG_DAMAGES of them: files flipped, cut, filled with anything, writers killed."""
    times = int(os.environ.get("KG_DAMAGES", "8"))
    assert damage.run(times, 1, tmp_path).total() == times


@pytest.mark.parametrize("damage", ["random bytes 0", "cut short", "a log left behind"])
def test_a_large_file_is_not_read_at_each_opening_and_its_damage_is_known_all_the_same(
    tmp_path: Path, snapshot: MadeSnapshot, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    """By its size and time of change; only a byte changed in its old time would pass."""
    monkeypatch.setattr("kg.stores.embedded_cache._ALWAYS_SUMMED", 0)
    EmbeddedStore.synced(tmp_path, snapshot).close()
    sums: list[Path] = []
    checksum = embedded_cache.checksum

    def counted(path: Path) -> int:
        sums.append(path)
        return checksum(path)

    monkeypatch.setattr(embedded_cache, "checksum", counted)
    EmbeddedStore.synced(tmp_path, snapshot).close()
    assert sums == []

    DAMAGES[damage](tmp_path)
    said: list[str] = []
    store = EmbeddedStore.synced(tmp_path, snapshot, notice=said.append)
    assert (store.counts(), len(said)) == (snapshot.counts(), 1)
    store.close()


def test_a_copied_folder_needs_no_new_database(
    tmp_path: Path, snapshot: MadeSnapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy has another time of change and the same content; making it again takes minutes."""
    monkeypatch.setattr("kg.stores.embedded_cache._ALWAYS_SUMMED", 0)
    EmbeddedStore.synced(tmp_path / "a", snapshot).close()
    shutil.copytree(tmp_path / "a", tmp_path / "b", copy_function=shutil.copy)
    before = database(tmp_path / "b").stat()
    said: list[str] = []
    EmbeddedStore.synced(tmp_path / "b", snapshot, notice=said.append).close()

    assert (database(tmp_path / "b").stat(), said) == (before, [])


def test_the_parts_of_a_file_are_summed_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No byte of any part may be left out, nor may two parts change places unseen."""
    monkeypatch.setattr("kg.stores.embedded_cache._PART", 1000)
    path = tmp_path / "file"
    content = np.random.default_rng(3).bytes(3500)
    path.write_bytes(content)
    whole = embedded_cache.checksum(path)
    for place in (0, 999, 1000, 2500, 3499):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert embedded_cache.checksum(path) != whole
    path.write_bytes(content[1000:2000] + content[:1000] + content[2000:])
    assert embedded_cache.checksum(path) != whole


def test_a_first_load_is_no_news_and_a_missing_database_is(
    tmp_path: Path, snapshot: MadeSnapshot
) -> None:
    """Who has just built a graph did not have one before."""
    said: list[str] = []
    EmbeddedStore.synced(tmp_path / "a", snapshot, new=True, notice=said.append).close()
    assert said == []
    EmbeddedStore.synced(tmp_path / "b", snapshot, notice=said.append).close()
    assert said == ["The embedded database is missing; it is made again from the tables."]


def test_a_difference_goes_into_a_log_and_leaves_the_large_file_as_it_is(
    tmp_path: Path, snapshot: MadeSnapshot, later: MadeSnapshot
) -> None:
    """Writing the file anew takes as long as a load."""
    EmbeddedStore.synced(tmp_path, snapshot).close()
    before, content = database(tmp_path).stat(), database(tmp_path).read_bytes()
    store = EmbeddedStore.synced(tmp_path, later, changes_since=since(snapshot, later))
    assert database(tmp_path).stat().st_ino == before.st_ino
    assert database(tmp_path).read_bytes() == content
    assert store.counts() == later.counts()
    # Now the store itself reads, and another that comes must leave it its file.
    other = EmbeddedStore.synced(tmp_path, snapshot, changes_since=since(later, snapshot))
    assert database(tmp_path).stat().st_ino != before.st_ino
    assert (store.counts(), other.counts()) == (later.counts(), snapshot.counts())
    store.close()
    other.close()


def test_many_differences_lead_to_the_same_as_a_load(
    tmp_path: Path,
    snapshot: MadeSnapshot,
    later: MadeSnapshot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """There and back again on one log, and then by a load, since the log may hold no more."""
    size = difference(snapshot, later).size
    monkeypatch.setattr("kg.stores.embedded_making._LOG_ROWS", 4 * size)
    everything = ("MATCH (n) RETURN n, n.id AS id ORDER BY id",
                  "MATCH (a)-[r]->(b) RETURN a.id, r, b.id, r.id AS id ORDER BY id")  # fmt: skip
    whole = {made.build: EmbeddedStore.synced(tmp_path / made.build, made)
             for made in (snapshot, later)}  # fmt: skip
    EmbeddedStore.synced(tmp_path / "db", snapshot).close()
    logs = []
    for old, new in [(snapshot, later), (later, snapshot)] * 3:
        store = EmbeddedStore.synced(tmp_path / "db", new, changes_since=since(old, new))
        assert store.counts() == new.counts()
        for cypher in everything:
            assert store.rows(cypher) == whole[new.build].rows(cypher)
        store.close()
        state = Cache(tmp_path / "db").state()
        assert state is not None
        logs.append(state.log_rows)
    assert logs == [size, 2 * size, 3 * size, 4 * size, 0, size]
    for each in whole.values():
        each.close()


LOG_DAMAGES: dict[str, Callable[[Path], object]] = {
    "cut": lambda log: os.truncate(log, log.stat().st_size // 2),
    "cut by a byte": lambda log: os.truncate(log, log.stat().st_size - 1),
    "emptied": lambda log: os.truncate(log, 0),
    "removed": lambda log: log.unlink(),
    "longer": lambda log: log.write_bytes(log.read_bytes() + b"\0" * 8),
    "changed": lambda log: log.write_bytes(log.read_bytes()[:-9] + b"123456789"),
}


@pytest.mark.parametrize("damage", LOG_DAMAGES)
def test_whatever_happens_to_the_log_the_database_is_made_again(
    tmp_path: Path, snapshot: MadeSnapshot, later: MadeSnapshot, damage: str
) -> None:
    """Half a log would be half a build, or the one before it."""
    EmbeddedStore.synced(tmp_path, snapshot).close()
    EmbeddedStore.synced(tmp_path, later, changes_since=since(snapshot, later)).close()
    LOG_DAMAGES[damage](_beside(tmp_path, ".wal"))
    said: list[str] = []
    store = EmbeddedStore.synced(tmp_path, later, notice=said.append)

    assert store.counts() == later.counts()
    assert said == ["The embedded database is damaged; it is made again from the tables."]
    store.close()


def test_a_difference_that_fails_ends_in_a_whole_load(
    tmp_path: Path, snapshot: MadeSnapshot, later: MadeSnapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And until then the build that was there stays."""
    EmbeddedStore.synced(tmp_path, snapshot).close()

    def fail(*_: object) -> None:
        assert EmbeddedStore(tmp_path).build() == snapshot.build
        raise RuntimeError("power is gone")

    monkeypatch.setattr("kg.stores.embedded_making.apply_changes", fail)
    said: list[str] = []
    store = EmbeddedStore.synced(
        tmp_path, later, changes_since=since(snapshot, later), notice=said.append
    )
    assert store.counts() == later.counts()
    assert said == [
        "The embedded database could not be brought up to date; it is made again from the tables."
    ]
    store.close()


def test_tables_larger_than_memory_are_filled_in_parts(
    tmp_path: Path, snapshot: MadeSnapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And hold the same as when they are filled at once."""
    whole = EmbeddedStore.synced(tmp_path / "a", snapshot)
    monkeypatch.setattr("kg.stores.embedded_sync._EDGE_BYTES", 1e12)
    copied: list[str] = []

    def counted(table: Table, files: Iterable[Path]) -> str:
        copied.append(table.name)
        return copy_statement(table, files)

    monkeypatch.setattr("kg.stores.embedded_sync.copy_statement", counted)
    monkeypatch.setattr(MadeSnapshot, "batches", _one_by_one)
    parts = EmbeddedStore.synced(tmp_path / "b", snapshot)
    for cypher in ("MATCH (n) RETURN n, n.id AS id ORDER BY id",
                   "MATCH (a)-[r]->(b) RETURN a.id, r, b.id, r.id AS id ORDER BY id"):  # fmt: skip
        assert parts.rows(cypher) == whole.rows(cypher)
    assert copied.count("WROTE.Author.Paper") == snapshot.counts()["WROTE.Author.Paper"]
    whole.close()
    parts.close()


def _one_by_one(snapshot: MadeSnapshot, name: str) -> Iterator[pa.RecordBatch]:
    yield from snapshot.table(name).to_batches(max_chunksize=1)


def test_a_difference_that_does_not_fit_ends_in_a_whole_load(
    tmp_path: Path, snapshot: MadeSnapshot, later: MadeSnapshot
) -> None:
    """A wrong difference must not leave a wrong graph."""
    EmbeddedStore.synced(tmp_path, snapshot).close()
    whole = difference(snapshot, later)
    half = Changes(whole.old, whole.new, whole.tables[:1])
    said: list[str] = []
    store = EmbeddedStore.synced(tmp_path, later, changes_since=lambda _: half, notice=said.append)

    assert store.counts() == later.counts()
    store.close()


def test_a_reader_keeps_its_build_while_another_is_written(
    tmp_path: Path, snapshot: MadeSnapshot, later: MadeSnapshot
) -> None:
    """A long notebook session must not see two builds mixed."""
    reader = EmbeddedStore.synced(tmp_path, snapshot)
    expected = reader.rows(TITLES)
    writer = EmbeddedStore.synced(tmp_path, later, changes_since=since(snapshot, later))

    assert reader.rows(TITLES) == expected
    assert writer.rows(TITLES) != expected
    reader.close()
    writer.close()


READER = """
import sys
from pathlib import Path
from kg.stores.embedded import EmbeddedStore
from tests.stores.made import MadeSnapshot
from tests.stores import damage
from tests.stores.library import grown, library
folder, place = Path(sys.argv[1]), Path(sys.argv[2])
for made in (library, grown, library):
    snapshot = MadeSnapshot(place / made.__name__, made())
    store = EmbeddedStore.synced(folder, snapshot)
    assert store.counts() == snapshot.counts(), made
    store.close()
print("consistent")
"""


def test_processes_that_want_different_builds_each_get_theirs(tmp_path: Path) -> None:
    """Two at once, each filling the same cache for itself."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", READER, str(tmp_path / "db"), str(tmp_path / str(i))],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        for i in range(2)
    ]  # fmt: skip
    assert [process.communicate()[0] for process in running] == ["consistent\n"] * 2


WRITER = """
import sys
from pathlib import Path
from kg.stores.embedded import EmbeddedStore
from tests.stores.made import MadeSnapshot
from tests.stores import damage
from tests.stores.library import grown
snapshot = MadeSnapshot(Path(sys.argv[2]), grown())
print("begin", flush=True)
EmbeddedStore.synced(Path(sys.argv[1]), snapshot)
"""


@pytest.mark.parametrize("delay_s", [0.0, 0.15, 0.3, 0.6])
def test_a_killed_writer_leaves_the_build_that_was(
    tmp_path: Path, snapshot: MadeSnapshot, delay_s: float
) -> None:
    """And the next one is not kept waiting by the lock of a dead process."""
    EmbeddedStore.synced(tmp_path / "db", snapshot).close()
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path / "db"), str(tmp_path / "later")],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    writer.stdout.readline()
    time.sleep(delay_s)
    writer.kill()
    writer.communicate()
    store = EmbeddedStore.synced(tmp_path / "db", snapshot)

    assert store.counts() == snapshot.counts()
    store.close()
    made = MadeSnapshot(tmp_path / "again", grown())
    store = EmbeddedStore.synced(tmp_path / "db", made)
    assert store.counts() == made.counts()
    assert len(list((tmp_path / "db").glob("*.lbug"))) == 1
    store.close()


def test_a_change_by_a_query_stays_until_the_next_build(
    tmp_path: Path, snapshot: MadeSnapshot, later: MadeSnapshot
) -> None:
    """--write is for trying things out; the tables know nothing of it."""
    store = EmbeddedStore.synced(tmp_path, snapshot)
    store.write("MATCH (p:Paper {id: 'doi:10.1/old'}) SET p.title = $t", {"t": "Mine"})
    assert ("Mine",) in store.rows(TITLES).rows
    store.close()

    again = EmbeddedStore.synced(tmp_path, snapshot)
    assert ("Mine",) in again.rows(TITLES).rows
    again.close()
    built = EmbeddedStore.synced(tmp_path, later, changes_since=since(snapshot, later))
    assert ("Mine",) not in built.rows(TITLES).rows
    built.close()


def test_a_full_disk_is_told_and_leaves_the_database_that_was(
    tmp_path: Path, snapshot: MadeSnapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build that is whole must not look failed because its cache could not be copied."""
    EmbeddedStore.synced(tmp_path, snapshot).close()
    before = sorted(tmp_path.iterdir())

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", full)
    store = EmbeddedStore(tmp_path)
    with pytest.raises(StoreError, match="No space left"):
        store.write("CREATE (:Method {id: 'x'})")
    assert sorted(tmp_path.iterdir()) == before


def test_a_graph_in_memory_needs_no_files(tmp_path: Path) -> None:
    """Filtered graphs and parts have none."""
    part = MemorySnapshot.of_rows(
        {
            "Method": [entity("method:a", "A"), entity("method:b", "B\0'\"\\")],
            "USES.Method.Method": [edge("USES.Method.Method", "method:a", "method:b", paper="p")],
        }
    )
    store = EmbeddedStore.synced(tmp_path, part)
    answer = store.rows("MATCH (a)-[:USES]->(b) RETURN a.name AS a, b.name AS b")
    assert answer.dicts() == [{"a": "A", "b": "B\0'\"\\"}]
    store.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_graph_that_cannot_be_written_is_read_all_the_same(
    tmp_path: Path, snapshot: MadeSnapshot
) -> None:
    """Shared folders are often read-only."""
    tmp_path.chmod(0o555)
    said: list[str] = []
    store = EmbeddedStore.synced(tmp_path / "db", snapshot, notice=said.append)
    assert store.counts() == snapshot.counts()
    assert "temporary" in said[0]
    store.close()
    tmp_path.chmod(0o755)


def test_a_name_that_is_not_in_the_schema_gets_the_nearest(
    tmp_path: Path, snapshot: MadeSnapshot
) -> None:
    """Who typed Methods wants to know that it is Method."""
    store = EmbeddedStore.synced(tmp_path, snapshot)
    for cypher, near in (
        ("MATCH (m:Methods) RETURN m", "Method"),
        ("MATCH (p:Paper) RETURN p.titel", "title"),
        ("MATCH ()-[:EVALUATE_ON]->() RETURN 1", "EVALUATES_ON"),
        ("MATCH (m:Method {nam: 'x'}) RETURN m", "name"),
    ):
        with pytest.raises(QueryError, match=near):
            store.rows(cypher)
    store.close()


def test_a_store_of_nothing_says_so(tmp_path: Path) -> None:
    """db/ alone is no graph."""
    with pytest.raises(StoreError, match="no embedded database"):
        EmbeddedStore(tmp_path).rows("RETURN 1")


def test_the_made_graphs_are_what_the_other_tests_take_them_for() -> None:
    """One paper came and one went between them."""
    before, after = ({r["id"] for r in rows["Paper"]} for rows in (library(), grown()))
    assert (after - before, before - after) == ({"doi:10.1/yew"}, {"doi:10.1/elm"})


@pytest.mark.parametrize(
    ("cypher", "problem", "remedy"),
    [
        ("RETURN 1/0", "Divide by zero.", "WHERE x <> 0"),
        ("RETURN 5 % 0", "Modulo by zero.", "WHERE x <> 0"),
        ("MATCH (p:Paper) RETURN p.id LIMIT -1", "non-negative integer", "LIMIT and SKIP"),
        ("RETURN sise('a')", "function SISE does not exist", "Nearest: size"),
        ("MATCH (paper:Paper) RETURN papr.id", "Variable papr", "Is paper meant?"),
        ("RETURN 9223372036854775807 + 1", "INT64 range", "64 bits"),
        ("RETURN date('x')", "parsing date", "'2024-05-31'"),
        ("RETURN 'a' * 2", "(STRING,INT64)", "toString()"),
        ("MATCH (p:Paper) WHERE p.title > 5 RETURN p.id", "Could not convert", "toString()"),
        ("RETURN substring('abc')", "substring() takes 2 to 3 arguments, not 1", "commas"),
        ("RETURN toLower()", "toLower() takes 1 argument, not 0", "commas"),
        ("RETURN split('a')", "split() takes 2 arguments, not 1", "commas"),
        ("RETURN 1 AS a, 2 AS a", "two columns are called a", "AS"),
        ("MATCH (p:Papers) RETURN p", "Papers", "nearest: Paper"),
    ],
)
def test_what_a_query_cannot_do_comes_with_what_to_do(
    filled_embedded: EmbeddedStore, cypher: str, problem: str, remedy: str
) -> None:
    """A list of labels is no help against a division by zero."""
    with pytest.raises(QueryError) as caught:
        filled_embedded.rows(cypher)
    assert problem in caught.value.problem
    assert remedy in caught.value.remedy


@pytest.mark.parametrize("value", [2**63, [1, -(2**63) - 1], {"a": [2**64]}])
def test_a_number_of_more_than_64_bits_is_refused(
    filled_embedded: EmbeddedStore, value: object
) -> None:
    """The database would cut it, or speak of C++."""
    with pytest.raises(QueryError, match="64 bits"):
        filled_embedded.rows("RETURN $n AS n", {"n": value})
