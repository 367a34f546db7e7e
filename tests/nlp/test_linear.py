"""Linear models over named features."""

import zlib

import numpy as np

from kg.nlp.linear import Hashes, Linear, hashed, pack

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


def test_every_known_feature_is_found_and_no_other() -> None:
    """Hashes are looked for by their first bits: crowded and empty places, both ends."""
    rng = np.random.default_rng(5)
    crowded = np.arange(7_000_000, 7_000_040)
    known = np.unique(np.concatenate((rng.integers(0, 1 << 32, 3_000), crowded, [0, 0xFFFFFFFF])))
    known = known.astype(np.uint32)
    model = Linear(
        known, rng.normal(size=(len(known), 1)).astype(np.float16), np.zeros(1, np.float32), ("a",)
    )
    asked = np.unique(np.concatenate((known, known + np.uint32(1), rng.integers(0, 1 << 32, 999))))
    asked = asked.astype(np.uint32)
    rows = pack([((1.0, Hashes([value])),) for value in asked.tolist()])
    weights = dict(
        zip(known.tolist(), model.weights[:, 0].astype(np.float32).tolist(), strict=True)
    )
    assert model(rows)[:, 0].tolist() == [weights.get(value, 0.0) for value in asked.tolist()]


def test_hashes_are_as_good_as_their_features() -> None:
    """What many rows share is hashed once."""
    model = _model()
    plain = model(pack([((0.7, NAMES[:7]), (1.3, set(NAMES)))]))
    assert (
        model(pack([((0.7, hashed(NAMES[:7])), (1.3, hashed(NAMES)))])).tobytes() == plain.tobytes()
    )
