"""OpenAlex works, as the API, the snapshot and saved pages give them."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from kg.model.record import Identifiers, Person, Record, Reference
from kg.sources import identifiers
from kg.sources.json_values import line, mapping, mappings, string, strings, year
from kg.sources.names import person
from kg.sources.text import abstract

# An abstract has a few hundred words; a hostile index must not ask for gigabytes.
_LONGEST = 100_000


def is_openalex(value: Mapping[str, Any]) -> bool:
    """Whether an object is a work of OpenAlex."""
    return bool(identifiers.openalex(string(value.get("id")))) and (
        "display_name" in value or "abstract_inverted_index" in value or "ids" in value
    )


def openalex_record(work: Mapping[str, Any]) -> Record:
    """Read one work, of the schema of 2023 (host_venue) or later (primary_location, topics)."""
    ids = mapping(work.get("ids"))
    text, original = abstract(inverted_index(work.get("abstract_inverted_index")))
    if not text:
        text, original = abstract(string(work.get("abstract")))
    locations = [mapping(work.get("primary_location")), *mappings(work.get("locations"))]
    landing = [string(loc.get("landing_page_url")) for loc in locations]
    pdf = [string(loc.get("pdf_url")) for loc in locations]
    own = Identifiers(
        doi=identifiers.doi(string(work.get("doi")) or string(ids.get("doi"))),
        pmid=identifiers.pmid(string(ids.get("pmid"))),
        pmcid=identifiers.pmcid(string(ids.get("pmcid"))),
        mag=identifiers.mag(string(ids.get("mag"))),
        openalex=identifiers.openalex(string(work.get("id")) or string(ids.get("openalex"))),
    )
    # Only addresses of arXiv: a repository's page may belong to another version of the paper.
    if preprints := [url for url in (*landing, *pdf) if "arxiv.org" in url]:
        arxiv = identifiers.from_urls(preprints).arxiv
        own = identifiers.merge(own, Identifiers(arxiv=arxiv))
    return Record(
        title=line(work.get("title")) or line(work.get("display_name")),
        text=text,
        original=original,
        authors=tuple(_author(a) for a in mappings(work.get("authorships"))),
        year=year(work.get("publication_year")),
        date=string(work.get("publication_date")),
        venue=_venue(work, locations),
        ids=identifiers.complete(own),
        urls=strings([url for url in (*landing, *pdf) if url.startswith("http")]),
        topics=_topics(work),
        references=tuple(
            found
            for cited in _cited(work.get("referenced_works"))
            if (found := _reference(cited)) is not None
        ),
        language=string(work.get("language")),
        kind=string(work.get("type")),
    )


def inverted_index(index: Any) -> str:
    """Put an abstract together from {word: [positions]}.

    >>> inverted_index({"graph": [1], "A": [0], "of": [2], "graphs": [3]})
    'A graph of graphs'
    """
    words = mapping(index)
    places: dict[int, str] = {}
    try:
        for word, positions in words.items():
            for position in positions:
                places[position] = word
        order = sorted(places)
        count = sum(map(len, words.values()))
        sound = len(places) == count and (not order or (order[0] >= 0 and order[-1] < _LONGEST))
    except TypeError:
        sound = False
    if not sound:
        places = dict(sorted(_sound_places(words)))
        order = list(places)
    return " ".join(map(places.__getitem__, order))


def _sound_places(index: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """What is left of an index of which some is nonsense."""
    for word, positions in index.items():
        for position in positions if isinstance(positions, list) else ():
            if isinstance(position, int) and 0 <= position < _LONGEST:
                yield position, word


def _cited(works: Any) -> list[str]:
    return [work for work in works if isinstance(work, str)] if isinstance(works, list) else []


@lru_cache(maxsize=1 << 16)
def _reference(address: str) -> Reference | None:
    found = _work_id(address)
    return Reference.to(Identifiers.only("openalex", found)) if found else None


def _work_id(address: str) -> str:
    """The id in an address; OpenAlex writes nearly all in one way, and there are many."""
    bare = address.removeprefix("https://openalex.org/")
    if bare[:1] == "W" and bare[1:].isdecimal() and bare.isascii() and bare[1] != "0":
        return bare
    return identifiers.openalex(address)


def _author(authorship: Mapping[str, Any]) -> Person:
    author = mapping(authorship.get("author"))
    name = line(author.get("display_name")) or line(authorship.get("raw_author_name"))
    orcid = author.get("orcid")
    return person(name, orcid=identifiers.orcid(string(orcid)) if orcid else "")


def _venue(work: Mapping[str, Any], locations: list[Mapping[str, Any]]) -> str:
    named = [mapping(loc.get("source")) for loc in locations]
    named.append(mapping(work.get("host_venue")))
    return next((name for source in named if (name := line(source.get("display_name")))), "")


def _topics(work: Mapping[str, Any]) -> tuple[str, ...]:
    found: list[str] = []
    for field in ("topics", "keywords", "concepts"):
        for topic in mappings(work.get(field)):
            score = topic.get("score")
            if field == "concepts" and isinstance(score, int | float) and score < 0.3:
                continue  # most works carry a dozen concepts that OpenAlex itself doubts
            found.append(line(topic.get("display_name")) or line(topic.get("keyword")))
    return strings(found)
