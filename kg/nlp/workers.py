"""Read texts in several processes: started anew, so that nothing is forked or pickled.

A worker is ``python -m kg.nlp.workers MODEL``. It reads one line of JSON per batch from its
standard input, a list of texts, and writes one line, a list of extractions. A program without a
main guard, a notebook and a thread can all use it.
"""

import contextlib
import gc
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import orjson

from kg.errors import ModelError
from kg.model.extraction import Extraction, extraction_from_dict
from kg.nlp.surrogates import without_surrogates

if TYPE_CHECKING:
    from kg.nlp.pipeline import Pipeline

BATCH: Final = 16  # texts that go to a worker at a time, and are read together
_AHEAD: Final = 3  # batches per worker that may be under way


def available_cores() -> int:
    """Return on how many cores this process may run."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def shared_out(folder: Path, texts: Iterator[str], processes: int) -> Iterator[Extraction]:
    """Yield the extraction of each text, in order.

    Args:
        folder: of the model.
        texts: taken in batches, at most a few batches ahead of what was yielded.
        processes: how many to start.
    """
    batches: queue.SimpleQueue[tuple[int, list[str]] | None] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[int, list[Any] | Exception]] = queue.SimpleQueue()
    workers = [_Worker(folder, batches, done) for _ in range(processes)]
    try:
        for worker in workers:
            worker.start()
        yield from _in_order(texts, batches, done, processes * _AHEAD)
    finally:
        for _ in workers:
            batches.put(None)
        for worker in workers:
            worker.stop()


def _in_order(
    texts: Iterator[str],
    batches: "queue.SimpleQueue[tuple[int, list[str]] | None]",
    done: "queue.SimpleQueue[tuple[int, list[Any] | Exception]]",
    most: int,
) -> Iterator[Extraction]:
    waiting: dict[int, list[Any]] = {}
    sent = given = 0
    exhausted = False
    while True:
        while not exhausted and sent - given < most:
            batch = list(islice(texts, BATCH))
            if not batch:
                exhausted = True
                break
            batches.put((sent, batch))
            sent += 1
        if given == sent:
            return
        while given not in waiting:
            number, rows = done.get()
            if isinstance(rows, Exception):
                raise rows
            waiting[number] = rows
        yield from map(extraction_from_dict, waiting.pop(given))
        given += 1


class _Worker(threading.Thread):
    """A process and the thread that feeds it."""

    def __init__(
        self,
        folder: Path,
        batches: "queue.SimpleQueue[tuple[int, list[str]] | None]",
        done: "queue.SimpleQueue[tuple[int, list[Any] | Exception]]",
    ) -> None:
        super().__init__(daemon=True)
        self._folder = folder
        self._batches = batches
        self._done = done
        self._process: subprocess.Popen[bytes] | None = None

    def run(self) -> None:
        """Hand over batches until there are no more."""
        number = -1
        try:
            process = self._process = subprocess.Popen(  # noqa: S603 - this Python, our own module
                [sys.executable, "-m", "kg.nlp.workers", str(self._folder.resolve())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=_environment(),
            )
            while (task := self._batches.get()) is not None:
                number, texts = task
                self._done.put((number, _ask(process, texts)))
        except Exception as error:
            self._done.put((number, _as_model_error(error)))

    def stop(self) -> None:
        """End the process, whatever it does."""
        process = self._process
        if process is None:
            return
        with contextlib.suppress(OSError):
            process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _environment() -> dict[str, str]:
    """Return this process's environment; a worker imports kg from where this one did."""
    package = str(Path(__file__).resolve().parents[2])
    known = [package, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return {**os.environ, **one_thread, "PYTHONPATH": os.pathsep.join(dict.fromkeys(known))}


def _ask(process: "subprocess.Popen[bytes]", texts: list[str]) -> list[Any]:
    if process.stdin is None or process.stdout is None:
        raise ValueError("a worker without pipes")
    process.stdin.write(orjson.dumps([without_surrogates(text) for text in texts]) + b"\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    rows = orjson.loads(line)
    if isinstance(rows, dict):
        raise ModelError(rows["problem"], rows["remedy"])
    found: list[Any] = rows
    return found


def _as_model_error(error: Exception) -> ModelError:
    if isinstance(error, ModelError):
        return error
    return ModelError(
        f"a process that reads texts ended: {error or type(error).__name__}",
        "Is the memory used up? Pass --processes 1 to read in one process.",
    )


def serve(folder: Path, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
    """Answer batches until the input ends."""
    from kg.nlp.pipeline import Pipeline

    pipeline: Pipeline | None = None
    for line in incoming:
        try:
            if pipeline is None:
                pipeline = _ready(Pipeline(folder))
            answer: Any = pipeline.read_all(orjson.loads(line))
        except ModelError as error:
            answer = {"problem": error.problem, "remedy": error.remedy}
        outgoing.write(orjson.dumps(answer) + b"\n")
        outgoing.flush()


def _ready(pipeline: "Pipeline") -> "Pipeline":
    """Load the weights, and have the garbage collector never look at them: 4% of the time."""
    pipeline.warm_up()
    gc.collect()
    gc.freeze()
    return pipeline


def main() -> None:
    """Serve on the standard streams; nothing else may write to standard output."""
    outgoing = sys.stdout.buffer
    sys.stdout = sys.stderr
    with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
        serve(Path(sys.argv[1]), sys.stdin.buffer, outgoing)


if __name__ == "__main__":
    main()
