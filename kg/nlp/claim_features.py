"""What a sentence shows of being a claim: its words, its place, its neighbours, its entities."""

from itertools import pairwise

from kg.nlp.layout import Layout
from kg.nlp.linear import Groups

_MOST_WORDS = 120  # of a sentence: a longer one is a list, or no sentence


def sentence_features(layout: Layout) -> list[Groups]:
    """Return the features of every sentence."""
    words = [signs[:_MOST_WORDS] for signs in layout.signs]
    return [_features(layout, words, at) for at in range(len(words))]


def _features(layout: Layout, words: list[tuple[str, ...]], at: int) -> Groups:
    signs = words[at]
    before = words[at - 1] if at else ("<start>",)
    after = words[at + 1] if at + 1 < len(words) else ("<end>",)
    distinct = set(signs)
    pairs = {f"{a} {b}" for a, b in pairwise(signs)}
    triples = {f"{a} {b} {c}" for a, b, c in zip(signs, signs[1:], signs[2:], strict=False)}
    return (
        (1.0, distinct),
        (1.0, pairs),
        (0.7, triples),
        (0.6, {f"~{word[:5]}" for word in distinct if len(word) > 5}),
        (0.6, [f"^{n} {' '.join(signs[:n])}" for n in (1, 2, 3, 4)]),
        (0.5, {f"<{word}" for word in before}),
        (0.5, {f">{word}" for word in after}),
        (0.5, [f"<^{' '.join(before[:2])}", f">^{' '.join(after[:2])}"]),
        (1.5, _place(layout, at)),
    )


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
