"""Group words that stand in the same surroundings, from raw abstracts.

Counts of neighbours become positive pointwise mutual information, its first singular vectors
become word vectors, and k-means at two sizes groups them. One thread and a seed, so that the
same corpora give the same file.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from scipy import sparse

from kg.nlp.scores import Floats, words

_DIGIT = re.compile(r"\d")


def cluster_words(
    texts: Iterable[str],
    *,
    vocabulary: int = 30_000,
    contexts: int = 8_000,
    dimensions: int = 80,
    sizes: Sequence[int] = (1_000, 120),
    seed: int = 0,
) -> dict[str, tuple[int, ...]]:
    """Return word -> its cluster at each of the sizes; words as written, digits as 0."""
    tokens = [[_DIGIT.sub("0", text[a:b]) for a, b in words(text)] for text in texts]
    counts = Counter(token for sentence in tokens for token in sentence)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    chosen = [word for word, count in ranked[:vocabulary] if count >= 5]
    ids = {word: i for i, word in enumerate(chosen)}
    lower = Counter(token.lower() for sentence in tokens for token in sentence)
    near = sorted(lower.items(), key=lambda item: (-item[1], item[0]))[:contexts]
    columns = {word: i for i, (word, _) in enumerate(near)}
    pmi = _positive_pmi(_neighbours(tokens, ids, columns))
    vectors = _vectors(pmi, dimensions, seed)
    groups = [_kmeans(vectors, size, seed) for size in sizes]
    return {word: tuple(int(group[i]) for group in groups) for i, word in enumerate(chosen)}


def _neighbours(
    tokens: list[list[str]], ids: dict[str, int], columns: dict[str, int]
) -> sparse.csr_matrix:
    """(word, side and word beside it): how often; the sides are two before to two after."""
    width = len(columns)
    flat: list[int] = []
    beside: list[int] = []
    for sentence in tokens:
        flat += [ids.get(token, -1) for token in sentence] + [-1, -1]
        beside += [columns.get(token.lower(), -1) for token in sentence] + [-1, -1]
    word, context = np.array(flat, np.int64), np.array(beside, np.int64)
    total = sparse.csr_matrix((len(ids), 4 * width))
    for side, step in enumerate((-2, -1, 1, 2)):
        moved = np.full_like(context, -1)
        if step < 0:
            moved[-step:] = context[:step]
        else:
            moved[:-step] = context[step:]
        held = (word >= 0) & (moved >= 0)
        keys, count = np.unique(word[held] * width + moved[held], return_counts=True)
        total = total + sparse.csr_matrix(
            (count.astype(np.float64), (keys // width, side * width + keys % width)),
            shape=total.shape,
        )
    return total.tocsr()


def _positive_pmi(counts: sparse.csr_matrix) -> sparse.csr_matrix:
    rows = np.asarray(counts.sum(1)).ravel()
    columns = np.asarray(counts.sum(0)).ravel() ** 0.75
    entries = counts.tocoo()
    value = np.log(
        entries.data * columns.sum() / np.maximum(rows[entries.row] * columns[entries.col], 1e-9)
    )
    keep = value > 0
    return sparse.csr_matrix(
        (value[keep], (entries.row[keep], entries.col[keep])), shape=counts.shape
    )


def _vectors(pmi: sparse.csr_matrix, dimensions: int, seed: int) -> Floats:
    from sklearn.utils.extmath import randomized_svd

    left, values, _ = randomized_svd(pmi, dimensions, n_iter=4, random_state=seed)
    scaled = left * np.sqrt(values)
    length = np.linalg.norm(scaled, axis=1, keepdims=True) + 1e-9
    vectors: Floats = (scaled / length).astype(np.float32)
    return vectors


def _kmeans(vectors: Floats, size: int, seed: int) -> np.ndarray:
    from sklearn.cluster import MiniBatchKMeans

    model = MiniBatchKMeans(size, batch_size=4096, n_init=1, max_iter=40, random_state=seed)
    return np.asarray(model.fit(vectors).labels_)
