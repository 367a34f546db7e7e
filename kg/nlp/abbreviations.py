"""Tie abbreviations to their long forms where a text introduces them.

Source: Schwartz and Hearst 2003, A simple algorithm for identifying abbreviation definitions in
biomedical text, PSB; here also with the abbreviation before its long form, with plurals, and in
wordings such as "X, short for ..." and "... (we call it X)".
"""

import re
from dataclasses import dataclass
from typing import Final

from spacy.language import Language
from spacy.tokens import Doc

import kg.nlp.document  # noqa: F401 - registers the names under doc._
from kg.nlp.versions import numbers_in

_LONGEST_SHORT: Final = 14
_LOOKBACK: Final = 160  # characters in which a long form is looked for

# In parentheses first: "(GRPO)", "(GRPO, ours)", "(we call it GRPO)", "(LLMs; see ...)".
_WORDS_BEFORE: Final = (
    r"(?:(?:or|i\.e\.,?|abbreviated(?: as| to)?|abbr\.|hereafter|henceforth|denoted(?: as| by)?|"
    r"dubbed|termed|called|named|short|which we call|we call (?:it|this|them)) )?"
)
_SHORT: Final = r"(?P<short>[A-Za-z0-9$\\][\w$@&/+*^{}\\-]{0,13}(?<![-/&+]))"
_IN_PARENTHESES = re.compile(
    rf"[(\[]\s?{_WORDS_BEFORE}[\"'“‘]?(?:\\\w+\{{)?{_SHORT}[\"'”’]?(?: for short)?\s?[)\];,}}]"
)
# "Group Relative Policy Optimization, or GRPO for short", "..., abbreviated as GRPO".
_AFTER_COMMA = re.compile(
    rf",? (?:or|abbreviated(?: as| to)?|dubbed|termed|denoted(?: as| by)?|hereafter|we call it)"
    rf" (?:as )?[\"'“‘]?{_SHORT}[\"'”’]?(?: for short)?(?=[\s,.;)])"
)
# "GRPO (Group Relative Policy Optimization)", "GRPO, short for Group ...".
_SHORT_FIRST = re.compile(
    rf"(?<![\w-]){_SHORT}(?: ?\((?:i\.e\.,? |short for |which stands for |for )?"
    r"|,? (?:which (?:is short|stands) for|short for|standing for|an? (?:abbreviation|acronym) (?:of|for)) )"
    r"(?P<long>(?:the )?[A-Za-z][^()\[\];.]{3,140})"
)
_MARKUP = re.compile(r"\\[a-zA-Z]+\s?|[{}]")
_COMMON: Final = frozenset(
    "a as at by do e.g eq et fig i.e if in is it no of on or our ours see so sec the to up vs we "
    "ii iii iv".split()
)


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A long form and its abbreviation, both half-open spans of characters."""

    long_start: int
    long_end: int
    short_start: int
    short_end: int


def find_abbreviations(text: str) -> tuple[Abbreviation, ...]:
    """Return every definition of an abbreviation, in the order of the abbreviations.

    >>> text = "We use Group Relative Policy Optimization (GRPO)."
    >>> [text[a.long_start : a.long_end] for a in find_abbreviations(text)]
    ['Group Relative Policy Optimization']
    """
    found: dict[tuple[int, int], Abbreviation] = {}
    if "(" in text or "[" in text:
        for match in _IN_PARENTHESES.finditer(text):
            _add(found, text, match.start(), match)
    for match in _AFTER_COMMA.finditer(text):
        _add(found, text, match.start(), match)
    for match in _SHORT_FIRST.finditer(text):
        short = match.span("short")
        if short in found or not is_abbreviation(match["short"]):
            continue
        long = _long_after(match["short"], match["long"])
        if long is not None:
            start = match.start("long")
            found[short] = Abbreviation(start + long[0], start + long[1], *short)
    ties = [pair for pair in found.values() if not _are_versions(text, pair)]
    return tuple(sorted(ties, key=lambda pair: (pair.short_start, pair.short_end)))


def _are_versions(text: str, pair: Abbreviation) -> bool:
    """Say whether both have numbers and no number is the same: CIFAR-10 (CIFAR-100)."""
    long = set(numbers_in(text[pair.long_start : pair.long_end]))
    short = set(numbers_in(text[pair.short_start : pair.short_end]))
    return bool(long and short) and long.isdisjoint(short)


def is_abbreviation(short: str) -> bool:
    """Say whether a string can abbreviate something: short, a letter in it, capitals or digits."""
    return (
        2 <= len(short) <= _LONGEST_SHORT
        and any(sign.isupper() for sign in short)
        and short.lower().rstrip(".") not in _COMMON
    )


def long_form_start(short: str, before: str) -> int | None:
    """Return where the long form of `short` begins in the text that stands before it.

    Every letter and digit of the short form is found from right to left; its first one must
    begin a word. None when there is no such place.

    >>> long_form_start("LLMs", "we train large language models")
    9
    """
    key = short[:-1] if len(short) > 2 and short.endswith("s") and not short.isupper() else short
    signs = [sign for sign in key.lower() if sign.isalnum()]
    if not signs:
        return None
    lower = before.lower()
    at = len(before) - 1
    for number in range(len(signs) - 1, -1, -1):
        while at >= 0 and (
            lower[at] != signs[number] or (number == 0 and at > 0 and lower[at - 1].isalnum())
        ):
            at -= 1
        if at < 0:
            return None
        at -= 1
    return at + 1


def _initials_start(short: str, before: str) -> int | None:
    """Return where the words begin that end `before` and whose initials are the short form.

    The letters of "Tree of Thoughts (ToT)" are all in its last word, too; its three words are meant.

    >>> _initials_start("ToT", "we use a Tree of Thoughts")
    9
    """
    signs = "".join(sign for sign in short.lower() if sign.isalnum())
    words = list(re.finditer(r"[^\W_]+", before))[-len(signs) :]
    if "".join(word.group()[0] for word in words).lower() != signs:
        return None
    return words[0].start()


def _add(
    found: dict[tuple[int, int], Abbreviation], text: str, end: int, match: re.Match[str]
) -> None:
    """Add the definition whose long form ends at `end` and whose short form was matched."""
    short = match["short"].strip("$").rstrip("}^*")
    if not is_abbreviation(short):
        return
    start = match.start("short") + match["short"].index(short)
    begin = max(0, end - _LOOKBACK)
    before = text[begin:end].rstrip(" \t\r\n~\"'”’*}")
    # Signs of markup may stand inside a long form ("\textbf{G}roup"), but abbreviate nothing.
    plain = _MARKUP.sub(lambda piece: "\0" * len(piece.group()), before)
    starts = [piece.start() for piece in re.finditer(r"\S+", plain)]
    most = min(len(short) + 5, 2 * len(short))
    low = starts[max(0, len(starts) - most)] if starts else 0
    long = _initials_start(short, plain[low:])
    if long is None:
        long = long_form_start(short, plain[low:])
    if long is None:
        return
    low += long
    low = _widened(short, plain, low)
    while (low > 0 and before[low - 1] in "{") or (low and plain[low - 1] == "\0"):
        low -= 1
    words = before[low:]
    if len(words) <= len(short) or short in words.split() or not _plausible(short, plain[low:]):
        return
    found.setdefault(
        (start, start + len(short)),
        Abbreviation(begin + low, begin + len(before), start, start + len(short)),
    )


def _widened(short: str, before: str, start: int) -> int:
    """Return an earlier start of a long form that begins inside a word or has too few words.

    The nearest word with the first letter is not always the first word: of "self-supervised
    learning (SSL)" it is "supervised", of "multi-modal large language models (MLLMs)" "modal".

    >>> _widened("SSL", "of self-supervised learning", 8)
    3
    >>> _widened("MLLMs", "multi-modal large language models", 6)
    0
    """
    letters = sum(sign.isalnum() for sign in short.rstrip("s"))
    first = next((sign.lower() for sign in short if sign.isalnum()), "")
    while before[start - 1 : start] == "-" or len(re.findall(r"[^\W_]+", before[start:])) < letters:
        earlier = re.search(r"(?:^|[\s(])([^\W_]+)[- ]$", before[:start])
        if not earlier or not earlier[1].lower().startswith(first):
            break
        start = earlier.start(1)
    return start


def _plausible(short: str, long: str) -> bool:
    """Say whether a long form holds no end of a sentence and starts most of its letters' words."""
    if re.search(r"[.!?;:]\s", long):
        return False
    initials = [word[:1].lower() for word in re.findall(r"[^\W_]+", long.replace("\0", ""))]
    signs = [sign for sign in short.lower() if sign.isalnum()]
    hits = 0
    at = 0
    for sign in signs:
        if sign in initials[at:]:
            at = initials.index(sign, at) + 1
            hits += 1
    return hits * 2 >= len(initials) or hits * 2 >= len(signs)


