"""Cypher cut into tokens, so that nothing inside a string or a comment is ever taken for code."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from kg.errors import QueryError


class Kind(Enum):
    """What a token is."""

    SPACE = "space"
    COMMENT = "comment"
    STRING = "string"
    QUOTED = "quoted"  # `a name in backticks`
    NUMBER = "number"
    PARAMETER = "parameter"
    WORD = "word"
    SIGN = "sign"


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a query; the texts of all tokens joined give the query again."""

    kind: Kind
    text: str
    start: int = -1  # offset in the query, -1 when a rewriting made it

    @property
    def upper(self) -> str:
        """The text of an unquoted word in capitals, as keywords compare; else the text."""
        return self.text.upper() if self.kind is Kind.WORD else self.text

    @property
    def name(self) -> str:
        """What an identifier or a parameter is called, without quotes and dollar."""
        text = self.text.removeprefix("$") if self.kind is Kind.PARAMETER else self.text
        if text.startswith("`"):
            return text[1:-1].replace("``", "`")
        return text


_PATTERNS = (
    (Kind.SPACE, r"\s+"),
    (Kind.COMMENT, r"//[^\n\r]*|/\*.*?\*/"),
    (Kind.STRING, r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""),
    (Kind.QUOTED, r"`(?:[^`]|``)*`"),
    (Kind.PARAMETER, r"\$(?:\w+|`(?:[^`]|``)*`)"),
    (
        Kind.NUMBER,
        r"0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|(?:\d[\d_]*)?\.\d[\d_]*(?:[eE][+-]?\d+)?(?!\w)|\d[\d_]*(?:[eE][+-]?\d+)?(?!\w)",
    ),
    (Kind.WORD, r"[^\W\d]\w*"),
    (Kind.SIGN, r"<>|<=|>=|=~|\+=|\.\.|\|\||::|[-+*/%^=<>()\[\]{}.,:;|&!?@#~\\]"),
)
_TOKEN = re.compile("|".join(f"(?P<{k.value}>{p})" for k, p in _PATTERNS), re.DOTALL)
_REMEDIES = {
    "'": "A string begins here and never ends; close it with '.",
    '"': 'A string begins here and never ends; close it with ".',
    "`": "A quoted name begins here and never ends; close it with `.",
    "$": "A parameter needs a name, such as $name.",
}


def tokenize(cypher: str) -> list[Token]:
    """Cut a query into tokens; QueryError where a string or comment has no end."""
    tokens: list[Token] = []
    position = 0
    while position < len(cypher):
        found = _TOKEN.match(cypher, position)
        if (
            found is None
            or found.lastgroup is None
            or cypher.startswith("/*", found.start()) > (found.lastgroup == Kind.COMMENT.value)
        ):
            raise _unreadable(cypher, position)
        tokens.append(Token(Kind(found.lastgroup), found.group(), position))
        position = found.end()
    return tokens


def _unreadable(cypher: str, position: int) -> QueryError:
    line = cypher.count("\n", 0, position) + 1
    column = position - (cypher.rfind("\n", 0, position) + 1) + 1
    char = cypher[position]
    remedy = _REMEDIES.get(char, "Leave it out, or put it into a string.")
    if cypher.startswith("/*", position):
        remedy = "A comment begins here and never ends; close it with */."
    return QueryError(f"line {line}, column {column}: {char!r} cannot be read", remedy)


def code(tokens: Iterable[Token]) -> list[Token]:
    """Return the tokens without spaces and comments."""
    return [t for t in tokens if t.kind not in (Kind.SPACE, Kind.COMMENT)]


def parameters(tokens: Iterable[Token]) -> set[str]:
    """Return the names of all parameters."""
    return {token.name for token in tokens if token.kind is Kind.PARAMETER}


def quote(name: str) -> str:
    """Return a name in backticks, safe whatever it holds."""
    return "`" + name.replace("`", "``") + "`"


def text_literal(value: str) -> str:
    """Return a string literal of the embedded database, safe whatever it holds."""
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
