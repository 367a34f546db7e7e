"""Train what judges a tagger's spans, decides what is a proper name, and calibrates both."""

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kg.errors import ModelError
from kg.model.extraction import Entity
from kg.nlp.entities import Calibration, make_entities, naming_features
from kg.nlp.lexicon import Lexicon
from kg.nlp.rescorer import save_word_table
from kg.nlp.scores import TokenScores
from kg.nlp.trees import Trees
from kg.nlp.words_in_names import WordTable
from pipelines import spans
from pipelines.corpora import Abstract
from pipelines.sameness import THRESHOLD, train_sameness
from pipelines.trees import TreeSettings, export_trees, train_trees


@dataclass(frozen=True, slots=True)
class Judges:
    """Files of the rescorer and of the entities, and what was measured on folds.

    `entities` are those of each abstract, by id, as trees of other folds choose them.
    """

    files: dict[str, bytes]
    figures: dict[str, Any]
    entities: dict[str, tuple[Entity, ...]]


def train_judges(
    settings: Mapping[str, Any],
    abstracts: Sequence[Abstract],
    scores: Mapping[str, TokenScores],
    lexicon: Lexicon,
) -> Judges:
    """Train the trees over spans, over pairs that may be one thing, and over names.

    Args:
        settings: with the tables spans and named.
        abstracts: all annotated ones; words are counted over them.
        scores: by id, of a tagger that has not seen these abstracts.
        lexicon: known names, counted over all abstracts.
    """
    counted = spans.word_counts(abstracts)
    total = spans.total_counts(counted)
    table = WordTable(total)
    texts = [
        spans.judged(one, scores[one.id], lexicon, table.less(counted[one.id]), counted=True)
        for one in abstracts
        if one.id in scores
    ]
    tree_settings = TreeSettings(**settings["spans"])
    crossed = spans.crossed(texts, tree_settings)
    threshold, _ = spans.best_threshold(texts, crossed)
    apart = [spans.groups_of(t, p, threshold) for t, p in zip(texts, crossed, strict=True)]
    ids = [text.abstract.id for text in texts]
    same = train_sameness(abstracts, dict(zip(ids, apart, strict=True)))
    made = [
        join(text.abstract.text, groups, text.read.abbreviations)
        for text, groups, join in zip(texts, apart, same.unseen(ids), strict=True)
    ]
    whole, by_type = spans.f1(texts, made)
    rows, named = spans.naming_examples(texts, made)
    if not len(rows):
        raise ModelError(
            f"nothing was learned from {len(abstracts)} annotated abstracts",
            "Annotate more of them; a hundred is a beginning.",
        )
    name_trees = export_trees(
        train_trees(rows, named, TreeSettings(**settings["named"])), rows.shape[1]
    )
    points = spans.calibration_points(*spans.entity_outcomes(texts, made))
    span_trees = export_trees(spans.train_spans(texts, tree_settings), texts[0].rows.shape[1])
    files = {
        "kg_rescorer/spans.onnx": span_trees,
        "kg_rescorer/words.zst": saved(lambda path: save_word_table(total, path)),
        "kg_rescorer/settings.json": _json({"threshold": threshold}),
        "kg_entities/named.onnx": name_trees,
        "kg_entities/same.onnx": same.trees,
        "kg_entities/entities.json": _json({"calibration": points, "same": THRESHOLD}),
    }
    figures = {
        "entity_f1_folds": round(whole, 4),
        "entity_f1_folds_by_type": {kind: round(value, 4) for kind, value in by_type.items()},
        "threshold": threshold,
        "annotated_abstracts": len(abstracts),
        "judged_abstracts": len(texts),
    }
    entities = _entities(texts, made, Trees(name_trees), Calibration(points))
    return Judges(files, figures, entities)


def saved(save: Callable[[Path], None]) -> bytes:
    """Return what a function writes to a path."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        save(path)
        return path.read_bytes()


def _entities(
    texts: Sequence[spans.Judged],
    made: Sequence[Sequence[Any]],
    named: Trees,
    calibrate: Calibration,
) -> dict[str, tuple[Entity, ...]]:
    found = {}
    for text, groups in zip(texts, made, strict=True):
        known = {name: row for _, _, name, row in text.names}
        rows = [naming_features(text.abstract.text, group, known) for group in groups]
        probabilities = named(np.array(rows, np.float32)).tolist() if rows else []
        found[text.abstract.id] = make_entities(
            text.abstract.text, groups, probabilities, calibrate
        )
    return found


def _json(value: Any) -> bytes:
    return (json.dumps(value, sort_keys=True) + "\n").encode()
