"""Measure a model folder on annotated abstracts: the encoder alone, without the span rescorer.

    python -m pipelines.encoder.judge MODEL GOLD [--out PRED.jsonl] [--held-out]

Entities are the best BIO sequence, one entity per folded surface form; claims are the sentences
whose best kind is not ``none``. The figures are counted as the project's scorer counts them.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kg.analytics import scoring
from kg.nlp.encoder import Encoder, Reading
from kg.nlp.scores import KINDS, LABELS, ROLES
from pipelines.corpora import held_out, read_rows

Row = dict[str, Any]
_NEVER = -1e4


@dataclass(frozen=True)
class Found:
    """A span of words [start, end) of one type."""

    start: int
    end: int
    type: str


def best_labels(logs: npt.NDArray[np.floating[Any]]) -> list[str]:
    """Return the most probable label sequence in which every I- follows a B- or I- of its type.

    Args:
        logs: (n, 9), log-probabilities of LABELS.
    """
    if not len(logs):
        return []
    step = np.zeros((len(LABELS), len(LABELS)))
    begin = np.zeros(len(LABELS))
    for column, label in enumerate(LABELS):
        if label.startswith("I-"):
            begin[column] = _NEVER
            for row, before in enumerate(LABELS):
                if before[2:] != label[2:]:
                    step[row, column] = _NEVER
    score = begin + logs[0]
    back = []
    for row_logs in logs[1:]:
        ways = score[:, None] + step
        back.append(ways.argmax(0))
        score = ways.max(0) + row_logs
    best = [int(score.argmax())]
    for pointers in reversed(back):
        best.append(int(pointers[best[-1]]))
    return [LABELS[index] for index in reversed(best)]


def spans(labels: Sequence[str]) -> list[Found]:
    """Return the spans that the labels mark.

    >>> spans(["B-task", "I-task", "O", "B-method", "B-method"])  # doctest: +NORMALIZE_WHITESPACE
    [Found(start=0, end=2, type='task'), Found(start=3, end=4, type='method'),
     Found(start=4, end=5, type='method')]
    """
    found: list[Found] = []
    for index, label in enumerate(labels):
        if label.startswith("B-"):
            found.append(Found(index, index + 1, label[2:]))
        elif label.startswith("I-") and found:
            found[-1] = Found(found[-1].start, index + 1, found[-1].type)
    return found


def extract(text: str, reading: Reading) -> Row:
    """Return entities and claims of one text in the annotation's shape."""
    groups: dict[str, list[Found]] = defaultdict(list)
    for span in spans(best_labels(reading.entity)):
        start, end = reading.words[span.start, 0], reading.words[span.end - 1, 1]
        groups[scoring.folded(text[start:end])].append(span)
    entities = []
    for members in groups.values():
        types: Counter[str] = Counter()
        for span in members:
            types[span.type] += 1
        inside = np.concatenate([np.arange(span.start, span.end) for span in members])
        forms = [
            text[reading.words[span.start, 0] : reading.words[span.end - 1, 1]] for span in members
        ]
        entities.append(
            {
                "name": forms[0],
                "surfaces": sorted(set(forms)),
                "type": types.most_common(1)[0][0],
                "named": bool(reading.named[inside].mean() > 0.5),
                "role": ROLES[int(reading.role[inside].mean(0).argmax())],
            }
        )
    best = reading.kind.argmax(1) if len(reading.kind) else []
    claims = [
        {"text": text[start:end], "kind": KINDS[kind]}
        for (start, end), kind in zip(reading.sentences, best, strict=True)
        if kind
    ]
    return {"entities": entities, "claims": claims}


def pairs(row: Mapping[str, Any]) -> dict[tuple[str, str], Row]:
    """Return the distinct (folded surface form, type) of a row, and its entity."""
    return {(scoring.folded(s), e["type"]): e for e in row["entities"] for s in e["surfaces"]}


def overlap(a: str, b: str, text: str) -> float:
    """Return the share of joint characters that both substrings of text have."""
    i, j = text.find(a), text.find(b)
    shared = min(i + len(a), j + len(b)) - max(i, j)
    if i < 0 or j < 0 or shared <= 0:
        return 0.0
    return shared / (len(a) + len(b) - shared)


def figures(rows: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> dict[str, float]:
    """Return the figures of (gold, predicted) rows, counted over all of them.

    ``entity`` and ``entity:TYPE``, ``named`` and ``claim`` are F1; ``role`` and ``claim kind`` are
    shares of the matched.
    """
    right: Counter[str] = Counter()
    extra: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    same: Counter[tuple[str, bool]] = Counter()
    for gold, found in rows:
        wanted, given = pairs(gold), pairs(found)
        for pair in wanted.keys() | given.keys():
            side = right if pair in wanted and pair in given else extra if pair in given else missed
            side["entity"] += 1
            side[f"entity:{pair[1]}"] += 1
        for pair, entity in wanted.items():
            if entity["named"]:
                (right if pair in given else missed)["named"] += 1
            if pair in given:
                same["role", entity["role"] == given[pair]["role"]] += 1
        extra["named"] += sum(e["named"] and pair not in wanted for pair, e in given.items())
        free = list(found["claims"])
        for claim in gold["claims"]:
            shares = [overlap(claim["text"], other["text"], gold["text"]) for other in free]
            if not shares or max(shares) < 0.5:
                missed["claim"] += 1
                continue
            match = free.pop(int(np.argmax(shares)))
            right["claim"] += 1
            same["claim kind", claim["kind"] == match["kind"]] += 1
        extra["claim"] += len(free)
    found_figures = {
        name: 2 * right[name] / max(1, 2 * right[name] + extra[name] + missed[name])
        for name in sorted(right.keys() | extra.keys() | missed.keys())
    }
    for name in ("role", "claim kind"):
        found_figures[name] = same[name, True] / max(1, same[name, True] + same[name, False])
    return found_figures


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("gold", type=Path)
    parser.add_argument("--out", type=Path, help="write the predictions here, as JSONL")
    parser.add_argument("--held-out", action="store_true", help="only what training left out")
    options = parser.parse_args()
    gold = read_rows(options.gold)
    if options.held_out:
        gold = [row for row in gold if held_out(row["id"])]
    encoder = Encoder(options.model)
    begin = time.process_time()
    readings = encoder(row["text"] for row in gold)
    spent = time.process_time() - begin
    found = [
        {"id": row["id"], **extract(row["text"], reading)}
        for row, reading in zip(gold, readings, strict=True)
    ]
    if options.out:
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in found]
        options.out.write_text("".join(lines), encoding="utf-8")
    for name, value in figures(zip(gold, found, strict=True)).items():
        print(f"{name:16s} {value:.4f}")
    print(f"{len(gold)} abstracts, {len(gold) / max(1e-9, spent):.1f} per CPU-second")


if __name__ == "__main__":
    main()
