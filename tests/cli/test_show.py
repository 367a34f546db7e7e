"""`kg info` and `kg show`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.cli.main import main
from tests.cli.conftest import Run


def test_info_closes_the_count(kg: Run) -> None:
    """Blocks in are papers, merged, rejected and removed out."""
    kg("build", "papers.jsonl", "more.jsonl", "-o", "my.kg")
    kg("remove", "my.kg", "10.1/a")
    output = kg("info", "my.kg").stdout

    assert "2 files: 6 blocks = 3 papers + 0 merged + 1 rejected + 2 removed" in output
    assert "read by capitals-1" in output
    facts = json.loads(kg("info", "my.kg", "--json").stdout)
    assert facts["counts"]["Paper"] == 3
    assert [(i["file"], i["papers"], i["removed"]) for i in facts["inputs"]] == [
        ("papers.jsonl", 2, 1),
        ("more.jsonl", 1, 1),
    ]


@pytest.mark.parametrize(
    "name", ["On NetB", "on netb", "10.1/b", "https://doi.org/10.1/B", "doi:10.1/b"]
)
def test_show_finds_a_paper_by_what_people_have_at_hand(kg: Run, name: str) -> None:
    """A title from memory, an identifier from a browser."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    (paper,) = json.loads(kg("show", "my.kg", name, "--json").stdout)

    assert (paper["label"], paper["id"]) == ("Paper", "doi:10.1/b")


def test_show_finds_an_entity_by_any_form_but_for_case_and_signs(kg: Run) -> None:
    """Who read 'NetA' somewhere types it as he remembers it, and may mean a joined name."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    kg("merges", "join", "my.kg", "NetC", "NetD")
    facts = [json.loads(kg("show", "my.kg", n, "--json").stdout) for n in ("netc", "netd")]

    assert [len(each) for each in facts] == [1, 1]
    assert facts[0][0]["id"] == facts[1][0]["id"]


def test_show_gives_the_evidence_of_every_edge(kg: Run) -> None:
    """Every edge shows the sentence it rests on."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    output = kg("show", "my.kg", "SetB").stdout

    assert "  in 2 papers, 2 mentions:" in output
    assert '    "NetA gains 3.1% on SetB."' in output
    assert '    "It gains 4% on SetB."' in output


def test_show_shortens_long_lists_unless_all_is_asked_for(kg: Run) -> None:
    """A well-known dataset has thousands of edges."""
    lines = (
        json.dumps({"title": f"T{n}", "abstract": f"NetA number {n}.", "doi": f"10.1/{n}"})
        for n in range(8)
    )
    kg("build", "-", "-o", "my.kg", stdin="\n".join(lines))

    assert "  and 3 more (--all shows them)" in kg("show", "my.kg", "NetA").stdout
    assert "more (--all" not in kg("show", "my.kg", "NetA", "--all").stdout


def test_show_of_an_unknown_name_names_the_nearest(kg: Run) -> None:
    """A typing error is the usual reason."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    output = kg("show", "my.kg", "NetAA", status=1).stderr

    assert "nothing in the graph is called 'NetAA'" in output
    assert "'NetA'" in output


@pytest.mark.parametrize(
    "command",
    [
        ("show", "my.kg", "\udcff"),
        ("remove", "my.kg", "\udcff"),
        ("merges", "my.kg", "\udcff"),
        ("merges", "join", "my.kg", "\udcff", "NetA"),
        ("query", "my.kg", "MATCH (m:Method) WHERE m.name = '\udcff' RETURN m"),
        ("query", "my.kg", "MATCH (m:Method) WHERE m.name = $n RETURN m", "n=\udcff"),
        ("query", "my.kg", "MATCH (m:Method) WHERE m.name = $n RETURN m", 'n="\\ud800"'),
        ("query", "my.kg", "datasets-of-method", "method=\udcff"),
        ("citations", "my.kg", "--paper", "\udcff"),
    ],
)
def test_a_name_that_is_no_utf8_is_one_clear_message(kg: Run, command: tuple[str, ...]) -> None:
    """A shell hands over what was pasted, byte by byte."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    message = kg(*command, status=1).stderr.strip().split("\n")

    assert len(message) == 2
    assert "called" in message[0] or "is not text in UTF-8" in message[0]


@pytest.mark.parametrize(
    ("command", "status"),
    [(("info",), 1), (("show", "x"), 1), (("history",), 1), (("diff", "b.kg"), 2)],
)
def test_a_graph_that_is_not_there_is_one_clear_message(
    kg: Run, command: tuple[str, ...], status: int
) -> None:
    """With the command that makes one."""
    output = kg(command[0], "no.kg", *command[1:], status=status).stderr

    assert "no.kg: there is no such folder" in output
    assert "kg build INPUT -o no.kg" in output


def test_what_the_system_refuses_is_one_clear_message(kg: Run) -> None:
    """A traceback tells whoever has a damaged disk nothing."""
    Path("my.kg/manifest.json").mkdir(parents=True)

    assert kg("info", "my.kg", status=1).stderr.startswith(
        "Error: my.kg/manifest.json: Is a directory\n"
    )


@pytest.mark.parametrize(
    "command", [("show", "my.kg", "On NetG"), ("query", "my.kg", "MATCH (p:Paper) RETURN p.text")]
)
def test_a_text_cannot_steer_the_terminal(kg: Run, command: tuple[str, ...]) -> None:
    """An abstract may hold the escape sequences that rewrite a screen."""
    text = "We propose NetG, \x1b[2Jwhich clears what stood before it, and more than that."
    kg("build", "-", "--format", "listing", "-o", "my.kg", stdin=f"On NetG\n\n{text}\n")
    output = CliRunner().invoke(main, command, color=True).stdout

    assert "\x1b" not in output
    assert "�[2Jwhich" in output


def test_every_reference_is_counted_and_listed(kg: Run) -> None:
    """What could not be matched must not look like what was never there."""
    works = [
        {"id": f"https://openalex.org/W{n}", "title": f"On Net{n}", "type": "article",
         "referenced_works": [f"https://openalex.org/W{cited}" for cited in cites]}
        for n, cites in ((1, (2, 9)), (2, (1,)))
    ]  # fmt: skip
    given = json.dumps({"results": works})
    kg("build", "-", "--format", "openalex", "-o", "my.kg", stdin=given)
    output = kg("citations", "my.kg").stdout
    listed = kg("citations", "my.kg", "--paper", "On Net1", "--json").stdout.splitlines()

    assert output.startswith("3 references in 2 papers\n")
    assert "2 resolved: a paper of the graph\n" in output
    assert "1 stub: a paper without a record" in output
    assert sorted((row["status"], row["cited"]) for row in map(json.loads, listed)) == [
        ("resolved", "openalex:W2"), ("stub", "openalex:W9"),
    ]  # fmt: skip
    assert kg("citations", "my.kg", "--status", "stub").stdout.count("\n") == 1
