"""Linear models over named features."""

import zlib

import numpy as np

from kg.nlp.linear import Linear, pack

NAMES = [f"feature {number}" for number in range(40)]


def _model() -> Linear:
    known = np.array(sorted(zlib.crc32(name.encode()) for name in NAMES[:30]), np.uint32)
    weights = np.random.default_rng(1).normal(size=(30, 2)).astype(np.float16)
    return Linear(known, weights, np.array([0.5, -0.5], np.float32), ("a", "b"))


def test_a_score_is_the_bias_and_the_scaled_weights_of_known_features() -> None:
    """Worked out by hand: two groups, of four features and of one; an unknown one adds nothing."""
    known = np.array(sorted(map(zlib.crc32, (b"x", b"y"))), np.uint32)
    weights = np.array([[1.0], [2.0]] if known[0] == zlib.crc32(b"x") else [[2.0], [1.0]])
    model = Linear(known, weights.astype(np.float16), np.array([0.25], np.float32), ("yes",))
    rows = pack([((1.0, ["x", "y", "unknown", "too"]), (3.0, ["y"])), (), ((1.0, ["unknown"]),)])

    # 0.25 + (1 + 2) / sqrt(4) + 3 * 2 / sqrt(1); a row without features has the bias.
    assert model(rows).tolist() == [[7.75], [0.25], [0.25]]


def test_the_order_of_features_does_not_matter() -> None:
    """Features come from sets, whose order differs from process to process."""
    model = _model()
    scores = [
        model(pack([((0.7, order), (1.3, order[::-1]))])).tobytes()
        for order in (NAMES, NAMES[::-1], NAMES[20:] + NAMES[:20])
    ]
    assert len(set(scores)) == 1
