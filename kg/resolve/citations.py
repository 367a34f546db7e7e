"""References to papers: which paper each reference, in a bibliography or a text, means."""

from dataclasses import dataclass, fields
from typing import Any

import pyarrow as pa

from kg.model.identity import paper_id
from kg.model.record import Identifiers
from kg.resolve.papers import PAPERS
from kg.resolve.records import REFERENCE

REFERENCES = pa.schema(
    [
        pa.field("paper", pa.string(), False),  # the citing one
        pa.field("origin", pa.string(), False),  # metadata, reference or inline
        *REFERENCE.fields,
        pa.field("kind", pa.string()),  # of an inline citation, as its extraction says
        pa.field("start", pa.int64()),  # of an inline citation in the citing paper's text
        pa.field("end", pa.int64()),
    ]
)

RESOLVED = pa.schema(
    [
        pa.field("cited", pa.string()),  # a paper or a stub, null where nothing is meant for sure
        pa.field("status", pa.string(), False),  # resolved, stub, ambiguous or missing
        pa.field("method", pa.string(), False),
        pa.field("score", pa.float64(), False),
    ]
)

_SHARED = tuple(f.name for f in fields(Identifiers) if f.name != "key")


@dataclass(frozen=True, slots=True)
class Citations:
    """Which paper each reference means, row by row, and the papers that no record describes.

    `stubs` has the columns of PAPERS and is sorted by id.
    """

    resolved: pa.Table
    stubs: pa.Table


def match_references(references: pa.Table, papers: pa.Table) -> Citations:
    """Find the paper of each reference by its identifiers.

    Args:
        references: columns of REFERENCES.
        papers: columns of PAPERS.
    """
    holders: dict[str, set[str]] = {}
    for paper, identifiers in zip(
        papers["id"].to_pylist(), papers["identifiers"].to_pylist(), strict=True
    ):
        for identifier in identifiers:
            holders.setdefault(identifier, set()).add(paper)
    resolved = []
    stubs: dict[str, dict[str, Any]] = {}
    for row in references.to_pylist():
        ids = {name: row["ids"][name] for name in _SHARED if row["ids"] and row["ids"][name]}
        found = sorted({p for n, value in ids.items() for p in holders.get(f"{n}:{value}", ())})
        if len(found) == 1:
            by = next(n for n, value in ids.items() if f"{n}:{value}" in holders)
            resolved.append(
                {"cited": found[0], "status": "resolved", "method": f"same {by}", "score": 1.0}
            )
        elif found:
            resolved.append({"status": "ambiguous", "method": "identifiers", "score": 0.5})
        elif ids:
            stub = _stub(row, Identifiers(**ids))
            known = stubs.setdefault(stub["id"], stub)
            # Several references to one missing paper: the fullest describes it.
            stubs[stub["id"]] = min(known, stub, key=_emptiness)
            resolved.append(
                {"cited": stub["id"], "status": "stub", "method": "identifier", "score": 1.0}
            )
        else:
            resolved.append({"status": "missing", "method": "no identifier", "score": 0.0})
    ordered = [stubs[key] for key in sorted(stubs)]
    return Citations(
        pa.Table.from_pylist(resolved, RESOLVED), pa.Table.from_pylist(ordered, PAPERS)
    )


def _stub(row: dict[str, Any], ids: Identifiers) -> dict[str, Any]:
    own = paper_id(ids, row["title"] or "", "")
    return {
        "id": own,
        "title": row["title"] or None,
        "title_made": False,
        "year": row["year"],
        **{n: getattr(ids, n) or None for n in ("doi", "arxiv", "pmid", "openalex", "s2", "dblp")},
        "acl": ids.acl or None,
        "arxiv_versions": [],
        "isbn": [],
        "urls": [],
        "topics": [],
        "sources": [],
        "aliases": [],
        "identifiers": [f"{n}:{getattr(ids, n)}" for n in _SHARED if getattr(ids, n)],
        "authors": [
            {"family": name, "given": "", "name": "", "orcid": ""} for name in row["authors"] or ()
        ],
        "venue": row["venue"] or "",
        "language": "",
        "references": [],
    }


def _emptiness(stub: dict[str, Any]) -> tuple[Any, ...]:
    return (-sum(bool(value) for value in stub.values()), repr(sorted(stub.items())))
