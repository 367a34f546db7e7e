"""How far a figure could be from the truth: intervals from drawing abstracts again."""

from collections.abc import Sequence

import numpy as np

from kg.analytics.scoring import ACCURACIES, Tally

_SIDES = ("both", "spurious", "missed")


def intervals(
    tallies: Sequence[Tally], *, draws: int = 1_000, level: float = 0.95, seed: int = 0
) -> dict[str, tuple[float, float]]:
    """Return for each figure the interval that holds its F1 (or accuracy) in most draws.

    Abstracts are drawn with replacement, since what one abstract says hangs together.

    Args:
        tallies: of each abstract.
        draws: how often as many abstracts are drawn as there are.
        level: share of draws that lie inside.
        seed: of the draws.

    Returns:
        Percentile interval per figure name; an empty mapping without abstracts.

    Source: Efron 1979, Bootstrap methods: another look at the jackknife, Ann. Statist.
    """
    if not tallies:
        return {}
    names = sorted({name for tally in tallies for name, _ in tally})
    counts = np.array(
        [[[tally[name, side] for side in _SIDES] for name in names] for tally in tallies], float
    )
    chosen = np.random.default_rng(seed).integers(0, len(tallies), (draws, len(tallies)))
    # How often each abstract is in each draw; one product gives all sums.
    weights = np.zeros((draws, len(tallies)))
    np.add.at(weights, (np.arange(draws)[:, None], chosen), 1)
    sums = np.tensordot(weights, counts, 1)
    both, spurious, missed = sums[..., 0], sums[..., 1], sums[..., 2]
    exact = np.array([name in ACCURACIES for name in names])
    whole = np.where(exact, both + missed, 2 * both + spurious + missed)
    # A draw in which there is nothing to count says nothing of the figure.
    scores = np.divide(
        np.where(exact, both, 2 * both), whole, out=np.full_like(both, np.nan), where=whole > 0
    )
    empty = np.isnan(scores).all(0)
    scores[:, empty] = 0.0
    tail = (1 - level) / 2
    low, high = np.nanquantile(scores, [tail, 1 - tail], axis=0)
    return {
        name: (round(float(a), 4), round(float(b), 4))
        for name, a, b in zip(names, low, high, strict=True)
    }
