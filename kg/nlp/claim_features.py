"""What a sentence shows of being a claim: its words, its place, its neighbours, its entities."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from kg.nlp.grams import Grams, together
from kg.nlp.hashing import Ints, Prefixes, code, from_codes, hashed, ranges
from kg.nlp.layout import Layout
from kg.nlp.linear import Packed, Rows

_MOST_WORDS: Final = 120  # of a sentence: a longer one is a list, or no sentence
_MOST_CACHED: Final = 100_000  # words
_STEM: Final = 5  # characters

# Words, pairs, triples; beginnings of long words; beginnings of the sentence; words of the
# sentences before and behind; their beginnings; the place.
_WEIGHTS: Final = (1.0, 1.0, 0.7, 0.6, 0.6, 0.5, 0.5, 0.5, 1.5)
_WORDS, _PAIRS, _TRIPLES, _STEMS, _BEGINS, _BEFORE, _AFTER, _BESIDE, _PLACE = range(9)
_BESIDE_OF: Final = Prefixes(["<", ">"])


def sentence_features(layouts: Sequence[Layout]) -> Packed:
    """Return the features of every sentence, one text after the other."""
    grams, firsts = together([layout.signs for layout in layouts])
    sizes = [len(layout.sentences) for layout in layouts]
    found = Rows(sum(sizes), _WEIGHTS)
    _, homes = ranges(np.array(firsts), np.array(sizes))
    texts = np.repeat(np.arange(len(layouts)), sizes)
    counts = np.minimum(grams.counts[homes], _MOST_WORDS)
    _words(found, grams, grams.starts[homes], counts, texts)
    stems = from_codes(
        _stem(word) for layout in layouts for signs in layout.signs for word in signs[:_MOST_WORDS]
    )
    long = stems.sizes > 0
    found.add(_STEMS, np.repeat(np.arange(len(counts)), counts)[long], stems.hashes[long])
    row = 0
    for layout in layouts:
        _names(found, layout, row)
        row += len(layout.sentences)
    return found.packed()


def _names(found: Rows, layout: Layout, row: int) -> None:
    """Add how the sentences of a text begin and where they stand; the first has this row."""
    begins = [" ".join(signs[:2]) for signs in layout.signs]
    for at, signs in enumerate(layout.signs):
        found.name(_BEGINS, row + at, hashed(f"^{n} {' '.join(signs[:n])}" for n in (1, 2, 3, 4)))
        before = begins[at - 1] if at else "<start>"
        after = begins[at + 1] if at + 1 < len(begins) else "<end>"
        found.name(_BESIDE, row + at, hashed((f"<^{before}", f">^{after}")))
        found.name(_PLACE, row + at, hashed(_place(layout, at)))
    if layout.signs:
        found.name(_BEFORE, row, hashed(("<<start>",)))
        found.name(_AFTER, row + len(begins) - 1, hashed(("><end>",)))


def _words(found: Rows, grams: Grams, starts: Ints, counts: Ints, texts: Ints) -> None:
    """Add words, pairs and triples, and the words as the sentences beside see them.

    Args:
        found: to add to.
        grams: of the texts.
        starts: place of the first word of each sentence.
        counts: words of each that are looked at.
        texts: the number of the text of each.
    """
    owner, at = ranges(starts, counts)
    left = (starts + counts)[owner] - at
    ones = grams.ones.at(at)
    found.add(_WORDS, owner, ones.hashes)
    for group, size, several in ((_PAIRS, 2, grams.twos), (_TRIPLES, 3, grams.threes)):
        whole = left >= size
        found.add(group, owner[whole], several.hashes[at[whole]])
    same = texts[1:] == texts[:-1]
    followed, following = np.append(same, False)[owner], np.append(False, same)[owner]
    found.add(_BEFORE, owner[followed] + 1, _BESIDE_OF(0, ones)[followed])
    found.add(_AFTER, owner[following] - 1, _BESIDE_OF(1, ones)[following])


@lru_cache(maxsize=_MOST_CACHED)
def _stem(word: str) -> int:
    """Return the code of the beginning of a long word, else 0."""
    return code(f"~{word[:_STEM]}") if len(word) > _STEM else 0


def _place(layout: Layout, at: int) -> list[str]:
    """Where the sentence stands, how long it is, what is named in it."""
    count = len(layout.sentences)
    start, end = layout.sentences[at]
    named = layout.in_sentence[at]
    types = {layout.entities[place.entity].type.value for place in named}
    return [
        f"at {min(at, 5)}",
        f"from end {min(count - at, 5)}",
        f"part {8 * at // count}",
        f"part {4 * at // count} of {min(count, 12)}",
        f"long {min((end - start) // 40, 8)}",
        f"mentions {min(len(named), 5)}",
        f"number {sum(sign == '0' for sign in layout.signs[at]) > 0}",
        *(f"has {kind}" for kind in sorted(types)),
    ]
