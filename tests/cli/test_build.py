"""`kg build` and `kg remove`, as somebody uses them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from kg.graph.lock import locked
from tests.cli.conftest import MORE, PAPERS, Run
from tests.graph.capitals import Capitals


def _bytes(folder: str) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for table in ("nodes", "edges")
        for path in sorted(Path(folder, table).iterdir())
    }


def _names(folder: str, label: str) -> list[str]:
    """The names of the entities of a type."""
    (path,) = Path(folder, "nodes").glob(f"{label}-*.parquet")
    return list(pq.read_table(path)["name"].to_pylist())


def _papers(folder: str) -> list[str]:
    (file,) = Path(folder, "nodes").glob("Paper-*")
    titles: list[str] = pq.read_table(file)["title"].to_pylist()
    return sorted(titles)


def test_a_build_says_what_became_of_every_block(kg: Run) -> None:
    """Counts that do not close hide lost papers."""
    output = kg("build", "papers.jsonl", "more.jsonl", "-o", "my.kg").stdout

    assert "more.jsonl (json): 2 blocks = 1 paper + 1 merged + 0 rejected" in output
    assert "papers.jsonl (json): 4 blocks = 3 papers + 0 merged + 1 rejected" in output
    assert "rejected papers.jsonl:4: " in output
    assert "my.kg: build 1 (" in output
    rejected = [json.loads(line) for line in Path("my.kg/rejected.jsonl").read_text().splitlines()]
    assert [(row["file"], row["line"], row["raw"]) for row in rejected] == [
        ("papers.jsonl", 4, '{"nothing": "of use"}')
    ]


def test_a_rerun_does_nothing_and_says_so(kg: Run, pipeline: Capitals) -> None:
    """It is run again by habit and by scripts; it must cost nothing and change nothing."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    before = Path("my.kg/manifest.json").read_bytes()
    read = len(pipeline.read)
    output = kg("build", "papers.jsonl", "-o", "my.kg").stdout

    assert output.startswith("Nothing to do: papers.jsonl is in the graph as it is.\n")
    assert Path("my.kg/manifest.json").read_bytes() == before
    assert len(pipeline.read) == read == 3


def test_adding_a_file_reads_only_what_is_new(kg: Run, pipeline: Capitals) -> None:
    """Reading a text is the expensive step."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    pipeline.read.clear()
    kg("build", "papers.jsonl", "more.jsonl", "-o", "my.kg")

    assert pipeline.read == ["NetF extends NetB on SetB."]


@pytest.mark.parametrize(
    "runs",
    [
        (("papers.jsonl",), ("more.jsonl",)),
        (("more.jsonl",), ("papers.jsonl",)),
        (("more.jsonl", "papers.jsonl"),),
        (("papers.jsonl",), ("papers.jsonl", "more.jsonl"), ("more.jsonl",)),
    ],
)
def test_the_grouping_into_runs_does_not_show(kg: Run, runs: tuple[tuple[str, ...], ...]) -> None:
    """Whoever adds a file a day must end where somebody is who adds them all at once."""
    kg("build", "papers.jsonl", "more.jsonl", "-o", "once.kg")
    for run in runs:
        kg("build", *run, "-o", "grown.kg")

    assert _bytes("grown.kg") == _bytes("once.kg")


def test_a_file_that_has_changed_is_read_again_in_place_of_what_it_was(kg: Run) -> None:
    """Correcting a file and building again must not leave the mistake beside it."""
    Path("one.jsonl").write_text(PAPERS.replace("SetB", "SetX"))
    kg("build", "one.jsonl", "-o", "my.kg")
    Path("one.jsonl").write_text(PAPERS)
    result = kg("build", "one.jsonl", "-o", "my.kg")
    kg("build", "one.jsonl", "-o", "fresh.kg")

    assert "one.jsonl: has changed, and is read again." in result.stderr
    assert _bytes("my.kg") == _bytes("fresh.kg")


def test_removing_a_paper_leaves_what_a_build_without_it_would_hold(kg: Run) -> None:
    """And reading its file again does not bring it back, unless that is asked for."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    whole = _bytes("my.kg")
    output = kg("remove", "my.kg", "10.1/b", "on neta").stdout
    assert output.splitlines()[:2] == ["removed doi:10.1/a: On NetA", "removed doi:10.1/b: On NetB"]
    assert _papers("my.kg") == ["On NetC"]

    kg("build", "papers.jsonl", "-o", "my.kg")
    assert _papers("my.kg") == ["On NetC"]
    Path("papers.jsonl").write_text("\n\n" + "".join(PAPERS.splitlines(keepends=True)[2:]))
    kg("build", "papers.jsonl", "-o", "without.kg")
    assert _bytes("my.kg") == _bytes("without.kg")

    Path("papers.jsonl").write_text(PAPERS)
    kg("build", "papers.jsonl", "--reread", "-o", "my.kg")
    assert _bytes("my.kg") == whole


