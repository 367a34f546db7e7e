"""The user's file of names."""

import pytest

from kg.errors import InputError
from kg.graph.name_list import parse_names
from kg.model.schema import NodeLabel
from kg.resolve.names import KnownName


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
