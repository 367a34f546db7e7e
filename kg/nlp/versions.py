"""Versions and sizes of one name are things of their own: their numbers tell them apart."""

import re
from typing import Final

_NUMBER: Final = re.compile(r"\d+(?:\.\d+)*")


def numbers_in(surface: str) -> tuple[str, ...]:
    """Return the numbers of a name, sorted.

    >>> numbers_in("Llama-3.1-8B")
    ('3.1', '8')
    """
    return tuple(sorted(_NUMBER.findall(surface)))


def without_numbers(surface: str) -> str:
    """Return the name with its numbers left out.

    >>> without_numbers("ViT 2")
    'ViT '
    """
    return _NUMBER.sub("", surface)
