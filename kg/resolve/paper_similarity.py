"""Records that share no identifier, and are of one paper all the same: by title or abstract."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from rapidfuzz import fuzz

from kg.model.identity import digest, fold

Row = Mapping[str, Any]

# A reply, an erratum or a second part is another paper, however alike the titles are.
_MARKS: Final = frozenset(
    "erratum errata corrigendum corrigenda correction corrections retraction retracted withdrawn reply"
    " response comment comments commentary addendum editorial rejoinder discussion review author authors".split()
)
_ROMAN: Final = re.compile(r"\b(?:[ivx]{1,4})\b")
_GENERIC_WORDS: Final = 3  # a title of fewer words names many papers: "Introduction", "Book review"
_LONG_TITLE: Final = 5  # words from which a title alone tells papers of unknown authors apart
_COMMON: Final = 40  # records that share a title or a sentence before it tells nothing
_SENTENCE_WORDS: Final = 8  # a shorter sentence stands in many abstracts
_TITLE_ALIKE: Final = 95.0
_TEXT_ALIKE: Final = 88.0
_YEARS: Final = 1
_YEARS_OF_PREPRINT: Final = 4  # from a preprint to its journal, where the abstract is the same


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """Two records, by index, that are likely of one paper; a lower rank is surer."""

    rank: int
    order: tuple[str, str]  # digests of the two, so that the input's order does not matter
    first: int
    second: int
    reason: str


@dataclass(frozen=True, slots=True)
class Folded:
    """What is compared of a record."""

    digest: str
    title: str
    numbers: tuple[str, ...]
    marks: frozenset[str]
    family: str
    names: frozenset[str]
    year: int | None
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """The abstract, folded."""
        return " ".join(self.sentences)


def content_key(row: Row) -> str:
    """A digest of what tells a record from others, for an order that the input does not set."""
    return digest(
        row["title"], row["text"], row["file"], str(row["line"]), str(row["ordinal"]), *_ids(row)
    )


def _ids(row: Row) -> Iterator[str]:
    return (value or "" for _, value in sorted(row["ids"].items()))


def similar_pairs(folded: Sequence[Folded]) -> list[Pair]:
    """Return the pairs of records that title, authors, year and abstract say are of one paper.

    Only records that share a folded title, a first author and year, or a sentence are compared,
    so the work grows with the records, not with their square.
    """
    found: dict[tuple[int, int], Pair] = {}
    for blocks, judge in (
        (_by_title(folded), _same_title),
        (_by_author(folded), _alike_title),
        (_by_sentence(folded), _alike_text),
    ):
        for members in blocks:
            if len(members) > _COMMON:
                continue
            for one, two in combinations(members, 2):
                if (one, two) in found:
                    continue
                verdict = judge(folded[one], folded[two])
                if verdict is not None:
                    rank, reason = verdict
                    order = sorted((folded[one].digest, folded[two].digest))
                    found[one, two] = Pair(rank, (order[0], order[1]), one, two, reason)
    return sorted(found.values())


def fold_record(row: Row) -> Folded:
    """Fold what is compared of a record, once."""
    title = fold(row["title"])
    words = title.split()
    first = row["authors"][0] if row["authors"] else None
    name = fold(" ".join((first["given"], first["family"], first["name"]))) if first else ""
    family = fold(first["family"] or first["name"]).split()[-1:] if first else []
    sentences = tuple(
        sentence for part in re.split(r"[.!?]\s+", row["text"]) if (sentence := fold(part))
    )
    return Folded(
        digest=content_key(row),
        title=title,
        numbers=tuple(w for w in words if w.isdigit() or _ROMAN.fullmatch(w)),
        marks=frozenset(words) & _MARKS,
        family=family[0] if family else "",
        names=frozenset(n for n in name.split() if len(n) > 1),
        year=row["year"],
        sentences=sentences,
    )


def _by_title(folded: Sequence[Folded]) -> Iterator[list[int]]:
    blocks: dict[str, list[int]] = defaultdict(list)
    for index, record in enumerate(folded):
        if len(record.title.split()) >= _GENERIC_WORDS or len(record.title) >= 20:
            blocks[record.title].append(index)
    return (members for members in blocks.values() if len(members) > 1)


def _by_author(folded: Sequence[Folded]) -> Iterator[list[int]]:
    """First author's family name and a long word of the title, within a year."""
    blocks: dict[tuple[str, str, int], list[int]] = defaultdict(list)
    for index, record in enumerate(folded):
        if record.family and record.year is not None and record.title:
            longest = sorted(set(record.title.split()), key=lambda w: (-len(w), w))[:2]
            for word in longest:
                for year in (record.year, record.year + 1):
                    blocks[record.family, word, year].append(index)
    return (members for members in blocks.values() if len(members) > 1)


