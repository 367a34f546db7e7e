"""Writing what goes through lists: items, slices, comprehensions, any and all, reduce."""

from typing import Protocol

from kg.stores.cypher.rewrite import Kept, transformed
from kg.stores.cypher.scope import Bound, Scope, edge_bound, node_bound
from kg.stores.cypher.syntax import (
    Call,
    Comprehension,
    Expression,
    Index,
    ListLiteral,
    Property,
    Quantifier,
    Raw,
    Reduce,
    Slice,
    Unary,
    Variable,
)
from kg.stores.cypher.tokens import quote


class Writer(Protocol):
    """Writes the expressions inside another."""

    def write(self, expression: Expression, scope: Scope) -> str:
        """Return the expression as the embedded database takes it."""
        ...

    def fresh(self, kind: str) -> str:
        """Return a name that the query does not have."""
        ...


def write_index(writer: Writer, index: Index, scope: Scope) -> str:
    """Return an item of a list, counted from 0 or from the end, or a value of a map."""
    written = writer.write(index.of, scope)
    match index.at:
        case Raw(text, "string"):
            return f"{written}.{quote(text[1:-1])}"
        case Raw(text, "integer"):
            return item_of(written, str(int(text) + 1), int(text) + 1)
        case Unary("-", Raw(text, "integer")):
            return item_of(written, f"-{text}", int(text))
    at = writer.write(index.at, scope)
    place = f"CASE WHEN {at} < 0 THEN {at} ELSE {at} + 1 END"
    return (
        f"CASE WHEN {at} >= -size({written}) AND {at} < size({written}) "
        f"THEN list_any_value(list_slice({written}, {place}, {place})) END"
    )


def item_of(written: str, place: str, least: int) -> str:
    """Return an item by its place from 1; null for a list that has fewer than `least`."""
    # The database stops at a place that is not there, in branches not taken too; hence any_value,
    # which gives something, and CASE, which gives null for it.
    return (
        f"CASE WHEN size({written}) >= {least} "
        f"THEN list_any_value(list_slice({written}, {place}, {place})) END"
    )


def write_slice(writer: Writer, part: Slice, scope: Scope) -> str:
    """Return a part of a list."""
    written = writer.write(part.of, scope)
    return f"list_slice({written}, {_from(writer, part, scope)}, {_to(writer, part, scope)})"


def write_comprehension(writer: Writer, listed: Comprehension, scope: Scope) -> str:
    """Return [x IN list WHERE ... | ...]."""
    written = writer.write(listed.items, scope)
    name, inner = _lambda(writer, listed.variable, listed.items, scope)
    if listed.condition is not None:
        written = f"list_filter({written}, {name} -> {writer.write(listed.condition, inner)})"
    if listed.result is not None:
        written = f"list_transform({written}, {name} -> {writer.write(listed.result, inner)})"
    return written


def write_quantifier(writer: Writer, test: Quantifier, scope: Scope) -> str:
    """Return any, all, none or single."""
    written = writer.write(test.items, scope)
    name, inner = _lambda(writer, test.variable, test.items, scope)
    condition = writer.write(test.condition, inner)
    kept = f"size(list_filter({written}, {name} -> {condition}))"
    expected = {"any": "> 0", "all": f"= size({written})", "none": "= 0", "single": "= 1"}
    return f"({kept} {expected[test.kind]})"


def write_reduce(writer: Writer, reduced: Reduce, scope: Scope) -> str:
    """Return reduce(total = start, item IN list | ...)."""
    reduced = _of_values(reduced, scope)
    total, item = writer.fresh("x"), writer.fresh("x")
    inner = scope.having(
        **{
            reduced.total: Bound(scope.kind(reduced.start), written=total),
            reduced.variable: Bound(_element(reduced.items, scope), written=item),
        }
    )
    start, items = writer.write(reduced.start, scope), writer.write(reduced.items, scope)
    step = writer.write(reduced.step, Scope(inner.names, in_function=True))
    return f"list_reduce(list_prepend({items}, {start}), ({total}, {item}) -> {step})"


def _of_values(reduced: Reduce, scope: Scope) -> Reduce:
    """Go through the values of one property, not the nodes that have them, where that will do.

    The database wants what is summed up and the items to be of one type.
    """
    item = Variable(reduced.variable)
    keys: set[str] = set()

    def change(part: object) -> object:
        if isinstance(part, Property) and part.of == item:
            keys.add(part.key)
            return Kept(item)
        if part == item:
            keys.add("")
        return part

    step = transformed(reduced.step, change)
    if len(keys) != 1 or "" in keys:
        return reduced
    value = Property(item, keys.pop())
    start = reduced.start
    found = scope.having(**{item.name: _bound(_element(reduced.items, scope))}).kind(value)
    if found == "float" and scope.kind(start) == "integer":
        start = Call("toFloat", (start,))
    items = Comprehension(item.name, reduced.items, None, value)
    return Reduce(reduced.total, start, item.name, items, step)


def _bound(kind: str) -> Bound:
    return {"node": node_bound(None), "edge": edge_bound(None, "edge")}.get(kind, Bound(kind))


def conjunction(conditions: list[str]) -> str:
    """Join conditions for a WHERE.

    The database tests one after the other on the rows that are left, and after the first test
    with a function of its own takes the lists of other rows for the next; held together by a
    comparison they are tested on all rows at once.
    """
    joined = " AND ".join(conditions)
    return f"({joined}) = true" if joined.count(" -> ") > 1 else joined


def _lambda(writer: Writer, variable: str, items: Expression, scope: Scope) -> tuple[str, Scope]:
    name = writer.fresh("x")
    inner = scope.having(**{variable: Bound(_element(items, scope), written=name)})
    return name, Scope(inner.names, in_function=True)


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


def _from(writer: Writer, part: Slice, scope: Scope) -> str:
    match part.start:
        case None:
            return "1"
        case Raw(text, "integer"):
            return str(int(text) + 1)
        case Unary("-", Raw(text, "integer")):
            return f"-{text}"
        case start:
            written = writer.write(start, scope)
            return f"CASE WHEN {written} < 0 THEN {written} ELSE {written} + 1 END"


def _to(writer: Writer, part: Slice, scope: Scope) -> str:
    size = f"size({writer.write(part.of, scope)})"
    match part.end:
        case None:
            return size
        case Raw(text, "integer"):
            return text
        case Unary("-", Raw(text, "integer")):
            return f"{size} - {text}"
        case end:
            written = writer.write(end, scope)
            return f"CASE WHEN {written} < 0 THEN {size} + {written} ELSE {written} END"
