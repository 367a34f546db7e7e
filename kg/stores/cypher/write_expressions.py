"""Writing expressions for the embedded database."""

import itertools
from collections.abc import Callable

from kg.model.schema import EDGE_TABLES, NODE_TABLES
from kg.stores.cypher.functions import AGGREGATES, DATE_PARTS
from kg.stores.cypher.hints import unsupported
from kg.stores.cypher.scope import LABELS, TYPES, Scope, satisfying
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
    PatternComprehension,
    PatternExpression,
    Property,
    Quantifier,
    Raw,
    Reduce,
    Slice,
    Subquery,
    Unary,
    Variable,
    parts_of,
)
from kg.stores.cypher.tokens import quote, text_literal
from kg.stores.cypher.write_calls import write_call, write_string
from kg.stores.cypher.write_lists import (
    write_comprehension,
    write_index,
    write_quantifier,
    write_reduce,
    write_slice,
)

_ALL_PROPERTIES = frozenset(
    [p.name for t in NODE_TABLES for p in t.properties]
    + [p.name for t in EDGE_TABLES for p in t.properties]
)


_EMPTY, _NULL = Raw("''", "string"), Raw("null", "null")

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
                return _number(text) if text[:1].isdigit() else text
            case Variable(name):
                return self._variable(name, scope)
            case Property(of, key):
                return self._property(of, key, scope)
            case Index():
                return write_index(self, expression, scope)
            case Slice():
                return write_slice(self, expression, scope)
            case Call():
                return write_call(self, expression, scope)
            case Unary(operator, of):
                return f"{operator} ({w(of)})" if operator == "NOT" else f"{operator}{w(of)}"
            case Binary("+" | "||" as operator, left, right):
                return self._plus(operator, left, right, scope)
            case Binary("CONTAINS", left, right) if not isinstance(right, Raw) or right == _EMPTY:
                # The empty text is in no text there, and begins every one.
                a, b = w(left), w(right)
                return f"({a} CONTAINS {b} OR {a} STARTS WITH {b})"
            case Binary("IN", left, ListLiteral(items)) if _NULL in items:
                rest = ListLiteral(tuple(item for item in items if item != _NULL))
                found = f"{w(left)} IN {w(rest)}" if rest.items else "false"
                return f"CASE WHEN {found} THEN true ELSE cast(NULL AS BOOL) END"
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
                listed = ", ".join(text_literal(name) for name in satisfying(labels, known))
                return f"list_contains([{listed or text_literal('')}], label({w(of)}))"
            case ListLiteral(items):
                _require_one_type(items, scope)
                return f"[{', '.join(map(w, items))}]"
            case MapLiteral(pairs):
                return f"{{{', '.join(f'{quote(key)}: {w(v)}' for key, v in pairs)}}}"
            case MapProjection():
                return self._projection(expression, scope)
            case Case():
                return self._case(expression, scope)
            case Comprehension():
                return write_comprehension(self, expression, scope)
            case Quantifier():
                return write_quantifier(self, expression, scope)
            case Reduce():
                return write_reduce(self, expression, scope)
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
            return f"date_part({text_literal(key)}, {self.write(of, scope)})"
        if isinstance(of, Variable) and of.name in scope.names:
            bound = scope.names[of.name]
            elsewhere = key in _ALL_PROPERTIES and bound.tables
            if elsewhere and bound.kind in ("node", "edge") and key not in bound.properties():
                return "NULL"  # a property that other labels have is not wrong, only missing
        return f"{self.write(of, scope)}.{quote(key)}"

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
                return f"({a} + {write_string(self, right, scope)})"
            case ("integer" | "float" | "boolean" | "date", "string"):
                return f"({write_string(self, left, scope)} + {b})"
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


def _number(text: str) -> str:
    if text[:2].lower() in ("0x", "0o"):
        return str(int(text.replace("_", ""), 0))
    return text.replace("_", "")


def _require_one_type(items: tuple[Expression, ...], scope: Scope) -> None:
    """Refuse a list that the database would make into texts without a word."""
    kinds = {"number" if kind in ("integer", "float") else kind for kind in map(scope.kind, items)}
    if len(kinds & {"number", "string", "boolean", "list"}) > 1:
        raise unsupported(
            "list of items of several types", "Use a map, or toString() for all of them."
        )


def has_aggregate(expression: Expression) -> bool:
    """Say whether an expression counts, sums, collects or the like over rows."""
    match expression:
        case Call(name=name) if name.lower() in AGGREGATES:
            return True
        case _:
            return any(has_aggregate(part) for part in parts_of(expression))