def test_a_paper_that_is_not_there_cannot_be_removed_and_near_ones_are_named(kg: Run) -> None:
    """A typing error must not look like success."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    before = _bytes("my.kg")
    output = kg("remove", "my.kg", "10.1/b", "On NetX", status=1).stderr

    assert "no paper is called 'On NetX'" in output
    assert "'On NetA'" in output
    assert _bytes("my.kg") == before


def test_an_upgrade_reads_every_text_again(kg: Run, pipeline: Capitals) -> None:
    """Without it, texts that another model has read stay as they are, and kg says so."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    pipeline.version = "capitals-2"
    pipeline.read.clear()
    mixed = kg("build", "more.jsonl", "-o", "my.kg")
    assert pipeline.read == ["NetF extends NetB on SetB."]
    assert "read by 2 models (capitals-1, capitals-2)" in mixed.stderr

    kg("build", "-o", "my.kg", "--upgrade")
    kg("build", "papers.jsonl", "more.jsonl", "-o", "fresh.kg")
    assert _bytes("my.kg") == _bytes("fresh.kg")
    assert "Nothing to do" in kg("build", "-o", "my.kg", "--upgrade").stdout


def test_names_of_the_user_are_kept_for_later_builds(kg: Run) -> None:
    """--names once is enough."""
    Path("names.csv").write_text("name,type,aliases\nThe Net,method,NetA;NetB\n")
    kg("build", "papers.jsonl", "--names", "names.csv", "-o", "my.kg")
    once = _bytes("my.kg")
    Path("names.csv").unlink()

    assert "Nothing to do" in kg("build", "papers.jsonl", "-o", "my.kg").stdout
    kg("build", "more.jsonl", "-o", "my.kg")
    kg("undo", "my.kg")
    assert _bytes("my.kg") == once
    assert json.loads(Path("my.kg/manifest.json").read_bytes())["settings"]["names"]["rows"] == 0


def test_other_names_need_no_text_read_again(kg: Run, pipeline: Capitals) -> None:
    """What was read is kept without the names, and a rebuild is as a fresh build."""
    Path("one.csv").write_text("name,type,aliases\ncompared,task,\nSetB,metric,\n")
    Path("two.csv").write_text("name,type,aliases\nextends,method,gains\n")
    kg("build", "papers.jsonl", "-o", "my.kg")
    read = len(pipeline.read)
    kg("build", "--names", "one.csv", "-o", "my.kg")
    assert "compared" in _names("my.kg", "Task")
    assert "SetB" in _names("my.kg", "Metric")
    kg("build", "--names", "two.csv", "-o", "my.kg")
    assert len(pipeline.read) == read
    assert "compared" not in _names("my.kg", "Task")
    assert "extends" in _names("my.kg", "Method")

    kg("build", "papers.jsonl", "--names", "two.csv", "-o", "fresh.kg")
    assert _bytes("my.kg") == _bytes("fresh.kg")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("a,b\n", "does not name the columns name and type"),
        ("name,type\nNetA,tool\n", "names.csv:2: 'tool' is no type"),
        ("name,type\n,method\n", "names.csv:2: there is no name"),
        ("name,type\nNetA\n", "names.csv:2: '' is no type"),
    ],
)
def test_a_wrong_file_of_names_is_refused_with_its_line(
    kg: Run, content: str, problem: str
) -> None:
    """And nothing is built with half of it."""
    Path("names.csv").write_text(content)
    output = kg("build", "papers.jsonl", "--names", "names.csv", "-o", "my.kg", status=1).stderr

    assert problem in output
    assert not Path("my.kg").exists()


