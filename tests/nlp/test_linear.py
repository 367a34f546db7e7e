"""Linear models over named features."""

import zlib

import numpy as np

from kg.nlp.hashing import hashed
from kg.nlp.linear import Linear, Rows, pack, stack

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
    collected = Rows(len(asked), (1.0,))
    collected.add(0, np.arange(len(asked)), asked)
    rows = collected.packed()
    weights = dict(
        zip(known.tolist(), model.weights[:, 0].astype(np.float32).tolist(), strict=True)
    )
    assert model(rows)[:, 0].tolist() == [weights.get(value, 0.0) for value in asked.tolist()]


def test_rows_are_collected_in_any_order_and_a_feature_counts_once_a_group() -> None:
    """Words of a text are gathered place by place, not row by row, and repeat themselves."""
    collected = Rows(3, (0.7, 1.3))
    collected.name(1, 2, hashed(NAMES[5:9]))
    collected.add(0, np.array([2, 0, 2]), np.array(hashed(["a", "b", "a"]), np.uint32))
    collected.add(1, np.array([0]), np.array([hashed(NAMES[:3])], np.uint32))
    rows = collected.packed()
    plain = pack(
        [
            ((0.7, ["b"]), (1.3, NAMES[:3])),
            ((0.7, []), (1.3, [])),
            ((0.7, ["a"]), (1.3, NAMES[5:9])),
        ]
    )

    assert rows.hashes.tolist() == plain.hashes.tolist()
    assert rows.values.tolist() == plain.values.tolist()
    assert rows.starts.tolist() == plain.starts.tolist() == [0, 4, 4, 9]


def test_rows_of_several_texts_are_those_of_each() -> None:
    """A model is trained on what it will see one text at a time."""
    one, other = pack([((1.0, ["x", "y"]),), ()]), pack([((1.0, ["z"]),)])
    whole = stack([one, stack([]), other])

    assert whole.hashes.tolist() == [*one.hashes.tolist(), *other.hashes.tolist()]
    assert whole.values.tolist() == [*one.values.tolist(), *other.values.tolist()]
    assert whole.starts.tolist() == [0, 2, 2, 3]
