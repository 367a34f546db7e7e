"""How fast texts are read: by each model, beside spaCy's small English pipeline, and by component.

python benchmarks/extract.py papers.jsonl --abstracts 300 --spacy en_core_web_sm

Everything is measured in one run. Models take turns on the same texts, a batch at a time, so that
a machine that is busy or slows down does so for all of them; compare ratios, and CPU time where
others use the machine. spaCy's pipeline reads each batch by nlp.pipe, ours by Pipeline.read_all. --spacy takes the name or folder of any spaCy pipeline; without it the
comparison is left out. --names N adds what a list of N made names costs beside a model.
"""

import argparse
import itertools
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kg.model.extraction import EntityType, Extraction
from kg.model.known_name import KnownName, parse_names
from kg.model.record import Record
from kg.nlp.kept import Together
from kg.nlp.own_names import OwnNames
from kg.nlp.pipeline import Pipeline, load
from kg.nlp.workers import available_cores
from kg.sources.registry import read

_TURN = 16  # texts that a model reads together, before the next one's turn
_WARM = 20  # texts that are read before anything is measured


@dataclass
class Contender:
    """Something that reads texts, and the CPU time it took."""

    name: str
    read: Callable[[Sequence[str]], object]
    seconds: float = 0.0
    texts: int = 0


def take_turns(contenders: Sequence[Contender], texts: Sequence[str]) -> None:
    """Have every contender read every text, a few at a time, and add up its CPU time."""
    for one in contenders:
        one.read(texts[:_WARM])
    for at in range(_WARM, len(texts), _TURN):
        for one in contenders:
            start = time.process_time()
            one.read(texts[at : at + _TURN])
            one.seconds += time.process_time() - start
            one.texts += len(texts[at : at + _TURN])


def by_component(pipeline: Pipeline, texts: Sequence[str]) -> list[tuple[str, float]]:
    """Return the CPU seconds of each component."""
    nlp = pipeline._nlp
    spent: defaultdict[str, float] = defaultdict(float)
    for at in range(_WARM, len(texts), _TURN):
        start = time.process_time()
        docs = [nlp.make_doc(text) for text in texts[at : at + _TURN]]
        for name, component in (("tokenizer", None), *nlp.pipeline):
            if isinstance(component, Together):
                component.read_all(docs)
            elif component:
                docs = [component(doc) for doc in docs]
            now = time.process_time()
            spent[name] += now - start
            start = now
    return sorted(spent.items(), key=lambda one: -one[1])


def on_all_cores(read_all: Callable[[], Any], count: int) -> float:
    """Return abstracts a second, starting and loading included."""
    start = time.perf_counter()
    found = sum(1 for _ in read_all())
    assert found == count
    return count / (time.perf_counter() - start)


