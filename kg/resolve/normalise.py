"""Surface forms to keys: what a name is when case, hyphens, plurals and spelling are set aside.

A key is readable and becomes an entity's id; a signature is what keys are compared by, and joins
what keys still tell apart: hyphens and spaces, numbers in words, v2 and 2.0. Numbers and suffixes
stay in both, so that CIFAR-10 is never CIFAR-100, nor GPT-4 GPT-4o.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from kg.model.schema import NodeLabel
from kg.resolve.latex import GREEK, plain
from kg.resolve.spelling import american, singular

# A word; inside a number a dot stays, after a name the plus of HumanEval+, the star of A*.
_WORD = re.compile(r"[^\W_]+(?:\^[^\W_]+|(?<=\d)\.(?=\d)[^\W_]+)*(?:\++(?![^\W_])|\*+|#)?")
_POSSESSIVE = re.compile(r"(?<=\w)'s\b|(?<=s)'(?=\s|$)|'")
# The end of a line broke mod-els; plug-ins are plugins.
_BROKEN_PLURAL = re.compile(r"(?<=[a-z][a-z])-(?=(?:[a-z][a-rt-z]|[b-df-hj-np-rtv-z])s(?![\w-]))")
_SOMEBODY = re.compile(r"[A-Z]\w+(?:'s|s')\s")
_ARTICLES = frozenset("the a an our this these their its so called proposed".split())
_PLURAL_ACRONYM = re.compile(r"(?=.*[A-Z])[A-Z0-9]*[A-Z][A-Z0-9]+s|[A-Z]+-?[a-z]?[A-Z]+s")

# Ends of nouns for what is done: image classification task, but not open-ended task.
_ACTION = re.compile(r"(?:ing|ion|sis|ment|ance|ence|val|ery|[A-Z])s?$")

# Generic nouns after a name. "Strong" ones may be left out wherever what stands before is shaped
# like a name (GRPO algorithm, ImageNet dataset); the others only where the corpus also names the
# rest alone (Transformer framework).
_STRONG = {
    NodeLabel.METHOD: "algorithm method model architecture optimizer network",
    NodeLabel.DATASET: "dataset corpus benchmark database treebank",
    NodeLabel.TASK: "task",
    NodeLabel.METRIC: "score metric measure",
}
_WEAK = {
    NodeLabel.METHOD: "approach technique framework system toolkit library procedure loss strategy"
    " mechanism classifier objective function scheme family solver protocol package prompting"
    " pipeline tool platform software module paradigm principle",
    NodeLabel.DATASET: "collection suite leaderboard challenge environment simulator testbed"
    " competition family resource",
    NodeLabel.TASK: "problem challenge",
    NodeLabel.METRIC: "value coefficient index criterion statistic",
}
HEADS = {
    label: (frozenset(_STRONG[label].split()), frozenset(_WEAK[label].split())) for label in _STRONG
}


@dataclass(frozen=True, slots=True)
class Normal:
    """A surface form's key, and what stands before a generic head where it has one."""

    key: str
    short: str = ""  # the surface before the head, in plain characters
    strong: bool = False  # it is shaped like a name


def key(surface: str) -> str:
    """Return the readable key of a surface form; never empty.

    >>> [key(s) for s in ("Large Language Models", "the GANs", "Fisher's exact test", "CIFAR-10")]
    ['large language model', 'gan', 'fisher exact test', 'cifar 10']
    """
    return " ".join(fold_word(word) for word in words_of(surface)) or _bare(surface)


def normalise(surface: str, label: NodeLabel) -> Normal:
    """Return the key of a surface form and, where its last word is generic, the key without it."""
    words = words_of(surface)
    folded = [fold_word(word) for word in words]
    whole = " ".join(folded) or _bare(surface)
    strong_heads, weak_heads = HEADS[label]
    end, strong = len(folded), True
    while end > 1:
        head = folded[end - 1]
        width = 1
        if head == "set" and end > 2 and folded[end - 2] == "data":
            head, width = "dataset", 2
        elif head == "task" and end > 2 and folded[end - 2] == "shared":
            head, width = "challenge", 2
        if head in strong_heads:
            pass
        elif head in weak_heads:
            strong = False
        else:
            break
        end -= width
    if end == len(folded):
        return Normal(whole)
    named = _is_name(words[:end], label) or (end == 1 and _is_person(surface))
    return Normal(whole, " ".join(words[:end]), strong and named)


@lru_cache(maxsize=1 << 16)
def signature(key: str) -> str:
    """Return what keys are compared by: without spaces, numbers in digits, versions bare.

    >>> [signature(k) for k in ("cifar 10", "squad v2.0", "two stage", "llama 3 8b", "r squared")]
    ['cifar10', 'squad2', '2stage', 'llama3|8b', 'r2']
    >>> signature("multiple agent relevancy") == signature("multi agent relevance")
    True
    """
    words = [_NUMBERS.get(word, word) for word in key.split()]
    if "ncy" in key:
        words = [f"{word[:-1]}e" if _QUALITY.search(word) else word for word in words]
    if _IN_CONTEXT.search(key):
        words = _in_context(words)
    joined = words[0] if words else key
    for word in words[1:]:
        # 3 8b is not 38b, though llama 3 is llama3.
        joined += f"|{word}" if joined[-1].isdigit() and word[0].isdigit() else word
    joined = _VERSION.sub("", joined)
    return _TRAILING_ZERO.sub(r"\1", joined)


