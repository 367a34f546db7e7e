"""Keeping the property that marks kg's own nodes in Neo4j out of answers."""

from kg.stores.cypher.tokens import Kind, Token


def without_key(tokens: list[Token], key: str) -> str:
    """Return the query with `keys(x)` made to leave out one key."""
    texts = [token.text for token in tokens]
    depth = 0
    open_at: list[int] = []  # depths at which keys( was opened
    for i, token in enumerate(tokens):
        if token.kind is Kind.WORD and token.upper == "KEYS" and _called(tokens, i):
            texts[i] = f"[kg_key IN {token.text}"
            open_at.append(depth)
        elif token.text == "(":
            depth += 1
        elif token.text == ")":
            depth -= 1
            if open_at and open_at[-1] == depth:
                open_at.pop()
                texts[i] = f") WHERE kg_key <> '{key}']"
    return "".join(texts)


def _called(tokens: list[Token], at: int) -> bool:
    before = next((t.text for t in reversed(tokens[:at]) if t.kind is not Kind.SPACE), "")
    after = next((t.text for t in tokens[at + 1 :] if t.kind is not Kind.SPACE), "")
    return after == "(" and before not in (".", ":")