def made_names(count: int) -> bytes:
    """Return a CSV of made names: words, acronyms and phrases that begin as texts do."""
    starts = "the a deep large neural graph self multi data contrastive image language".split()
    heads = "network model learning attention benchmark dataset score parsing".split()
    onsets, nuclei = "b c d f g k l m n p r s t v br st".split(), "a e i o u ai ou".split()
    syllables = [onset + nucleus for onset in onsets for nucleus in nuclei]
    kinds = [kind.value for kind in EntityType]
    lines = ["name,type,aliases"]
    for number in range(count):
        first, rest = syllables[number % len(syllables)], number // len(syllables)
        word = first + syllables[rest % len(syllables)] + syllables[rest // 112 % len(syllables)]
        style = number % 4
        if style == 0:
            name = f"{word.capitalize()}{number % 97}Net{number}"
        elif style == 1:
            name = f"{starts[number % 12]} {word} {heads[number % 8]} {number}"
        elif style == 2:
            name = f"{starts[number % 12]}-{heads[rest % 8]} {word}{number}"
        else:
            name = f"{word[:3].upper()}-{number}"
        lines.append(f"{name},{kinds[number % 4]},")
    return "\n".join(lines).encode()


def names_cost(pipeline: Pipeline, texts: Sequence[str], count: int) -> None:
    """Print what a long list costs beside reading: loading, memory, and each text."""
    content = made_names(count)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    known = parse_names(content)
    parsed = time.process_time() - start
    # Names of these very texts, so that the list is not only looked up but applied.
    read_before = (pipeline.read(text) for text in texts)
    seen = {(m.text, e.type) for one in read_before for e in one.entities for m in e.mentions}
    usual = sorted(seen)[:: max(1, len(seen) // 200)]
    start = time.process_time()
    own = OwnNames((*known, *(KnownName(name, kind.label) for name, kind in usual)))
    loaded = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    last: list[Extraction] = []

    def reading(batch: Sequence[str]) -> None:
        last[:] = pipeline.read_all(batch)

    def naming(batch: Sequence[str]) -> None:
        for text, found in zip(batch, last, strict=True):
            own(text, found)

    model, names = Contender("model", reading), Contender("names", naming)
    take_turns((model, names), texts)
    scale = 1 << (20 if sys.platform == "darwin" else 10)
    print(
        f"\n{len(own):,} names: {names.seconds / model.seconds:.1%} of the time of "
        f"{pipeline.version}; read in {parsed:.1f} s and made ready in {loaded:.1f} s of CPU, "
        f"{(peak - before) / scale:.0f} MB more at the peak"
    )


def lengths(pipeline: Pipeline, texts: Sequence[str]) -> None:
    """Print how time grows with the length of a text."""
    whole = " ".join(texts)
    row = []
    for size in (2_500, 5_000, 10_000, 20_000, 40_000, 200_000):
        text = whole[:size]
        if len(text) < size:
            text = (whole * (size // len(whole) + 1))[:size]
        start = time.process_time()
        pipeline.read(text)
        row.append(f"{size:,}: {time.process_time() - start:.2f} s")
    print(f"\n{pipeline.version}, one text of so many characters: " + ", ".join(row))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("papers", nargs="+", help="files that kg reads")
    parser.add_argument("--abstracts", type=int, default=300)
    parser.add_argument("--models", nargs="*", default=["fast", "accurate"])
    parser.add_argument("--spacy", help="name or folder of a spaCy pipeline")
    parser.add_argument("--names", type=int, default=0)
    parser.add_argument("--whole", action="store_true", help="also on all cores, from the start")
    parser.add_argument("--lengths", action="store_true", help="also texts of growing length")
    options = parser.parse_args()
    records = read(options.papers)
    abstracts = (r.text for r in records if isinstance(r, Record) and len(r.text) > 200)
    texts = list(itertools.islice(abstracts, options.abstracts + _WARM))
    words = sum(len(text.split()) for text in texts) / len(texts)
    print(f"{len(texts) - _WARM} abstracts of {words:.0f} words")
    pipelines = [load(model) for model in options.models]
    contenders = [Contender(p.version, p.read_all) for p in pipelines]
    nlp: Any = None
    if options.spacy:
        import spacy

        nlp = spacy.load(options.spacy)
        contenders.insert(0, Contender(options.spacy, lambda batch: list(nlp.pipe(batch))))
    take_turns(contenders, texts)
    slowest = contenders[0].seconds / contenders[0].texts
    for one in contenders:
        rate = one.texts / one.seconds
        print(f"{one.name:32s} {rate:7.1f} abstracts, {rate * words:8,.0f} words a CPU-second"
              f"  {slowest * rate:5.2f} of the first")  # fmt: skip
    for pipeline in pipelines:
        spent = by_component(pipeline, texts)
        print(f"\n{pipeline.version}, by component, ms a text")
        total = sum(seconds for _, seconds in spent)
        for name, seconds in spent:
            share = seconds / total
            print(f"  {name:18s} {1000 * seconds / (len(texts) - _WARM):7.2f}  {share:5.1%}")
    if options.whole:
        print(f"\nwhole, {available_cores()} cores, abstracts a second with starting and loading")
        for pipeline in pipelines:
            rate = on_all_cores(lambda p=pipeline: p.extract(texts), len(texts))  # type: ignore[misc]
            print(f"  {pipeline.version:32s} {rate:7.1f}")
        if nlp is not None:
            for cores in (1, available_cores()):
                rate = on_all_cores(lambda n=cores: nlp.pipe(texts, n_process=n), len(texts))  # type: ignore[misc]
                print(f"  {options.spacy:32s} {rate:7.1f} in {cores} processes, already loaded")
    if options.names and pipelines:
        names_cost(pipelines[0], texts, options.names)
    if options.lengths:
        for pipeline in pipelines:
            lengths(pipeline, texts)


if __name__ == "__main__":
    main()
