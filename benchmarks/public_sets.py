"""How models do on public test sets whose labels are near ours, as far as they are.

python benchmarks/public_sets.py --model accurate --scierc test.jsonl --tdmsci test.conll \
    --crossner dev.conll --csabstruct test.jsonl.gz

None of them draws the line where our annotation draws it, so the figures compare models and show
that nothing is tuned to one style; they are no measure of how much is right. What stands for what:

| set | method | dataset | task | metric | neither right nor wrong |
| --- | --- | --- | --- | --- | --- |
| SciERC | Method | Material | Task | Metric | Generic, OtherScientificTerm |
| TDMSci | | DATASET | TASK | METRIC | |
| CrossNER-AI | algorithm | | task | metrics | product, field, misc |

Types without an entry are not counted on either side; a mention that shares characters with what
is neither right nor wrong, and with nothing that counts, is left out. SciERC relations: USED-FOR
from a method to a task is ADDRESSES, HYPONYM-OF and PART-OF between methods are PART_OF. A
CSAbstruct sentence with the label result is a claim. Strict is the same characters and type;
relaxed is the same type and a character in common, each annotated mention met once.
"""

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kg.model.extraction import Extraction
from kg.nlp.pipeline import load

# Start, end and type; relations are two of these around a type.
Span = tuple[int, int, str]

IGNORED: Final = ""
SCIERC: Final = {
    "Method": "method", "Material": "dataset", "Task": "task", "Metric": "metric",
    "Generic": IGNORED, "OtherScientificTerm": IGNORED,
}  # fmt: skip
TDMSCI: Final = {"DATASET": "dataset", "TASK": "task", "METRIC": "metric"}
CROSSNER: Final = {
    "algorithm": "method", "task": "task", "metrics": "metric",
    "product": IGNORED, "field": IGNORED, "misc": IGNORED,
}  # fmt: skip
_BRACKETS: Final = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    "``": '"', "''": '"',
}  # fmt: skip
_NO_SPACE_BEFORE: Final = frozenset(".,;:!?)]}%'\"")
_NO_SPACE_AFTER: Final = frozenset("([{")


@dataclass(frozen=True, slots=True)
class Text:
    """An annotated text.

    Attributes:
        text: put together from its tokens.
        spans: annotated, with our types; IGNORED ones are neither right nor wrong.
        relations: (head, type, tail) in our types.
        claims: spans of sentences that are claims; None where nobody annotated any.
    """

    text: str
    spans: tuple[Span, ...]
    relations: tuple[tuple[Span, str, Span], ...] = ()
    claims: tuple[tuple[int, int], ...] | None = None


def joined(tokens: Iterable[str]) -> tuple[str, list[tuple[int, int]]]:
    """Return tokens of the Penn Treebank as text, and the span of each.

    >>> joined(["Nets", "-LRB-", "GRUs", "-RRB-", "win", "."])[0]
    'Nets (GRUs) win.'
    """
    text, spans = "", []
    for token in tokens:
        plain = _BRACKETS.get(token, token)
        glued = plain[0] in _NO_SPACE_BEFORE or (text and text[-1] in _NO_SPACE_AFTER)
        text += plain if glued or not text else f" {plain}"
        spans.append((len(text) - len(plain), len(text)))
    return text, spans


def read_scierc(lines: Iterable[str]) -> Iterator[Text]:
    """Yield the abstracts of a SciERC file."""
    for line in lines:
        row = json.loads(line)
        text, at = joined(token for sentence in row["sentences"] for token in sentence)
        spans = {
            (first, last): (at[first][0], at[last][1], SCIERC[label])
            for sentence in row["ner"]
            for first, last, label in sentence
        }
        relations = [
            (spans[a, b], ours, spans[c, d])
            for sentence in row["relations"]
            for a, b, c, d, label in sentence
            if (a, b) in spans and (c, d) in spans
            if (ours := _relation(label, spans[a, b][2], spans[c, d][2]))
        ]
        yield Text(text, tuple(sorted(spans.values())), tuple(relations))


def _relation(label: str, head: str, tail: str) -> str:
    if label == "USED-FOR" and (head, tail) == ("method", "task"):
        return "ADDRESSES"
    if label in ("HYPONYM-OF", "PART-OF") and (head, tail) == ("method", "method"):
        return "PART_OF"
    return ""


def read_conll(lines: Iterable[str], types: Mapping[str, str]) -> Iterator[Text]:
    """Yield the sentences of a CoNLL file: token, perhaps its offset in the file, and a tag."""
    rows: list[list[str]] = []
    for line in (*lines, ""):
        if line.strip():
            rows.append(line.rstrip("\n").split("\t"))
        elif rows:
            yield _sentence(rows, types)
            rows = []


def _sentence(rows: Sequence[Sequence[str]], types: Mapping[str, str]) -> Text:
    if len(rows[0]) > 2:
        first = int(rows[0][1])
        at = [(int(row[1]) - first, int(row[1]) - first + len(row[0])) for row in rows]
        text = ""
        for (start, _), row in zip(at, rows, strict=True):
            text += " " * (start - len(text)) + row[0]
    else:
        text, at = joined(row[0] for row in rows)
    spans: list[Span] = []
    label = ""
    for (start, end), row in zip(at, rows, strict=True):
        place, _, kind = row[-1].partition("-")
        if place == "I" and kind == label and spans:
            spans[-1] = (spans[-1][0], end, spans[-1][2])
        elif place in ("B", "I") and kind in types:
            spans.append((start, end, types[kind]))
        label = kind if kind in types else ""
    return Text(text, tuple(spans))


