"""The graph's schema, written once: labels, relationship types, who may join whom, properties.

Database constraints, the embedded store's tables, bulk-import headers, export keys, a page's
legend and the table in the README are derived from here, or tested against it.
"""

from dataclasses import dataclass
from enum import StrEnum

SCHEMA_VERSION = 1


class NodeLabel(StrEnum):
    """What a node is."""

    PAPER = "Paper"
    METHOD = "Method"
    DATASET = "Dataset"
    TASK = "Task"
    METRIC = "Metric"
    CLAIM = "Claim"
    RESULT = "Result"
    AUTHOR = "Author"
    VENUE = "Venue"


class RelationshipType(StrEnum):
    """What an edge says."""

    PROPOSES = "PROPOSES"
    USES = "USES"
    COMPARES_WITH = "COMPARES_WITH"
    EVALUATES_ON = "EVALUATES_ON"
    ADDRESSES = "ADDRESSES"
    MEASURES = "MEASURES"
    MENTIONS = "MENTIONS"
    MAKES = "MAKES"
    CITES = "CITES"
    PUBLISHED_IN = "PUBLISHED_IN"
    WROTE = "WROTE"
    ABOUT = "ABOUT"
    COMPARED_TO = "COMPARED_TO"
    ON = "ON"
    REPORTS = "REPORTS"
    OF = "OF"
    AGAINST = "AGAINST"
    BY = "BY"
    EXTENDS = "EXTENDS"
    OUTPERFORMS = "OUTPERFORMS"
    PART_OF = "PART_OF"
    EVALUATED_ON = "EVALUATED_ON"


class PropertyType(StrEnum):
    """The type of a property; a list holds no nulls."""

    STRING = "string"
    INTEGER = "integer"
    FLOAT = "float"
    BOOLEAN = "boolean"
    STRINGS = "strings"
    INTEGERS = "integers"


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a label or relationship type; every property but a key may be null."""

    name: str
    type: PropertyType
    meaning: str


@dataclass(frozen=True, slots=True)
class NodeTable:
    """All nodes of one label; the key is always `id`."""

    label: NodeLabel
    meaning: str
    properties: tuple[Property, ...]

    @property
    def name(self) -> str:
        """The table's name, which is the label."""
        return self.label.value


@dataclass(frozen=True, slots=True)
class EdgeTable:
    """All edges of one type between two labels; the key is `id`, the ends are node ids.

    In Arrow and Parquet the columns are `id`, `head`, `tail`, then the properties.
    """

    type: RelationshipType
    head: NodeLabel
    tail: NodeLabel
    properties: tuple[Property, ...]

    @property
    def name(self) -> str:
        """The table's name, such as USES.Paper.Method."""
        return f"{self.type.value}.{self.head.value}.{self.tail.value}"


def _string(name: str, meaning: str) -> Property:
    return Property(name, PropertyType.STRING, meaning)


def _strings(name: str, meaning: str) -> Property:
    return Property(name, PropertyType.STRINGS, meaning)


def _integer(name: str, meaning: str) -> Property:
    return Property(name, PropertyType.INTEGER, meaning)


def _integers(name: str, meaning: str) -> Property:
    return Property(name, PropertyType.INTEGERS, meaning)


def _float(name: str, meaning: str) -> Property:
    return Property(name, PropertyType.FLOAT, meaning)


def _boolean(name: str, meaning: str) -> Property:
    return Property(name, PropertyType.BOOLEAN, meaning)


KEY = _string("id", "key, made from content")

# The four kinds of thing that a paper's text names.
ENTITY_LABELS = (NodeLabel.METHOD, NodeLabel.DATASET, NodeLabel.TASK, NodeLabel.METRIC)

_ENTITY = (
    KEY,
    _string("name", "canonical name: the form shown"),
    _boolean("named", "a proper name that identifies one specific thing"),
    _strings("surfaces", "every surface form merged into it, most frequent first"),
    _integers("surface_counts", "mentions per surface form, in the order of surfaces"),
    _strings("reasons", "why each surface form was merged, in the order of surfaces"),
    _integer("papers", "papers that name it"),
    _integer("mentions", "mentions in all papers"),
    _strings("aliases", "ids that this entity had before; they still resolve"),
)

