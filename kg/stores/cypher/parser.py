"""Parsing whole reading queries into clauses."""

from kg.stores.cypher.expressions import parse_expression
from kg.stores.cypher.patterns import parse_pattern
from kg.stores.cypher.reader import Reader, UnparsedError
from kg.stores.cypher.syntax import (
    CallSubquery,
    Clause,
    Expression,
    Item,
    Match,
    Pattern,
    Projection,
    Query,
    Sorting,
    Unwind,
    Variable,
)
from kg.stores.cypher.tokens import Kind, Token


def parse(tokens: list[Token], source: str) -> Query:
    """Parse a reading query; UnparsedError for anything that is none or not understood here."""
    reader = Reader(tokens, source)
    query = _query(reader)
    reader.take(";")
    if reader.at < len(reader.tokens):
        raise UnparsedError(f"nothing expected after the query, not {reader.peek().text!r}")
    return query


def parse_inner(reader: Reader) -> Query:
    """Parse { query } or { pattern WHERE condition }."""
    reader.expect("{")
    if reader.sees("(") or (reader.sees_name() and reader.peek(1).text == "="):
        query = Query(((_match_body(reader, optional=False),),))
    else:
        query = _query(reader)
    reader.expect("}")
    return query


def _query(reader: Reader) -> Query:
    parts = [_single(reader)]
    kinds = []
    while reader.take("UNION"):
        kinds.append(reader.take("ALL"))
        reader.take("DISTINCT")
        parts.append(_single(reader))
    return Query(tuple(parts), tuple(kinds))


def _single(reader: Reader) -> tuple[Clause, ...]:
    clauses: list[Clause] = []
    while True:
        if reader.take("MATCH"):
            clauses.append(_match_body(reader, optional=False))
        elif reader.take("OPTIONAL", "MATCH"):
            clauses.append(_match_body(reader, optional=True))
        elif reader.take("UNWIND"):
            items = parse_expression(reader)
            reader.expect("AS")
            clauses.append(Unwind(items, reader.name()))
        elif reader.sees("CALL") and reader.peek(1).text in ("(", "{"):
            clauses.append(_call(reader))
        elif reader.take("WITH"):
            clauses.append(_projection(reader, final=False))
        elif reader.take("RETURN"):
            clauses.append(_projection(reader, final=True))
        else:
            break
    if not clauses:
        raise UnparsedError(f"no reading clause begins with {reader.peek().text!r}")
    return tuple(clauses)


def _match_body(reader: Reader, *, optional: bool) -> Match:
    patterns: list[Pattern] = [parse_pattern(reader, parse_expression)]
    while reader.take(","):
        patterns.append(parse_pattern(reader, parse_expression))
    condition = parse_expression(reader) if reader.take("WHERE") else None
    return Match(tuple(patterns), optional, condition)


def _call(reader: Reader) -> CallSubquery:
    reader.expect("CALL")
    imports: tuple[str, ...] | None = None
    if reader.take("("):
        names = []
        while not reader.take(")"):
            names.append("*" if reader.take("*") else reader.name())
            reader.take(",")
        imports = tuple(names)
    query = parse_inner(reader)
    if imports is None:
        query, imports = _importing_with(query)
    return CallSubquery(query, imports)


def _importing_with(query: Query) -> tuple[Query, tuple[str, ...] | None]:
    """Take the older `WITH a, b` at the beginning of a subquery for what it is."""
    first = query.parts[0][0]
    if (
        len(query.parts) == 1
        and isinstance(first, Projection)
        and not first.final
        and not (first.order or first.condition or first.skip or first.limit or first.distinct)
        and all(isinstance(i.value, Variable) and not i.aliased for i in first.items)
    ):
        return Query((query.parts[0][1:],)), tuple(i.name for i in first.items)
    return query, None


def _projection(reader: Reader, *, final: bool) -> Projection:
    distinct = reader.take("DISTINCT")
    everything = reader.take("*")
    items = []
    if not everything or reader.take(","):
        items.append(_item(reader))
        while reader.take(","):
            items.append(_item(reader))
    order = _order(reader)
    skip = parse_expression(reader) if reader.take("SKIP") or reader.take("OFFSET") else None
    limit = parse_expression(reader) if reader.take("LIMIT") else None
    condition = parse_expression(reader) if not final and reader.take("WHERE") else None
    return Projection(final, distinct, everything, tuple(items), order, skip, limit, condition)


def _item(reader: Reader) -> Item:
    start = reader.at
    value: Expression = parse_expression(reader)
    written = reader.written(start)
    if reader.take("AS"):
        return Item(value, reader.name(), aliased=True)
    if isinstance(value, Variable):
        written = value.name
    return Item(value, written, aliased=False)


def _order(reader: Reader) -> tuple[Sorting, ...]:
    if not reader.take("ORDER", "BY"):
        return ()
    order = []
    while True:
        value = parse_expression(reader)
        descending = False
        if reader.peek().kind is Kind.WORD and reader.peek().upper in ("DESC", "DESCENDING"):
            descending = True
            reader.next()
        elif reader.peek().kind is Kind.WORD and reader.peek().upper in ("ASC", "ASCENDING"):
            reader.next()
        order.append(Sorting(value, descending))
        if not reader.take(","):
            return tuple(order)
