"""Results: the numbers that carry a claim, with unit, direction, and what they belong to."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc

from kg.model.extraction import Claim, EntityType, Result
from kg.nlp.kept import Kept
from kg.nlp.layout import Layout, Place
from kg.nlp.layout_of import layout_of
from kg.nlp.linear import Linear, pack, sigmoid
from kg.nlp.quantities import Quantity, quantities
from kg.nlp.result_features import number_features
from kg.nlp.result_types import DELTA, alike, typed


class ResultModel:
    """The probability that a number carries the claim that it stands in."""

    FILES = (*(f"results.{name}" for name in Linear.FILES), "results.json")

    def __init__(self, words: Linear, slope: float, threshold: float) -> None:
        """Take the model, the slope that makes its scores probabilities, and the least of them."""
        self.words = words
        self.slope = slope
        self.threshold = threshold

    def __call__(
        self, layout: Layout, claims: Sequence[Claim]
    ) -> list[tuple[int, Quantity, float]]:
        """Return every number of every claim: the claim's index, the number, its probability."""
        numbers = numbers_of(layout, claims)
        if not numbers:
            return []
        rows = pack(
            number_features(
                layout.text,
                quantity,
                (claims[at].start, claims[at].end),
                claims[at].kind.value,
                named,
            )
            for at, quantity, named in numbers
        )
        found = sigmoid(self.words(rows)[:, 0] * self.slope).tolist()
        return [(at, q, p) for (at, q, _), p in zip(numbers, found, strict=True)]

    def save(self, folder: Path) -> None:
        """Write FILES."""
        self.words.save(folder, "results.")
        settings = {"slope": round(self.slope, 4), "threshold": round(self.threshold, 4)}
        (folder / "results.json").write_text(json.dumps(settings) + "\n", "utf-8")

    @classmethod
    def load(cls, folder: Path) -> "ResultModel":
        """Read what ``save`` wrote."""
        settings = json.loads((folder / "results.json").read_text("utf-8"))
        return cls(Linear.load(folder, "results."), settings["slope"], settings["threshold"])


def numbers_of(layout: Layout, claims: Sequence[Claim]) -> list[tuple[int, Quantity, bool]]:
    """Return (index of the claim, number, whether it stands in a name) in text order."""
    return [
        (at, quantity, any(p.start <= quantity.start < p.end for p in layout.places))
        for at, claim in enumerate(claims)
        for quantity in quantities(layout.text, claim.start, claim.end)
    ]


def with_results(
    claims: Sequence[Claim],
    layout: Layout,
    judged: Sequence[tuple[int, Quantity, float]],
    threshold: float,
) -> tuple[Claim, ...]:
    """Return the claims with their results, each tied to entities that the claim links to."""
    found: list[list[Result]] = [[] for _ in claims]
    kept = [(at, q, p) for at, q, p in judged if p >= threshold]
    for at, claim in enumerate(claims):
        own = [(q, p) for index, q, p in kept if index == at]
        found[at] = _of_claim(claim, layout, own)
    return tuple(
        replace(claim, results=tuple(results)) for claim, results in zip(claims, found, strict=True)
    )


def _of_claim(
    claim: Claim, layout: Layout, numbers: Sequence[tuple[Quantity, float]]
) -> list[Result]:
    text = layout.text
    results = []
    for index, (quantity, probability) in enumerate(numbers):
        before = numbers[index - 1][0] if index else None
        result = typed(text, (claim.start, claim.end), quantity, before)
        results.append(replace(result, confidence=round(probability, 4)))
    if not results:
        return []
    for index in range(1, len(results)):
        results[index - 1], results[index] = alike(text, results[index - 1], results[index])
    homes = [
        i
        for i, (start, end) in enumerate(layout.sentences)
        if start < claim.end and claim.start < end
    ]
    places = [place for home in homes for place in layout.in_sentence[home]]
    spans = [(q.start, q.end) for q, _ in numbers]
    fields: dict[str, list[str]] = {}
    for field, names in (
        ("of", claim.about),
        ("on", claim.on),
        ("by", claim.metrics),
        ("against", claim.compared_to),
    ):
        fields[field] = assigned(text, spans, _named(layout, places, names), names, field)
    for index, result in enumerate(results):
        of = fields["of"][index]
        results[index] = replace(
            result,
            of=of if _is_method(layout, of) else "",
            on=fields["on"][index],
            by=fields["by"][index],
            against=fields["against"][index] if result.change == DELTA else "",
        )
    return results


