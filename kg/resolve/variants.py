"""Ways of writing a name that count only where the corpus has both.

Each is right nearly always, yet not so surely that a name alone could be folded by it: the other
way has to stand in the corpus too, under the same label.
"""

import re
from collections.abc import Callable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg.resolve.corpus import Corpus
from kg.resolve.forms import LABELS, Forms
from kg.resolve.normalise import signature
from kg.resolve.partition import Edge

# Adjectives that say no more than their noun: positional encoding, behavioral cloning.
_ADJECTIVE = re.compile(r"(?<=[a-z]{2}io[nr])al(?= )")
# The year of a data set or shared task whose name is an acronym; not Twitter-2015, which
# is another data set than Twitter15.
_YEAR = re.compile(r"(?<=[a-z])(?:199|20[0-2])\d(?!\d)")
_ACRONYM_YEAR = re.compile(r"[A-Z]\w*[A-Z]\w*?[^\w]*(?:199|20[0-2])\d")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_DATED = frozenset(LABELS.index(label) for label in ("Dataset", "Task"))
_VERSIONED = frozenset(LABELS.index(label) for label in ("Method", "Dataset"))
_FEWEST_CAPITALS = 5
_PIECE = 1 << 16


def join_variants(corpus: Corpus) -> None:
    """Join names that differ in an adjective's ending, a year's century, a number's place."""
    _join_pairs(corpus, _adjectives, Edge("adjective", 0, 0.93))
    _join_pairs(corpus, _years, Edge("year", 0, 0.95))
    _join_moved_numbers(corpus)
    for node, other in _in_capitals(corpus):
        corpus.partition.join(node, other, Edge("capitals", 0, 0.97))


def _join_pairs(
    corpus: Corpus, pairs: Callable[[Corpus], Iterator[tuple[int, str]]], edge: Edge
) -> None:
    for node, sign in pairs(corpus):
        other = corpus.nodes.find(corpus.nodes.label[node], sign)
        if other is not None and other != node:
            corpus.partition.join(node, other, edge)


def _adjectives(corpus: Corpus) -> Iterator[tuple[int, str]]:
    for node in range(len(corpus.nodes)):
        key = corpus.nodes.keys(node)[0]
        if "al " in key:
            noun = _ADJECTIVE.sub("", key)
            if noun != key:
                yield node, signature(noun)


def _years(corpus: Corpus) -> Iterator[tuple[int, str]]:
    for node, sign in enumerate(corpus.nodes.signature):
        dated = corpus.nodes.label[node] in _DATED and _YEAR.search(sign)
        if dated and _ACRONYM_YEAR.search(corpus.surface(node)):
            yield node, _YEAR.sub(lambda year: year[0][2:], sign)


def _join_moved_numbers(corpus: Corpus) -> None:
    """Join 'Claude 3.5 Sonnet' with 'Claude Sonnet 3.5': one number, in another place."""
    first: dict[tuple[int, str, str], int] = {}
    for node in range(len(corpus.nodes)):
        if corpus.nodes.label[node] not in _VERSIONED or not corpus.mostly_named(node):
            continue
        words = corpus.nodes.keys(node)[0].split(" ")
        numbers = [word for word in words[1:] if _NUMBER.fullmatch(word)]
        if len(words) < 3 or len(numbers) != 1:
            continue
        others = " ".join(word for word in words if word != numbers[0])
        other = first.setdefault((corpus.nodes.label[node], others, numbers[0]), node)
        if other != node:
            corpus.partition.join(node, other, Edge("moved number", 0, 0.95))


def _in_capitals(corpus: Corpus) -> Iterator[tuple[int, int]]:
    """Yield nodes of words in capitals that end in S, with the node of the same letters.

    WIKIEVENTS keeps its S, for SNS is no plural; WikiEvents loses it as a plural does. They are
    one, but not NPS and NPs, whose s says that there are several.
    """
    forms = corpus.forms
    wanted = {
        (int(forms.label[at]), surface.lower()): int(corpus.node_of[at])
        for at, surface in _matching(forms, rf"^[A-Z]{{{_FEWEST_CAPITALS - 1},}}S$")
    }
    if not wanted:
        return
    for at, surface in _matching(forms, r"^[A-Za-z]*[a-z]+[A-Z]*[a-z]+s$|^[A-Z][a-z]+s$"):
        node = wanted.get((int(forms.label[at]), surface.lower()))
        if node is not None and 2 * forms.named[at] >= forms.rows[at]:
            yield node, int(corpus.node_of[at])


def _matching(forms: Forms, pattern: str) -> Iterator[tuple[int, str]]:
    for start in range(0, len(forms.surface), _PIECE):
        piece: pa.Array = forms.surface.slice(start, _PIECE)
        matches = pc.match_substring_regex(piece, pattern).to_numpy(zero_copy_only=False)
        for at in np.flatnonzero(matches).tolist():
            yield start + at, str(piece[at])
