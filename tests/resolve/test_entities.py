"""Resolution as a whole: what is one thing, what is not, and that order does not matter."""

import random

import pyarrow as pa
import pytest

from kg.model.decision import Decision, DecisionKind, Form
from kg.model.known_name import KnownName
from kg.model.schema import NodeLabel
from kg.resolve.aliases import NOTHING, Expansion, Known
from kg.resolve.entities import MENTIONS, Resolution, resolve_entities

Row = tuple[str, int, str, str, bool, int]


def table(*rows: Row) -> pa.Table:
    """Mention rows."""
    columns: list[tuple[object, ...]] = list(zip(*rows, strict=True)) if rows else [()] * 6
    return pa.table([pa.array(c, f.type) for c, f in zip(columns, MENTIONS, strict=True)], MENTIONS)


def resolve(*rows: Row, **options: object) -> Resolution:
    """Resolve rows with nothing known beforehand."""
    return resolve_entities(table(*rows), known=NOTHING, **options)  # type: ignore[arg-type]


def method(paper: str, surface: str, local: int = 0, *, named: bool = True) -> Row:
    """One mention of a method."""
    return (paper, local, "Method", surface, named, 1)


def entities(resolution: Resolution) -> dict[str, list[str]]:
    """Ids with their surfaces."""
    rows = resolution.entities.to_pylist()
    return {row["id"]: sorted(row["surfaces"]) for row in rows}


GRPO = (
    method("p1", "Group Relative Policy Optimization"),
    method("p1", "GRPO"),
    method("p2", "GRPO"),
    method("p3", "group-relative policy optimisation"),
)


def test_an_abbreviation_and_its_long_form_are_one_wherever_one_paper_says_so() -> None:
    """The commonest complaint: one method under three names."""
    resolution = resolve(*GRPO)

    assert entities(resolution) == {
        "method:group relative policy optimization": [
            "GRPO",
            "Group Relative Policy Optimization",
            "group-relative policy optimisation",
        ]
    }
    row = resolution.entities.to_pylist()[0]
    assert (row["name"], row["aliases"]) == ("GRPO", ["method:grpo"])
    assert "1 paper writes 'Group Relative Policy Optimization (GRPO)'" in row["reasons"]


def test_any_order_of_rows_gives_the_same_tables() -> None:
    """Papers come in any order; the graph must not depend on it."""
    rows = [*GRPO, method("p4", "GANs"), method("p5", "GAN"), ("p5", 1, "Dataset", "GAN", True, 3)]
    straight = resolve(*rows)
    for seed in range(20):
        shuffled = list(range(len(rows)))
        random.Random(seed).shuffle(shuffled)  # noqa: S311  (no secret)
        other = resolve(*(rows[i] for i in shuffled))
        assert other.entities.equals(straight.entities)
        assert other.merges.equals(straight.merges)
        ids = straight.assignment.to_pylist()
        assert other.assignment.to_pylist() == [ids[i] for i in shuffled]


def test_no_rows_give_empty_tables() -> None:
    """A pile of papers without entities is a graph too."""
    resolution = resolve()

    assert (resolution.entities.num_rows, resolution.merges.num_rows) == (0, 0)
    assert resolution.assignment.to_pylist() == []


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("CIFAR-10", "CIFAR-100"),
        ("Llama-2", "Llama-3"),
        ("GPT-4", "GPT-4o"),
        ("Llama-3-8B", "Llama-3-70B"),
        ("AlpacaEval", "AlpacaEval 2.0"),
        ("BERT-base", "BERT-large"),
        ("HumanEval", "HumanEval+"),
    ],
)
def test_versions_and_sizes_are_kept_apart(one: str, two: str) -> None:
    """A result of the one is no result of the other."""
    assert len(entities(resolve(method("p1", one), method("p2", two)))) == 2


def test_one_form_with_two_senses_is_split_by_the_long_forms() -> None:
    """DPO is two things; papers that do not say which follow the overwhelming one."""
    rows = []
    for i in range(9):
        rows += [method(f"p{i}", "DPO"), method(f"p{i}", "direct preference optimization")]
    rows += [method("q", "DPO"), method("q", "deterministic policy operator"), method("r", "DPO")]
    resolution = resolve(*rows)

    assert entities(resolution) == {
        "method:direct preference optimization": ["DPO", "direct preference optimization"],
        "method:deterministic policy operator": ["DPO", "deterministic policy operator"],
    }
    assert resolution.assignment.to_pylist()[-1] == "method:direct preference optimization"
    assert [row["kind"] for row in resolution.merges.to_pylist()].count("split") == 2


