"""Parsing patterns: paths of nodes and edges."""

from collections.abc import Callable
from dataclasses import replace

from kg.stores.cypher.reader import Reader, UnparsedError
from kg.stores.cypher.syntax import (
    EdgePattern,
    Expression,
    LabelExpression,
    NodePattern,
    Pattern,
)
from kg.stores.cypher.tokens import Kind

_ANY = NodePattern("", None, None, None)
ParseExpression = Callable[[Reader], Expression]


def parse_pattern(reader: Reader, expression: ParseExpression) -> Pattern:
    """Parse one path, with its name and what is searched for."""
    variable = ""
    if reader.sees_name() and reader.peek(1).text == "=":
        variable = reader.name()
        reader.expect("=")
    search = _search(reader)
    wrapped = bool(search) and reader.take("(") if _is_function(search) else False
    nodes, edges = parse_path(reader, expression)
    if wrapped:
        reader.expect(")")
    return Pattern(nodes, edges, variable, search.removesuffix("()"))


def _search(reader: Reader) -> str:
    if reader.take("SHORTESTPATH"):
        return "shortest()"
    if reader.take("ALLSHORTESTPATHS"):
        return "all shortest()"
    if reader.take("ALL", "SHORTEST"):
        return "all shortest"
    if reader.take("ANY", "SHORTEST"):
        return "shortest"
    if reader.sees("SHORTEST") and reader.peek(1).text == "1":
        reader.at += 2
        return "shortest"
    return ""


def _is_function(search: str) -> bool:
    return search.endswith("()")


def parse_path(
    reader: Reader, expression: ParseExpression
) -> tuple[tuple[NodePattern, ...], tuple[EdgePattern, ...]]:
    """Parse nodes and the edges between them."""
    nodes = [_node(reader, expression)]
    edges = []
    while True:
        if _sees_edge(reader):
            edges.append(_edge(reader, expression))
        elif reader.sees("(", "("):
            edges.append(_group(reader, expression))
        else:
            break
        nodes.append(_node(reader, expression))
    return tuple(nodes), tuple(edges)


def _sees_edge(reader: Reader) -> bool:
    if reader.sees("<", "-"):
        return reader.peek(2).text in ("[", "-")
    return reader.sees("-") and reader.peek(1).text in ("[", "-")


def _group(reader: Reader, expression: ParseExpression) -> EdgePattern:
    """Parse `(()-[r:TYPE]->()){1,3}`: one edge again and again, between nodes of any kind."""
    reader.expect("(")
    nodes, edges = parse_path(reader, expression)
    reader.expect(")")
    length = _quantity(reader)
    if len(edges) != 1 or nodes != (_ANY, _ANY) or length is None or edges[0].length is not None:
        raise UnparsedError("a path of more than an edge, many times")
    return replace(edges[0], length=length)


def _node(reader: Reader, expression: ParseExpression) -> NodePattern:
    reader.expect("(")
    found = _inside(reader, expression)
    reader.expect(")")
    return NodePattern(*found)


def _inside(
    reader: Reader, expression: ParseExpression
) -> tuple[str, LabelExpression | None, Expression | None, Expression | None]:
    variable = ""
    if reader.sees_name() and not reader.sees("WHERE"):
        variable = reader.name()
    labels = None
    if reader.take(":") or reader.take("IS"):
        labels = parse_labels(reader)
    properties = None
    if reader.sees("{") or reader.peek().kind is Kind.PARAMETER:
        properties = expression(reader)
    condition = expression(reader) if reader.take("WHERE") else None
    return variable, labels, properties, condition


def parse_labels(reader: Reader) -> LabelExpression:
    """Parse a label expression; the colon before it is taken already."""
    parts = [_conjunction(reader)]
    while reader.take("|"):
        reader.take(":")
        parts.append(_conjunction(reader))
    return parts[0] if len(parts) == 1 else LabelExpression("|", parts=tuple(parts))


def _conjunction(reader: Reader) -> LabelExpression:
    parts = [_label(reader)]
    while reader.take("&") or reader.take(":"):
        parts.append(_label(reader))
    return parts[0] if len(parts) == 1 else LabelExpression("&", parts=tuple(parts))


def _label(reader: Reader) -> LabelExpression:
    if reader.take("!"):
        return LabelExpression("!", parts=(_label(reader),))
    if reader.take("%"):
        return LabelExpression("any")
    if reader.take("("):
        inner = parse_labels(reader)
        reader.expect(")")
        return inner
    return LabelExpression("label", reader.name())


def _edge(reader: Reader, expression: ParseExpression) -> EdgePattern:
    inwards = reader.take("<")
    reader.expect("-")
    variable, types, properties, condition, length = "", None, None, None, None
    if reader.take("["):
        if reader.sees_name() and not reader.sees("WHERE"):
            variable = reader.name()
        if reader.take(":"):
            types = parse_labels(reader)
        if reader.take("*"):
            length = _star_length(reader)
        if reader.sees("{") or reader.peek().kind is Kind.PARAMETER:
            properties = expression(reader)
        if reader.take("WHERE"):
            condition = expression(reader)
        reader.expect("]")
    reader.expect("-")
    outwards = reader.take(">")
    length = _quantity(reader) or length
    direction = "both" if inwards == outwards else "in" if inwards else "out"
    return EdgePattern(variable, types, properties, condition, direction, length)


def _star_length(reader: Reader) -> tuple[int, int | None]:
    """Parse `*`, `*2`, `*1..3`, `*..3` and `*2..`."""
    low = _number(reader)
    if not reader.take(".."):
        return (1, None) if low is None else (low, low)
    return (1 if low is None else low, _number(reader))


def _quantity(reader: Reader) -> tuple[int, int | None] | None:
    """Parse `+`, `*`, `{2}`, `{1,3}`, `{,3}` and `{2,}` after an edge."""
    if reader.take("+"):
        return (1, None)
    if reader.take("*"):
        return (0, None)
    if not reader.take("{"):
        return None
    low = _number(reader)
    high = _number(reader) if reader.take(",") else low
    reader.expect("}")
    return (low or 0, high)


def _number(reader: Reader) -> int | None:
    if reader.peek().kind is not Kind.NUMBER:
        return None
    text = reader.next().text
    if not text.isdecimal():
        raise UnparsedError(f"{text} is no length")
    return int(text)
