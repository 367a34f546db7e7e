"""Writing expressions for the embedded database."""

import itertools
from collections.abc import Callable

from kg.errors import QueryError
from kg.model.schema import EDGE_TABLES, NODE_TABLES
from kg.stores.cypher.functions import AGGREGATES, DATE_PARTS, TEMPLATES, interval
from kg.stores.cypher.scope import LABELS, TYPES, Bound, Scope, satisfying
from kg.stores.cypher.syntax import (
    Binary,
    Call,
    Case,
    Comparison,
    Comprehension,
    Expression,
    HasLabel,
    Index,
    IsNull,
    ListLiteral,
    MapLiteral,
    MapProjection,
    Match,
    PatternComprehension,
    PatternExpression,
    Property,
    Quantifier,
    Query,
    Raw,
    Reduce,
    Slice,
    Subquery,
    Unary,
    Variable,
    parts_of,
)
from kg.stores.cypher.tokens import quote

_ALL_PROPERTIES = frozenset(
    [p.name for t in NODE_TABLES for p in t.properties]
    + [p.name for t in EDGE_TABLES for p in t.properties]
)


def unsupported(what: str, instead: str) -> QueryError:
    """Return the error for what the embedded database cannot be made to do."""
    return QueryError(
        f"the embedded database knows no {what}", f"{instead} Neo4j takes it as it is."
    )


# Writes the query of EXISTS and COUNT; the writer of clauses gives it, as each needs the other.
WriteInner = Callable[[Subquery, Scope], str]
WritePattern = Callable[[PatternExpression, Scope], str]


