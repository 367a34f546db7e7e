"""Versions and sizes of one name are things of their own, whatever else says that they are one."""

import re
from collections.abc import Sequence
from typing import Final

from kg.nlp.grouping import Group, variant_key

_NUMBER: Final = re.compile(r"\d+(?:\.\d+)*")


def without_versions(
    text: str, groups: Sequence[Group], pairs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the pairs that can be joined in their order and make no two versions one.

    CIFAR-10 is not CIFAR-100, however they stand to each other and whatever else is joined to
    both; nor is a name the same name with a number.
    """
    home = {number: number for pair in pairs for number in pair}
    surfaces = {number: {text[m.start : m.end] for m in groups[number].mentions} for number in home}
    kept = []
    for one, other in pairs:
        first, second = home[one], home[other]
        if first == second or _are_versions(surfaces[first], surfaces[second]):
            continue
        kept.append((one, other))
        surfaces[first] |= surfaces[second]
        home.update({number: first for number, root in home.items() if root == second})
    return kept


def _are_versions(one: set[str], other: set[str]) -> bool:
    """Say whether two sets of surface forms are told apart by their numbers.

    >>> _are_versions({"Llama-2"}, {"Llama-3"}), _are_versions({"ViT"}, {"ViT 2"})
    (True, True)
    >>> _are_versions({"ResNet50"}, {"50-layer residual network"}), _are_versions({"2PL"}, {"logistic"})
    (False, False)
    """
    mine, theirs = ({(_plain(form), numbers_in(form)) for form in own} for own in (one, other))
    both = {n for _, n in mine if n}, {n for _, n in theirs if n}
    if both[0] and both[1]:
        return both[0].isdisjoint(both[1])
    return any(a == b and m != n for a, m in mine for b, n in theirs)


def _plain(surface: str) -> str:
    return variant_key(_NUMBER.sub("", surface))


def numbers_in(surface: str) -> tuple[str, ...]:
    """Return the numbers of a name, sorted: those of GPT-3.5 and GPT-4 differ."""
    return tuple(sorted(_NUMBER.findall(surface)))
