"""Ways of writing a name that count only where the corpus has both.

Each is right nearly always, yet not so surely that a name alone could be folded by it: the other
way has to stand in the corpus too, under the same label.
"""

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg.model.schema import NodeLabel
from kg.resolve.aliases import Known
from kg.resolve.corpus import Corpus
from kg.resolve.forms import LABELS, Forms
from kg.resolve.normalise import HEADS, is_acronym, signature, words_of
from kg.resolve.partition import Edge
from kg.resolve.slips import Slips, slips_of
from kg.resolve.wording import done_at_end, done_before, same_metric, same_order, same_words

# Adjectives that say no more than their noun: positional encoding, behavioral cloning.
_ADJECTIVE = re.compile(r"(?<=[a-z]{2}io[nr])al(?= )")
# The year of a data set or shared task whose name is an acronym; not Twitter-2015, which
# is another data set than Twitter15.
_YEAR = re.compile(r"(?<=[a-z])(?:199|20[0-2])\d(?!\d)")
_ACRONYM_YEAR = re.compile(r"[A-Z]\w*[A-Z]\w*?[^\w]*(?:199|20[0-2])\d")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_DATED = frozenset(LABELS.index(label) for label in ("Dataset", "Task"))
_VERSIONED = frozenset(LABELS.index(label) for label in ("Method", "Dataset"))
_THINGS = frozenset(LABELS.index(label) for label in ("Method", "Metric"))
_METRIC, _TASK = LABELS.index("Metric"), LABELS.index("Task")
# Words that only say that the thing itself is meant.
_ITSELF = frozenset("conventional original plain standard vanilla".split())
_TIED = re.compile(r"(?i)\w(?:-and-|\s?&\s?)\w")  # vision-and-language, vision & language
_FEWEST_CAPITALS = 5
_PIECE = 1 << 16


def join_variants(corpus: Corpus, known: Known) -> None:
    """Join names that differ in an adjective's ending, a year's century, a number's place.

    And those that say the same in other words, or with a slip of the keys.
    """
    _join_pairs(corpus, _adjectives, Edge("adjective", 0, 0.93))
    _join_pairs(corpus, _years, Edge("year", 0, 0.95))
    _join_moved_numbers(corpus)
    for node, other in _in_capitals(corpus):
        corpus.partition.join(node, other, Edge("capitals", 0, 0.97))
    _join_wordings(corpus)
    for node, other in _themselves(corpus):
        corpus.partition.join(node, other, Edge("itself", 0, 0.9))
    for node, other in _mistyped(corpus, slips_of(known.words)):
        corpus.partition.join(node, other, Edge("slip", 0, 0.9))


def _join_wordings(corpus: Corpus) -> None:
    """Join names of one label that say the same in other words, or in another order."""
    nodes = corpus.nodes
    said: dict[str, int] = {}
    done: dict[str, int] = {}
    before: list[tuple[int, list[str]]] = []
    for node in range(len(nodes)):
        words = nodes.keys(node)[0].split(" ")
        if (len(words) < 2 and "2" not in words[0]) or corpus.best[node] < 0:
            continue
        label = nodes.label[node]
        same = same_words(words, thing=label in _THINGS and not _on_a_name(corpus, node, words))
        if "and" in same[1:-2] and _TIED.search(corpus.surface(node)):
            same.remove("and")
        if label == _METRIC:
            ordered = same_metric(same)
        else:
            ordered = same if corpus.mostly_named(node) else same_order(same)
        if ordered != words:
            sign = signature(" ".join(ordered))
            rule = "order" if same == words else "wording"
            other = nodes.find(label, sign)
            _join_first(
                corpus, said, f"{label}{sign}", node if other is None else other, node, rule
            )
        at_end = done_at_end(same)
        if at_end:
            done.setdefault(f"{label}{at_end}", node)
        if label == _TASK or "of" in words or "over" in words:
            before.append((node, same))
    for node, words in before:
        label = nodes.label[node]
        plural = corpus.surface(node).endswith("s")
        for what in done_before(words, task=label == _TASK, plural=plural):
            _join_first(corpus, done, f"{label}{what}", node, node, "order")


def _on_a_name(corpus: Corpus, node: int, words: Sequence[str]) -> bool:
    """It is based on what goes by one name with and without its generic word.

    A CodeBERT model is CodeBERT, and what is based on that is not.
    """
    if "based" not in words[1:-1]:
        return False
    label = corpus.nodes.label[node]
    strong, weak = HEADS[NodeLabel(LABELS[label])]
    if words[-1] not in strong and words[-1] not in weak:
        return False
    at = words.index("based", 1)
    base = corpus.nodes.find(label, signature(" ".join(words[:at])))
    written = words_of(corpus.surface(node))
    shaped = len(written) > at and words[-1] in strong and is_acronym(written[at - 1])
    return shaped or (base is not None and corpus.mostly_named(base))


def _join_first(
    corpus: Corpus,
    seen: dict[str, int],
    key: str,
    first: int,
    node: int,
    rule: str,
) -> None:
    first = seen.setdefault(key, first)
    if first != node:
        corpus.partition.join(node, first, Edge(rule, 0, 0.9))


def _themselves(corpus: Corpus) -> Iterator[tuple[int, int]]:
    """Yield nodes such as 'vanilla GRPO' with the node of 'GRPO'."""
    for node in range(len(corpus.nodes)):
        first, _, rest = corpus.nodes.keys(node)[0].partition(" ")
        if first not in _ITSELF or not rest or corpus.best[node] < 0:
            continue
        label = corpus.nodes.label[node]
        if label == _METRIC:
            continue  # the standard error is no error
        surface = " ".join(words_of(corpus.surface(node))[1:])
        other = corpus.reader.find(label, surface)
        may_be_said = " " in rest or first == "vanilla"
        if other is not None and (may_be_said or corpus.mostly_named(other) or is_acronym(surface)):
            yield node, other


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


def _mistyped(corpus: Corpus, slips: Slips) -> Iterator[tuple[int, int]]:
    """Yield nodes that are no proper names, of one slip, with the node of what was meant."""
    meant: dict[str, tuple[str, ...]] = {}
    for node in range(len(corpus.nodes)):
        if corpus.best[node] < 0 or corpus.mostly_named(node):
            continue
        words = corpus.nodes.keys(node)[0].split(" ")
        for word in words:
            if word not in meant:
                meant[word] = slips.meant(word)
        slipped = [i for i, word in enumerate(words) if meant[word]]
        if len(slipped) != 1:
            continue
        at = slipped[0]
        right = [" ".join((*words[:at], word, *words[at + 1 :])) for word in meant[words[at]]]
        found = {corpus.nodes.find(corpus.nodes.label[node], signature(key)) for key in right}
        others = {other for other in found if other is not None and other != node}
        if len(others) == 1:
            yield node, others.pop()


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
