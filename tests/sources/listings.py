"""Four papers written for the tests, and the ways in which pages print them."""

import textwrap
from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """What a listing may print of a paper."""

    title: str
    authors: str
    text: str


PAPERS = (
    Paper(
        "Random Walks on Frozen Lakes",
        "Anna Wanderer, Bo K. Strider",
        "We study random walks of penguins on frozen lakes. Earlier models assume that ice is even,"
        " and fail where it is not. Our method, IceWalk, learns the friction of the ice from falls,"
        " and needs no map. On the SlipBench dataset it falls 12.5% less often than the best model"
        " before it, at half the cost.",
    ),
    Paper(
        "What Do Penguins Know About Friction? A Study in Three Winters",
        "Carla Glider",
        "Penguins are said to know where ice is thin (Strider et al., 2019). We test this claim in"
        " three winters with 214 birds. Birds that were raised indoors fell as often as birds that"
        " were not, so that experience explains little of it. Code and data are available at"
        " https://example.org/penguins.",
    ),
    Paper(
        "SlipBench: A Benchmark for Walking Robots",
        "Dmitri Roller, Eva Sledge, Femi Hover",
        "Walking robots are compared on floors that no winter has seen. SlipBench holds 4,000 runs"
        " on ice, snow and wet leaves, each with the force on every foot. Three policies from the"
        " literature lose between 20 and 45 points of balance on it. We find that none of them"
        " recovers from a fall.",
    ),
    Paper(
        "A Note on Falling",
        "Gil Tumble and Hana Drop",
        "Falling is cheaper than it looks. For a walker of mass $m$ we prove that the energy of a"
        " fall grows as $O(m^{4/3})$, and that no gait does better than $\\Omega(m)$. The bound is"
        " tight for penguins; for people it is open.",
    ),
)


def wrapped(text: str, width: int = 72, first: str = "", rest: str = "") -> str:
    """Break a text at a width, as mail programs do."""
    return textwrap.fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
