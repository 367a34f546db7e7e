r"""Train a model from annotated abstracts to a folder that ``--model`` and ``spacy.load`` take.

    python -m pipelines.train pipelines/configs/fast.toml \
        --gold gold/train.jsonl --corpora corpora --out kg_fast --work build

On your own annotation, with the word clusters and public names of a model that you have:

    python -m pipelines.train pipelines/configs/fast.toml \
        --gold mine.jsonl --base fast --out my_model

Each line of the annotation is an object with ``id``, ``text``, ``entities`` (``name``,
``surfaces``, ``type``, ``named``, ``role``), ``claims`` and ``relations``. Every step keeps its
result in ``--work``; a run that was stopped goes on where it was. One thread and fixed seeds:
the same input gives the same bytes.
"""

import argparse
import json
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from kg.nlp.features import WordFeatures
from kg.nlp.lexicon import EMPTY, GOLD, GOLD_NAMED, GOLD_SEEN, Lexicon, Row
from kg.nlp.models import model_path
from kg.nlp.rescorer import save_word_table
from kg.nlp.scores import TokenScores
from kg.nlp.tagger import load_clusters, save_clusters
from kg.nlp.words_in_names import WordTable
from pipelines import spans
from pipelines.assemble import BEFORE, ENTITIES, write_model
from pipelines.clusters import cluster_words
from pipelines.corpora import Abstract, read_gold, read_raw, text_key
from pipelines.crf import CrfSettings, example, fold_scores, train_crf
from pipelines.names import gold_rows, list_rows, merged
from pipelines.steps import Steps, file_key
from pipelines.trees import TreeSettings, export_trees, train_trees

