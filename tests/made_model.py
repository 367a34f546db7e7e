"""A small model, trained in seconds from made-up abstracts, for tests of the whole pipeline."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

METHODS = ("LeafNet", "RootNet", "BarkFormer", "TwigGAN", "SapNet", "BranchBERT")
DATASETS = ("OpenTrees", "ForestQA", "MossBank", "FernSet")
TASKS = ("tree parsing", "leaf counting", "root detection")
METRICS = ("accuracy", "recall")


def abstract(rng: random.Random, number: int) -> dict[str, Any]:
    """An annotated abstract, told by a template."""
    own, other = rng.sample(METHODS, 2)
    data, task, metric = rng.choice(DATASETS), rng.choice(TASKS), rng.choice(METRICS)
    value = f"{rng.randint(60, 99)}.{rng.randint(0, 9)}%"
    claim = f"Experiments on the {data} dataset show that {own} reaches {value} {metric}."
    second = f"It outperforms {other} on the same data."
    text = (
        f"Since 1987 finding out what trees say is hard, and {task} is a task that few have solved. "
        f"We propose {own}, a network for {task} that reads the rings one by one. {claim} {second}"
    )

    def entity(name: str, kind: str, role: str, named: bool) -> dict[str, Any]:
        return {"name": name, "surfaces": [name], "type": kind, "named": named, "role": role}

    return {
        "id": f"made{number}",
        "text": text,
        "entities": [
            entity(own, "method", "proposed", True),
            entity(other, "method", "compared", True),
            entity(data, "dataset", "evaluated_on", True),
            entity(task, "task", "addressed", False),
            entity(metric, "metric", "used", False),
        ],
        "claims": [
            {"text": claim, "kind": "performance", "about": [own], "compared_to": [],
             "on": [data], "metrics": [metric], "values": [value]},
            {"text": second, "kind": "performance", "about": [own], "compared_to": [other],
             "on": [], "metrics": [], "values": []},
        ],
        "relations": [
            [own, "OUTPERFORMS", other], [own, "EVALUATED_ON", data], [own, "ADDRESSES", task],
        ],
    }  # fmt: skip


def write_made(path: Path, count: int, seed: int) -> list[dict[str, Any]]:
    """Write annotated abstracts to a file, and return them."""
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    rows = [abstract(rng, number) for number in range(count)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return rows


def write_base(folder: Path) -> Path:
    """Write the parts of a model that training on one's own annotation takes over."""
    from kg.nlp.lexicon import COLUMNS, Lexicon
    from kg.nlp.tagger import save_clusters

    listed = tuple(int(column == "list_dataset") for column in COLUMNS)
    (folder / "kg_names").mkdir(parents=True)
    (folder / "kg_tagger").mkdir()
    (folder / "config.cfg").write_text("", "utf-8")
    (folder / "meta.json").write_text("{}", "utf-8")
    Lexicon({"fernset": listed}).save(folder / "kg_names" / "names.zst")
    save_clusters({"network": (1, 0), "tree": (2, 0)}, folder / "kg_tagger" / "clusters.zst")
    return folder


def train_made(folder: Path) -> Path:
    """Train a model as a user does, on made-up annotation; return its folder."""
    from pipelines.train import main

    config = Path(__file__).parents[1] / "pipelines" / "configs" / "fast.toml"
    gold = folder / "gold.jsonl"
    write_made(gold, 90, seed=1)
    base = write_base(folder / "base")
    out = folder / "model"
    main([str(config), "--gold", str(gold), "--base", str(base), "--out", str(out)])
    return out


@pytest.fixture(scope="session")
def made_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model that was trained on made-up abstracts."""
    pytest.importorskip("sklearn", reason="training needs scikit-learn: pip install kg[dev]")
    pytest.importorskip("onnx", reason="training needs onnx: pip install kg[dev]")
    return train_made(tmp_path_factory.mktemp("made"))
