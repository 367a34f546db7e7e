"""Saved listings: every layout gives the same papers, and nothing vanishes."""

import textwrap
from collections.abc import Callable

import pytest

from kg.model.record import Identifiers, Person, Record, Rejected
from kg.sources.listing import read_listing
from kg.sources.reader import Note
from tests.sources.listings import PAPERS, Paper, wrapped

Layout = Callable[[int, Paper], str]


def read(text: str) -> tuple[list[Record], list[Rejected], list[str]]:
    """Return records, rejections and notes."""
    items = list(read_listing(text.split("\n")))
    return (
        [item for item in items if isinstance(item, Record)],
        [item for item in items if isinstance(item, Rejected)],
        [item.text for item in items if isinstance(item, Note)],
    )


def flat(text: str) -> str:
    """Return the text without line ends and doubled blanks."""
    return " ".join(text.split())


def listing(layout: Layout, between: str = "\n\n") -> str:
    """Print every paper in a layout."""
    return between.join(layout(number, paper) for number, paper in enumerate(PAPERS, start=1))


def indented(_: int, paper: Paper) -> str:
    """Print a paper with every line indented."""
    return wrapped(paper.text, first="    ", rest="    ")


UNTITLED: dict[str, tuple[Layout, str]] = {
    "one line each": (lambda _, p: p.text, "\n\n"),
    "hard-wrapped": (lambda _, p: wrapped(p.text), "\n\n"),
    "many blank lines": (lambda _, p: wrapped(p.text), "\n\n\n \n"),
    "indented": (indented, "\n\n"),
    "first lines indented": (lambda _, p: wrapped(p.text, first="    "), "\n"),
    "hanging indents": (lambda _, p: wrapped(p.text, rest="    "), "\n"),
    "1.": (lambda n, p: f"{n}. {p.text}", "\n\n"),
    "[1]": (lambda n, p: wrapped(f"[{n}] {p.text}", rest="    "), "\n\n"),
    "(1) without blank lines": (lambda n, p: wrapped(f"({n}) {p.text}"), "\n"),
    "bullets": (lambda _, p: f"- {p.text}", "\n"),
    "stars": (lambda _, p: wrapped(f"* {p.text}", rest="  "), "\n"),
    "dashed rules": (lambda _, p: wrapped(p.text), "\n-----\n"),
    "starred rules": (lambda _, p: wrapped(p.text), "\n\n***\n\n"),
    "a sentence a line": (lambda _, p: p.text.replace(". ", ".\n"), "\n\n"),
}
TITLED: dict[str, tuple[Layout, str]] = {
    "title line": (lambda _, p: f"{p.title}\n{p.text}", "\n\n"),
    "title line, wrapped": (lambda _, p: f"{wrapped(p.title, 40)}\n{wrapped(p.text)}", "\n\n"),
    "title block": (lambda _, p: f"{p.title}\n\n{wrapped(p.text)}", "\n\n"),
    "numbered titles": (lambda n, p: f"{n}. {p.title}\n{wrapped(p.text)}", "\n\n"),
    "numbered title blocks": (lambda n, p: f"{n}. {p.title}\n\n{wrapped(p.text)}", "\n\n"),
    "## title": (lambda _, p: f"## {p.title}\n\n{p.text}", "\n\n"),
    "underlined title": (lambda _, p: f"{p.title}\n{'=' * 20}\n\n{p.text}", "\n\n"),
    "**title**": (lambda _, p: f"**{p.title}**\n{p.text}", "\n\n"),
    "- **title**: text": (lambda _, p: f"- **{p.title}**: {p.text}", "\n"),
    "linked title": (lambda n, p: f"{n}. [{p.title}](https://x.org/{n})\n   {p.text}", "\n\n"),
    "Title: Abstract:": (lambda _, p: f"Title: {p.title}\nAbstract: {p.text}", "\n\n"),
    "bold labels": (lambda _, p: f"**Title:** {p.title}\n**Abstract:** {p.text}", "\n\n"),
    "labels without blank lines": (lambda _, p: f"Title: {p.title}\nAbstract: {p.text}", "\n"),
    "Abstract heading": (lambda _, p: f"{p.title}\n\nAbstract\n\n{p.text}", "\n\n---\n\n"),
}
SIGNED: dict[str, tuple[Layout, str]] = {
    "title, names": (lambda _, p: f"{p.title}\n{p.authors}\n\n{p.text}", "\n\n"),
    "title, names, wrapped": (lambda _, p: f"{p.title}\n{p.authors}\n{wrapped(p.text)}", "\n\n"),
    "three blocks": (lambda _, p: f"{p.title}\n\n{p.authors}\n\n{p.text}", "\n\n"),
    "labels": (
        lambda _, p: f"Title: {p.title}\nAuthors: {p.authors}\nAbstract: {wrapped(p.text)}",
        "\n\n",
    ),
    "labels in blocks": (
        lambda _, p: f"Title: {p.title}\n\nAuthors: {p.authors}\n\nAbstract:\n{wrapped(p.text)}",
        "\n\n",
    ),
    "arXiv's new listing": (
        lambda n, p: (
            f"[{n}] arXiv:2501.0000{n} [pdf, html, other]\nTitle: {p.title}\n{p.authors}\n"
            f"Comments: {n} pages\nSubjects: Robotics (cs.RO); Penguins (q-bio.PE)\n{p.text}"
        ),
        "\n",
    ),
    "arXiv's mail": (
        lambda n, p: (
            f"{'-' * 78}\n\\\\\narXiv:2501.0000{n}\nDate: Fri, 3 Jan 2025 00:00:00 GMT   (12kb)\n\n"
            f"{wrapped(f'Title: {p.title}', 40, rest='  ')}\nAuthors: {p.authors}\n"
            f"Categories: cs.RO\n\\\\\n{wrapped(p.text, 78, first='  ')}\n"
            f"\\\\ ( https://arxiv.org/abs/2501.0000{n} ,  12kb)"
        ),
        "\n",
    ),
    "arXiv's search": (
        lambda n, p: (
            f"arXiv:2501.0000{n}  [pdf, other]  cs.RO\n{p.title}\nAuthors: {p.authors}\n"
            f"Abstract: {p.text} △ Less\n"
            "Submitted 3 January, 2025; originally announced January 2025."
        ),
        "\n",
    ),
}
HEADINGS = ("", "Papers on walking, 3 May 2025\n\n", "Papers on walking, 3 May 2025\n")


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize("name", UNTITLED)
def test_abstracts_are_parted_in_any_layout(name: str, heading: str) -> None:
    """No neighbour is swallowed, no first sentence taken for a title, and offsets hold."""
    layout, between = UNTITLED[name]
    if "without blank lines" in name and heading.endswith("25\n"):
        heading += "\n"  # a heading stands on its own over a list without blank lines
    text = heading + listing(layout, between)
    records, rejected, _ = read(text)
    assert [flat(record.text) for record in records] == [paper.text for paper in PAPERS]
    assert [record.title for record in records] == [""] * len(PAPERS)
    assert all(record.text in text for record in records)
    expected = [flat(heading)] if heading else []
    assert [flat(item.raw) for item in rejected] == expected


