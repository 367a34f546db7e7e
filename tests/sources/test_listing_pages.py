"""Listings as people save them: pages copied from services, notes, mails, chats, pages of a PDF."""

import pytest

from kg.model.record import Record, Rejected
from kg.sources.listing import read_listing
from kg.sources.reader import Sample
from kg.sources.registry import readers
from tests.sources.listings import PAPERS, wrapped

TITLES = [paper.title for paper in PAPERS]
TEXTS = [paper.text for paper in PAPERS]
LINKS = [f"https://arxiv.org/abs/2501.0000{n}" for n in range(1, 5)]


def read(text: str) -> tuple[list[Record], list[Rejected]]:
    """Return records and rejections, and check that they stand in the order of the file."""
    items = list(read_listing(text.split("\n")))
    records = [item for item in items if isinstance(item, Record)]
    rejected = [item for item in items if isinstance(item, Rejected)]
    lines = [item.line for item in items if isinstance(item, Record | Rejected)]
    assert lines == sorted(lines)
    return records, rejected


def flat(text: str) -> str:
    """Return the text on one line."""
    return " ".join(text.split())


def sample_of(text: str) -> Sample:
    """The start of a file that holds the text."""
    return Sample("saved.txt", text.encode(), text, whole=True)


def quoted(text: str) -> str:
    """Mark every line as mail programs mark what they answer."""
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


SAVED = {
    "ACL Anthology": [f"pdf bib abs\n{p.title}\n{p.authors}\n{p.text}" for p in PAPERS],
    "Semantic Scholar": [
        f"{p.title}\n{p.authors}\nComputer Science\n·\nICML\n·\n3 May 2024\nTLDR\n{p.text}\nExpand\n7"
        f"\n[PDF]\n·\nSemantic Reader\n\nSave\nAlert\nCite"
        for p in PAPERS
    ],
    "a daily page": [
        f"Submitted by user{n}\n{n}\n\n{p.title}\n{p.authors}\n\n· 3 authors\n\n{p.text}"
        for n, p in enumerate(PAPERS)
    ],
    "a Slack digest": [
        f"*<{link}|{p.title}>*\n_{p.authors}_\n> {p.text}"
        for p, link in zip(PAPERS, LINKS, strict=True)
    ],
    "a quoted mail": [quoted(f"{p.title}\n\n{wrapped(p.text)}") for p in PAPERS],
    "notes with properties": [
        f"### [[{p.title}]]\n- authors:: {p.authors}\n- link:: {link}\n- status:: #toread\n\n{p.text}"
        for p, link in zip(PAPERS, LINKS, strict=True)
    ],
    "boxes to tick": [f"- [ ] **{p.title}** — {p.authors}\n\n    {p.text}" for p in PAPERS],
    "bullets within bullets": [f"* {p.title}\n    * {p.authors}\n    * {p.text}" for p in PAPERS],
    "letters": [f"({'abcd'[n]}) {p.title}\n{wrapped(p.text)}" for n, p in enumerate(PAPERS)],
    "Roman numbers": [
        f"{('I', 'II', 'III', 'IV')[n]}. {p.title}\n{wrapped(p.text)}" for n, p in enumerate(PAPERS)
    ],
    "numbers with a sign": [f"#{n} {p.title}\n{p.text}" for n, p in enumerate(PAPERS, start=1)],
    "a programme": [
        f"09:{n}0 - 09:{n}5\n{p.title}\n{p.authors}\n{p.text}" for n, p in enumerate(PAPERS)
    ],
    "days": [f"Tue, {n} May 2025\n{p.title}\n{p.text}" for n, p in enumerate(PAPERS, start=6)],
    "a messenger": [
        f"[05/05/2025, 09:1{n}:00] Anna: {p.title}\n{p.text}\n{LINKS[n]}"
        for n, p in enumerate(PAPERS)
    ],
    "references before abstracts": [
        f'{p.authors}. "{p.title}." Journal of Ice 3 (2024).\nAbstract: {p.text}' for p in PAPERS
    ],
    "index terms": [
        f"{p.title}\n{p.authors}\nAbstract—{p.text}\nIndex Terms—ice, falls" for p in PAPERS
    ],
    "LaTeX": [
        f"\\section*{{{p.title}}}\n\\begin{{abstract}}\n{wrapped(p.text)}\n\\end{{abstract}}"
        for p in PAPERS
    ],
    "pages": [
        f"Proceedings of the Workshop on Ice\n{p.title}\n{p.authors}, Ida Frost\n\nAbstract\n{wrapped(p.text)}"
        f"\n\n{101 + n}\n\f"
        for n, p in enumerate(PAPERS)
    ],
    "titles under abstracts": [f"{p.text}\n\n{p.title}" for p in PAPERS],
    "titles as sources": [f"{p.text}\n— {p.title}" for p in PAPERS],
}


@pytest.mark.parametrize("name", SAVED)
def test_titles_and_abstracts_come_out_of_what_people_save(name: str) -> None:
    """Buttons, counts, marks and running heads are neither titles nor parts of a text."""
    records, rejected = read("\n\n".join(SAVED[name]).replace("\f\n\n", "\f"))
    assert [record.title for record in records] == TITLES
    assert [flat(record.text) for record in records] == TEXTS
    assert {item.reason for item in rejected} <= {"part of the page, not a paper"}


@pytest.mark.parametrize("rule", ["⸻", "---8<---", "%%%%%%", "///////", "- - - -"])
def test_every_drawn_line_parts_papers(rule: str) -> None:
    """It is neither a title nor the end of a text."""
    records, rejected = read(f"\n{rule}\n".join(f"{p.title}\n{wrapped(p.text)}" for p in PAPERS))
    assert [(record.title, flat(record.text)) for record in records] == [
        (paper.title, paper.text) for paper in PAPERS
    ]
    assert rejected == []


