"""Whether two records that share a part of what they say are of one paper."""

from typing import Final

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA, Levenshtein

from kg.resolve.compared_record import Folded, marks_of, numbers_of

Verdict = tuple[int, str]  # a rank, the lower the surer, and the reason in words

_LONG_TITLE: Final = 5  # words from which a title alone tells papers of unknown authors apart
_TITLE_WORDS: Final = 4  # of a title in which a word may be misspelt
_PART_WORDS: Final = 3  # of a title that is cut, or stands without its subtitle
_TEXT_ALIKE: Final = 88.0
_TEXT_ALIKE_OF_ONE_AUTHOR: Final = 85.0
_REVISED: Final = 75.0  # where most sentences are the same, and others came or went
_SAME_SENTENCES: Final = 0.6  # of the shorter abstract
_OTHER_TEXT: Final = 50.0  # abstracts that are less alike are no two versions of one
_YEARS: Final = 1
_YEARS_OF_PREPRINT: Final = 4  # from a preprint to its journal, where the abstract is the same
_SMALL: Final = frozenset(
    "a an and as at by for from in into of on or the to using via with".split()
)
_SHORT_WORD: Final = 4  # letters; a slip makes a shorter word another one
_SOUNDS: Final = str.maketrans("zc", "ss")  # organize, organise; licence, license


def same_title(one: Folded, two: Folded) -> Verdict | None:
    """Judge two records of one folded title."""
    if one.title != two.title:
        return None  # only their hashes are one
    years = _years_agree(one, two, _YEARS)
    authors = _authors_agree(one, two)
    if years is False or authors is False:
        return None
    if years and authors:
        return 1, "the same title, first author and year within one"
    if authors and _alike(one, two):
        return 1, "the same title, first author and abstract"
    if authors and len(one.words) >= _LONG_TITLE:
        return 2, "the same title and first author, one without a year"
    if _alike(one, two):
        return 2, "the same title and abstract"
    if years and len(one.words) >= _LONG_TITLE:
        return 3, "the same title and year within one, one without authors"
    return None


def alike_title(one: Folded, two: Folded) -> Verdict | None:
    """Judge two records of one first author and of a year, with a part of the title in common."""
    if one.title == two.title or one.marks != two.marks:
        return None
    if not _years_agree(one, two, _YEARS) or not _authors_agree(one, two):
        return None
    if one.text and two.text and fuzz.ratio(one.text, two.text) < _OTHER_TEXT:
        return None
    same = "the same first author and year within one"
    short, long = sorted((one, two), key=lambda record: len(record.title))
    if short.is_cut and long.title.startswith(short.title) and len(short.words) >= _PART_WORDS:
        return 4, f"{same}, one title cut short"
    slips = _slips(one.words, two.words) if one.numbers == two.numbers else None
    if slips is not None and min(len(one.words), len(two.words)) >= _TITLE_WORDS:
        return 4, f"{same}, titles alike but for {slips} word{'s' * (slips > 1)}"
    if _is_part(short, long):
        return 5, f"{same}, one title without the other's subtitle"
    return None


def alike_text(one: Folded, two: Folded) -> Verdict | None:
    """Judge two records whose abstracts share a sentence."""
    if one.marks != two.marks and one.title and two.title:
        return None
    authors = _authors_agree(one, two)
    if authors is False or _years_agree(one, two, _YEARS_OF_PREPRINT) is False:
        return None
    score = fuzz.ratio(one.text, two.text)
    enough = _TEXT_ALIKE
    if authors:
        # Sister papers change a word in every sentence, a revision changes some sentences.
        enough = _REVISED if _mostly_the_same(one, two) else _TEXT_ALIKE_OF_ONE_AUTHOR
    if score < enough:
        return None
    # A series repeats its abstract, but says its number in the title.
    if one.title and two.title and one.numbers != two.numbers and one.title != two.title:
        return None
    by = ", the same first author" if authors and score < _TEXT_ALIKE else ""
    return 6, f"abstracts {score:.0f}% alike{by}"


def _mostly_the_same(one: Folded, two: Folded) -> bool:
    first, second = set(one.sentences), set(two.sentences)
    fewer = min(len(first), len(second))
    return fewer > 1 and len(first & second) >= _SAME_SENTENCES * fewer


def _slips(one: list[str], two: list[str]) -> int | None:
    """How many words differ by a slip of the pen; None where others do, or too many."""
    regions: list[tuple[list[str], list[str]]] = []
    open_ = False
    for step in Levenshtein.opcodes(one, two):
        if step.tag == "equal":
            open_ = False
            continue
        if not open_:
            regions.append(([], []))
            open_ = True
        regions[-1][0].extend(one[step.src_start : step.src_end])
        regions[-1][1].extend(two[step.dest_start : step.dest_end])
    if len(regions) > max(1, min(len(one), len(two)) // _TITLE_WORDS):
        return None
    return len(regions) if all(_is_slip(*region) for region in regions) else None


def _is_slip(one: list[str], two: list[str]) -> bool:
    """Whether words differ by a letter, by a space, or by words that say nothing."""
    if _near("".join(one), "".join(two)):
        return True
    first, second = ([word for word in words if word not in _SMALL] for words in (one, two))
    if "".join(first) == "".join(second) or _near("".join(first), "".join(second)):
        return True
    small = " ".join(two if first else one)  # not "a": parts are called a and b
    wrong = not (first and second) and len(small) > 1
    return wrong and OSA.distance(" ".join(one), " ".join(two)) <= 1


def _near(one: str, two: str) -> bool:
    """Whether a word is another with a letter too much, too few or in the wrong place.

    A wrong letter at the beginning, or in place of another, makes other words than it makes
    errors: atypical, macroscopic. Of these only s, z and c are taken for each other.
    """
    if one == two:
        return True
    short, long = sorted((one, two), key=len)
    if len(long) < _SHORT_WORD or long[0] != short[:1] or any(map(str.isdigit, one + two)):
        return False
    if len(short) < len(long) or sorted(short) == sorted(long):
        return bool(OSA.distance(one, two) <= 1)
    return one.translate(_SOUNDS) == two.translate(_SOUNDS)


def _is_part(short: Folded, long: Folded) -> bool:
    """Whether one title is the other's without the subtitle, or the subtitle alone."""
    if short.title not in long.parts or len(short.words) < _PART_WORDS:
        return False
    head, tail = long.parts
    other = (tail if short.title == head else head).split()
    return not numbers_of(other) and not marks_of(other)


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
