"""Errors are listed by what is wrong with them, and intervals tell how far to trust a figure."""

from collections import Counter

import numpy as np
import pytest

from kg.analytics.bootstrap import intervals
from kg.analytics.calibration import calibration
from kg.analytics.error_page import error_page
from kg.analytics.errors import EntityError, entity_errors
from kg.analytics.evaluation import Evaluation, Figures
from kg.analytics.scoring import Outcome

TEXT = "We train LeafNet with tree dropout on Open Trees for parsing of trees."


def row(*entities: tuple[str, str]) -> dict[str, object]:
    """An abstract with these surface forms and types."""
    return {
        "text": TEXT,
        "entities": [{"name": form, "surfaces": [form], "type": kind} for form, kind in entities],
    }


def test_each_kind_of_error_is_told_apart() -> None:
    """Ends in the wrong place need another remedy than things not seen."""
    gold = {"a": row(("LeafNet", "method"), ("tree dropout", "method"), ("Open Trees", "dataset"),
                     ("parsing", "task"))}  # fmt: skip
    found = {"a": row(("LeafNet", "dataset"), ("dropout", "method"), ("on Open Trees", "dataset"),
                      ("trees", "task"))}  # fmt: skip
    assert [(e.kind, e.type, e.gold, e.predicted) for e in entity_errors(gold, found)] == [
        ("wrong type", "method", "leafnet", "leafnet (dataset)"),
        ("too long", "dataset", "open trees", "on open trees"),
        ("missed", "task", "parsing", ""),
        ("too short", "method", "tree dropout", "dropout"),
        ("spurious", "task", "", "trees"),
    ]


def test_what_is_right_is_no_error() -> None:
    """Not even with other capitals."""
    gold = {"a": row(("LeafNet", "method"))}
    assert list(entity_errors(gold, {"a": row(("leafnet", "method"))})) == []


def test_text_of_abstracts_stays_text_on_the_page() -> None:
    """An abstract may hold a script."""
    error = EntityError("<b>", "missed", "method", "<script>x</script>", "", "a <script> b")
    figures = Figures(1, {"entity": Outcome(1, 1, 1)}, {"entity": (0.2, 0.6)})
    found = Evaluation(figures, 1, (error,), {}, {"<script>y</script>": figures}, {})
    page = error_page("<t>", found)
    assert "<script>" not in page
    assert "&lt;script&gt;x&lt;/script&gt;" in page
    assert "&lt;script&gt;y&lt;/script&gt;: 1 abstracts" in page
    assert "0.200-0.600" in page


def test_floor_and_calibration_stand_on_the_page() -> None:
    """Beside the figures, so that nobody has to run it twice."""
    figures = Figures(1, {"entity": Outcome(1, 1, 1), "claim": Outcome(1, 0, 0)}, {})
    told = {"entity": calibration(np.array([0.85, 0.95]), np.array([True, False]))}
    page = error_page("t", Evaluation(figures, 1, (), told, {}, {"entity": Outcome(1, 2, 0)}))
    assert "<th>floor" in page
    assert "<td class=n>0.500</tr>" in page
    assert "entity: expected calibration error 0.550 of 2" in page
    assert "<tr><td>0.8 to 0.9<td class=n>1<td class=n>0.850<td class=n>1.000</tr>" in page


def test_an_interval_shrinks_with_the_number_of_abstracts() -> None:
    """Half of the abstracts are all right, half all wrong."""
    good: Counter[tuple[str, str]] = Counter({("entity", "both"): 5})
    bad: Counter[tuple[str, str]] = Counter({("entity", "spurious"): 5, ("entity", "missed"): 5})
    few = intervals([good, bad] * 5)["entity"]
    many = intervals([good, bad] * 200)["entity"]
    assert few[0] < many[0] < 0.5 < many[1] < few[1]
    assert many == intervals([good, bad] * 200)["entity"]


def test_identical_abstracts_leave_no_doubt() -> None:
    """Every draw is the same: of 3 right and 1 spurious, F1 is 6/7."""
    same: Counter[tuple[str, str]] = Counter({("claim", "both"): 3, ("claim", "spurious"): 1})
    assert intervals([same] * 9)["claim"] == pytest.approx((6 / 7, 6 / 7), abs=1e-4)
    assert intervals([]) == {}