def test_a_graph_of_another_version_of_kg_is_made_again_once(kg: Run) -> None:
    """A newer kg may merge other names: what it says is done has to be what it would do itself."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    whole = _bytes("my.kg")
    path = Path("my.kg/manifest.json")
    said = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**said, "kg": "0.0.1"}), encoding="utf-8")
    result = kg("build", "papers.jsonl", "-o", "my.kg")

    assert "my.kg was built by kg 0.0.1: its tables are made again" in result.stderr
    assert _bytes("my.kg") == whole
    assert json.loads(path.read_text(encoding="utf-8"))["kg"] == said["kg"]
    assert "Nothing to do" in kg("build", "papers.jsonl", "-o", "my.kg").stdout


def test_less_certain_things_stay_out_and_come_back(kg: Run) -> None:
    """--min-confidence holds for later builds until it is set anew."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    whole = _bytes("my.kg")
    kg("build", "-o", "my.kg", "--min-confidence", "0.85")
    assert not any(name.startswith("nodes/Claim") for name in _bytes("my.kg"))
    assert "Nothing to do" in kg("build", "papers.jsonl", "-o", "my.kg").stdout
    kg("build", "-o", "my.kg", "--min-confidence", "0")

    assert _bytes("my.kg") == whole


def test_standard_input_is_an_input_like_any_other(kg: Run) -> None:
    """A second pipe adds; the same content again does nothing."""
    kg("build", "-", "-o", "my.kg", stdin=PAPERS)
    kg("build", "-", "-o", "my.kg", stdin=MORE)
    assert _papers("my.kg") == ["On NetA", "On NetB", "On NetC", "On NetF"]

    assert "Nothing to do" in kg("build", "-", "-o", "my.kg", stdin=PAPERS).stdout


def test_mapped_columns_are_read_and_another_mapping_is_another_reading(kg: Run) -> None:
    """The first try at --map is often wrong; the second has to replace it."""
    Path("t.csv").write_text(
        "Year,Heading,Summary,Other\n"
        "2020,On NetA,We propose NetA.,More NetZ text.\n"
        "2021,On NetB,We propose NetB.,More NetY text.\n"
    )
    kg("build", "t.csv", "--map", "title=Heading,abstract=Other", "-o", "my.kg")
    kg("build", "t.csv", "--map", "title=Heading", "--map", "abstract=Summary", "-o", "my.kg")
    (file,) = Path("my.kg/nodes").glob("Paper-*")

    assert sorted(pq.read_table(file)["text"].to_pylist()) == [
        "We propose NetA.",
        "We propose NetB.",
    ]
    assert "Nothing to do" in kg("build", "t.csv", "-o", "my.kg").stdout


def test_facts_as_json(kg: Run) -> None:
    """Scripts read numbers, not sentences."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    facts = json.loads(kg("build", "papers.jsonl", "more.jsonl", "-o", "my.kg", "--json").stdout)

    assert facts["files"] == [
        {"file": "more.jsonl", "format": "json", "blocks": 2, "papers": 1, "merged": 1,
         "rejected": 0, "removed": 0, "notes": facts["files"][0]["notes"]}
    ]  # fmt: skip
    assert facts["known"] == ["papers.jsonl"]
    assert (facts["number"], facts["changed"]) == (2, True)
    assert facts["texts"] == {"read": 1, "kept": 3}
    assert facts["counts"]["Paper"] == 4
    assert [block["line"] for block in facts["rejected"]] == [4]


def test_strict_exits_with_3_when_a_block_was_rejected(kg: Run) -> None:
    """A pipeline of somebody's own can stop on it; the graph is built all the same."""
    kg("build", "papers.jsonl", "-o", "my.kg", "--strict", status=3)
    kg("build", "more.jsonl", "-o", "my.kg", "--strict", status=0)

    assert len(_papers("my.kg")) == 4


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("missing.txt", None, "missing.txt: no such file"),
        ("empty.txt", b"", "empty.txt: the file is empty"),
        ("binary.bin", bytes(range(256)) * 20, "binary.bin: "),
        ("folder", "folder", "the folder holds no files"),
    ],
)
def test_what_cannot_be_read_is_one_clear_message_and_leaves_no_graph(
    kg: Run, name: str, content: bytes | str | None, problem: str
) -> None:
    """The first try of a newcomer, often."""
    if content == "folder":
        Path(name).mkdir()
    elif isinstance(content, bytes):
        Path(name).write_bytes(content)
    result = kg("build", name, "-o", "my.kg", status=1)

    assert result.stderr.startswith("Error: ")
    assert problem in result.stderr
    assert result.stdout == ""
    assert not Path("my.kg").exists()


