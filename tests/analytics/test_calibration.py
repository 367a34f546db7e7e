"""Confidences are compared with how much is right."""

from typing import Any

import numpy as np
import pytest

from kg.analytics.calibration import Bin, calibration, calibrations

TEXT = "LeafNet reaches 91% on OpenTrees. RootNet is slow. It was trained in 2019."
GOLD: dict[str, Any] = {
    "text": TEXT,
    "entities": [
        {"name": "LeafNet", "surfaces": ["LeafNet"], "type": "method", "role": "proposed"},
        {"name": "OpenTrees", "surfaces": ["OpenTrees"], "type": "dataset", "role": "used"},
    ],
    "claims": [{"text": "LeafNet reaches 91% on OpenTrees.", "kind": "performance", "values": ["91%"]}],
    "relations": [["LeafNet", "EVALUATED_ON", "OpenTrees"]],
}  # fmt: skip
FOUND: dict[str, Any] = {
    "entities": [
        {"name": "leafnet", "type": "method", "role": "used", "confidence": 0.9, "role_confidence": 0.6},
        {"name": "OpenTrees", "type": "task", "role": "used", "confidence": 0.7, "role_confidence": 0.8},
        {"name": "RootNet", "type": "method"},
    ],
    "claims": [
        {"text": "LeafNet reaches 91% on OpenTrees.", "confidence": 0.8,
         "results": [{"raw": "91\\%", "confidence": 0.95}, {"raw": "19", "confidence": 0.4}]},
        {"text": "It was trained in 2019.", "confidence": 0.3,
         "results": [{"raw": "2019", "confidence": 0.5}]},
    ],
    "relations": [
        {"head": "leafnet", "type": "EVALUATED_ON", "tail": "OpenTrees", "confidence": 0.75},
        {"head": "leafnet", "type": "USES", "tail": "RootNet", "confidence": 0.25},
        {"head": "leafnet", "type": "USES", "tail": "nothing", "confidence": 0.99},
    ],
}  # fmt: skip


def test_the_error_is_worked_out_by_hand() -> None:
    """Two bins: |1/2 - 0.85| of 2 and |1 - 0.3| of 1, so (2 * 0.35 + 0.7) / 3."""
    found = calibration(np.array([0.8, 0.3, 0.9]), np.array([True, True, False]), bins=2)
    assert found.error == pytest.approx(1.4 / 3, abs=1e-6)
    assert [(b.low, b.high, b.count, b.accuracy) for b in found.bins] == [
        (0.0, 0.5, 1, 1.0), (0.5, 1.0, 2, 0.5),
    ]  # fmt: skip
    assert calibration(np.array([1.0]), np.array([True])).bins == (Bin(0.9, 1.0, 1, 1.0, 1.0),)
    assert calibration(np.zeros(0), np.zeros(0, bool)).error == 0.0


@pytest.mark.parametrize(("confidence", "correct"), [([0.5], [True, False]), ([1.2], [True])])
def test_what_is_no_probability_is_refused(confidence: list[float], correct: list[bool]) -> None:
    """A mistake of the caller, not of the data."""
    with pytest.raises(ValueError, match="confidence"):
        calibration(np.array(confidence), np.array(correct))


def test_each_kind_has_its_own_answer() -> None:
    """Counts, means and shares of an abstract that was looked at by hand."""
    found = calibrations({"a": GOLD, "b": GOLD}, {"a": FOUND})
    assert {kind: (c.count, round(c.confidence, 3), c.accuracy) for kind, c in found.items()} == {
        # leafnet is right, OpenTrees has the wrong type, RootNet says no confidence
        "entity": (2, 0.8, 0.5),
        # only leafnet is annotated with its type, and has another role
        "role": (1, 0.6, 0.0),
        "claim": (2, 0.55, 0.5),
        # of the claim that is one: 91 is annotated, 19 is not
        "value": (2, 0.675, 0.5),
        # nothing is no entity, so that relation does not count
        "relation": (2, 0.5, 0.5),
    }
    assert calibrations({"a": GOLD}, {}) == {}
