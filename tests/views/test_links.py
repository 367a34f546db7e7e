"""Where a page may lead."""

import pytest

from kg.views.links import links, safe_url


def test_identifiers_become_addresses() -> None:
    """Everyone wants the paper itself next."""
    assert links({"doi": "10.1/a", "arxiv": "2401.00001", "acl": "N19-1423", "pmid": "12"}) == [
        ("DOI 10.1/a", "https://doi.org/10.1/a"),
        ("arXiv 2401.00001", "https://arxiv.org/abs/2401.00001"),
        ("ACL Anthology N19-1423", "https://aclanthology.org/N19-1423"),
        ("PubMed 12", "https://pubmed.ncbi.nlm.nih.gov/12"),
    ]


def test_an_identifier_cannot_leave_its_place() -> None:
    """DOIs hold <, >, # and ?; they stay part of the DOI."""
    ((_, address),) = links({"doi": "10.1002/(sici)1097<1::aid>3.0.co;2-#?x"})

    assert address == "https://doi.org/10.1002/(sici)1097%3C1::aid%3E3.0.co;2-%23%3Fx"


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,<script>",
        "file:///etc/passwd",
        "//example.org/x",
        "https://",
        "https://user@example.org/",
        "https://example.org/\u202egpj.exe",
        "https://example.org/a b",
        "http://[::1",
        "mailto:a@example.org",
        "",
    ],
)
def test_what_is_no_plain_address_of_the_web_is_no_link(url: str) -> None:
    """A record may hold anything in its url field."""
    assert safe_url(url) == ""


@pytest.mark.parametrize("url", ["https://example.org/a?b=1&c=2#d", "http://example.org:80/é"])
def test_addresses_of_the_web_stay(url: str) -> None:
    """Code and data are linked from abstracts."""
    assert safe_url(url) == url
