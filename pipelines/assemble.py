"""Put a model folder together, in the form that spaCy loads."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kg import __version__

# Components that need no data, or whose data another trainer writes into their folder.
BEFORE = ("kg_fitness", "kg_abbreviations", "kg_names")
ENTITIES = ("kg_rescorer", "kg_entities")


def config(pipeline: Sequence[str]) -> str:
    """Return config.cfg for these components."""
    quoted = ",".join(f'"{name}"' for name in pipeline)
    parts = [
        "[nlp]",
        'lang = "en"',
        f"pipeline = [{quoted}]",
        "disabled = []",
        "before_creation = null",
        "after_creation = null",
        "after_pipeline_creation = null",
        "batch_size = 64",
        "",
        "[nlp.tokenizer]",
        '@tokenizers = "kg_words.v1"',
        "",
        "[components]",
        "",
    ]
    for name in pipeline:
        parts += [f"[components.{name}]", f'factory = "{name}"', ""]
    return "\n".join(parts)


def write_model(
    folder: Path,
    name: str,
    pipeline: Sequence[str],
    files: Mapping[str, bytes],
    figures: Mapping[str, Any],
) -> None:
    """Write a model folder; the same input gives the same bytes.

    Args:
        folder: to make or to overwrite file by file.
        name: of the model, such as kg_fast.
        pipeline: components in order.
        files: content by path in the folder, such as kg_tagger/words.crfsuite.
        figures: what was measured in training, for meta.json.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for path, content in sorted(files.items()):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    (folder / "config.cfg").write_text(config(pipeline), "utf-8")
    meta = {
        "lang": "en",
        "name": name,
        "version": __version__,
        "spacy_version": ">=3.8,<4.0",
        "description": "Methods, datasets, tasks, metrics and claims of paper abstracts.",
        "license": "MIT",
        "pipeline": list(pipeline),
        "components": list(pipeline),
        "labels": {},
        "vectors": {"width": 0, "vectors": 0, "keys": 0, "name": None, "mode": "default"},
        "performance": dict(figures),
    }
    (folder / "meta.json").write_text(json.dumps(meta, indent=1, sort_keys=True) + "\n", "utf-8")
