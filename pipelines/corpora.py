"""Read the corpora that models are trained from: annotated abstracts and raw ones."""

import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lxml import etree

from kg.model.identity import digest, fold

# Material of the Anthology from this year on may be used for what ships (CC BY 4.0).
_FIRST_ANTHOLOGY_YEAR = 2016
_FEWEST_CHARACTERS = 200


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GoldMention:
    """An annotated mention: [start, end) in characters, and what its entity is."""

    start: int
    end: int
    type: str
    named: bool
    role: str


@dataclass(frozen=True, slots=True)
class Abstract:
    """An annotated abstract; `row` is the line of the file as it was read."""

    id: str
    text: str
    mentions: tuple[GoldMention, ...]
    row: dict[str, Any]


def read_gold(path: Path) -> list[Abstract]:
    """Return the annotated abstracts of a JSONL file, in file order; ``kg extract`` writes such."""
    return [Abstract(row["id"], row["text"], mentions(row), row) for row in read_rows(path)]


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the lines of an annotated JSONL file in one form.

    Entities have ``surfaces`` even where the file has ``mentions``, claims ``values`` where it has
    ``results``, and relations are (head, type, tail) where it has objects.
    """
    with path.open(encoding="utf-8") as lines:
        return [in_one_form(json.loads(line)) for line in lines if line.strip()]


def in_one_form(row: dict[str, Any]) -> dict[str, Any]:
    """Return a line of annotation with surfaces, values and relations as ``read_rows`` says.

    ``confidences`` are of the relations: 1 but where a model read them.

    >>> in_one_form({"entities": [{"name": "A", "mentions": [{"text": "A"}, {"text": "A"}]}]})
    {'entities': [{'name': 'A', 'mentions': [{'text': 'A'}, {'text': 'A'}], 'surfaces': ['A']}], 'claims': [], 'relations': [], 'confidences': []}
    """
    return {
        **row,
        "entities": [{**entity, "surfaces": _surfaces(entity)} for entity in row["entities"]],
        "claims": [_claim(claim) for claim in row.get("claims", ())],
        "relations": [
            [r["head"], r["type"], r["tail"]] if isinstance(r, dict) else r
            for r in row.get("relations", ())
        ],
        "confidences": row.get("confidences")
        or [_confidence(relation) for relation in row.get("relations", ())],
    }


def _confidence(relation: Any) -> float:
    """Return that of a model, and 1 of an annotator, who gives none."""
    given = relation.get("confidence") if isinstance(relation, dict) else None
    return 1.0 if given is None else float(given)


def _surfaces(entity: dict[str, Any]) -> list[str]:
    found = entity.get("surfaces") or [m["text"] for m in entity.get("mentions", ())]
    return list(dict.fromkeys(found)) or [entity["name"]]


def _claim(claim: dict[str, Any]) -> dict[str, Any]:
    values = claim.get("values") or [r["raw"] for r in claim.get("results", ())]
    links = {field: claim.get(field, []) for field in ("about", "compared_to", "on", "metrics")}
    return {**claim, **links, "values": values}


def mentions(row: dict[str, Any]) -> tuple[GoldMention, ...]:
    """Return every occurrence of every annotated surface form, the longest where two overlap."""
    text = row["text"]
    forms = {
        (surface, entity["type"], bool(entity["named"]), entity["role"])
        for entity in row["entities"]
        for surface in entity["surfaces"]
    }
    taken = bytearray(len(text))
    found = []
    for surface, kind, named, role in sorted(forms, key=lambda form: (-len(form[0]), form)):
        for match in re.finditer(rf"(?<!\w){re.escape(surface)}(?!\w)", text):
            start, end = match.span()
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                found.append(GoldMention(start, end, kind, named, role))
    return tuple(sorted(found, key=lambda mention: mention.start))


def held_out(id: str) -> bool:  # noqa: A002
    """Say whether an abstract is of the 30% that no tagger is trained on, by its id alone.

    What judges a tagger's spans learns from texts that the tagger has not seen.
    """
    return int(hashlib.sha1(id.encode(), usedforsecurity=False).hexdigest(), 16) % 10 < 3


def fold_of(id: str, folds: int) -> int:  # noqa: A002
    """Return which fold an abstract is in, by its id alone."""
    return int(digest("fold", id), 16) % folds


def text_key(text: str) -> str:
    """Return what two printings of one abstract share."""
    return digest(fold(text)[:400])


def spread_out(texts: Iterable[T], count: int) -> list[T]:
    """Return so many from all over, in their order.

    >>> spread_out("abcdefghij", 4)
    ['a', 'c', 'f', 'h']
    """
    whole = list(texts)
    wanted = min(count, len(whole))
    return [whole[i * len(whole) // wanted] for i in range(wanted)]


def read_raw(corpora: Path, apart: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield raw abstracts once each, white space folded, in a fixed order.

    Args:
        corpora: the folder that holds arxiv-daily-2025-2026 and acl-anthology.
        apart: text_key of abstracts to leave out, such as the annotated ones.
    """
    seen = set(apart)
    for text in _all_raw(corpora):
        folded = " ".join(text.split())
        if len(folded) < _FEWEST_CHARACTERS:
            continue
        key = text_key(folded)
        if key not in seen:
            seen.add(key)
            yield folded


def _all_raw(corpora: Path) -> Iterator[str]:
    with gzip.open(corpora / "arxiv-daily-2025-2026" / "abstracts.jsonl.gz", "rt") as lines:
        for line in lines:
            yield json.loads(line)["summary"]
    for path in sorted((corpora / "acl-anthology" / "xml").glob("*.xml.gz")):
        year = _anthology_year(path.name)
        if year >= _FIRST_ANTHOLOGY_YEAR:
            with gzip.open(path) as file:
                tree = etree.fromstring(file.read())
            for abstract in tree.iter("abstract"):
                yield "".join(str(part) for part in abstract.itertext())


def _anthology_year(name: str) -> int:
    """Return the year of 2020.acl.xml.gz or P18.xml.gz."""
    new = re.match(r"(\d{4})\.", name)
    if new:
        return int(new[1])
    old = re.match(r"[A-Z](\d\d)", name)
    if not old:
        return 0
    short = int(old[1])
    return 2000 + short if short < 50 else 1900 + short
