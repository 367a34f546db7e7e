"""Neo4j's own linter of Cypher, which npm fetches into the user's cache."""

import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

from tests.neo4j.server import CACHE, MissingError

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement and an example of each of its parameters."""

    text: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """What the linter does not like."""

    version: str  # CYPHER 5 or CYPHER 25, the language of Neo4j 2026
    text: str
    severity: str  # error or warning
    message: str


def lint(statements: Iterable[Statement], schema: Mapping[str, list[str]]) -> list[Finding]:
    """Return what Neo4j's linter finds in statements, for both languages.

    Args:
        statements: what to look at.
        schema: labels, relationshipTypes and propertyKeys that there are.
    """
    node = shutil.which("node")
    if node is None:
        raise MissingError("Cypher is linted by a program for Node.js: install nodejs and npm")
    given = {"schema": schema, "statements": [asdict(s) for s in statements]}
    done = subprocess.run(
        [node, _HERE / "lint.cjs"],
        input=json.dumps(given), capture_output=True, text=True, check=False,
        env={"NODE_PATH": str(_installed())},
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"the linter failed: {done.stderr[-2000:]}")
    return [Finding(**finding) for finding in json.loads(done.stdout)]


def _installed() -> Path:
    """Return the folder of node's modules, filled by npm when they are not there yet."""
    wanted = (_HERE / "package.json").read_text(encoding="utf-8")
    name, version = next(iter(json.loads(wanted)["dependencies"].items()))
    folder = CACHE.parent / "npm" / f"{name.replace('/', '+')}@{version}"
    complete = folder / "complete"
    if not complete.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise MissingError("The linter of Cypher is fetched by npm: install npm")
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(CACHE.parent / "npm" / "lock"):  # tests run in several processes
            if not complete.exists():
                (folder / "package.json").write_text(wanted, encoding="utf-8")
                _install(npm, folder, f"{name} {version}")
                complete.touch()
    return folder / "node_modules"


def _install(npm: str, folder: Path, wanted: str) -> None:
    done = subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise MissingError(f"npm could not fetch {wanted}: {done.stderr[-300:]}")
