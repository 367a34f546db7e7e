"""Give annotated abstracts their field of science, for `kg eval --by field`.

python -m pipelines.fields dev.jsonl CORPORA > dev_with_fields.jsonl

The field is the first arXiv class of the paper, by the id that stands in `source` (arxiv:ID); the
ACL Anthology is a field of its own, and so is what came from neither.
"""

import argparse
import gzip
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

FIELDS: Final = {
    "cs.CL": "language",
    "cs.CV": "vision",
    "cs.LG": "learning",
    "stat.ML": "learning",
    "cs.AI": "artificial intelligence",
}
_OTHER: Final = "other arXiv classes"
_ANTHOLOGY: Final = "ACL Anthology"
_FIRST: Final = "learning, first seeds"


def field_of(source: str, classes: Mapping[str, str]) -> str:
    """Return the field of an abstract.

    Args:
        source: where it came from, such as arxiv:2503.01234v1.
        classes: first class by arXiv id without version.

    >>> field_of("arxiv:2503.01234v2", {"2503.01234": "stat.ML"})
    'learning'
    """
    kind, _, name = source.partition(":")
    if kind == "acl":
        return _ANTHOLOGY
    if kind != "arxiv":
        return _FIRST
    return FIELDS.get(classes.get(name.partition("v")[0], ""), _OTHER)


def arxiv_classes(corpora: Path) -> dict[str, str]:
    """Return the first class of every paper of the arXiv listings, by its id."""
    path = corpora / "arxiv-daily-2025-2026" / "abstracts.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    return {row["id"].partition("v")[0]: row["categories"][0] for row in rows if row["categories"]}


def main() -> None:
    """Write the abstracts with their fields to standard output."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("gold", type=Path)
    parser.add_argument("corpora", type=Path)
    options = parser.parse_args()
    classes = arxiv_classes(options.corpora)
    with options.gold.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            row["field"] = field_of(row.get("source", ""), classes)
            sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
