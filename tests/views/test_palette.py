"""Every label can be told from the others, on a light and on a dark page."""

import itertools
import re
from importlib import resources

import pytest

from kg.model.schema import NodeLabel, RelationshipType
from kg.views.palette import LOOKS, NAMED_TOGETHER
from kg.views.wording import PHRASES

CSS = resources.files("kg.views").joinpath("template", "page.css").read_text(encoding="utf-8")
GROUNDS = re.findall(r"--ground: (#[0-9a-f]{6})", CSS)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_every_label_has_a_look_and_every_type_its_words() -> None:
    """The schema grows; the legend must not stay behind."""
    assert set(LOOKS) == set(NodeLabel)
    assert set(PHRASES) == {*RelationshipType, NAMED_TOGETHER}


@pytest.mark.parametrize("label", list(NodeLabel))
def test_colours_stand_out_from_the_page(label: NodeLabel) -> None:
    """WCAG asks 3 to 1 of what is not text."""
    light, dark = GROUNDS[0], GROUNDS[1]

    assert _contrast(LOOKS[label].light, light) >= 3
    assert _contrast(LOOKS[label].dark, dark) >= 3


def test_no_two_labels_look_the_same() -> None:
    """Colour and shape together, for those who see no colour."""
    for one, other in itertools.combinations(LOOKS.values(), 2):
        assert one.light != other.light
        assert one.dark != other.dark
    entities = [LOOKS[label].shape for label in list(NodeLabel)[:7]]
    assert len(set(entities)) == 7
