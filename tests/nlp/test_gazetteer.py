"""A user's own names are found in texts, as whole words, whatever else a model reads there."""

import itertools
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import InputError
from kg.model.extraction import (
    Claim,
    ClaimKind,
    Entity,
    EntityType,
    Extraction,
    Mention,
    Relation,
    RelationType,
    Result,
    Role,
)
from kg.model.known_name import KnownName
from kg.model.schema import NodeLabel
from kg.nlp.flags import CAPITALS, NO_PROSE
from kg.nlp.name_matcher import MOST_WORDS, NameMatcher
from kg.nlp.own_names import OwnNames

_MARK = re.compile(r"\[([^\[\]|]+)\|([^\[\]|]+)\]")


def unmark(marked: str) -> tuple[str, list[tuple[str, Mention]]]:
    """Return a text and what is marked in it as [surface|entity]."""
    text, found, at = "", [], 0
    for match in _MARK.finditer(marked):
        text += marked[at : match.start()]
        found.append((match[2], Mention(len(text), len(text) + len(match[1]), match[1])))
        text += match[1]
        at = match.end()
    return text + marked[at:], found


def read(marked: str) -> tuple[str, Extraction]:
    """Return a text and what a model read in it: [surface|type] or [surface|type:entity]."""
    text, found = unmark(marked)
    groups: dict[tuple[str, str], list[Mention]] = {}
    for said, mention in found:
        kind, _, name = said.partition(":")
        groups.setdefault((kind, name or mention.text), []).append(mention)
    entities = tuple(
        Entity(name, EntityType(kind), True, Role.PROPOSED, 0.8, tuple(mentions), 0.9)
        for (kind, name), mentions in groups.items()
    )
    return text, Extraction("made-1", entities)


def shown(extraction: Extraction) -> dict[str, tuple[str, list[str]]]:
    """Return type and surface forms of each entity by name."""
    return {e.name: (e.type.value, [m.text for m in e.mentions]) for e in extraction.entities}


@pytest.mark.parametrize(
    ("names", "marked"),
    [
        (["ImageNet"], "On [ImageNet|0] and [imagenet|0], not ImageNette or MyImageNet."),
        (["SAM", "T5"], "[SAM|0] and [T5|1] beat Sam, sam and t5; [SAMs|0] do too."),
        (["Whisper"], "[Whisper|0] hears a whisper; [WHISPER|0] shouts."),
        (["data augmentation"], "[Data  augmentation|0] is [data-augmentation|0]."),
        (["C++", ".NET", "F#"], "In [C++|0], [.NET|1] and [F#|2], not in F or C+."),
        (["BERT"], "[BERT|0]-based and [BERT|0]'s, not Sentence-BERT, BERT-2 or \\BERT."),
        (["BERT"], "See https://example.org/BERT and www.BERT.org, not [BERT|0]."),
        (["GPT", "GPT-4", "GPT-4 Turbo"], "[GPT-4 Turbo|2], [GPT-4|1], [GPT 4|1] and [GPT|0]."),
        (["a b", "b c d"], "a [b c d|1] e: the longest wins."),
        (["(x*)?", "$\\epsilon$-greedy"], "Is [(x*)?|0] a pattern, is [$\\epsilon$-greedy|1]?"),
        (["", "  ", "-", "..."], "Nothing is - ... no name."),
        (["é", "ＢＥＲＴ"], "Café is one word; another is [é|0]."),
    ],
)  # fmt: skip
def test_names_stand_as_whole_words(names: list[str], marked: str) -> None:
    """Every name is one of the list by its number, and nothing else is a name."""
    text, expected = unmark(marked)
    found = NameMatcher(enumerate(names)).matches(text)
    assert [(text[m.start : m.end], m.start, m.things) for m in found] == [
        (mention.text, mention.start, (int(number),)) for number, mention in expected
    ]


def test_names_of_many_words_cost_no_time() -> None:
    """Ten thousand characters are no name, and a list of them does not stop the rest."""
    long = "a " * 5_000
    matcher = NameMatcher([(0, long), (1, "a " * MOST_WORDS), (2, "x" * 10_000), (3, "b")])
    start = time.process_time()
    found = matcher.matches("a " * 20_000 + "b")
    assert time.process_time() - start < 20
    assert {m.things for m in found} == {(1,), (3,)}
    assert [m.things for m in matcher.matches("x" * 10_000)] == [(2,)]


def own(*names: str) -> OwnNames:
    """Return a list of "name=type" or "name;alias=type"."""
    known = []
    for line in names:
        forms, _, kind = line.partition("=")
        first, *aliases = forms.split(";")
        known.append(KnownName(first, NodeLabel(kind.capitalize()), tuple(aliases)))
    return OwnNames(known)


