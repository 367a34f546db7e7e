"""Count names: in the annotation, in public lists, and in what a model reads in raw abstracts."""

import csv
import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from kg.nlp.lexicon import (
    COLUMNS,
    EMPTY,
    GOLD_NAMED,
    GOLD_SEEN,
    LISTS,
    MOST_WORDS,
    READ,
    READ_SEEN,
    Row,
    folded,
    single_spaced,
)
from kg.nlp.scores import TYPES, words
from pipelines.corpora import Abstract

_COLUMN = {name: i for i, name in enumerate(COLUMNS)}
# file: (type, the column that holds the name, the separator of the file)
_TABLES = {
    "pwc_datasets_from_acl_anthology.tsv": ("dataset", "dataset"),
    "pwc_datasets_from_orkg_tdm.tsv": ("dataset", "dataset"),
    "sota_datasets.tsv": ("dataset", "dataset"),
    "lm_eval_benchmarks.tsv": ("dataset", "heading"),
    "tensorflow_datasets.tsv": ("dataset", "id"),
    "pwc_metrics_from_orkg_tdm.tsv": ("metric", "metric"),
    "sota_metrics.tsv": ("metric", "metric"),
    "huggingface_evaluate_metrics.tsv": ("metric", "title"),
    "pwc_tasks_from_orkg_tdm.tsv": ("task", "task"),
    "sota_tasks.tsv": ("task", "task"),
    "sota_models_methods.tsv.gz": ("method", "model_name"),
    "timm_model_families.tsv": ("method", "family"),
    "transformers_architectures.tsv": ("method", "class_stems"),
}
_LINES = {"pwc_all_tasks_2025.txt": "task"}
# Headings of result tables, not names.
_NOT_NAMES = re.compile(r"(?:test|dev|val|validation|train|score|all|overall|average|avg|\d+k?)")
_LONGEST = 60


def own_rows(abstract: Abstract) -> dict[str, Row]:
    """Return what one annotated abstract adds to the counts of names."""
    kinds: dict[str, set[str]] = defaultdict(set)
    named: dict[str, bool] = {}
    for entity in abstract.row["entities"]:
        for surface in entity["surfaces"]:
            name = single_spaced(folded(surface))
            kinds[name].add(entity["type"])
            named[name] = named.get(name, False) or bool(entity["named"])
    found = {}
    for name, types in kinds.items():
        row = list(EMPTY)
        for kind in types:
            row[_COLUMN[f"gold_{kind}"]] = 1
        row[GOLD_NAMED] = int(named[name])
        row[GOLD_SEEN] = 1
        found[name] = tuple(row)
    return found


def gold_rows(abstracts: Iterable[Abstract]) -> dict[str, Row]:
    """Return the counts of every annotated name over all abstracts."""
    total: dict[str, list[int]] = {}
    abstracts = list(abstracts)
    for abstract in abstracts:
        for name, row in own_rows(abstract).items():
            held = total.setdefault(name, list(EMPTY))
            for i in (*range(len(TYPES)), GOLD_NAMED):
                held[i] += row[i]
    for abstract in abstracts:
        fold = folded(abstract.text)
        spans = words(abstract.text)
        seen = {name for name in _grams(fold, spans) if name in total}
        # An annotated form that begins or ends inside a word is no run of words.
        for name in seen | own_rows(abstract).keys():
            total[name][GOLD_SEEN] += 1
    return {name: tuple(row) for name, row in total.items()}


def list_rows(gazetteers: Path) -> dict[str, Row]:
    """Return the names of public lists; counts are how many lists hold the name as this type."""
    lists: dict[str, Counter[str]] = defaultdict(Counter)
    for file, (kind, column) in _TABLES.items():
        for name in _column(gazetteers / file, column):
            lists[name][kind] += 1
    for file, kind in _LINES.items():
        for name in {_clean(line) for line in (gazetteers / file).read_text().splitlines()}:
            lists[name][kind] += 1
    with gzip.open(gazetteers / "huggingface_datasets_2022.jsonl.gz", "rt") as rows:
        for name in {_clean(json.loads(row).get("pretty_name") or "") for row in rows}:
            lists[name]["dataset"] += 1
    found = {}
    for name, counts in lists.items():
        if name:
            row = list(EMPTY)
            row[LISTS] = [counts[kind] for kind in TYPES]
            found[name] = tuple(row)
    return found


def read_rows(
    texts: Iterable[str],
    read: Callable[[str], Iterable[tuple[int, int, str, float]]],
    *,
    fewest: int = 2,
) -> dict[str, Row]:
    """Return what a model reads in raw abstracts.

    Args:
        texts: raw abstracts.
        read: gives (start, end, type, confidence) of the entities of a text, in characters.
        fewest: abstracts in which a name must be read to be kept.
    """
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    kept = []
    for text in texts:
        fold = folded(text)
        kept.append(fold)
        for name, kind in {
            (single_spaced(fold[a:b]), kind) for a, b, kind, sure in read(text) if sure >= 0.5
        }:
            kinds[name][kind] += 1
    names = {name: count for name, count in kinds.items() if sum(count.values()) >= fewest}
    seen: Counter[str] = Counter()
    for fold in kept:
        seen.update({name for name in _grams(fold, words(fold)) if name in names})
    found = {}
    for name, counts in names.items():
        row = list(EMPTY)
        row[READ] = [counts[kind] for kind in TYPES]
        row[READ_SEEN] = max(seen[name], sum(counts.values()))
        found[name] = tuple(row)
    return found


def merged(*tables: Mapping[str, Row]) -> dict[str, Row]:
    """Return the sum of tables of counts."""
    total: dict[str, Row] = {}
    for table in tables:
        for name, row in table.items():
            held = total.get(name)
            total[name] = row if held is None else tuple(map(sum, zip(held, row, strict=True)))
    return total


def _grams(fold: str, spans: list[tuple[int, int]]) -> Iterator[str]:
    for i, (start, _) in enumerate(spans):
        for j in range(i, min(len(spans), i + MOST_WORDS)):
            yield single_spaced(fold[start : spans[j][1]])


def _column(path: Path, column: str) -> set[str]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {
            _clean(name) for row in rows for name in (row[column] or "").split("|") if _clean(name)
        }


def _clean(name: str) -> str:
    found = single_spaced(folded(name.strip()))
    if not 2 < len(found) < _LONGEST or not re.search(r"[a-z]", found):
        return ""
    return "" if _NOT_NAMES.fullmatch(found) else found
