"""What was read out of one text; the JSON that `kg extract` writes has the same shape."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from kg.model.schema import NodeLabel


class EntityType(StrEnum):
    """What an entity is, in the annotation's words."""

    METHOD = "method"
    DATASET = "dataset"
    TASK = "task"
    METRIC = "metric"

    @property
    def label(self) -> NodeLabel:
        """The node label of this type."""
        return NodeLabel(self.value.capitalize())


class Role(StrEnum):
    """What an entity is to the paper, the strongest first."""

    PROPOSED = "proposed"
    EVALUATED_ON = "evaluated_on"
    COMPARED = "compared"
    USED = "used"
    ADDRESSED = "addressed"
    MENTIONED = "mentioned"


class ClaimKind(StrEnum):
    """What backs a claim."""

    PERFORMANCE = "performance"
    FINDING = "finding"
    THEORY = "theory"


class RelationType(StrEnum):
    """What one entity is to another."""

    EXTENDS = "EXTENDS"
    USES = "USES"
    OUTPERFORMS = "OUTPERFORMS"
    EVALUATED_ON = "EVALUATED_ON"
    PART_OF = "PART_OF"
    ADDRESSES = "ADDRESSES"


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of text [start, end) that names something; offsets count characters."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Entity:
    """A method, dataset, task or metric of one text with every mention, in text order.

    `name` is the most recognisable surface form and unique in its extraction.
    """

    name: str
    type: EntityType
    named: bool
    role: Role
    confidence: float
    mentions: tuple[Mention, ...]
    role_confidence: float = 1.0

    @property
    def surfaces(self) -> tuple[str, ...]:
        """The distinct surface forms, in text order."""
        return tuple(dict.fromkeys(mention.text for mention in self.mentions))


@dataclass(frozen=True, slots=True)
class Result:
    """A number that carries a claim; `of`, `on`, `by`, `against` are entity names or empty."""

    raw: str
    start: int
    end: int
    value: float | None
    unit: str = ""
    value_from: float | None = None
    change: str = "absolute"  # or delta
    relative: bool = False
    direction: str = "none"  # up, down
    of: str = ""
    on: str = ""
    by: str = ""
    against: str = ""
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement that an experiment or a proof backs; links are names of entities."""

    start: int
    end: int
    text: str
    kind: ClaimKind
    confidence: float
    about: tuple[str, ...] = ()
    compared_to: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    results: tuple[Result, ...] = ()
    polarity: str = "positive"  # or negative
    certainty: str = "certain"  # or hedged


@dataclass(frozen=True, slots=True)
class Relation:
    """head TYPE tail, both names of entities, with the span of the evidence sentence."""

    head: str
    type: RelationType
    tail: str
    start: int
    end: int
    confidence: float


@dataclass(frozen=True, slots=True)
class InlineCitation:
    """A citation in running text: a printed form, a key, an identifier or an address.

    `kind` is author_year, numeric, key, doi, arxiv, acl or url.
    """

    raw: str
    start: int
    end: int
    kind: str
    authors: tuple[str, ...] = ()  # family names
    year: int | None = None
    target: str = ""  # normalised identifier, key, number or address


@dataclass(frozen=True, slots=True)
class Extraction:
    """Everything that one model read out of one text; offsets point into that text."""

    model: str  # name and version, such as fast-1.0+3f2a
    entities: tuple[Entity, ...] = ()
    claims: tuple[Claim, ...] = ()
    relations: tuple[Relation, ...] = ()
    citations: tuple[InlineCitation, ...] = ()
    sentences: tuple[tuple[int, int], ...] = ()
    flags: tuple[str, ...] = ()  # why the text was not read in full: language, length, ...

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists and dicts, the shape of the JSON without id, title and text."""
        return asdict(self)


def _results(rows: list[dict[str, Any]]) -> tuple[Result, ...]:
    return tuple(Result(**row) for row in rows)


def extraction_from_dict(row: dict[str, Any]) -> Extraction:
    """Rebuild what to_dict wrote; KeyError, TypeError or ValueError when it is something else."""
    return Extraction(
        model=row["model"],
        entities=tuple(
            Entity(
                name=e["name"],
                type=EntityType(e["type"]),
                named=e["named"],
                role=Role(e["role"]),
                confidence=e["confidence"],
                mentions=tuple(Mention(**m) for m in e["mentions"]),
                role_confidence=e.get("role_confidence", 1.0),
            )
            for e in row["entities"]
        ),
        claims=tuple(
            Claim(
                **{
                    **c,
                    "kind": ClaimKind(c["kind"]),
                    "results": _results(c["results"]),
                    **{k: tuple(c[k]) for k in ("about", "compared_to", "on", "metrics")},
                }
            )
            for c in row["claims"]
        ),
        relations=tuple(
            Relation(**{**r, "type": RelationType(r["type"])}) for r in row["relations"]
        ),
        citations=tuple(
            InlineCitation(**{**c, "authors": tuple(c["authors"])}) for c in row["citations"]
        ),
        sentences=tuple((s[0], s[1]) for s in row["sentences"]),
        flags=tuple(row["flags"]),
    )
