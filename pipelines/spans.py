"""Train what judges spans and names, from what a tagger says of texts it has not seen."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kg.analytics import scoring
from kg.nlp.abbreviations import find_abbreviations
from kg.nlp.candidates import LONGEST, Candidate, Reading, candidates, reading
from kg.nlp.entities import naming_features
from kg.nlp.grouping import Group, group_mentions, spread
from kg.nlp.lexicon import KnownName, Lexicon, folded
from kg.nlp.rescorer import choose, span_scores
from kg.nlp.scores import TYPES, Floats, TokenScores, words
from kg.nlp.span_features import span_features
from kg.nlp.words_in_names import WIDTH, WordTable, count_words
from pipelines.corpora import Abstract, fold_of
from pipelines.crf import known_names
from pipelines.trees import TreeSettings, train_trees

_POINT = 20  # entities that a point of a calibration stands for, at least
_SAME = 0.0015  # a difference of F1 that a few hundred abstracts do not show
_FEWEST_SEEN = 3  # occurrences of a word in the annotation, to be kept in the table of words


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """An annotated abstract with its candidates, their features, and which are right."""

    abstract: Abstract
    read: Reading
    scores: TokenScores
    names: Sequence[KnownName]
    found: list[Candidate]
    rows: Floats
    right: np.ndarray


def word_counts(abstracts: Sequence[Abstract]) -> dict[str, dict[str, tuple[int, ...]]]:
    """Return of each abstract, by id, how often each word stands where in its names."""
    counted = {}
    for one in abstracts:
        spans = words(one.text)
        fold = folded(one.text)
        starts = {start: i for i, (start, _) in enumerate(spans)}
        ends = {end: i + 1 for i, (_, end) in enumerate(spans)}
        ranges = [
            (starts[m.start], ends[m.end])
            for m in one.mentions
            if m.start in starts and m.end in ends
        ]
        own: dict[str, list[int]] = {}
        count_words([fold[a:b] for a, b in spans], ranges, own)
        counted[one.id] = {word: tuple(counts) for word, counts in own.items()}
    return counted


def total_counts(
    counted: Mapping[str, Mapping[str, tuple[int, ...]]],
) -> dict[str, tuple[int, ...]]:
    """Return the sums over all abstracts of the words that are not rare."""
    total: dict[str, list[int]] = defaultdict(lambda: [0] * WIDTH)
    for own in counted.values():
        for word, counts in own.items():
            held = total[word]
            for i, count in enumerate(counts):
                held[i] += count
    return {w: tuple(counts) for w, counts in total.items() if counts[0] >= _FEWEST_SEEN}


def gold_pairs(abstract: Abstract) -> set[tuple[str, str]]:
    """Return the folded surface forms of an abstract's entities with their types."""
    return {
        (scoring.folded(surface), entity["type"])
        for entity in abstract.row["entities"]
        for surface in entity["surfaces"]
    }


def judged(
    abstract: Abstract,
    scores: TokenScores,
    lexicon: Lexicon,
    table: WordTable,
    *,
    counted: bool,
) -> Judged:
    """Return an abstract's candidates with their features, and which of them are right."""
    names = known_names(abstract, lexicon, counted=counted)
    read = reading(abstract.text, scores, find_abbreviations(abstract.text), names)
    found = candidates(read)
    pairs = gold_pairs(abstract)
    right = np.array(
        [(read.surface(c.first, c.last).casefold(), TYPES[c.kind]) in pairs for c in found], bool
    )
    return Judged(abstract, read, scores, names, found, span_features(read, found, table), right)


def train_spans(texts: Sequence[Judged], settings: TreeSettings) -> object:
    """Return trees over the candidates of the texts."""
    held = [text for text in texts if len(text.found)]
    rows = np.concatenate([text.rows for text in held])
    right = np.concatenate([text.right for text in held])
    return train_trees(rows, right, settings)


def crossed(texts: Sequence[Judged], settings: TreeSettings, folds: int = 3) -> list[list[float]]:
    """Return the probabilities of each text's candidates, from trees of the other folds."""
    home = [fold_of(f"{text.abstract.id} spans", folds) for text in texts]
    found: list[list[float]] = [[] for _ in texts]
    for fold in range(folds):
        model = train_spans([t for t, f in zip(texts, home, strict=True) if f != fold], settings)
        for i, text in enumerate(texts):
            if home[i] == fold and len(text.found):
                found[i] = model.predict_proba(text.rows)[:, 1].tolist()  # type: ignore[attr-defined]
    return found


