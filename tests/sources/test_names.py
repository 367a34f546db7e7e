"""Author names in every order."""

import pytest

from kg.model.record import Person
from kg.sources.names import bibtex_names, people, person


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Doe, Jane", Person("Doe", "Jane")),
        ("Jane Doe", Person("Doe", "Jane")),
        ("J. B. Doe", Person("Doe", "J. B.")),
        ("Doe JB", Person("Doe", "JB")),
        ("van der Doe JB", Person("van der Doe", "JB")),
        ("Doe J.B.", Person("Doe", "J.B.")),
        ("DOE J", Person("DOE", "J")),
        ("ROE RB", Person("ROE", "RB")),
        ("JANE DOE", Person("DOE", "JANE")),
        ("Jan van der Berg", Person("van der Berg", "Jan")),
        ("van der Berg, Jan", Person("van der Berg", "Jan")),
        ("von Last, Jr., First", Person("von Last", "First, Jr.")),
        ("Last, First, III", Person("Last", "First, III")),
        ("Maria de la Cruz", Person("de la Cruz", "Maria")),
        ("Plato", Person(name="Plato")),
        ("World Walking Organization", Person(name="World Walking Organization")),
        ("{Walkers and Runners}", Person(name="Walkers and Runners")),
        ("李 四", Person(name="李 四")),
        ("", Person()),
    ],
)
def test_a_name_is_read_in_any_order(text: str, expected: Person) -> None:
    """Two exports of one library write one author in two ways."""
    assert person(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Doe, Jane and Roe, Richard B.",
        "Doe, Jane; Roe, Richard B.",
        "Jane Doe, Richard B. Roe",
        "Jane Doe and Richard B. Roe",
        "Jane Doe & Richard B. Roe",
        "Jane Doe|Richard B. Roe",
        "Doe, Jane; Roe, Richard B.; et al.",
        "Jane Doe, and Richard B. Roe et al.",
    ],
)
def test_a_list_of_names_is_parted_in_any_style(text: str) -> None:
    """Commas part names in one file, and parts of names in the next."""
    assert people(text) == (Person("Doe", "Jane"), Person("Roe", "Richard B."))


@pytest.mark.parametrize(
    "text", ["Doe J., Roe R.B.", "Doe, J., Roe, R.B.", "Doe, J. and Roe, R.B.", "J. Doe, R.B. Roe"]
)
def test_initials_tell_the_family_name(text: str) -> None:
    """Scopus, APA and others abbreviate on either side."""
    assert [(p.family, p.given) for p in people(text)] == [("Doe", "J."), ("Roe", "R.B.")]


def test_braces_keep_the_and_of_an_organisation() -> None:
    """BibTeX parts names at " and " outside braces only."""
    assert bibtex_names("{Walkers and Runners} and Doe, Jane and others") == (
        Person(name="Walkers and Runners"),
        Person("Doe", "Jane"),
    )
