"""The page as a file: whole, closed, the same each time."""

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from kg.errors import ExportError
from kg.graph.snapshot import MemorySnapshot
from kg.graph.subgraph import to_networkx
from kg.views.page import render, write_page
from kg.views.scenes import scene


def _parsed(page: str) -> Any:
    return html.fromstring(page)


@pytest.fixture
def page(snapshot: MemorySnapshot) -> str:
    """The page of the hostile paper."""
    return render(scene(snapshot, "doi:10.1/a"), source="my.kg")


def test_nothing_in_it_refers_to_anything_outside(page: str) -> None:
    """No script, style, font or image is fetched; only links may lead away, when clicked."""
    root = _parsed(page)

    assert root.xpath("//script/@src | //img | //iframe | //object | //embed") == []
    assert root.xpath("//link/@href") == ["data:,"]
    styles = " ".join(root.xpath("//style/text()"))
    assert "url(" not in styles
    assert "@import" not in styles


def test_only_the_scripts_of_the_page_may_run(page: str) -> None:
    """The policy names them by hash: a script that slips in does not run, and nothing connects."""
    root = _parsed(page)
    policy = root.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)

    hashes = [
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts
    ]
    assert len(scripts) == 2
    assert re.findall(r"sha256-([^']+)'", policy) == hashes
    for part in ("default-src 'none'", "connect-src 'none'", "form-action 'none'"):
        assert part in policy
    assert "unsafe-inline" not in policy.split("style-src")[0]


def test_the_data_is_json_that_no_text_can_end(page: str) -> None:
    """`</script>` in a title would end the element and begin a new one."""
    (held,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)

    assert not set("<>&\u2028\u2029") & set(held)
    names = {node["name"] for node in json.loads(held)["page"]["nodes"]}
    assert "Walker </script><script>window.broken = 1</script>" in names


def test_the_abstract_is_marked_where_mentions_and_claims_stand(page: str) -> None:
    """Walker, Runner and Track are named; the second sentence is a claim."""
    root = _parsed(page)
    (abstract,) = root.xpath("//p[@class='abstract']")

    mentions = [m.text for m in abstract.xpath(".//*[@role='button']")]
    claimed = "".join(abstract.xpath(".//*[contains(@class, 'claimed')]//text()"))
    assert mentions == ["Walker", "Runner", "Track"]
    assert claimed == "It gains 3.5 points on Track <b>today</b>."
    assert abstract.text_content().startswith("We propose Walker </script><script>")


def test_claims_stand_in_a_table_with_their_results(page: str) -> None:
    """Numbers are what one compares."""
    root = _parsed(page)
    cells = root.xpath("//section[@id='claims']//tbody/tr/td")

    assert [" ".join(cell.text_content().split()) for cell in cells] == [
        "It gains 3.5 points on Track <b>today</b>.performance",
        "↑ 3.5 points",
        "Walker </script><script>window.broken = 1</script>",
        "",
        "Track",
        "",
        "0.90",
    ]


def test_the_same_graph_gives_the_same_page(snapshot: MemorySnapshot) -> None:
    """Pages can be kept under version control."""
    assert render(scene(snapshot, "doi:10.1/a")) == render(scene(snapshot, "doi:10.1/a"))


def test_it_says_how_many_are_not_shown_and_how_to_see_them(snapshot: MemorySnapshot) -> None:
    """A picture that leaves out must say so."""
    root = _parsed(render(scene(snapshot, "doi:10.1/a", max_nodes=5)))

    (note,) = root.xpath("//section[@id='notes']/p[1]")
    assert note.text_content().startswith("1 node is not shown (1 method). Nearest first")
    assert "--max-nodes 6" in note.text_content()
    assert root.xpath("//p[@class='shown']/a/text()") == ["5 of 6 nodes shown"]


def test_any_graph_of_networkx_can_be_rendered(snapshot: MemorySnapshot) -> None:
    """From a notebook, after somebody removed what they did not want to see."""
    graph = to_networkx(snapshot)
    graph.remove_node("method:runner")

    root = _parsed(render(graph, title="Mine"))
    assert root.xpath("//h1/text()") == ["Mine"]
    assert root.xpath("//legend[text()='Nodes']/../label/span/text()") == [
        "Paper",
        "Method",
        "Dataset",
        "Claim",
        "Result",
    ]


def test_a_page_that_cannot_be_written_leaves_nothing(
    snapshot: MemorySnapshot, tmp_path: Path
) -> None:
    """One message, no half file."""
    with pytest.raises(ExportError, match="no such folder"):
        write_page(scene(snapshot), tmp_path / "missing" / "page.html")

    assert list(tmp_path.iterdir()) == []