def test_the_original_of_a_quoted_text_keeps_its_marks() -> None:
    """The text reads as it was written, and what the file said is kept beside it."""
    (record,), _ = read(quoted(wrapped(TEXTS[0])))
    assert record.text == wrapped(TEXTS[0])
    assert record.original == quoted(wrapped(TEXTS[0]))


@pytest.mark.parametrize("titled", [True, False])
@pytest.mark.parametrize("width", [72, 10_000])
def test_a_missing_blank_line_does_not_make_one_paper_of_two(titled: bool, width: int) -> None:
    """The block is twice as long as the others, and a line in it ends where none had to."""
    blocks = [(f"{p.title}\n" if titled else "") + wrapped(p.text, width) for p in PAPERS]
    records, rejected = read(f"{blocks[0]}\n\n{blocks[1]}\n{blocks[2]}\n\n{blocks[3]}")
    assert [flat(record.text) for record in records] == TEXTS
    assert [record.title for record in records] == (TITLES if titled else [""] * 4)
    assert rejected == []


def test_an_abstract_goes_on_behind_a_page_number_and_a_running_head() -> None:
    """What the page says between its halves is listed and not part of the text."""
    lines = wrapped(TEXTS[0], 60).split("\n")
    head, tail = "\n".join(lines[:3]), "\n".join(lines[3:])
    others = [f"{p.title}\n{p.authors}, Ida Frost\n\n{wrapped(p.text, 60)}" for p in PAPERS[1:]]
    text = f"{TITLES[0]}\n{PAPERS[0].authors}\n\n{head}\n\n17\n\fIce and Snow, 2025\n\n{tail}"
    records, rejected = read("\n\n".join([text, *others]))
    assert [(record.title, flat(record.text)) for record in records] == [
        (paper.title, paper.text) for paper in PAPERS
    ]
    assert [(item.line, item.reason) for item in rejected] == [
        (8, "part of the page, not a paper"),
        (9, "part of the page, not a paper"),
    ]


def test_a_list_of_addresses_names_a_paper_a_line() -> None:
    """An address of which no paper is known is listed by itself."""
    records, rejected = read("\n".join([*LINKS, "https://doi.org/10.1000/xyz", "https://x.org/"]))
    assert [record.ids.arxiv for record in records] == [*(link[-10:] for link in LINKS), ""]
    assert [record.ids.doi for record in records] == ["", "", "", "", "10.1000/xyz"]
    assert [(item.line, item.reason) for item in rejected] == [(6, "an address of no paper")]


def test_tags_left_of_a_page_are_no_part_of_titles_and_texts() -> None:
    """The file is still plain text; the original keeps what it said."""
    text = "\n\n".join(f"<b>{p.title}</b><br>\n{p.text} R&amp;D follows.<br/>" for p in PAPERS)
    sample = sample_of(text)
    assert readers()["listing"].sniff(sample) > 0
    records, rejected = read(text)
    assert [record.title for record in records] == TITLES
    assert [record.text for record in records] == [f"{text} R&D follows." for text in TEXTS]
    assert records[0].original == f"{TEXTS[0]} R&amp;D follows.<br/>"
    assert rejected == []


def test_a_note_that_opens_with_properties_is_plain_text() -> None:
    """They are YAML, and the file is not."""
    note = "---\ntags: [ice]\ncreated: 2025-05-06\n---\n\n" + "\n\n".join(SAVED["a messenger"])
    assert readers()["listing"].sniff(sample_of(note)) > 0
    assert readers()["listing"].sniff(sample_of("---\nreferences:\n- id: a\n  title: b\n")) == 0


def test_a_menu_of_many_words_is_no_abstract() -> None:
    """Thirty words of navigation have no sentence among them."""
    head = (
        "Robotics\nAuthors and titles for recent submissions\n\nSee today's new changes\n"
        "Total of 412 entries : 1-50 51-100 101-150 151-200\n"
        "Showing up to 50 entries per page: fewer | more | all\n\n"
    )
    body = "\n\n".join(
        f"[{n}] arXiv:2501.0000{n} [pdf, html, other]\nTitle: {p.title}\n{p.authors}"
        for n, p in enumerate(PAPERS, start=1)
    )
    records, _ = read(head + body)
    assert [(record.title, record.text) for record in records] == [(t, "") for t in TITLES]


def test_a_repeated_title_is_no_running_head() -> None:
    """One paper that stands in a listing three times has its title three times."""
    block = f"{TITLES[0]}\n{wrapped(TEXTS[0])}"
    records, _ = read("\n\n".join([block] * 3))
    assert [record.title for record in records] == [TITLES[0]] * 3


def test_numbers_and_signs_within_a_text_stay() -> None:
    """A wrapped line may hold a number alone, and start with > or a year."""
    text = (
        "We let penguins walk on ice for some days and count their falls in every year from\n"
        "2019\nto 2024. Birds with p\n> 0.9 fell more often than any of the others did by\n12."
    )
    (record,), rejected = read(text)
    assert (record.text, rejected) == (text, [])


def test_a_title_in_small_letters_is_no_end_of_the_text_before() -> None:
    """Only behind the end of a page does a small letter go on with what was broken off."""
    first, second = TEXTS[0].removesuffix("."), f"xWalk, a report\n{TEXTS[1]}"
    blocks = [f"{TITLES[0]}\n{first}", second, *(f"{p.title}\n{p.text}" for p in PAPERS[2:])]
    records, _ = read("\n\n".join(blocks))
    assert [record.title for record in records] == [TITLES[0], "xWalk, a report", *TITLES[2:]]
