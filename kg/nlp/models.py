"""Where models are: those that ship with kg, and folders that a user trained."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any, Final

from kg.errors import ModelError

SHIPPED: Final = ("fast", "accurate")  # the better one last
_FOLDER: Final = Path(__file__).with_name("weights")
_CONFIG: Final = "config.cfg"


def model_path(model: str | Path) -> Path:
    """Return the folder of a model, which ``spacy.load`` takes.

    Args:
        model: fast, accurate, or a folder that pipelines/train.py wrote.

    Raises:
        ModelError: there is no such model.
    """
    if str(model) in SHIPPED:
        found = _shipped(str(model))
        if found is None:
            raise ModelError(
                f"the model {model} is not part of this installation",
                f"Use one of: {', '.join(available()) or 'a folder made by pipelines/train.py'}.",
            )
        return found
    folder = Path(model)
    if not (folder / _CONFIG).is_file():
        raise ModelError(
            f"{model}: no model; a model is a folder with a {_CONFIG}",
            f"Use one of: {', '.join(('auto', *available()))}, or a folder made by "
            "pipelines/train.py.",
        )
    return folder


def available() -> tuple[str, ...]:
    """Return the shipped models that are installed, the better one last."""
    return tuple(name for name in SHIPPED if _shipped(name) is not None)


def read_meta(folder: Path) -> dict[str, Any]:
    """Return a model's meta.json."""
    try:
        meta: dict[str, Any] = json.loads((folder / "meta.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(
            f"{folder}: meta.json cannot be read; the model is not whole",
            "Install kg again, or train the model again with pipelines/train.py.",
        ) from error
    return meta


def version_of(folder: Path) -> str:
    """Return name, version and a hash of every file of a model, such as fast-0.1.0+3f2a91c4."""
    meta = read_meta(folder)
    hashed = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            hashed.update(path.relative_to(folder).as_posix().encode())
            hashed.update(hashlib.sha256(path.read_bytes()).digest())
    name = str(meta.get("name", folder.name)).removeprefix("kg_")
    return f"{name}-{meta.get('version', '0')}+{hashed.hexdigest()[:8]}"


def _shipped(name: str) -> Path | None:
    # A folder of models under development comes before the installed ones.
    roots = [Path(os.environ["KG_MODELS"])] if os.environ.get("KG_MODELS") else []
    for root in (*roots, _FOLDER):
        folder = root / f"kg_{name}"
        if (folder / _CONFIG).is_file():
            return folder
    return None