@pytest.mark.parametrize(
    ("names", "marked", "expected"),
    [
        pytest.param(
            own("FooNet=method"), "We train FooNet on [BarSet|dataset].",
            {"FooNet": ("method", ["FooNet"]), "BarSet": ("dataset", ["BarSet"])}, id="missed",
        ),
        pytest.param(
            own("BarSet=dataset"), "[BarSet|method] is hard. [BarSet|method] is small.",
            {"BarSet": ("dataset", ["BarSet", "BarSet"])}, id="wrong type",
        ),
        pytest.param(
            own("Foo Net 2=method"), "We train [Foo Net|method] 2.",
            {"Foo Net 2": ("method", ["Foo Net 2"])}, id="too short",
        ),
        pytest.param(
            own("Foo Net=method"), "The new [Net today|task], a Foo Net today: Foo [Net today|task].",
            {"Net today": ("task", ["Net today"]), "Foo Net": ("method", ["Foo Net", "Foo Net"])},
            id="across an end",
        ),
        pytest.param(
            own("FooNet=method"), "Our [FooNet embeddings|method] help.",
            {"FooNet": ("method", ["FooNet"])}, id="common words around a name",
        ),
        pytest.param(
            own("ImageNet=dataset", "attention=method"),
            "[Tiny ImageNet|dataset], [ImageNet-C|dataset] and [multi-head attention|method].",
            {"Tiny ImageNet": ("dataset", ["Tiny ImageNet"]),
             "ImageNet-C": ("dataset", ["ImageNet-C"]),
             "multi-head attention": ("method", ["multi-head attention"])},
            id="other names that hold it",
        ),
        pytest.param(
            own("SAM;Segment Anything=method"),
            "[SAM|task] is [Segment Anything|method], the [Segment Anything Model|task:SAM].",
            {"SAM": ("method", ["SAM", "Segment Anything", "Segment Anything Model"])},
            id="one thing",
        ),
        pytest.param(
            own("net=method", "Foo=method"), "A [net Foo|task] and a [net baz|task].",
            {"net": ("method", ["net"]), "Foo": ("method", ["Foo"]), "net baz": ("task", ["net baz"])},
            id="held by a name that gave way",
        ),
        pytest.param(
            own("GAP=dataset", "GAP=method"), "The [GAP|method] layer.",
            {"GAP": ("method", ["GAP"])}, id="of two the one that was read",
        ),
    ],
)  # fmt: skip
def test_the_list_wins(
    names: OwnNames, marked: str, expected: dict[str, tuple[str, list[str]]]
) -> None:
    """A lab knows the names of its own things."""
    text, found = read(marked)
    assert shown(names(text, found)) == expected


def test_nothing_changes_without_a_name() -> None:
    """The very same object comes back, so that nothing is written again."""
    text, found = read("We train [FooNet|method] on BarSet.")
    names = own("FooNet=method", "Other=task")
    settled = names(text, found)
    assert names(text, settled) is settled
    assert own("Other=task")(text, found) is found
    assert own()(text, found) is found


def test_texts_that_are_not_read_have_no_names() -> None:
    """A menu with a million names beside it must not become a hundred entities."""
    text = "Home FooNet About FooNet"
    assert own("FooNet=method")(text, Extraction("m", flags=(NO_PROSE,))).entities == ()
    capitals = Extraction("m", flags=(CAPITALS,))
    found = own("FooNet=method", "IT=method")("FOONET SAYS THAT IT WORKS", capitals)
    assert shown(found) == {"FOONET": ("method", ["FOONET"])}


def test_links_follow_the_entities() -> None:
    """What is renamed, joined or retyped is so in claims, results and relations."""
    text, found = read(
        "[FooNet|method] beats [Bar|method] by 3% on BazSet 2.0 and [QuxSet|metric]."
    )
    claim = Claim(
        0, len(text), text, ClaimKind.PERFORMANCE, 0.9,
        about=("FooNet",), compared_to=("Bar",), metrics=("QuxSet",),
        results=(
            Result("3%", 20, 22, 3.0, "%", of="FooNet", by="QuxSet", against="Bar"),
            Result("2.0", text.index("2.0"), text.index("2.0") + 3, 2.0, of="FooNet"),
        ),
    )  # fmt: skip
    relations = (
        Relation("FooNet", RelationType.OUTPERFORMS, "Bar", 0, len(text), 0.7),
        Relation("FooNet", RelationType.USES, "Bar", 0, len(text), 0.6),
    )
    found = replace(found, claims=(claim,), relations=relations)
    names = own("QuxSet=dataset", "Bar=dataset", "BazSet 2.0=dataset")
    changed = names(text, found)

    told = changed.claims[0]
    assert (told.about, told.compared_to) == (("FooNet",), ("Bar",))
    assert (told.on, told.metrics) == (("Bar", "BazSet 2.0", "QuxSet"), ())
    assert [(r.raw, r.of, r.by, r.against) for r in told.results] == [("3%", "FooNet", "", "")]
    assert changed.relations == ()  # a method does not outperform, nor use, a dataset
    joined = own("FooNet;Bar=method")(text, found)
    assert (joined.claims[0].about, joined.claims[0].compared_to) == (("FooNet",), ("FooNet",))
    assert joined.relations == ()
    assert shown(joined)["FooNet"] == ("method", ["FooNet", "Bar"])


