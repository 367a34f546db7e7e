"""Confidences are as good as they say, and thresholds are found on folds."""

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="training needs scikit-learn: pip install kg[dev]")

from kg.nlp.entities import Calibration
from pipelines.spans import calibration_points, total_counts


def test_calibrated_scores_are_shares_of_right_ones() -> None:
    """Scores of which the square is right: 0.8 means 0.64."""
    rng = np.random.default_rng(0)
    scores = rng.uniform(0.3, 1, 8_000)
    right = rng.uniform(size=8_000) < scores**2
    calibrate = Calibration(calibration_points(scores.tolist(), right.tolist()))
    for score in (0.4, 0.6, 0.8, 0.95):
        assert calibrate(score) == pytest.approx(score**2, abs=0.06)


def test_a_higher_score_is_never_less_sure() -> None:
    """Filters by confidence must not drop the better one."""
    points = calibration_points([0.1 * i for i in range(10)] * 5, [True, False] * 25)
    assert points == sorted(points)
    assert [share for _, share in points] == sorted(share for _, share in points)


def test_one_lucky_entity_makes_nothing_certain() -> None:
    """Nor does an unlucky one make anything impossible."""
    assert calibration_points([0.2, 0.9], [False, True]) == [(0.55, 0.5)]
    ((score, share),) = calibration_points([0.9], [True])
    assert score == 0.9
    assert share == pytest.approx(2 / 3, abs=1e-3)


def test_scores_that_hardly_differ_have_numbers() -> None:
    """A model that is sure of everything."""
    scores = (1 - np.linspace(6e-4, 5e-3, 140)).tolist()
    shares = [share for _, share in calibration_points(scores, [True] * 140)]
    assert all(0 < share < 1 for share in shares)


def test_equal_scores_are_one_point() -> None:
    """Between two points of one score there is no line."""
    points = calibration_points([0.9] * 60 + [0.5], [True] * 60 + [False])
    assert [score for score, _ in points] == sorted({score for score, _ in points})
    assert 0.9 < Calibration(points)(0.9) < 1


def test_rare_words_are_left_out_of_the_table_of_words() -> None:
    """A word that was seen twice tells nothing of the next text."""
    one = {"tree": (2, 0, 0, 1, 0, 0, 0), "oak": (1, 0, 0, 0, 0, 0, 0)}
    assert total_counts({"a": one, "b": one}) == {"tree": (4, 0, 0, 2, 0, 0, 0)}
