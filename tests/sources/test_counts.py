"""The count closes: whatever happens to a file, its blocks are records or listed rejections."""

import io
import json
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.model.record import FileReport, Record
from kg.sources.registry import read, readers

WORDS = st.sampled_from("ice snow walk fall penguin lake robot friction of the on and".split())
TITLE = st.lists(WORDS, min_size=3, max_size=8).map(lambda words: " ".join(words).title())
SENTENCE = st.lists(WORDS, min_size=8, max_size=20).map(lambda ws: f"We {' '.join(ws)} again.")
TEXT = st.lists(SENTENCE, min_size=1, max_size=4).map(" ".join)
PAPERS = st.lists(st.tuples(TITLE, TEXT), min_size=1, max_size=12)
Papers = list[tuple[str, str]]


def medline(papers: Papers) -> str:
    """Write MEDLINE."""
    return "\n".join(
        f"PMID- {n}\nOWN - NLM\nTI  - {t}\nAB  - {a}\n" for n, (t, a) in enumerate(papers, 1)
    )


def wos(papers: Papers) -> str:
    """Write Web of Science."""
    body = "\n".join(f"PT J\nAU Doe, J\nTI {t}\nAB {a}\nER\n" for t, a in papers)
    return f"FN X\nVR 1.0\n{body}\nEF"


def pubmed_text(papers: Papers) -> str:
    """Write PubMed's text."""
    return "\n\n".join(
        f"{n}. J Ice. 2020 May;1(1):2.\n\n{t}.\n\nDoe J.\n\n{a}\n\nPMID: {n}\n"
        for n, (t, a) in enumerate(papers, 1)
    )


def titled(papers: Papers) -> str:
    """Write a listing with titles over the abstracts."""
    return "\n\n".join(f"{title}\n\n{text}" for title, text in papers)


WRITERS: dict[str, Callable[[Papers], str]] = {
    "bibtex": lambda ps: "\n".join(f"@misc{{k, title={{{t}}},\n abstract = {{{a}}}}}" for t, a in ps),
    "ris": lambda ps: "\n".join(f"TY  - JOUR\nTI  - {t}\nAB  - {a}\nER  - \n" for t, a in ps),
    "enw": lambda ps: "\n".join(f"%0 Journal Article\n%T {t}\n%X {a}\n" for t, a in ps),
    "medline": medline,
    "ovid": lambda ps: "\n".join(f"<{n}>\nTitle\n  {t}\nAbstract\n  {a}\n" for n, (t, a) in enumerate(ps, 1)),
    "cochrane": lambda ps: "\n".join(f"Record #{n} of 9\nTI: {t}\nAB: {a}\n" for n, (t, a) in enumerate(ps, 1)),
    "refworks": lambda ps: "\n".join(f"RT Journal Article\nT1 {t}\nAB {a}\n" for t, a in ps),
    "wos": wos,
    "wos-tab": lambda ps: "\n".join(["PT\tAU\tTI\tSO\tAB", *(f"J\tDoe\t{t}\tIce\t{a}" for t, a in ps)]),
    "pubmed-text": pubmed_text,
    "csv": lambda ps: "\n".join(["Title;Abstract", *(f'"{t}";"{a}"' for t, a in ps)]),
    "json": lambda ps: "\n".join(json.dumps({"title": t, "abstract": a}) for t, a in ps),
}  # fmt: skip


@cache
def _known() -> int:
    return len(readers())


def run(data: bytes, **options: object) -> tuple[list[object], FileReport]:
    """Read bytes from standard input; return the items and the report."""
    reports: list[FileReport] = []
    items = list(read(["-"], stdin=io.BytesIO(data), on_file=reports.append, **options))  # type: ignore[arg-type]
    (report,) = reports
    return list(items), report


@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(papers=PAPERS)
def test_every_paper_of_a_whole_file_is_a_record(name: str, papers: Papers) -> None:
    """Counted on both sides, and the format is found from the content."""
    assert _known()
    items, report = run(WRITERS[name](papers).encode())
    assert report.format == name
    assert [(item.title, item.text) for item in items if isinstance(item, Record)] == papers
    assert (report.records, report.rejected) == (len(papers), 0)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(papers=st.lists(TEXT, min_size=1, max_size=12, unique=True))
def test_every_abstract_of_a_listing_is_a_record(papers: list[str]) -> None:
    """The main entrance: text parted by blank lines."""
    items, report = run("\n\n".join(papers).encode(), format="listing")
    assert [item.text for item in items if isinstance(item, Record)] == papers
    assert (report.records, report.rejected) == (len(papers), 0)


@pytest.mark.parametrize("name", [*WRITERS, "listing"])
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(papers=PAPERS, data=st.data())
def test_a_damaged_file_is_read_to_its_end(name: str, papers: Papers, data: st.DataObject) -> None:
    """Cut, flipped, doubled and spliced: no reader fails, and what it gives is what it counts."""
    damaged = bytearray((WRITERS.get(name, titled))(papers).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(damaged)))
        what = data.draw(st.sampled_from(["cut", "flip", "double", "insert"]))
        if what == "cut" and place:
            del damaged[place:]
        elif what == "flip" and place < len(damaged):
            damaged[place] ^= data.draw(st.integers(1, 255))
        elif what == "double":
            damaged[place:place] = damaged[place : place + 50]
        else:
            damaged[place:place] = data.draw(
                st.sampled_from(
                    [b'"', b"{", b"}", b"\n", b"\r", b"\x00", b"\xff\xfe", b"@", b"<", b"\\"]
                )
            )
    if not damaged.strip(b" \t\r\n\x00"):
        return
    items, report = run(bytes(damaged) + b"\nend of file", format=name)
    assert (report.records, report.rejected) == (
        sum(isinstance(item, Record) for item in items),
        sum(not isinstance(item, Record) for item in items),
    )
    assert len(items) == report.blocks > 0
    for item in items:
        json.dumps(getattr(item, "text", "") + getattr(item, "title", "")).encode()
        assert "failed, and the rest" not in getattr(item, "reason", "")
        assert "reading it failed" not in getattr(item, "reason", "")