_WORDS = st.sampled_from(["Foo", "Bar", "baz", "Qux", "2", "FB", "s"])
_JOINTS = st.sampled_from([" ", " ", "-", ". ", ", "])
_TEXTS = st.lists(st.tuples(_WORDS, _JOINTS), min_size=3, max_size=14).map(
    lambda pairs: "".join(word + joint for word, joint in pairs)
)
_NAMES = st.lists(
    st.tuples(
        st.lists(_WORDS, min_size=1, max_size=3).map(" ".join), st.sampled_from(list(EntityType))
    ),
    max_size=5,
)


@settings(max_examples=200, deadline=None)
@given(_TEXTS, _NAMES, st.data())
def test_an_extraction_stays_whole(
    text: str, names: list[tuple[str, EntityType]], data: st.DataObject
) -> None:
    """Names are unique, offsets are right, own names overlap nothing, and twice is once."""
    spans = [m.span() for m in re.finditer(r"\w+(?:[ -]\w+)?", text)]
    kinds = data.draw(
        st.lists(st.sampled_from(list(EntityType)), min_size=len(spans), max_size=len(spans))
    )
    groups: dict[str, list[Mention]] = {}
    for start, end in spans:
        groups.setdefault(text[start:end], []).append(Mention(start, end, text[start:end]))
    found = Extraction("m", tuple(
        Entity(name, kind, False, Role.USED, 0.5, tuple(mentions))
        for (name, mentions), kind in zip(groups.items(), kinds, strict=False)
    ))  # fmt: skip
    matcher = OwnNames(KnownName(name, kind.label) for name, kind in names)
    changed = matcher(text, found)

    assert len({e.name for e in changed.entities}) == len(changed.entities)
    mentions = sorted((m.start, m.end) for e in changed.entities for m in e.mentions)
    assert all(text[m.start : m.end] == m.text for e in changed.entities for m in e.mentions)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(mentions))
    assert all(e.name in [m.text for m in e.mentions] for e in changed.entities)
    assert matcher(text, changed) == changed


def test_the_component_reads_as_the_option_does(made_model: Path, tmp_path: Path) -> None:
    """In a pipeline of the user's own, saved and loaded again without the first file."""
    import spacy

    import kg.nlp.factories  # noqa: F401 - registers the components
    from kg.nlp.pipeline import load

    path = tmp_path / "names.csv"
    path.write_text("name,type,aliases\nring reader,method,rings\nOpenTrees,task,\n", "utf-8")
    text = (
        "We propose LeafNet, a network for tree parsing that reads the rings one by one. "
        "Experiments on the OpenTrees dataset show that LeafNet reaches 61.5% accuracy."
    )
    nlp = spacy.load(made_model)
    nlp.add_pipe("kg_gazetteer", config={"names": str(path)})
    nlp.to_disk(tmp_path / "model")
    path.rename(tmp_path / "elsewhere.csv")

    names = own("ring reader;rings=method", "OpenTrees=task")
    plain, with_names = load(made_model), load(tmp_path / "model")
    expected = names(text, plain.read(text))
    assert shown(expected)["OpenTrees"][0] == "task"
    assert "rings" in shown(expected)
    assert replace(with_names.read(text), model=plain.version) == expected
    assert with_names.version != plain.version
    many = [text] * 70
    assert list(with_names.extract(many, processes=2)) == [with_names.read(text)] * 70


def test_a_component_without_its_file_says_so(made_model: Path, tmp_path: Path) -> None:
    """At the first text; and an empty list is no mistake."""
    import spacy

    import kg.nlp.factories  # noqa: F401 - registers the components

    nlp = spacy.load(made_model)
    nlp.add_pipe("kg_gazetteer", config={"names": str(tmp_path / "none.csv")})
    with pytest.raises(InputError, match=r"none\.csv"):
        nlp("We propose LeafNet, a network that reads the rings one by one.")
    nlp = spacy.load(made_model)
    nlp.add_pipe("kg_gazetteer")
    assert nlp("We propose LeafNet, a network that reads the rings.")._.kg_flags == ()


def test_a_form_of_two_lines_means_one_thing_in_a_text() -> None:
    """Two entities of one name in one text could not be told apart."""
    text = "Foo is new. Foo wins. We test Foo on data."
    entity = Entity("Foo", EntityType.DATASET, True, Role.USED, 0.5, (Mention(12, 15, "Foo"),))
    found = Extraction("m", (entity,), sentences=((0, 11), (12, 21), (22, 42)))
    names = OwnNames([KnownName("Foo", NodeLabel.METHOD), KnownName("Foo", NodeLabel.DATASET)])
    assert shown(names(text, found)) == {"Foo": ("dataset", ["Foo", "Foo", "Foo"])}
