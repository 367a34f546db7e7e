"""OpenAlex works, as the API, the snapshot and saved pages give them."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from kg.model.record import Identifiers, Person, Record, Reference
from kg.sources import identifiers
from kg.sources.json_values import line, mapping, mappings, string, year
from kg.sources.names import person, plain_name
from kg.sources.text import abstract, one_line

# An abstract has a few hundred words; a hostile index must not ask for gigabytes.
_LONGEST = 100_000
_NUMBER = (int, float)
# How OpenAlex writes the id of a work, whose number never starts with a zero.
_WORK = re.compile(r"^https://openalex\.org/(W[1-9][0-9]*)$", re.MULTILINE)
# Abstracts that came by way of DataCite hold their line ends as a backslash and an n; \nu is none.
_LINE_END = re.compile(
    r"\\n(?!(?:u|e|eq|eg|abla|i|ot|otin|leq|geq|earrow|warrow|atural|mid|cong|exists|ormalsize)"
    r"(?![A-Za-z]))"
)


def is_openalex(value: Mapping[str, Any]) -> bool:
    """Whether an object is a work of OpenAlex."""
    return bool(identifiers.openalex(string(value.get("id")))) and (
        "display_name" in value or "abstract_inverted_index" in value or "ids" in value
    )


def openalex_record(work: Mapping[str, Any]) -> Record:
    """Read one work, of the schema of 2023 (host_venue) or later (primary_location, topics)."""
    get = work.get
    ids = mapping(get("ids"))
    words = inverted_index(get("abstract_inverted_index"))
    text, original = abstract(words)
    if "\\" in words and "\\n" in words:
        text, original = abstract(_LINE_END.sub(" ", words))[0], words
    if not text:
        text, original = abstract(string(get("abstract")))
    locations = [mapping(get("primary_location")), *mappings(get("locations"))]
    addresses = _addresses(locations)
    own = Identifiers(
        doi=identifiers.doi(string(get("doi")) or string(ids.get("doi"))),
        pmid=identifiers.pmid(string(ids.get("pmid"))),
        pmcid=identifiers.pmcid(string(ids.get("pmcid"))),
        mag=identifiers.mag(string(ids.get("mag"))),
        openalex=identifiers.openalex(string(get("id")) or string(ids.get("openalex"))),
    )
    # Only addresses of arXiv: a repository's page may belong to another version of the paper.
    if preprints := [url for url in addresses if "arxiv.org" in url]:
        arxiv = identifiers.from_urls(preprints).arxiv
        own = identifiers.merge(own, Identifiers(arxiv=arxiv))
    return Record(
        title=line(get("title")) or line(get("display_name")),
        text=text,
        original=original,
        authors=tuple(map(_author, mappings(get("authorships")))),
        year=year(get("publication_year")),
        date=string(get("publication_date")),
        venue=_venue(work, locations),
        ids=identifiers.complete(own),
        urls=tuple(dict.fromkeys(url.strip() for url in addresses if url.startswith("http"))),
        topics=_topics(work),
        references=_references(get("referenced_works")),
        language=string(get("language")),
        kind=string(get("type")),
    )


def inverted_index(index: Any) -> str:
    """Put an abstract together from {word: [positions]}.

    >>> inverted_index({"graph": [1], "A": [0], "of": [2], "graphs": [3]})
    'A graph of graphs'
    """
    words = mapping(index)
    try:
        count = sum(map(len, words.values()))
        if count < _LONGEST:
            # As many places as positions: all are filled only where each is named once.
            places: list[Any] = [None] * count
            for word, positions in words.items():
                for position in positions:
                    places[position] = word
            return " ".join(places)
    except (TypeError, IndexError):
        pass
    sound = dict(sorted(_sound_places(words)))
    return " ".join(sound.values())


def _sound_places(index: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """What is left of an index of which some is nonsense."""
    for word, positions in index.items():
        for position in positions if isinstance(positions, list) else ():
            if isinstance(position, int) and 0 <= position < _LONGEST:
                yield position, word


def _references(works: Any) -> tuple[Reference, ...]:
    if not isinstance(works, list):
        return ()
    named = [work for work in works if isinstance(work, str)]
    ids: list[str] = _WORK.findall("\n".join(named))  # one search, since bibliographies are long
    if len(ids) != len(named):
        ids = [each for each in map(identifiers.openalex, named) if each]
    return Reference.to_each("openalex", ids)


def _author(authorship: Mapping[str, Any]) -> Person:
    author = mapping(authorship.get("author"))
    given = author.get("orcid")
    orcid = identifiers.orcid(given) if isinstance(given, str) else ""
    name = author.get("display_name")
    if isinstance(name, str) and (parts := plain_name(name)):
        return Person(*parts, "", orcid)
    return person(line(name) or line(authorship.get("raw_author_name")), orcid=orcid)


def _addresses(locations: list[Mapping[str, Any]]) -> list[str]:
    """Pages of the paper, then files of it."""
    pages = [loc.get("landing_page_url") for loc in locations]
    files = [loc.get("pdf_url") for loc in locations]
    return [url for url in (*pages, *files) if isinstance(url, str)]


def _name(value: Any) -> str:
    """The name of a source or topic on one line; many come again and again."""
    return _on_one_line(value) if isinstance(value, str) else ""


_on_one_line = lru_cache(maxsize=1 << 14)(one_line)


def _venue(work: Mapping[str, Any], locations: list[Mapping[str, Any]]) -> str:
    for location in (*locations, {"source": work.get("host_venue")}):
        if name := _name(mapping(location.get("source")).get("display_name")):
            return name
    return ""


def _topics(work: Mapping[str, Any]) -> tuple[str, ...]:
    get = work.get
    # Most works carry a dozen concepts that OpenAlex itself doubts.
    concepts = [
        topic
        for topic in mappings(get("concepts"))
        if not (isinstance(score := topic.get("score"), _NUMBER) and score < 0.3)
    ]
    found: dict[str, None] = {}
    for topic in (*mappings(get("topics")), *mappings(get("keywords")), *concepts):
        if name := _name(topic.get("display_name")) or _name(topic.get("keyword")):
            found[name] = None
    return tuple(found)
