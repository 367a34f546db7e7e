"""XML is cut into records before it is parsed, so that one broken record spoils only itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.sources import xml_blocks as module
from kg.sources.xml_blocks import Block, parse_block, xml_blocks

FILE = """<?xml version="1.0"?>
<list xmlns:m="urn:m">
<!-- <rec>a comment, not a record</rec> -->
<rec id="1"><t>x &amp; &uuml; &foo; <m:b>y</m:b></t></rec>
<rec id="2"><t>outer</t><rec>inner</rec></rec>
<rec id="3"/>
<rec id="4"><t>cut"""


def pieces(text: str, size: int) -> list[str]:
    """The text in pieces of one size."""
    return [text[i : i + size] for i in range(0, len(text), size)]


@pytest.mark.parametrize("size", [1, 3, 10, 10_000])
def test_records_are_found_wherever_chunks_end(size: int) -> None:
    """Comments are not read, records within records belong to them, the rest is said to be cut."""
    blocks = list(xml_blocks(pieces(FILE, size), ("rec",)))
    assert [(b.line, b.closed, b.raw[:12]) for b in blocks] == [
        (4, True, '<rec id="1">'),
        (5, True, '<rec id="2">'),
        (6, True, '<rec id="3"/'),
        (7, False, '<rec id="4">'),
    ]


def test_what_is_declared_around_records_is_looked_for_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Most files declare nothing: looking again before every record took the square of the time."""
    looked: list[int] = []

    def declared(text: str) -> str:
        looked.append(len(text))
        return ""

    monkeypatch.setattr(module, "_declared", declared)
    text = "<list>" + "<rec>walk</rec>\n" * 100 + "</list>"
    assert len(list(xml_blocks(pieces(text, 500), ("rec",)))) == 100
    assert looked == [len("<list>")]


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_what_is_never_closed_costs_itself(size: int) -> None:
    """A record without its end, and comments without theirs, do not swallow what follows."""
    text = (
        "<l><rec>1</rec><!-- <rec>2</rec><![CDATA[<rec>3</rec><!--\n<rec>4<rec>5</rec><rec>6<!--</rec>"
        "<rec>7</rec></l>"
    )
    blocks = list(xml_blocks(pieces(text, size), ("rec",)))
    assert [(block.raw, block.closed, block.line) for block in blocks] == [
        ("<rec>1</rec>", True, 1),
        ("<rec>2</rec>", True, 1),
        ("<rec>3</rec>", True, 1),
        ("<rec>4", False, 2),
        ("<rec>5</rec>", True, 2),
        ("<rec>6<!--</rec>", True, 2),
        ("<rec>7</rec>", True, 2),
    ]


def test_a_comment_that_ends_is_none_of_these() -> None:
    """Records in it are not read, wherever the chunks end."""
    text = "<l><!-- <rec>1</rec> --><rec>2<!-- </rec> --></rec><![CDATA[<rec>3</rec>]]></l>"
    for size in (1, 5, 1000):
        blocks = xml_blocks(pieces(text, size), ("rec",))
        assert [block.raw for block in blocks] == ["<rec>2<!-- </rec> --></rec>"]


def test_entities_of_html_are_read_and_others_stay_as_written() -> None:
    """DBLP writes &uuml; and leaves its meaning to a DTD that nobody has."""
    element = parse_block(next(xml_blocks([FILE], ("rec",))))
    assert "".join(str(t) for t in element.itertext()) == "x & ü &foo; y"
    assert [str(e.tag) for e in element.iter()] == ["rec", "t", "b"]


def test_a_file_defines_no_entities_of_its_own() -> None:
    """Neither a bomb nor a file of this machine comes out of a record."""
    hostile = (
        '<!DOCTYPE r [<!ENTITY a "boom"><!ENTITY b SYSTEM "file:///etc/passwd">]>'
        "<r><rec>&a;&b;</rec></r>"
    )
    element = parse_block(next(xml_blocks([hostile], ("rec",))))
    assert "".join(str(t) for t in element.itertext()) == "&a;&b;"


def test_a_broken_record_says_where() -> None:
    """The user can find the line in an editor."""
    broken, whole = xml_blocks(["<l>\n<rec><t>no end</rec>\n<rec>fine</rec></l>"], ("rec",))
    with pytest.raises(ValueError, match="line 2"):
        parse_block(broken)
    assert parse_block(whole).text == "fine"


def test_prefixes_that_nobody_declared_are_read_all_the_same() -> None:
    """Fragments pasted out of a feed lose the element that declared their prefixes."""
    block = Block("rec", "<rec><x:t>title</x:t></rec>", 1, True, "")
    assert [str(e.tag) for e in parse_block(block)] == ["t"]


def test_depth_is_bounded() -> None:
    """A hostile file must not exhaust the stack."""
    deep = "<a>" * 100_000 + "</a>" * 100_000
    with pytest.raises(ValueError, match="not well-formed"):
        parse_block(next(xml_blocks([f"<rec>{deep}</rec>"], ("rec",))))


@given(st.text(alphabet='<>/!-"rec &;a=[]CDT\n', max_size=120))
def test_no_text_makes_it_fail(text: str) -> None:
    """Whatever a file holds, cutting ends, and parsing raises ValueError or gives an element."""
    for block in xml_blocks([text], ("rec",)):
        try:
            parse_block(block)
        except ValueError:
            continue
