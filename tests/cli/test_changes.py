"""`kg diff`, `kg history` and `kg undo`."""

import json
from pathlib import Path

from kg.graph.lock import locked
from tests.cli.conftest import Run


def test_diff_since_a_build_shows_what_came_went_and_changed(kg: Run) -> None:
    """Who adds a month of papers wants to know what is new in it."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    kg("build", "more.jsonl", "-o", "my.kg")
    output = kg("diff", "my.kg", "--since", "1", status=1).stdout

    assert "Paper: 1 came, 1 changed" in output
    assert "  + doi:10.1/f  On NetF  (its record was read)" in output
    assert "      sources: papers.jsonl:1 -> more.jsonl:2; papers.jsonl:1" in output
    assert output.splitlines()[-1].endswith(" tables")


def test_diff_says_what_an_entity_was_before_and_show_finds_it_by_that_id(kg: Run) -> None:
    """Links to an id that somebody kept must not lead nowhere once two entities are joined."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    known = [json.loads(kg("show", "my.kg", name, "--json").stdout)[0] for name in ("NetC", "NetD")]
    kg("merges", "join", "my.kg", "NetC", "NetD")
    facts = json.loads(kg("diff", "my.kg", "--since", "1", "--json", status=1).stdout)
    reasons = [
        row["reason"] for table in facts["tables"].values() for row in table["went"]
    ]  # fmt: skip
    shown = [json.loads(kg("show", "my.kg", each["id"], "--json").stdout)[0] for each in known]

    assert shown[0] == {**shown[1], "found_by": shown[0]["found_by"]}
    assert set(shown[0]["surfaces"]) == {"NetC", "NetD"}
    assert f"is {shown[0]['id']} now" in reasons


def test_diff_of_equal_graphs_exits_with_0(kg: Run) -> None:
    """As diff does."""
    for name in ("a.kg", "b.kg"):
        kg("build", "papers.jsonl", "-o", name)

    assert kg("diff", "a.kg", "b.kg").stdout == "No difference.\n"


def test_diff_of_what_cannot_be_compared_exits_with_2(kg: Run) -> None:
    """A script must not take a folder that is missing for a difference."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    assert "there is no such folder" in kg("diff", "my.kg", "nowhere.kg", status=2).stderr
    assert "Kept are the builds 1." in kg("diff", "my.kg", "--since", "7", status=2).stderr


def test_nothing_that_writes_waits_when_it_is_not_to(kg: Run) -> None:
    """Jobs that the clock starts must not pile up behind one another; who reads is not kept."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    kg("build", "more.jsonl", "-o", "my.kg")
    with locked(Path("my.kg")):
        for command in (
            "undo my.kg", "remove my.kg 10.1/a", "merges refuse my.kg NetA NetB", "build -o my.kg",
        ):  # fmt: skip
            result = kg(*command.split(), "--no-wait", status=1)
            assert "holds the lock" in result.stderr, command
        for command in ("history my.kg", "info my.kg", "show my.kg NetA", "citations my.kg"):
            kg(*command.split())
        kg("diff", "my.kg", "--since", "1", status=1)
    assert "build 1" in kg("undo", "my.kg", "--no-wait").stdout


def test_diff_as_json_holds_every_row_and_property(kg: Run) -> None:
    """A script acts on it, so nothing is cut short."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    kg("remove", "my.kg", "10.1/c")
    facts = json.loads(kg("diff", "my.kg", "--since", "1", "--json", status=1).stdout)

    assert [row["id"] for row in facts["tables"]["Paper"]["went"]] == ["doi:10.1/c"]
    assert facts["tables"]["Paper"]["came"] == []
    assert facts["differences"] == sum(
        len(rows) for table in facts["tables"].values() for rows in table.values()
    )


def test_papers_that_only_moved_in_their_file_are_counted_not_listed(kg: Run) -> None:
    """One line less at the top of a file is no change of a thousand papers below it."""
    papers = Path("papers.jsonl")
    kg("build", "papers.jsonl", "-o", "my.kg")
    _, *rest = papers.read_text().splitlines(keepends=True)
    rest[1] = rest[1].replace('"title"', '"year": 2020, "title"')
    papers.write_text("".join(rest))
    kg("build", "papers.jsonl", "-o", "my.kg")
    output = kg("diff", "my.kg", "--since", "1", status=1).stdout

    assert "Paper: 1 went, 1 changed, 1 moved in their files\n" in output
    assert "  ~ doi:10.1/c  On NetC\n      year: None -> 2020\n" in output
    assert "doi:10.1/b" not in output
    assert output.splitlines()[-1].endswith(", of which 1 in lines of files only")
    everything = kg("diff", "my.kg", "--since", "1", "--all", status=1).stdout
    assert (
        "  ~ doi:10.1/b  On NetB  (moved in its file)\n"
        "      sources: papers.jsonl:2 -> papers.jsonl:1\n"
    ) in everything

    facts = json.loads(kg("diff", "my.kg", "--since", "1", "--json", status=1).stdout)
    changed = {row["id"]: row for row in facts["tables"]["Paper"]["changed"]}
    assert changed["doi:10.1/b"] == {
        "id": "doi:10.1/b",
        "reason": "moved in its file",
        "properties": {"sources": {"before": ["papers.jsonl:2"], "after": ["papers.jsonl:1"]}},
    }
    assert changed["doi:10.1/c"]["reason"] == ""


def test_a_paper_in_another_file_has_changed(kg: Run) -> None:
    """Only the place within a file is nothing; another file is another source."""
    kg("build", "papers.jsonl", "-o", "a.kg")
    Path("papers.jsonl").rename("renamed.jsonl")
    kg("build", "renamed.jsonl", "-o", "b.kg")
    output = kg("diff", "a.kg", "b.kg", status=1).stdout

    assert "Paper: 3 changed\n" in output
    assert "      sources: papers.jsonl:1 -> renamed.jsonl:1\n" in output


def test_diff_wants_two_graphs_or_a_build(kg: Run) -> None:
    """One graph alone differs from nothing."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    assert "Pass two graphs" in kg("diff", "my.kg", status=2).stderr


