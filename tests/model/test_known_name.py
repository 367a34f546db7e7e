"""The user's file of names."""

import pytest

from kg.errors import InputError
from kg.model.known_name import KnownName, parse_names
from kg.model.schema import NodeLabel


def test_names_types_and_aliases_are_read() -> None:
    """A lab's own names, as a spreadsheet exports them."""
    content = "\ufeffName,Type,Aliases\r\nMMLU,dataset,Massive Multitask; HMMLU\r\nAdam,Method,\r\n"

    assert parse_names(content.encode()) == (
        KnownName("MMLU", NodeLabel.DATASET, ("Massive Multitask", "HMMLU")),
        KnownName("Adam", NodeLabel.METHOD, ()),
    )


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        ("Adam,optimiser,", "names.csv:2: 'optimiser' is no type"),
        ("Adam,method,\n,dataset,x", "names.csv:3: there is no name"),
        ("SAM,method,\nSegment Anything,method,sam", "names.csv:3: 'sam' is a method of line 2"),
    ],
)
def test_a_mistake_is_told_with_its_line(lines: str, where: str) -> None:
    """The file is made by hand, and may be long."""
    with pytest.raises(InputError, match=where):
        parse_names(f"name,type,aliases\n{lines}\n".encode(), "names.csv")


def test_a_form_may_be_of_two_types() -> None:
    """GAP is a data set and a layer."""
    assert len(parse_names(b"name,type\nGAP,dataset\nGAP,method\n")) == 2


def test_hostile_fields_are_read_as_they_are() -> None:
    """Ten thousand characters, patterns, quotes, rows that are too short or too long."""
    long = "x" * 200_000
    content = f'name,type,aliases\n{long},task\n"a ""b"", c",method,(x*)?|[z;,extra,more\n\n,,\n'
    assert parse_names(content.encode()) == (
        KnownName(long, NodeLabel.TASK, ()),
        KnownName('a "b", c', NodeLabel.METHOD, ("(x*)?", "[z")),
    )
    with pytest.raises(InputError, match=r"names\.csv:2"):
        parse_names(b"name,type\nBERT,method\x00,\n" + b'"' * 3, "names.csv")
    assert parse_names(b"name,type\n") == ()
    with pytest.raises(InputError, match="first line"):
        parse_names(b"")
