"""The encoder with its heads, in PyTorch: the first layers of MPNet, read word by word.

Written out rather than taken from a library: one projection for queries, keys and values, the
attention's distance term computed once, and a graph that exports without detours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from kg.nlp.encoder import CASES, LINKS, RELATIONS
from kg.nlp.scores import KINDS, LABELS, ROLES

_FIRST_POSITION = 2  # MPNet counts positions from the id of its padding, 1, plus one


@dataclass(frozen=True)
class Shape:
    """Sizes of the model; the defaults are MPNet-base cut to six layers."""

    vocabulary: int
    width: int = 768
    heads: int = 12
    inner: int = 3072
    layers: int = 6
    longest: int = 512
    distances: int = 32
    pair: int = 96
    dropout: float = 0.1


class Noise:
    """Dropout from NumPy's random bytes: PyTorch's own takes a fifth of a step on a CPU."""

    def __init__(self, share: float) -> None:
        self._cut = round(share * 256)
        self._source = np.random.Generator(np.random.SFC64(0))

    def seed(self, seed: int) -> None:
        """Start the sequence anew, so that a resumed run draws what an unbroken one does."""
        self._source = np.random.Generator(np.random.SFC64(seed))

    def __call__(self, x: Tensor, training: bool) -> Tensor:
        """Return x with a share of its numbers at zero and the others scaled up, in training."""
        if not training or not self._cut:
            return x
        drawn = np.frombuffer(self._source.bytes(x.numel()), np.uint8).copy()
        keep = torch.from_numpy(drawn).view(x.shape) >= self._cut
        return x * (keep.to(x.dtype) * (256 / (256 - self._cut)))


class Layer(nn.Module):  # type: ignore[misc, unused-ignore]
    """One transformer layer, normalised after each half."""

    def __init__(self, shape: Shape, noise: Noise) -> None:
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        self.noise = noise
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.up = nn.Linear(width, shape.inner)
        self.down = nn.Linear(shape.inner, width)
        self.norm1 = nn.LayerNorm(width, eps=1e-5)
        self.norm2 = nn.LayerNorm(width, eps=1e-5)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """(b, n, width) and the attention's bias (1 or b, heads, n, n) to (b, n, width)."""
        batch, length, width = x.shape
        size = width // self.heads
        qkv = self.qkv(x).view(batch, length, 3, self.heads, size).permute(2, 0, 3, 1, 4)
        query, key, value = qkv.unbind(0)
        scores = torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(size) + bias
        weights = self.noise(scores.softmax(-1).to(value.dtype), self.training)
        mixed = torch.matmul(weights, value).transpose(1, 2).reshape(batch, length, width)
        x = self.norm1(x + self.noise(self.out(mixed), self.training))
        inner = functional.gelu(self.up(x))
        found: Tensor = self.norm2(x + self.noise(self.down(inner), self.training))
        return found


class Encoder(nn.Module):  # type: ignore[misc, unused-ignore]
    """MPNet with case embeddings beside those of the lower-cased pieces."""

    def __init__(self, shape: Shape, noise: Noise) -> None:
        super().__init__()
        self.noise = noise
        self.words = nn.Embedding(shape.vocabulary, shape.width)
        self.positions = nn.Embedding(shape.longest + _FIRST_POSITION, shape.width)
        self.case = nn.Embedding(CASES, shape.width)
        nn.init.zeros_(self.case.weight)
        self.norm = nn.LayerNorm(shape.width, eps=1e-5)
        self.distance = nn.Embedding(shape.distances, shape.heads)
        self.layers = nn.ModuleList(Layer(shape, noise) for _ in range(shape.layers))
        self.register_buffer("buckets", buckets(shape.longest, shape.distances), persistent=False)

    def forward(self, ids: Tensor, case: Tensor, mask: Tensor | None = None) -> Tensor:
        """(b, n) ids, case classes and, 1 for true and 0 for padding, mask to (b, n, width)."""
        length = ids.shape[1]
        positions = self.positions.weight[_FIRST_POSITION : length + _FIRST_POSITION]
        x = self.noise(
            self.norm(self.words(ids) + self.case(case) + positions),
            self.training,
        )
        places: Tensor = self.buckets  # type: ignore[assignment, unused-ignore]
        bias = self.distance(places[:length, :length]).permute(2, 0, 1)[None]
        if mask is not None:
            bias = bias + (1.0 - mask[:, None, None].to(bias.dtype)) * -1e4
        for layer in self.layers:
            x = layer(x, bias)
        return x