def test_ids_stay_when_unrelated_papers_come_and_old_ids_become_aliases() -> None:
    """Links that people keep must not break."""
    before = resolve(method("p1", "GRPO"))
    unrelated = resolve(method("p1", "GRPO"), method("p9", "Adam"), method("p9", "SGD", 1))
    after = resolve(*GRPO)

    assert entities(before) == {"method:grpo": ["GRPO"]}
    assert entities(unrelated)["method:grpo"] == ["GRPO"]
    assert after.entities["aliases"].to_pylist() == [["method:grpo"]]


def form(surface: str, label: NodeLabel = NodeLabel.METHOD) -> Form:
    """What a decision names."""
    return Form(label, surface)


def test_a_refused_merge_stays_refused_even_against_a_paper_s_own_word() -> None:
    """The user has the last word."""
    refuse = Decision(
        1, DecisionKind.REFUSE, form("GRPO"), form("Group Relative Policy Optimization")
    )
    resolution = resolve(*GRPO, decisions=[refuse])

    assert entities(resolution) == {
        "method:group relative policy optimization": [
            "Group Relative Policy Optimization",
            "group-relative policy optimisation",
        ],
        "method:grpo": ["GRPO"],
    }


def test_two_forms_of_one_spelling_can_be_told_apart() -> None:
    """Even what differs in capitals only may be two things."""
    refuse = Decision(1, DecisionKind.REFUSE, form("Adam"), form("ADAM"))
    resolution = resolve(method("p1", "Adam"), method("p2", "ADAM"), decisions=[refuse])

    assert entities(resolution) == {"method:adam": ["Adam"], "method:ADAM": ["ADAM"]}


def test_joined_forms_are_one() -> None:
    """What no rule can know, the user may say."""
    join = Decision(1, DecisionKind.JOIN, form("GRPO"), form("group policy thing"))
    resolution = resolve(method("p1", "GRPO"), method("p2", "group policy thing"), decisions=[join])

    assert [row["surfaces"] for row in resolution.entities.to_pylist()] == [
        ["GRPO", "group policy thing"]
    ]


def test_a_retyped_entity_joins_its_namesake_of_that_type() -> None:
    """Two nodes of one name and type would be a contradiction."""
    retype = Decision(1, DecisionKind.RETYPE, form("MMLU"), to="Dataset")
    resolution = resolve(
        method("p1", "MMLU"), ("p2", 0, "Dataset", "MMLU", True, 1), decisions=[retype]
    )

    row = resolution.entities.to_pylist()[0]
    assert resolution.entities.num_rows == 1
    assert (row["id"], row["label"], row["aliases"]) == ("dataset:mmlu", "Dataset", ["method:mmlu"])


def test_a_renamed_entity_keeps_its_id() -> None:
    """A name is for people, an id for links."""
    rename = Decision(1, DecisionKind.RENAME, form("GRPO"), to="Group-relative PO")
    row = resolve(*GRPO, decisions=[rename]).entities.to_pylist()[0]

    assert (row["id"], row["name"]) == (
        "method:group relative policy optimization",
        "Group-relative PO",
    )


def test_a_decision_that_no_longer_applies_is_reported() -> None:
    """A decision must not vanish without a word."""
    gone = Decision(4, DecisionKind.JOIN, form("GRPO"), form("Nothing"))
    resolution = resolve(*GRPO, decisions=[gone])

    assert [(u.decision, u.why) for u in resolution.unapplied] == [
        (gone, "no paper of the graph names Method 'Nothing'")
    ]


def test_the_users_names_win_over_everything_that_texts_say() -> None:
    """A lab knows its own names."""
    names = [
        KnownName("Segment Anything", NodeLabel.METHOD, ("SAM",)),
        KnownName("MMLU", NodeLabel.DATASET),
    ]
    resolution = resolve(
        method("p1", "SAM"),
        method("p2", "Segment anything"),
        method("p3", "MMLU"),
        names=names,
    )

    assert entities(resolution) == {
        "method:segment anything": ["SAM", "Segment anything"],
        "dataset:mmlu": ["MMLU"],
    }


def test_a_rare_type_yields_to_the_overwhelming_one_and_the_count_is_given() -> None:
    """One mistaken paper must not make a second ImageNet."""
    rows: list[Row] = [(f"p{i}", 0, "Dataset", "ImageNet", True, 1) for i in range(12)]
    resolution = resolve(*rows, method("q", "ImageNet"))

    assert entities(resolution) == {"dataset:imagenet": ["ImageNet"]}
    assert "a Dataset in 12 papers, a Method in only 1" in str(resolution.merges.to_pylist())


def test_an_acronym_that_is_also_a_word_is_another_thing_than_the_word() -> None:
    """ROAD is a data set, a road is not."""
    rows = table(
        ("p1", 0, "Dataset", "ROAD", True, 1),
        ("p2", 0, "Dataset", "road", False, 1),
        ("p3", 0, "Dataset", "ROAD dataset", True, 1),
    )
    resolution = resolve_entities(rows, known=Known(words=frozenset(("road",))))

    assert entities(resolution) == {
        "dataset:ROAD": ["ROAD", "ROAD dataset"],
        "dataset:road": ["road"],
    }


