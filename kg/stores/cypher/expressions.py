"""Parsing expressions, by precedence."""

from kg.stores.cypher.patterns import parse_labels, parse_path
from kg.stores.cypher.reader import Reader, UnparsedError
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
    Pattern,
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
)
from kg.stores.cypher.tokens import Kind

_COMPARING = ("=", "<>", "<=", ">=", "<", ">")
_QUANTIFIERS = ("any", "all", "none", "single")
_CONSTANTS = {"TRUE": "boolean", "FALSE": "boolean", "NULL": "null"}


def parse_expression(reader: Reader) -> Expression:
    """Parse one expression."""
    return _binary(reader, 0)


# From the loosest; NOT stands between AND and comparisons.
_LEVELS = (("OR",), ("XOR",), ("AND",))


def _binary(reader: Reader, level: int) -> Expression:
    if level == len(_LEVELS):
        return _negation(reader)
    left = _binary(reader, level + 1)
    while any(reader.sees(operator) for operator in _LEVELS[level]):
        operator = reader.next().upper
        left = Binary(operator, left, _binary(reader, level + 1))
    return left


def _negation(reader: Reader) -> Expression:
    if reader.take("NOT"):
        return Unary("NOT", _negation(reader))
    operands = [_testing(reader)]
    operators = []
    while reader.peek().text in _COMPARING:
        operators.append(reader.next().text)
        operands.append(_testing(reader))
    if not operators:
        return operands[0]
    return Comparison(tuple(operands), tuple(operators))


def _testing(reader: Reader) -> Expression:
    left = _sum(reader)
    while True:
        if reader.take("IS", "NULL"):
            left = IsNull(left, negated=False)
        elif reader.take("IS", "NOT", "NULL"):
            left = IsNull(left, negated=True)
        elif reader.take("IN"):
            left = Binary("IN", left, _sum(reader))
        elif reader.take("STARTS", "WITH"):
            left = Binary("STARTS WITH", left, _sum(reader))
        elif reader.take("ENDS", "WITH"):
            left = Binary("ENDS WITH", left, _sum(reader))
        elif reader.take("CONTAINS"):
            left = Binary("CONTAINS", left, _sum(reader))
        elif reader.take("=~"):
            left = Binary("=~", left, _sum(reader))
        else:
            return left


def _sum(reader: Reader) -> Expression:
    left = _product(reader)
    while reader.peek().text in ("+", "-", "||"):
        left = Binary(reader.next().text, left, _product(reader))
    return left


def _product(reader: Reader) -> Expression:
    left = _power(reader)
    while reader.peek().text in ("*", "/", "%"):
        left = Binary(reader.next().text, left, _power(reader))
    return left


def _power(reader: Reader) -> Expression:
    left = _sign(reader)
    while reader.take("^"):
        left = Binary("^", left, _sign(reader))
    return left


def _sign(reader: Reader) -> Expression:
    if reader.peek().text in ("-", "+"):
        return Unary(reader.next().text, _sign(reader))
    return _postfix(reader)


def _postfix(reader: Reader) -> Expression:
    found = _atom(reader)
    while True:
        if reader.take("."):
            found = Property(found, reader.name())
        elif reader.take("["):
            found = _index(reader, found)
        elif reader.sees(":") and isinstance(found, Variable):
            reader.next()
            found = HasLabel(found, parse_labels(reader))
        else:
            return found


def _index(reader: Reader, of: Expression) -> Expression:
    start = None if reader.sees("..") else parse_expression(reader)
    if reader.take(".."):
        end = None if reader.sees("]") else parse_expression(reader)
        reader.expect("]")
        return Slice(of, start, end)
    reader.expect("]")
    if start is None:
        raise UnparsedError("[] without an index")
    return Index(of, start)


def _atom(reader: Reader) -> Expression:
    token = reader.peek()
    match token.kind:
        case Kind.STRING:
            return Raw(reader.next().text, "string")
        case Kind.NUMBER:
            reader.next()
            whole = token.text.replace("_", "").isdecimal() or token.text[:2].lower() in (
                "0x",
                "0o",
            )
            return Raw(token.text, "integer" if whole else "float")
        case Kind.PARAMETER:
            return Raw(reader.next().text, "parameter")
        case Kind.SIGN:
            return _bracketed(reader)
        case Kind.WORD | Kind.QUOTED:
            return _named(reader)
        case _:
            raise UnparsedError("an expression expected")


def _bracketed(reader: Reader) -> Expression:
    if reader.sees("("):
        start = reader.at
        try:
            nodes, edges = parse_path(reader, parse_expression)
            if edges:
                return PatternExpression(Pattern(nodes, edges))
        except UnparsedError:
            pass
        reader.at = start
        reader.expect("(")
        inner = parse_expression(reader)
        reader.expect(")")
        return inner
    if reader.take("["):
        return _list(reader)
    if reader.take("{"):
        return MapLiteral(_pairs(reader))
    raise UnparsedError(f"an expression expected, not {reader.peek().text!r}")


