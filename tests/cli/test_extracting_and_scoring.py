"""`kg extract` writes what `kg eval` reads, and both tell what went wrong."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.api.extracting import Extracted
from kg.cli.main import main
from kg.model.extraction import Extraction
from kg.model.record import Record
from tests.made_model import write_made


def run(*arguments: object, text: str | None = None) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a command."""
    done = CliRunner().invoke(main, [str(argument) for argument in arguments], input=text)
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Annotated abstracts that the model has not seen."""
    path = tmp_path_factory.mktemp("gold") / "gold.jsonl"
    write_made(path, 12, seed=99)
    return path


def test_records_keep_their_own_ids_and_texts(made_model: Path, gold: Path, tmp_path: Path) -> None:
    """Otherwise nobody could compare what was found with what is right."""
    out = tmp_path / "found.jsonl"
    status, told, _ = run("extract", gold, "--model", made_model, "-o", out)
    assert (status, told) == (0, "")
    before = [json.loads(line) for line in gold.read_text("utf-8").splitlines()]
    after = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [(row["id"], row["text"]) for row in after] == [
        (row["id"], row["text"]) for row in before
    ]
    for row in after:
        for entity in row["entities"]:
            assert all(row["text"][m["start"] : m["end"]] == m["text"] for m in entity["mentions"])


def test_an_extraction_that_fails_leaves_the_file_of_the_last_one(
    made_model: Path, gold: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a file would be scored as if the other half had nothing in it."""
    out = tmp_path / "found.jsonl"
    out.write_text("before")

    def broken(*_: object, **__: object) -> Iterator[Extracted]:
        yield Extracted(Record(title="T", text="x"), Extraction("m"))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("kg.api.extract", broken)
        assert run("extract", gold, "--model", made_model, "-o", out)[0] == 130
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"found.jsonl": "before"}


def test_a_rejected_block_is_told_by_its_place(made_model: Path, tmp_path: Path) -> None:
    """By its line, or by its number where its format has no lines."""
    table, works = tmp_path / "t.jsonl", tmp_path / "works.parquet"
    table.write_text('{"title": "T", "abstract": "x"}\n{"a": 1}\n')
    works.write_bytes(b"PAR1 is how it begins, and how it ends: PAR1")
    told = run("extract", table, works, "--model", made_model)[2]
    assert f"rejected {table}:2: " in told
    assert f"rejected {works}#1: " in told
    assert "2 blocks rejected" in told


def test_both_ways_to_score_give_the_same_figures(
    made_model: Path, gold: Path, tmp_path: Path
) -> None:
    """A file of extractions and the model that made them."""
    out = tmp_path / "found.jsonl"
    run("extract", gold, "--model", made_model, "-o", out)
    by_file = run("eval", gold, out, "--json")
    by_model = run("eval", gold, "--model", made_model, "--json")
    assert by_file[0] == by_model[0] == 0
    figures = json.loads(by_file[1])
    assert figures == json.loads(by_model[1])
    assert figures["abstracts"] == figures["predicted"] == 12
    assert figures["figures"]["entity"]["f1"] > 0.9
    assert figures["figures"]["entity"]["low"] <= figures["figures"]["entity"]["f1"]


def test_errors_are_listed_in_words_and_on_a_page(gold: Path, tmp_path: Path) -> None:
    """The table says how many, the list says which."""
    rows = [json.loads(line) for line in gold.read_text("utf-8").splitlines()]
    rows[0]["entities"] = rows[0]["entities"][1:]
    found = tmp_path / "found.jsonl"
    found.write_text("".join(json.dumps(row) + "\n" for row in rows[:11]), "utf-8")
    page = tmp_path / "errors.html"
    status, told, _ = run("eval", gold, found, "--errors", "3", "--html", page)
    assert status == 0
    assert "12 abstracts, 11 of them predicted" in told
    assert f"{rows[0]['id']}  missed" in told
    assert "missed: 6" in told
    assert "missed: 6" in page.read_text("utf-8")


