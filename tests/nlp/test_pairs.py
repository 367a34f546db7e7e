"""Layouts, links and relations, from probabilities to what an extraction says."""

from kg.model.extraction import (
    Claim,
    ClaimKind,
    Entity,
    EntityType,
    Mention,
    Relation,
    RelationType,
    Role,
)
from kg.nlp.layout import Layout, Place, lay_out
from kg.nlp.links import Candidate as Link
from kg.nlp.links import link
from kg.nlp.relations import RELATIONS, find_relations
from kg.nlp.relations import Candidate as Pair
from kg.nlp.sentences import sentence_spans

THRESHOLDS = dict.fromkeys(RELATIONS, 0.5)


def test_a_layout_hides_names_behind_their_types() -> None:
    """What is learned of one method must hold for a method that nobody has seen."""
    layout = _layout("We train Zeta. It gets 3.5% on Pets.", Zeta="method", Pets="dataset")

    assert layout.signs == (
        ("we", "train", "<method>", "."),
        ("it", "gets", "0", "%", "on", "<dataset>", "."),
    )
    assert layout.places == (Place(0, 0, 2, 9, 13), Place(1, 1, 5, 31, 35))


def test_of_mentions_that_overlap_the_longer_is_kept() -> None:
    """A word cannot be two things for the models of pairs."""
    layout = _layout("We use Zeta net.", **{"Zeta net": "method", "net": "method"})

    assert layout.signs == (("we", "use", "<method>", "."),)
    assert [place.entity for place in layout.places] == [0]


def test_a_relation_carries_the_sentences_that_it_rests_on() -> None:
    """Every edge shows its evidence, across sentences too."""
    text = "It is late. We propose Zeta. It is tested on Pets. Bye."
    layout = _layout(text, Zeta="method", Pets="dataset")
    pair = Pair(0, 1, RELATIONS.index("EVALUATED_ON"))

    assert find_relations(layout, [(pair, 0.8), (Pair(0, 1, 0), 0.3)], THRESHOLDS) == (
        Relation("Zeta", RelationType.EVALUATED_ON, "Pets", 12, 50, 0.8),
    )


def test_a_denied_victory_is_no_relation() -> None:
    """However sure the model is, "does not outperform" outperforms nothing."""
    text = "Although Zeta does not outperform Brine, Gamma outperforms Brine."
    layout = _layout(text, Zeta="method", Brine="method", Gamma="method")
    kind = RELATIONS.index("OUTPERFORMS")
    judged = [(Pair(0, 1, kind), 0.99), (Pair(2, 1, kind), 0.99)]

    assert [(r.head, r.tail) for r in find_relations(layout, judged, THRESHOLDS)] == [
        ("Gamma", "Brine")
    ]


def test_an_entity_takes_one_field_of_a_claim() -> None:
    """What a claim is about is not what it is compared with."""
    text = "Zeta beats Brine on Pets."
    layout = _layout(text, Zeta="method", Brine="method", Pets="dataset")
    claim = Claim(0, len(text), text, ClaimKind.PERFORMANCE, 0.9)
    judged = [
        (Link(0, 0, 0), 0.9),
        (Link(0, 0, 1), 0.6),
        (Link(0, 1, 0), 0.55),
        (Link(0, 1, 1), 0.8),
        (Link(0, 2, 2), 0.7),
        (Link(0, 2, 0), 0.1),
    ]
    thresholds = dict.fromkeys(("about", "compared_to", "on", "metrics"), 0.5)

    assert link([claim], layout, judged, thresholds) == (
        Claim(
            0,
            len(text),
            text,
            ClaimKind.PERFORMANCE,
            0.9,
            about=("Zeta",),
            compared_to=("Brine",),
            on=("Pets",),
        ),
    )


def _layout(text: str, **types: str) -> Layout:
    entities = tuple(
        Entity(
            name,
            EntityType(kind),
            True,
            Role.USED,
            1.0,
            tuple(
                Mention(at, at + len(name), name)
                for at in range(len(text))
                if text.startswith(name, at)
            ),
        )
        for name, kind in types.items()
    )
    return lay_out(text, sentence_spans(text), entities)
