"""Choose a model: the best that reads what is to be read in about five minutes."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from kg.errors import ModelError
from kg.nlp.models import available

AUTO: Final = "auto"
BUDGET_S: Final = 300.0
_SAMPLES: Final = 12  # texts that are read to measure how fast a model is here
# So few texts are read by the best model in any case; measuring would take as long.
_FEW: Final = 60
# Processes share memory and caches, so that two do not read twice as much.
_SHARE: Final = 0.85


@dataclass(frozen=True, slots=True)
class Choice:
    """A chosen model, and why."""

    model: str
    seconds: float | None  # that reading will take; None where that was not measured
    texts: int
    others: tuple[str, ...]

    def __str__(self) -> str:
        took = f"model {self.model}"
        if self.seconds is not None:
            took += f", about {_duration(self.seconds)} for {self.texts:,} texts"
        if self.others:
            took += f" (--model {'|'.join(self.others)} for another)"
        return took


def choose_model(
    texts: Sequence[str],
    processes: int = 0,
    *,
    models: Sequence[str] | None = None,
    budget_s: float = BUDGET_S,
    seconds_per_text: Callable[[str, Sequence[str]], float] | None = None,
) -> Choice:
    """Return the best model that ends within the budget for these texts on this machine.

    Args:
        texts: that are to be read.
        processes: that will read them; 0 for as many as there are cores.
        models: to choose from, the best last; those that are installed.
        budget_s: seconds that reading may take.
        seconds_per_text: measures a model on a few texts in one process.

    Raises:
        ModelError: no model is installed.
    """
    from kg.nlp.workers import available_cores

    names = tuple(available() if models is None else models)
    if not names:
        raise ModelError("no model is installed", "Install kg again; its models are part of it.")
    measure = seconds_per_text or measured
    speed_up = max(1.0, (processes or available_cores()) * _SHARE)
    for name in reversed(names):
        others = tuple(other for other in names if other != name)
        if len(texts) <= _FEW:
            return Choice(name, None, len(texts), others)
        seconds = measure(name, _samples(texts)) * len(texts) / speed_up
        if seconds <= budget_s or name == names[0]:
            return Choice(name, seconds, len(texts), others)
    raise ValueError("models is empty")


def measured(model: str, texts: Sequence[str]) -> float:
    """Return how many seconds a model takes for one text, in this process."""
    from kg.nlp.pipeline import load

    pipeline = load(model)
    pipeline.read(texts[0])  # loads the weights
    start = time.perf_counter()
    pipeline.read_all(texts)
    return (time.perf_counter() - start) / len(texts)


def _samples(texts: Sequence[str]) -> list[str]:
    """Return a few texts from all over."""
    step = max(1, len(texts) // _SAMPLES)
    return list(texts[step // 2 :: step])[:_SAMPLES]


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min"
