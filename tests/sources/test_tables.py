"""Tables of any service: columns mapped by name or by the user, and no row lost."""

import io
import json
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kg.errors import InputError
from kg.model.record import Identifiers, Person, Record, Reference, Rejected
from kg.sources.delimited import read_csv
from kg.sources.json_rows import read_json
from kg.sources.parquet import read_parquet
from kg.sources.reader import Item, Note, Sample
from kg.sources.registry import choose, readers

LONG = "We walk on ice for many days, and fall often, since ice is slippery. "


def split(items: Iterator[Item]) -> tuple[list[Record], list[Rejected], str]:
    """Return records, rejections and the notes as one text."""
    found = list(items)
    return (
        [item for item in found if isinstance(item, Record)],
        [item for item in found if isinstance(item, Rejected)],
        "; ".join(item.text for item in found if isinstance(item, Note)),
    )


def test_columns_of_a_service_are_recognised() -> None:
    """A Scopus export, with its author numbers, several keyword columns and references."""
    lines = [
        (
            '"Authors","Author full names","Title","Year","Source title","DOI","Link","Abstract",'
            '"Author Keywords","Index Keywords","References","PubMed ID","ISBN",'
            '"Language of Original Document","Document Type","EID"'
        ),
        (
            '"Wanderer A.; Strider B.K.","Wanderer, Anna (601234567); Strider, Bo K. (7123456)",'
            '"On Ice",2019,"Journal of Ice","10.1000/ICE","https://x.org/r?eid=2-s2.0-85123",'
            '"We walk. © 2019 Elsevier","ice; snow","Ice; cold","Drop H., Falls, (2001) J. Ice, 3, p. 4;'
            ' Tumble G., Falls II, (2002) J. Ice, 10.1000/f2",123,"9780306406157","English","Article",'
            '"2-s2.0-85123"'
        ),
    ]
    records, rejected, note = split(read_csv(lines))
    assert rejected == []
    assert records == [
        Record(
            title="On Ice",
            text="We walk.",
            original="We walk. © 2019 Elsevier",
            authors=(Person("Wanderer", "Anna"), Person("Strider", "Bo K.")),
            year=2019,
            date="2019",
            venue="Journal of Ice",
            ids=Identifiers(doi="10.1000/ice", pmid="123", scopus="2-s2.0-85123"),
            isbns=("9780306406157",),
            urls=("https://x.org/r?eid=2-s2.0-85123",),
            topics=("ice", "snow", "Ice", "cold"),
            references=(
                Reference(raw="Drop H., Falls, (2001) J. Ice, 3, p. 4"),
                Reference(
                    raw="Tumble G., Falls II, (2002) J. Ice, 10.1000/f2",
                    ids=Identifiers(doi="10.1000/f2"),
                ),
            ),
            language="English",
            kind="Article",
            line=2,
        )
    ]
    assert "title = Title, abstract = Abstract, authors = Authors or Author full names" in note


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter: str) -> None:
    """Excel writes semicolons where commas are decimal."""
    lines = [
        delimiter.join(row) for row in (["Title", "Abstract", "Year"], ["On Ice", "Cold.", "2019"])
    ]
    assert [(r.title, r.text, r.year) for r in split(read_csv(lines))[0]] == [
        ("On Ice", "Cold.", 2019)
    ]


def test_the_user_maps_columns_that_no_guess_finds() -> None:
    """`--map abstract=Plain words` wins over every guess."""
    lines = ["Headline,Plain words,Abstract", "On Ice,We walk.,no"]
    records, _, note = split(read_csv(lines, {"title": "Headline", "abstract": "Plain words"}))
    assert [(record.title, record.text) for record in records] == [("On Ice", "We walk.")]
    assert note == "columns: title = Headline, abstract = Plain words; not used: Abstract"
    with pytest.raises(InputError, match="no field abstrakt"):
        list(read_csv(lines, {"abstrakt": "Headline"}))


def test_texts_are_found_by_what_they_are() -> None:
    """Home-made tables call their columns anything, or nothing."""
    rows = [f"{n},Walk number {n} on the ice,{LONG * 3}" for n in range(3)]
    for lines in (["Nr,Was,Worum", *rows], rows):
        quoted = [",".join(f'"{cell}"' for cell in line.split(",", 2)) for line in lines]
        records, rejected, _ = split(read_csv(quoted))
        assert [record.title for record in records] == [
            f"Walk number {n} on the ice" for n in range(3)
        ]
        assert {record.text for record in records} == {(LONG * 3).strip()}
        assert rejected == []