def test_an_open_abbreviation_is_judged_by_the_other_names_of_its_paper() -> None:
    """Half of the papers expand MAP in one way, half in the other; company tells the rest."""
    rows: list[Row] = []
    for i in range(4):
        rows += [method(f"a{i}", "MAP"), method(f"a{i}", "maximum a posteriori")]
        rows += [method(f"a{i}", "HMM", 1), method(f"a{i}", "Viterbi", 2)]
        rows += [method(f"b{i}", "MAP"), method(f"b{i}", "multi-agent planning")]
        rows += [method(f"b{i}", "MCTS", 1), method(f"b{i}", "POMDP", 2)]
    rows += [method("c", "HMM", 1), method("c", "Viterbi", 2), method("c", "MAP")]
    rows += [method("d", "MAP")]
    resolution = resolve(*rows)

    *_, told, untold = resolution.assignment.to_pylist()
    assert (told, untold) == ("method:maximum a posteriori", "method:map")
    (merge,) = [
        m for m in resolution.merges.to_pylist() if m["entity"] == told and m["kind"] == "merge"
    ]
    assert merge["reason"] == (
        "4 papers write 'MAP' and 'maximum a posteriori' for one thing; "
        "'MAP' means this in 1 paper, which does not say so, by the other names there"
    )


def test_an_abbreviation_in_the_midst_of_a_name_is_no_part_of_it() -> None:
    """Half of all papers introduce an abbreviation before the noun that it describes."""
    resolution = resolve(
        method("p1", "Odd-Tone-Action (OTA) models", named=False),
        method("p2", "odd-tone-action model", named=False),
        method("p3", "red-to-sun (R2S) maps", named=False),
        method("p3b", "red-to-sun (R2S) maps", named=False),
        method("p4", "red-to-sun map", named=False),
        method("p5", "Odd-Tone (see below) models", named=False),
    )

    assert "red-to-sun map" in resolution.entities["name"].to_pylist()
    assert entities(resolution) == {
        "method:odd tone action model": ["Odd-Tone-Action (OTA) models", "odd-tone-action model"],
        "method:red to sun map": ["red-to-sun (R2S) maps", "red-to-sun map"],
        "method:odd tone see below model": ["Odd-Tone (see below) models"],
    }


def test_two_long_forms_that_turn_out_to_be_one_are_one_sense() -> None:
    """GenAI is generative AI, and AI artificial intelligence: an unexpanded GenAI is both."""
    rows = [
        *(
            row
            for i in range(3)
            for row in (method(f"k{i}", "OT"), method(f"k{i}", "odd tone", named=False))
        ),
        method("a", "GenOT"),
        method("a", "generative OT", named=False),
        method("b", "GenOT"),
        method("b", "generative odd tones", named=False),
        method("c", "GenOT"),
    ]
    resolution = resolve(*rows)

    ids = resolution.assignment.to_pylist()[6:]
    assert len(set(ids)) == 1
    assert "split" not in resolution.merges["kind"].to_pylist()


def test_the_id_of_a_known_name_stays_when_its_abbreviation_comes_for_something_else() -> None:
    """A paper on odd tone runs must not take the id of obvious tone removal from it."""
    name = KnownName("OTR", NodeLabel.METHOD, ("obvious tone removal",))
    forms = {("Method", sign): (name,) for sign in ("otr", "obvioustoneremoval")}
    expansions = {"otr": (Expansion("obvious tone removal", 10, listed=True),)}
    known = Known(names=(name,), by_form=forms, expansions=expansions)
    one = (method("p1", "obvious tone removal", named=False),)
    more = (*one, method("p2", "odd tone runs"), method("p2", "OTR"), method("p3", "OTR"))
    before = resolve_entities(table(*one), known=known)
    after = resolve_entities(table(*more), known=known)

    assert entities(before) == {"method:obvious tone removal": ["obvious tone removal"]}
    assert entities(after)["method:obvious tone removal"] == ["obvious tone removal"]


def test_a_name_that_the_end_of_a_line_broke_is_not_shown_where_it_stands_whole_elsewhere() -> None:
    """Texts that were wrapped with hyphens say "Sparse-" and "Harbor" on two lines."""
    broken = [method(f"p{i}", "Sparse-\nHarbor") for i in range(3)]
    resolution = resolve(*broken, method("p4", "SparseHarbor"))

    (row,) = resolution.entities.to_pylist()
    assert (row["name"], row["papers"]) == ("SparseHarbor", 4)