def test_a_file_that_cannot_be_read_beside_others_is_listed_with_the_rejected(kg: Run) -> None:
    """One bad file among hundreds must neither stop the build nor vanish."""
    Path("empty.txt").touch()
    result = kg("build", "empty.txt", "papers.jsonl", "-o", "my.kg")

    assert "rejected empty.txt#1: the file is empty" in result.stdout
    assert len(_papers("my.kg")) == 3
    again = kg("build", "empty.txt", "papers.jsonl", "-o", "my.kg")
    assert "Nothing to do" in again.stdout


def test_a_file_that_was_missing_is_no_longer_rejected_once_it_is_read(kg: Run) -> None:
    """Counts that still name a file as rejected after it was read do not close."""
    late = Path("late.jsonl")
    kg("build", "papers.jsonl", str(late), "-o", "my.kg")
    late.write_text('{"title": "On NetG", "abstract": "NetG extends NetA."}\n')
    kg("build", "papers.jsonl", str(late), "-o", "my.kg")

    facts = json.loads(kg("info", "my.kg", "--json").stdout)
    assert [(i["file"], i["papers"], i["rejected"]) for i in facts["inputs"]] == [
        ("papers.jsonl", 3, 1), ("late.jsonl", 1, 0),
    ]  # fmt: skip
    kg("build", "papers.jsonl", str(late), "-o", "fresh.kg")
    assert _bytes("my.kg") == _bytes("fresh.kg")


def test_a_mistyped_name_is_told_and_changes_no_graph(kg: Run) -> None:
    """Exit status 0 would let a script believe that the papers are in the graph."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    before = Path("my.kg/manifest.json").read_bytes()
    result = kg("build", "papres.jsonl", "-o", "my.kg", status=1)

    assert "papres.jsonl: no such file" in result.stderr
    assert Path("my.kg/manifest.json").read_bytes() == before


def test_a_file_that_is_gone_keeps_what_was_read_of_it(kg: Run) -> None:
    """Inputs are moved and deleted; the graph is not a mirror of the disk."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    before = _bytes("my.kg")
    Path("papers.jsonl").unlink()
    result = kg("build", "papers.jsonl", "-o", "my.kg")

    assert "what was read of it before stays" in result.stderr
    assert _bytes("my.kg") == before


def test_a_graph_inside_the_folder_that_it_is_made_of_is_no_input(kg: Run) -> None:
    """`kg build . -o my.kg` is what people type."""
    first = kg("build", ".", "-o", "my.kg", "--json").stdout
    again = kg("build", ".", "-o", "my.kg").stdout

    assert [each["file"] for each in json.loads(first)["files"]] == ["more.jsonl", "papers.jsonl"]
    assert again.startswith("Nothing to do: 2 files are in the graph as they are.")


