"""Annotated abstracts as numbers for the encoder, and as batches.

An abstract is cut into words, the words into pieces; the first piece of each word carries the
labels. What lies beyond one window is left out in training; reading covers all of it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from kg.nlp.encoder import LINKS, RELATIONS, ROOM, case_class, sentence_of_words, sentences
from kg.nlp.scores import KINDS, LABELS, ROLES, words

IGNORED = -100  # the label that a loss skips

# (head, tail) types that each relation may join; other pairs are no examples of its absence.
JOINS: Mapping[str, frozenset[tuple[str, str]]] = {
    "EXTENDS": frozenset({("method", "method"), ("dataset", "dataset")}),
    "USES": frozenset({("method", "method")}),
    "OUTPERFORMS": frozenset({("method", "method")}),
    "EVALUATED_ON": frozenset({("method", "dataset")}),
    "PART_OF": frozenset({("dataset", "dataset"), ("method", "method")}),
    "ADDRESSES": frozenset({("method", "task"), ("dataset", "task")}),
}

Row = dict[str, Any]


def mentions(row: Row) -> list[tuple[int, int, int]]:
    """Return (start, end, index of the entity) of every mention; the longest where two overlap."""
    text = row["text"]
    taken = bytearray(len(text))
    forms = {(form, i) for i, entity in enumerate(row["entities"]) for form in entity["surfaces"]}
    found = []
    for form, index in sorted(forms, key=lambda item: (-len(item[0]), item)):
        for match in re.finditer(r"(?<!\w)" + re.escape(form) + r"(?!\w)", text):
            start, end = match.span()
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                found.append((start, end, index))
    return sorted(found)


def claims_of_sentences(row: Row, spans: Sequence[tuple[int, int]]) -> list[int | None]:
    """Return for each sentence the index of the claim that it makes, if any.

    A claim is cut anywhere; it counts for a sentence that shares half of the shorter of both and
    three tenths of the sentence.
    """
    places = []
    for index, claim in enumerate(row["claims"]):
        start = row["text"].find(claim["text"])
        if start >= 0:
            places.append((start, start + len(claim["text"]), index))
    found: list[int | None] = []
    for start, end in spans:
        best: int | None = None
        most = 0
        for a, b, index in places:
            shared = min(end, b) - max(start, a)
            enough = shared >= 0.5 * min(end - start, b - a) and shared >= 0.3 * (end - start)
            if shared > most:
                most = shared
                best = index if enough else None
        found.append(best)
    return found


@dataclass(frozen=True, eq=False)
class Example:
    """One abstract: n pieces with their end marks, s sentences, E entities, C claim sentences.

    Attributes:
        ids: (n,), pieces.
        case: (n,), case classes.
        label, named, role: (n,), answers at first pieces, IGNORED elsewhere.
        kind: (s,), answers of the sentences.
        inside: (s, n), 1 where the piece is in the sentence.
        weights: (E, n), the share of each piece in its entity's vector.
        relation, asked: (E, E, 6), the probability of yes, and 1 where the answer counts.
        claims: (C,), indices of the sentences that are claims.
        link: (C, E, 4), answers.
    """

    ids: Tensor
    case: Tensor
    label: Tensor
    named: Tensor
    role: Tensor
    kind: Tensor
    inside: Tensor
    weights: Tensor
    relation: Tensor
    asked: Tensor
    claims: tuple[int, ...]
    link: Tensor


def example(row: Row, pieces: Callable[[str], Sequence[int]], *, begin: int, end: int) -> Example:
    """Return one annotated abstract as numbers.

    Args:
        row: the annotation.
        pieces: cuts a word into ids.
        begin: the id of the mark before the text.
        end: the id of the mark behind it.
    """
    text = row["text"]
    sentence_spans = sentences(text)
    ids, case, home, first = [begin], [0], [-1], []
    spans = words(text)
    for (start, stop), sentence in zip(
        spans, sentence_of_words(spans, sentence_spans), strict=True
    ):
        cut = pieces(text[start:stop])
        if len(ids) + len(cut) > ROOM + 1:
            break
        first.append(len(ids))
        ids.extend(cut)
        case.extend([case_class(text[start:stop])] * len(cut))
        home.extend([sentence] * len(cut))
    ids.append(end)
    case.append(0)
    home.append(-1)
    spans = spans[: len(first)]

    label = np.full(len(ids), IGNORED)
    named, role = label.copy(), label.copy()
    label[first] = 0
    where: dict[int, list[int]] = {}
    for start, stop, index in mentions(row):
        entity = row["entities"][index]
        prefix = "B-"
        for (a, b), place in zip(spans, first, strict=True):
            if a >= start and b <= stop:
                label[place] = LABELS.index(prefix + entity["type"])
                named[place] = int(bool(entity["named"]))
                role[place] = ROLES.index(entity["role"])
                where.setdefault(index, []).append(place)
                prefix = "I-"

    count = max(home) + 1
    made = claims_of_sentences(row, sentence_spans)[:count]
    inside = np.arange(count)[:, None] == np.array(home)[None]
    order = sorted(where)
    weights = np.zeros((len(order), len(ids)), np.float32)
    for line, index in zip(weights, order, strict=True):
        line[where[index]] = 1 / len(where[index])
    relation, asked = _relations(row, order)
    claims = tuple(index for index, claim in enumerate(made) if claim is not None)
    kind = [0 if claim is None else KINDS.index(row["claims"][claim]["kind"]) for claim in made]
    return Example(
        ids=torch.tensor(ids),
        case=torch.tensor(case),
        label=torch.from_numpy(label),
        named=torch.from_numpy(named),
        role=torch.from_numpy(role),
        kind=torch.tensor(kind, dtype=torch.long),
        inside=torch.from_numpy(inside.astype(np.float32)),
        weights=torch.from_numpy(weights),
        relation=relation,
        asked=asked,
        claims=claims,
        link=_links(row, order, [claim for claim in made if claim is not None]),
    )


def _relations(row: Row, order: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Answers and which of them count, for the entities in order."""
    at = {row["entities"][index]["name"]: place for place, index in enumerate(order)}
    types = [row["entities"][index]["type"] for index in order]
    answers = torch.zeros(len(order), len(order), len(RELATIONS))
    asked = torch.zeros_like(answers)
    for i, head in enumerate(types):
        for j, tail in enumerate(types):
            for k, name in enumerate(RELATIONS):
                asked[i, j, k] = float(i != j and (head, tail) in JOINS[name])
    sure = row.get("confidences") or [1.0] * len(row["relations"])
    for (head, name, tail), confidence in zip(row["relations"], sure, strict=True):
        if head in at and tail in at and name in RELATIONS:
            place = at[head], at[tail], RELATIONS.index(name)
            answers[place], asked[place] = confidence, 1
    return answers, asked


