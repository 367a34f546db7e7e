"""Read texts with the exported encoder: what each word and each sentence looks like to it.

NumPy, ONNX Runtime and the ``tokenizers`` package do the reading; no torch. Spans of entities,
claims and relations are made from these probabilities elsewhere. A model folder holds
``encoder.onnx``, ``tokenizer.json`` and ``meta.json``, as ``pipelines/encoder/export.py`` writes
them.

Pieces, sentences and case classes are defined here once, for training and for reading.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kg.nlp.scores import KINDS, LABELS, Floats, Ints, words

RELATIONS: Final = ("EXTENDS", "USES", "OUTPERFORMS", "EVALUATED_ON", "PART_OF", "ADDRESSES")
LINKS: Final = ("about", "compared_to", "on", "metrics")

CASES: Final = 10  # the number of case classes
ROOM: Final = 510  # pieces that one window holds beside its two end marks
OVERLAP: Final = 128  # pieces that two neighbouring windows share at most
MOST_PIECES: Final = 12  # of one word: a longer one is a key, a hash or a run without spaces
_MOST_CACHED: Final = 200_000

_SENTENCE_END = re.compile(r"[.!?][\"'’”)\]]*\s+(?=[\"'“‘(\[\\$]*[A-Z0-9])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|et al|vs|cf|Fig|Figs|Eq|Sec|resp|w\.r\.t|approx|etc|No|St|Dr|a\.k\.a|aka)\."
    r"|\b[A-Z]\.)$"
)
_LONGEST_ABBREVIATION: Final = 12


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences, which hold every visible character between them.

    >>> sentences("We use it, e.g. BERT et al. It works. 3 of 4 win.")
    [(0, 37), (38, 49)]
    """
    found = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        head = text[max(start, match.start() - _LONGEST_ABBREVIATION) : match.start() + 1]
        if _ABBREVIATION.search(head):
            continue
        found.append((start, match.start() + len(match.group().rstrip())))
        start = match.end()
    if text[start:].strip():
        found.append((start, len(text.rstrip())))
    return found


def case_class(word: str) -> int:
    """Return how a word is written, 0 to 9, since the pieces are all lower case.

    0 lower, 1 UPPER, 2 MixEd from a capital, 3 Capital, 4 miXed; 5 more with a digit in it.

    >>> [case_class(word) for word in ("word", "BERT", "RoBERTa", "Adam", "mAP", "GPT4")]
    [0, 1, 2, 3, 4, 6]
    """
    if word.isupper():
        kind = 1
    elif word[:1].isupper():
        kind = 2 if any(sign.isupper() for sign in word[1:]) else 3
    else:
        kind = 4 if any(sign.isupper() for sign in word) else 0
    return kind + (5 if any(sign.isdigit() for sign in word) else 0)


def sentence_of_words(
    word_spans: Sequence[tuple[int, int]], sentence_spans: Sequence[tuple[int, int]]
) -> list[int]:
    """Return for each word the index of its sentence, the last that starts at or before it.

    >>> sentence_of_words([(0, 2), (3, 5), (6, 8)], [(0, 5), (6, 8)])
    [0, 0, 1]
    """
    found = []
    at = 0
    for start, _ in word_spans:
        while at + 1 < len(sentence_spans) and start >= sentence_spans[at + 1][0]:
            at += 1
        found.append(at)
    return found


def windows(
    lengths: Sequence[int], room: int = ROOM, overlap: int = OVERLAP
) -> list[tuple[int, int]]:
    """Return half-open ranges of words that cover all words and hold at most ``room`` pieces each.

    Args:
        lengths: the number of pieces of each word, each in [1, room].
        room: pieces that one window may hold.
        overlap: most pieces at the end of a window that the next begins with; below ``room / 2``.

    >>> windows([1, 1, 1, 1, 1, 1], room=4, overlap=1)
    [(0, 4), (3, 6)]
    >>> windows([])
    []
    """
    found = []
    start = 0
    while start < len(lengths):
        end = start
        held = 0
        while end < len(lengths) and held + lengths[end] <= room:
            held += lengths[end]
            end += 1
        if end == start:
            raise ValueError(f"word {start} has {lengths[start]} pieces, a window holds {room}")
        found.append((start, end))
        if end == len(lengths):
            break
        start = end
        shared = 0
        while start - 1 > found[-1][0] and shared + lengths[start - 1] <= overlap:
            start -= 1
            shared += lengths[start]
    return found