def read_csabstruct(lines: Iterable[str]) -> Iterator[Text]:
    """Yield the abstracts of a CSAbstruct file."""
    for line in lines:
        row = json.loads(line)
        text, claims = "", []
        for sentence, label in zip(row["sentences"], row["labels"], strict=True):
            text += (" " if text else "") + sentence.strip()
            if label == "result":
                claims.append((len(text) - len(sentence.strip()), len(text)))
        yield Text(text, (), claims=tuple(claims))


class Score:
    """Counts of what both have, what is annotated and what is predicted, by figure."""

    def __init__(self) -> None:
        self.both: Counter[str] = Counter()
        self.annotated: Counter[str] = Counter()
        self.predicted: Counter[str] = Counter()

    def add(self, gold: Text, found: Extraction, types: frozenset[str]) -> None:
        """Count one text, for the types that its set annotates."""
        told = [
            (m.start, m.end, e.type.value)
            for e in found.entities
            for m in e.mentions
            if e.type.value in types
        ]
        right = [span for span in gold.spans if span[2] in types]
        ignored = [span for span in gold.spans if span[2] == IGNORED]
        told = [
            one
            for one in told
            if not any(_meet(one, other) for other in ignored)
            or any(_meet(one, other) for other in right)
        ]
        self._count("strict", right, told, lambda a, b: a == b)
        self._count("relaxed", right, told, lambda a, b: a[2] == b[2] and _meet(a, b))
        if gold.relations:
            self._relations(gold, found)
        if gold.claims is not None:
            claims = [(c.start, c.end) for c in found.claims]
            annotated = list(gold.claims)
            hits = _matched(annotated, claims, lambda a, b: _share(a, b) >= 0.5)
            self._note("claim", hits, len(annotated), len(claims))

    def _count(self, name: str, right: Sequence[Span], told: Sequence[Span], same: Any) -> None:
        for kind in sorted({span[2] for span in (*right, *told)}):
            ours = [span for span in right if span[2] == kind]
            theirs = [span for span in told if span[2] == kind]
            hits = _matched(ours, theirs, same)
            self._note(f"{name} {kind}", hits, len(ours), len(theirs))
            self._note(name, hits, len(ours), len(theirs))

    def _relations(self, gold: Text, found: Extraction) -> None:
        places = {e.name: e.mentions for e in found.entities}
        kinds = {kind for _, kind, _ in gold.relations}
        told = [r for r in found.relations if r.type.value in kinds]

        def same(ours: Any, theirs: Any) -> bool:
            head, kind, tail = ours
            return theirs.type.value == kind and all(
                any(_meet(span, (m.start, m.end, "")) for m in places[name])
                for span, name in ((head, theirs.head), (tail, theirs.tail))
            )

        for kind in sorted(kinds):
            ours = [r for r in gold.relations if r[1] == kind]
            theirs = [r for r in told if r.type.value == kind]
            self._note(f"relation {kind}", _matched(ours, theirs, same), len(ours), len(theirs))

    def _note(self, name: str, both: int, annotated: int, predicted: int) -> None:
        self.both[name] += both
        self.annotated[name] += annotated
        self.predicted[name] += predicted

    def lines(self) -> Iterator[str]:
        """Yield a line for each figure."""
        for name in sorted(self.annotated | self.predicted):
            both, ours, theirs = self.both[name], self.annotated[name], self.predicted[name]
            f1 = 2 * both / max(1, ours + theirs)
            yield (
                f"  {name:22s} P {both / max(1, theirs):.3f}  R {both / max(1, ours):.3f}"
                f"  F1 {f1:.3f}  annotated {ours}"
            )


def _matched(ours: Sequence[Any], theirs: Sequence[Any], same: Any) -> int:
    """Return how many of ours meet one of theirs, each at most one."""
    left = list(theirs)
    hits = 0
    for one in ours:
        at = next((i for i, other in enumerate(left) if same(one, other)), None)
        if at is not None:
            del left[at]
            hits += 1
    return hits


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _share(one: tuple[int, int], other: tuple[int, int]) -> float:
    common = min(one[1], other[1]) - max(one[0], other[0])
    return max(0, common) / (one[1] - one[0] + other[1] - other[0] - max(0, common))


def main() -> None:
    """Read every set with the model and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", default="accurate")
    for name in ("scierc", "tdmsci", "crossner", "csabstruct"):
        parser.add_argument(f"--{name}", type=Path)
    options = parser.parse_args()
    pipeline = load(options.model)
    print(pipeline.version)
    readers: tuple[tuple[str, Path | None, Any, Iterable[str]], ...] = (
        ("SciERC", options.scierc, read_scierc, SCIERC.values()),
        ("TDMSci", options.tdmsci, lambda f: read_conll(f, TDMSCI), TDMSCI.values()),
        ("CrossNER-AI", options.crossner, lambda f: read_conll(f, CROSSNER), CROSSNER.values()),
        ("CSAbstruct", options.csabstruct, read_csabstruct, ()),
    )
    for name, path, reader, types in readers:
        if path is None:
            continue
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8") as lines:
            texts = list(reader(lines))
        score = Score()
        found = pipeline.extract(text.text for text in texts)
        for text, extraction in zip(texts, found, strict=True):
            score.add(text, extraction, frozenset(filter(None, types)))
        print(f"{name}: {path.name}, {len(texts)} texts")
        for line in score.lines():
            print(line)


if __name__ == "__main__":
    main()
