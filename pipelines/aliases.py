"""Write kg/resolve/data: aliases, abbreviations and words that resolution knows beforehand.

Abbreviations are counted in raw abstracts (daily arXiv listings; the ACL Anthology from 2016 on,
CC BY 4.0) where a text introduces them, as "Group Relative Policy Optimization (GRPO)". Aliases
come from lists of names: Hugging Face datasets and evaluate (Apache-2.0), Papers with Code
(CC BY-SA 4.0), and aliases_by_hand.tsv beside this file. Words are those that abstracts write in
lower case, so that the acronym ROAD is not taken for a road.

Example: python -m pipelines.aliases CORPORA --leave-out dev.jsonl -o kg/resolve/data
"""

import argparse
import csv
import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kg.model.schema import NodeLabel
from kg.nlp.abbreviations import find_abbreviations
from kg.resolve.abbreviations import abbreviates, extends, same_long_form, truncates
from kg.resolve.normalise import key, parenthesis, signature
from kg.resolve.wording import same_words
from pipelines.corpora import read_raw, text_key

_FEWEST_PAPERS = 3  # that expand an abbreviation in one way
_SMALLEST_SHARE = 0.02  # of an abbreviation's papers; rarer senses are only counted
_MOST_WORDS = 8
_WORD = re.compile(r"(?<![\w-])[A-Za-z]{2,}(?![\w-])")
_FEWEST_LOWER = 30  # abstracts that write a word in lower case
_HAND = Path(__file__).with_name("aliases_by_hand.tsv")


@dataclass(frozen=True, slots=True)
class Counts:
    """Abstracts per pair of short and long form, and per word in lower and in upper case."""

    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    lower: Counter[str] = field(default_factory=Counter)
    upper: Counter[str] = field(default_factory=Counter)


def count(texts: Iterable[str]) -> Counts:
    """Count abbreviations and words, once for each text."""
    counts = Counts()
    for text in texts:
        counts.pairs.update(
            {
                (text[a.short_start : a.short_end], text[a.long_start : a.long_end])
                for a in find_abbreviations(text)
            }
        )
        words = set(_WORD.findall(text))
        counts.lower.update(word for word in words if word.islower())
        counts.upper.update(word.lower() for word in words if word.isupper())
    return counts


def abbreviations(counts: Counts) -> Iterator[tuple[str, str, int]]:
    """Yield short key, long key and papers, sorted; a long form '*' is for all rarer ones."""
    longs: dict[str, Counter[str]] = defaultdict(Counter)
    shorts: dict[str, Counter[str]] = defaultdict(Counter)
    for (short, long), papers in counts.pairs.items():
        if abbreviates(short, long) and len(key(long).split()) <= _MOST_WORDS:
            longs[signature(key(short))][key(long)] += papers
            shorts[signature(key(short))][key(short)] += papers
    certain = dict(_certain(longs))
    for sign in sorted(longs):
        written = Counter[str]()
        for long, papers in longs[sign].items():
            words = [certain.get(word, word) if word != sign else word for word in long.split()]
            written[" ".join(words)] += papers
        senses = _senses(written)
        total = sum(senses.values())
        kept = {
            long: papers
            for long, papers in senses.items()
            if papers >= _FEWEST_PAPERS and papers >= _SMALLEST_SHARE * total
        }
        short = _first(shorts[sign])
        for long in sorted(kept, key=lambda long: (-kept[long], long)):
            yield short, long, kept[long]
        rest = total - sum(kept.values())
        if kept and rest:
            yield short, "*", rest


def _certain(longs: dict[str, Counter[str]]) -> Iterator[tuple[str, str]]:
    """Abbreviations that nearly always stand for one thing: RAG in 'parametric RAG'."""
    for sign, found in longs.items():
        long = _first(found)
        if found[long] >= max(5, 0.9 * sum(found.values())):
            yield sign, long


def _senses(longs: Counter[str]) -> Counter[str]:
    """Add up long forms that say the same, under the commonest."""
    senses: Counter[str] = Counter()
    order = sorted(longs, key=lambda long: (-longs[long], long))
    for long in order:
        same = next(
            (
                sense
                for sense in senses
                if signature(sense) == signature(long)
                or same_long_form(sense, long)
                or extends(long, sense)
                or truncates(long, sense)
                or _worded(sense) == _worded(long)
            ),
            long,
        )
        senses[same] += longs[long]
    return senses


def _worded(long: str) -> list[str]:
    """Automated and automatic machine learning are one thing."""
    return same_words(long.split(), thing=False)