def _by_sentence(folded: Sequence[Folded]) -> Iterator[list[int]]:
    blocks: dict[str, list[int]] = defaultdict(list)
    for index, record in enumerate(folded):
        for sentence in dict.fromkeys(record.sentences):
            if sentence.count(" ") + 1 >= _SENTENCE_WORDS:
                blocks[sentence].append(index)
    seen: set[tuple[int, ...]] = set()
    for members in blocks.values():
        key = tuple(members)
        if len(members) > 1 and key not in seen:
            seen.add(key)
            yield members


def _same_title(one: Folded, two: Folded) -> tuple[int, str] | None:
    years = _years_agree(one, two, _YEARS)
    authors = _authors_agree(one, two)
    if years is False or authors is False:
        return None
    if years and authors:
        return 1, "the same title, first author and year within one"
    if authors and _alike(one, two):
        return 1, "the same title, first author and abstract"
    if authors and len(one.title.split()) >= _LONG_TITLE:
        return 2, "the same title and first author, one without a year"
    if _alike(one, two):
        return 2, "the same title and abstract"
    if years and len(one.title.split()) >= _LONG_TITLE:
        return 3, "the same title and year within one, one without authors"
    return None


def _alike_title(one: Folded, two: Folded) -> tuple[int, str] | None:
    if one.title == two.title or one.marks != two.marks or one.numbers != two.numbers:
        return None
    if not _years_agree(one, two, _YEARS) or not _authors_agree(one, two):
        return None
    if min(one.title.count(" "), two.title.count(" ")) + 1 < _LONG_TITLE:
        return None
    score = fuzz.ratio(one.title, two.title)
    if score >= _TITLE_ALIKE:
        return 4, f"the same first author and year within one, titles {score:.0f}% alike"
    return None


def _alike_text(one: Folded, two: Folded) -> tuple[int, str] | None:
    if one.marks != two.marks and one.title and two.title:
        return None
    if _authors_agree(one, two) is False:
        return None
    if _years_agree(one, two, _YEARS_OF_PREPRINT) is False:
        return None
    score = fuzz.ratio(one.text, two.text)
    if score < _TEXT_ALIKE:
        return None
    # A series repeats its abstract, but says its number in the title.
    if one.title and two.title and one.numbers != two.numbers and one.title != two.title:
        return None
    return 5, f"abstracts {score:.0f}% alike"


def _alike(one: Folded, two: Folded) -> bool:
    return bool(one.sentences and two.sentences) and fuzz.ratio(one.text, two.text) >= _TEXT_ALIKE


def _years_agree(one: Folded, two: Folded, within: int) -> bool | None:
    """Whether both years are known and near; None where one is unknown."""
    if one.year is None or two.year is None:
        return None
    return abs(one.year - two.year) <= within


def _authors_agree(one: Folded, two: Folded) -> bool | None:
    """Whether the first authors may be one; family and given names change places in exports."""
    if not one.names or not two.names:
        return None
    return one.family in two.names or two.family in one.names
