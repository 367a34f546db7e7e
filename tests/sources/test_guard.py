"""A record that its reader stumbles over is one rejection; all the others come through."""

import importlib
import io
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from kg.model.record import Record, Rejected
from kg.sources.reader import Sample
from kg.sources.registry import choose, readers
from tests.sources.test_counts import PAPERS, WRITERS, Papers, run
from tests.sources.test_service_counts import SERVICES, elements


def parquet(papers: Papers) -> bytes:
    """Write Parquet."""
    target = io.BytesIO()
    pq.write_table(
        pa.table({"title": [t for t, _ in papers], "abstract": [a for _, a in papers]}), target
    )
    return target.getvalue()


def dblp(papers: Papers) -> bytes:
    """Write DBLP, which has no abstracts."""
    each = '<article key="journals/ice/{n}"><title>{t}</title></article>'
    return elements(papers, "<dblp>%s</dblp>", each).encode()


def page(papers: Papers) -> bytes:
    """Write a page of paragraphs."""
    inner = elements(papers, "%s", "<p>{a}</p>")
    return f"<!DOCTYPE html><html><body>{inner}</body></html>".encode()


FILES: dict[str, Callable[[Papers], bytes]] = {
    **{name: lambda ps, write=write: write(ps).encode() for name, write in (WRITERS | SERVICES).items()},  # type: ignore[misc]
    "listing": lambda papers: "\n\n".join(a for _, a in papers).encode(),
    "parquet": parquet,
    "dblp-xml": dblp,
    "html": page,
}  # fmt: skip

# What makes a record of a block, reader by reader. A page with citation_ tags holds one paper only.
CONVERTERS = {
    "bibtex": "bibtex.entry_record",
    "ris": "ris._record",
    "enw": "enw._record",
    "medline": "medline._record",
    "ovid": "ovid._record",
    "refworks": "refworks._record",
    "cochrane": "cochrane._record",
    "datacite": "json_services.datacite_record",
    "crossref-xml": "crossref_xml._record",
    "wos": "wos._item",
    "wos-tab": "wos._item",
    "pubmed-text": "pubmed_text._abstract",
    "csv": "delimited.row_record",
    "json": "json_rows.row_record",
    "parquet": "parquet.row_record",
    "listing": "listing._record",
    "html": "listing._record",
    "openalex": "json_services.openalex_record",
    "semantic-scholar": "json_services._semantic_scholar",
    "s2orc": "json_services.s2orc_record",
    "crossref": "json_services._crossref",
    "csl-json": "json_services.csl_record",
    "zotero-json": "json_services.zotero_record",
    "openreview": "json_services.openreview_record",
    "arxiv-json": "json_services.arxiv_record",
    "pubmed-xml": "xml_services.pubmed_record",
    "jats": "xml_services.jats_record",
    "arxiv-atom": "xml_services.atom_record",
    "oai-pmh": "xml_services.oai_record",
    "dblp-xml": "xml_services.dblp_record",
    "endnote-xml": "xml_services.endnote_record",
    "zotero-rdf": "xml_services.zotero_rdf_record",
    "acl-xml": "xml_services.anthology_record",
    "csl-yaml": "csl_yaml.csl_record",
    "arxiv-html": "html_pages._listing_record",
}
FAULTS = st.sampled_from(
    [ValueError("odd"), KeyError("x"), RecursionError(), ZeroDivisionError("by zero"), TypeError("no"), IndexError()]
)  # fmt: skip


def test_every_reader_is_poisoned() -> None:
    """A reader that is added later cannot be forgotten here."""
    assert set(readers()) == set(CONVERTERS) | {"html-meta"}


@pytest.mark.parametrize("name", CONVERTERS)
@settings(
    max_examples=8,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
@given(papers=PAPERS, data=st.data(), fault=FAULTS)
def test_a_fault_costs_one_record(
    name: str, papers: Papers, data: st.DataObject, fault: Exception
) -> None:
    """The n-th record raises; it is rejected with its raw text, and the rest is as it was."""
    content = FILES[name](papers)
    whole, _ = run(content, format=name)
    assert len(whole) == len(papers)
    bad = data.draw(st.integers(0, len(papers) - 1))
    module, _, function = CONVERTERS[name].partition(".")
    where = importlib.import_module(f"kg.sources.{module}")
    convert, calls = getattr(where, function), iter(range(len(papers)))

    def poisoned(*arguments: Any, **options: Any) -> Any:
        if next(calls) == bad:
            raise fault
        return convert(*arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(where, function, poisoned)
        items, report = run(content, format=name)
    rejected = items.pop(bad)
    assert isinstance(rejected, Rejected)
    assert rejected.reason.startswith(f"reading it failed: {type(fault).__name__}")
    shown = papers[bad][name in ("listing", "html")]
    assert shown in rejected.raw
    good = whole[bad]
    assert isinstance(good, Record)
    assert (rejected.line, rejected.file, rejected.ordinal) == (good.line, good.file, good.ordinal)
    assert items == [item for place, item in enumerate(whole) if place != bad]
    assert (report.records, report.rejected) == (len(papers) - 1, 1)


def test_a_reader_that_stumbles_over_a_sample_does_not_stop_the_others() -> None:
    """A fault in telling the format is no fault of the file."""

    class Odd(Sample):
        @property
        def tags(self) -> tuple[str, ...]:
            raise RuntimeError("no tags")

    text = "TY  - JOUR\nTI  - On Ice\nER  - \n"
    found = choose(Odd("-", text.encode(), text, whole=True), readers())
    assert found is not None
    assert found.name == "ris"