def _links(row: Row, order: Sequence[int], made: Sequence[int]) -> Tensor:
    """Answers for the entities in order and the claims that the sentences make."""
    at = {row["entities"][index]["name"]: place for place, index in enumerate(order)}
    answers = torch.zeros(len(made), len(order), len(LINKS))
    for i, claim in enumerate(made):
        for k, field in enumerate(LINKS):
            for name in row["claims"][claim].get(field, []):
                if name in at:
                    answers[i, at[name], k] = 1
    return answers


def batches(
    lengths: Sequence[int], most: int, source: random.Random | None = None
) -> list[list[int]]:
    """Return indices in batches of at most ``most`` pieces with padding, similar lengths together.

    Args:
        lengths: pieces of each example.
        most: pieces of a batch; a longer example is a batch of its own.
        source: shuffles the batches and stirs their members; none keeps the order of lengths.

    >>> batches([5, 3, 4, 9], 10)
    [[1, 2], [0], [3]]
    """
    stir = [source.random() * 30 if source else 0.0 for _ in lengths]
    found: list[list[int]] = []
    widest = 0
    for index in sorted(range(len(lengths)), key=lambda i: lengths[i] + stir[i]):
        widest = max(widest, lengths[index])
        if found and widest * (len(found[-1]) + 1) <= most:
            found[-1].append(index)
        else:
            found.append([index])
            widest = lengths[index]
    if source:
        source.shuffle(found)
    return found


@dataclass(frozen=True, eq=False)
class Batch:
    """Examples side by side, padded: (b, n), (b, s) and, for the pools, (b, s, n)."""

    ids: Tensor
    case: Tensor
    mask: Tensor
    pool: Tensor
    label: Tensor
    named: Tensor
    role: Tensor
    kind: Tensor


def collate(examples: Sequence[Example], padding: int) -> Batch:
    """Return the examples as one batch."""
    long = max(len(example.ids) for example in examples)
    most = max(1, *(len(example.kind) for example in examples))

    def filled(name: str, value: int, width: int) -> Tensor:
        found = torch.full((len(examples), width), value, dtype=torch.long)
        for line, example in zip(found, examples, strict=True):
            values = getattr(example, name)
            line[: len(values)] = values
        return found

    mask = torch.zeros(len(examples), long)
    pool = torch.zeros(len(examples), most, long)
    for index, example in enumerate(examples):
        mask[index, : len(example.ids)] = 1
        size = example.inside.shape
        shares = example.inside / example.inside.sum(1, keepdim=True).clamp(min=1)
        pool[index, : size[0], : size[1]] = shares
    return Batch(
        ids=filled("ids", padding, long),
        case=filled("case", 0, long),
        mask=mask,
        pool=pool,
        label=filled("label", IGNORED, long),
        named=filled("named", IGNORED, long),
        role=filled("role", IGNORED, long),
        kind=filled("kind", IGNORED, most),
    )
