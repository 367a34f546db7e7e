"""The bibliography of a pandoc document is read item by item."""

from kg.model.record import Identifiers, Person, Record, Rejected
from kg.sources.csl_yaml import read_csl_yaml

FILE = """\
---
title: My thesis
references:
- id: lee2017
  type: article-journal
  title: 'On walks: a survey'
  abstract: >-
    We study walks
    of bees.
  author:
  - family: Lee
    given: Ann
  issued:
  - year: 2017
    month: 6
  container-title: J
  DOI: 10.1000/y
- id: broken
  title: 'no end
- id: date
  title: Another
  issued: 2018-03
...
""".splitlines()


def test_items_are_read_and_a_broken_one_spoils_only_itself() -> None:
    """A quote that is missing does not swallow the next item."""
    first, broken, last = read_csl_yaml(FILE)
    assert first == Record(
        title="On walks: a survey",
        text="We study walks of bees.",
        authors=(Person("Lee", "Ann"),),
        year=2017,
        date="2017-06",
        venue="J",
        ids=Identifiers(doi="10.1000/y", key="lee2017"),
        kind="article-journal",
        line=4,
    )
    assert isinstance(broken, Rejected)
    assert (broken.line, broken.reason[:8]) == (18, "not YAML")
    assert isinstance(last, Record)
    assert (last.title, last.date, last.line) == ("Another", "2018-03", 20)
