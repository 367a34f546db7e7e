"""Queries for one graph of a database that may hold several, and a user's own data."""

from kg.stores.cypher.tokens import Kind, Token

_PATTERN_ENDS = frozenset(
    {"WHERE", "RETURN", "WITH", "UNWIND", "CALL", "UNION", "ORDER", "SKIP", "LIMIT", "YIELD"}
)
_SEARCHES = frozenset({"SHORTESTPATH", "ALLSHORTESTPATHS"})


def without_key(tokens: list[Token], key: str) -> list[Token]:
    """Make `keys(x)` leave out the key that marks kg's own nodes and relationships."""
    result = list(tokens)
    depth = 0
    open_at: list[int] = []  # depths at which keys( was opened
    for i, token in enumerate(tokens):
        if token.kind is Kind.WORD and token.upper == "KEYS" and _called(tokens, i):
            result[i] = _made(f"[kg_key IN {token.text}")
            open_at.append(depth)
        elif token.text == "(":
            depth += 1
        elif token.text == ")":
            depth -= 1
            if open_at and open_at[-1] == depth:
                open_at.pop()
                result[i] = _made(f") WHERE kg_key <> '{key}']")
    return result


def within(tokens: list[Token], key: str, parameter: str) -> list[Token]:
    """Demand of every node in a pattern of MATCH, EXISTS, COUNT and COLLECT that it has the key."""
    result = list(tokens)
    matching = [False]  # for each brace that is open: is this place in a pattern?
    depth = 0
    condition = f"{key}: ${parameter}"
    for i, token in enumerate(tokens):
        if token.kind is Kind.WORD:
            before = _neighbour(tokens, i, -1)
            if before in (".", ":", "|", "&", "!"):
                continue
            if token.upper == "MATCH":
                matching[-1], depth = True, 0
            elif token.upper in _PATTERN_ENDS and depth == 0:
                matching[-1] = False
        elif token.text == "{":
            subquery = _neighbour(tokens, i, -1).upper() in ("EXISTS", "COUNT", "COLLECT")
            matching.append(subquery and _neighbour(tokens, i, 1) == "(")
        elif token.text == "}" and len(matching) > 1:
            matching.pop()
        elif token.text in ("(", "[") and matching[-1]:
            node = token.text == "(" and depth == 0
            if node and _neighbour(tokens, i, -1).upper() in _SEARCHES:
                continue
            if node and _neighbour(tokens, i, 1) != "(":
                _demand(tokens, result, i, condition)
            depth += 1
        elif token.text in (")", "]") and matching[-1] and depth:
            depth -= 1
    return result


def _demand(tokens: list[Token], result: list[Token], start: int, condition: str) -> None:
    """Put the condition into the node pattern that opens at `start`."""
    for i in range(start + 1, len(tokens)):
        token = tokens[i]
        if token.text == "{":
            empty = _neighbour(tokens, i, 1) == "}"
            result[i] = _made(f"{{{condition}{'' if empty else ', '}")
            return
        if token.text == ")" or (token.kind is Kind.WORD and token.upper == "WHERE"):
            result[i] = _made(f" {{{condition}}} {token.text}")
            return


def _neighbour(tokens: list[Token], at: int, step: int) -> str:
    place = at + step
    while 0 <= place < len(tokens):
        if tokens[place].kind not in (Kind.SPACE, Kind.COMMENT):
            return tokens[place].text
        place += step
    return ""


def _called(tokens: list[Token], at: int) -> bool:
    return _neighbour(tokens, at, 1) == "(" and _neighbour(tokens, at, -1) not in (".", ":")


def _made(text: str) -> Token:
    return Token(Kind.SIGN, text)
