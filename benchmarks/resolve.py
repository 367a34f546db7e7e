"""Time and memory of entity resolution over a made corpus.

Names are drawn with the frequency curve of annotated abstracts, of which 24,297 entities have
17,161 names, the commonest in 404 and the hundredth in 13: a Zipf curve of exponent 1.04. Three
entities in ten are written in two ways in one paper, and each in one of several over all.

Example: python benchmarks/resolve.py --papers 40000
"""

import argparse
import resource
import sys
import time

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from kg.model.schema import ENTITY_LABELS
from kg.resolve.entities import MENTIONS, resolve_entities

_ENTITIES = 10  # of a paper
_ZIPF = 1.04
_VARIED = 0.3
_ONSETS = "b c d f g h k l m n p r s t v w z br cl dr fl gr pl sk st tr".split()
_NUCLEI = "a e i o u ai ea io ou".split()
_WORDS = "network learning model optimization attention search transfer alignment".split()
_LABELS = [label.value for label in ENTITY_LABELS]


def make_mentions(papers: int, seed: int = 7) -> pa.Table:
    """Return the mention rows of made papers."""
    random = np.random.default_rng(seed)
    entities = papers * _ENTITIES
    rank = random.zipf(_ZIPF, entities).astype(np.uint64) % (1 << 40)
    paper = np.repeat(np.arange(papers), _ENTITIES)
    local = np.tile(np.arange(_ENTITIES), papers)
    second = random.random(entities) < _VARIED
    way = random.integers(0, 5, entities)
    distinct, code = np.unique(rank, return_inverse=True)
    names = [_name(int(value)) for value in distinct]
    first = _surfaces(names, code, way)
    other = _surfaces(names, code[second], np.where(way[second] < 2, 5, 6))
    label = (rank % 4).astype(np.int64)
    named = rank % 3 == 0
    rows = entities + int(second.sum())
    columns = [
        pa.array(np.concatenate([paper, paper[second]])).cast(pa.string()),
        pa.array(np.concatenate([local, local[second]]), pa.int32()),
        pa.array(_LABELS).take(pa.array(np.concatenate([label, label[second]]))),
        pa.concat_arrays([first, other]),
        pa.array(np.concatenate([named, named[second]])),
        pa.array(np.ones(rows), pa.int32()),
    ]
    return pa.table(columns, schema=MENTIONS)


def _name(rank: int) -> str:
    """One to three made words and a generic one, always the same for a rank."""
    words = []
    value = rank * 2654435761 % (1 << 44)
    for _ in range(1 + value % 3):
        word = ""
        for _ in range(2):
            value, onset = divmod(value, len(_ONSETS))
            value, nucleus = divmod(value, len(_NUCLEI))
            word += _ONSETS[onset] + _NUCLEI[nucleus]
        words.append(word.capitalize())
    return f"{' '.join(words)} {_WORDS[value % len(_WORDS)]}"


def _surfaces(
    names: list[str], code: npt.NDArray[np.int64], way: npt.NDArray[np.int64]
) -> pa.Array:
    """Write each name in one of the ways that people have."""
    pairs, place = np.unique(code * 8 + way, return_inverse=True)
    forms = [_written(names[pair // 8], pair % 8) for pair in pairs.tolist()]
    return pa.array(forms, pa.string()).take(pa.array(place))


def _written(name: str, way: int) -> str:
    match way:
        case 0:
            return name.lower()
        case 1:
            return name.replace(" ", "-", 1)
        case 2:
            return f"{name}s"
        case 5:
            return "".join(word[0].upper() for word in name.split()) + name[1:3]
        case 6:
            return f"{name} framework"
    return name


def main() -> None:
    """Print one line of figures."""
    parser = argparse.ArgumentParser(description="Time and memory of entity resolution.")
    parser.add_argument("--papers", type=int, default=40_000)
    options = parser.parse_args()
    mentions = make_mentions(options.papers)
    made = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started, cpu = time.perf_counter(), time.process_time()
    resolution = resolve_entities(mentions)
    took, worked = time.perf_counter() - started, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    scale = 1 << (30 if sys.platform == "darwin" else 20)
    print(
        f"{options.papers:,} papers, {mentions.num_rows:,} rows: "
        f"{resolution.entities.num_rows:,} entities, {resolution.merges.num_rows:,} merges; "
        f"{took:.1f} s ({worked:.1f} s of CPU), peak {peak / scale:.2f} GB "
        f"(making the rows: {made / scale:.2f} GB)"
    )


if __name__ == "__main__":
    main()