class ExpressionWriter:
    """Writes expressions; names that it makes up are numbered."""

    def __init__(self, write_inner: WriteInner, write_pattern: WritePattern) -> None:
        self._write_inner = write_inner
        self._write_pattern = write_pattern
        self._numbers = itertools.count(1)
        self.captured: dict[str, str] = {}  # name made up: parameter

    def fresh(self, kind: str) -> str:
        """Return a name that the query does not have."""
        return f"kg_{kind}{next(self._numbers)}"

    def write(self, expression: Expression, scope: Scope) -> str:
        """Return the expression as the embedded database takes it."""

        def w(inner: Expression) -> str:
            return self.write(inner, scope)

        match expression:
            case Raw(text, "parameter") if scope.in_function:
                return self._captured(text)
            case Raw(text):
                return text.replace("_", "") if text[:1].isdigit() else text
            case Variable(name):
                return self._variable(name, scope)
            case Property(of, key):
                return self._property(of, key, scope)
            case Index(of, at):
                return self._index(of, at, scope)
            case Slice(of, start, end):
                return f"list_slice({w(of)}, {_from(start, w)}, {_to(of, end, w)})"
            case Call():
                return self._call(expression, scope)
            case Unary(operator, of):
                return f"{operator} ({w(of)})" if operator == "NOT" else f"{operator}{w(of)}"
            case Binary("+" | "||" as operator, left, right):
                return self._plus(operator, left, right, scope)
            case Binary(operator, left, right):
                return f"({w(left)} {operator} {w(right)})"
            case Comparison(operands, operators):
                written = [w(operand) for operand in operands]
                parts = [
                    f"{a} {operator} {b}"
                    for a, operator, b in zip(written, operators, written[1:], strict=False)
                ]
                return f"({' AND '.join(parts)})"
            case IsNull(of, negated):
                return f"({self._identity(of, scope)} IS {'NOT ' if negated else ''}NULL)"
            case HasLabel(of, labels):
                known = TYPES if scope.kind(of) == "edge" else LABELS
                listed = ", ".join(_text(name) for name in satisfying(labels, known))
                return f"list_contains([{listed or _text('')}], label({w(of)}))"
            case ListLiteral(items):
                return f"[{', '.join(map(w, items))}]"
            case MapLiteral(pairs):
                return f"{{{', '.join(f'{quote(key)}: {w(v)}' for key, v in pairs)}}}"
            case MapProjection():
                return self._projection(expression, scope)
            case Case():
                return self._case(expression, scope)
            case Comprehension():
                return self._comprehension(expression, scope)
            case Quantifier():
                return self._quantifier(expression, scope)
            case Reduce():
                return self._reduce(expression, scope)
            case Subquery():
                return self._write_inner(expression, scope)
            case PatternExpression():
                return self._write_pattern(expression, scope)
            case PatternComprehension():
                raise unsupported(
                    "pattern comprehension in this place",
                    "Match the pattern with OPTIONAL MATCH and use collect().",
                )

    def _captured(self, parameter: str) -> str:
        # A function over a list may use variables of the query and not its parameters, so that
        # the query has to begin by making one the other.
        name = f"kg_parameter_{parameter.strip('$`')}"
        self.captured[name] = parameter
        return quote(name)

    def _variable(self, name: str, scope: Scope) -> str:
        bound = scope.names.get(name)
        if bound is None:
            return quote(name)
        written = bound.written or quote(name)
        return f"rels({written})" if bound.kind == "edges" else written

    def _identity(self, of: Expression, scope: Scope) -> str:
        return self.write(of, scope)

    def _property(self, of: Expression, key: str, scope: Scope) -> str:
        kind = scope.kind(of)
        if kind in ("date", "datetime") and key in DATE_PARTS:
            return f"date_part({_text(key)}, {self.write(of, scope)})"
        if isinstance(of, Variable) and of.name in scope.names:
            bound = scope.names[of.name]
            elsewhere = key in _ALL_PROPERTIES and bound.tables
            if elsewhere and bound.kind in ("node", "edge") and key not in bound.properties():
                return "NULL"  # a property that other labels have is not wrong, only missing
        return f"{self.write(of, scope)}.{quote(key)}"

    def _index(self, of: Expression, at: Expression, scope: Scope) -> str:
        written = self.write(of, scope)
        match at:
            case Raw(text, "string"):
                return f"{written}.{quote(text[1:-1])}"
            case Raw(text, "integer"):
                return _item(written, str(int(text) + 1), int(text) + 1)
            case Unary("-", Raw(text, "integer")):
                return _item(written, f"-{text}", int(text))
        index = self.write(at, scope)
        place = f"CASE WHEN {index} < 0 THEN {index} ELSE {index} + 1 END"
        return (
            f"CASE WHEN {index} >= -size({written}) AND {index} < size({written}) "
            f"THEN list_any_value(list_slice({written}, {place}, {place})) END"
        )

    def _call(self, call: Call, scope: Scope) -> str:
        name = call.name.lower()
        first = call.arguments[0] if call.arguments else None
        if call.star:
            return f"{name}(*)"
        if name in ("size", "length") and isinstance(first, PatternComprehension):
            return self._write_inner(Subquery("COUNT", _counting(first)), scope)
        arguments = [self.write(argument, scope) for argument in call.arguments]
        match name:
            case "type" | "labels" if first is not None:
                return _named_by(name, arguments[0], self._bound(first, scope))
            case "startnode" | "endnode" if first is not None:
                bound = self._bound(first, scope)
                if bound is None or not bound.directed:
                    # The database gives the node on the left of the pattern, whichever way it is.
                    raise unsupported(
                        f"{call.name}() where the pattern has no direction", "Give it one: -[r]->."
                    )
            case "head":
                return _item(arguments[0], "1", 1)
            case "last":
                return _item(arguments[0], "-1", 1)
            case "reverse" if first is not None and scope.kind(first) == "list":
                return f"list_reverse({arguments[0]})"
            case "substring":
                return _substring(arguments)
            case "round" if len(arguments) == 1:
                return f"floor({arguments[0]} + 0.5)"
            case "tofloat" | "tofloatornull" if first is not None:
                numeric = scope.kind(first) in ("integer", "float")
                return (
                    f"cast({arguments[0]} AS DOUBLE)"
                    if numeric
                    else f"kg_to_float(cast({arguments[0]} AS STRING))"
                )
            case "tostring" | "tostringornull" if first is not None:
                return self._to_string(first, scope)
            case "tointeger" | "tointegerornull" if first is not None:
                if scope.kind(first) == "integer":
                    return arguments[0]
            case "keys" if first is not None:
                return self._keys(first, scope)
            case "date" | "datetime" | "localdatetime" | "duration":
                return self._moment(name, call, arguments)
        if name in TEMPLATES:
            return TEMPLATES[name].format(*arguments)
        distinct = "DISTINCT " if call.distinct else ""
        return f"{call.name}({distinct}{', '.join(arguments)})"

    def _bound(self, of: Expression, scope: Scope) -> Bound | None:
        return scope.names.get(of.name) if isinstance(of, Variable) else None

    def _to_string(self, of: Expression, scope: Scope) -> str:
        written, kind = self.write(of, scope), scope.kind(of)
        if kind == "float":
            return f"kg_float_to_string({written})"
        if kind == "boolean":
            return f"lower(cast({written} AS STRING))"
        return f"cast({written} AS STRING)"

    def _keys(self, of: Expression, scope: Scope) -> str:
        bound = self._bound(of, scope)
        if bound is None or bound.kind not in ("node", "edge"):
            raise unsupported("keys() of this", "Name the properties that you look for.")
        written = self.write(of, scope)
        each = ", ".join(
            f"CASE WHEN {written}.{quote(key)} IS NOT NULL THEN {_text(key)} ELSE '' END"
            for key in bound.properties()
        )
        return f"list_filter([{each}], kg_key -> kg_key <> '')"

    def _moment(self, name: str, call: Call, arguments: list[str]) -> str:
        if name == "duration":
            first = call.arguments[0]
            try:
                if isinstance(first, Raw) and first.type == "string":
                    return f"interval({_text(interval(first.text[1:-1]))})"
                raise ValueError(first)
            except ValueError:
                raise unsupported(
                    "duration() of this", "Write it as text, such as duration('P1M')."
                ) from None
        if not arguments:
            return "current_date()" if name == "date" else "current_timestamp()"
        first = call.arguments[0]
        if isinstance(first, MapLiteral):
            parts = dict(first.pairs)
            if name != "date" or set(parts) - {"year", "month", "day"}:
                raise unsupported(f"{name}() of a map", "Write it as text.")
            scope = Scope()
            written = [
                self.write(parts[k], scope) if k in parts else "1" for k in ("year", "month", "day")
            ]
            return f"make_date({', '.join(written)})"
        return f"{'date' if name == 'date' else 'timestamp'}({arguments[0]})"

    def _plus(self, operator: str, left: Expression, right: Expression, scope: Scope) -> str:
        a, b = self.write(left, scope), self.write(right, scope)
        kinds = scope.kind(left), scope.kind(right)
        match kinds:
            case ("list", "list"):
                return f"list_concat({a}, {b})"
            case ("list", other) if other:
                return f"list_append({a}, {b})"
            case (other, "list") if other:
                return f"list_prepend({b}, {a})"
            case ("string", "integer" | "float" | "boolean" | "date"):
                return f"({a} + {self._to_string(right, scope)})"
            case ("integer" | "float" | "boolean" | "date", "string"):
                return f"({self._to_string(left, scope)} + {b})"
        return f"({a} + {b})" if operator == "+" else f"concat({a}, {b})"

    def _projection(self, projection: MapProjection, scope: Scope) -> str:
        pairs = dict(projection.pairs)
        bound = scope.names.get(projection.variable)
        if projection.everything:
            variable = Variable(projection.variable)
            if not pairs:
                return f"properties({self.write(variable, scope)})"
            keys = bound.properties() if bound else {}
            pairs = {key: Property(variable, key) for key in keys} | pairs
        written = (f"{quote(key)}: {self.write(value, scope)}" for key, value in pairs.items())
        return f"{{{', '.join(written)}}}"

    def _case(self, case: Case, scope: Scope) -> str:
        parts = ["CASE"]
        if case.subject is not None:
            parts.append(self.write(case.subject, scope))
        for condition, result in case.branches:
            parts.append(f"WHEN {self.write(condition, scope)} THEN {self.write(result, scope)}")
        if case.otherwise is not None:
            parts.append(f"ELSE {self.write(case.otherwise, scope)}")
        return " ".join((*parts, "END"))

    def _lambda(self, variable: str, items: Expression, scope: Scope) -> tuple[str, Scope]:
        name = self.fresh("x")
        inner = scope.having(**{variable: Bound(_element(items, scope), written=name)})
        return name, Scope(inner.names, in_function=True)

    def _comprehension(self, listed: Comprehension, scope: Scope) -> str:
        written = self.write(listed.items, scope)
        name, inner = self._lambda(listed.variable, listed.items, scope)
        if listed.condition is not None:
            written = f"list_filter({written}, {name} -> {self.write(listed.condition, inner)})"
        if listed.result is not None:
            written = f"list_transform({written}, {name} -> {self.write(listed.result, inner)})"
        return written

    def _quantifier(self, test: Quantifier, scope: Scope) -> str:
        written = self.write(test.items, scope)
        name, inner = self._lambda(test.variable, test.items, scope)
        condition = self.write(test.condition, inner)
        kept = f"size(list_filter({written}, {name} -> {condition}))"
        expected = {"any": "> 0", "all": f"= size({written})", "none": "= 0", "single": "= 1"}
        return f"({kept} {expected[test.kind]})"

    def _reduce(self, reduced: Reduce, scope: Scope) -> str:
        total, item = self.fresh("x"), self.fresh("x")
        inner = scope.having(
            **{
                reduced.total: Bound(scope.kind(reduced.start), written=total),
                reduced.variable: Bound(_element(reduced.items, scope), written=item),
            }
        )
        start, items = self.write(reduced.start, scope), self.write(reduced.items, scope)
        step = self.write(reduced.step, Scope(inner.names, in_function=True))
        return f"list_reduce(list_prepend({items}, {start}), ({total}, {item}) -> {step})"


