"""Time and memory of entity resolution over a made corpus of any size.

    python benchmarks/resolve.py --papers 40000
    python benchmarks/resolve.py --papers 1000000 --graph my.kg    # with the curve of a graph
    python benchmarks/resolve.py --papers 0 --graph my.kg          # the graph's own mentions

Names are drawn by rank, the share of rank r falling with (r + shift) ** -exponent, without an end:
new names keep coming by Heaps' law, the number of distinct ones growing with the mentions to the
power of 1 / exponent; one in ten is one of the few names that everybody uses. The curve that stands
here is that of 4,636 abstracts of arXiv of 2025, which write 30,743 forms in 52,710 papers' entities:
the commonest in 1,551, the hundredth in 29, the thousandth in 5, and 26,610 forms once, the distinct
ones growing with the mentions to the power of 0.88. --graph measures another one.
"""

import argparse
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.mentions import batch_mentions
from kg.graph.parquet import read_batches
from kg.graph.text_batch import TextBatch
from kg.model.schema import ENTITY_LABELS
from kg.resolve.entities import MENTIONS, resolve_entities

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_LABELS = [label.value for label in ENTITY_LABELS]
_PIECE = 1 << 18  # names that are made at a time
# How a name is written: as it is, in lower case, with hyphens, in the plural, with a generic word
# after it, with its abbreviation behind it, as its abbreviation.
_WAYS = (0.74, 0.07, 0.05, 0.05, 0.04, 0.01, 0.04)
_ABBREVIATED = len(_WAYS) - 1
_OTHER_LABEL = 0.04
_COMMON_NAMES, _COMMON_SHARE = 64, 0.1
_HEADS = {
    "Method": ("framework", "algorithm", "approach"),
    "Dataset": ("dataset", "benchmark", "corpus"),
    "Task": ("task", "problem", "task"),
    "Metric": ("score", "metric", "measure"),
}


@dataclass(frozen=True)
class Curve:
    """What is measured of a corpus; shares add up to one."""

    exponent: float = 1.15
    shift: float = 150.0
    entities: float = 10.1  # of a paper
    forms: tuple[float, ...] = (0.886, 0.104, 0.010)  # of an entity in its paper, from one
    labels: tuple[float, ...] = (0.59, 0.05, 0.24, 0.12)  # in the order of the schema
    named: float = 0.256
    words: tuple[float, ...] = (0.356, 0.420, 0.180, 0.034, 0.010)  # of a name, from one


def graph_mentions(graph: Path) -> pa.Table:
    """Return the mention rows of everything that was read for a graph."""
    found = [MENTIONS.empty_table()]
    for path in sorted((graph / "extractions").glob("*.parquet")):
        for batch in read_batches(path):
            texts = pa.array([""] * batch.num_rows, pa.string())
            found.append(batch_mentions(TextBatch(batch["text_hash"], texts, batch), 0.0).rows)
    return pa.concat_tables(found)


def measure(mentions: pa.Table) -> Curve:
    """Return the curve of a corpus."""
    papers = pc.count_distinct(mentions["paper"]).as_py()
    forms = mentions.group_by(["paper", "local"]).aggregate([([], "count_all")])["count_all"]
    surfaces = mentions["surface"].combine_chunks().dictionary_encode()
    exponent, shift = _fit(surfaces.indices.to_numpy())
    words = pc.list_value_length(pc.split_pattern(mentions["surface"], " "))
    label = pc.index_in(mentions["label"], value_set=pa.array(_LABELS))
    return Curve(
        exponent,
        shift,
        len(forms) / papers,
        _shares(forms, 4)[1:],
        _shares(label, len(_LABELS)),
        pc.mean(mentions["named"]).as_py(),
        _shares(words, 6)[1:],
    )