def test_a_lost_quote_costs_one_row() -> None:
    """It must not swallow the rest of the file."""
    lines = ["title,abstract", '"On Ice,"We walk.', 'On Snow,"We\nwalk."', 'Falls,"We fall."']
    lines = "\n".join(lines).split("\n")
    records, rejected, _ = split(read_csv(lines))
    assert [(r.title, r.text, r.line) for r in records] == [
        ("On Snow", "We walk.", 3),
        ("Falls", "We fall.", 5),
    ]
    assert [(item.line, item.raw) for item in rejected] == [(2, lines[1])]


def test_rows_of_another_width_are_listed() -> None:
    """An unquoted comma shifts every cell after it; of a short row the first cells can be trusted."""
    lines = [
        "title,abstract,year",
        "On Ice,Cold.,2019",
        "On Snow,White, wet.,2020",
        "Falls,2021",
        ",,",
    ]
    records, rejected, _ = split(read_csv(lines))
    assert [(record.title, record.text) for record in records] == [
        ("On Ice", "Cold."),
        ("Falls", ""),
    ]
    assert [(item.line, item.reason) for item in rejected] == [
        (3, "4 cells where the header has 3; is a quote missing?"),
    ]


def test_quotes_escaped_by_backslashes_are_read() -> None:
    r"""Some databases write \" where CSV doubles the quote."""
    lines = ["title,abstract", r'"On \"Ice\"","We walk, and \"fall\"."']
    records, _, _ = split(read_csv(lines))
    assert [(r.title, r.text) for r in records] == [('On "Ice"', 'We walk, and "fall".')]


def test_json_of_any_shape_is_mapped() -> None:
    """Lists of people as strings or objects, nested fields, lines that are broken."""
    rows = [
        {
            "paper": {"name": "x"},
            "title": "On Ice",
            "abstract": "Cold.",
            "authors": ["Anna Wanderer"],
        },
        {"title": "Falls", "summary": "We fall.", "authors": [{"first": "Bo", "last": "Strider"}]},
        {"nothing": 1},
    ]
    data = "\n".join([*(json.dumps(row) for row in rows), '{"title": "cut'])
    records, rejected, _ = split(read_json(io.BytesIO(data.encode())))
    assert [(r.title, r.text, r.authors, r.line) for r in records] == [
        ("On Ice", "Cold.", (Person("Wanderer", "Anna"),), 1),
        ("Falls", "We fall.", (Person("Strider", "Bo"),), 2),
    ]
    assert [item.line for item in rejected] == [3, 4]


def test_a_value_that_is_no_number_is_no_value() -> None:
    """Data frames write NaN where there is nothing; it must cost no row, let alone the file."""
    rows = (
        b'{"title": "One", "abstract": "We propose AlphaNet.", "year": NaN, "doi": NaN}\n'
        b'{"title": "Two", "abstract": NaN, "year": Infinity, "authors": NaN}\n'
        b'{"title": "Three", "abstract": "We propose BetaNet.", "year": 2021.0}\n'
    )
    found = [item for item in read_json(io.BytesIO(rows)) if not isinstance(item, Note)]

    assert [(r.title, r.text, r.year) for r in found if isinstance(r, Record)] == [
        ("One", "We propose AlphaNet.", None),
        ("Two", "", None),
        ("Three", "We propose BetaNet.", 2021),
    ]
    assert len(found) == 3


def test_nested_fields_can_be_mapped() -> None:
    """`--map abstract=paper.body`."""
    data = json.dumps([{"paper": {"head": "On Ice", "body": "Cold."}}]).encode()
    fields = {"title": "paper.head", "abstract": "paper.body"}
    records, _, _ = split(read_json(io.BytesIO(data), fields))
    assert [(record.title, record.text) for record in records] == [("On Ice", "Cold.")]