def test_a_changed_file_is_the_same_file_under_another_spelling_of_its_name(kg: Run) -> None:
    """Or after the graph was moved with its inputs: the old content must not stay beside it."""
    Path("sub").mkdir()
    Path("sub/one.jsonl").write_text(PAPERS.replace("NetA", "NetX"))
    kg("build", "sub/one.jsonl", "-o", "my.kg")
    Path("sub/one.jsonl").write_text(PAPERS.replace("NetA", "NetY"))
    kg("build", "./sub/../sub/one.jsonl", "-o", "my.kg")
    assert _papers("my.kg") == ["On NetB", "On NetC", "On NetY"]

    kg("build", "sub/one.jsonl", "-o", "my.kg")
    for moved in ("sub", "my.kg"):
        Path("elsewhere").mkdir(exist_ok=True)
        Path(moved).rename(f"elsewhere/{moved}")
    os.chdir("elsewhere")
    Path("sub/one.jsonl").write_text(PAPERS)
    kg("build", "./sub/../sub/one.jsonl", "-o", "my.kg")
    assert _papers("my.kg") == ["On NetA", "On NetB", "On NetC"]


@pytest.mark.skipif(sys.platform == "darwin", reason="has no such names")
def test_a_name_that_is_no_utf8_is_read_like_any_other(kg: Run) -> None:
    """Archives from old systems are full of them."""
    os.rename(b"papers.jsonl", b"pap\xe9rs.jsonl")  # noqa: PTH104
    output = kg("build", ".", "-o", "my.kg").stdout

    assert "pap\ufffdrs.jsonl (json): 4 blocks" in output
    assert "Nothing to do" in kg("build", ".", "-o", "my.kg").stdout


def test_a_folder_that_is_not_ours_is_left_alone(kg: Run) -> None:
    """-o names the wrong folder sooner or later."""
    Path("thesis").mkdir()
    Path("thesis/chapter.tex").write_text("words")
    result = kg("build", "papers.jsonl", "-o", "thesis", status=1)

    assert "thesis: is not the folder of a graph" in result.stderr
    assert [path.name for path in Path("thesis").iterdir()] == ["chapter.tex"]


