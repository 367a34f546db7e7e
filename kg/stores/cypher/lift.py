"""Subqueries that the embedded database lacks, turned into clauses before the one they stand in.

`RETURN a, [(a)-->(b) | b.name]` becomes `OPTIONAL MATCH (a)-->(b) WITH a, collect(b.name) AS x
RETURN a, x`. Rows that are alike must not become one by it, so that every node and edge that a
pattern leaves without a name gets one.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from kg.stores.cypher.hints import unsupported
from kg.stores.cypher.rewrite import Kept, transformed
from kg.stores.cypher.syntax import (
    Call,
    CallSubquery,
    Clause,
    Expression,
    Gather,
    Item,
    Match,
    PatternComprehension,
    Projection,
    Slice,
    Subquery,
    Unwind,
    Variable,
)
from kg.stores.cypher.write_expressions import has_aggregate

Fresh = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Lifted:
    """The clauses without what was lifted, and whether patterns have to name all their parts."""

    clauses: tuple[Clause, ...]
    names_all: bool


def lifted(clauses: tuple[Clause, ...], fresh: Fresh) -> Lifted:
    """Lift pattern comprehensions, COLLECT {} and CALL {} out of a query."""
    result: list[Clause] = []
    names_all = False
    for clause in _begun(clauses):
        before: list[Clause] = []
        match clause:
            case Projection():
                clause = _out_of_projection(clause, before, fresh)
            case CallSubquery():
                result += _inlined(clause)
                names_all = True
                continue
        names_all = names_all or bool(before)
        result += [*before, clause]
    return Lifted(tuple(result), names_all)


def _begun(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Write a subquery that a query begins with as what it is: clauses that end in WITH."""
    match clauses:
        case (CallSubquery(query, None | ()), *others) if len(query.parts) == 1:
            *inner, last = query.parts[0]
            if isinstance(last, Projection) and others:
                return _begun((*inner, replace(last, final=False), *others))
    return clauses


def _out_of_projection(projection: Projection, before: list[Clause], fresh: Fresh) -> Projection:
    def change(expression: Any) -> Any:
        match expression:
            case Call("size" | "length", (PatternComprehension(),)):
                return Kept(expression)
            case PatternComprehension(pattern, condition, result):
                name = fresh("c")
                item = Item(Call("collect", (result,)), name, True)
                before.append(Gather((Match((pattern,), True, condition),), (), (item,)))
                return Variable(name)
            case Subquery("COLLECT"):
                name = fresh("c")
                before.append(_collecting(expression, name))
                return Variable(name)
        return expression

    items = tuple(replace(i, value=transformed(i.value, change)) for i in projection.items)
    return replace(projection, items=items)


def _collecting(subquery: Subquery, name: str) -> Gather:
    clauses = subquery.query.parts[0]
    last = clauses[-1]
    matches = tuple(replace(c, optional=True) for c in clauses[:-1] if isinstance(c, Match))
    if (
        len(subquery.query.parts) > 1
        or not isinstance(last, Projection)
        or len(last.items) != 1
        or last.skip is not None
        or len(matches) < len(clauses) - 1
    ):
        raise unsupported("COLLECT {} like this", "Use OPTIONAL MATCH and collect().")
    collected: Expression = Call("collect", (last.items[0].value,), last.distinct)
    if last.limit is not None:
        collected = Slice(collected, None, last.limit)
    return Gather(matches, last.order, (Item(collected, name, True),))


def _inlined(call: CallSubquery) -> list[Clause]:
    clauses = call.query.parts[0]
    last = clauses[-1]
    if (
        len(call.query.parts) > 1
        or call.imports is None
        or not isinstance(last, Projection)
        or last.order
        or last.limit is not None
        or last.skip is not None
        or not all(isinstance(c, Match | Unwind) for c in clauses[:-1])
    ):
        raise unsupported(
            "subquery in CALL like this", "Use WITH, OPTIONAL MATCH, COUNT {} or EXISTS {}."
        )
    inner = list(clauses[:-1])
    counts = [has_aggregate(item.value) for item in last.items]
    if not any(counts):
        return [*inner, Projection(False, last.distinct, True, last.items, (), None, None, None)]
    first = inner[0] if inner else None
    if not all(counts) or len(inner) != 1 or not isinstance(first, Match):
        raise unsupported(
            "subquery in CALL that groups", "Use WITH and OPTIONAL MATCH, or COUNT {}."
        )
    # One row has to come out for each that goes in, of nothing too.
    seen = next((n.variable for p in first.patterns for n in p.nodes[1:] if n.variable), "")
    items = [replace(i, value=_counting_only(i.value, seen)) for i in last.items]
    return [Gather((replace(first, optional=True),), (), tuple(items))]


def _counting_only(value: Expression, seen: str) -> Expression:
    if isinstance(value, Call) and value.star:
        if not seen:
            raise unsupported("count(*) in CALL without a name to count", "Name what you count.")
        return Call("count", (Variable(seen),))
    return value
