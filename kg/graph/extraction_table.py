"""Extractions as an Arrow table: one row per text and model, links as numbers.

Claims, results and relations name entities; here they hold the entity's place in its own
extraction instead, so that assembly follows them without looking at names. A link to a name
that the extraction does not hold is left out.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from kg.model.extraction import (
    Claim,
    ClaimKind,
    Entity,
    EntityType,
    Extraction,
    InlineCitation,
    Mention,
    Relation,
    RelationType,
    Result,
    Role,
)
from kg.model.identity import digest
from kg.resolve.records import rows_table

_INT = pa.int32()
_PLACES = pa.list_(_INT)
NONE = -1  # a link that leads nowhere


def _struct(**types: pa.DataType) -> pa.DataType:
    return pa.struct([pa.field(name, type_) for name, type_ in types.items()])


ENTITY = _struct(
    name=pa.string(),
    type=pa.string(),
    named=pa.bool_(),
    role=pa.string(),
    confidence=pa.float64(),
    role_confidence=pa.float64(),
    texts=pa.list_(pa.string()),
    starts=_PLACES,
    ends=_PLACES,
)
RESULT = _struct(
    raw=pa.string(),
    start=_INT,
    end=_INT,
    value=pa.float64(),
    value_from=pa.float64(),
    unit=pa.string(),
    change=pa.string(),
    relative=pa.bool_(),
    direction=pa.string(),
    of=_INT,
    on=_INT,
    by=_INT,
    against=_INT,
    confidence=pa.float64(),
)
CLAIM = _struct(
    start=_INT,
    end=_INT,
    text=pa.string(),
    kind=pa.string(),
    polarity=pa.string(),
    certainty=pa.string(),
    confidence=pa.float64(),
    about=_PLACES,
    compared_to=_PLACES,
    on=_PLACES,
    metrics=_PLACES,
    results=pa.list_(RESULT),
)
RELATION = _struct(
    head=_INT, type=pa.string(), tail=_INT, start=_INT, end=_INT, confidence=pa.float64()
)
CITATION = _struct(
    raw=pa.string(),
    start=_INT,
    end=_INT,
    kind=pa.string(),
    authors=pa.list_(pa.string()),
    year=pa.int64(),
    target=pa.string(),
)

EXTRACTIONS = pa.schema(
    [
        pa.field("text_hash", pa.string(), False),
        pa.field("model", pa.string(), False),
        pa.field("entities", pa.list_(ENTITY), False),
        pa.field("claims", pa.list_(CLAIM), False),
        pa.field("relations", pa.list_(RELATION), False),
        pa.field("citations", pa.list_(CITATION), False),
        pa.field("sentences", pa.list_(_struct(start=_INT, end=_INT)), False),
        pa.field("flags", pa.list_(pa.string()), False),
    ]
)


def text_hash(text: str) -> str:
    """Return the hash under which what was read out of a text is kept."""
    return digest(text, size=32)


def extractions_table(pairs: Iterable[tuple[str, Extraction]]) -> pa.Table:
    """Return one row per pair of a text's hash and its extraction, in order."""
    return rows_table((_row(key, extraction) for key, extraction in pairs), EXTRACTIONS)


def _row(key: str, extraction: Extraction) -> dict[str, Any]:
    place = {entity.name: index for index, entity in enumerate(extraction.entities)}

    def places(names: Sequence[str]) -> list[int]:
        return [place[name] for name in names if name in place]

    return {
        "text_hash": key,
        "model": extraction.model,
        "entities": [
            {
                "name": e.name,
                "type": e.type.value,
                "named": e.named,
                "role": e.role.value,
                "confidence": e.confidence,
                "role_confidence": e.role_confidence,
                "texts": [mention.text for mention in e.mentions],
                "starts": [mention.start for mention in e.mentions],
                "ends": [mention.end for mention in e.mentions],
            }
            for e in extraction.entities
        ],
        "claims": [
            {
                "start": c.start,
                "end": c.end,
                "text": c.text,
                "kind": c.kind.value,
                "polarity": c.polarity,
                "certainty": c.certainty,
                "confidence": c.confidence,
                "about": places(c.about),
                "compared_to": places(c.compared_to),
                "on": places(c.on),
                "metrics": places(c.metrics),
                "results": [_result_row(result, place) for result in c.results],
            }
            for c in extraction.claims
        ],
        "relations": [
            {
                "head": place[r.head],
                "type": r.type.value,
                "tail": place[r.tail],
                "start": r.start,
                "end": r.end,
                "confidence": r.confidence,
            }
            for r in extraction.relations
            if r.head in place and r.tail in place
        ],
        "citations": [
            {
                "raw": c.raw,
                "start": c.start,
                "end": c.end,
                "kind": c.kind,
                "authors": list(c.authors),
                "year": c.year,
                "target": c.target,
            }
            for c in extraction.citations
        ],
        "sentences": [{"start": start, "end": end} for start, end in extraction.sentences],
        "flags": list(extraction.flags),
    }


def _result_row(result: Result, place: dict[str, int]) -> dict[str, Any]:
    return {
        "raw": result.raw,
        "start": result.start,
        "end": result.end,
        "value": result.value,
        "value_from": result.value_from,
        "unit": result.unit,
        "change": result.change,
        "relative": result.relative,
        "direction": result.direction,
        "of": place.get(result.of, NONE),
        "on": place.get(result.on, NONE),
        "by": place.get(result.by, NONE),
        "against": place.get(result.against, NONE),
        "confidence": result.confidence,
    }


def extraction_from_row(row: dict[str, Any]) -> Extraction:
    """Rebuild an extraction from a row of the table."""
    names = [entity["name"] for entity in row["entities"]]

    def named(places: Iterable[int]) -> tuple[str, ...]:
        return tuple(names[place] for place in places)

    def link(place: int) -> str:
        return "" if place == NONE else names[place]

    def result(r: dict[str, Any]) -> Result:
        links = {key: link(r[key]) for key in ("of", "on", "by", "against")}
        return Result(**{**r, **links})

    return Extraction(
        model=row["model"],
        entities=tuple(
            Entity(
                name=e["name"],
                type=EntityType(e["type"]),
                named=e["named"],
                role=Role(e["role"]),
                confidence=e["confidence"],
                role_confidence=e["role_confidence"],
                mentions=tuple(
                    Mention(start, end, text)
                    for start, end, text in zip(e["starts"], e["ends"], e["texts"], strict=True)
                ),
            )
            for e in row["entities"]
        ),
        claims=tuple(
            Claim(
                **{
                    **c,
                    "kind": ClaimKind(c["kind"]),
                    "results": tuple(result(r) for r in c["results"]),
                    **{key: named(c[key]) for key in ("about", "compared_to", "on", "metrics")},
                }
            )
            for c in row["claims"]
        ),
        relations=tuple(
            Relation(
                **{
                    **r,
                    "head": names[r["head"]],
                    "type": RelationType(r["type"]),
                    "tail": names[r["tail"]],
                }
            )
            for r in row["relations"]
        ),
        citations=tuple(
            InlineCitation(**{**c, "authors": tuple(c["authors"])}) for c in row["citations"]
        ),
        sentences=tuple((s["start"], s["end"]) for s in row["sentences"]),
        flags=tuple(row["flags"]),
    )