def test_a_second_build_fails_at_once_when_it_is_not_to_wait(kg: Run) -> None:
    """--no-wait is for jobs that are started by the clock."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    with locked(Path("my.kg")):
        result = kg("build", "more.jsonl", "-o", "my.kg", "--no-wait", status=1)
    assert "holds the lock" in result.stderr


def test_a_damaged_table_is_written_anew_by_the_next_build(kg: Run) -> None:
    """A disk error is found by the checksum, not by a wrong answer."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    whole = _bytes("my.kg")
    (file,) = Path("my.kg/nodes").glob("Claim-*")
    content = bytearray(file.read_bytes())
    content[len(content) // 3] ^= 255
    file.write_bytes(content)
    assert _bytes("my.kg") != whole
    output = kg("build", "papers.jsonl", "-o", "my.kg").stdout

    assert _bytes("my.kg") == whole
    assert output.startswith(f"Written anew, since it was damaged: nodes/{file.name}\n")
    assert "Nothing to do" not in output
    assert kg("build", "papers.jsonl", "-o", "my.kg").stdout.startswith("Nothing to do")


def test_papers_without_abstracts_are_said_to_be_bare(kg: Run) -> None:
    """A library exported without abstracts gives a graph without methods; nobody should wonder."""
    Path("bare.bib").write_text("@misc{a, title={On NetA}, doi={10.1/x}}\n@misc{b, title={B}}\n")
    output = kg("build", "bare.bib", "-o", "my.kg").stdout
    all_bare = "No abstract in 2 papers: nothing was read out of them"
    assert all_bare in output
    assert all_bare in kg("info", "my.kg").stdout
    assert all_bare in kg("build", "bare.bib", "-o", "my.kg").stdout

    facts = json.loads(kg("build", "papers.jsonl", "-o", "my.kg", "--json").stdout)
    assert facts["without_abstract"] == 2
    assert "2 of 5 papers have no abstract" in kg("info", "my.kg").stdout
    assert json.loads(kg("info", "my.kg", "--json").stdout)["without_abstract"] == 2
    assert "no abstract," not in kg("build", "papers.jsonl", "-o", "whole.kg").stdout


def test_an_upgrade_without_a_model_says_which_would_be_better(
    kg: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--upgrade keeps to the model of the graph; who wants the better one has to name it."""
    monkeypatch.setattr("kg.nlp.models.available", lambda: ("fast", "accurate"))
    kg("build", "papers.jsonl", "-o", "my.kg", "--model", "fast")
    hint = "--upgrade --model accurate"
    assert hint in kg("build", "-o", "my.kg", "--upgrade").stderr
    assert hint not in kg("build", "papers.jsonl", "-o", "my.kg").stderr
    assert hint not in kg("build", "-o", "my.kg", "--upgrade", "--model", "accurate").stderr
    assert hint not in kg("build", "-o", "my.kg", "--upgrade").stderr


def test_what_files_say_does_not_steer_the_terminal(kg: Run) -> None:
    """A title of a stranger's file could clear the screen, or pretend to be a prompt."""
    steering = "\x1b[2J\x07On \x9bNetA"
    rows: list[dict[str, object]] = [
        {"title": f"{steering} {n}", "doi": f"10.1/{n}", "abstract": f"Net{n}A gains 1% on SetB."}
        for n in range(2)
    ]
    rows += [{"title": "the other", "doi": "10.1/0", "year": 1999, "venue": steering}]
    Path("h\x1b[2J.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n{}\n" + steering)
    said = [
        kg("build", "h\x1b[2J.jsonl", "papers.jsonl", "-o", "my.kg"),
        kg("remove", "my.kg", "10.1/1"),
        *(kg(*command.split()) for command in (
            "merges my.kg", "merges my.kg --papers", "merges my.kg SetB", "history my.kg",
            "citations my.kg", "info my.kg",
        )),
        kg("diff", "my.kg", "--since", "1", status=1),
        kg("undo", "my.kg"),
        kg("extract", "h\x1b[2J.jsonl", "-o", "found.jsonl"),
    ]  # fmt: skip
    for result in said:
        assert not set("\x1b\x07\x9b") & set(result.stdout + result.stderr), result.stdout


def test_interrupting_a_build_leaves_what_was_there(
    kg: Run, pipeline: Capitals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C is a decision, not an accident."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    before = _bytes("my.kg")

    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "_extraction", interrupted)
        result = kg("build", "more.jsonl", "-o", "my.kg", status=130)

    assert "Interrupted; what was there before is intact." in result.stderr
    assert _bytes("my.kg") == before


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit for the size of files")
@pytest.mark.parametrize("limit", [0, 2000, 6000])
def test_a_full_disk_leaves_what_was_there(kg: Run, limit: int) -> None:
    """The build that did not fit says so; the graph before it is whole."""
    kg("build", "papers.jsonl", "-o", "my.kg")
    before = _bytes("my.kg")
    result = subprocess.run(
        ["bash", "-c", f'ulimit -f {limit // 1000}; exec "$@"', "-", sys.executable,
         Path(__file__).parents[1] / "graph" / "capitals.py", "build", "more.jsonl", "-o", "my.kg"],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip

    assert result.returncode == 1, result.stderr
    assert "no space is left" in result.stderr
    assert _bytes("my.kg") == before
    kg("build", "more.jsonl", "-o", "my.kg")
    assert len(_papers("my.kg")) == 4


def test_a_mapping_to_no_field_stops_the_build_before_a_file_is_read(kg: Run) -> None:
    """Else each table is listed as damaged, one by one, and the others make half a graph."""
    output = kg(
        "build", "papers.jsonl", "more.jsonl", "-o", "my.kg", "--map", "abstrct=Gist", status=1
    ).output

    assert output.startswith("Error: --map abstrct=...: a record has no field abstrct\n")
    assert not Path("my.kg", "manifest.json").exists()


def test_the_name_of_a_file_is_one_line(kg: Run) -> None:
    """A name may hold the end of a line, and what follows would look like another message."""
    Path("two\nlines\t.jsonl").write_text("{}\n" + json.dumps({"title": "A", "doi": "10.1/a"}))
    output = kg("build", "two\nlines\t.jsonl", "-o", "my.kg").output
    assert "two\ufffdlines\ufffd.jsonl (json): 2 blocks" in output
    assert "rejected two\ufffdlines\ufffd.jsonl:1: " in output
