"""The figures of `kg eval` in words and as JSON."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kg.analytics.scoring import ACCURACIES

if TYPE_CHECKING:
    from kg.analytics.calibration import Calibration
    from kg.analytics.errors import EntityError
    from kg.analytics.evaluation import Evaluation, Figures
    from kg.analytics.scoring import Outcome

# What is shown of each group of abstracts.
_MAIN = ("entity", "named", "role", "claim", "claim kind", "value", "relation")


def lines(found: "Evaluation", *, by: str = "", errors: int = 0) -> Iterator[str]:
    """Yield what a person reads."""
    yield f"{found.whole.abstracts} abstracts, {found.predicted} of them predicted"
    for name, one in found.whole.outcomes.items():
        floor = found.floor.get(name)
        beside = f"  floor {_value(name, floor):.3f}" if floor else ""
        yield _line(name, one, found.whole.bounds[name]) + beside
    yield from _calibration_lines(found.calibration)
    for group, figures in found.groups.items():
        yield f"\n{by} {group}: {figures.abstracts} abstracts"
        yield from (
            _line(name, figures.outcomes[name], figures.bounds[name])
            for name in _MAIN
            if name in figures.outcomes
        )
    yield from _error_lines(found.errors, errors)


def facts(found: "Evaluation") -> dict[str, Any]:
    """Return what a program reads."""
    told: dict[str, Any] = {
        "abstracts": found.whole.abstracts,
        "predicted": found.predicted,
        "figures": _facts(found.whole),
        "entity_errors": dict(sorted(Counter(error.kind for error in found.errors).items())),
        "calibration": {
            kind: {
                "predictions": one.count,
                "mean_confidence": one.confidence,
                "accuracy": one.accuracy,
                "expected_calibration_error": one.error,
                "bins": [
                    {"low": b.low, "high": b.high, "predictions": b.count,
                     "mean_confidence": b.confidence, "accuracy": b.accuracy}
                    for b in one.bins
                ],
            }
            for kind, one in found.calibration.items()
        },
    }  # fmt: skip
    if found.groups:
        told["groups"] = {
            name: {"abstracts": figures.abstracts, "figures": _facts(figures)}
            for name, figures in found.groups.items()
        }
    if found.floor:
        told["floor"] = {name: _value(name, one) for name, one in found.floor.items()}
    return told


def _value(name: str, one: "Outcome") -> float:
    return one.recall if name in ACCURACIES else one.f1


def _line(name: str, one: "Outcome", bounds: tuple[float, float]) -> str:
    around = f"[{bounds[0]:.3f}, {bounds[1]:.3f}]"
    if name in ACCURACIES:
        return f"{name:22s} accuracy {one.recall:.3f} {around} of {one.both + one.missed} matched"
    return (
        f"{name:22s} P {one.precision:.3f}  R {one.recall:.3f}  F1 {one.f1:.3f} {around}"
        f"  gold {one.both + one.missed}"
    )


def _calibration_lines(found: Mapping[str, "Calibration"]) -> Iterator[str]:
    if found:
        yield "\nconfidence              mean   right  expected calibration error"
    for kind, one in found.items():
        yield f"{kind:22s} {one.confidence:.3f}   {one.accuracy:.3f}  {one.error:.3f} of {one.count}"


def _error_lines(wrong: Sequence["EntityError"], most: int) -> Iterator[str]:
    if not most:
        return
    kinds = Counter(error.kind for error in wrong)
    yield "\n" + ", ".join(f"{kind}: {count}" for kind, count in kinds.most_common())
    for error in wrong[:most]:
        pair = " -> ".join(filter(None, (error.gold, error.predicted)))
        yield f"{error.id}  {error.kind:10s}  {error.type:8s}  {pair}"
        if error.context:
            yield f"    {error.context}"


def _facts(figures: "Figures") -> dict[str, Any]:
    return {name: _fact(name, one, figures.bounds[name]) for name, one in figures.outcomes.items()}


def _fact(name: str, one: "Outcome", bounds: tuple[float, float]) -> dict[str, Any]:
    low, high = bounds
    if name in ACCURACIES:
        matched = one.both + one.missed
        return {"accuracy": one.recall, "low": low, "high": high, "matched": matched}
    return {
        "precision": one.precision,
        "recall": one.recall,
        "f1": one.f1,
        "low": low,
        "high": high,
        "gold": one.both + one.missed,
        "predicted": one.both + one.spurious,
    }
