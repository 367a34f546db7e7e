"""Text as a human reads it."""

import pytest

from kg.sources.boilerplate import framed
from kg.sources.text import abstract, one_line, readable


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("<jats:title>Abstract</jats:title><jats:p>Walks drift.</jats:p>", "Walks drift."),
        ("<p>One.</p><p>Two.</p>", "One.\nTwo."),
        ("<sec><title>Methods</title><p>We walk.</p></sec>", "Methods: We walk."),
        ("H<sub>2</sub>O at 10<sup>5</sup> and Ca<sup>2+</sup>", "H2O at 10^5 and Ca2+"),
        ("p &amp;lt; 0.05, AT&amp;amp;T", "p < 0.05, AT&T"),
        ("x < y and z > w; a<b", "x < y and z > w; a<b"),
        ("the <unk>, <mask> and <s> tokens", "the <unk>, <mask> and <s> tokens"),
        ("https://x.org/?a=1&copy=2", "https://x.org/?a=1&copy=2"),
        ("ef\ufb01cient exam\u00adple, soft\u00ad\n  ware", "efficient example, software"),
        ("caf\u00c3\u00a9 \u00e2\u0080\u0093 Universit\u00c3\u00a4t", "café – Universität"),
        ("São Paulo, naïve Ångström", "São Paulo, naïve Ångström"),
        ("a\x00b\x0bc\u200bd\u00a0e", "abcd e"),
        ("hard\n  wrapped\r\nlines\n\nnew paragraph", "hard wrapped lines\nnew paragraph"),
        ("&#0;&#xD800;&#x3b1;", "α"),
    ],
)
def test_text_reads_as_its_author_wrote_it(raw: str, text: str) -> None:
    """Extraction and people both trip over tags, entities and mojibake."""
    assert readable(raw) == text


def test_the_original_is_kept_only_where_it_differs() -> None:
    """Nothing that the file said is lost, and plain texts are not stored twice."""
    assert abstract("Walks drift.") == ("Walks drift.", "")
    assert abstract("Walks <i>drift</i>.") == ("Walks drift.", "Walks <i>drift</i>.")


def test_titles_stand_on_one_line() -> None:
    """A title is shown in tables and on nodes."""
    assert one_line("The <i>Caf&amp;eacute;</i>\n  paper") == "The Café paper"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Abstract: We walk.", "We walk."),
        ("ABSTRACT\nWe walk.", "We walk."),
        ("AbstractWe walk.", "We walk."),
        ("**Abstract.** We walk.", "We walk."),
        ("Abstract interpretation finds bugs.", "Abstract interpretation finds bugs."),
        ("Summary statistics drift.", "Summary statistics drift."),
        ("We walk. © 2021 Elsevier B.V. All rights reserved.", "We walk."),
        ("We walk. (c) 2006 Optical Society of America.", "We walk."),
        ("We walk. Copyright 2015 Walker Press.", "We walk."),
        ("We walk. © The Author(s) 2026. This article is distributed under CC BY.", "We walk."),
        ("We study copyright law in 2020.", "We study copyright law in 2020."),
        ("We (a) walk. (b) run. (c) the end.", "We (a) walk. (b) run. (c) the end."),
        ("© 2021 Elsevier. All rights reserved.", "© 2021 Elsevier. All rights reserved."),
        ("We walk. © 2020 is drawn on maps. Bears eat fish.",) * 2,
    ],
)
def test_heads_and_copyright_notices_are_not_part_of_an_abstract(text: str, kept: str) -> None:
    """A publisher's notice must not be read as a claim, and a claim never as a notice."""
    start, end = framed(text)
    assert text[start:end] == kept


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("[No abstract available]", ""),
        ("<p>No abstract is available for this article.</p>", ""),
        ("Abstract not available", ""),
        ("No abstract domain is available for loops.",) * 2,
        ("No abstract.", ""),
    ],
)
def test_a_word_that_there_is_no_abstract_is_none(raw: str, text: str) -> None:
    """Services fill the field; it must not be read as a text that says something."""
    assert readable(raw) == text
    assert abstract(raw)[1] == ("" if text else raw)


def test_words_in_angle_brackets_are_no_tag() -> None:
    """Attributes have values: EndNote names a paper <A study of ice.pdf> when it knows no better."""
    assert one_line("<A study of ice and snow.pdf>") == "<A study of ice and snow.pdf>"
    assert one_line('<a href="x" class=y>Walks</a> <td nowrap>on</td> <hr/>ice') == "Walks on ice"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("Abstract This paper walks.", "This paper walks."),
        ("ABSTRACT BACKGROUND We walk.", "BACKGROUND We walk."),
        ("Abstract Syntax Networks walk.", "Abstract Syntax Networks walk."),
        ("Abstract interpretation walks.", "Abstract interpretation walks."),
    ],
)
def test_a_heading_joined_to_its_abstract_goes(raw: str, text: str) -> None:
    """Only where an abstract starts behind it: the word opens titles and terms, too."""
    assert readable(raw) == text