NODE_TABLES = (
    NodeTable(
        NodeLabel.PAPER,
        "a paper: records of several sources, matched",
        (
            KEY,
            _string("title", "as the source gives it, else made from the first sentence"),
            _boolean("title_made", "the title was made from the abstract"),
            _string("text", "the abstract; every offset of its evidence points into it"),
            _integer("year", "year of publication"),
            _string("date", "ISO 8601 date as exact as known"),
            _string("doi", "lower-case, without resolver"),
            _string("arxiv", "arXiv id without version"),
            _strings("arxiv_versions", "versions seen, such as v2"),
            _string("pmid", "PubMed id"),
            _string("openalex", "OpenAlex work id, W..."),
            _string("s2", "Semantic Scholar paper id"),
            _string("dblp", "DBLP key"),
            _string("acl", "ACL Anthology id"),
            _strings("isbn", "ISBN-13, digits only"),
            _strings("urls", "addresses given by the source or the text"),
            _strings("topics", "keywords and categories"),
            _boolean("known", "false for a stub: cited, but no record was read"),
            _strings("sources", "file:line of each record"),
            _string("model", "name and version of the model that read the text"),
            _strings(
                "aliases",
                "ids that it would have as a stub, or its records alone; they still resolve",
            ),
        ),
    ),
    NodeTable(NodeLabel.METHOD, "an algorithm, model, loss, framework or technique", _ENTITY),
    NodeTable(NodeLabel.DATASET, "a dataset, corpus, benchmark or environment", _ENTITY),
    NodeTable(NodeLabel.TASK, "a problem or application", _ENTITY),
    NodeTable(NodeLabel.METRIC, "a quantity that performance is measured with", _ENTITY),
    NodeTable(
        NodeLabel.CLAIM,
        "a statement that an experiment or a proof backs",
        (
            KEY,
            _string("text", "the exact words"),
            _string("kind", "performance, finding or theory"),
            _string("polarity", "positive or negative"),
            _string("certainty", "certain or hedged"),
            _string("paper", "id of the paper"),
            _integer("start", "offset of the first character in the paper's text"),
            _integer("end", "offset after the last character"),
            _float("confidence", "probability in [0, 1] that it is a claim"),
            _string("model", "name and version of the model"),
            _strings("urls", "addresses of code and data in its sentence"),
        ),
    ),
    NodeTable(
        NodeLabel.RESULT,
        "a number that carries a claim",
        (
            KEY,
            _string("raw", "the exact characters"),
            _float("value", "the number; of a range or a from-to pair the last one"),
            _float("value_from", "the first number of a range or a from-to pair"),
            _string("unit", "%, points, x, s, parameters, ... or O() for a bound"),
            _string("change", "absolute or delta"),
            _boolean("relative", "of a delta: relative to the baseline, not in points"),
            _string("direction", "up, down or none"),
            _string("paper", "id of the paper"),
            _integer("start", "offset of the first character in the paper's text"),
            _integer("end", "offset after the last character"),
            _float("confidence", "probability in [0, 1] that value and unit are right"),
        ),
    ),
    NodeTable(
        NodeLabel.AUTHOR,
        "a person who wrote a paper",
        (
            KEY,
            _string("name", "given and family name"),
            _string("family", "family name"),
            _string("given", "given names"),
            _string("orcid", "ORCID iD, 0000-0000-0000-0000"),
        ),
    ),
    NodeTable(
        NodeLabel.VENUE,
        "a journal, conference or preprint server",
        (KEY, _string("name", "as most records give it")),
    ),
)

# What every edge that was read out of text carries.
EVIDENCE = (
    _string("paper", "id of the paper"),
    _string("sentence", "the sentence that the edge rests on"),
    _integer("start", "offset of the evidence in the paper's text"),
    _integer("end", "offset after its last character"),
    _string("component", "the component that read it"),
    _string("model", "name and version of the model"),
    _float("confidence", "probability in [0, 1]"),
)

_CITED = (
    _string("origin", "metadata, reference or inline"),
    _string("method", "how the reference was matched"),
    _string("raw", "the reference as printed, where there is one"),
    _integers("starts", "offsets of inline citations in the citing paper's text"),
)

_MENTION = (
    *EVIDENCE,
    _string("role", "proposed, used, compared, evaluated_on, addressed or mentioned"),
    _integers("starts", "offsets of every mention"),
    _integers("ends", "offsets after every mention"),
)


