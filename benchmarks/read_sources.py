"""Time reading alone, against the barest program that does the same, in one run.

    python benchmarks/read_sources.py [--records 20000] [--file works.jsonl.gz ...]

Prints, of every file named and of files made up here, records a second, the ratio to the bare reader
(gzip and orjson for JSON lines, bibtexparser for BibTeX), and the peak memory of the process.
"""

import argparse
import gzip
import json
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import orjson

from kg.sources.registry import read

_TEXT = (
    "We walk on ice for days and fall. Our method, IceWalk, falls 12.5% less often than others. "
)


def main() -> None:
    """Make the files, read each twice, print a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--file", type=Path, action="append", default=[])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for path in (*_made(Path(folder), options.records), *options.file):
            bare = _bibtex if ".bib" in path.name else _json if "json" in path.name else None
            _report(path, bare)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB")


def _made(folder: Path, count: int) -> list[Path]:
    rows = (
        {
            "title": f"Walk {n} on Ice",
            "abstract": f"{_TEXT * 12} It was walk {n}.",
            "authors": ["Anna Wanderer", "Bo K. Strider"],
            "year": 2019,
            "doi": f"10.1000/walk.{n}",
        }
        for n in range(count)
    )
    paths = [folder / name for name in ("papers.jsonl.gz", "papers.bib", "papers.txt")]
    with (
        gzip.open(paths[0], "wt", encoding="utf-8", compresslevel=1) as lines,
        paths[1].open("w", encoding="utf-8") as bib,
        paths[2].open("w", encoding="utf-8") as text,
    ):
        for n, row in enumerate(rows):
            lines.write(json.dumps(row) + "\n")
            bib.write(
                f"@article{{walk{n},\n  title = {{Walk {n} on {{Ice}}}},\n  year = {{2019}},\n"
                '  author = {Wanderer, Anna and Strider, Bo K. and M{\\"u}ller, J.},\n'
                f"  doi = {{10.1000/walk.{n}}},\n  abstract = {{{row['abstract']}}}\n}}\n"
            )
            text.write(f"{row['title']}\n\n{row['abstract']}\n\n")
    return paths


def _report(path: Path, bare: Callable[[Path], int] | None) -> None:
    started = time.process_time()
    count = sum(1 for _ in read([path]))
    seconds = time.process_time() - started
    line = f"{path.name}: {count} records, {count / seconds:,.0f} a second"
    if bare is not None:
        started = time.process_time()
        bare(path)
        line += f", {seconds / (time.process_time() - started):.1f} times the bare reader"
    print(line)


def _json(path: Path) -> int:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rb") as lines:
        return sum(1 for line in lines if orjson.loads(line))


def _bibtex(path: Path) -> int:
    from bibtexparser.entrypoint import parse_string

    return len(parse_string(path.read_text(encoding="utf-8")).entries)


if __name__ == "__main__":
    main()
