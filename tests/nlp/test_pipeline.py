"""Texts become extractions in order, the same on every number of cores, whatever the texts are."""

import gc
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
import spacy

from kg.errors import ModelError
from kg.model.extraction import Extraction
from kg.nlp.flags import LONGEST
from kg.nlp.pipeline import Pipeline, load
from tests.made_model import abstract

TEXT = (
    "We propose LeafNet, a network for tree parsing that reads the rings one by one. Experiments "
    "on the OpenTrees dataset show that LeafNet reaches 91.5% accuracy. It outperforms RootNet on "
    "the same data."
)


@pytest.fixture(scope="module")
def pipeline(made_model: Path) -> Pipeline:
    """The made model, loaded."""
    return load(made_model)


def names(extraction: Extraction) -> list[tuple[str, str]]:
    """Name and type of every entity."""
    return [(entity.name, entity.type.value) for entity in extraction.entities]


def test_what_a_text_says_is_found_with_its_place(pipeline: Pipeline) -> None:
    """Every mention is the text between its offsets."""
    found = pipeline.read(TEXT)
    assert names(found) == [
        ("LeafNet", "method"),
        ("tree parsing", "task"),
        ("OpenTrees", "dataset"),
        ("accuracy", "metric"),
        ("RootNet", "method"),
    ]
    assert found.entities[0].named
    assert not found.entities[1].named
    assert [m.start for m in found.entities[0].mentions] == [11, TEXT.rindex("LeafNet")]
    for entity in found.entities:
        assert all(TEXT[m.start : m.end] == m.text for m in entity.mentions)
        assert 0 <= entity.confidence <= 1
    assert [TEXT[a:b] for a, b in found.sentences][2] == "It outperforms RootNet on the same data."
    assert found.model == pipeline.version
    assert found.flags == ()


def test_order_and_content_do_not_depend_on_the_number_of_processes(pipeline: Pipeline) -> None:
    """The same input gives the same graph on a laptop and on a server."""
    rng = random.Random(7)  # noqa: S311 - not for secrets
    texts = [str(abstract(rng, n)["text"]) for n in range(150)]
    texts[3], texts[70] = "", "one"
    alone = list(pipeline.extract(texts, processes=1))
    assert list(pipeline.extract(texts, processes=2)) == alone
    assert list(pipeline.extract(iter(texts), processes=3)) == alone
    assert [bool(e.entities) for e in alone] == [n not in (3, 70) for n in range(150)]


def test_texts_that_are_read_together_say_what_each_says_alone(pipeline: Pipeline) -> None:
    """What one text leaves behind must not reach its neighbours: odd ones among ordinary ones."""
    texts = [TEXT, "", "word", TEXT.upper(), TEXT[:60], "Menu > Home | About", f"{TEXT} " * 300]

    assert pipeline.read_all(texts) == [pipeline.read(text) for text in texts]
    assert list(pipeline.extract(texts, processes=1)) == [pipeline.read(text) for text in texts]


def test_the_garbage_collector_is_as_it_was(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It rests while texts are read, also when reading fails; a program without it keeps it off."""
    monkeypatch.setattr(pipeline, "_extraction", lambda *_: 1 / 0)
    for enabled in (True, False):
        (gc.enable if enabled else gc.disable)()
        try:
            with pytest.raises(ZeroDivisionError):
                pipeline.read(TEXT)
            assert gc.isenabled() == enabled
        finally:
            gc.enable()


def test_texts_are_taken_as_they_are_needed(pipeline: Pipeline) -> None:
    """A hundred million abstracts do not fit into memory."""
    taken = 0

    def endless() -> object:
        nonlocal taken
        while True:
            taken += 1
            yield TEXT

    found = pipeline.extract(endless(), processes=2)  # type: ignore[arg-type]
    for _ in range(10):
        next(found)
    found.close()  # type: ignore[attr-defined]
    assert taken < 1_000


def test_a_process_that_dies_is_told_and_not_waited_for(made_model: Path, tmp_path: Path) -> None:
    """Better an error than a build that never ends."""
    broken = tmp_path / "model"
    broken.mkdir()
    for name in ("config.cfg", "meta.json"):
        (broken / name).write_bytes((made_model / name).read_bytes())
    with pytest.raises(ModelError):
        list(Pipeline(broken).extract([TEXT] * 80, processes=2))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "x",
        "LeafNet",
        "\x00\x01\x02",
        "\ud800 We propose LeafNet, a network for tree parsing, and it is lone. \udfff",
        "a" * 50_000,
        "(" * 5_000,
        "We propose LeafNet. " * 4_000,
        "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 is in the tree 🌲🌲 that we have found with LeafNet on OpenTrees.",
        "def f(x):\n    return {x: [f(y) for y in x]}\n" * 50,
        "Home\nProducts\nAbout\nContact\nSign in\n" * 20,
        "我们提出了一种新的网络。" * 200,
        TEXT.upper(),
        TEXT.replace(" ", "\n\n"),
    ],
)
def test_any_text_gives_few_entities_with_right_offsets(pipeline: Pipeline, text: str) -> None:
    """No garbage by the hundred, no crash, no offset beside the text."""
    found = pipeline.read(text)
    assert len(found.entities) <= 12
    plain = text.replace("\ud800", "\ufffd").replace("\udfff", "\ufffd")
    for entity in found.entities:
        assert all(plain[m.start : m.end] == m.text for m in entity.mentions)


def test_time_grows_no_faster_than_a_text(pipeline: Pipeline) -> None:
    """Twice as long takes about twice as long, and what is past the limit takes nothing."""
    pipeline.read(TEXT * 20)

    def seconds(times: int) -> float:
        start = time.perf_counter()
        pipeline.read((TEXT + " ") * times)
        return time.perf_counter() - start

    most = LONGEST // len(TEXT)
    assert seconds(most) < 12 * seconds(most // 4) + 0.5
    assert len(pipeline.read(TEXT * 5_000).flags) == 1


def test_the_folder_loads_with_spacy_alone(made_model: Path) -> None:
    """Users of spaCy need not know kg: the components are found by their entry points."""
    code = (
        "import spacy, sys; nlp = spacy.load(sys.argv[1]); doc = nlp(sys.argv[2]);"
        "print([e.name for e in doc._.kg_entities])"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, str(made_model), TEXT],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "'LeafNet'" in told.stdout


def test_a_saved_pipeline_reads_the_same(made_model: Path, tmp_path: Path) -> None:
    """nlp.to_disk writes every component's data."""
    spacy.load(made_model).to_disk(tmp_path / "copy")
    assert names(load(tmp_path / "copy").read(TEXT)) == names(load(made_model).read(TEXT))


def test_the_version_names_the_weights(made_model: Path, tmp_path: Path) -> None:
    """Kept extractions are read again when any weight changes."""
    copy = tmp_path / "copy"
    spacy.load(made_model).to_disk(copy)
    before = load(copy).version
    assert load(copy).version == before
    settings = copy / "kg_rescorer" / "settings.json"
    settings.write_text('{"threshold": 0.9}', "utf-8")
    assert load(copy).version != before


@pytest.mark.parametrize("model", ["no-such-model", "/nowhere"])
def test_an_unknown_model_is_told_with_what_there_is(model: str) -> None:
    """A typing error should cost one look at the screen."""
    with pytest.raises(ModelError, match="no model"):
        load(model)
