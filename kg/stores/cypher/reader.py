"""A place in a list of tokens, for the parsers."""

from kg.stores.cypher.tokens import Kind, Token, code


class UnparsedError(Exception):
    """The query is not in the part of Cypher that is parsed here; the database judges it."""


END = Token(Kind.SPACE, "")


class Reader:
    """Reads code tokens one after the other; `source` is the text that they were cut from."""

    def __init__(self, tokens: list[Token], source: str) -> None:
        self.tokens = code(tokens)
        self.source = source
        self.at = 0

    def peek(self, ahead: int = 0) -> Token:
        """Return a token that comes, END after the last."""
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else END

    def next(self) -> Token:
        """Take the next token."""
        token = self.peek()
        self.at += 1
        return token

    def sees(self, *texts: str) -> bool:
        """Say whether these words (in capitals) and signs come next."""
        return all(self._is(self.peek(i), text) for i, text in enumerate(texts))

    @staticmethod
    def _is(token: Token, text: str) -> bool:
        return token.kind in (Kind.WORD, Kind.SIGN) and token.upper == text

    def take(self, *texts: str) -> bool:
        """Take these words and signs if they come next."""
        if self.sees(*texts):
            self.at += len(texts)
            return True
        return False

    def expect(self, *texts: str) -> None:
        """Take what has to come next."""
        if not self.take(*texts):
            raise UnparsedError(f"{' '.join(texts)} expected before {self.peek().text!r}")

    def name(self) -> str:
        """Take a name, quoted or not."""
        token = self.next()
        if token.kind not in (Kind.WORD, Kind.QUOTED):
            raise UnparsedError(f"a name expected, not {token.text!r}")
        return token.name

    def sees_name(self) -> bool:
        """Say whether a name comes next."""
        return self.peek().kind in (Kind.WORD, Kind.QUOTED)

    def written(self, start: int) -> str:
        """Return the source from the token at `start` up to the last one taken."""
        first, last = self.tokens[start], self.tokens[self.at - 1]
        return self.source[first.start : last.start + len(last.text)]
