"""The CRF gives the marginals that CRFsuite itself gives."""

import random
from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np
import pycrfsuite
import pytest

from kg.nlp.crf import Crf, marginals

WORDS = "trees read leaf net on open data set we the of 3 ( ) grün".split()
LABELS = ("O", "B-x", "I-x")
Parts = tuple[list[str], list[str], list[str]]


def _parts(word: str) -> Parts:
    """What is seen of a word from the word before it, from itself, and from the word behind."""
    return [f"-1 {word}"], [f"w {word}", f"x {word[-1]}"], [f"+1 {word}"]


def _sequence(rng: random.Random, length: int) -> tuple[list[str], list[list[str]], list[str]]:
    """Words, extras and labels."""
    words = [rng.choice(WORDS) for _ in range(length)]
    extras = [
        [f"place {i % 3}", "twice", "twice"] if rng.random() < 0.7 else [] for i in range(length)
    ]
    labels = ["O" if w in ("we", "the", "of") else rng.choice(LABELS) for w in words]
    return words, extras, labels


def _rows(words: Sequence[str], extras: Sequence[list[str]]) -> list[list[str]]:
    """All features of each word, as the trainer sees them."""
    found = []
    parts = list(map(_parts, words))
    for i, extra in enumerate(extras):
        own = [*parts[i][1], *extra]
        own += parts[i - 1][0] if i else []
        own += parts[i + 1][2] if i + 1 < len(parts) else []
        found.append(own)
    return found


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A CRF that was trained on words without sense."""
    rng = random.Random(4)  # noqa: S311 - not for secrets
    trainer = pycrfsuite.Trainer(verbose=False)
    for _ in range(60):
        words, extras, labels = _sequence(rng, 12)
        trainer.append(_rows(words, extras), labels)
    trainer.set_params({"c1": 0.01, "c2": 0.01, "max_iterations": 30})
    path = tmp_path_factory.mktemp("crf") / "words.crfsuite"
    trainer.train(str(path))
    return path.read_bytes()


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 9, 10, 50, 223])
def test_marginals_are_those_of_crfsuite(model: bytes, length: int) -> None:
    """To the last digits of a double, whatever the length; known words again and again."""
    own = Crf(model, _parts)
    theirs = pycrfsuite.Tagger()
    theirs.open_inmemory(model)
    assert list(own.labels) == theirs.labels()
    rng = random.Random(length)  # noqa: S311 - not for secrets
    for _ in range(3):
        words, extras, _ = _sequence(rng, length)
        theirs.set(_rows(words, extras))
        expected = [[theirs.marginal(label, i) for label in own.labels] for i in range(length)]
        np.testing.assert_allclose(own.marginals(words, extras), expected, rtol=1e-9, atol=1e-12)
    assert own.marginals([], []).shape == (0, len(own.labels))


def test_marginals_by_adding_up_every_sequence() -> None:
    """Three places, two labels: eight sequences, each with its weight."""
    states = np.array([[0.5, -1.0], [0.0, 2.0], [1.0, 0.3]])
    follows = np.array([[0.2, -0.7], [1.1, 0.0]])
    expected = np.zeros((3, 2))
    for labels in product(range(2), repeat=3):
        weight = sum(states[i, label] for i, label in enumerate(labels))
        weight += sum(follows[a, b] for a, b in pairwise(labels))
        for i, label in enumerate(labels):
            expected[i, label] += np.exp(weight)
    expected /= expected.sum(1, keepdims=True)
    np.testing.assert_allclose(marginals(states, follows), expected, rtol=1e-12)


def test_long_texts_and_large_weights_stay_probabilities() -> None:
    """Neither overflow nor a sum of zero, however sure the features are."""
    states = np.random.default_rng(2).normal(0, 60, (5_000, 9))
    found = marginals(states, np.random.default_rng(3).normal(0, 5, (9, 9)))
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(1), 1.0)


def test_words_are_forgotten_and_known_again(model: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded, and what was computed once is not given to another word."""
    rng = random.Random(8)  # noqa: S311 - not for secrets
    texts = [_sequence(rng, 30) for _ in range(6)]
    expected = [Crf(model, _parts).marginals(words, extras) for words, extras, _ in texts]
    monkeypatch.setattr("kg.nlp.crf._MOST_CACHED", 20)
    small = Crf(model, _parts)
    for (words, extras, _), right in zip(texts, expected, strict=True):
        np.testing.assert_array_equal(small.marginals(words, extras), right)


@pytest.mark.parametrize("damage", [b"", b"nothing", "short", "magic", "middle"])
def test_what_is_no_model_is_refused(model: bytes, damage: bytes | str) -> None:
    """A file that was cut short must not crash the process."""
    broken = {
        "short": model[: len(model) // 2],
        "magic": b"xxxx" + model[4:],
        "middle": model[:48] + b"XXXX" + model[52:],
    }.get(str(damage), damage)
    with pytest.raises(ValueError, match=r"CRFsuite|features"):
        Crf(broken if isinstance(broken, bytes) else b"", _parts)
