"""How fast `kg build` is, how much memory it takes, and whether its time grows linearly.

python benchmarks/build.py papers.jsonl --sizes 1250 2500 5000 [--model fast] builds a new graph
of the first so many lines of a file, each size in a process of its own, and prints abstracts a
second and peak memory; then a rerun that finds nothing to do, and one that adds a hundred papers.
With --model none nothing is read out of the texts: what is left is reading the file, matching
papers and references, and writing. benchmarks/made_works.py makes files of any size.
"""

import argparse
import itertools
import json
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kg.model.extraction import Extraction


@dataclass(frozen=True)
class Measured:
    """One run."""

    seconds: float
    peak_mb: float  # of the process or its largest worker
    texts: int


class Nothing:
    """A pipeline that finds nothing."""

    version = "none"

    def extract(self, texts: Iterable[str], processes: int = 0) -> Iterator[Extraction]:
        """Yield an empty extraction per text."""
        return (Extraction(model=self.version) for _ in texts)


def build(
    inputs: list[str], out: str, model: str, results: "multiprocessing.Queue[Measured]"
) -> None:
    """Build in this process and report what it took."""
    from kg import api

    start = time.perf_counter()
    report = api.build(inputs, out, model=Nothing() if model == "none" else model)
    seconds = time.perf_counter() - start
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    peak = max(resource.getrusage(kind).ru_maxrss for kind in kinds)
    results.put(Measured(seconds, peak / 1024, report.texts_read))


def measured(inputs: list[Path], out: Path, model: str) -> Measured:
    """Build in a fresh process."""
    context = multiprocessing.get_context("spawn")
    results: multiprocessing.Queue[Measured] = context.Queue()
    arguments = ([str(each) for each in inputs], str(out), model, results)
    process = context.Process(target=build, args=arguments)
    process.start()
    found = results.get()
    process.join()
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path, help="JSON lines, a paper each")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1250, 2500, 5000])
    parser.add_argument("--model", default="fast")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = []
        for size in options.sizes:
            part, more = folder / f"{size}.jsonl", folder / f"{size}-more.jsonl"
            with options.papers.open("rb") as lines:
                part.write_bytes(b"".join(itertools.islice(lines, size)))
                more.write_bytes(b"".join(itertools.islice(lines, 100)))
            graph = folder / f"{size}.kg"
            first = measured([part], graph, options.model)
            again = measured([part], graph, options.model)
            added = measured([part, more], graph, options.model)
            rows.append((size, first))
            print(
                f"{size:7,} papers: {first.seconds:7.1f} s, {size / first.seconds:6.0f} a second, "
                f"{first.peak_mb:6.0f} MB; again {again.seconds:.2f} s; "
                f"{added.texts} more {added.seconds:.1f} s",
                flush=True,
            )
    (small, few), (large, many) = rows[0], rows[-1]
    ratio = (many.seconds / large) / (few.seconds / small)
    print(json.dumps({"time per paper, largest to smallest": round(ratio, 2)}))


if __name__ == "__main__":
    main()