@pytest.mark.parametrize("name", [*TITLED, *SIGNED])
def test_titles_stand_apart_from_abstracts(name: str) -> None:
    """A title is read as one, and never as a part of the text."""
    layout, between = {**TITLED, **SIGNED}[name]
    text = listing(layout, between)
    records, rejected, _ = read(text)
    assert [(record.title, flat(record.text)) for record in records] == [
        (paper.title, paper.text) for paper in PAPERS
    ]
    assert all(record.text in text for record in records)
    assert rejected == []


@pytest.mark.parametrize("name", SIGNED)
def test_authors_are_read_from_listings(name: str) -> None:
    """People ask for an author's papers."""
    layout, between = SIGNED[name]
    records, _, _ = read(listing(layout, between))
    assert [record.authors for record in records] == [
        (Person("Wanderer", "Anna"), Person("Strider", "Bo K.")),
        (Person("Glider", "Carla"),),
        (Person("Roller", "Dmitri"), Person("Sledge", "Eva"), Person("Hover", "Femi")),
        (Person("Tumble", "Gil"), Person("Drop", "Hana")),
    ]


def test_lines_point_to_the_file() -> None:
    """A user must find the paper again."""
    records, _, _ = read("Heading\n\n" + listing(UNTITLED["hard-wrapped"][0]))
    lines = ["", *("Heading\n\n" + listing(UNTITLED["hard-wrapped"][0])).split("\n")]
    assert [lines[record.line] for record in records] == [
        record.text.split("\n")[0] for record in records
    ]


