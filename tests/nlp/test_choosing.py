"""auto takes the best model that ends in time, and says so."""

from collections.abc import Sequence

import pytest

from kg.errors import ModelError
from kg.nlp.choosing import choose_model

SPEED = {"fast": 0.01, "accurate": 0.2}


def seconds(model: str, texts: Sequence[str]) -> float:
    """Seconds per text, as if they had been measured."""
    assert 0 < len(texts) <= 12
    return SPEED[model]


@pytest.mark.parametrize(
    ("texts", "processes", "expected"),
    [
        (40, 1, "accurate"),  # too few to measure
        (1_400, 1, "accurate"),  # 280 s
        (1_600, 1, "fast"),  # 320 s
        (2_400, 2, "accurate"),  # 480 s on one core, 282 s on two
        (2_700, 2, "fast"),
        (10_000_000, 1, "fast"),  # nothing ends in time
    ],
)
def test_the_best_model_that_ends_in_time_is_taken(
    texts: int, processes: int, expected: str
) -> None:
    """A small pile is read well, a large one today."""
    choice = choose_model(
        ["a text"] * texts, processes, models=("fast", "accurate"), seconds_per_text=seconds
    )
    assert choice.model == expected


def test_the_choice_says_which_how_long_and_how_to_ask_for_another() -> None:
    """Nobody should wonder why two runs differ."""
    choice = choose_model(
        ["a text"] * 12_000, 1, models=("fast", "accurate"), seconds_per_text=seconds
    )
    assert str(choice) == "model fast, about 2 min for 12,000 texts (--model accurate for another)"
    few = choose_model(["a"], 1, models=("fast", "accurate"), seconds_per_text=seconds)
    assert str(few) == "model accurate (--model fast for another)"


def test_without_a_model_it_says_what_to_do() -> None:
    """An installation that lost its weights."""
    with pytest.raises(ModelError, match="Install kg again"):
        choose_model(["a text"], models=())