def _pairs(reader: Reader) -> tuple[tuple[str, Expression], ...]:
    pairs = []
    while not reader.take("}"):
        key = reader.name()
        reader.expect(":")
        pairs.append((key, parse_expression(reader)))
        if not reader.take(",") and not reader.sees("}"):
            raise UnparsedError("} expected")
    return tuple(pairs)


def _list(reader: Reader) -> Expression:
    if reader.sees_name() and reader.peek(1).upper == "IN":
        start = reader.at
        variable = reader.name()
        reader.expect("IN")
        items = _sum(reader)
        if reader.sees("WHERE") or reader.sees("|") or reader.sees("]"):
            condition = parse_expression(reader) if reader.take("WHERE") else None
            result = parse_expression(reader) if reader.take("|") else None
            reader.expect("]")
            return Comprehension(variable, items, condition, result)
        reader.at = start
    if reader.sees("("):
        start = reader.at
        try:
            nodes, edges = parse_path(reader, parse_expression)
            condition = parse_expression(reader) if reader.take("WHERE") else None
            if edges and reader.take("|"):
                result = parse_expression(reader)
                reader.expect("]")
                return PatternComprehension(Pattern(nodes, edges), condition, result)
        except UnparsedError:
            pass
        reader.at = start
    items_ = []
    while not reader.take("]"):
        items_.append(parse_expression(reader))
        if not reader.take(",") and not reader.sees("]"):
            raise UnparsedError("] expected")
    return ListLiteral(tuple(items_))


def _named(reader: Reader) -> Expression:
    token = reader.peek()
    if token.kind is Kind.WORD:
        if token.upper in _CONSTANTS:
            return Raw(reader.next().text.lower(), _CONSTANTS[token.upper])
        if token.upper == "CASE" and reader.peek(1).text not in (".", ",", ")"):
            return _case(reader)
        if token.upper in ("EXISTS", "COUNT", "COLLECT") and reader.peek(1).text == "{":
            return _subquery(reader)
        if token.upper == "REDUCE" and reader.peek(1).text == "(":
            return _reduce(reader)
        if token.text.lower() in _QUANTIFIERS and reader.peek(1).text == "(":
            start = reader.at
            try:
                return _quantifier(reader)
            except UnparsedError:
                reader.at = start
    name = reader.name()
    if reader.sees("("):
        return _call(reader, name)
    if reader.sees(".") and reader.peek(2).text in ("(", ".") and _sees_qualified_call(reader):
        while reader.take("."):
            name += "." + reader.name()
        return _call(reader, name)
    if reader.sees("{"):
        return _map_projection(reader, name)
    return Variable(name)


def _sees_qualified_call(reader: Reader) -> bool:
    ahead = 0
    while reader.peek(ahead).text == ".":
        ahead += 2
    return reader.peek(ahead).text == "("


def _call(reader: Reader, name: str) -> Expression:
    reader.expect("(")
    if reader.take("*", ")"):
        return Call(name, (), star=True)
    distinct = reader.take("DISTINCT")
    arguments = []
    while not reader.take(")"):
        arguments.append(parse_expression(reader))
        if not reader.take(",") and not reader.sees(")"):
            raise UnparsedError(") expected")
    return Call(name, tuple(arguments), distinct)


def _map_projection(reader: Reader, variable: str) -> Expression:
    reader.expect("{")
    everything = False
    pairs: list[tuple[str, Expression]] = []
    while not reader.take("}"):
        if reader.take(".", "*"):
            everything = True
        elif reader.take("."):
            key = reader.name()
            pairs.append((key, Property(Variable(variable), key)))
        else:
            key = reader.name()
            pairs.append((key, parse_expression(reader) if reader.take(":") else Variable(key)))
        if not reader.take(",") and not reader.sees("}"):
            raise UnparsedError("} expected")
    return MapProjection(variable, everything, tuple(pairs))


def _case(reader: Reader) -> Expression:
    reader.expect("CASE")
    subject = None if reader.sees("WHEN") else parse_expression(reader)
    branches = []
    while reader.take("WHEN"):
        condition = parse_expression(reader)
        reader.expect("THEN")
        branches.append((condition, parse_expression(reader)))
    otherwise = parse_expression(reader) if reader.take("ELSE") else None
    reader.expect("END")
    return Case(subject, tuple(branches), otherwise)


def _quantifier(reader: Reader) -> Expression:
    kind = reader.next().text.lower()
    reader.expect("(")
    variable = reader.name()
    reader.expect("IN")
    items = _sum(reader)
    reader.expect("WHERE")
    condition = parse_expression(reader)
    reader.expect(")")
    return Quantifier(kind, variable, items, condition)


def _reduce(reader: Reader) -> Expression:
    reader.expect("REDUCE", "(")
    total = reader.name()
    reader.expect("=")
    start = parse_expression(reader)
    reader.expect(",")
    variable = reader.name()
    reader.expect("IN")
    items = _sum(reader)
    reader.expect("|")
    step = parse_expression(reader)
    reader.expect(")")
    return Reduce(total, start, variable, items, step)


def _subquery(reader: Reader) -> Expression:
    from kg.stores.cypher.parser import parse_inner  # the two grammars need each other

    kind = reader.next().upper
    return Subquery(kind, parse_inner(reader))
