"""Writing calls of functions for the embedded database."""

from kg.errors import QueryError
from kg.stores.cypher.functions import ARGUMENTS, TEMPLATES, interval
from kg.stores.cypher.hints import unsupported
from kg.stores.cypher.scope import Bound, Scope
from kg.stores.cypher.syntax import (
    Call,
    Comprehension,
    Expression,
    MapLiteral,
    Match,
    PatternComprehension,
    Property,
    Query,
    Raw,
    Subquery,
    Variable,
)
from kg.stores.cypher.tokens import text_literal
from kg.stores.cypher.write_lists import Writer, item_of

_OWN_KINDS = ("node", "edge")


def write_call(writer: Writer, call: Call, scope: Scope) -> str:
    """Return the call as the embedded database takes it; QueryError for one that it cannot."""
    name = call.name.lower()
    if call.star:
        return f"{name}(*)"
    _require_arguments(call)
    first = call.arguments[0] if call.arguments else None
    if name in ("size", "length") and isinstance(first, PatternComprehension):
        return writer.write(Subquery("COUNT", _counting(first)), scope)
    arguments = [writer.write(argument, scope) for argument in call.arguments]
    written = _special(writer, name, first, arguments, scope) if first is not None else None
    if written is not None:
        return written
    if name in ("date", "datetime", "localdatetime", "duration"):
        return _moment(writer, name, call, arguments)
    if name == "sum":  # of nothing it is null there
        return f"coalesce(sum({'DISTINCT ' if call.distinct else ''}{arguments[0]}), 0)"
    if name in TEMPLATES:
        return TEMPLATES[name].format(*arguments)
    distinct = "DISTINCT " if call.distinct else ""
    return f"{call.name}({distinct}{', '.join(arguments)})"


def write_string(writer: Writer, of: Expression, scope: Scope) -> str:
    """Return toString() of an expression."""
    written, kind = writer.write(of, scope), scope.kind(of)
    if kind == "float":
        return f"kg_float_to_string({written})"
    if kind == "boolean":
        return f"lower(cast({written} AS STRING))"
    return f"cast({written} AS STRING)"


def _require_arguments(call: Call) -> None:
    least, most = ARGUMENTS.get(call.name.lower(), (0, len(call.arguments)))
    if not least <= len(call.arguments) <= most:
        takes = str(most) if least == most else f"{least} to {most}"
        raise QueryError(
            f"{call.name}() takes {takes} argument{'' if takes == '1' else 's'}, "
            f"not {len(call.arguments)}",
            "Pass what the function works on, parted by commas.",
        )


def _special(
    writer: Writer, name: str, first: Expression, arguments: list[str], scope: Scope
) -> str | None:
    """Return the call where it depends on the types of its arguments; None for any other."""
    match name:
        case "type" | "labels":
            return _named_by(name, arguments[0], _bound(first, scope))
        case "startnode" | "endnode":
            bound = _bound(first, scope)
            if bound is None or not bound.directed:
                # The database gives the node on the left of the pattern, whichever way it is.
                raise unsupported(
                    f"{'startNode' if name == 'startnode' else 'endNode'}() where the pattern has "
                    "no direction",
                    "Give it one: -[r]->.",
                )
        case "head":
            return item_of(arguments[0], "1", 1)
        case "last":
            return item_of(arguments[0], "-1", 1)
        case "reverse" if scope.kind(first) == "list":
            return f"list_reverse({arguments[0]})"
        case "substring":
            return _substring(arguments)
        case "round" if len(arguments) == 1:
            return f"floor({arguments[0]} + 0.5)"
        case "tofloat" | "tofloatornull":
            if scope.kind(first) in ("integer", "float"):
                return f"cast({arguments[0]} AS DOUBLE)"
            return f"kg_to_float(cast({arguments[0]} AS STRING))"
        case "tostring" | "tostringornull":
            return write_string(writer, first, scope)
        case "tointeger" | "tointegerornull" if scope.kind(first) == "integer":
            return arguments[0]
        case "tointegerlist" | "tofloatlist" | "tobooleanlist" | "tostringlist":
            return _converted(writer, name, first, scope)
        case "keys":
            return _keys(writer, first, scope)
    return None


def _bound(of: Expression, scope: Scope) -> Bound | None:
    return scope.names.get(of.name) if isinstance(of, Variable) else None


def _named_by(function: str, written: str, bound: Bound | None) -> str:
    label = f"[label({written})]" if function == "labels" else f"label({written})"
    if bound is not None and bound.optional:
        return f"CASE WHEN id({written}) IS NULL THEN NULL ELSE {label} END"
    return label


def _substring(arguments: list[str]) -> str:
    text, start, *rest = arguments
    length = rest[0] if rest else f"size({text})"
    return f"substring({text}, cast({start} AS INT64) + 1, cast({length} AS INT64))"


def _converted(writer: Writer, name: str, items: Expression, scope: Scope) -> str:
    item = Variable(writer.fresh("i"))
    each = Call(name.removesuffix("list"), (item,))
    return writer.write(Comprehension(item.name, items, None, each), scope)


def _keys(writer: Writer, of: Expression, scope: Scope) -> str:
    bound = _bound(of, scope)
    if bound is None or bound.kind not in _OWN_KINDS:
        raise unsupported("keys() of this", "Name the properties that you look for.")
    each = ", ".join(
        f"CASE WHEN {writer.write(Property(of, key), scope)} IS NOT NULL "
        f"THEN {text_literal(key)} ELSE '' END"
        for key in bound.properties()
    )
    return f"list_filter([{each}], kg_key -> kg_key <> '')"


def _moment(writer: Writer, name: str, call: Call, arguments: list[str]) -> str:
    if name == "duration":
        return _duration(call)
    if not arguments:
        return "current_date()" if name == "date" else "current_timestamp()"
    first = call.arguments[0]
    if isinstance(first, MapLiteral):
        parts = dict(first.pairs)
        if name != "date" or set(parts) - {"year", "month", "day"}:
            raise unsupported(f"{name}() of a map", "Write it as text.")
        scope = Scope()
        written = [
            writer.write(parts[k], scope) if k in parts else "1" for k in ("year", "month", "day")
        ]
        return f"make_date({', '.join(written)})"
    return f"{'date' if name == 'date' else 'timestamp'}({arguments[0]})"


def _duration(call: Call) -> str:
    first = call.arguments[0]
    try:
        if isinstance(first, Raw) and first.type == "string":
            return f"interval({text_literal(interval(first.text[1:-1]))})"
        raise ValueError(first)
    except ValueError:
        raise unsupported(
            "duration() of this", "Write it as text, such as duration('P1M')."
        ) from None


def _counting(comprehension: PatternComprehension) -> Query:
    return Query(((Match((comprehension.pattern,), False, comprehension.condition),),))
