"""Where a record says something else than what was kept of its paper."""

from collections.abc import Iterator, Mapping
from typing import Any

from kg.model.identity import fold

_LONGEST = 80  # characters of a value that are shown


def differences(row: Mapping[str, Any], paper: Mapping[str, Any]) -> list[str]:
    """Return one line per field in which a record differs from its paper, by what was kept.

    Spelling that folds to the same is no difference, and neither is a field left empty.

    Args:
        row: columns of kg.resolve.records.RECORDS.
        paper: columns of kg.resolve.papers.PAPERS.
    """
    return [
        f"{field}: {_short(said)}; kept is {_short(kept)}"
        for field, said, kept in _fields(row, paper)
        if said and kept and fold(str(said)) != fold(str(kept))
    ]


def _fields(row: Mapping[str, Any], paper: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for field in ("title", "year", "venue"):
        yield field, row[field], paper[field]
    yield "abstract", row["text"], paper["text"]
    for field in ("doi", "arxiv", "pmid", "acl"):
        yield field, row["ids"][field], paper[field]
    yield "first author", _first(row["authors"]), _first(paper["authors"])


def _first(authors: Any) -> str:
    """The family name, which sources spell alike where they give it at all."""
    return str(authors[0]["family"] or "") if authors else ""


def _short(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
