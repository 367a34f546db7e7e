"""Identifiers: one normal form each, and no false ones."""

import pickle
from dataclasses import replace

import pytest

from kg.model.record import Identifiers, Reference
from kg.sources import identifiers


@pytest.mark.parametrize(
    ("value", "doi"),
    [
        ("https://doi.org/10.1000/X", "10.1000/x"),
        ("https://doi.org/10.1000/j.x_1-2/3.", "10.1000/j.x_1-2/3"),
        ("https://doi.org/10.1000/x?y=[1])", "10.1000/x?y=[1]"),
        ("DOI:10.1000/x", "10.1000/x"),
        ("doi: 10.1000/x.", "10.1000/x"),
        ("https://doi.org/10.1/X", "10.1/x"),
        ("http://dx.doi.org/doi:10.1000/x(1)y)", "10.1000/x(1)y"),
        ("https%3A%2F%2Fdoi.org%2F10.1000%2Fj.x", "10.1000/j.x"),
        (
            "10.1002/(SICI)1097-4571(1998)49:8&lt;693::AID-ASI4&gt;3.0.CO;2-O",
            "10.1002/(sici)1097-4571(1998)49:8<693::aid-asi4>3.0.co;2-o",
        ),
        ("n/a", ""),
        ("10.1000", ""),
        ("", ""),
    ],
)
def test_a_doi_has_one_form(value: str, doi: str) -> None:
    """Records of two services meet only when their DOIs are equal strings."""
    assert identifiers.doi(value) == doi
    assert identifiers.doi(doi) == doi


@pytest.mark.parametrize(
    ("value", "arxiv"),
    [
        ("1706.03762", ("1706.03762", "")),
        ("arXiv:1706.03762v5", ("1706.03762", "v5")),
        ("arXiv:1706.03762v5 [cs.CL] 12 Jun 2017", ("1706.03762", "v5")),
        ("http://arxiv.org/abs/hep-th/9901001v2", ("hep-th/9901001", "v2")),
        ("cs.CL/0501001", ("cs/0501001", "")),
        ("https://arxiv.org/pdf/2501.01234v2.pdf", ("2501.01234", "v2")),
        ("10.48550/arXiv.2501.01234", ("2501.01234", "")),
        ("2513.01234", ("", "")),
        ("nonsense/9901001", ("", "")),
        ("3.1415", ("", "")),
    ],
)
def test_an_arxiv_id_is_parted_from_its_version(value: str, arxiv: tuple[str, str]) -> None:
    """Two versions are one paper; month 13 and pi are none."""
    assert identifiers.arxiv(value) == arxiv


@pytest.mark.parametrize(
    ("value", "wos"),
    [
        ("WOS:000238592600006", "WOS:000238592600006"),
        ("ISI:000238592600006", "WOS:000238592600006"),
        ("KJD:ART002345678", "KJD:ART002345678"),
        ("scielo:S0034-00002017000100001", "SCIELO:S0034-00002017000100001"),
        ("MEDLINE:31234567", ""),
        ("ARXIV:2001.00001", ""),
    ],
)
def test_web_of_science_numbers_keep_their_collection(value: str, wos: str) -> None:
    """Numbers of two collections must not meet; MEDLINE's are PubMed ids."""
    assert identifiers.wos(value) == wos


def test_services_ids_lose_their_addresses() -> None:
    """The same id arrives as an address, with a prefix and bare."""
    assert [
        identifiers.pmid("https://pubmed.ncbi.nlm.nih.gov/123/"),
        identifiers.pmid("PMID: 00123"),
        identifiers.pmcid("1234567"),
        identifiers.openalex("https://openalex.org/w123"),
        identifiers.s2("0" * 39 + "A"),
        identifiers.corpus("CorpusID:12"),
        identifiers.dblp("https://dblp.org/rec/conf/x/DoeR20.html"),
        identifiers.acl("https://aclanthology.org/2020.acl-main.1/"),
        identifiers.acl("10.18653/v1/p18-1001"),
        identifiers.acl("https://www.aclweb.org/anthology/P/P18/P18-1001.pdf"),
        identifiers.openreview("https://openreview.net/forum?id=AbC_1-x9"),
        identifiers.wos("ISI:000238592600006"),
        identifiers.scopus("https://x.org/record.uri?eid=2-s2.0-85123&doi=1"),
    ] == [
        "123",
        "123",
        "PMC1234567",
        "W123",
        "0" * 39 + "a",
        "12",
        "conf/x/DoeR20",
        "2020.acl-main.1",
        "P18-1001",
        "P18-1001",
        "AbC_1-x9",
        "WOS:000238592600006",
        "2-s2.0-85123",
    ]


@pytest.mark.parametrize(
    ("value", "isbn"),
    [
        ("0-306-40615-2", "9780306406157"),
        ("ISBN 978-0-306-40615-7", "9780306406157"),
        ("0-306-40615-3", ""),
        ("9780306406158", ""),
        ("080442957X (pbk.)", "9780804429573"),
        ("1532-4435", ""),
    ],
)
def test_an_isbn_has_13_digits_and_a_right_check_digit(value: str, isbn: str) -> None:
    """Typos and ISSNs stand in the same field."""
    assert identifiers.isbn(value) == isbn


def test_an_orcid_with_a_wrong_check_digit_is_none() -> None:
    """A wrong iD would merge two people."""
    assert identifiers.orcid("https://orcid.org/0000-0002-1825-0097") == "0000-0002-1825-0097"
    assert identifiers.orcid("000000021694233X") == "0000-0002-1694-233X"
    assert identifiers.orcid("0000-0002-1825-0098") == ""


def test_identifiers_are_found_in_running_text() -> None:
    """Listings print them in the middle of lines."""
    assert identifiers.find(
        "See https://arxiv.org/abs/2501.01234v2, doi 10.1145/1137627.1137631 (PMID: 12)."
    ) == (Identifiers(doi="10.1145/1137627.1137631", arxiv="2501.01234", pmid="12"), "v2")
    assert identifiers.find("https://link.springer.com/content/pdf/10.1007/s1-x.pdf") == (
        Identifiers(doi="10.1007/s1-x"),
        "",
    )
    assert identifiers.find("pi is 3.1415, we ran 1706.03762 steps on 12345") == (
        Identifiers(),
        "",
    )


def test_addresses_lose_the_punctuation_behind_them() -> None:
    """A full stop closes the sentence, not the address."""
    assert identifiers.urls("At https://x.org/a(b). [l](http://q.r/s), (see https://y.z/t)") == (
        "https://x.org/a(b)",
        "http://q.r/s",
        "https://y.z/t",
    )


def test_an_identifier_alone_is_as_any_other() -> None:
    """What is made the short way equals, hashes, prints and pickles as what is made the long way."""
    short, long = Identifiers.only("openalex", "W12"), Identifiers(openalex="W12")
    assert (short, hash(short), repr(short)) == (long, hash(long), repr(long))
    assert replace(short, doi="10.1000/x") == Identifiers(openalex="W12", doi="10.1000/x")
    cited = Reference.to(short)
    assert (cited, hash(cited), repr(cited)) == (
        Reference(ids=long),
        hash(Reference(ids=long)),
        repr(Reference(ids=long)),
    )
    assert pickle.loads(pickle.dumps(cited)) == cited  # noqa: S301
