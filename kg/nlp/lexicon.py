"""Names that were counted before: in annotation, in public lists, in raw abstracts.

A name's counts are evidence for a tagger and for the rescorer, never a decision: every name is
judged again in its text. The table is a compressed text file, one name a line:

    name TAB columns, separated by spaces

COLUMNS says what the columns count. Names are folded: lower case, single spaces.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import zstandard
from spacy.language import Language
from spacy.tokens import Doc

import kg.nlp.document  # noqa: F401 - registers the names under doc._
from kg.nlp.folding import folded as folded
from kg.nlp.folding import single_spaced as single_spaced
from kg.nlp.kept import Kept
from kg.nlp.scores import TYPES, words

MOST_WORDS: Final = 8  # of a name; words as the tagger counts them

# Of the four types: abstracts of the annotation with this name as this type; then how often the
# annotation calls it a proper name; abstracts of the annotation that hold the string at all;
# public lists of each type that hold it; raw abstracts that a model reads it in as this type,
# and raw abstracts that hold the string.
COLUMNS: Final = (
    *(f"gold_{kind}" for kind in TYPES),
    "gold_named",
    "gold_seen",
    *(f"list_{kind}" for kind in TYPES),
    *(f"read_{kind}" for kind in TYPES),
    "read_seen",
)
Row = tuple[int, ...]
# First word, word after the last, folded name, counts.
KnownName = tuple[int, int, str, Row]
EMPTY: Final[Row] = (0,) * len(COLUMNS)
GOLD: Final = slice(0, 4)
GOLD_NAMED: Final = 4
GOLD_SEEN: Final = 5
LISTS: Final = slice(6, 10)
READ: Final = slice(10, 14)
READ_SEEN: Final = 14


class Lexicon:
    """The table of names, looked up by folded name."""

    def __init__(self, rows: Mapping[str, Row]) -> None:
        self._rows = dict(rows)
        self._sizes = _sizes(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, name: str) -> Row | None:
        """Return the counts of a folded name, or None."""
        return self._rows.get(name)

    def matches(
        self, fold: str, spans: Sequence[tuple[int, int]], most: int = MOST_WORDS
    ) -> list[KnownName]:
        """Return every known name in a folded text, by first word, then by length."""
        rows = self._rows
        sizes = self._sizes
        spaced = "  " in fold
        ends = [end for _, end in spans]
        found = []
        for i, (start, end) in enumerate(spans):
            for size in sizes.get(fold[start:end], ()):
                j = i + size
                if size > most or j > len(ends):
                    break
                name = fold[start : ends[j - 1]]
                row = rows.get(single_spaced(name) if spaced else name)
                if row is not None:
                    found.append((i, j, name, row))
        return found

    def items(self) -> Iterator[tuple[str, Row]]:
        """Yield names and counts, sorted by name."""
        for name in sorted(self._rows):
            yield name, self._rows[name]

    def save(self, path: Path) -> None:
        """Write the table; the same names give the same bytes."""
        lines = [f"{name}\t{' '.join(map(str, row))}\n" for name, row in self.items()]
        compressor = zstandard.ZstdCompressor(level=19)
        path.write_bytes(compressor.compress("".join(lines).encode()))

    @classmethod
    def load(cls, path: Path) -> "Lexicon":
        """Read what save wrote."""
        data = zstandard.ZstdDecompressor().decompress(path.read_bytes()).decode()
        return cls(dict(_parse(data.splitlines())))


def less(found: Iterable[KnownName], own: Mapping[str, Row]) -> list[KnownName]:
    """Return the names without the counts that come from one abstract itself.

    A model that is trained on the names of its own training text believes every name.

    Args:
        found: known names of an abstract that was counted.
        own: what it added to the counts.
    """
    left = []
    for i, j, name, row in found:
        mine = own.get(single_spaced(name))
        if mine is not None:
            left_row = tuple(max(0, a - b) for a, b in zip(row, mine, strict=True))
        else:
            left_row = row
        if any(left_row[GOLD]) or any(left_row[LISTS]) or any(left_row[READ]):
            left.append((i, j, name, left_row))
    return left


def _sizes(names: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Return by first word how many words names have, in rising order."""
    found: dict[str, set[int]] = {}
    for name in names:
        spans = words(name)
        if spans:
            found.setdefault(name[slice(*spans[0])], set()).add(len(spans))
    return {first: tuple(sorted(sizes)) for first, sizes in found.items()}


def _parse(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for line in lines:
        name, _, numbers = line.partition("\t")
        yield name, tuple(map(int, numbers.split()))


class Names(Kept):
    """Set the known names of a text."""

    FILES = ("names.zst",)

    def __init__(self) -> None:
        self.lexicon = Lexicon({})

    def load(self, folder: Path) -> None:
        """Read the table."""
        self.lexicon = Lexicon.load(folder / "names.zst")

    def __call__(self, doc: Doc) -> Doc:
        """Set the known names of the text."""
        if doc._.kg_sentences:
            text = doc._.kg_text
            doc._.kg_names = self.lexicon.matches(folded(text), words(text))
        return doc


@Language.factory("kg_names", assigns=["doc._.kg_names"])
def make_names(nlp: Language, name: str) -> Names:  # noqa: ARG001 - spaCy passes both
    """Build the component; its table comes from its folder."""
    return Names()