def test_section_headings_are_listed_as_rejected() -> None:
    """A heading is no paper, but nothing vanishes."""
    texts = [paper.text for paper in PAPERS]
    records, rejected, _ = read("\n\n".join(["Ice", *texts[:2], "Snow and Leaves", *texts[2:]]))
    assert [record.text for record in records] == texts
    assert [(item.line, item.raw) for item in rejected] == [(1, "Ice"), (7, "Snow and Leaves")]
    assert all(item.reason for item in rejected)


def test_repeated_abstracts_are_counted() -> None:
    """A page saved twice doubles its papers; matching joins them, the note says so."""
    texts = [paper.text for paper in PAPERS]
    records, _, notes = read("\n\n".join([*texts, wrapped(texts[0])]))
    assert len(records) == 5
    assert notes == ["1 abstract repeats an earlier one (line 9)"]


def test_identifiers_of_an_entry_are_its_own() -> None:
    """Addresses and DOIs under an abstract name it; those within it may name others."""
    first, second = PAPERS[0].text, f"{PAPERS[2].text} It extends arXiv:2401.00009."
    records, rejected, _ = read(
        f"{PAPERS[0].title}\n\n{first}\n\nDOI: 10.1000/Walk.1\nhttps://x.org/a\n\n"
        f"{PAPERS[2].title}\n\n{second}\n\nKeywords: ice; robots\n"
    )
    assert rejected == []
    assert [record.ids for record in records] == [Identifiers(doi="10.1000/walk.1"), Identifiers()]
    assert records[0].urls == ("https://x.org/a",)
    assert records[1].topics == ("ice", "robots")
    assert records[1].text == second


def test_a_structured_abstract_in_several_blocks_is_one_paper() -> None:
    """Its sections are no papers."""
    sections = "Background: Ice is slippery and cold.\n\nMethods: We walked on it for days.\n\n"
    sections += "Results: We fell 12 times."
    records, rejected, _ = read(f"{PAPERS[0].text}\n\n{sections}\n\n{PAPERS[3].text}")
    assert [record.text for record in records] == [PAPERS[0].text, sections, PAPERS[3].text]
    assert rejected == []


def test_an_enumeration_in_an_abstract_does_not_cut_it() -> None:
    """(1) and (2) at the start of lines are points of one text."""
    text = "We walk and give three things:\n(1) a map of the lake,\n(2) a list of all falls, and\n"
    text += "(3) a proof that ice is slippery. All three are new."
    records, _, _ = read(f"{text}\n\n{PAPERS[2].text}\n\n{PAPERS[3].text}")
    assert [record.text for record in records] == [text, PAPERS[2].text, PAPERS[3].text]


def test_scholar_results_keep_title_and_snippet() -> None:
    """A page of Google Scholar, copied from the browser."""
    text = "".join(
        f"[PDF] {paper.title}\nA Wanderer, B Strider… - Journal of Ice, 2019 - example.org\n"
        f"{paper.text[:150]} …\nSave Cite Cited by 12 Related articles All 3 versions\n\n"
        for paper in PAPERS
    )
    records, rejected, _ = read(text)
    assert [(r.title, r.text, r.year, r.venue) for r in records] == [
        (paper.title, f"{paper.text[:150]} …", 2019, "Journal of Ice") for paper in PAPERS
    ]
    assert rejected == []


