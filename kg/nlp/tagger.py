"""The fast tagger: a linear-chain CRF over word, shape, place and name features."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import zstandard
from spacy.language import Language
from spacy.tokens import Doc

import kg.nlp.document  # noqa: F401 - registers the names under doc._
from kg.nlp.abbreviations import Abbreviation
from kg.nlp.crf import Crf
from kg.nlp.features import WordFeatures
from kg.nlp.kept import Kept
from kg.nlp.lexicon import KnownName
from kg.nlp.scores import LABELS, Floats, Ints, TokenScores, words

_MOST_CACHED = 100_000  # words
_FLOOR = 1e-6  # below it a marginal says nothing


class CrfTagger:
    """Scores the words of a text with a trained CRF."""

    def __init__(self, model: bytes, features: WordFeatures) -> None:
        """Take what CRFsuite wrote, and what it was trained with."""
        self._crf = Crf(model, features.parts)
        self._columns = [LABELS.index(label) for label in self._crf.labels]
        self.features = features

    def __call__(
        self,
        text: str,
        sentences: Sequence[tuple[int, int]],
        abbreviations: Sequence[Abbreviation],
        names: Sequence[KnownName],
    ) -> TokenScores:
        """Return the scores of a text with the names that are known in it."""
        spans = words(text)
        found = np.full((len(spans), len(LABELS)), _FLOOR, np.float32)
        if spans:
            extras = self.features.extras(text, spans, sentences, abbreviations, names)
            forms = [text[a:b] for a, b in spans]
            found[:, self._columns] += self._crf.marginals(forms, extras).astype(np.float32)
        entity: Floats = np.log(found / found.sum(1, keepdims=True))
        return TokenScores(
            words=as_spans(spans),
            entity=entity,
            named=np.array([_looks_named(text[a:b]) for a, b in spans], np.float32),
            role=None,
            sentences=as_spans(sentences),
            kind=None,
        )


def as_spans(spans: Sequence[tuple[int, int]]) -> Ints:
    """Return spans as an array of two columns, also when there are none."""
    return np.array(spans, np.int64).reshape(-1, 2)


def load_clusters(path: Path) -> dict[str, tuple[int, ...]]:
    """Return word -> its cluster at each level, from a compressed table."""
    data = zstandard.ZstdDecompressor().decompress(path.read_bytes()).decode()
    rows = (line.split("\t") for line in data.splitlines())
    return {row[0]: tuple(map(int, row[1:])) for row in rows}


def save_clusters(clusters: dict[str, Any], path: Path) -> None:
    """Write what load_clusters reads; the same clusters give the same bytes."""
    lines = ["\t".join([word, *map(str, clusters[word])]) + "\n" for word in sorted(clusters)]
    path.write_bytes(zstandard.ZstdCompressor(level=19).compress("".join(lines).encode()))


@lru_cache(maxsize=_MOST_CACHED)
def _looks_named(word: str) -> float:
    return 0.8 if any(sign.isupper() or sign.isdigit() for sign in word) else 0.1


class Tagger(Kept):
    """Set the scores of the words of a text, by the CRF."""

    FILES = ("clusters.zst", "words.crfsuite")

    def __init__(self) -> None:
        self._tagger: CrfTagger | None = None

    def load(self, folder: Path) -> None:
        """Read the clusters and the weights."""
        clusters = load_clusters(folder / "clusters.zst")
        model = (folder / "words.crfsuite").read_bytes()
        self._tagger = CrfTagger(model, WordFeatures(clusters))

    def __call__(self, doc: Doc) -> Doc:
        """Set the scores of the words of the text."""
        if doc._.kg_sentences and self._tagger is not None:
            doc._.kg_scores = self._tagger(
                doc._.kg_text, doc._.kg_sentences, doc._.kg_abbreviations, doc._.kg_names
            )
        return doc


@Language.factory("kg_tagger", assigns=["doc._.kg_scores"])
def make_tagger(nlp: Language, name: str) -> Tagger:  # noqa: ARG001 - spaCy passes both
    """Build the component; its weights come from its folder."""
    return Tagger()
