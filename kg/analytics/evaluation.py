"""Everything that a comparison of extractions with annotation tells, put together."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from kg.analytics.bootstrap import intervals
from kg.analytics.calibration import Calibration, calibrations
from kg.analytics.errors import EntityError, entity_errors
from kg.analytics.floor import floor
from kg.analytics.scoring import Outcome, Row, Tally, outcomes, score, tally
from kg.errors import InputError

NOT_SAID = "(not said)"  # the group of abstracts that do not carry the field


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of some abstracts, with the interval of each."""

    abstracts: int
    outcomes: Mapping[str, Outcome]
    bounds: Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What came out.

    Attributes:
        whole: over all abstracts.
        predicted: how many abstracts have a prediction.
        errors: in the entities.
        calibration: by kind; empty when predictions carry no confidence.
        groups: figures of the abstracts of each value of a field; empty when none was asked for.
        floor: figures of the names of training abstracts alone; empty when none were given.
    """

    whole: Figures
    predicted: int
    errors: tuple[EntityError, ...]
    calibration: Mapping[str, Calibration]
    groups: Mapping[str, Figures]
    floor: Mapping[str, Outcome]


def evaluate(
    gold: Mapping[str, Row],
    predicted: Mapping[str, Row],
    *,
    by: str = "",
    train: Mapping[str, Row] | None = None,
) -> Evaluation:
    """Compare predictions with annotation.

    Args:
        gold: annotated abstracts by id, each with its text.
        predicted: by id.
        by: field of the annotated abstracts whose values make groups; of a list its first value.
        train: other annotated abstracts, whose names are the floor.

    Raises:
        InputError: something in an abstract is not what it should be.
    """
    tallies = {key: _tally(key, row, predicted.get(key, {})) for key, row in gold.items()}
    groups: dict[str, list[Tally]] = {}
    if by:
        for key, row in gold.items():
            groups.setdefault(_group(row.get(by)), []).append(tallies[key])
    largest_first = sorted(groups, key=lambda name: (name == NOT_SAID, -len(groups[name]), name))
    return Evaluation(
        whole=_figures(list(tallies.values())),
        predicted=sum(key in predicted for key in gold),
        errors=tuple(entity_errors(gold, predicted)),
        calibration=calibrations(gold, predicted),
        groups={name: _figures(groups[name]) for name in largest_first},
        floor=score(gold, floor(gold, train.values())) if train else {},
    )


def _tally(key: str, gold: Row, predicted: Row) -> Tally:
    try:
        return tally(gold, predicted)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"abstract {key}: not as an annotated or extracted abstract should be ({error!r})",
            "Entities have name and type, claims text and kind, relations head, type and tail.",
        ) from error


def _figures(tallies: list[Tally]) -> Figures:
    return Figures(len(tallies), outcomes(sum(tallies, start=Counter())), intervals(tallies))


def _group(value: object) -> str:
    if isinstance(value, list):
        value = value[0] if value else None
    return NOT_SAID if value is None or value == "" else str(value)