def _long_after(short: str, after: str) -> tuple[int, int] | None:
    """Return the span of the long form that begins the text after the abbreviation."""
    key = short[:-1] if len(short) > 2 and short.endswith("s") and not short.isupper() else short
    signs = [sign for sign in key.lower() if sign.isalnum()]
    begin = 4 if after.startswith("the ") else 0
    pieces = list(re.finditer(r"[^\W_]+", after[begin:]))
    if not signs or not pieces or pieces[0].group()[:1].lower() != signs[0]:
        return None
    number = 0
    for place, piece in enumerate(pieces[: len(signs) + 4]):
        word = piece.group().lower()
        if number < len(signs) and word.startswith(signs[number]):
            number += 1
            # Further letters of the same word: "GraphQL", "BLEU".
            rest = word[1:]
            while number < len(signs) and len(pieces) - place - 1 < len(signs) - number:
                where = rest.find(signs[number])
                if where < 0:
                    break
                rest = rest[where + 1 :]
                number += 1
        if number == len(signs):
            return begin, begin + piece.end()
    return None


@Language.component("kg_abbreviations", assigns=["doc._.kg_abbreviations"])
def kg_abbreviations(doc: Doc) -> Doc:
    """Set the abbreviations that the text introduces."""
    if doc._.kg_sentences:
        doc._.kg_abbreviations = find_abbreviations(doc._.kg_text)
    return doc
