"""Claims of long texts look for their links nearby, those of abstracts everywhere."""

from kg.model.extraction import Claim, ClaimKind, Entity, EntityType, Mention, Role
from kg.nlp.layout import Layout, lay_out, part
from kg.nlp.links import windows
from kg.nlp.sentences import sentence_spans


def _numbered(count: int) -> Layout:
    """A text of which every fifth sentence names an entity of its own, and each a common one."""
    sentences = [f"Zeta beats Net{n}." if n % 5 == 0 else "Zeta wins." for n in range(count)]
    text = " ".join(sentences)
    names = ["Zeta", *(f"Net{n}" for n in range(0, count, 5))]
    entities = []
    for name in names:
        mentions, at = [], text.find(name)
        while at >= 0:
            if not text[at + len(name)].isalnum():
                mentions.append(Mention(at, at + len(name), name))
            at = text.find(name, at + 1)
        entities.append(Entity(name, EntityType.METHOD, True, Role.USED, 1.0, tuple(mentions)))
    return lay_out(text, sentence_spans(text), entities)


def _claims(layout: Layout, every: int) -> tuple[Claim, ...]:
    return tuple(
        Claim(start, end, layout.text[start:end], ClaimKind.FINDING, 0.9)
        for start, end in layout.sentences[::every]
    )


def test_an_abstract_is_one_window() -> None:
    """What an ordinary text says must not depend on a bound for long ones."""
    layout = _numbered(60)
    claims = _claims(layout, 7)

    assert windows(layout, claims) == [(layout, claims)]


def test_every_claim_of_a_long_text_is_in_one_window_with_its_neighbours() -> None:
    """No claim is lost or read twice, and the work grows with the text, not with its square."""
    layout = _numbered(200)
    claims = _claims(layout, 3)
    found = windows(layout, claims)

    assert tuple(claim for _, own in found for claim in own) == claims
    for window, own in found:
        assert len(window.sentences) <= 60
        assert len(window.entities) <= 13
        for claim in own:
            at = layout.sentences.index((claim.start, claim.end))
            near = layout.sentences[max(0, at - 20) : at + 21]
            assert set(near) <= set(window.sentences)


def test_a_part_of_a_layout_is_the_layout_of_its_sentences() -> None:
    """Entities are counted anew, and every place is where it was in the text."""
    layout = _numbered(12)
    found = part(layout, 4, 8)
    start, end = layout.sentences[4][0], layout.sentences[7][1]

    assert [entity.name for entity in found.entities] == ["Zeta", "Net5"]
    assert found.sentences == layout.sentences[4:8]
    assert found.signs == layout.signs[4:8]
    assert [(p.start, p.end) for p in found.places] == [
        (p.start, p.end) for p in layout.places if start <= p.start < end
    ]
    for places, entity in zip(found.of_entity, found.entities, strict=True):
        assert {found.text[p.start : p.end] for p in places} == {entity.name}
    for number, places in enumerate(found.in_sentence):
        low, high = found.sentences[number]
        assert all(low <= p.start < high and p.sentence == number for p in places)
