"""Which lines a picture draws."""

from kg.views.lines import Line, lines, rule


def test_edges_between_two_nodes_are_one_line() -> None:
    """Five papers that say the same thing are one thick line, not five on top of each other."""
    assert lines([(0, 1, 2.0), (1, 2, 1.0), (1, 0, 3.0)]) == [
        Line(0, 1, (0, 2), 5.0),
        Line(1, 2, (1,), 1.0),
    ]


def test_a_crowd_is_thinned_to_the_strongest_of_each_node() -> None:
    """Node 4 keeps its weak lines, since it has no others; between strong nodes the weak go."""
    everyone = [(i, j, float(i + j)) for i in range(8) for j in range(i)]
    found = lines(everyone, most=10)

    drawn = {(line.head, line.tail) for line in found if line.drawn}
    assert len(found) == len(everyone)
    assert all(sum(node in pair for pair in drawn) >= 3 for node in range(8))
    assert (1, 0) not in drawn
    assert (7, 6) in drawn


def test_the_lines_of_the_middle_stay() -> None:
    """The page is about it."""
    everyone = [(i, j, float(i + j)) for i in range(12) for j in range(i)]
    drawn = {(line.head, line.tail) for line in lines(everyone, 0, most=10) if line.drawn}

    assert {(i, 0) for i in range(1, 12)} <= drawn


def test_the_page_says_what_is_not_drawn() -> None:
    """A missing line must not look like a missing edge."""
    few = lines([(0, 1, 1.0)])
    thinned = lines([(i, j, 1.0) for i in range(9) for j in range(i)], most=5)
    out = sum(not line.drawn for line in thinned)

    assert rule(few) == ""
    assert rule(thinned).startswith(f"{out} of 36 lines are not drawn.")