def groups_of(text: Judged, probabilities: Sequence[float], threshold: float) -> list[Group]:
    """Return the entities that these probabilities make, as the components do it."""
    chosen = choose(text.read, text.found, probabilities, threshold)
    spans = span_scores(text.read, text.scores, chosen)
    whole = spread(text.abstract.text, text.read.words, spans, LONGEST)
    return group_mentions(text.abstract.text, whole, text.read.abbreviations)


def pairs_of(text: str, groups: Sequence[Group]) -> set[tuple[str, str]]:
    """Return the folded surface forms of entities with their types."""
    return {
        (scoring.folded(text[m.start : m.end]), TYPES[group.kind])
        for group in groups
        for m in group.mentions
    }


def f1(texts: Sequence[Judged], made: Sequence[Sequence[Group]]) -> tuple[float, dict[str, float]]:
    """Return the F1 of surface forms with types, and that of each type."""
    counts: Counter[tuple[str, str]] = Counter()
    for text, groups in zip(texts, made, strict=True):
        gold, found = gold_pairs(text.abstract), pairs_of(text.abstract.text, groups)
        for kind in (*TYPES, "all"):
            a = {pair for pair in gold if kind in (pair[1], "all")}
            b = {pair for pair in found if kind in (pair[1], "all")}
            counts[kind, "both"] += len(a & b)
            counts[kind, "sum"] += len(a) + len(b)

    def score(kind: str) -> float:
        return 2 * counts[kind, "both"] / max(1, counts[kind, "sum"])

    return score("all"), {kind: score(kind) for kind in TYPES}


def best_threshold(
    texts: Sequence[Judged], probabilities: Sequence[Sequence[float]]
) -> tuple[float, float]:
    """Return the least threshold whose F1 is as good as the best, and that F1.

    Of equals the least keeps most: relations and links need both of their entities.
    """
    tried = {}
    for step in range(24, 48, 3):
        threshold = step / 100
        made = [groups_of(t, p, threshold) for t, p in zip(texts, probabilities, strict=True)]
        tried[threshold] = f1(texts, made)[0]
    enough = max(tried.values()) - _SAME
    return next((threshold, found) for threshold, found in tried.items() if found >= enough)


def naming_examples(
    texts: Sequence[Judged], made: Sequence[Sequence[Group]]
) -> tuple[Floats, np.ndarray]:
    """Return features of the entities that are right, and whether each is a proper name."""
    rows: list[list[float]] = []
    named: list[bool] = []
    for text, groups in zip(texts, made, strict=True):
        known = {name: row for _, _, name, row in text.names}
        truth = {
            (scoring.folded(surface), entity["type"]): bool(entity["named"])
            for entity in text.abstract.row["entities"]
            for surface in entity["surfaces"]
        }
        for group in groups:
            for pair in sorted(pairs_of(text.abstract.text, [group])):
                if pair in truth:
                    rows.append(naming_features(text.abstract.text, group, known))
                    named.append(truth[pair])
                    break
    return np.array(rows, np.float32), np.array(named, bool)


def calibration_points(
    scores: Sequence[float], right: Sequence[bool], points: int = 24
) -> list[tuple[float, float]]:
    """Return a rising map from scores to shares of right ones, by isotonic regression.

    Every point stands for as many entities, so that none rests on a few lucky ones.
    """
    from sklearn.isotonic import IsotonicRegression

    order = np.argsort(np.array(scores), kind="stable")
    parts = np.array_split(order, max(1, min(points, len(order) // _POINT)))
    means = [float(np.mean(np.array(scores)[part])) for part in parts]
    # One right and one wrong more in each: nothing is certain.
    shares = [(float(np.sum(np.array(right)[part])) + 1) / (len(part) + 2) for part in parts]
    model = IsotonicRegression(y_min=0.01, y_max=0.99, out_of_bounds="clip")
    rising = model.fit_transform(means, shares)
    # A score that is the mean of several parts is one point.
    by_score = {round(x, 4): round(float(y), 4) for x, y in zip(means, rising, strict=True)}
    return sorted(by_score.items())


def entity_outcomes(
    texts: Sequence[Judged], made: Sequence[Sequence[Group]]
) -> tuple[list[float], list[bool]]:
    """Return of each entity its best score and whether its name and type are right."""
    scores: list[float] = []
    right: list[bool] = []
    for text, groups in zip(texts, made, strict=True):
        gold = gold_pairs(text.abstract)
        for group in groups:
            name = scoring.folded(group.name)
            scores.append(max(m.confidence for m in group.mentions))
            right.append((name, TYPES[group.kind]) in gold)
    return scores, right