def test_parquet_is_read_in_batches() -> None:
    """Lists stay lists, numbers numbers, and nulls are nothing."""
    table = pa.table(
        {
            "title": ["On Ice", None],
            "abstract": ["Cold.", None],
            "year": [2019, None],
            "authors": [["Anna Wanderer", "Bo Strider"], None],
        }
    )
    target = io.BytesIO()
    pq.write_table(table, target)
    records, rejected, _ = split(read_parquet(io.BytesIO(target.getvalue())))
    assert [(r.title, r.text, r.year, r.authors) for r in records] == [
        ("On Ice", "Cold.", 2019, (Person("Wanderer", "Anna"), Person("Strider", "Bo")))
    ]
    assert [item.line for item in rejected] == [2]
    _, damaged, _ = split(read_parquet(io.BytesIO(target.getvalue()[:-20])))
    assert [item.reason.startswith("the Parquet file is damaged") for item in damaged] == [True]


def test_a_row_whose_last_cells_are_left_out_is_a_record() -> None:
    """Some programs write no more cells than are filled; half a row whose quote is missing is none."""
    rows = [
        "Title;Abstract;Year;DOI",
        "On Ice;We walk.;2019;",
        "Short;We fall.",
        'Broken;"We',
        "alone",
    ]
    records, rejected, notes = split(read_csv(rows))
    assert [item.title for item in records] == ["On Ice", "Short"]
    assert [item.raw for item in rejected] == ['Broken;"We', "alone"]
    assert "1 rows with fewer cells than the header has" in notes


def test_rows_pasted_from_a_spreadsheet_need_no_header() -> None:
    """Tabs part title, people and text; nothing else of the format tells that it is a table."""
    rows = [
        f"Long Walks on {place} in Winter\tAnn Lee, Bo Dyk\t{LONG * 3}It is {place.lower()}."
        for place in ("Ice", "Snow", "Rain")
    ]
    text = "\n".join(rows)
    assert choose(Sample("-", text.encode(), text, whole=True), readers()) is readers()["csv"]
    records, rejected, _ = split(read_csv(rows))
    assert [(r.title, r.text) for r in records] == [
        (row.split("\t")[0], row.split("\t")[2]) for row in rows
    ]
    assert rejected == []


@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_sentences_with_as_many_commas_are_no_table(between: str) -> None:
    """Abstracts of a kind have commas in the same places."""
    text = between.join(
        f"We propose Net{n}, a method for task {n}, and it reaches {n}% on Ice. It is small."
        for n in range(30)
    )
    sample = Sample("many.txt", text.encode(), text, whole=True)
    assert choose(sample, readers()) is readers()["listing"]


def test_the_rule_under_a_header_in_markdown_is_no_row() -> None:
    """A table of a note has a line of dashes between its header and its rows."""
    lines = [
        "| Title | Authors | Abstract |",
        "|:---|---|---:|",
        f"| Walks on Ice | Ann Lee | {LONG}|",
        f"| Walks on Snow | Bo Dyk | {LONG}|",
    ]
    records, rejected, _ = split(read_csv(lines))
    assert [record.title for record in records] == ["Walks on Ice", "Walks on Snow"]
    assert rejected == []


def test_json_with_a_comma_on_each_line_is_no_table() -> None:
    """Short arrays, one a line, look like rows."""
    lines = [f'  "field{n}": ["list", "name"],' for n in range(30)]
    text = "\n".join(["{", *lines, '  "last": ["title", "author"]', "}"])
    found = choose(Sample("-", text.encode(), text, whole=True), readers())
    assert found is not None
    assert found.name == "json"


def test_a_table_of_commas_saved_with_semicolons_gives_no_rubbish() -> None:
    """Rows that were cut at their own semicolons lost quotes: they are listed, the others read."""
    lines = [
        "Authors,ID,Title,Year;;;",
        '"[No author],x,""On ice, and snow"",2025";;;',
        '"Roe, A., Doe, B.,""59";60;",On walks"",2025"',
        '"Poe, C.,7,Third,2024";;;',
    ]
    items = [item for item in read_csv(lines) if not isinstance(item, Note)]
    assert [item.title for item in items if isinstance(item, Record)] == ["On ice, and snow"]
    rejected = [item for item in items if isinstance(item, Rejected)]
    assert [(item.line, item.raw) for item in rejected] == [
        (3, lines[2]),
        (4, "Poe, C.,7,Third,2024"),
    ]
    assert "spreadsheet" in rejected[0].reason