def _element(items: Expression, scope: Scope) -> str:
    match items:
        case Call(name=name) if name.lower() == "nodes":
            return "node"
        case Call(name=name) if name.lower() in ("relationships", "rels"):
            return "edge"
        case Variable(name) if name in scope.names and scope.names[name].kind == "edges":
            return "edge"
        case ListLiteral(items=listed) if listed:
            return scope.kind(listed[0])
        case _:
            return ""


def _named_by(function: str, written: str, bound: Bound | None) -> str:
    label = f"[label({written})]" if function == "labels" else f"label({written})"
    if bound is not None and bound.optional:
        return f"CASE WHEN id({written}) IS NULL THEN NULL ELSE {label} END"
    return label


def _item(written: str, place: str, least: int) -> str:
    # The database stops at a place that is not there, in branches not taken too; hence any_value,
    # which gives something, and CASE, which gives null for it.
    return (
        f"CASE WHEN size({written}) >= {least} "
        f"THEN list_any_value(list_slice({written}, {place}, {place})) END"
    )


def _substring(arguments: list[str]) -> str:
    text, start, *rest = arguments
    length = rest[0] if rest else f"size({text})"
    return f"substring({text}, cast({start} AS INT64) + 1, cast({length} AS INT64))"


def _from(start: Expression | None, w: Callable[[Expression], str]) -> str:
    match start:
        case None:
            return "1"
        case Raw(text, "integer"):
            return str(int(text) + 1)
        case Unary("-", Raw(text, "integer")):
            return f"-{text}"
        case _:
            written = w(start)
            return f"CASE WHEN {written} < 0 THEN {written} ELSE {written} + 1 END"


def _to(of: Expression, end: Expression | None, w: Callable[[Expression], str]) -> str:
    match end:
        case None:
            return f"size({w(of)})"
        case Raw(text, "integer"):
            return text
        case Unary("-", Raw(text, "integer")):
            return f"size({w(of)}) - {text}"
        case _:
            written = w(end)
            return f"CASE WHEN {written} < 0 THEN size({w(of)}) + {written} ELSE {written} END"


def _counting(comprehension: PatternComprehension) -> Query:
    return Query(((Match((comprehension.pattern,), False, comprehension.condition),),))


def conjunction(conditions: list[str]) -> str:
    """Join conditions for a WHERE.

    The database tests one after the other on the rows that are left, and after the first test
    with a function of its own takes the lists of other rows for the next; held together by a
    comparison they are tested on all rows at once.
    """
    joined = " AND ".join(conditions)
    return f"({joined}) = true" if joined.count(" -> ") > 1 else joined


def _text(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def has_aggregate(expression: Expression) -> bool:
    """Say whether an expression counts, sums, collects or the like over rows."""
    match expression:
        case Call(name=name) if name.lower() in AGGREGATES:
            return True
        case _:
            return any(has_aggregate(part) for part in parts_of(expression))