def test_history_lists_what_was_done_and_undo_takes_it_back(kg: Run) -> None:
    """A graph that many hands change has to tell what happened to it."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    kg("remove", "my.kg", "10.1/c")
    builds = json.loads(kg("history", "my.kg", "--json").stdout)
    assert [(b["number"], b["action"], b["papers"], b["kept"]) for b in builds] == [
        (1, "build papers.jsonl", 3, True),
        (2, "remove 10.1/c", 2, True),
    ]

    output = kg("undo", "my.kg").stdout
    assert "Undone: build 2 (remove 10.1/c)" in output
    assert len(kg("history", "my.kg").stdout.splitlines()) == 1
    assert "keeps no build before" in kg("undo", "my.kg", status=1).stderr


def test_undo_takes_back_what_differs_and_does_not_load_all(kg: Run) -> None:
    """Going back from one paper too many must not cost what a large graph costs."""
    papers = "MATCH (p:Paper) RETURN p.id AS id, p.sources AS sources ORDER BY id"
    kg("build", "papers.jsonl", "-o", "my.kg")
    before = kg("query", "my.kg", papers, "--json").stdout
    (file,) = Path("my.kg/db").glob("*.lbug")
    inode = file.stat().st_ino
    kg("build", "more.jsonl", "-o", "my.kg")
    assert kg("query", "my.kg", papers, "--json").stdout != before
    undone = kg("undo", "my.kg")

    assert "made again" not in undone.stderr
    (file,) = Path("my.kg/db").glob("*.lbug")
    assert file.stat().st_ino == inode
    again = kg("query", "my.kg", papers, "--json")
    assert (again.stdout, again.stderr) == (before, "")


def test_undo_brings_back_the_rejected_blocks_too(kg: Run) -> None:
    """rejected.jsonl is part of what a build says."""
    kg("build", "more.jsonl", "-o", "my.kg")
    kg("build", "papers.jsonl", "-o", "my.kg")
    assert Path("my.kg/rejected.jsonl").read_text() != ""
    kg("undo", "my.kg")

    assert Path("my.kg/rejected.jsonl").read_text() == ""


def test_a_damaged_manifest_is_no_dead_end(kg: Run) -> None:
    """The build before it is still there, and the message says how to get to it."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    kg("build", "more.jsonl", "-o", "my.kg")
    manifest = Path("my.kg/manifest.json")
    manifest.write_bytes(manifest.read_bytes()[:100])
    said = kg("info", "my.kg", status=1).stderr
    assert "Copy that file over" in said

    (earlier,) = Path("my.kg/history").glob("[0-9]*.json")
    manifest.write_bytes(earlier.read_bytes())
    assert "build 1 " in kg("info", "my.kg").stdout
    assert json.loads(kg("query", "my.kg", "MATCH (p:Paper) RETURN p.id", "--json").stdout)


def test_a_long_change_is_shown_where_it_is(kg: Run) -> None:
    """Two abstracts that begin alike look the same when both are cut at the same place."""
    start = "NetA is a method that reads a text word by word and says little about the rest of it, "
    for word in ("once", "twice"):
        row = {"title": "On NetA", "doi": "10.1/a", "abstract": f"{start}{word}, on SetB and SetC."}
        Path(f"{word}.jsonl").write_text(json.dumps(row), encoding="utf-8")
        kg("build", f"{word}.jsonl", "-o", f"{word}.kg")
    output = kg("diff", "once.kg", "twice.kg", status=1).stdout

    (line,) = (line for line in output.splitlines() if line.startswith("      text: "))
    assert line == (
        "      text: …little about the rest of it, once, on SetB and SetC."
        " -> …little about the rest of it, twice, on SetB and SetC."
    )


def test_a_run_with_many_names_takes_one_line_of_history(kg: Run) -> None:
    """Hundreds of papers can be removed at once."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    names = ["10.1/c", *(f"doi:10.1/{'c' if n % 2 else 'C'}" for n in range(100))]
    kg("remove", "my.kg", *names)

    last = kg("history", "my.kg").stdout.splitlines()[-1]
    assert last.endswith("…")
    assert len(last) < 200
    assert json.loads(kg("history", "my.kg", "--json").stdout)[-1]["action"].count("10.1/") == 101
