"""CSL-YAML, the bibliography of a pandoc document."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import yaml

from kg.model.record import Rejected
from kg.sources.crossref import csl_record
from kg.sources.json_services import has_identifier
from kg.sources.reader import Item, Sample, guarded, placed, reader

_ITEM = re.compile(r"( *)- +\S")
_LONGEST = 2000  # lines of an item; longer ones are no record of a paper


def _sniff(sample: Sample) -> float:
    text = sample.text
    if not re.search(r"^references:\s*$", text, re.MULTILINE):
        return 0.0
    return 0.9 if re.search(r"^ *- +(?:id|type|title|author):", text, re.MULTILINE) else 0.0


@reader(
    "csl-yaml",
    about="CSL-YAML, the bibliography of a pandoc document",
    gives=("abstract", "authors", "year", "venue", "identifiers"),
    suffixes=(".yaml", ".yml", ".md"),
    sniff=_sniff,
)
def read_csl_yaml(lines: Iterable[str]) -> Iterator[Item]:
    """Yield a Record or Rejected for every item under `references:`."""
    for block in _blocks(lines):
        yield from guarded(_items, block)


@dataclass(frozen=True, slots=True)
class _Block:
    """An item of the list."""

    line: int
    text: str


def _blocks(lines: Iterable[str]) -> Iterator[_Block]:
    """Cut the list into items, so that a broken one spoils only itself."""
    held: list[str] = []
    start = indent = 0
    inside = False
    for number, line in enumerate(lines, start=1):
        if not inside:
            inside = line.rstrip() == "references:"
            continue
        opens = _ITEM.match(line)
        if opens and not held:
            indent = len(opens.group(1))
        ends = line.strip() and not line.startswith((" ", "-", "#"))
        if held and (ends or (opens and len(opens.group(1)) <= indent)):
            yield _Block(start, "\n".join(held))
            held = []
        if ends:
            inside = False
        elif opens and not held:
            start, held = number, [line]
        elif held and len(held) < _LONGEST:
            held.append(line)
    if held:
        yield _Block(start, "\n".join(held))


def _items(block: _Block) -> Iterator[Item]:
    line, raw = block.line, block.text
    try:
        # Every scalar stays the text that it is: 2017-06 is no date, and no tag makes an object.
        value = yaml.load(raw, yaml.BaseLoader)  # noqa: S506  (BaseLoader knows only text)
    except (yaml.YAMLError, RecursionError) as error:
        problem = " ".join(str(error).split())[:200]
        yield Rejected(f"not YAML: {problem}", raw, line=line)
        return
    item = value[0] if isinstance(value, list) and value else None
    if not isinstance(item, dict):
        yield Rejected("an item that is no mapping", raw, line=line)
        return
    record = csl_record(item)
    if not (record.title or record.text or has_identifier(record)):
        yield Rejected("neither a title, nor an abstract, nor an identifier", raw, line=line)
    else:
        yield placed(record, line=line)
