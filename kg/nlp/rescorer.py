"""Judge every candidate span as a whole, and choose the best set of them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import zstandard
from spacy.language import Language
from spacy.tokens import Doc

import kg.nlp.document  # noqa: F401 - registers the names under doc._
from kg.nlp.candidates import Candidate, Reading, candidates, reading
from kg.nlp.grouping import SpanScore
from kg.nlp.kept import Kept, Together
from kg.nlp.scores import TokenScores
from kg.nlp.selection import best_set
from kg.nlp.span_features import span_features
from kg.nlp.trees import Trees, judged_by
from kg.nlp.words_in_names import WIDTH, WordTable


def shared(probabilities: Sequence[float], names: Sequence[tuple[str, int]]) -> list[float]:
    """Return each probability moved half way to the best of the same characters and type.

    >>> shared([0.9, 0.5], [("bert", 0), ("bert", 0)])
    [0.9, 0.7]
    """
    best: dict[tuple[str, int], float] = {}
    for probability, name in zip(probabilities, names, strict=True):
        best[name] = max(best.get(name, 0.0), probability)
    return [(best[name] + p) / 2 for p, name in zip(probabilities, names, strict=True)]


def choose(
    read: Reading, found: Sequence[Candidate], probabilities: Sequence[float], threshold: float
) -> list[tuple[Candidate, float]]:
    """Return the best candidates that do not overlap, with their probabilities, in text order."""
    names = [(read.surface(one.first, one.last), one.kind) for one in found]
    moved = shared(probabilities, names)
    chosen = best_set([(one.first, one.last) for one in found], [p - threshold for p in moved])
    return [(found[i], moved[i]) for i in chosen]


def span_scores(
    read: Reading, scores: TokenScores, chosen: Sequence[tuple[Candidate, float]]
) -> tuple[SpanScore, ...]:
    """Return chosen candidates as spans of characters with what the tagger says of them."""
    found = []
    for one, probability in chosen:
        rows = slice(one.first, one.last)
        role = None if scores.role is None else tuple(scores.role[rows].mean(0).tolist())
        found.append(
            SpanScore(
                start=read.words[one.first][0],
                end=read.words[one.last - 1][1],
                kind=one.kind,
                confidence=probability,
                named=float(scores.named[rows].mean()),
                role=role,
            )
        )
    return tuple(found)


def load_word_table(path: Path) -> WordTable:
    """Read what save_word_table wrote."""
    data = zstandard.ZstdDecompressor().decompress(path.read_bytes()).decode()
    rows = (line.split("\t") for line in data.splitlines())
    return WordTable({row[0]: tuple(map(int, row[1:])) for row in rows})


def save_word_table(counts: dict[str, Any], path: Path) -> None:
    """Write counts of words; the same counts give the same bytes."""
    lines = []
    for word in sorted(counts):
        if len(counts[word]) != WIDTH:
            raise ValueError(f"{word}: {len(counts[word])} counts, not {WIDTH}")
        lines.append("\t".join([word, *map(str, counts[word])]) + "\n")
    path.write_bytes(zstandard.ZstdCompressor(level=19).compress("".join(lines).encode()))


class Rescorer(Kept, Together):
    """Set the spans of the entities of texts."""

    FILES = ("spans.onnx", "words.zst", "settings.json")

    def __init__(self) -> None:
        self._trees: Trees | None = None
        self._table = WordTable({})
        self._threshold = 0.5

    def load(self, folder: Path) -> None:
        """Read the trees, the counts of words and the threshold."""
        self._trees = Trees.load(folder / "spans.onnx")
        self._table = load_word_table(folder / "words.zst")
        settings = json.loads((folder / "settings.json").read_text("utf-8"))
        self._threshold = float(settings["threshold"])

    def read_all(self, docs: Sequence[Doc]) -> None:
        """Set the spans of the texts."""
        scored = [doc for doc in docs if doc._.kg_scores is not None]
        if self._trees is None:
            return
        reads, found = [], []
        for doc in scored:
            marks = doc._
            read = reading(marks.kg_text, marks.kg_scores, marks.kg_abbreviations, marks.kg_names)
            own = candidates(read)
            reads.append(read)
            found.append((own, span_features(read, own, self._table)))
        judged = judged_by(self._trees, found)
        for doc, read, own_judged in zip(scored, reads, judged, strict=True):
            own = [candidate for candidate, _ in own_judged]
            chosen = choose(read, own, [p for _, p in own_judged], self._threshold)
            doc._.kg_spans = span_scores(read, doc._.kg_scores, chosen)


@Language.factory("kg_rescorer", assigns=["doc._.kg_spans"])
def make_rescorer(nlp: Language, name: str) -> Rescorer:  # noqa: ARG001 - spaCy passes both
    """Build the component; its trees come from its folder."""
    return Rescorer()
