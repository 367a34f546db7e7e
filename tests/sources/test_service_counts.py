"""The count closes for every service, too: as many records as papers, whatever is damaged."""

import json
from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.model.record import Record
from kg.sources.registry import readers
from tests.sources.test_counts import PAPERS, WRITERS, Papers, run


def lines(papers: Papers, row: Callable[[int, str, str], dict[str, Any]]) -> str:
    """Write JSON lines."""
    return "\n".join(json.dumps(row(n, t, a)) for n, (t, a) in enumerate(papers, 1))


def elements(papers: Papers, around: str, each: str) -> str:
    """Write XML: `around` holds one %s, `each` the fields n, t and a."""
    inner = "\n".join(
        each.format(n=n, t=escape(t), a=escape(a)) for n, (t, a) in enumerate(papers, 1)
    )
    return around % inner


def index(text: str) -> dict[str, list[int]]:
    """Where each word stands."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(text.split()):
        places.setdefault(word, []).append(place)
    return places


SERVICES: dict[str, Callable[[Papers], str]] = {
    "openalex": lambda ps: lines(
        ps,
        lambda n, t, a: {
            "id": f"https://openalex.org/W{n}",
            "title": t,
            "display_name": t,
            "authorships": [],
            "abstract_inverted_index": index(a),
        },
    ),
    "semantic-scholar": lambda ps: json.dumps(
        {"total": 9, "data": [{"paperId": f"{n:040x}", "title": t, "abstract": a} for n, (t, a) in enumerate(ps)]}
    ),
    "s2orc": lambda ps: lines(
        ps,
        lambda n, t, a: {"paper_id": str(n), "title": t, "abstract": a, "outbound_citations": []},
    ),
    "datacite": lambda ps: lines(
        ps,
        lambda n, t, a: {
            "id": f"10.5555/{n}",
            "attributes": {
                "titles": [{"title": t}],
                "creators": [],
                "publicationYear": 2019,
                "descriptions": [{"description": a, "descriptionType": "Abstract"}],
            },
        },
    ),
    "crossref": lambda ps: json.dumps(
        {
            "message-type": "work-list",
            "message": {
                "items": [
                    {"DOI": f"10.1000/{n}", "title": [t], "abstract": f"<jats:p>{a}</jats:p>"}
                    for n, (t, a) in enumerate(ps)
                ]
            },
        }
    ),
    "csl-json": lambda ps: json.dumps(
        [{"id": f"k{n}", "type": "article", "title": t, "abstract": a} for n, (t, a) in enumerate(ps)],
        indent=1,
    ),
    "zotero-json": lambda ps: json.dumps(
        {"items": [{"itemType": "preprint", "title": t, "abstractNote": a} for t, a in ps]}
    ),
    "openreview": lambda ps: json.dumps(
        {"notes": [{"forum": f"f{n}", "content": {"title": t, "abstract": a}} for n, (t, a) in enumerate(ps)]}
    ),
    "arxiv-json": lambda ps: lines(
        ps,
        lambda n, t, a: {"id": f"2401.{n:05d}", "title": t, "abstract": a, "categories": "cs.CL"},
    ),
    "pubmed-xml": lambda ps: elements(
        ps,
        "<PubmedArticleSet>%s</PubmedArticleSet>",
        "<PubmedArticle><MedlineCitation><PMID>{n}</PMID><Article><ArticleTitle>{t}</ArticleTitle>"
        "<Abstract><AbstractText>{a}</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>",
    ),
    "crossref-xml": lambda ps: elements(
        ps,
        "<doi_records>%s</doi_records>",
        "<doi_record><crossref><journal><journal_article><titles><title>{t}</title></titles><abstract>"
        "<p>{a}</p></abstract></journal_article></journal></crossref></doi_record>",
    ),
    "jats": lambda ps: elements(
        ps,
        "<articles>%s</articles>",
        "<article><front><article-meta><title-group><article-title>{t}</article-title></title-group>"
        "<abstract><p>{a}</p></abstract></article-meta></front></article>",
    ),
    "arxiv-atom": lambda ps: elements(
        ps,
        '<feed xmlns="http://www.w3.org/2005/Atom">%s</feed>',
        "<entry><id>http://arxiv.org/abs/2401.{n:05d}v1</id><title>{t}</title><summary>{a}</summary></entry>",
    ),
    "oai-pmh": lambda ps: elements(
        ps,
        "<OAI-PMH><ListRecords>%s</ListRecords></OAI-PMH>",
        "<record><header/><metadata><arXiv><id>2401.{n:05d}</id><title>{t}</title>"
        "<abstract>{a}</abstract></arXiv></metadata></record>",
    ),
    "endnote-xml": lambda ps: elements(
        ps,
        "<xml><records>%s</records></xml>",
        '<record><ref-type name="Journal Article">17</ref-type><titles><title>{t}</title></titles>'
        "<abstract>{a}</abstract></record>",
    ),
    "zotero-rdf": lambda ps: elements(
        ps,
        '<rdf:RDF xmlns:rdf="r" xmlns:bib="b" xmlns:dc="d" xmlns:dcterms="t">%s</rdf:RDF>',
        "<bib:Article><dc:title>{t}</dc:title><dcterms:abstract>{a}</dcterms:abstract></bib:Article>",
    ),
    "acl-xml": lambda ps: elements(
        ps,
        '<collection id="2020.x"><volume id="1"><meta><booktitle>V</booktitle></meta>%s</volume></collection>',
        '<paper id="{n}"><title>{t}</title><abstract>{a}</abstract></paper>',
    ),
    "csl-yaml": lambda ps: "references:\n"
    + "\n".join(f"- id: k{n}\n  title: {json.dumps(t)}\n  abstract: {json.dumps(a)}" for n, (t, a) in enumerate(ps)),
    "arxiv-html": lambda ps: elements(
        ps,
        '<!DOCTYPE html><html><body><dl id="articles">%s</dl></body></html>',
        '<dt><a href="/abs/2401.{n:05d}">arXiv</a></dt><dd><div class="list-title">Title: {t}</div>'
        '<p class="mathjax">{a}</p></dd>',
    ),
}  # fmt: skip

# Formats that hold no abstract, or whose files are read whole; they are tested beside their readers.
ELSEWHERE = {"dblp-xml", "html", "html-meta", "listing", "parquet"}


def test_every_reader_is_counted() -> None:
    """A reader that is added later cannot be forgotten here."""
    assert set(readers()) - set(WRITERS) - ELSEWHERE == set(SERVICES)


@pytest.mark.parametrize("name", SERVICES)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(papers=PAPERS)
def test_every_paper_of_a_whole_file_is_a_record(name: str, papers: Papers) -> None:
    """Counted on both sides, and the format is found from the content."""
    items, report = run(SERVICES[name](papers).encode())
    assert report.format == name
    assert [(item.title, item.text) for item in items if isinstance(item, Record)] == papers
    assert (report.records, report.rejected) == (len(papers), 0)


@pytest.mark.parametrize("name", SERVICES)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(papers=PAPERS, data=st.data())
def test_a_damaged_file_is_read_to_its_end(name: str, papers: Papers, data: st.DataObject) -> None:
    """Cut, flipped and spliced: no reader fails, and what it gives is what it counts."""
    damaged = bytearray(SERVICES[name](papers).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(damaged)))
        damaged[place : place + data.draw(st.integers(0, 30))] = data.draw(
            st.sampled_from(
                [b"", b'"', b"{", b"]", b"\x00", b"\xff\xfe", b"<", b"&x;", b"]]>", b"<!--"]
            )
        )
    items, report = run(bytes(damaged) + b"\nend of file", format=name)
    assert len(items) == report.blocks > 0
    assert report.records == sum(isinstance(item, Record) for item in items)
    for item in items:
        assert "failed, and the rest" not in getattr(item, "reason", "")
        assert "reading it failed" not in getattr(item, "reason", "")
