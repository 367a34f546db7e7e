"""Exported trees say what the trained ones say."""

import numpy as np
import pytest

from kg.nlp.trees import Trees

sklearn = pytest.importorskip("sklearn", reason="training needs scikit-learn: pip install kg[dev]")
pytest.importorskip("onnx", reason="training needs onnx: pip install kg[dev]")

from pipelines.trees import TreeSettings, export_trees, train_trees  # noqa: E402


def rows(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers with ties, and answers that depend on them."""
    rng = np.random.default_rng(seed)
    found = np.round(rng.normal(size=(count, 6)), 1).astype(np.float32)
    return found, (found[:, 0] + found[:, 1] * found[:, 2] > 0.3)


def test_exported_and_trained_trees_agree_also_on_thresholds() -> None:
    """Rounded values lie exactly where trees decide."""
    train, yes = rows(0, 600)
    settings = TreeSettings(trees=40, leaves=8, fewest=5)
    model = train_trees(train, yes, settings)
    exported = Trees(export_trees(model, 6))
    unseen, _ = rows(1, 2_000)
    expected = model.predict_proba(unseen)[:, 1]
    assert exported.width == 6
    assert np.abs(exported(unseen) - expected).max() < 1e-5
    assert exported(unseen[:0]).shape == (0,)


def test_a_row_is_judged_the_same_alone_and_among_others() -> None:
    """Results must not depend on which texts are read together."""
    train, yes = rows(2, 400)
    exported = Trees(export_trees(train_trees(train, yes, TreeSettings(trees=30, fewest=5)), 6))
    together = exported(train)
    alone = np.concatenate([exported(row[None]) for row in train])
    assert (together == alone).all()


def test_the_same_rows_give_the_same_bytes() -> None:
    """What ships can be made again."""
    train, yes = rows(3, 300)
    settings = TreeSettings(trees=10, fewest=5)
    assert export_trees(train_trees(train, yes, settings), 6) == export_trees(
        train_trees(train, yes, settings), 6
    )


def test_rows_of_one_answer_alone_can_be_learned_too() -> None:
    """A user's first annotation may have no wrong candidate in it."""
    train, _ = rows(4, 50)
    model = Trees(export_trees(train_trees(train, np.ones(50, bool), TreeSettings(trees=20)), 6))
    assert (model(train) > 0.5).all()
