"""`kg merges`: what was taken for one thing, why, and what the user says to it."""

import json
from pathlib import Path

import pytest

from kg.graph.lock import locked
from kg.graph.snapshot import FolderSnapshot
from tests.cli.conftest import Run


def lines(output: str) -> list[dict[str, object]]:
    """JSON lines."""
    return [json.loads(line) for line in output.strip("\n").split("\n")]


def methods(kg: Run) -> dict[str, list[str]]:
    """Ids of methods with their surface forms."""
    rows = json.loads(
        kg("query", "my.kg", "MATCH (m:Method) RETURN m.id AS id, m.surfaces AS s", "--json").stdout
    )
    return {row["id"]: row["s"] for row in rows}


VARIANTS = """\
{"title": "One", "abstract": "We propose LeXA. LeXA is good.", "doi": "10.2/a"}
{"title": "Two", "abstract": "We extend LeX-A here, and LeXB.", "doi": "10.2/b"}
"""


def build(kg: Run, text: str = VARIANTS) -> None:
    """Make my.kg."""
    Path("variants.jsonl").write_text(text)
    kg("build", "variants.jsonl", "-o", "my.kg")


def test_a_merge_is_listed_with_its_reason(kg: Run) -> None:
    """Who does not see why two names are one cannot trust the graph."""
    build(kg)

    (row,) = lines(kg("merges", "my.kg", "--json").stdout)
    assert (row["kind"], row["surface"], row["other"]) == ("merge", "LeX-A", "LeXA")
    assert row["reason"] == "'LeXA' but for hyphens, spaces and signs"
    assert "LeX-A" in kg("merges", "my.kg", "LeXA").stdout


def test_a_refused_merge_survives_a_rebuild_and_can_be_undone(kg: Run) -> None:
    """A decision is the user's last word until the user takes it back."""
    build(kg)
    together = methods(kg)
    assert ["LeXA", "LeX-A"] in together.values()

    kg("merges", "refuse", "my.kg", "LeXA", "LeX-A", "--note", "two libraries")
    apart = methods(kg)
    assert ["LeXA"] in apart.values()
    assert ["LeX-A"] in apart.values()
    kg("build", "more.jsonl", "-o", "my.kg")
    assert ["LeX-A"] in methods(kg).values()

    kg("merges", "undo", "my.kg", "1")
    assert any(set(forms) == {"LeXA", "LeX-A"} for forms in methods(kg).values())
    said = lines(kg("merges", "my.kg", "--decisions", "--json").stdout)
    assert [(row["number"], row["kind"], row["holds"]) for row in said] == [
        (1, "refuse", False),
        (2, "undo", True),
    ]


def test_joined_names_are_one_node_and_the_old_id_still_leads_there(kg: Run) -> None:
    """Links to the node that went must not break."""
    build(kg)
    before = set(methods(kg))
    kg("merges", "join", "my.kg", "LeXA", "LeXB")

    (id_,) = methods(kg)
    (gone,) = before - {id_}
    assert json.loads(kg("show", "my.kg", gone, "--json").stdout)


def test_what_contradicts_an_earlier_decision_is_refused(kg: Run) -> None:
    """Two decisions that cannot both hold would make the graph a matter of luck."""
    build(kg)
    kg("merges", "join", "my.kg", "LeXA", "LeXB")
    before = Path("my.kg/decisions.jsonl").read_bytes()

    result = kg("merges", "refuse", "my.kg", "LeXA", "LeXB", status=1)
    assert "contradicts decision 1" in result.stderr
    assert Path("my.kg/decisions.jsonl").read_bytes() == before


def test_an_unknown_name_and_an_unknown_number_are_told_from_others(kg: Run) -> None:
    """A slip of the keys should cost nothing."""
    build(kg)

    assert "'LeXX'" in kg("merges", "refuse", "my.kg", "LeXX", "LeXA", status=1).stderr
    assert "no decision 7" in kg("merges", "undo", "my.kg", "7", status=1).stderr


def test_a_retyped_thing_is_a_node_of_that_type(kg: Run) -> None:
    """A model errs on types now and then; the user knows."""
    build(kg)
    kg("merges", "retype", "my.kg", "LeXB", "--to", "dataset")

    rows = kg("query", "my.kg", "MATCH (d:Dataset) RETURN d.id AS id", "--json").stdout
    assert {"id": "dataset:lexb"} in json.loads(rows)


def test_a_note_may_hold_any_character(kg: Run) -> None:
    """A decision that cannot be read again would stop every later build."""
    build(kg)
    kg("merges", "refuse", "my.kg", "LeXA", "LeX-A", "--note", "a\u2028b\udcffc\x85")

    (said,) = lines(kg("merges", "my.kg", "--decisions", "--json").stdout)
    assert said["note"] == "a\u2028b\ufffdc\x85"
    assert ["LeX-A"] in methods(kg).values()


def test_decisions_that_are_no_utf8_are_told_as_such(kg: Run) -> None:
    """The file may be written by hand, in whatever an editor saves."""
    build(kg)
    Path("my.kg/decisions.jsonl").write_bytes(b'{"note": "caf\xe9"}\n')

    assert "decisions.jsonl: is not UTF-8" in kg("build", "-o", "my.kg", status=1).stderr


def test_a_decision_fails_at_once_when_it_is_not_to_wait(kg: Run) -> None:
    """Somebody else's build may take minutes."""
    build(kg)
    with locked(Path("my.kg")):
        result = kg("merges", "refuse", "my.kg", "LeXA", "LeX-A", "--no-wait", status=1)
    assert "holds the lock" in result.stderr
    assert "Nothing was decided" in kg("merges", "my.kg", "--decisions").stdout


def test_matches_of_a_graph_that_was_built_before_differences_were_kept(
    kg: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its report lacks the column; the merges are there all the same."""
    kg("build", "papers.jsonl", "more.jsonl", "-o", "my.kg")
    whole = kg("merges", "my.kg", "--papers", "On NetA").stdout
    report = FolderSnapshot.report
    monkeypatch.setattr(
        FolderSnapshot, "report", lambda self, name: report(self, name).drop_columns(["differs"])
    )
    assert kg("merges", "my.kg", "--papers", "On NetA").stdout == whole
    (first, _) = lines(kg("merges", "my.kg", "--papers", "On NetA", "--json").stdout)
    assert first["differs"] == []
    assert "the same doi 10.1/a" in kg("merges", "my.kg", "--papers").stdout