def _fit(names: Ints) -> tuple[float, float]:
    """Exponent and shift with which as many names are distinct, of all mentions and of an eighth.

    Args:
        names: the number of each mention's name.
    """
    some = np.random.default_rng(7).choice(names, len(names) // 8, replace=False)
    whole, part = len(np.unique(names)), len(np.unique(some))
    best = (np.inf, 1.1, 1.0)
    for exponent in np.arange(1.02, 1.5, 0.005):
        low, high = 1e-3, 1e6
        while high / low > 1.001:
            shift = float(np.sqrt(low * high))
            fewer = _distinct(len(names), exponent, shift) < whole
            low, high = (shift, high) if fewer else (low, shift)
        off = abs(_distinct(len(some), exponent, shift) - part)
        best = min(best, (off, float(exponent), shift))
    return best[1:]


def _distinct(mentions: int, exponent: float, shift: float) -> float:
    """How many names are expected among so many mentions."""
    rank = np.geomspace(1e-3, 1e18, 3000)
    share = (exponent - 1) / shift * (1 + rank / shift) ** -exponent
    return float(np.trapezoid(1 - np.exp(-share * mentions), rank))


def _shares(values: pa.ChunkedArray, size: int) -> tuple[float, ...]:
    numbers = np.minimum(values.to_numpy(), size - 1)
    shares: Floats = np.bincount(numbers, minlength=size) / len(numbers)
    return tuple(shares.tolist())


def make_mentions(papers: int, curve: Curve, seed: int = 7) -> pa.Table:
    """Return the mention rows of made papers."""
    random = np.random.default_rng(seed)
    each = random.poisson(curve.entities, papers)
    paper = np.repeat(np.arange(papers), each)
    local = np.arange(len(paper)) - np.repeat(np.cumsum(each) - each, each)
    rank = _ranks(random, curve, len(paper))
    distinct, name = np.unique(rank, return_inverse=True)
    forms = random.choice(len(curve.forms), len(paper), p=_normal(curve.forms)) + 1
    label = random.choice(len(_LABELS), len(distinct), p=_normal(curve.labels))[name]
    other = random.random(len(paper)) < _OTHER_LABEL
    label[other] = random.integers(0, len(_LABELS), int(other.sum()))
    named = random.random(len(distinct))[name] < curve.named
    at = np.repeat(np.arange(len(paper)), forms)
    way = random.choice(len(_WAYS), len(at), p=_WAYS)
    # A second form of a paper's entity is mostly its abbreviation, a third one any way.
    second = np.concatenate([[False], at[1:] == at[:-1]])
    way[second & (random.random(len(at)) < 0.5)] = _ABBREVIATED
    columns = [
        pa.array(paper[at]).cast(pa.string()),
        pa.array(local[at], pa.int32()),
        pa.array(_LABELS).take(pa.array(label[at])),
        _surfaces(distinct, name[at], label[at], way, curve),
        pa.array(named[at]),
        pa.array(np.ones(len(at)), pa.int32()),
    ]
    return pa.table(columns, schema=MENTIONS)


def _ranks(random: np.random.Generator, curve: Curve, size: int) -> Ints:
    drawn = curve.shift * (random.random(size) ** (-1 / (curve.exponent - 1)) - 1)
    far = drawn >= 1 << 52
    ranks: Ints = np.where(far, 0, drawn).astype(np.int64)
    # A few names are everybody's: every third abstract names large language models.
    common = np.flatnonzero(random.random(size) < _COMMON_SHARE)
    ranks[common] = (_COMMON_NAMES ** random.random(len(common))).astype(np.int64) - 1
    ranks[far] = (1 << 52) + np.arange(int(far.sum()))  # which no two papers share
    return ranks


def _normal(shares: Sequence[float]) -> Floats:
    array = np.array(shares)
    normal: Floats = array / array.sum()
    return normal


def _surfaces(ranks: Ints, name: Ints, label: Ints, way: Ints, curve: Curve) -> pa.Array:
    """Write each name in one of the ways that people have."""
    width = len(_LABELS) * len(_WAYS)
    codes, place = np.unique(name * width + label * len(_WAYS) + way, return_inverse=True)
    vocabulary = _vocabulary(40_000)
    pieces = []
    for start in range(0, len(codes), _PIECE):
        piece = codes[start : start + _PIECE]
        rank, rest = ranks[piece // width], piece % width
        rows = zip(rank.tolist(), rest.tolist(), strict=True)
        written = [
            _written(_name(number, vocabulary, curve), *divmod(other, len(_WAYS)))
            for number, other in rows
        ]
        pieces.append(pa.array(written, pa.string()))
    return pa.concat_arrays(pieces).take(pa.array(place))


def _vocabulary(size: int) -> list[str]:
    """Made words, all different."""
    syllables = [
        f"{onset}{nucleus}"
        for onset in "b c d f g h k l m n p r s t v w z br cl dr fl gr pl st tr".split()
        for nucleus in "a e i o u ai ea io ou".split()
    ]
    words = []
    for number in range(size):
        value, word = number + len(syllables), ""
        while value:
            value, syllable = divmod(value, len(syllables))
            word += syllables[syllable]
        words.append(word)
    return words


def _name(rank: int, vocabulary: list[str], curve: Curve) -> str:
    """Some words, the common ones more often; always the same for a rank."""
    state = (rank + 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    state ^= state >> 29
    count = int(np.searchsorted(np.cumsum(curve.words), state % 1000 / 1000)) + 1
    words = []
    for _ in range(count):
        state = state * 6364136223846793005 + 1442695040888963407 & 0xFFFFFFFFFFFFFFFF
        share = (state >> 11) / (1 << 53)
        words.append(vocabulary[int(len(vocabulary) ** share) - 1])
    if count == 1:
        # A name of its own, as models and corpora have: nobody shares it.
        return f"{words[0].capitalize()}{_letters(state)}-{rank % 9}"
    return " ".join(words)


def _letters(state: int) -> str:
    letters = ""
    for _ in range(3):
        state, letter = divmod(state >> 3, 26)
        letters += chr(65 + letter)
    return letters


def _written(name: str, label: int, way: int) -> str:
    words = name.split()
    short = "".join(word[0] for word in words).upper()
    if len(words) == 1 and way in (5, _ABBREVIATED):
        return name  # needs no abbreviation
    match way:
        case 1:
            return name.lower()
        case 2:
            return name.replace(" ", "-", 1)
        case 3:
            return f"{name}s"
        case 4:
            return f"{name} {_HEADS[_LABELS[label]][len(name) % 3]}"
        case 5:
            return f"{name} ({short})"
        case 6:
            return short
    return name


def main() -> None:
    """Print one line of figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=40_000, help="0: those of the graph")
    parser.add_argument("--graph", type=Path, help="whose mentions tell the curve")
    options = parser.parse_args()
    mentions = graph_mentions(options.graph) if options.graph else None
    curve = measure(mentions) if mentions is not None else Curve()
    if options.papers or mentions is None:
        mentions = make_mentions(options.papers, curve)
        print(curve)
    surfaces = pc.count_distinct(mentions["surface"]).as_py()
    made = _peak_gb()
    started, cpu = time.perf_counter(), time.process_time()
    resolution = resolve_entities(mentions)
    took, worked = time.perf_counter() - started, time.process_time() - cpu
    print(
        f"{pc.count_distinct(mentions['paper']).as_py():,} papers, {mentions.num_rows:,} rows, "
        f"{surfaces:,} distinct names: {resolution.entities.num_rows:,} entities, "
        f"{resolution.merges.num_rows:,} merges; {took:.1f} s ({worked:.1f} s of CPU), "
        f"peak {_peak_gb():.2f} GB (before, with the rows: {made:.2f} GB, "
        f"of which they are {mentions.nbytes / 1e9:.2f})"
    )


def _peak_gb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << (30 if sys.platform == "darwin" else 20))


if __name__ == "__main__":
    main()