Clusters = Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a model is trained from."""

    gold: Path
    apart: tuple[Path, ...]  # annotation that no statistics may come from
    corpora: Path | None
    base: Path | None

    def key(self) -> dict[str, str]:
        """Return what tells these inputs from others."""
        found = {"gold": file_key(self.gold)}
        for i, path in enumerate(self.apart):
            found[f"apart{i}"] = file_key(path)
        if self.corpora:
            found["corpora"] = file_key(self.corpora)
        if self.base:
            found["base"] = file_key(self.base)
        return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and write a model."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("config", type=Path)
    parser.add_argument("--gold", type=Path, required=True, help="annotated abstracts, JSONL")
    parser.add_argument(
        "--apart",
        type=Path,
        action="append",
        default=[],
        help="annotation to leave out of raw text",
    )
    parser.add_argument("--corpora", type=Path, help="folder of raw abstracts and name lists")
    parser.add_argument("--base", help="a model whose clusters and names to take")
    parser.add_argument("--out", type=Path, required=True, help="folder of the model")
    parser.add_argument("--work", type=Path, help="folder for the results of steps")
    given = parser.parse_args(arguments)
    if not given.corpora and not given.base:
        parser.error("one of --corpora and --base is needed")
    settings = tomllib.loads(given.config.read_text("utf-8"))
    inputs = Inputs(
        gold=given.gold,
        apart=tuple(given.apart),
        corpora=given.corpora,
        base=model_path(given.base) if given.base else None,
    )
    work = given.work or given.out.with_name(given.out.name + ".work")
    # One thread: the order of additions must not depend on the machine. Only libraries that are
    # loaded can be limited.
    import sklearn.ensemble  # noqa: F401

    with threadpool_limits(1):
        figures = train(settings, inputs, Steps(work), given.out)
    print(json.dumps(figures, indent=1), file=sys.stderr)


def train(settings: Mapping[str, Any], inputs: Inputs, steps: Steps, out: Path) -> dict[str, Any]:
    """Train every component and write the model; return what was measured on folds."""
    key = inputs.key()
    abstracts = read_gold(inputs.gold)
    clusters = steps.do(
        "clusters", [key, settings["clusters"]], lambda: _clusters(settings, inputs)
    )
    rows = steps.do("names", key, lambda: _names(abstracts, inputs))
    lexicon = Lexicon(rows)
    crf = CrfSettings(**settings["crf"])
    features = WordFeatures(clusters)
    made_from = [key, settings["clusters"], asdict(crf)]
    scores: dict[str, TokenScores] = {}
    for fold in range(crf.folds):
        scores.update(
            steps.do(
                f"fold{fold}",
                made_from,
                lambda fold=fold: fold_scores(abstracts, fold, features, lexicon, crf),  # type: ignore[misc]
            )
        )
    tagger = steps.do(
        "crf",
        made_from,
        lambda: train_crf([example(one, features, lexicon) for one in abstracts], crf),
    )
    judged = steps.do(
        "judges", [made_from, settings["spans"], settings["named"]],
        lambda: _judges(settings, abstracts, scores, lexicon),
    )  # fmt: skip
    files = {
        "kg_names/names.zst": _saved(lexicon.save),
        "kg_tagger/clusters.zst": _saved(lambda path: save_clusters(dict(clusters), path)),
        "kg_tagger/words.crfsuite": tagger,
        **judged.files,
    }
    pipeline = (*BEFORE, "kg_tagger", *ENTITIES)
    write_model(out, settings["name"], pipeline, files, judged.figures)
    return judged.figures


@dataclass(frozen=True, slots=True)
class Judges:
    """Files of the rescorer and of the entities, and figures measured on folds."""

    files: dict[str, bytes]
    figures: dict[str, Any]


def _judges(
    settings: Mapping[str, Any],
    abstracts: Sequence[Abstract],
    scores: Mapping[str, TokenScores],
    lexicon: Lexicon,
) -> Judges:
    """Train the trees over spans and names on texts that the tagger had not seen."""
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
    threshold, best = spans.best_threshold(texts, crossed)
    made = [spans.groups_of(t, p, threshold) for t, p in zip(texts, crossed, strict=True)]
    _, by_type = spans.f1(texts, made)
    rows, named = spans.naming_examples(texts, made)
    name_trees = train_trees(rows, named, TreeSettings(**settings["named"]))
    outcomes = spans.entity_outcomes(texts, made)
    trees = spans.train_spans(texts, tree_settings)
    width = texts[0].rows.shape[1]
    files = {
        "kg_rescorer/spans.onnx": export_trees(trees, width),
        "kg_rescorer/words.zst": _saved(lambda path: save_word_table(total, path)),
        "kg_rescorer/settings.json": _json({"threshold": threshold}),
        "kg_entities/named.onnx": export_trees(name_trees, rows.shape[1]),
        "kg_entities/entities.json": _json({"calibration": spans.calibration_points(*outcomes)}),
    }
    figures = {
        "entity_f1_folds": round(best, 4),
        "entity_f1_folds_by_type": {kind: round(value, 4) for kind, value in by_type.items()},
        "threshold": threshold,
        "annotated_abstracts": len(abstracts),
    }
    return Judges(files, figures)


def _clusters(settings: Mapping[str, Any], inputs: Inputs) -> Clusters:
    if inputs.corpora is None:
        return load_clusters(_base(inputs) / "kg_tagger" / "clusters.zst")
    apart = frozenset(
        text_key(one.text) for path in (inputs.gold, *inputs.apart) for one in read_gold(path)
    )
    return cluster_words(
        read_raw(inputs.corpora, apart), seed=settings["seed"], **settings["clusters"]
    )


def _names(abstracts: Sequence[Abstract], inputs: Inputs) -> dict[str, Row]:
    """Return the counts of names: the annotation's, and those of lists or of the base model."""
    if inputs.corpora is not None:
        other = list_rows(inputs.corpora / "gazetteers")
    else:
        other = {
            name: _not_gold(row)
            for name, row in Lexicon.load(_base(inputs) / "kg_names" / "names.zst").items()
        }
    return merged(gold_rows(abstracts), {name: row for name, row in other.items() if any(row)})


def _not_gold(row: Row) -> Row:
    """Return the counts without those of another annotation."""
    taken = {*range(*GOLD.indices(len(EMPTY))), GOLD_NAMED, GOLD_SEEN}
    return tuple(0 if i in taken else count for i, count in enumerate(row))


def _base(inputs: Inputs) -> Path:
    if inputs.base is None:
        raise ValueError("neither corpora nor a base model")
    return inputs.base


def _saved(save: Any) -> bytes:
    """Return what a function writes to a path."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        save(path)
        return path.read_bytes()


def _json(value: Any) -> bytes:
    return (json.dumps(value, sort_keys=True) + "\n").encode()


if __name__ == "__main__":
    main()
