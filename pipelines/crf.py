"""Train the CRF, and let it read texts that it has not seen."""

import bisect
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.nlp.abbreviations import find_abbreviations
from kg.nlp.features import WordFeatures
from kg.nlp.lexicon import KnownName, Lexicon, folded, less
from kg.nlp.scores import TokenScores, words
from kg.nlp.sentences import sentence_spans
from kg.nlp.tagger import CrfTagger
from pipelines.corpora import Abstract
from pipelines.names import own_rows


@dataclass(frozen=True, slots=True)
class CrfSettings:
    """How the CRF is trained."""

    iterations: int = 80
    c1: float = 0.1
    c2: float = 0.05
    fewest: int = 2


# The features and the labels of the words of one text.
Example = tuple[list[list[str]], list[str]]


def known_names(abstract: Abstract, lexicon: Lexicon, *, counted: bool) -> list[KnownName]:
    """Return the known names of an abstract, without its own counts if it was counted."""
    found = lexicon.matches(folded(abstract.text), words(abstract.text))
    return less(found, own_rows(abstract)) if counted else found


def labels(abstract: Abstract, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return the label of each word."""
    found = ["O"] * len(spans)
    starts = [start for start, _ in spans]
    for mention in abstract.mentions:
        first = True
        for i in range(bisect.bisect_left(starts, mention.start), len(spans)):
            if spans[i][1] > mention.end:
                break
            found[i] = ("B-" if first else "I-") + mention.type
            first = False
    return found


def example(
    abstract: Abstract, features: WordFeatures, lexicon: Lexicon, *, counted: bool = True
) -> Example:
    """Return an abstract as the CRF sees it."""
    text = abstract.text
    spans = words(text)
    rows = features(
        text,
        spans,
        sentence_spans(text),
        find_abbreviations(text),
        known_names(abstract, lexicon, counted=counted),
    )
    return rows, labels(abstract, spans)


def train_crf(examples: Sequence[Example], settings: CrfSettings) -> bytes:
    """Return the weights; the same examples give the same bytes."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(verbose=False)
    for rows, marks in examples:
        trainer.append(rows, marks)
    trainer.set_params(
        {
            "c1": settings.c1,
            "c2": settings.c2,
            "max_iterations": settings.iterations,
            "feature.minfreq": settings.fewest,
        }
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "words.crfsuite"
        trainer.train(str(path))
        return path.read_bytes()


def read_with(
    tagger: CrfTagger, abstracts: Sequence[Abstract], lexicon: Lexicon, *, counted: bool
) -> dict[str, TokenScores]:
    """Return the scores of each abstract, by id."""
    return {
        one.id: tagger(
            one.text,
            sentence_spans(one.text),
            find_abbreviations(one.text),
            known_names(one, lexicon, counted=counted),
        )
        for one in abstracts
    }