def _edges(
    types: tuple[RelationshipType, ...],
    heads: tuple[NodeLabel, ...],
    tails: tuple[NodeLabel, ...],
    properties: tuple[Property, ...],
) -> tuple[EdgeTable, ...]:
    own = (_string("id", "key, made from type, ends and paper"), *properties)
    return tuple(EdgeTable(t, h, d, own) for t in types for h in heads for d in tails)


_R, _L = RelationshipType, NodeLabel

EDGE_TABLES = (
    *_edges(
        (
            _R.PROPOSES,
            _R.USES,
            _R.COMPARES_WITH,
            _R.EVALUATES_ON,
            _R.ADDRESSES,
            _R.MEASURES,
            _R.MENTIONS,
        ),
        (_L.PAPER,),
        ENTITY_LABELS,
        _MENTION,
    ),
    *_edges((_R.MAKES,), (_L.PAPER,), (_L.CLAIM,), EVIDENCE),
    *_edges(
        (_R.CITES,),
        (_L.PAPER,),
        (_L.PAPER,),
        (*_CITED, _float("confidence", "probability in [0, 1]")),
    ),
    *_edges((_R.CITES,), (_L.CLAIM,), (_L.PAPER,), (*EVIDENCE, *_CITED)),
    *_edges((_R.PUBLISHED_IN,), (_L.PAPER,), (_L.VENUE,), ()),
    *_edges(
        (_R.WROTE,),
        (_L.AUTHOR,),
        (_L.PAPER,),
        (_integer("position", "place in the list of authors, from 1"),),
    ),
    *_edges((_R.ABOUT, _R.COMPARED_TO), (_L.CLAIM,), ENTITY_LABELS, EVIDENCE),
    *_edges((_R.ON,), (_L.CLAIM, _L.RESULT), (_L.DATASET,), EVIDENCE),
    *_edges((_R.REPORTS,), (_L.CLAIM,), (_L.RESULT,), EVIDENCE),
    *_edges((_R.OF, _R.AGAINST), (_L.RESULT,), (_L.METHOD,), EVIDENCE),
    *_edges((_R.BY,), (_L.CLAIM, _L.RESULT), (_L.METRIC,), EVIDENCE),
    *_edges(
        (_R.EXTENDS, _R.USES, _R.OUTPERFORMS, _R.PART_OF), (_L.METHOD,), (_L.METHOD,), EVIDENCE
    ),
    *_edges((_R.EVALUATED_ON,), (_L.METHOD,), (_L.DATASET,), EVIDENCE),
    *_edges((_R.EXTENDS, _R.PART_OF), (_L.DATASET,), (_L.DATASET,), EVIDENCE),
    *_edges((_R.ADDRESSES,), (_L.METHOD, _L.DATASET), (_L.TASK,), EVIDENCE),
)

# A paper's role for an entity decides the one edge between them; a metric that is used is
# measured, a task that is used is addressed.
ROLE_TYPES = {
    "proposed": _R.PROPOSES,
    "used": _R.USES,
    "compared": _R.COMPARES_WITH,
    "evaluated_on": _R.EVALUATES_ON,
    "addressed": _R.ADDRESSES,
    "mentioned": _R.MENTIONS,
}


def relationship_for(role: str, label: NodeLabel) -> RelationshipType:
    """Return the type of the edge from a paper to an entity that has this role in it."""
    if role == "used" and label is NodeLabel.METRIC:
        return RelationshipType.MEASURES
    return ROLE_TYPES[role]


def node_table(label: NodeLabel | str) -> NodeTable:
    """Return the table of a label; ValueError for an unknown one."""
    wanted = NodeLabel(label)
    return next(table for table in NODE_TABLES if table.label is wanted)


def edge_tables(relationship: RelationshipType | str) -> tuple[EdgeTable, ...]:
    """Return every table of a relationship type; ValueError for an unknown one."""
    wanted = RelationshipType(relationship)
    return tuple(table for table in EDGE_TABLES if table.type is wanted)


def edge_table(name: str) -> EdgeTable:
    """Return the table of a name such as USES.Paper.Method; KeyError for an unknown one."""
    for table in EDGE_TABLES:
        if table.name == name:
            return table
    raise KeyError(name)
