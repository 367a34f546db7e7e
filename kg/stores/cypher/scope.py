"""What the names in a query stand for, as far as the schema tells."""

from dataclasses import dataclass, field, replace

from kg.model.schema import EDGE_TABLES, NODE_TABLES, EdgeTable, NodeTable, PropertyType
from kg.stores.cypher.syntax import (
    Binary,
    Call,
    Case,
    Comprehension,
    Expression,
    Index,
    LabelExpression,
    ListLiteral,
    Property,
    Raw,
    Slice,
    Variable,
)

LABELS = tuple(table.name for table in NODE_TABLES)
TYPES = tuple(dict.fromkeys(table.type.value for table in EDGE_TABLES))

_KINDS = {
    PropertyType.STRING: "string",
    PropertyType.INTEGER: "integer",
    PropertyType.FLOAT: "float",
    PropertyType.BOOLEAN: "boolean",
    PropertyType.STRINGS: "list",
    PropertyType.INTEGERS: "list",
}
_RETURNS = {
    "count": "integer", "size": "integer", "length": "integer", "tointeger": "integer",
    "tofloat": "float", "avg": "float", "sqrt": "float", "rand": "float", "ceil": "float",
    "floor": "float", "round": "float", "tostring": "string", "tolower": "string",
    "toupper": "string", "trim": "string", "replace": "string", "substring": "string",
    "left": "string", "right": "string", "type": "string", "nodes": "list", "collect": "list",
    "relationships": "list", "labels": "list", "keys": "list", "split": "list", "range": "list",
    "tail": "list", "tointegerlist": "list", "tofloatlist": "list", "tobooleanlist": "list",
    "tostringlist": "list", "normalize": "string", "lower": "string", "upper": "string",
    "tointegerornull": "integer", "tofloatornull": "float", "date": "date", "datetime": "datetime", "localdatetime": "datetime",
    "duration": "duration", "properties": "map", "startnode": "node", "endnode": "node",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bound:
    """What a variable is: node, edge, edges (of any number), path, or a type of value."""

    kind: str
    tables: tuple[NodeTable | EdgeTable, ...] = ()
    written: str = ""  # how it is written in the target, where not by its name
    optional: bool = False
    directed: bool = True  # of an edge: the pattern says which end is which

    def properties(self) -> dict[str, PropertyType]:
        """Return every property that a node or edge of these tables can have."""
        return {p.name: p.type for table in self.tables for p in table.properties}


Names = dict[str, Bound]


@dataclass
class Scope:
    """The names that a clause may use."""

    names: Names = field(default_factory=dict)
    in_function: bool = False  # inside a function over a list's items

    def having(self, **more: Bound) -> "Scope":
        """Return a scope with more names."""
        return Scope({**self.names, **more}, self.in_function)

    def kind(self, expression: Expression) -> str:
        """Return the type of an expression where it can be told; else an empty string."""
        match expression:
            case Raw(type=kind):
                return kind if kind not in ("parameter", "null") else ""
            case Variable(name):
                return self.names[name].kind if name in self.names else ""
            case Property(Variable(name), key) if name in self.names:
                found = self.names[name].properties().get(key)
                return _KINDS[found] if found else ""
            case Call(name):
                return _RETURNS.get(name.lower(), "")
            case ListLiteral() | Comprehension() | Slice():
                return "list"
            case Binary("+" | "-" | "*" | "/" | "%", left, right):
                return self._of_arithmetic(self.kind(left), self.kind(right))
            case Binary("^"):
                return "float"
            case Case(branches=branches):
                return self.kind(branches[0][1])
            case Index(of=Call(name=name)) if name.lower() == "nodes":
                return "node"
            case _:
                return ""

    @staticmethod
    def _of_arithmetic(left: str, right: str) -> str:
        for kind in ("list", "string", "float", "date", "datetime", "duration"):
            if kind in (left, right):
                return kind
        return "integer" if left == right == "integer" else ""


def satisfying(labels: LabelExpression | None, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the labels (or types) that satisfy an expression; each node has just one."""
    if labels is None:
        return known
    unknown = tuple(name for name in mentioned(labels) if name not in known)
    return tuple(name for name in (*known, *unknown) if _holds(labels, name))


def mentioned(labels: LabelExpression) -> tuple[str, ...]:
    """Return every label that an expression names."""
    own = (labels.name,) if labels.operator == "label" else ()
    return (*own, *(name for part in labels.parts for name in mentioned(part)))


def _holds(labels: LabelExpression, name: str) -> bool:
    match labels.operator:
        case "label":
            return labels.name == name
        case "any":
            return True
        case "!":
            return not _holds(labels.parts[0], name)
        case "&":
            return all(_holds(part, name) for part in labels.parts)
        case _:
            return any(_holds(part, name) for part in labels.parts)


def node_bound(labels: LabelExpression | None, *, optional: bool = False) -> Bound:
    """Return what a node of a label expression can be."""
    wanted = satisfying(labels, LABELS)
    tables = tuple(table for table in NODE_TABLES if table.name in wanted)
    return Bound("node", tables, optional=optional)


def edge_bound(types: LabelExpression | None, kind: str, *, optional: bool = False) -> Bound:
    """Return what an edge of a type expression can be."""
    wanted = satisfying(types, TYPES)
    tables = tuple(table for table in EDGE_TABLES if table.type.value in wanted)
    return Bound(kind, tables, optional=optional)


def narrowed(bound: Bound, heads: set[str], tails: set[str]) -> Bound:
    """Keep of an edge's tables those that join these labels."""
    kept = tuple(
        table
        for table in bound.tables
        if isinstance(table, EdgeTable) and table.head in heads and table.tail in tails
    )
    return replace(bound, tables=kept)
