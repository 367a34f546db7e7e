"""What a tagger says of each word and sentence of a text: one shape for all taggers."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

# The order of columns everywhere: in weights, in dumps, in the arrays below.
TYPES: Final = ("method", "dataset", "task", "metric")
LABELS: Final = ("O", *(f"{prefix}-{kind}" for kind in TYPES for prefix in "BI"))
ROLES: Final = ("proposed", "used", "compared", "evaluated_on", "addressed", "mentioned")
KINDS: Final = ("none", "performance", "finding", "theory")

_WORD = re.compile(r"\w+|[^\w\s]")
_FEW: Final = 256  # texts and names whose words are remembered


def words(text: str) -> list[tuple[int, int]]:
    """Return the spans of the words: runs of word characters, and every other visible sign alone.

    No span of a name begins or ends inside a word; names are put together from whole words.

    >>> words("GPT-4 wins.")
    [(0, 3), (3, 4), (4, 5), (6, 10), (10, 11)]
    """
    return list(_words(text))


@lru_cache(maxsize=_FEW)
def _words(text: str) -> tuple[tuple[int, int], ...]:
    """Return the same; several components ask for the words of one text."""
    return tuple(match.span() for match in _WORD.finditer(text))


@dataclass(frozen=True, slots=True, eq=False)
class TokenScores:
    """Probabilities of one text of n words and m sentences.

    Attributes:
        words: (n, 2), the spans of ``words(text)``.
        entity: (n, 9), log-probabilities of LABELS.
        named: (n,), probability that the entity at this word is a proper name.
        role: (n, 6), log-probabilities of ROLES of the entity at this word; None from a tagger
            that does not judge roles.
        sentences: (m, 2), the spans of the text's sentences.
        kind: (m, 4), log-probabilities of KINDS; None from a tagger that does not judge claims.
    """

    words: Ints
    entity: Floats
    named: Floats
    role: Floats | None
    sentences: Ints
    kind: Floats | None
