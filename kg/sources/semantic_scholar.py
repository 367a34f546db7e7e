"""Semantic Scholar: papers of the API, bulk files, citation lists, and S2ORC."""

from collections.abc import Iterator, Mapping
from typing import Any

from kg.model.record import Identifiers, Person, Record, Reference
from kg.sources import identifiers
from kg.sources.json_values import first, line, mapping, mappings, string, strings, year
from kg.sources.names import person
from kg.sources.reader import NoRecordError
from kg.sources.text import abstract


def is_semantic_scholar(value: Mapping[str, Any]) -> bool:
    """Whether an object is a paper of the API or the bulk files."""
    if identifiers.s2(string(value.get("paperId"))):
        return True
    known = {"externalIds", "externalids", "citationCount", "citationcount", "isopenaccess"}
    return ("corpusid" in value or "corpusId" in value) and bool(known & value.keys())


def is_s2orc(value: Mapping[str, Any]) -> bool:
    """Whether an object is a row of S2ORC's metadata or of a release of full texts."""
    return ("paper_id" in value and ("outbound_citations" in value or "s2_pdf_hash" in value)) or (
        "corpusid" in value and "content" in value
    )


def semantic_scholar_record(paper: Mapping[str, Any]) -> Record:
    """Read one paper; its `references` become references, who cites it is those papers' affair."""
    text, original = abstract(string(paper.get("abstract")))
    ids = semantic_scholar_ids(paper)
    journal = mapping(paper.get("journal"))
    venue = mapping(paper.get("publicationVenue"))
    open_access = mapping(paper.get("openAccessPdf"))
    fields = [mapping(f).get("category") for f in mappings(paper.get("s2FieldsOfStudy"))]
    return Record(
        title=line(paper.get("title")),
        text=text,
        original=original,
        authors=tuple(_author(a) for a in mappings(paper.get("authors"))),
        year=year(paper.get("year")),
        date=string(paper.get("publicationDate") or paper.get("publicationdate")),
        venue=first([line(venue.get("name")), line(paper.get("venue")), line(journal.get("name"))]),
        ids=ids,
        urls=strings([paper.get("url"), open_access.get("url")]),
        topics=strings([*fields, *strings(paper.get("fieldsOfStudy"))]),
        references=tuple(_reference(r) for r in mappings(paper.get("references"))),
        kind=first(paper.get("publicationTypes")),
    )


def semantic_scholar_ids(paper: Mapping[str, Any]) -> Identifiers:
    """Return the identifiers of a paper or of a reference."""
    external = {
        key.lower(): string(value)
        for key, value in mapping(paper.get("externalIds") or paper.get("externalids")).items()
    }
    return identifiers.complete(
        Identifiers(
            doi=identifiers.doi(external.get("doi", "")),
            arxiv=identifiers.arxiv(external.get("arxiv", ""))[0],
            pmid=identifiers.pmid(external.get("pubmed", "")),
            pmcid=identifiers.pmcid(external.get("pubmedcentral", "")),
            s2=identifiers.s2(string(paper.get("paperId"))),
            corpus=identifiers.corpus(
                string(paper.get("corpusId") or paper.get("corpusid"))
                or external.get("corpusid", "")
            ),
            mag=identifiers.mag(external.get("mag", "")),
            dblp=identifiers.dblp(external.get("dblp", "")),
            acl=identifiers.acl(external.get("acl", "")),
        )
    )


def s2orc_record(row: Mapping[str, Any]) -> Record:
    """Read one row of the metadata of 2020, of its full texts, or of a later release's full texts."""
    if "content" in row:
        return _full_text_record(row)
    about = mapping(row.get("metadata")) or row  # CORD-19 puts title and authors there
    paragraphs = [string(part.get("text")) for part in mappings(row.get("abstract"))]
    text, original = abstract(string(row.get("abstract")) or "\n\n".join(filter(None, paragraphs)))
    listed = mapping(row.get("bib_entries")).values()
    return Record(
        title=line(about.get("title")),
        text=text,
        original=original,
        authors=tuple(_s2orc_author(a) for a in mappings(about.get("authors"))),
        year=year(row.get("year")),
        venue=line(row.get("venue")) or line(row.get("journal")),
        ids=identifiers.complete(
            Identifiers(
                doi=identifiers.doi(string(row.get("doi"))),
                arxiv=identifiers.arxiv(string(row.get("arxiv_id")))[0],
                pmid=identifiers.pmid(string(row.get("pubmed_id") or row.get("pmid"))),
                pmcid=identifiers.pmcid(string(row.get("pmc_id"))),
                acl=identifiers.acl(string(row.get("acl_id"))),
                mag=identifiers.mag(string(row.get("mag_id"))),
                corpus=identifiers.corpus(string(row.get("paper_id"))),
            )
        ),
        urls=strings(row.get("s2_url")),
        topics=strings(row.get("mag_field_of_study")),
        references=tuple(
            Reference.to(Identifiers.only("corpus", found))
            for cited in strings(row.get("outbound_citations"))
            if (found := identifiers.corpus(cited))
        )
        or tuple(_bib_entry(entry) for entry in listed if isinstance(entry, dict)),
    )