def owned(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the words that each window answers for: overlaps are cut in the middle.

    >>> owned([(0, 10), (6, 14)])
    [(0, 8), (8, 14)]
    """
    cuts = [0]
    for (_, end), (start, _) in itertools.pairwise(ranges):
        cuts.append((start + end) // 2)
    cuts.append(ranges[-1][1] if ranges else 0)
    return list(itertools.pairwise(cuts)) if ranges else []


class Pieces:
    """Cut words into the ids of their pieces; the same word is cut once."""

    def __init__(self, tokenizer: Any) -> None:
        """Take a ``tokenizers.Tokenizer`` that lower-cases and knows ``[UNK]``."""
        self._tokenizer = tokenizer
        self._known: dict[str, tuple[int, ...]] = {}
        self._unknown: int = tokenizer.token_to_id("[UNK]")

    def __call__(self, word: str) -> tuple[int, ...]:
        """Return one to ``MOST_PIECES`` ids, also for a word of control characters alone."""
        found = self._known.get(word)
        if found is None:
            ids = self._tokenizer.encode(word, add_special_tokens=False).ids
            found = tuple(ids[:MOST_PIECES]) or (self._unknown,)
            if len(self._known) >= _MOST_CACHED:
                self._known.clear()
            self._known[word] = found
        return found


@dataclass(frozen=True, eq=False)
class Reading:
    """What the encoder makes of one text of n words and m sentences.

    Attributes:
        words: (n, 2), the spans of ``words(text)``.
        entity: (n, 9), log-probabilities of LABELS.
        named: (n,), probability that the entity at this word is a proper name.
        role: (n, 6), log-probabilities of ROLES of the entity at this word.
        sentences: (m, 2), the spans of the sentences.
        kind: (m, 4), log-probabilities of KINDS.
        pair: (n, 4 * p), float16: the word as head and tail of a relation, and as linked entity
            and linked mention of a claim. Input of ``Encoder.relations`` and ``Encoder.links``;
            also a vector of the word in its context for other models.
        context: (m, 2 * p), float16: the sentence as the ground of a relation, and as a claim.
    """

    words: Ints
    entity: Floats
    named: Floats
    role: Floats
    sentences: Ints
    kind: Floats
    pair: npt.NDArray[np.float16]
    context: npt.NDArray[np.float16]


# An entity as word ranges, half-open, one per mention.
Mentions = Sequence[tuple[int, int]]


class Encoder:
    """Reads texts with an exported model.

    A text is read in windows of its own, never beside other texts: the numbers of a dynamically
    quantised model depend on all that is in one batch, so results would change with the company.
    Parallel readers of the same folder therefore give the same numbers, whatever their number.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        threads: int = 1,
        split: Callable[[str], Sequence[tuple[int, int]]] = sentences,
    ) -> None:
        """Load a model folder.

        Args:
            folder: holds ``encoder.onnx``, ``tokenizer.json`` and ``meta.json``.
            threads: texts that are read at the same time, each on one core.
            split: returns the spans of a text's sentences, in order and without overlap.
        """
        import onnxruntime
        from tokenizers import Tokenizer

        folder = Path(folder)
        self.meta: dict[str, Any] = json.loads((folder / "meta.json").read_text("utf-8"))
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._pieces = Pieces(tokenizer)
        self._begin = np.array([tokenizer.token_to_id("<s>")], np.int64)
        self._end = np.array([tokenizer.token_to_id("</s>")], np.int64)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(folder / "encoder.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._threads = threads
        self._split = split
        self._heads = {
            name: (np.array(head["weight"], np.float32), np.array(head["bias"], np.float32))
            for name, head in self.meta["heads"].items()
        }

    def __call__(self, texts: Iterable[str]) -> list[Reading]:
        """Return one reading per text, in order. An empty text has no words and no sentences."""
        if self._threads <= 1:
            return [self.read(text) for text in texts]
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(self.read, texts))

    def read(self, text: str) -> Reading:
        """Read one text of any length; time and memory grow with its length, not faster."""
        word_spans = words(text)
        sentence_spans = self._split(text)
        pieces = [self._pieces(text[start:end]) for start, end in word_spans]
        cases = [case_class(text[start:end]) for start, end in word_spans]
        home = sentence_of_words(word_spans, sentence_spans)
        ranges = windows([len(ids) for ids in pieces])
        tokens: list[Floats] = []
        pairs: list[npt.NDArray[np.float16]] = []
        width = int(self.meta["pair"])
        kind = np.zeros((len(sentence_spans), len(KINDS)), np.float32)
        context = np.zeros((len(sentence_spans), 2 * width), np.float16)
        seen = np.zeros(len(sentence_spans), np.int64)
        for (start, end), (first, last) in zip(ranges, owned(ranges), strict=True):
            token, sentence_kind, pair, sentence = self._window(
                pieces[start:end], cases[start:end], home[start:end]
            )
            tokens.append(token[first - start : last - start])
            pairs.append(pair[first - start : last - start].astype(np.float16))
            held = np.bincount(
                np.array(home[start:end]) - home[start],
                [len(ids) for ids in pieces[start:end]],
                home[end - 1] - home[start] + 1,
            ).astype(np.int64)
            # A sentence cut by a window's edge is judged where most of it is seen.
            better = np.flatnonzero(held > seen[home[start] : home[end - 1] + 1])
            at = better + home[start]
            seen[at] = held[better]
            kind[at] = sentence_kind[better]
            context[at] = sentence[better].astype(np.float16)
        token = np.concatenate(tokens) if tokens else np.zeros((0, 17), np.float32)
        pair16 = np.concatenate(pairs) if pairs else np.zeros((0, 4 * width), np.float16)
        labels, named = len(LABELS), len(LABELS) + 2
        return Reading(
            words=np.array(word_spans, np.int64).reshape(-1, 2),
            entity=_log_softmax(token[:, :labels]),
            named=np.exp(_log_softmax(token[:, labels:named])[:, 1]),
            role=_log_softmax(token[:, named:]),
            sentences=np.array(sentence_spans, np.int64).reshape(-1, 2),
            kind=_log_softmax(kind),
            pair=pair16,
            context=context,
        )

    def relations(self, reading: Reading, entities: Sequence[Mentions]) -> Floats:
        """Return (E, E, 6): the probability of each of RELATIONS from head (row) to tail.

        Args:
            reading: of the text that the entities are in.
            entities: of each its mentions as ranges of words, all mentions of all its surfaces.
        """
        width = int(self.meta["pair"])
        places = [_words_of(mentions) for mentions in entities]
        vectors = _means(reading.pair[:, : 2 * width], places)
        heads, tails = vectors[:, :width], vectors[:, width:]
        home = _home(reading)
        has = np.zeros((len(entities), len(reading.sentences)), np.float32)
        for row, at in zip(has, places, strict=True):
            row[home[at]] = 1
        context = reading.context[:, :width].astype(np.float32)
        weight, bias = self._heads["relation"]
        found = np.zeros((len(entities), len(entities), len(RELATIONS)), np.float32)
        for index, head in enumerate(heads):
            own = np.flatnonzero(has[index])
            shared = has[:, own]
            shared = shared / np.maximum(1, shared.sum(1, keepdims=True))
            hidden = np.maximum(0, head + tails + shared @ context[own])
            found[index] = _sigmoid(hidden @ weight.T + bias)
        return found

    def links(
        self, reading: Reading, claims: Sequence[int], entities: Sequence[Mentions]
    ) -> Floats:
        """Return (C, E, 4): the probability that a claim names the entity in each field of LINKS.

        Args:
            reading: of the text.
            claims: indices of the sentences that are claims.
            entities: as for ``relations``.
        """
        width = int(self.meta["pair"])
        places = [_words_of(mentions) for mentions in entities]
        whole = _means(reading.pair[:, 2 * width : 3 * width], places)
        home = _home(reading)
        weight, bias = self._heads["link"]
        found = np.zeros((len(claims), len(entities), len(LINKS)), np.float32)
        for row, claim in zip(found, claims, strict=True):
            inside = [at[home[at] == claim] for at in places]
            near = _means(reading.pair[:, 3 * width :], inside)
            own = reading.context[claim, width:].astype(np.float32)
            row[:] = _sigmoid(np.maximum(0, own + whole + near) @ weight.T + bias)
        return found

    def _window(
        self, pieces: Sequence[tuple[int, ...]], cases: Sequence[int], home: Sequence[int]
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """Run the model over the words of one window; (words, 17), (sentences, 4) and vectors."""
        counts = np.array([len(ids) for ids in pieces], np.int64)
        ids = np.fromiter((i for word in pieces for i in word), np.int64, int(counts.sum()))
        sentence = np.repeat(np.array(home, np.int64) - home[0], counts)
        inside = np.arange(sentence[-1] + 1)[:, None] == sentence[None]
        pool = np.zeros((inside.shape[0], len(ids) + 2), np.float32)
        pool[:, 1:-1] = inside / np.maximum(1, inside.sum(1, keepdims=True))
        token, kind, pair, context = self._session.run(
            ["token", "kind", "pair", "context"],
            {
                "ids": np.concatenate((self._begin, ids, self._end)),
                "case": np.concatenate(([0], np.repeat(np.array(cases, np.int64), counts), [0])),
                "first": 1 + np.cumsum(counts) - counts,
                "pool": pool,
            },
        )
        return token, kind, pair, context


def _words_of(mentions: Mentions) -> Ints:
    """The words of all mentions, each once, in order."""
    ranges = [np.arange(start, end, dtype=np.int64) for start, end in mentions]
    found: Ints = np.unique(np.concatenate(ranges)) if ranges else np.zeros(0, np.int64)
    return found


def _means(vectors: npt.NDArray[np.float16], places: Sequence[Ints]) -> Floats:
    """(E, width): the mean of the vectors at the places of each; zeros where there are none."""
    found = np.zeros((len(places), vectors.shape[1]), np.float32)
    for row, at in zip(found, places, strict=True):
        if len(at):
            row[:] = vectors[at].astype(np.float32).mean(0)
    return found


def _home(reading: Reading) -> Ints:
    """(n,): the sentence of each word, the last that starts at or before it."""
    starts, begins = reading.sentences[:, 0], reading.words[:, 0]
    found: Ints = np.maximum(0, np.searchsorted(starts, begins, side="right") - 1)
    return found


def _log_softmax(logits: Floats) -> Floats:
    shifted = logits - logits.max(-1, keepdims=True, initial=-np.inf)
    found: Floats = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return found


def _sigmoid(logits: Floats) -> Floats:
    found: Floats = 0.5 * (1 + np.tanh(0.5 * logits))
    return found