def test_groups_floor_and_calibration_are_told(
    made_model: Path, gold: Path, tmp_path: Path
) -> None:
    """All that is measured, in words and for programs."""
    rows = [json.loads(line) for line in gold.read_text("utf-8").splitlines()]
    for number, row in enumerate(rows):
        row["field"] = ["trees", "bark"][number % 2]
    grouped, train = tmp_path / "grouped.jsonl", tmp_path / "train.jsonl"
    grouped.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    write_made(train, 40, seed=5)
    arguments = ("eval", grouped, "--model", made_model, "--by", "field", "--floor", train)
    status, told, _ = run(*arguments)
    assert status == 0
    assert "field trees: 6 abstracts" in told
    assert "  floor " in told
    assert "expected calibration error" in told
    facts = json.loads(run(*arguments, "--json")[1])
    assert {name: group["abstracts"] for name, group in facts["groups"].items()} == {
        "bark": 6, "trees": 6,
    }  # fmt: skip
    assert facts["floor"]["entity"] > 0.5
    assert set(facts["calibration"]) == {"entity", "role", "claim", "value", "relation"}
    assert all(one["predictions"] for one in facts["calibration"].values())
    status, _, told = run("eval", gold, gold, "--by", "year")
    assert status == 1
    assert "no abstract has a field 'year'" in told


def test_the_users_names_win_in_extractions(made_model: Path, gold: Path, tmp_path: Path) -> None:
    """Found where the model sees nothing, with the type of the list."""
    names = tmp_path / "names.csv"
    names.write_text("name,type,aliases\nrings,dataset,\nOpenTrees,metric,\n", "utf-8")
    status, told, _ = run("extract", gold, "--model", made_model, "--names", names)
    assert status == 0
    for row in map(json.loads, told.splitlines()):
        types = {e["name"]: e["type"] for e in row["entities"]}
        assert types["rings"] == "dataset"
        assert types.get("OpenTrees", "metric") == "metric"
        assert ("OpenTrees" in types) == ("OpenTrees" in row["text"])
    names.write_text("name,type\nrings,tree\n", "utf-8")
    assert "names.csv:2: 'tree' is no type" in run("extract", gold, "--names", names)[2]


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "no abstract in it"), (b"not json\n", ":1: not an annotated abstract"),
     (b'{"text": "no id"}\n', ":1: not an annotated abstract"),
     (b'{"id": 1}\n', ":1: not an annotated abstract"),
     (b'{"id": 1, "text": 2}\n', ":1: not an annotated abstract"),
     (b'{"id": 1, "text": ""}\n' * 2, "1 stands in an earlier line"),
     (b"\xa7\xff\x00\n", ":1: not an annotated abstract")],
)  # fmt: skip
def test_a_file_that_is_no_annotation_is_told_with_its_line(
    content: bytes, words: str, tmp_path: Path
) -> None:
    """One clear message, and no traceback."""
    path = tmp_path / "gold.jsonl"
    path.write_bytes(content)
    status, _, told = run("eval", path, path)
    assert status == 1
    assert words in told
    assert "Traceback" not in told


def test_one_of_a_file_and_a_model_is_asked_for(gold: Path) -> None:
    """Wrong usage is status 2."""
    assert run("eval", gold)[0] == 2
    assert run("eval", gold, gold, "--model", "fast")[0] == 2


def test_an_unknown_model_is_told(gold: Path) -> None:
    """With what to pass instead."""
    status, _, told = run("extract", gold, "--model", "nothing")
    assert status == 1
    assert "no model" in told


def test_a_rejected_block_is_told_and_counts_when_strict(made_model: Path, tmp_path: Path) -> None:
    """Nothing is lost silently."""
    path = tmp_path / "papers.jsonl"
    good = json.dumps({"id": "p1", "title": "Trees", "abstract": "We propose LeafNet. It wins."})
    path.write_text(good + "\n{broken\n", "utf-8")
    status, told, said = run("extract", path, "--model", made_model)
    assert (status, len(told.splitlines())) == (0, 1)
    assert "rejected" in said
    assert run("extract", path, "--model", made_model, "--strict")[0] == 3
