"""Whether one form abbreviates another, and whether two long forms say the same.

Source of the letter rule: Schwartz and Hearst 2003, A simple algorithm for identifying
abbreviation definitions in biomedical text, PSB.
"""

import re
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from kg.resolve.latex import plain
from kg.resolve.normalise import numbers

_LONGEST = 14  # letters of an abbreviation
_FILLERS = frozenset(
    "a an and as at based by for from in of on or the to using via with without scale level".split()
)
_SYNONYMS = {"network": "net", "visual": "vision", "picture": "image", "visually": "vision"}
_PREFIXES = frozenset(
    "anti auto bi co cross de hyper hypo inter intra macro meta micro mono multi non poly pre"
    " pseudo quasi re self semi sub super tri ultra un uni".split()
)
# Words that a long form may end in without meaning something else.
_GENERIC = frozenset(
    "algorithm approach architectur benchmark corpu dataset framework method model modul net"
    " scor system task techn los metric prompt mechan measur index estim problem".split()
)
_SUFFIXES = re.compile(
    r"(?:i[sz]ations?|ations?|ates?|ated|ating|ators?|ionals?|ions?|ings?|ances?|ences?|ments?|ers?|ors?|ives?"
    r"|ally|als?|ics?|iques?|ed|es|ly|s|e|y)$"
)


def abbreviates(short: str, long: str) -> bool:
    """Return whether the letters of `short` stand in `long` in order, the first at a word's start.

    >>> abbreviates("GRPO", "Group Relative Policy Optimization"), abbreviates("GRPO", "TW-GRPO")
    (True, False)
    """
    letters = _letters(short)
    words = re.findall(r"[^\W_]+", plain(long).lower())
    if "2" in letters[1:-1] and "to" in words:
        letters = letters.replace("2", "t")  # T2I: text-to-image
    total = sum(map(len, words))
    if not 2 <= len(letters) <= _LONGEST or total < len(letters) + 3 or total < 6:
        return False
    if len(words) < 2 and total < 2 * len(letters):
        return False
    if sum(word not in _FILLERS for word in words) > 2 * len(letters):
        return False
    if not _is_short_form(plain(short)) or _contains(words, letters):
        return False  # Llama and Llama 3: a part, not an abbreviation
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

    Word order, endings, fillers, a generic last word and slips of the keys do not count; numbers
    and other words do.

    >>> same_long_form("low rank adaptation", "low rank adaption")
    True
    >>> same_long_form("direct preference optimization", "deterministic policy optimization")
    False
    """
    if numbers(one) != numbers(two):
        return False
    if stems(one) == stems(two):
        return True
    mine, theirs = one.split(), two.split()
    return len(mine) == len(theirs) and all(
        _same_word(a, b) for a, b in zip(mine, theirs, strict=True)
    )


def extends(long: str, part: str) -> bool:
    """Return whether a key says more than another: document level neural machine translation.

    >>> extends("llm based multi agent system", "multi agent system")
    True
    """
    words = [_stem(word) for word in long.split()]
    wanted = "".join(_stem(word) for word in part.split())
    if not wanted or len("".join(words)) <= len(wanted):
        return False
    for start in range(len(words)):
        if start and words[start - 1] in _PREFIXES:
            continue  # no multi-modal model is a modal model
        run = ""
        for word in words[start:]:
            run += word
            if run == wanted:
                return True
            if len(run) > len(wanted):
                break
    return False


def truncates(cut: str, whole: str) -> bool:
    """Return whether a key is another one cut at a hyphen, as happens to multi-modal models.

    >>> truncates("modal large language model", "multimodal large language model")
    True
    """
    short, long = cut.split(), whole.split()
    size = len(short)
    if size > len(long) or size < 2 or long[-size + 1 :] != short[1:]:
        return False
    first = long[-size]
    if first == short[0]:
        return size < len(long) and (long[-size - 1] in _PREFIXES or first in _FILLERS)
    return first.endswith(short[0])


def _same_word(one: str, two: str) -> bool:
    """The words are one but for the ending or a slip of the keys."""
    if one == two or _stem(one) == _stem(two) or _is_gerund(one, two) or _is_gerund(two, one):
        return True
    shortest = min(len(one), len(two))
    if shortest > 5 and abs(len(one) - len(two)) <= 2 and one[:shortest] == two[:shortest]:
        return True  # triple, triplet
    return shortest > 6 and one[:2] == two[:2] and Levenshtein.distance(one, two) <= shortest // 7


@lru_cache(maxsize=1 << 14)
def stems(key: str) -> tuple[str, ...]:
    """Return a key's words without endings, fillers and a generic last word, in sorted order."""
    words = [_stem(word) for word in key.split() if word not in _FILLERS]
    while len(words) > 2 and words[-1] in _GENERIC:
        words.pop()
    return tuple(sorted(words))


def _stem(word: str) -> str:
    if word in _SYNONYMS:
        return _SYNONYMS[word]
    if len(word) <= 4:
        return word
    bare = _SUFFIXES.sub("", word)
    return bare if len(bare) >= 3 else word


def _is_gerund(doing: str, done: str) -> bool:
    """It is what the other does: using and use, too short to lose their endings."""
    return doing.endswith("ing") and len(done) > 2 and doing[:-3] == done.removesuffix("e")


def _is_short_form(short: str) -> bool:
    """Return whether it looks like an abbreviation: a capital or digit inside, or few letters."""
    words = short.split()
    if len(words) > 1:
        return all(any(c.isupper() or c.isdigit() for c in w) and len(w) <= 6 for w in words)
    return len(short) <= 4 or any(c.isupper() or c.isdigit() for c in short[1:])


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
            if run in (letters, f"{letters}s"):
                return True
            if len(run) > len(letters):
                break
    return False