def test_a_short_abstract_is_a_paper() -> None:
    """One sentence can be all there is."""
    records, rejected, _ = read(f"{PAPERS[0].text}\n\nWe prove that ice is always slippery.")
    assert [record.text for record in records][1] == "We prove that ice is always slippery."
    assert rejected == []


def test_copyright_and_heads_are_cut_and_kept_in_the_original() -> None:
    """They are printed with the abstract but are no part of it."""
    text = PAPERS[0].text
    records, _, _ = read(f"Abstract: {text} © 2021 Elsevier B.V. All rights reserved.")
    assert (records[0].text, records[0].title) == (text, "")
    assert records[0].original == f"{text} © 2021 Elsevier B.V. All rights reserved."


def test_a_long_listing_keeps_its_layout_to_the_end() -> None:
    """Files are read in windows; no paper may fall between two."""
    many = [
        f"{n}. Walk {n} on Ice\n{paper.text} It was walk {n}."
        for n in range(1, 701)
        for paper in PAPERS[:1]
    ]
    records, rejected, _ = read("\n\n".join(many))
    assert [record.title for record in records] == [f"Walk {n} on Ice" for n in range(1, 701)]
    assert [record.text.split()[-1] for record in records] == [f"{n}." for n in range(1, 701)]
    assert rejected == []


def test_a_title_longer_than_the_column_of_its_abstract_is_a_title() -> None:
    """Abstracts are wrapped by one program and titles by none."""
    title = (
        "A Long Title of a Paper on Penguins That No Program Ever Broke at Any Column Whatsoever"
    )
    text = "\n\n".join(f"{title} {n}\n{textwrap.fill(p.text, 60)}" for n, p in enumerate(PAPERS))
    records, rejected, _ = read(text)
    assert [record.title for record in records] == [f"{title} {n}" for n in range(len(PAPERS))]
    assert [flat(record.text) for record in records] == [paper.text for paper in PAPERS]
    assert rejected == []


def test_one_long_line_each_is_one_abstract_each() -> None:
    """A column of abstracts copied out of a table has no blank lines."""
    longer = [f"{p.text} {p.text.replace('penguin', 'auk')} {p.text}" for p in PAPERS] * 2
    records, rejected, _ = read("\n".join(f"{text} No. {n}." for n, text in enumerate(longer)))
    assert [record.text for record in records] == [f"{t} No. {n}." for n, t in enumerate(longer)]
    assert rejected == []


def test_a_line_longer_than_any_abstract_is_listed() -> None:
    """A dump without line ends must neither fill the memory nor become a paper."""
    records, rejected, _ = read(
        f"{PAPERS[0].text}\n\n{'ice and snow, ' * 40_000}\n\n{PAPERS[3].text}"
    )
    assert [record.text for record in records] == [PAPERS[0].text, PAPERS[3].text]
    assert [(item.line, item.reason) for item in rejected] == [
        (3, "a line longer than any abstract")
    ]


@pytest.mark.parametrize("between", ["\n", "\n\n", "\nAnna Wanderer, Bo K. Strider\n"])
def test_titles_may_start_with_words_of_menus_and_of_abstracts(between: str) -> None:
    """A paper called Search-R1 is no search box, and a capitalised "Most Models ..." no sentence."""
    titles = [
        "Search-R1: Training Models to Search",
        "Next Token Prediction Is Not Enough",
        "Home Robots That Find Lost Things",
        "Filter Before You Train: Cleaner Pairs",
        "Most Penguins Can Be Dancers Too",
    ]
    texts = [f"{paper.text} Study {i}." for i, paper in enumerate((*PAPERS, *PAPERS)[:5])]
    page = "\n\n".join(f"{a}{between}{b}" for a, b in zip(titles, texts, strict=True))
    records, rejected, _ = read(page)
    assert [(record.title, record.text) for record in records] == list(
        zip(titles, texts, strict=True)
    )
    assert rejected == []


