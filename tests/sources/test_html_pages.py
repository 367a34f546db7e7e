"""Pages saved from a browser give the papers that they list."""

import io

from kg.model.record import Identifiers, Person, Record
from kg.sources.html_pages import read_arxiv_html, read_html, read_html_meta
from kg.sources.reader import Item


def arxiv(page: str) -> list[Item]:
    """What a page of arXiv lists."""
    return list(read_arxiv_html(io.BytesIO(page.encode())))


def test_a_listing_gives_each_term_and_description() -> None:
    """Scripts in a title are text, numbers are ids, subjects are their codes."""
    (record,) = arxiv(
        """<html><body><dl id='articles'><dt>[1] <a href="/abs/2503.00001">arXiv:2503.00001</a></dt>
        <dd><div class='list-title mathjax'><span>Title:</span> A $\\alpha$ title</div>
        <div class='list-authors'><a>Ann Lee</a>, <a>Bo van Dyk</a></div>
        <div class='list-subjects'><span>Subjects:</span> Computation (cs.CL); Learning (cs.LG)</div>
        <p class='mathjax'>We propose X &amp; Y: p &lt; 5.</p></dd></dl></body></html>"""
    )
    assert record == Record(
        title="A $\\alpha$ title",
        text="We propose X & Y: p < 5.",
        authors=(Person("Lee", "Ann"), Person("van Dyk", "Bo")),
        year=2025,
        ids=Identifiers(arxiv="2503.00001"),
        topics=("cs.CL", "cs.LG"),
        kind="preprint",
        line=2,
    )


def test_a_search_gives_the_whole_abstracts() -> None:
    """The page holds each abstract twice, once shortened."""
    (record,) = arxiv(
        """<html><li class="arxiv-result"><a href="https://arxiv.org/abs/2401.00002">arXiv</a>
        <p class="title is-5">T</p><p class="authors"><a>A. Bee</a></p>
        <span class="abstract-short">We…</span><span class="abstract-full">We show all. <a>△ Less</a></span>
        </li></html>"""
    )
    assert isinstance(record, Record)
    assert (record.title, record.text, record.year) == ("T", "We show all.", 2024)


def test_a_page_of_one_paper_names_it_in_its_head() -> None:
    """Publishers write citation_ tags for indexers."""
    page = """<!doctype html><html><head><meta name="citation_title" content="T">
        <meta name="citation_author" content="Lee, Ann"><meta name="citation_doi" content="10.1000/m">
        <meta name="citation_publication_date" content="2024/01/05">
        <meta name="citation_abstract" content="We do."></head><body></body></html>"""
    (record,) = read_html_meta(io.BytesIO(page.encode()))
    assert isinstance(record, Record)
    assert (record.title, record.text, record.date) == ("T", "We do.", "2024-01-05")
    assert (record.authors, record.ids.doi) == ((Person("Lee", "Ann"),), "10.1000/m")


def test_any_other_page_is_read_as_a_listing() -> None:
    """Lists of accepted papers are pages of headings and paragraphs; scripts are not shown."""
    abstract = (
        "We study how bees find their way home when the sun is hidden. We show that they count"
        " landmarks, and that the count is kept for a day. Our model predicts 87% of the flights."
    )
    page = f"""<!doctype html><html><head><style>p {{}}</style></head><body><nav>Home</nav>
        <h3>Counting bees</h3><p>{abstract}</p><script>var x = "We propose nothing.";</script>
        <h3>Lost bees</h3><p>{abstract.replace("bees", "wasps")}</p></body></html>"""
    records = [r for r in read_html(io.BytesIO(page.encode())) if isinstance(r, Record)]
    assert [(r.title, r.text) for r in records] == [
        ("Counting bees", abstract),
        ("Lost bees", abstract.replace("bees", "wasps")),
    ]
