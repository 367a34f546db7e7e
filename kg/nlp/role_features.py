"""What an abstract shows of the role of an entity: the words around its mentions, and where."""

import itertools

from kg.nlp.layout import Layout, Place, normal
from kg.nlp.linear import Groups

_MOST_MENTIONS = 5
_REACH = 5  # words before and after a mention
_MOST_WORDS = 60  # of a sentence


def role_features(layout: Layout) -> list[Groups]:
    """Return the features of every entity."""
    return [_features(layout, index) for index in range(len(layout.entities))]


def _features(layout: Layout, index: int) -> Groups:
    entity = layout.entities[index]
    kind = entity.type.value
    places = layout.of_entity[index]
    seen = _seen(places)
    near: list[str] = []
    sides: list[str] = []
    wide: list[str] = []
    for place in seen:
        signs = layout.signs[place.sentence]
        before = signs[max(0, place.position - _REACH) : place.position]
        after = signs[place.position + 1 : place.position + 1 + _REACH]
        near += _near(before, after)
        sides += [f"{kind}<{word}" for word in before] + [f"{kind}>{word}" for word in after]
        low = max(0, place.position - _MOST_WORDS // 2)
        part = signs[low : low + _MOST_WORDS]
        wide += [f"s {word}" for word in part]
        wide += [f"s {a} {b}" for a, b in itertools.pairwise(part)]
    return (
        (1.0, set(near)),
        (1.0, {f"{kind} {name}" for name in near}),
        (0.7, set(sides)),
        (0.7, set(wide)),
        (0.5, _name(layout, index)),
        (1.3, _frame(layout, index)),
    )


def _seen(places: tuple[Place, ...]) -> tuple[Place, ...]:
    """The first mentions and the last: enough of an entity that is named all the time."""
    return places if len(places) <= _MOST_MENTIONS else (*places[: _MOST_MENTIONS - 1], places[-1])


def _near(before: tuple[str, ...], after: tuple[str, ...]) -> list[str]:
    b = ("^", "^", "^", *before)[-3:]
    a = (*after, "$", "$", "$")[:3]
    return [
        f"-1 {b[2]}",
        f"-2 {b[1]} {b[2]}",
        f"-3 {b[0]} {b[1]} {b[2]}",
        f"+1 {a[0]}",
        f"+2 {a[0]} {a[1]}",
        f"+3 {a[0]} {a[1]} {a[2]}",
        f"-+ {b[2]} {a[0]}",
    ]


def _name(layout: Layout, index: int) -> list[str]:
    entity = layout.entities[index]
    words = [normal(word) for word in entity.name.split()] or [""]
    return [
        f"name {' '.join(words)}",
        f"last {words[-1]}",
        *(f"word {word}" for word in sorted(set(words))),
    ]


def _frame(layout: Layout, index: int) -> list[str]:
    """Where the entity stands in the text, how often, in which company."""
    entity = layout.entities[index]
    kind = f"{entity.type.value} {entity.named}"
    places = layout.of_entity[index]
    count = len(layout.sentences)
    if not places:
        return [f"{kind} nowhere"]
    homes = sorted({place.sentence for place in places})
    first = next(
        (i for i, other in enumerate(layout.places) if other.entity == index),
        0,
    )
    company = {
        layout.entities[other.entity].type.value
        for other in layout.in_sentence[homes[0]]
        if other.entity != index
    }
    return [
        kind,
        f"{kind} times {min(len(places), 4)}",
        f"{kind} sentences {min(len(homes), 4)}",
        f"{kind} first {min(homes[0], 4)}",
        f"{kind} first part {5 * homes[0] // count}",
        f"{kind} last part {5 * homes[-1] // count}",
        f"{kind} from end {min(count - 1 - homes[-1], 3)}",
        f"{kind} order {min(first, 4)}",
        f"{kind} surfaces {min(len(entity.surfaces), 3)}",
        f"{kind} company {len(layout.in_sentence[homes[0]]) > 3}",
        *(f"{kind} with {other}" for other in sorted(company)),
    ]
