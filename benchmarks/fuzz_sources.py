"""Feed damaged files to every reader for as long as you like.

    python benchmarks/fuzz_sources.py --seconds 600 --state fuzz.json [FILE_OR_FOLDER ...]

Seeds are the files named, and small ones that are made up here. Each input is a seed with cuts, flips,
splices and repeated parts, read as its own format, as a random other one, and compressed. An input fails
when reading raises anything but InputError, when a reader reports that it failed, when the count does not
close, when the result differs on a second read, or when one input takes more than --limit seconds. The state
file keeps seed number and figures, so that a run goes on where it stopped; failing inputs are written beside it.
"""

import argparse
import gzip
import io
import json
import random
import time
import zipfile
from collections import Counter
from pathlib import Path

from kg.errors import InputError
from kg.model.record import FileReport, Record
from kg.sources.registry import read, readers

SEEDS = (
    b"On Ice\n\nWe walk on ice for days. It is cold.\n\nOn Snow\n\nWe walk on snow for days, and fall.\n",
    b"[1] arXiv:2501.00001 [pdf]\nTitle: On Ice\nA. Doe, B. Roe\nSubjects: cs.RO\nWe walk on ice, and fall.\n",
    b"@article{a, title={On {\\\"I}ce}, author={Doe, J}, abstract={We \\textbf{walk}.}}\n@misc{b, title={B}}\n",
    b"TY  - JOUR\nTI  - On Ice\nAB  - We walk.\nER  - \n\nTY  - JOUR\nTI  - B\nER  - \n",
    b"%0 Book\n%T On Ice\n%X We walk.\n\n%0 Book\n%T B\n",
    b"PMID- 1\nOWN - NLM\nTI  - On Ice\nAB  - We walk.\n\nPMID- 2\nTI  - B\n",
    b"FN X\nVR 1.0\nPT J\nAU Doe, J\nTI On Ice\nCR Roe R, 2001, J ICE, V1, P2\nER\n\nEF\n",
    b"Title;Abstract;Year\n\"On Ice\";\"We walk.\";2019\nB;C;2020\n",
    b'{"title": "On Ice", "abstract": "We walk.", "authors": [{"name": "A"}]}\n{"title": "B"}\n',
    b'[{"title": "On Ice", "abstract": "We walk.", "references": [{"doi": "10.1000/x"}]}]',
    b"1. J Ice. 2020 May;1(1):2.\n\nOn ice.\n\nDoe J.\n\nWe walk on ice for days and fall.\n\nPMID: 1\n",
    b'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><entry><title>A</title></entry></feed>',
)  # fmt: skip
# What a reader says when it stumbled over something that nobody thought of.
FAULTS = ("and the rest of the file is not read", "reading it failed")
SPLICES = (
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n\n",
    b'"',
    b"{",
    b"}",
    b"[",
    b"<",
    b"&#",
    b"\\",
    b"@",
    b"%0 ",
)


def main() -> None:
    """Run until the time is up; exit 1 if an input failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("inputs", nargs="*", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--state", type=Path, default=Path("fuzz.json"))
    options = parser.parse_args()
    seeds = [*SEEDS, *files(options.inputs)]
    formats = list(readers())
    state = json.loads(options.state.read_text("utf-8")) if options.state.exists() else {}
    number, counts = state.get("next", 0), Counter(state.get("counts", {}))
    failures: list[str] = list(state.get("failures", []))
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        data, name = _input(random.Random(number), seeds, formats)  # noqa: S311
        started = time.monotonic()
        problem = tried(data, name, counts)
        if not problem and time.monotonic() - started > options.limit:
            problem = f"took over {options.limit} s"
        counts["inputs"] += 1
        counts[f"as {name or 'found'}"] += 1
        if problem:
            failures.append(f"{number}: as {name}: {problem}")
            options.state.with_name(f"fuzz-{number}.bin").write_bytes(data)
        number += 1
        if number % 200 == 0:
            _save(options.state, number, counts, failures)
    _save(options.state, number, counts, failures)
    print(f"{counts['inputs']} inputs, {counts['records']} records, {counts['rejected']} rejected")
    print(f"{len(failures)} failures", *failures[:20], sep="\n")
    raise SystemExit(1 if failures else 0)


def files(inputs: list[Path]) -> list[bytes]:
    """Return the starts of the files, unpacked where they are gzipped."""
    found = [p for each in inputs for p in (sorted(each.rglob("*")) if each.is_dir() else [each])]
    data = (path.read_bytes() for path in found if path.is_file())
    plain = (gzip.decompress(each) if each[:2] == b"\x1f\x8b" else each for each in data)
    return [each[:30_000] for each in plain]


def _input(rng: random.Random, seeds: list[bytes], formats: list[str]) -> tuple[bytes, str | None]:
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.randint(1, 6)):
        place = rng.randint(0, len(data))
        size = rng.randint(1, 200)
        match rng.randint(0, 6):
            case 0:
                del data[place:]
            case 1 if place < len(data):
                data[place] = rng.randint(0, 255)
            case 2:
                data[place:place] = data[place : place + size] * rng.choice((1, 2, 50))
            case 3:
                data[place:place] = rng.choice(SPLICES) * rng.choice((1, 1, 1, 3, 2000))
            case 4:
                other = rng.choice(seeds)
                start = rng.randint(0, len(other))
                data[place:place] = other[start : start + size * 5]
            case 5:
                del data[place : place + size]
            case _:
                data[place:place] = rng.randbytes(rng.randint(1, 20))
    packed = bytes(data)
    match rng.randint(0, 12):
        case 0:
            packed = gzip.compress(packed)[: rng.choice((None, 40, 200))]
        case 1:
            target = io.BytesIO()
            with zipfile.ZipFile(target, "w") as archive:
                archive.writestr("a", packed)
            packed = target.getvalue()[: rng.choice((None, 60, -5))]
        case 2:
            text = packed.decode("utf-8", "replace")
            packed = text.encode(
                rng.choice(("utf-16", "utf-32-le", "cp1252", "gb18030")), "replace"
            )
    return packed, rng.choice((None, None, None, rng.choice(formats)))


def tried(data: bytes, name: str | None, counts: Counter[str]) -> str:
    """Read an input twice; return what is wrong with the result, empty if nothing is."""
    try:
        first, report = _read(data, name)
        again, _ = _read(data, name)
    except InputError:
        counts["refused"] += 1
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    counts["records"] += report.records
    counts["rejected"] += report.rejected
    kept = sum(isinstance(item, Record) for item in first)
    if (kept, len(first) - kept) != (report.records, report.rejected):
        return f"counts {report.records} + {report.rejected}, gives {kept} + {len(first) - kept}"
    if first != again:
        return "reads differently a second time"
    reasons = (getattr(item, "reason", "") for item in first)
    return next((reason for reason in reasons if any(sign in reason for sign in FAULTS)), "")


def _read(data: bytes, name: str | None) -> tuple[list[object], FileReport]:
    reports: list[FileReport] = []
    items: list[object] = list(
        read(["-"], format=name, stdin=io.BytesIO(data), on_file=reports.append)
    )
    total = FileReport(
        "", "", "", sum(r.records for r in reports), sum(r.rejected for r in reports)
    )
    for item in items:
        repr(item).encode("utf-8")  # half characters cannot be written to any file
    return items, total


def _save(path: Path, number: int, counts: Counter[str], failures: list[str]) -> None:
    state = {"next": number, "counts": dict(sorted(counts.items())), "failures": failures}
    path.write_text(json.dumps(state, indent=1), "utf-8")


if __name__ == "__main__":
    main()