def _in_context(words: list[str]) -> list[str]:
    """Write what only the word before tells: R squared, three dimensional, LLM as a judge."""
    found = words[:1]
    for before, word in pairwise(words):
        if word in ("squared", "square") and (len(before) == 1 or before in GREEK):
            found.append("2")
        elif word == "dimensional" and before.isdigit():
            found.append("d")
        elif not (word in _INNER_ARTICLES and before in _PREPOSITIONS):
            found.append(word)
    return found if words[-1] == found[-1] or words[-1] not in _INNER_ARTICLES else words


_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
} | {
    "first": "1st",
    "second": "2nd",
    "third": "3rd",
    "fourth": "4th",
    "fifth": "5th",
    "ii": "2",
    "iii": "3",
    "versus": "vs",
    "multiple": "multi",
    "dual": "2",
}
# Relevancy is relevance, and coherency coherence; an emergency is no emergence.
_QUALITY = re.compile(r"ancy$|(?<!^emerg)(?<!^ag)ency$")
_IN_CONTEXT = re.compile(r" (?:squared?|dimensional|an?|the)\b")
_INNER_ARTICLES = frozenset(("a", "an", "the"))
_PREPOSITIONS = frozenset("as at by for from in into of on over to under with".split())
_VERSION = re.compile(r"(?<=[a-z|])v(?=\d)|(?<=[a-z|])version(?=\d)")
_TRAILING_ZERO = re.compile(r"(\d)(?:\.0)+(?![\d.])")


def numbers(key: str) -> tuple[str, ...]:
    """Return what of a key must be equal in everything that it is joined with."""
    return tuple(re.findall(r"\d+(?:\.\d+)*", signature(key)))


def is_acronym(surface: str) -> bool:
    """Return whether a single word is written as an acronym: ROAD, ROADs, RoAD."""
    return any(c.isupper() for c in plain(surface)[1:])


_INNER = re.compile(
    r"\s*(\S[^()\[\]]*\S)\s*[(\[]\s*([^()\[\]\s]{2,14})\s*[)\]]\s*([^()\[\]]*\w)\s*"
)


def parenthesis(surface: str) -> tuple[str, str] | None:
    """Split 'Direct Preference Optimization (DPO)' into long and short form, else None."""
    match = re.fullmatch(r"\s*(\S.*\S)\s*[(\[]\s*([^()\[\]]{2,40})\s*[)\]]\s*", surface)
    return (match[1], match[2]) if match else None


def inner_parenthesis(surface: str) -> tuple[str, str, str] | None:
    """Split 'Vision-Language-Action (VLA) models' into long form, short form and rest."""
    match = _INNER.fullmatch(surface)
    return (match[1], match[2], match[3]) if match else None


def words_of(surface: str) -> list[str]:
    """Return the words of a surface form in their own case, without articles."""
    text = _POSSESSIVE.sub("", plain(surface))
    if "&" in text:
        text = text.replace("&", " and ")
    if "-" in text:
        text = _BROKEN_PLURAL.sub("", text)
    words = _WORD.findall(text)
    if len(words) > 1 and all(w.isalpha() and w.isupper() and len(w) > 3 for w in words):
        # A heading in capitals: its words are words, not acronyms.
        words = [word.lower() for word in words]
    start = 0
    while start < len(words) - 1 and words[start].lower() in _ARTICLES and words[start] != "A":
        start += 1
    return words[start:]


@lru_cache(maxsize=1 << 17)
def fold_word(word: str) -> str:
    """Return a word without case, accents, plural and British spelling."""
    if _PLURAL_ACRONYM.fullmatch(word):
        word = word[:-1]
        return word.casefold()
    folded = word.casefold()
    if not folded.isascii():
        parts = unicodedata.normalize("NFKD", folded)
        parts = "".join(c for c in parts if not unicodedata.combining(c))
        folded = unicodedata.normalize("NFC", parts)
    if word.isupper() and len(word) > 1:
        return folded
    return american(singular(folded))


def _bare(surface: str) -> str:
    # Punctuation only, such as the name "?!" of a tool.
    return "".join(surface.casefold().split()) or "?"


def _is_name(words: list[str], label: NodeLabel) -> bool:
    last = words[-1]
    if label is NodeLabel.TASK:
        return len(words) > 1 and bool(_ACTION.search(last))
    if label is NodeLabel.DATASET:
        return any(c.isupper() or c.isdigit() for word in words for c in word)
    if last.replace(".", "").isdigit() and len(words) > 1:
        last = words[-2]  # SAM 2, Llama 3.1
    if len(words) > 3:
        return False
    # GRPO, DistilBERT, word2vec, A*; and U-Net, Q-BERT, but not A-frame.
    return _has_inner(last) or (len(words[0]) == 1 and words[0].isupper() and last[0].isupper())


def _is_person(surface: str) -> bool:
    """It begins with whose it is: Dijkstra's algorithm."""
    return bool(_SOMEBODY.match(plain(surface)))


def _has_inner(word: str) -> bool:
    """It has a capital, digit or sign after its first letter: GRPO, DistilBERT, word2vec, A*."""
    return any(c.isupper() or not c.isalpha() for c in word[1:])
