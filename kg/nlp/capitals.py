"""Texts in capitals are read in small letters, and told in capitals."""

from dataclasses import replace

from kg.model.extraction import Claim, Entity, Extraction, Relation, Result


def in_small_letters(text: str) -> str:
    """Return the text in small letters, sentences and "I" included; as long as it was.

    >>> in_small_letters("WE USE BERT.")
    'We use bert.'
    """
    small = "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)
    found = []
    begins = True
    for sign in small:
        found.append(sign.upper() if begins and len(sign.upper()) == 1 else sign)
        if not sign.isspace():
            begins = sign in ".!?"
    return "".join(found)


def as_written(extraction: Extraction, text: str) -> Extraction:
    """Return the extraction with every string as it stands in the text."""
    names = {entity.name: _written(entity, text) for entity in extraction.entities}
    return replace(
        extraction,
        entities=tuple(
            replace(
                entity,
                name=names[entity.name],
                mentions=tuple(replace(m, text=text[m.start : m.end]) for m in entity.mentions),
            )
            for entity in extraction.entities
        ),
        claims=tuple(_claim(claim, text, names) for claim in extraction.claims),
        relations=tuple(_relation(relation, names) for relation in extraction.relations),
        citations=tuple(replace(c, raw=text[c.start : c.end]) for c in extraction.citations),
    )


def _written(entity: Entity, text: str) -> str:
    """Return an entity's name as it stands in the text."""
    for mention in entity.mentions:
        if mention.text == entity.name:
            return text[mention.start : mention.end]
    return entity.name


def _claim(claim: Claim, text: str, names: dict[str, str]) -> Claim:
    def renamed(linked: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names.get(name, name) for name in linked)

    return replace(
        claim,
        text=text[claim.start : claim.end],
        about=renamed(claim.about),
        compared_to=renamed(claim.compared_to),
        on=renamed(claim.on),
        metrics=renamed(claim.metrics),
        results=tuple(_result(result, text, names) for result in claim.results),
    )


def _result(result: Result, text: str, names: dict[str, str]) -> Result:
    return replace(
        result,
        raw=text[result.start : result.end],
        of=names.get(result.of, result.of),
        on=names.get(result.on, result.on),
        by=names.get(result.by, result.by),
        against=names.get(result.against, result.against),
    )


def _relation(relation: Relation, names: dict[str, str]) -> Relation:
    return replace(
        relation,
        head=names.get(relation.head, relation.head),
        tail=names.get(relation.tail, relation.tail),
    )
