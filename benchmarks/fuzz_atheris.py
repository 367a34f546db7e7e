"""Feed every reader inputs that Atheris finds by coverage, and report what breaks.

    pip install atheris
    python -m benchmarks.fuzz_atheris all --seconds 1800 --folder fuzz [FILE_OR_FOLDER ...]

Each format runs in a process of its own, from seeds that are made up here and from the files named that are
of that format. An input fails when reading raises, when a reader says that it failed, when the count does not
close, when a second read differs, when it takes more than 20 seconds or more than 3 GB. Failing inputs stand in
the folder under the format's name, one for each kind of failure, beside the corpus that a later run goes on with.
Atheris is no dependency of the project; this script alone needs it.
"""

import argparse
import hashlib
import importlib
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

_LONGEST = 8_000  # bytes of a seed; coverage comes from variety, not from length
_TIMEOUT_S = 20
_MEMORY_MB = 3_000
_RUNS = re.compile(r"(?:Done (\d+) runs|stat::number_of_executed_units:\s*(\d+))")


def main() -> None:
    """Run one format, or all of them one after the other; exit 1 if an input failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("format", help="a format of `kg formats`, `found` for any, or all")
    parser.add_argument("inputs", nargs="*", type=Path, help="files and folders of seeds")
    parser.add_argument("--seconds", type=int, default=300, help="of all formats together")
    parser.add_argument("--folder", type=Path, default=Path("fuzz"))
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        _fuzz(options.format, options.folder, options.seconds)
        return
    from kg.sources.registry import readers

    formats = [*readers(), "found"] if options.format == "all" else [options.format]
    _seeds(formats, options.inputs, options.folder)
    failed = sum(
        _run(name, options.folder, options.seconds // len(formats) or 1) for name in formats
    )
    raise SystemExit(1 if failed else 0)


def _run(name: str, folder: Path, seconds: int) -> int:
    """Fuzz one format, starting again after an input that ended the process; return failures."""
    end, tried = time.monotonic() + seconds, 0
    while (left := int(end - time.monotonic())) > 0:
        command = [sys.executable, "-m", "benchmarks.fuzz_atheris", name, "--inside"]
        command += ["--folder", str(folder), "--seconds", str(left)]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        runs = [max(map(int, filter(None, found))) for found in _RUNS.findall(done.stderr)]
        marks = [int(found) for found in re.findall(r"(?m)^#(\d+)\t", done.stderr)]
        tried += max([*runs, *marks], default=0)
        if done.returncode == 0:
            break
        if not marks:
            raise SystemExit(f"{name}: the fuzzer did not start:\n{done.stderr[-2000:]}")
    failures = sorted(p for p in (folder / name).glob("*-*") if p.is_file())
    print(f"{name}: {tried} inputs, {len(failures)} failures", *failures, sep="\n  ", flush=True)
    return len(failures)


def _fuzz(name: str, folder: Path, seconds: int) -> None:
    """Run libFuzzer in this process; it does not come back."""
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["kg.sources"]):
        from benchmarks import fuzz_sources
        from kg.sources.registry import readers

        readers()
    place = folder / name
    seen: set[str] = set()

    def one(data: bytes) -> None:
        problem = _problem(fuzz_sources, data, name)
        kind = re.sub(r"\d+", "0", problem)[:80]
        if problem and kind not in seen:
            seen.add(kind)
            mark = hashlib.sha256(kind.encode()).hexdigest()[:8]
            (place / f"failure-{mark}").write_bytes(data)
            (place / f"failure-{mark}.txt").write_text(problem, encoding="utf-8")

    (place / "corpus").mkdir(parents=True, exist_ok=True)
    limits = [f"-max_total_time={seconds}", f"-timeout={_TIMEOUT_S}", f"-rss_limit_mb={_MEMORY_MB}"]
    places = [f"-artifact_prefix={place}/", str(place / "corpus")]
    atheris.Setup([sys.argv[0], *limits, f"-max_len={4 * _LONGEST}", *places], one)
    atheris.Fuzz()


def _problem(fuzz_sources: ModuleType, data: bytes, name: str) -> str:
    if not data:
        return ""
    problem: str = fuzz_sources.tried(data, None if name == "found" else name, Counter())
    return problem


def _seeds(formats: list[str], inputs: list[Path], folder: Path) -> None:
    """Give each format's corpus the seeds that are of that format; `found` gets all."""
    from benchmarks.fuzz_sources import SEEDS, files

    for data in (*SEEDS, *(each[:_LONGEST] for each in files(inputs))):
        for name in {"found", *_claimed(data)} & set(formats):
            place = folder / name / "corpus"
            place.mkdir(parents=True, exist_ok=True)
            (place / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)


def _claimed(data: bytes) -> Iterator[str]:
    """The formats that a seed may be of: that which is found, and its like."""
    from kg.sources import encodings
    from kg.sources.reader import Sample
    from kg.sources.registry import readers

    encoding, mark = encodings.detect(data, whole=True)
    text = encodings.decode_head(data[mark:], encoding) if encoding else ""
    sample = Sample("seed", data, text, whole=True)
    yield from (name for name, each in readers().items() if each.sniff(sample) > 0)


if __name__ == "__main__":
    main()
