"""A text in capitals is read like another, and what is told of it is what stands in it."""

from hypothesis import given
from hypothesis import strategies as st

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
from kg.nlp.capitals import as_written, in_small_letters


def test_sentences_keep_their_first_capital() -> None:
    """A tagger knows sentences by it."""
    text = "WE TRAIN LEAFNET. IT WINS!\n(YES)"
    assert in_small_letters(text) == "We train leafnet. It wins!\n(yes)"


@given(st.text(max_size=40))
def test_every_character_keeps_its_place(text: str) -> None:
    """Offsets into one are offsets into the other."""
    assert len(in_small_letters(text)) == len(text)


def test_everything_is_told_as_it_stands_in_the_text() -> None:
    """Names that claims and relations refer to are those of the entities."""
    text = "LEAFNET GAINS 3 ON OAKS."
    low = text.lower()

    def entity(name: str, kind: EntityType) -> Entity:
        start = low.index(name)
        return Entity(name, kind, False, Role.USED, 0.9, (Mention(start, start + len(name), name),))

    result = Result("3", 14, 15, 3.0, of="leafnet", on="oaks")
    read = Extraction(
        "m",
        entities=(entity("leafnet", EntityType.METHOD), entity("oaks", EntityType.DATASET)),
        claims=(
            Claim(0, 24, low, ClaimKind.PERFORMANCE, 0.9, about=("leafnet",), on=("oaks",),
                  results=(result,)),
        ),
        relations=(Relation("leafnet", RelationType.EVALUATED_ON, "oaks", 0, 24, 0.8),),
    )  # fmt: skip
    told = as_written(read, text)
    assert [e.name for e in told.entities] == ["LEAFNET", "OAKS"]
    assert [m.text for e in told.entities for m in e.mentions] == ["LEAFNET", "OAKS"]
    assert told.claims[0].text == text
    assert (told.claims[0].about, told.claims[0].on) == (("LEAFNET",), ("OAKS",))
    assert (told.claims[0].results[0].of, told.claims[0].results[0].on) == ("LEAFNET", "OAKS")
    assert (told.relations[0].head, told.relations[0].tail) == ("LEAFNET", "OAKS")
