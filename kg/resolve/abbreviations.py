"""Whether one form abbreviates another, and whether two long forms say the same.

Source of the letter rule: Schwartz and Hearst 2003, A simple algorithm for identifying
abbreviation definitions in biomedical text, PSB.
"""

import re
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from kg.resolve.latex import plain
from kg.resolve.normalise import numbers, signature

_LONGEST = 14  # letters of an abbreviation
_FILLERS = frozenset(
    "a an and as at based by for from in of on or the to using via with without scale".split()
)
# Words that a long form may end in without meaning something else.
_GENERIC = frozenset(
    "algorithm approach architectur benchmark corpu dataset framework method model modul net"
    " scor system task techn los metric prompt mechan measur index estim problem".split()
)
_SUFFIXES = re.compile(
    r"(?:i[sz]ations?|ations?|ionals?|ions?|ings?|ances?|ences?|ments?|ers?|ors?|ives?"
    r"|ally|als?|ics?|iques?|ed|es|ly|s|e|y)$"
)


def abbreviates(short: str, long: str) -> bool:
    """Return whether the letters of `short` stand in `long` in order, the first at a word's start.

    >>> abbreviates("GRPO", "Group Relative Policy Optimization"), abbreviates("GRPO", "TW-GRPO")
    (True, False)
    """
    letters = _letters(short)
    words = re.findall(r"[^\W_]+", plain(long).lower())
    total = sum(map(len, words))
    if not 2 <= len(letters) <= _LONGEST or total < len(letters) + 3 or total < 6:
        return False
    if not any(c.isalpha() for c in letters) or short.count(" ") > 1:
        return False
    if len(words) < 2 and total < 2 * len(letters):
        return False
    if letters in words or _contains(words, letters):
        return False  # Llama and Llama 3: a part, not an abbreviation
    if not any(c.isupper() or c.isdigit() for c in plain(short)) and len(letters) > 3:
        return False  # a word, not an abbreviation
    text = " ".join(words)
    at = len(text)
    for position in range(len(letters) - 1, -1, -1):
        letter = letters[position]
        at = text.rfind(letter, 0, at)
        while position == 0 and at > 0 and text[at - 1] != " ":
            at = text.rfind(letter, 0, at)
        if at < 0:
            return False
    return True


def same_long_form(one: str, two: str) -> bool:
    """Return whether two keys that share an abbreviation are one long form, written differently.

    Word order, endings, fillers, a generic last word and a slip of the keys do not count; numbers
    and any other word do.

    >>> same_long_form("low rank adaptation", "low rank adaption")
    True
    >>> same_long_form("direct preference optimization", "deterministic policy optimization")
    False
    """
    if numbers(one) != numbers(two):
        return False
    if stems(one) == stems(two):
        return True
    a, b = signature(one), signature(two)
    limit = max(len(a), len(b)) // 11
    return limit > 0 and Levenshtein.distance(a, b, score_cutoff=limit) <= limit


@lru_cache(maxsize=1 << 14)
def stems(key: str) -> tuple[str, ...]:
    """Return a key's words without endings, fillers and a generic last word, in sorted order."""
    words = [_stem(word) for word in key.split() if word not in _FILLERS]
    while len(words) > 2 and words[-1] in _GENERIC:
        words.pop()
    return tuple(sorted(words))


def _stem(word: str) -> str:
    if word in ("net", "network"):
        return "net"
    if len(word) <= 4:
        return word
    bare = _SUFFIXES.sub("", word)
    return bare if len(bare) >= 3 else word


def _letters(short: str) -> str:
    text = plain(short)
    if re.search(r"[A-Z0-9]s$", text):
        text = text[:-1]
    return "".join(c for c in text.lower() if c.isalnum())


def _contains(words: list[str], letters: str) -> bool:
    """Some run of neighbouring words, written together, is the short form."""
    for start in range(len(words)):
        run = ""
        for word in words[start:]:
            run += word
            if run == letters:
                return True
            if len(run) > len(letters):
                break
    return False
