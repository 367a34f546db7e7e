"""Tell whether a text is an abstract that can be read, and why not.

Menus, source code, other languages and single words give no entities rather than wrong ones.
Everything here is one pass over the text.
"""

import re
from typing import Final

LONGEST: Final = 40_000  # characters that are read of one text

EMPTY: Final = "empty"
SHORT: Final = "too short"
CAPITALS: Final = "all capitals"
LANGUAGE: Final = "not English"
NO_PROSE: Final = "no running text"
LONG: Final = f"only the first {LONGEST} characters were read"

# A text with one of these has no entities that could be trusted.
UNFIT: Final = frozenset((EMPTY, SHORT, LANGUAGE, NO_PROSE))

_FEWEST_WORDS: Final = 4
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z]+")
_CODE = re.compile(r"[;{}=<>|#]|\(\)|->|::|\$\w+\s*=")
_CODE_LINE = re.compile(
    r"^\s*(?:(?:def|class|import|from|return|elif|else|try|except|with|while|raise|assert|public|"
    r"private|static|const|let|var|function|package|using|namespace)\b(?!.*[.?]$)|#include|@\w+|//|"
    r"\}|\{|\)|\])|[;{}(\[,:]\s*$|^\s*[\w.\[\]\"']+(?::\s*[\w\[\], .]+)?\s*[-+*/|&]?=\s*\S",
    re.MULTILINE,
)
_FORMULA = re.compile(r"\$[^$]{1,400}\$|\\[a-zA-Z]+\s*(?:\{[^{}]{0,200}\})?")

# Words that hold English sentences together; no other language has them at this rate.
_GLUE: Final = frozenset(
    "the of and a to in is we that for with on are this by as an be our which from it can these "
    "not or at have has their its than but both such also while using".split()
)
# What menus, licences and programs lack: words that only sentences need.
_FEWEST_GLUE: Final = 0.10
_FEW_WORDS: Final = 12  # below it the rate of glue says little


def flags(text: str) -> tuple[str, ...]:
    """Return why a text cannot be read, or not in full; nothing for an ordinary abstract.

    >>> flags("We propose GRPO, which improves the accuracy of large language models.")
    ()
    >>> flags("Nous proposons une méthode nouvelle pour la traduction automatique des textes.")
    ('not English',)
    """
    if not text.strip():
        return (EMPTY,)
    found = []
    if len(text) > LONGEST:
        found.append(LONG)
        text = text[:LONGEST]
    words = _WORD.findall(_FORMULA.sub(" ", text))
    if len(words) < _FEWEST_WORDS:
        return (*found, SHORT)
    letters = sum(map(len, words))
    latin = sum(map(len, _LATIN.findall(text)))
    if latin * 2 < letters:
        return (*found, LANGUAGE)
    if _in_capitals(words):
        found.append(CAPITALS)
    glue = sum(word.lower() in _GLUE for word in words) / len(words)
    if _is_code(text) or _is_list(text, glue):
        found.append(NO_PROSE)
    elif len(words) >= _FEW_WORDS and glue < _FEWEST_GLUE:
        found.append(LANGUAGE if _sentences_like(text) else NO_PROSE)
    elif len(words) < _FEW_WORDS and glue == 0 and not text.isascii():
        found.append(LANGUAGE)
    return tuple(found)


def _in_capitals(words: list[str]) -> bool:
    """Say whether nearly all long words are in capitals."""
    long = [word for word in words if len(word) > 3]
    return len(long) > 3 and sum(word.isupper() for word in long) > 0.7 * len(long)


def _is_code(text: str) -> bool:
    """Say whether signs or lines of programs are too many for prose; formulas do not count."""
    plain = _FORMULA.sub(" ", text)
    if len(_CODE.findall(plain)) * 25 > max(200, len(plain)):
        return True
    lines = [line for line in plain.splitlines() if line.strip()]
    return len(lines) > 8 and sum(bool(_CODE_LINE.search(each)) for each in lines) > len(lines) / 2


def _is_list(text: str, glue: float) -> bool:
    """Say whether the text is mostly short lines, as menus and tables are."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > 8 and glue < 0.2 and sum(len(line) for line in lines) / len(lines) < 35


def _sentences_like(text: str) -> bool:
    """Say whether stops and commas stand as they do in sentences."""
    return len(re.findall(r"[a-zà-ÿ][.,;] ", text)) * 300 > len(text)


def readable(text: str) -> str:
    """Return the part of a text that is read."""
    return text if len(text) <= LONGEST else text[:LONGEST]
