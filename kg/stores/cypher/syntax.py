"""What a reading query consists of, once it is parsed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Raw:
    """A literal or a parameter, as it stands in the query."""

    text: str
    type: str  # string, integer, float, boolean, null or parameter


@dataclass(frozen=True, slots=True)
class Variable:
    """A name that a clause bound."""

    name: str


@dataclass(frozen=True, slots=True)
class Property:
    """expression.key."""

    of: "Expression"
    key: str


@dataclass(frozen=True, slots=True)
class Index:
    """expression[at]."""

    of: "Expression"
    at: "Expression"


@dataclass(frozen=True, slots=True)
class Slice:
    """expression[start..end]."""

    of: "Expression"
    start: "Expression | None"
    end: "Expression | None"


@dataclass(frozen=True, slots=True)
class Call:
    """name(arguments), or count(*) when star is set."""

    name: str
    arguments: tuple["Expression", ...]
    distinct: bool = False
    star: bool = False


@dataclass(frozen=True, slots=True)
class Unary:
    """NOT expression, -expression or +expression."""

    operator: str
    of: "Expression"


@dataclass(frozen=True, slots=True)
class Binary:
    """left operator right; the operator in capitals."""

    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Comparison:
    """a < b <= c: operands, and the operators between them."""

    operands: tuple["Expression", ...]
    operators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IsNull:
    """expression IS [NOT] NULL."""

    of: "Expression"
    negated: bool


@dataclass(frozen=True, slots=True)
class HasLabel:
    """expression:Label, of a node or a relationship."""

    of: "Expression"
    labels: "LabelExpression"


@dataclass(frozen=True, slots=True)
class ListLiteral:
    """[a, b]."""

    items: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class MapLiteral:
    """{key: value}."""

    pairs: tuple[tuple[str, "Expression"], ...]


@dataclass(frozen=True, slots=True)
class MapProjection:
    """variable {.key, .*, name: value, variable}; an item without a value is a variable's own."""

    variable: str
    everything: bool
    pairs: tuple[tuple[str, "Expression"], ...]


@dataclass(frozen=True, slots=True)
class Comprehension:
    """[variable IN items WHERE condition | result]."""

    variable: str
    items: "Expression"
    condition: "Expression | None"
    result: "Expression | None"


@dataclass(frozen=True, slots=True)
class PatternComprehension:
    """[pattern WHERE condition | result]."""

    pattern: "Pattern"
    condition: "Expression | None"
    result: "Expression"


@dataclass(frozen=True, slots=True)
class Quantifier:
    """any, all, none or single(variable IN items WHERE condition)."""

    kind: str
    variable: str
    items: "Expression"
    condition: "Expression"


@dataclass(frozen=True, slots=True)
class Reduce:
    """reduce(total = start, variable IN items | step)."""

    total: str
    start: "Expression"
    variable: str
    items: "Expression"
    step: "Expression"


@dataclass(frozen=True, slots=True)
class Case:
    """CASE [subject] WHEN .. THEN .. ELSE .. END."""

    subject: "Expression | None"
    branches: tuple[tuple["Expression", "Expression"], ...]
    otherwise: "Expression | None"


@dataclass(frozen=True, slots=True)
class Subquery:
    """EXISTS, COUNT or COLLECT { query }."""

    kind: str
    query: "Query"


@dataclass(frozen=True, slots=True)
class PatternExpression:
    """A pattern as a condition: it exists."""

    pattern: "Pattern"


Expression = (
    Raw | Variable | Property | Index | Slice | Call | Unary | Binary | Comparison | IsNull
    | HasLabel | ListLiteral | MapLiteral | MapProjection | Comprehension | PatternComprehension
    | Quantifier | Reduce | Case | Subquery | PatternExpression
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LabelExpression:
    """A label, or !, & and | of label expressions; % is any label."""

    operator: str  # label, any, !, & or |
    name: str = ""
    parts: tuple["LabelExpression", ...] = ()


@dataclass(frozen=True, slots=True)
class NodePattern:
    """(variable:Label {properties} WHERE condition)."""

    variable: str
    labels: LabelExpression | None
    properties: Expression | None
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class EdgePattern:
    """-[variable:TYPE*1..3 {properties} WHERE condition]->."""

    variable: str
    types: LabelExpression | None
    properties: Expression | None
    condition: Expression | None
    direction: str  # out, in or both
    length: tuple[int, int | None] | None = None  # None for a single edge


@dataclass(frozen=True, slots=True)
class Pattern:
    """A path: nodes[i] and nodes[i + 1] are joined by edges[i]."""

    nodes: tuple[NodePattern, ...]
    edges: tuple[EdgePattern, ...]
    variable: str = ""
    search: str = ""  # "", shortest or all shortest


@dataclass(frozen=True, slots=True)
class Match:
    """[OPTIONAL] MATCH patterns [WHERE condition]."""

    patterns: tuple[Pattern, ...]
    optional: bool
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class Item:
    """expression [AS alias]; `name` is the alias, else the expression as it was written."""

    value: Expression
    name: str
    aliased: bool


@dataclass(frozen=True, slots=True)
class Sorting:
    """expression [DESC]."""

    value: Expression
    descending: bool


@dataclass(frozen=True, slots=True)
class Projection:
    """WITH or RETURN [DISTINCT] items [ORDER BY ..] [SKIP ..] [LIMIT ..] [WHERE condition]."""

    final: bool  # RETURN
    distinct: bool
    everything: bool  # *
    items: tuple[Item, ...]
    order: tuple[Sorting, ...]
    skip: Expression | None
    limit: Expression | None
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class Unwind:
    """UNWIND items AS variable."""

    items: Expression
    variable: str


@dataclass(frozen=True, slots=True)
class CallSubquery:
    """CALL (variables) { query }; `imports` is None where nothing was said."""

    query: "Query"
    imports: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Gather:
    """For each row, what matches find, in an order, made into items; no clause of Cypher's own."""

    matches: tuple[Match, ...]
    order: tuple[Sorting, ...]
    items: tuple[Item, ...]


Clause = Match | Projection | Unwind | CallSubquery | Gather


@dataclass(frozen=True, slots=True)
class Query:
    """Parts joined by UNION; all[i] is for UNION ALL between part i and the next."""

    parts: tuple[tuple[Clause, ...], ...]
    all: tuple[bool, ...] = ()


def parts_of(expression: Expression) -> tuple[Expression, ...]:
    """Return the expressions that stand directly inside one, without those of subqueries."""
    match expression:
        case Property(of) | Unary(_, of) | IsNull(of) | HasLabel(of):
            return (of,)
        case Index(of, at):
            return (of, at)
        case Slice(of, start, end):
            return tuple(part for part in (of, start, end) if part is not None)
        case Call(arguments=arguments):
            return arguments
        case Binary(_, left, right):
            return (left, right)
        case Comparison(operands):
            return operands
        case ListLiteral(items):
            return items
        case MapLiteral(pairs) | MapProjection(pairs=pairs):
            return tuple(value for _, value in pairs)
        case Comprehension(_, items, condition, result):
            return tuple(part for part in (items, condition, result) if part is not None)
        case Quantifier(_, _, items, condition):
            return (items, condition)
        case Reduce(_, start, _, items, step):
            return (start, items, step)
        case Case(subject, branches, otherwise):
            inner = [part for branch in branches for part in branch]
            return tuple(part for part in (subject, *inner, otherwise) if part is not None)
        case _:
            return ()
