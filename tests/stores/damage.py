"""Damage an embedded database at random, again and again, and see that it is made whole.

    python -m tests.stores.damage [--times 200] [--seed 0]

says of each kind of damage how often it was done, and fails where an answer is wrong, where the
database does not come back, or where more or less is said than one line.
"""

import argparse
import collections
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from kg.stores.embedded import EmbeddedStore
from kg.stores.embedded_cache import STATE, Cache, encoded
from tests.stores.library import grown, library
from tests.stores.made import MadeSnapshot, difference

ROOT = Path(__file__).parents[2]
ALL_NODES = "MATCH (n) RETURN n, n.id AS id ORDER BY id"
ALL_EDGES = "MATCH (a)-[r]->(b) RETURN a.id, r, b.id, r.id AS id ORDER BY id, a.id, b.id"
# Makes the other build in the folder, until it is killed.
_WRITER = """
import sys
from pathlib import Path
from kg.stores.embedded import EmbeddedStore
from tests.stores.made import MadeSnapshot
from tests.stores.library import library
made = MadeSnapshot(Path(sys.argv[2]), library())
print("begun", flush=True)
while True:
    EmbeddedStore(Path(sys.argv[1])).load(made)
"""

Damage = Callable[[random.Random, Path], None]


def _flipped(rng: random.Random, path: Path) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(rng.choice([1, 1, 8, 200])):
        content[rng.randrange(len(content))] ^= rng.randrange(1, 256)
    found = path.stat()
    path.write_bytes(content)
    if rng.random() < 0.5:
        os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def _cut(rng: random.Random, path: Path) -> None:
    os.truncate(path, rng.randrange(path.stat().st_size))


def _garbage(rng: random.Random, path: Path) -> None:
    path.write_bytes(rng.randbytes(rng.randrange(5000)))


def _some_of(folder: Path, suffix: str) -> Path:
    state = Cache(folder).state()
    assert state is not None
    return folder / (STATE if suffix == STATE else state.file + suffix)


def _on(suffix: str, change: Damage) -> Damage:
    return lambda rng, folder: change(rng, _some_of(folder, suffix))


def _said_otherwise(rng: random.Random, folder: Path) -> None:
    """State.json, whole, of another version, other tables, or of an unknown build."""
    path = folder / STATE
    said = json.loads(path.read_text(encoding="utf-8"))["state"]
    said[rng.choice(["engine", "tables", "build"])] = rng.randbytes(8).hex()
    path.write_text(encoded(said), encoding="utf-8")


def _left_behind(rng: random.Random, folder: Path) -> None:
    """What an engine leaves that did not come to its end."""
    suffix = rng.choice([".shadow", ".wal.checkpoint"])
    _some_of(folder, suffix).write_bytes(rng.randbytes(rng.randrange(9000)))


def _killed(rng: random.Random, folder: Path) -> None:
    """Kill a process that writes another build, at any moment."""
    with tempfile.TemporaryDirectory() as place:
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(folder), place],
            cwd=ROOT, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert writer.stdout is not None
        assert writer.stdout.readline() == "begun\n"
        time.sleep(rng.random())
        writer.send_signal(signal.SIGKILL)
        writer.communicate()


DAMAGES: dict[str, Damage] = {
    "database flipped": _on("", _flipped),
    "database cut": _on("", _cut),
    "database garbage": _on("", _garbage),
    "database gone": _on("", lambda _, path: path.unlink()),
    "log flipped": _on(".wal", _flipped),
    "log cut": _on(".wal", _cut),
    "log gone": _on(".wal", lambda _, path: path.unlink()),
    "state flipped": _on(STATE, _flipped),
    "state cut": _on(STATE, _cut),
    "state garbage": _on(STATE, _garbage),
    "state gone": _on(STATE, lambda _, path: path.unlink()),
    "state of another": _said_otherwise,
    "left behind": _left_behind,
    "writer killed": _killed,
}


def run(times: int, seed: int, place: Path) -> collections.Counter[str]:
    """Damage a database so many times; AssertionError where one does not come back whole."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    before, after = (MadeSnapshot(place / m.__name__, m()) for m in (library, grown))
    whole = EmbeddedStore.synced(place / "whole", after, new=True)
    expected = [whole.rows(ALL_NODES), whole.rows(ALL_EDGES)]
    whole.close()
    done: collections.Counter[str] = collections.Counter()
    folder = place / "db"
    for turn in range(times):
        # With a log, as after most builds.
        EmbeddedStore.synced(folder, before, new=True).close()
        EmbeddedStore.synced(
            folder, after, changes_since=lambda _: difference(before, after), new=True
        ).close()
        kind = list(DAMAGES)[turn % len(DAMAGES)]
        DAMAGES[kind](rng, folder)
        untouched = kind == "writer killed" and _is_whole(folder, after)
        said: list[str] = []
        store = EmbeddedStore.synced(folder, after, notice=said.append)
        with contextlib.closing(store):
            where = f"turn {turn} of seed {seed}: {kind}: {said}"
            assert [store.rows(ALL_NODES), store.rows(ALL_EDGES)] == expected, where
            assert store.counts() == after.counts(), where
            assert len(said) == (0 if untouched else 1), where
        assert untouched or len([p for p in folder.iterdir() if ".lbug" in p.name]) == 1, where
        done[kind] += 1
    return done


def _is_whole(folder: Path, made: MadeSnapshot) -> bool:
    return EmbeddedStore(folder).build() == made.build


def main() -> None:
    """Run and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        done = run(options.times, options.seed, Path(place))
    for kind, times in done.items():
        print(f"{kind:20} {times:4}")
    print(f"{sum(done.values())} damages: right rows and one line each time")


if __name__ == "__main__":
    main()
