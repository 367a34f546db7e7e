"""Write made works as OpenAlex gives them, with abstracts, authors and references.

python benchmarks/made_works.py 200000 works.jsonl

Words, authors and venues are drawn by rank, as those of papers are. A work cites some thirty
others, half of them in the file and the older the more often, half of them works that no record
describes; titles and abstracts differ.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import orjson

_REFERENCES = 30  # of a work, on average
_SHARE_KNOWN = 0.5
_AUTHORS = 5
_ABSTRACT_WORDS = 180
_PIECE = 2000
_SYLLABLES = [f"{a}{b}" for a in "b d f g k l m n p r s t v".split() for b in "aeiou"]


def words(count: int) -> list[str]:
    """Return distinct made words, the first ones short."""
    made = []
    for number in range(count):
        word, rest = "", number + len(_SYLLABLES)
        while rest:
            rest, syllable = divmod(rest, len(_SYLLABLES))
            word += _SYLLABLES[syllable]
        made.append(word)
    return made


def ranks(random: np.random.Generator, limit: int, size: int) -> npt.NDArray[np.int64]:
    """Draw numbers below a limit, the density of each as one over its rank."""
    drawn: npt.NDArray[np.int64] = (np.exp(random.random(size) * np.log(limit)) - 1).astype(int)
    return drawn


def works(count: int, seed: int = 7) -> Iterator[list[dict[str, object]]]:
    """Yield works in pieces."""
    random = np.random.default_rng(seed)
    vocabulary = words(60_000)
    authors, venues = max(1000, count * 2), max(50, count // 200)
    for start in range(0, count, _PIECE):
        size = min(_PIECE, count - start)
        yield [_work(random, start + n, count, vocabulary, authors, venues) for n in range(size)]


def _work(
    random: np.random.Generator,
    number: int,
    count: int,
    vocabulary: list[str],
    authors: int,
    venues: int,
) -> dict[str, object]:
    text = [vocabulary[n] for n in ranks(random, len(vocabulary), _ABSTRACT_WORDS).tolist()]
    index: dict[str, list[int]] = {}
    for place, word in enumerate(text):
        index.setdefault(word, []).append(place)
    title = " ".join(vocabulary[n] for n in ranks(random, len(vocabulary), 9).tolist())
    people = ranks(random, authors, int(random.integers(1, 2 * _AUTHORS))).tolist()
    cited = int(random.integers(0, 2 * _REFERENCES))
    inside = min(number, int(cited * _SHARE_KNOWN))
    known = random.integers(0, max(1, number), inside).tolist()
    others = (ranks(random, count * 10, cited - inside) + count).tolist()
    year = 1990 + number * 35 // count
    return {
        "id": f"https://openalex.org/W{number + 1}",
        "doi": f"https://doi.org/10.5555/{number}" if number % 3 else None,
        "display_name": title,
        "publication_year": year,
        "publication_date": f"{year}-05-01",
        "type": "article",
        "language": "en",
        "primary_location": {
            "source": {"display_name": f"Journal of {vocabulary[number % venues].title()}"}
        },
        "authorships": [
            {"author": {"display_name": f"{_name(vocabulary, n)} {_name(vocabulary, n // 50 + 7)}"}}
            for n in dict.fromkeys(people)
        ],
        "abstract_inverted_index": index,
        "referenced_works": [f"https://openalex.org/W{n + 1}" for n in known + others],
    }


def _name(vocabulary: list[str], number: int) -> str:
    return vocabulary[number % len(vocabulary)].title()


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    with options.out.open("wb") as file:
        for piece in works(options.count):
            file.write(b"".join(orjson.dumps(work) + b"\n" for work in piece))


if __name__ == "__main__":
    main()