def _bib_entry(entry: Mapping[str, Any]) -> Reference:
    """Read one entry of a parsed bibliography."""
    others = {k.lower(): first(v) for k, v in mapping(entry.get("other_ids")).items()}
    return Reference(
        raw=line(entry.get("raw_text")),
        ids=identifiers.complete(
            Identifiers(
                corpus=identifiers.corpus(string(entry.get("link"))),
                doi=identifiers.doi(others.get("doi", "")),
                arxiv=identifiers.arxiv(others.get("arxiv", ""))[0],
                pmid=identifiers.pmid(others.get("pmid", "")),
            )
        ),
        title=line(entry.get("title")),
        authors=tuple(
            name for a in mappings(entry.get("authors")) if (name := _s2orc_author(a).family)
        ),
        year=year(entry.get("year")),
        venue=line(entry.get("venue")),
        volume=string(entry.get("volume")),
        page=string(entry.get("pages")).split("-")[0],
    )


def _full_text_record(row: Mapping[str, Any]) -> Record:
    content = mapping(row.get("content"))
    annotations = mapping(content.get("annotations"))
    full = string(content.get("text"))
    external = {k.lower(): first(v) for k, v in mapping(row.get("externalids")).items()}
    text, original = abstract(_annotated(full, annotations.get("abstract")))
    return Record(
        title=line(_annotated(full, annotations.get("title"))),
        text=text,
        original=original,
        authors=tuple(
            person(name)
            for span in _spans(annotations.get("author"))
            if (name := line(full[span[0] : span[1]]))
        ),
        references=tuple(_cited_entries(full, annotations.get("bibentry"))),
        ids=identifiers.complete(
            Identifiers(
                doi=identifiers.doi(external.get("doi", "")),
                arxiv=identifiers.arxiv(external.get("arxiv", ""))[0],
                pmid=identifiers.pmid(external.get("pubmed", "")),
                mag=identifiers.mag(external.get("mag", "")),
                acl=identifiers.acl(external.get("acl", "")),
                dblp=identifiers.dblp(external.get("dblp", "")),
                corpus=identifiers.corpus(string(row.get("corpusid"))),
            )
        ),
    )


def _annotated(text: str, spans: Any) -> str:
    """Return the stretch that the first annotation marks."""
    return next((text[start:end] for start, end, _ in _spans(spans)), "")


def _cited_entries(text: str, spans: Any) -> Iterator[Reference]:
    """The bibliography: each entry as it is printed, and the paper that Semantic Scholar saw in it."""
    for start, end, attributes in _spans(spans):
        raw = line(text[start:end])
        matched = identifiers.corpus(string(attributes.get("matched_paper_id")))
        printed, _ = identifiers.find(raw)
        yield Reference(raw=raw, ids=identifiers.merge(printed, Identifiers(corpus=matched)))


def _spans(spans: Any) -> Iterator[tuple[int, int, Mapping[str, Any]]]:
    """Where annotations start and end, and what they say; they may be JSON within a string."""
    if isinstance(spans, str):
        import orjson

        try:
            spans = orjson.loads(spans)
        except orjson.JSONDecodeError:
            return
    for span in mappings(spans):
        start, end = span.get("start"), span.get("end")
        if isinstance(start, int) and isinstance(end, int) and 0 <= start < end:
            yield start, end, mapping(span.get("attributes"))


def _author(author: Mapping[str, Any]) -> Person:
    external = mapping(author.get("externalIds"))
    return person(line(author.get("name")), orcid=identifiers.orcid(string(external.get("ORCID"))))


def _s2orc_author(author: Mapping[str, Any]) -> Person:
    middle = strings(author.get("middle"))
    given = " ".join(part for part in (line(author.get("first")), *middle) if part)
    suffix = line(author.get("suffix"))
    return Person(line(author.get("last")), f"{given}, {suffix}" if suffix else given)


def _reference(cited: Mapping[str, Any]) -> Reference:
    return Reference(
        ids=semantic_scholar_ids(cited),
        title=line(cited.get("title")),
        authors=tuple(
            name.family or name.name for name in map(_author, mappings(cited.get("authors")))
        ),
        year=year(cited.get("year")),
        venue=line(cited.get("venue")),
    )


def is_citation(value: Mapping[str, Any]) -> bool:
    """Whether an object is a row of the bulk file of citations."""
    return "citingcorpusid" in value and "citedcorpusid" in value


def citation_record(row: Mapping[str, Any]) -> Record:
    """Read one citation of the bulk file: the citing paper, with one reference.

    Raises:
        NoRecordError: one of the two papers is not known to Semantic Scholar.
    """
    citing = identifiers.corpus(string(row.get("citingcorpusid")))
    cited = identifiers.corpus(string(row.get("citedcorpusid")))
    if not citing or not cited:
        raise NoRecordError("a citation whose papers are not both known")
    return Record(
        ids=Identifiers(corpus=citing), references=(Reference(ids=Identifiers(corpus=cited)),)
    )