class Tagger(nn.Module):  # type: ignore[misc, unused-ignore]
    """The encoder and all heads."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.noise = Noise(shape.dropout)
        self.encoder = Encoder(shape, self.noise)
        self.token = nn.Linear(shape.width, len(LABELS) + 2 + len(ROLES))
        self.kind = nn.Linear(2 * shape.width, len(KINDS))
        # Relation head, relation tail, linked entity, linked mention; then ground and claim.
        self.pair = nn.Linear(shape.width, 4 * shape.pair)
        self.sentence = nn.Linear(shape.width, 2 * shape.pair)
        self.relation = nn.Linear(shape.pair, len(RELATIONS))
        self.link = nn.Linear(shape.pair, len(LINKS))

    def forward(
        self, ids: Tensor, case: Tensor, pool: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Read a batch.

        Args:
            ids: (b, n), pieces.
            case: (b, n), case classes of their words.
            pool: (b, s, n), rows that sum to one: the pieces of each sentence.
            mask: (b, n), 1 for a piece and 0 for padding; none where nothing is padded.

        Returns:
            Logits of the pieces (b, n, 17): entity label, named, role; of the sentences (b, s, 4);
            vectors of the pieces (b, n, 4 * pair) and of the sentences (b, s, 2 * pair).
        """
        hidden = self.noise(self.encoder(ids, case, mask), self.training)
        sentences = torch.bmm(pool.to(hidden.dtype), hidden)
        if mask is None:
            whole = hidden.mean(1, keepdim=True)
        else:
            real = mask[:, :, None].to(hidden.dtype)
            whole = (hidden * real).sum(1, keepdim=True) / real.sum(1, keepdim=True)
        beside = torch.cat([sentences, whole.expand(-1, sentences.shape[1], -1)], -1)
        return self.token(hidden), self.kind(beside), self.pair(hidden), self.sentence(sentences)

    def relation_logits(
        self, pair: Tensor, context: Tensor, weights: Tensor, inside: Tensor
    ) -> Tensor:
        """Return (E, E, 6) of one text, from head (row) to tail.

        Args:
            pair: (n, 4 * pair), as forward returns it.
            context: (s, 2 * pair), as forward returns it.
            weights: (E, n), rows that sum to one: the pieces that stand for each entity.
            inside: (s, n), 1 where the piece is in the sentence.
        """
        size = self.shape.pair
        has = ((weights > 0).float() @ inside.T > 0).float()
        shared = has[:, None] * has[None]
        shared = shared / shared.sum(-1, keepdim=True).clamp(min=1)
        heads, tails = weights @ pair[:, :size], weights @ pair[:, size : 2 * size]
        hidden = heads[:, None] + tails[None] + shared @ context[:, :size]
        found: Tensor = self.relation(functional.relu(hidden))
        return found

    def link_logits(
        self, pair: Tensor, context: Tensor, weights: Tensor, inside: Tensor, claims: Sequence[int]
    ) -> Tensor:
        """Return (C, E, 4) of one text: whether each claim's sentence names each entity in a field.

        Arguments as for ``relation_logits``, and the indices of the sentences that are claims.
        """
        size = self.shape.pair
        rows = list(claims)
        near = weights[None] * inside[rows][:, None]
        near = near / near.sum(-1, keepdim=True).clamp(min=1e-6)
        whole = weights @ pair[:, 2 * size : 3 * size]
        hidden = context[rows, size:][:, None] + whole[None] + near @ pair[:, 3 * size :]
        found: Tensor = self.link(functional.relu(hidden))
        return found


def buckets(length: int, count: int = 32, far: int = 128) -> Tensor:
    """Return (length, length): the class of the distance from each place (row) to each other.

    Half of the classes look back and half ahead; of either half the first half are single
    distances, the others grow with the logarithm up to ``far``.

    >>> buckets(3)[0].tolist()
    [0, 17, 18]
    """
    distance = torch.arange(length)[:, None] - torch.arange(length)[None]
    half = count // 2
    exact = half // 2
    ahead = (distance < 0).long() * half
    distance = distance.abs()
    growth = torch.log(distance.clamp(min=1).float() / exact) / math.log(far / exact)
    large = exact + (growth * (half - exact)).long()
    return ahead + torch.where(distance < exact, distance, large.clamp(max=half - 1))


def load_mpnet(encoder: Encoder, state: Mapping[str, Tensor]) -> None:
    """Copy the weights of a published MPNet into an encoder of at most as many layers."""
    plain = {name.removeprefix("mpnet."): value for name, value in state.items()}
    with torch.no_grad():
        encoder.words.weight.copy_(plain["embeddings.word_embeddings.weight"])
        encoder.positions.weight.copy_(plain["embeddings.position_embeddings.weight"])
        encoder.distance.weight.copy_(plain["encoder.relative_attention_bias.weight"])
        for end in ("weight", "bias"):
            getattr(encoder.norm, end).copy_(plain[f"embeddings.LayerNorm.{end}"])
            for index, layer in enumerate(encoder.layers):
                at = f"encoder.layer.{index}."
                parts = [plain[f"{at}attention.attn.{part}.{end}"] for part in "qkv"]
                getattr(layer.qkv, end).copy_(torch.cat(parts))
                for ours, theirs in (
                    ("out", "attention.attn.o"),
                    ("norm1", "attention.LayerNorm"),
                    ("up", "intermediate.dense"),
                    ("down", "output.dense"),
                    ("norm2", "output.LayerNorm"),
                ):
                    getattr(getattr(layer, ours), end).copy_(plain[f"{at}{theirs}.{end}"])
