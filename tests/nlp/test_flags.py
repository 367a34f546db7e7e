"""Texts that are no abstracts are told from abstracts."""

import time

import pytest

from kg.nlp.flags import (
    CAPITALS,
    EMPTY,
    LANGUAGE,
    LEGAL,
    LONG,
    LONGEST,
    NO_PROSE,
    SHORT,
    UNFIT,
    flags,
)

ABSTRACT = (
    "We propose TreeNet, a network that reads trees from their leaves. Experiments on OpenTrees "
    "show that it is faster than earlier networks, and that its errors are rare."
)
PROGRAM = """
class Tree:
    '''A tree that is read from its leaves; the root is the last thing that we see.'''

    def __init__(self, leaves):
        self.leaves = leaves
        self.root = None

    def read(self):
        for leaf in self.leaves:
            self.root = leaf
        return self.root
"""
CODE = """
import os
def read(path):
    with open(path) as file:
        return {key: value for key, value in parse(file)}
for (int i = 0; i < n; i++) { x[i] = f(y[i]); }
"""
LICENCE = (
    "You are permitted to redistribute copies of the software if this notice is in all of them. "
    "The work is licensed as it is, without warranty of merchantability, and in no event is the "
    "holder of the copyright liable for damages that come of its use or of the licence."
)
REFERENCES = "\n".join(
    f"[{i}] A. Walker and B. Tree. A network of leaves that we trained. Forest Letters, 20{i}."
    for i in range(10, 30)
)
LETTERS = "\n".join(
    f"From: the tree {i}\nTo: all of the leaves\nSubject: it is spring" for i in range(9)
)
ABOUT_THE_LAW = (
    "We show that the license of a dataset is found by a network, and that models of contracts "
    "are liable to err. On OpenTrees the copyright of a text is told with an accuracy of 91%."
)
MENU = "\n".join(["Home", "About us", "Products", "Contact", "Sign in", "Cart (0)"] * 3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ABSTRACT, ()),
        ("", (EMPTY,)),
        (" \n\t ", (EMPTY,)),
        ("Transformer", (SHORT,)),
        (("Wir stellen ein neues Verfahren vor, das Bäume von den Blättern her liest, und zeigen, "
         "dass es schneller ist als frühere Netze."), (LANGUAGE,)),
        (("Nous proposons un réseau qui lit des arbres depuis les feuilles, et nous montrons que "
         "les erreurs sont rares."), (LANGUAGE,)),
        ("我们提出了一种新的网络, 它从叶子开始读取树, 实验表明它更快。", (SHORT,)),
        ("我们提出 了一种 新的 网络 它从 叶子 开始 读取树 实验 表明 它更快", (LANGUAGE,)),
        (ABSTRACT.upper(), (CAPITALS,)),
        (CODE, (NO_PROSE,)),
        (PROGRAM, (NO_PROSE,)),
        (MENU, (NO_PROSE,)),
        (LICENCE, (LEGAL,)),
        (ABOUT_THE_LAW, ()),
        (REFERENCES, (NO_PROSE,)),
        (LETTERS, (NO_PROSE,)),
        (("Wij stellen een netwerk voor dat bomen in de taal van de bladeren leest. In OpenTrees is "
         "het model beter dan BERT, en de code is in het archief."), (LANGUAGE,)),
        (("Presentamos una red que lee los árboles desde las hojas y mejora la precisión del "
         "modelo en OpenTrees con un código que está en línea."), (LANGUAGE,)),
        (("Wir stellen ein Netz vor, das Bäume liest. We propose a network that reads trees from the "
         "leaves, and show on OpenTrees that it is as good as those of the others."), ()),
        (("We translate de, la and der into English: of the words that the network reads, la is "
         "the rarest, and for per and di we show that nothing is lost."), ()),
        ((r"We show that $\sum_{i=1}^{n} x_i^2 \leq \|A\|_{F}$ and $f(x) = \{y : y < x\}$ for all "
         r"$x \in \mathbb{R}$, which is the bound of the method."), ()),
    ],
)  # fmt: skip
def test_what_a_text_is_decides_whether_it_is_read(text: str, expected: tuple[str, ...]) -> None:
    """Garbage in must not become entities by the hundred."""
    assert flags(text) == expected


def test_capitals_and_length_do_not_make_a_text_unfit() -> None:
    """Both are still abstracts, which people have."""
    assert not UNFIT.intersection((CAPITALS, LONG))
    assert flags(ABSTRACT * 400)[0] == LONG


def test_a_hundred_times_longer_text_takes_no_longer_than_its_first_part() -> None:
    """Time is bounded: a text is cut before anything looks at all of it."""
    text = "(" * LONGEST
    start = time.perf_counter()
    flags(text)
    once = time.perf_counter() - start
    start = time.perf_counter()
    flags(text * 100)
    assert time.perf_counter() - start < 20 * once + 1
