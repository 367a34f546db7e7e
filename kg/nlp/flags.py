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
LEGAL: Final = "a licence or terms of use"
LONG: Final = f"only the first {LONGEST} characters were read"

# A text with one of these has no entities that could be trusted.
UNFIT: Final = frozenset((EMPTY, SHORT, LANGUAGE, NO_PROSE, LEGAL))

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
# The same of other languages; none of them is a word of English.
_GLUE_ELSEWHERE: Final = frozenset(
    "het een van voor dat ook door naar deze wij zijn wordt niet und der die das ist nicht mit für auf eine einen wird sich "
    "le les des une est pour dans qui sur avec nous el los las una del que por para con se di il "
    "che della è per gli um uma os não och att som är på til af og er med ikke".split()
)
_FEWEST_ELSEWHERE: Final = 0.08
# Words of licences and terms of use that papers about the law do without.
_LEGALESE: Final = frozenset(
    "hereby herein hereunder thereof therein notwithstanding warranty warranties merchantability "
    "noninfringement licensee licensor sublicense redistribute redistributions redistribution "
    "copyright copyrighted liable liability damages indemnify cookies disclaimer disclaims "
    "infringement convey conveying covenant licence license licensed licenses permitted".split()
)
_FEWEST_LEGALESE: Final = 0.025
_FEWEST_LEGAL_WORDS: Final = 4  # different ones
# Lines of lists of references, heads of letters, records with a name before each value.
_RECORD_LINE = re.compile(
    r"^\s*(?:(?:\[\w+\]|\(?\d{1,3}[.)])\s.*\b(?:19|20)\d\d\b|[A-Z][\w-]{1,20}:\s)", re.MULTILINE
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
    lower = [word.lower() for word in words]
    glue = sum(word in _GLUE for word in lower) / len(words)
    elsewhere = sum(word in _GLUE_ELSEWHERE for word in lower) / len(words)
    if elsewhere >= _FEWEST_ELSEWHERE and elsewhere > glue:
        found.append(LANGUAGE)
    elif _is_legal(lower):
        found.append(LEGAL)
    elif _is_code(text) or _is_list(text, glue):
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


def _is_legal(words: list[str]) -> bool:
    """Say whether words of licences are as frequent as only licences have them."""
    legal = [word for word in words if word in _LEGALESE]
    return len(legal) > _FEWEST_LEGALESE * len(words) and len(set(legal)) >= _FEWEST_LEGAL_WORDS


def _is_list(text: str, glue: float) -> bool:
    """Say whether the text is mostly short lines, as menus and tables are, or records."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 8 and sum(map(bool, map(_RECORD_LINE.match, lines))) > len(lines) / 2:
        return True
    return len(lines) > 8 and glue < 0.2 and sum(len(line) for line in lines) / len(lines) < 35


def _sentences_like(text: str) -> bool:
    """Say whether stops and commas stand as they do in sentences."""
    return len(re.findall(r"[a-zà-ÿ][.,;] ", text)) * 300 > len(text)


def readable(text: str) -> str:
    """Return the part of a text that is read."""
    return text if len(text) <= LONGEST else text[:LONGEST]
