"""Train gradient-boosted trees, and export them for ONNX Runtime."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from kg.nlp.scores import Floats


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """How many trees, how large, how fast they learn."""

    trees: int = 300
    leaves: int = 31
    learning_rate: float = 0.06
    fewest: int = 40  # rows in a leaf
    l2: float = 1.0
    seed: int = 0


def train_trees(rows: Floats, yes: np.ndarray, settings: TreeSettings) -> Any:
    """Return a fitted HistGradientBoostingClassifier.

    Of few rows smaller leaves are allowed, so that little annotation also teaches something.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    if yes.all() or not yes.any():
        # It needs both answers: one row of nothing is given the other.
        rows = np.vstack([rows, np.zeros((1, rows.shape[1]), np.float32)])
        yes = np.append(yes, not yes.all())

    model = HistGradientBoostingClassifier(
        max_iter=settings.trees,
        max_leaf_nodes=settings.leaves,
        learning_rate=settings.learning_rate,
        min_samples_leaf=min(settings.fewest, max(1, len(rows) // 40)),
        l2_regularization=settings.l2,
        early_stopping=False,
        random_state=settings.seed,
    )
    return model.fit(rows, yes)


def crossed_trees(
    rows: Floats, yes: np.ndarray, parts: np.ndarray, settings: TreeSettings
) -> Floats:
    """Return the probability of each row by trees that have not seen its part."""
    found = np.zeros(len(rows), np.float32)
    for part in np.unique(parts):
        inside = parts == part
        model = train_trees(rows[~inside], yes[~inside], settings)
        found[inside] = model.predict_proba(rows[inside])[:, 1]
    return found


def export_trees(model: Any, width: int) -> bytes:
    """Return an ONNX model that gives the raw score of the fitted trees.

    Thresholds are rounded down to single precision: they lie between two values of that
    precision, so no row changes its side.
    """
    from onnx import TensorProto, helper

    nodes: dict[str, list[Any]] = {
        name: []
        for name in (
            "nodes_treeids",
            "nodes_nodeids",
            "nodes_featureids",
            "nodes_values",
            "nodes_modes",
            "nodes_truenodeids",
            "nodes_falsenodeids",
            "nodes_missing_value_tracks_true",
            "target_treeids",
            "target_nodeids",
            "target_ids",
            "target_weights",
        )
    }
    for tree, (predictor,) in enumerate(model._predictors):
        for number, node in enumerate(predictor.nodes):
            leaf = bool(node["is_leaf"])
            nodes["nodes_treeids"].append(tree)
            nodes["nodes_nodeids"].append(number)
            nodes["nodes_featureids"].append(0 if leaf else int(node["feature_idx"]))
            nodes["nodes_values"].append(0.0 if leaf else _down(node["num_threshold"]))
            nodes["nodes_modes"].append("LEAF" if leaf else "BRANCH_LEQ")
            nodes["nodes_truenodeids"].append(0 if leaf else int(node["left"]))
            nodes["nodes_falsenodeids"].append(0 if leaf else int(node["right"]))
            nodes["nodes_missing_value_tracks_true"].append(0)
            if leaf:
                nodes["target_treeids"].append(tree)
                nodes["target_nodeids"].append(number)
                nodes["target_ids"].append(0)
                nodes["target_weights"].append(float(node["value"]))
    attributes: dict[str, Any] = dict(nodes)
    node = helper.make_node(
        "TreeEnsembleRegressor",
        ["rows"],
        ["scores"],
        domain="ai.onnx.ml",
        n_targets=1,
        base_values=[float(np.ravel(model._baseline_prediction)[0])],
        post_transform="NONE",
        **attributes,
    )
    graph = helper.make_graph(
        [node],
        "trees",
        [helper.make_tensor_value_info("rows", TensorProto.FLOAT, [None, width])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, [None, 1])],
    )
    made = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)],
        ir_version=8,
    )
    data: bytes = made.SerializeToString(deterministic=True)
    return data


def _down(value: float) -> float:
    """Return the largest single-precision number that is not above the value."""
    rounded = np.float32(value)
    if float(rounded) > value:
        rounded = np.nextafter(rounded, np.float32(-np.inf))
    return float(rounded)
