"""What a teacher reads in raw abstracts: names to count, and texts for a smaller model to learn."""

from collections.abc import Sequence
from pathlib import Path

from kg.model.extraction import Extraction
from kg.nlp.layout import lay_out
from kg.nlp.lexicon import Row
from kg.nlp.pipeline import Pipeline
from pipelines.corpora import Abstract, GoldMention, in_one_form, read_raw, spread_out
from pipelines.examples import Example
from pipelines.names import read_rows

Readings = list[tuple[str, Extraction]]
# (start, end, type, confidence) of every mention.
Marks = list[tuple[int, int, str, float]]


def read_with_teacher(
    teacher: Path, corpora: Path, apart: frozenset[str], count: int, processes: int = 0
) -> Readings:
    """Return texts and what the teacher reads in them.

    Args:
        teacher: folder of a model.
        corpora: folder of raw abstracts; they are taken from all over it.
        apart: text_key of abstracts to leave out.
        count: how many to read.
        processes: that read at the same time.
    """
    texts = spread_out(read_raw(corpora, apart), count)
    return list(zip(texts, Pipeline(teacher).extract(texts, processes), strict=True))


def names_read(readings: Readings) -> dict[str, Row]:
    """Return how often each name was read as each type."""
    marks = {text: _marks(found) for text, found in readings}
    return read_rows(marks, marks.__getitem__)


def silver_abstracts(readings: Sequence[tuple[str, Extraction]]) -> list[Abstract]:
    """Return what was read in the form of annotated abstracts."""
    return [
        Abstract(
            id=f"silver{number}",
            text=text,
            mentions=_without_overlap(_marks(found)),
            row={},
        )
        for number, (text, found) in enumerate(readings)
    ]


def silver_examples(readings: Sequence[tuple[str, Extraction]]) -> list[Example]:
    """Return what was read as roles, claims, links and relations are learned from it.

    A text that the teacher did not read in full, such as one in another language, is left out.
    """
    examples = []
    for number, (text, found) in enumerate(readings):
        if found.flags or not found.sentences:
            continue
        row = in_one_form({**found.to_dict(), "id": f"silver{number}", "text": text})
        layout = lay_out(text, found.sentences, found.entities)
        match = tuple(range(len(found.entities)))
        examples.append(Example(row, layout, match, found=True, silver=True))
    return examples


def _marks(found: Extraction) -> Marks:
    return [
        (mention.start, mention.end, entity.type.value, entity.confidence)
        for entity in found.entities
        for mention in entity.mentions
    ]


def _without_overlap(marks: Marks) -> tuple[GoldMention, ...]:
    found: list[GoldMention] = []
    for start, end, kind, _ in sorted(marks, key=lambda mark: (mark[0], -mark[1])):
        if not found or start >= found[-1].end:
            found.append(GoldMention(start, end, kind, named=False, role=""))
    return tuple(found)