def _first(counter: Counter[str]) -> str:
    return min(counter, key=lambda value: (-counter[value], value))


def words(counts: Counts) -> Iterator[str]:
    """Yield words that abstracts write in lower case, unless capitals are far commoner."""
    for word in sorted(counts.lower):
        lower, upper = counts.lower[word], counts.upper[word]
        if lower >= _FEWEST_LOWER and 5 * lower >= upper:
            yield word


def names(gazetteers: Path) -> Iterator[tuple[NodeLabel, str, str]]:
    """Yield label, name and another name for the same, from public lists."""
    with gzip.open(gazetteers / "huggingface_datasets_2022.jsonl.gz", "rt") as lines:
        for line in lines:
            row = json.loads(line)
            pretty = (row.get("pretty_name") or "").split(":")[0].strip()
            for other in (row["id"], row.get("paperswithcode_id") or ""):
                if "_" not in other and abbreviates(other.upper(), pretty):
                    yield NodeLabel.DATASET, other.upper(), pretty
            yield from _split(NodeLabel.DATASET, pretty)
    for row in _table(gazetteers / "huggingface_evaluate_metrics.tsv"):
        text = row["description"] or ""
        for found in find_abbreviations(text):
            long = text[found.long_start : found.long_end]
            short = text[found.short_start : found.short_end]
            if signature(key(short)) in (signature(key(row["id"])), signature(key(row["title"]))):
                yield NodeLabel.METRIC, short, long
    for line in (gazetteers / "pwc_all_tasks_2025.txt").read_text(encoding="utf-8").splitlines():
        yield from _split(NodeLabel.TASK, line)
    for file, label in (("datasets", NodeLabel.DATASET), ("metrics", NodeLabel.METRIC)):
        for row in _table(gazetteers / f"pwc_{file}_from_orkg_tdm.tsv"):
            yield from _split(label, row[file.removesuffix("s")])


def _split(label: NodeLabel, name: str) -> Iterator[tuple[NodeLabel, str, str]]:
    """'Relation Extraction (RE)', and 'MLQA (MultiLingual Question Answering)'."""
    parts = parenthesis(name)
    if parts is None:
        return
    for short, long in (parts[::-1], parts):
        if abbreviates(short, long):
            yield label, short, long
            return


def by_hand() -> Iterator[list[str]]:
    """Yield label, canonical name and aliases of what is generally known."""
    for line in _HAND.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def aliases(gazetteers: Path) -> Iterator[list[str]]:
    """Yield label, canonical name and aliases, sorted; no form is of two names of a label."""
    groups: list[list[str]] = [*by_hand()]
    taken = {(g[0], signature(key(form))) for g in groups for form in g[1:]}
    pairs: dict[tuple[str, str], set[str]] = defaultdict(set)
    shown: dict[tuple[str, str], str] = {}
    for label, short, long in names(gazetteers):
        mark = (label.value, signature(key(short)))
        pairs[mark].add(key(long))
        shown[mark] = min(shown.get(mark, short), short)
    owners = Counter(
        (label, signature(long)) for (label, _), longs in pairs.items() for long in longs
    )
    for (kind, sign), found in sorted(pairs.items()):
        longs = {signature(long): long for long in sorted(found)}
        # Two long forms for one short one are two things, or one of them is wrong.
        if len(longs) > 1:
            continue
        (long_sign, long), *_ = longs.items()
        if owners[kind, long_sign] == 1 and not {(kind, sign), (kind, long_sign)} & taken:
            groups.append([kind, shown[kind, sign], long])
    yield from sorted(groups)


def _table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def _write(path: Path, rows: Iterable[Iterable[object]]) -> None:
    lines = ["# Written by pipelines/aliases.py, which names the sources."]
    lines += ["\t".join(map(str, row)) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Write the three files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--leave-out", type=Path, help="JSONL whose texts are not to be counted")
    parser.add_argument("-o", "--out", type=Path, required=True)
    options = parser.parse_args()
    apart = set()
    if options.leave_out:
        with options.leave_out.open(encoding="utf-8") as lines:
            apart = {text_key(" ".join(json.loads(line)["text"].split())) for line in lines}
    options.out.mkdir(parents=True, exist_ok=True)
    counts = count(read_raw(options.corpora, frozenset(apart)))
    _write(options.out / "aliases.tsv", aliases(options.corpora / "gazetteers"))
    _write(options.out / "abbreviations.tsv", abbreviations(counts))
    _write(options.out / "words.tsv", ([word] for word in words(counts)))


if __name__ == "__main__":
    main()