@pytest.mark.parametrize(
    "line",
    ["Home | Search | Next", "Previous 1 2 3 Next", "Filter by year", "Export citations", "Log in"],
)
def test_menus_are_no_titles(line: str) -> None:
    """What a page offers to click is told from what it lists."""
    first, second = PAPERS[:2]
    records, rejected, _ = read(
        f"{first.title}\n\n{first.text}\n\n{line}\n\n{second.title}\n\n{second.text}"
    )
    assert [record.title for record in records] == [first.title, second.title]
    assert [(block.reason, block.raw) for block in rejected] == [
        ("part of the page, not a paper", line)
    ]


def test_the_head_of_a_mailed_listing_is_no_paper() -> None:
    """It ends as a sentence does, and names no finding."""
    head = "Send any comments regarding submissions directly to submitter."
    records, rejected, _ = read(f"{head}\n-----\n{PAPERS[0].title}\n\n{PAPERS[0].text}")
    assert [record.text for record in records] == [PAPERS[0].text]
    assert [block.raw for block in rejected] == [head]


def test_an_alert_by_mail_keeps_its_buttons_out_of_the_snippet() -> None:
    """Google Scholar prints them under every paper."""
    page = "\n\n".join(
        f"{paper.title}\n{paper.authors}\n{paper.text}\nSave  Twitter  LinkedIn  Facebook"
        for paper in PAPERS
    )
    assert [record.text for record in read(page)[0]] == [paper.text for paper in PAPERS]


def test_paragraphs_under_a_title_with_authors_are_one_abstract() -> None:
    """A saved page may part the paragraphs of an abstract as it parts papers."""
    page = "\n\n".join(
        f"{paper.title}\n{paper.authors}\n\n"
        + "\n\n".join((paper.text, f"It took {i} winters in all, and many falls on thin ice."))
        for i, paper in enumerate(PAPERS[:3], start=2)
    )
    records, rejected, _ = read(page)
    assert [(record.title, record.text) for record in records] == [
        (paper.title, f"{paper.text}\n\nIt took {i} winters in all, and many falls on thin ice.")
        for i, paper in enumerate(PAPERS[:3], start=2)
    ]
    assert rejected == []


def test_the_number_of_a_heading_is_no_part_of_the_title() -> None:
    """Else the same paper from another source looks like another part of a series."""
    titles = ["3D Scenes of Ice", "1.58 Bits Are Enough for Ice", "Ice at Night"]
    page = "# Reading list\n\n" + "\n\n".join(
        f"## {i}. [{title}](https://example.org/{i})\n\n{paper.text}"
        for i, (title, paper) in enumerate(zip(titles, PAPERS, strict=False), start=1)
    )
    assert [record.title for record in read(page)[0]] == titles
    plain = "\n\n".join(
        f"## {title}\n\n{paper.text}" for title, paper in zip(titles, PAPERS, strict=False)
    )
    assert [record.title for record in read(plain)[0]] == titles


def test_the_address_of_the_page_ends_a_labelled_abstract() -> None:
    """That of the code, which the authors gave, stays in it."""
    page = "\n---\n".join(
        f"Title: {paper.title}\nAuthors: {paper.authors}\nAbstract: {paper.text}\n"
        f"Code: https://example.org/code\nURL: https://example.org/{i}"
        for i, paper in enumerate(PAPERS, start=1)
    )
    assert [record.text for record in read(page)[0]] == [
        f"{paper.text}\nCode: https://example.org/code" for paper in PAPERS
    ]


def test_short_abstracts_are_not_the_titles_of_longer_ones() -> None:
    """One of one sentence may come before one of two, again and again."""
    short = [f"We walk on ice of {n} lakes and fall on most of them." for n in range(2, 5)]
    pairs = [(text, f"{text} We walk on snow, and fall there less often.") for text in short]
    papers = [text for pair in pairs for text in pair]
    assert [record.text for record in read("\n\n".join(papers))[0]] == papers
