"""What a claim shows of a number: whether it carries the claim, or counts, dates and names."""

import re
from typing import Final

from kg.nlp.layout import normal
from kg.nlp.linear import Groups
from kg.nlp.quantities import Quantity

_WORD: Final = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*|\\?%|[^\w\s]")
_ROOM: Final = 60  # characters before and after a number that are looked at


def number_features(
    text: str, quantity: Quantity, claim: tuple[int, int], kind: str, named: bool
) -> Groups:
    """Return the features of a number in a claim.

    Args:
        text: as read.
        quantity: the number.
        claim: span of the claim.
        kind: of the claim.
        named: whether the number stands inside the name of an entity.
    """
    low = max(claim[0], quantity.start - _ROOM)
    before = ("^", "^", "^", *_words(text[low : quantity.start]))
    after = (*_words(text[quantity.end : min(claim[1], quantity.end + _ROOM)]), "$", "$", "$")
    shape = _shape(quantity)
    b, a = before[-3:], after[:3]
    return (
        (
            1.5,
            [
                shape,
                f"{quantity.shape} {quantity.unit}",
                f"{kind} {shape}",
                f"named {named}",
                f"sign {quantity.sign} {shape}",
            ],
        ),
        (
            1.2,
            [
                f"-1 {b[2]}",
                f"-2 {b[1]} {b[2]}",
                f"-3 {b[0]} {b[1]} {b[2]}",
                f"+1 {a[0]}",
                f"+2 {a[0]} {a[1]}",
                f"+3 {a[0]} {a[1]} {a[2]}",
                f"-1 {b[2]} {shape}",
                f"+1 {a[0]} {shape}",
                f"-+ {b[2]} {a[0]}",
                f"-+ {b[2]} {a[0]} {shape}",
                f"-2+ {b[1]} {b[2]} {a[0]}",
            ],
        ),
        (0.8, sorted({f"b {word}" for word in before[-7:]})),
        (0.8, sorted({f"a {word}" for word in after[:6]})),
        (0.5, sorted({f"a {shape} {word}" for word in after[:3]})),
        (0.4, sorted({f"c {word}" for word in _words(text[claim[0] : claim[1]])[:60]})),
    )


def _words(text: str) -> list[str]:
    return [normal(word) for word in _WORD.findall(text)]


def _shape(quantity: Quantity) -> str:
    """How the number is written: 00.0%, 0x, 0000, 1st."""
    if quantity.shape in {"said", "bound"}:
        return quantity.raw.lower() if quantity.shape == "said" else "bound"
    found = re.sub(r"\d", "0", quantity.raw.replace("\\", "").strip("$+- "))
    return re.sub(r"0{4,}", "0000", found)[:14]
