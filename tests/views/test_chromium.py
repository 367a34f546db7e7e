"""Pages as a real browser shows them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import networkx as nx
import pytest
from playwright.sync_api import Browser, Page

from kg.graph.snapshot import MemorySnapshot
from kg.views.page import render, write_page
from kg.views.scenes import scene

pytestmark = pytest.mark.chromium

Show = Callable[[str], Page]

TITLE_SHOWN = (
    "Walks </script><script>window.broken = 1</script> on graphs "
    "<img src=x onerror='window.broken = 1'>\"'> {{ 7 * 7 }} \u2028\u2029"
)

# The colours that the canvas shows, ground included: a blank one has a single colour.
_COLOURS = """() => {
    const canvas = document.querySelector('#network canvas');
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    const seen = new Set();
    for (let i = 0; i < pixels.length; i += 4) seen.add(pixels.slice(i, i + 4).join());
    return seen.size;
}"""


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Show]:
    """Open HTML as a file; at the end nothing may have been requested or complained of."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    complaints: list[str] = []

    def opened(html: str) -> Page:
        path = tmp_path / "page.html"
        path.write_text(html, encoding="utf-8", errors="replace")
        page = context.new_page()
        page.on("console", lambda message: complaints.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
        page.on(
            "request",
            lambda request: (
                complaints.append(f"request: {request.url}")
                if request.url not in (path.as_uri(), "data:,")
                else None
            ),
        )
        page.goto(path.as_uri())
        return page

    yield opened
    context.close()
    assert complaints == []


@pytest.fixture
def entity_page(show: Show, snapshot: MemorySnapshot) -> Page:
    """The page of a method."""
    return show(render(scene(snapshot, "method:runner")))


def _select(page: Page, name: str) -> None:
    page.fill("#search", name)
    page.press("#search", "Enter")


@pytest.mark.parametrize("node", [None, "method:runner", "doi:10.1/a"])
def test_it_paints_without_a_request_or_a_complaint(
    show: Show, snapshot: MemorySnapshot, node: str | None
) -> None:
    """A page that is sent to a colleague on a train works there."""
    page = show(render(scene(snapshot, node)))

    assert page.evaluate(_COLOURS) > 20
    assert page.evaluate("window.broken") is None


def test_text_of_papers_stays_text(show: Show, snapshot: MemorySnapshot) -> None:
    """A title is written by a stranger."""
    page = show(render(scene(snapshot, "doi:10.1/a")))
    _select(page, "Runner")
    page.click("#tables summary:has-text('nodes')")
    page.click("#tables summary:has-text('edges')")

    assert page.inner_text("h1").startswith("Walks </script><script>window.broken = 1</script> on")
    assert "{{ 7 * 7 }}" in page.inner_text("h1")
    assert "<b>today</b>" in page.inner_text(".abstract")
    assert page.evaluate("window.broken") is None
    assert page.locator("img, h1 *, .abstract b").count() == 0


def test_a_lone_surrogate_does_not_stop_the_page(show: Show) -> None:
    """A graph made by hand may hold one; a file cannot."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    graph.add_node("p", label="Paper", title="Half \ud83d a character", text="x \udc00 y")
    graph.add_node("m", label="Method", name="W\ud800")
    graph.add_edge("p", "m", id="e", key="e", type="USES", sentence="We use W\ud800.", paper="p")

    page = show(render(graph))
    _select(page, "Half")

    assert "Half" in page.inner_text("#detail .title")


def test_a_node_shows_the_sentence_it_rests_on(entity_page: Page) -> None:
    """Evidence is what the graph is for."""
    _select(entity_page, "walker")

    detail = entity_page.locator("#detail")
    assert detail.locator("h2").inner_text() == "Walker </script><script>window.broken = 1</script>"
    proposed = detail.locator(".group", has_text="proposed by").locator("li")
    assert proposed.locator("blockquote").inner_text() == (
        "We propose Walker </script><script>window.broken = 1</script>, which beats Runner."
    )
    assert proposed.locator("mark").inner_text() == "Walker"
    assert "confidence 0.83" in proposed.inner_text()


def test_a_click_on_the_picture_selects(entity_page: Page) -> None:
    """Where the node is painted, there it is."""
    spot = entity_page.evaluate(
        "() => { const n = page.nodes.findIndex((node) => node.name === 'Runner');"
        " return network.canvasToDOM(network.getPositions([n])[n]); }"
    )
    other = entity_page.evaluate(
        "() => { const n = page.nodes.findIndex((node) => node.label === 'Paper');"
        " return network.canvasToDOM(network.getPositions([n])[n]); }"
    )
    box = entity_page.locator("#network").bounding_box()
    assert box is not None

    entity_page.mouse.click(box["x"] + other["x"], box["y"] + other["y"])
    entity_page.wait_for_selector("#detail:not([hidden])")
    assert entity_page.inner_text("#detail .quiet") == "Paper"

    entity_page.mouse.click(box["x"] + spot["x"], box["y"] + spot["y"])
    entity_page.wait_for_selector("#detail", state="hidden")
    assert entity_page.is_visible("#centre")


def test_a_pointer_over_a_node_tells_what_it_is(entity_page: Page) -> None:
    """The quickest way to read a picture."""
    spot = entity_page.evaluate(
        "() => { const n = page.nodes.findIndex((node) => node.name === 'Runner');"
        " return network.canvasToDOM(network.getPositions([n])[n]); }"
    )
    box = entity_page.locator("#network").bounding_box()
    assert box is not None
    entity_page.mouse.move(box["x"] + spot["x"], box["y"] + spot["y"])

    entity_page.wait_for_selector("#tip:not([hidden])")
    assert entity_page.inner_text("#tip b") == "Runner"
    assert entity_page.inner_text("#tip mark") == "Runner"


def test_only_addresses_of_the_web_become_links(show: Show, snapshot: MemorySnapshot) -> None:
    """A javascript: address in a record must not run when it is clicked."""
    page = show(render(scene(snapshot, "doi:10.1/a")))
    page.click("#tables summary:has-text('nodes')")

    links = page.locator("a[href]:not([href^='#'])")
    assert sorted(set(links.evaluate_all("all => all.map((a) => a.href)"))) == [
        "https://doi.org/10.1/a",
        "https://example.org/a?b=1&c=2",
    ]
    assert set(links.evaluate_all("all => all.map((a) => a.rel)")) == {"noopener noreferrer"}


def test_a_label_is_switched_off_and_on(entity_page: Page) -> None:
    """The legend is also the filter."""
    hidden = "() => rows.nodes.get().filter((node) => node.hidden).length"
    toggle = entity_page.locator("#legend input[value='Paper']")
    toggle.uncheck()
    assert entity_page.evaluate(hidden) == 1
    toggle.check()
    assert entity_page.evaluate(hidden) == 0


def test_an_edge_type_is_switched_off(entity_page: Page) -> None:
    """Only who proposes what, please."""
    entity_page.click("#legend summary")
    entity_page.locator("#legend input[value='OUTPERFORMS']").uncheck()

    shown = (
        "() => rows.edges.get().filter((line) => !line.hidden)"
        ".flatMap((line) => line.rows.map((row) => page.evidence[row].type))"
    )
    assert "OUTPERFORMS" not in entity_page.evaluate(shown)
    assert "PROPOSES" in entity_page.evaluate(shown)


def test_all_can_be_done_with_keys(entity_page: Page) -> None:
    """Not everybody can use a mouse."""
    entity_page.keyboard.press("/")
    entity_page.keyboard.type("track")
    entity_page.keyboard.press("Enter")
    assert entity_page.inner_text("#detail h2.title") == "Track"

    entity_page.focus("#detail button.node")
    entity_page.keyboard.press("Enter")
    assert entity_page.inner_text("#detail .quiet") == "Paper"

    entity_page.focus("#network")
    before = entity_page.evaluate("network.getScale()")
    entity_page.keyboard.press("+")
    assert entity_page.evaluate("network.getScale()") > before

    entity_page.keyboard.press("Escape")
    assert entity_page.is_hidden("#detail")


def test_the_theme_changes_the_picture_too(entity_page: Page) -> None:
    """A canvas does not follow a style sheet by itself."""
    fill = "() => rows.nodes.get(page.centre).color.background"
    before = entity_page.evaluate(fill)
    entity_page.click("#theme")
    assert entity_page.evaluate(fill) != before


def test_without_script_the_tables_say_the_same(
    browser: Browser, snapshot: MemorySnapshot, tmp_path: Path
) -> None:
    """Mail programs and screen readers."""
    write_page(scene(snapshot, "method:runner"), tmp_path / "page.html")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    page.click("#tables summary:has-text('edges')")

    row = page.locator("#tables tr", has_text="outperforms")
    assert row.locator("td").all_inner_texts() == [
        "Walker </script><script>window.broken = 1</script>",
        "outperforms",
        "Runner",
        "We propose Walker </script><script>window.broken = 1</script>, which beats Runner.",
        TITLE_SHOWN,
        "0.83",
    ]
    context.close()


def test_a_line_of_the_map_shows_papers_that_name_both(show: Show, fields: MemorySnapshot) -> None:
    """That two things go together is a claim, too, and has its evidence."""
    page = show(render(scene(fields, max_nodes=4)))
    page.evaluate(
        "() => choose({ line: data.edges.find((line) => page.nodes[line.from].name === 'D0'"
        " || page.nodes[line.to].name === 'D0').id })"
    )

    (group,) = page.locator("#detail .group", has_text="papers that name both").all()
    assert "in 20 papers" in page.inner_text("#detail")
    shown = group.locator("blockquote").all_inner_texts()
    assert {"p00 on m0.", "p00 on d0."} <= set(shown)


def test_on_a_narrow_screen_the_legend_lies_over_no_node(
    show: Show, snapshot: MemorySnapshot
) -> None:
    """It takes the top of the picture, and the nodes take the rest."""
    page = show(render(scene(snapshot)))
    page.set_viewport_size({"width": 400, "height": 800})
    page.click("#fit")
    page.wait_for_timeout(100)
    tops = page.evaluate(
        "() => Object.values(network.getPositions()).map((at) => network.canvasToDOM(at).y)"
    )
    legend = page.locator("#legend").bounding_box()
    picture = page.locator("#network").bounding_box()
    assert legend is not None
    assert picture is not None
    assert legend["x"] + legend["width"] <= 400
    assert len(tops) >= 3
    assert min(tops) + picture["y"] > legend["y"] + legend["height"]
    assert max(tops) < picture["height"]