def _is_method(layout: Layout, name: str) -> bool:
    return any(e.name == name and e.type is EntityType.METHOD for e in layout.entities)


def _named(
    layout: Layout, places: Sequence[Place], names: Sequence[str]
) -> list[tuple[int, int, str]]:
    """Mentions of the named entities, in text order."""
    return [
        (place.start, place.end, layout.entities[place.entity].name)
        for place in places
        if layout.entities[place.entity].name in names
    ]


def assigned(
    text: str,
    numbers: Sequence[tuple[int, int]],
    mentions: Sequence[tuple[int, int, str]],
    names: Sequence[str],
    field: str,
) -> list[str]:
    """Return for each number the entity that it belongs to in one field, or nothing.

    One entity takes all numbers. As many entities in a row as numbers in a row are paired off
    ("91.2 and 93.4 on A and B"). Otherwise a number takes the closest, which stands behind it for
    data sets and metrics and before it for methods, unless a clause ends between.

    Args:
        text: as read.
        numbers: spans, in text order.
        mentions: spans and names of the entities of the field, in text order.
        names: of the field, also of entities that the claim does not mention.
        field: of, on, by or against.
    """
    if not names:
        return [""] * len(numbers)
    distinct = list(dict.fromkeys(name for _, _, name in mentions))
    if len(names) == 1 or not distinct:
        return [names[0] if len(names) == 1 else ""] * len(numbers)
    paired = _paired(numbers, mentions, distinct)
    if paired:
        return paired
    return [_closest(text, span, mentions, field) for span in numbers]


def _paired(
    numbers: Sequence[tuple[int, int]],
    mentions: Sequence[tuple[int, int, str]],
    distinct: Sequence[str],
) -> list[str]:
    """Pair off a run of numbers with a run of as many entities on one side of it."""
    if len(numbers) != len(distinct) or len(mentions) != len(distinct):
        return []
    first, last = numbers[0][0], numbers[-1][1]
    if all(first <= start < last for start, _, _ in mentions):
        return []
    aside = all(start >= last for start, _, _ in mentions) or all(
        end <= first for _, end, _ in mentions
    )
    return [name for _, _, name in mentions] if aside else []


def _closest(
    text: str, span: tuple[int, int], mentions: Sequence[tuple[int, int, str]], field: str
) -> str:
    best, least = "", 1e9
    for start, end, name in mentions:
        after = start >= span[1]
        between = text[span[1] : start] if after else text[end : span[0]]
        cost = float(len(between))
        usual = after if field in {"on", "against"} else not after if field == "of" else True
        cost *= 1.0 if usual else 2.5
        cost += 40 * len(re.findall(r";|\d+(?:\.\d+)?", between))
        if not after and re.match(r"\s*by\s", between):
            cost *= 0.2
        elif not usual and re.search(r"\b(?:and|while|but)\b", between):
            cost += 40
        if field == "on" and after and re.match(r"\s*(?:\w+\s){0,3}(?:on|in|for)\s", between):
            cost *= 0.4
        if re.match(r"\s*\(?[\w\s]{0,12}$", between):
            cost *= 0.6
        if cost < least:
            best, least = name, cost
    return best


class Results(Kept):
    """Set the results of the claims of a text."""

    FILES = ResultModel.FILES

    def __init__(self) -> None:
        self._model: ResultModel | None = None

    def load(self, folder: Path) -> None:
        """Read the model."""
        self._model = ResultModel.load(folder)

    def __call__(self, doc: Doc) -> Doc:
        """Set the results."""
        claims = doc._.kg_claims
        if self._model is not None and claims:
            layout = layout_of(doc)
            judged = self._model(layout, claims)
            doc._.kg_claims = with_results(claims, layout, judged, self._model.threshold)
        return doc


@Language.factory("kg_results", assigns=["doc._.kg_claims"])
def make_results(nlp: Language, name: str) -> Results:  # noqa: ARG001 - spaCy passes both
    """Build the component; its weights come from its folder."""
    return Results()
