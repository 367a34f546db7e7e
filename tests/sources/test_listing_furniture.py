"""What stands beside papers in listings: bullets, translations, furniture of digital libraries."""

import pytest

from kg.model.record import Record, Rejected
from kg.sources.listing import read_listing

ICE = "We study how people walk on ice for many days and how often they fall. IceWalk falls less often."
SNOW = "Large models of snow are slow to train and hard to read. We present SnowNet, which trains in hours."
RAIN = "Rain falls on many roads, and drivers see little of them. We describe RainSee, a camera with a wiper."


def titles_and_texts(text: str) -> list[tuple[str, str]]:
    """What the records of a listing say."""
    items = read_listing(text.split("\n"))
    return [(item.title, item.text) for item in items if isinstance(item, Record)]


PAPERS = [("Walks on Ice", ICE), ("Snow Networks for All", SNOW), ("Seeing Through Rain", RAIN)]


@pytest.mark.parametrize("style", ["* {}. {}", "- **{}.** {}", "- **{}**: {}"])
def test_a_bullet_holds_a_title_and_its_abstract(style: str) -> None:
    """The first sentence has a title's capitals; a stop within the bold type is no part of it."""
    assert titles_and_texts("\n".join(style.format(*paper) for paper in PAPERS)) == PAPERS


def test_a_bullet_without_a_title_keeps_its_first_sentence() -> None:
    """Sentences are no titles, however short."""
    texts = [f"Ice is cold. {ICE}", f"We like snow. {SNOW}", f"It rains. {RAIN}"]
    found = titles_and_texts("\n".join(f"* {text}" for text in texts))
    assert found == [("", text) for text in texts]


def test_the_same_abstract_in_another_language_is_no_paper() -> None:
    """It is listed with its reason; a listing in German alone is read as any other."""
    german = "Zusammenfassung: Wir untersuchen, wie Menschen über Eis gehen und wie oft sie fallen."
    text = "\n\n".join(f"{title}\n\nAbstract: {body}\n\n{german}" for title, body in PAPERS)
    items = list(read_listing(text.split("\n")))
    assert titles_and_texts(text) == PAPERS
    assert [i.reason for i in items if isinstance(i, Rejected)] == [
        "a translation of the abstract above"
    ] * 3
    alone = "\n\n".join(f"{title}\n\nZusammenfassung: {body}" for title, body in PAPERS)
    assert titles_and_texts(alone) == PAPERS


def test_what_a_digital_library_writes_around_papers_is_no_paper() -> None:
    """Their kind stands over the titles, counts of citations and downloads under the abstracts."""
    blocks = [
        f"RESEARCH-ARTICLE\n{title}\nJane Doe, Rik Roe\nICE '20, May 2020, Pages {n}–9,"
        f" https://doi.org/10.1145/12345.{n}\n\n{body}\n\n{n} citation\n1,234\nDownloads"
        for n, (title, body) in enumerate(PAPERS)
    ]
    assert titles_and_texts("\n\n".join(blocks)) == PAPERS
