"""Write a trained encoder as the model folder that ``kg.nlp.encoder.Encoder`` reads.

    python -m pipelines.encoder.export WEIGHTS START TEXTS OUT --gold TRAIN.jsonl

WEIGHTS is a checkpoint of ``train.py``, START the folder of the published MPNet (its
``tokenizer.json``), TEXTS a file of raw abstracts, one a line: pieces that none of them holds are
dropped from the vocabulary. TRAIN has texts to see how large numbers inside of the network get.
OUT gets ``encoder.onnx``, ``tokenizer.json`` and ``meta.json``.

What is made small, and how:

- the vocabulary: words cut into dropped pieces fall into smaller ones, at worst single signs,
  which all stay;
- the word embeddings: int8 with one scale per piece;
- the matrices of the layers: int8 per output channel, multiplied in int8 with activations that are
  quantised on the fly. The small heads stay in fp32;
- before that, the inputs of two matrices of each layer are evened out: a few channels are twenty
  times as large as the others, and one scale for all would leave the others few steps.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from torch import Tensor, nn

from kg.nlp.encoder import LINKS, RELATIONS, Pieces
from kg.nlp.scores import KINDS, LABELS, ROLES, words
from pipelines.corpora import held_out, read_rows
from pipelines.encoder.data import Example, example
from pipelines.encoder.model import Shape, Tagger

SPECIAL = ("<s>", "<pad>", "</s>", "[UNK]")
OPSET = 17
EVENED = ("up", "qkv")
SEEN = 48  # abstracts on which the size of the inputs is seen


class Folded(nn.Module):  # type: ignore[misc, unused-ignore]
    """The tagger as it is exported: one text, its words rather than its pieces, int8 embeddings."""

    def __init__(self, tagger: Tagger, kept: Sequence[int]) -> None:
        super().__init__()
        rows = tagger.encoder.words.weight.detach()[list(kept)]
        scale = rows.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("rows", (rows / scale).round().to(torch.int8))
        self.register_buffer("scale", scale)
        self.tagger = tagger

    def forward(
        self, ids: Tensor, case: Tensor, first: Tensor, pool: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """(n,), (n,), the first piece of each of w words (w,), (s, n) to the four outputs."""
        encoder = self.tagger.encoder
        length = ids.shape[0]
        x = self.rows[ids].float() * self.scale[ids] + encoder.case(case)
        x = encoder.norm(x + encoder.positions.weight[2 : length + 2])[None]
        bias = encoder.distance(encoder.buckets[:length, :length]).permute(2, 0, 1)[None]
        for layer in encoder.layers:
            x = layer(x, bias)
        hidden = x[0]
        at_words = hidden[first]
        sentences = pool @ hidden
        whole = hidden.mean(0, keepdim=True).expand(sentences.shape[0], -1)
        tagger = self.tagger
        return (
            tagger.token(at_words),
            tagger.kind(torch.cat([sentences, whole], -1)),
            tagger.pair(at_words),
            tagger.sentence(sentences),
        )


class Even(nn.Module):  # type: ignore[misc, unused-ignore]
    """A linear layer whose input is divided by channel and whose weights make up for it."""

    def __init__(self, linear: nn.Linear, scale: Tensor) -> None:
        super().__init__()
        self.register_buffer("inverse", 1 / scale)
        self.linear = nn.Linear(linear.in_features, linear.out_features)
        self.linear.weight.data.copy_(linear.weight * scale)
        self.linear.bias.data.copy_(linear.bias)

    def forward(self, x: Tensor) -> Tensor:
        """The same numbers as without, but for rounding."""
        found: Tensor = self.linear(x * self.inverse)
        return found


def even_out(
    tagger: Tagger,
    examples: Iterable[Example],
    *,
    names: Sequence[str] = EVENED,
    share: float = 0.6,
) -> Tagger:
    """Return a copy whose named matrices get inputs of similar size in all channels.

    Args:
        tagger: trained weights.
        examples: texts on which the size of the inputs is seen.
        names: of linear layers in each transformer layer.
        share: of the unevenness that moves into the weights, in [0, 1].

    Source: Xiao et al. 2023, SmoothQuant, ICML; in fp32, the outputs stay what they were.
    """
    tagger = copy.deepcopy(tagger).eval()
    peaks: dict[tuple[int, str], Tensor] = {}

    def watch(key: tuple[int, str]) -> Callable[[nn.Module, tuple[Tensor, ...]], None]:
        def note(_: nn.Module, inputs: tuple[Tensor, ...]) -> None:
            seen = inputs[0].detach().abs().flatten(0, -2).amax(0)
            peaks[key] = torch.maximum(peaks.get(key, seen), seen)

        return note

    places = [
        (index, name, getattr(layer, name))
        for index, layer in enumerate(tagger.encoder.layers)
        for name in names
    ]
    hooks = [
        linear.register_forward_pre_hook(watch((index, name))) for index, name, linear in places
    ]
    with torch.no_grad():
        for item in examples:
            tagger.encoder(item.ids[None], item.case[None])
    for hook in hooks:
        hook.remove()
    for index, name, linear in places:
        inputs = peaks[index, name].clamp(min=1e-5)
        weights = linear.weight.detach().abs().amax(0).clamp(min=1e-5)
        scale = inputs**share / weights ** (1 - share)
        setattr(tagger.encoder.layers[index], name, Even(linear, scale / scale.log().mean().exp()))
    return tagger


def kept_pieces(
    vocabulary: Mapping[str, int], counts: Mapping[int, int], least: int = 1
) -> list[str]:
    """Return the pieces to ship: special ones, single signs, and those counted often enough.

    Their order is that of the full vocabulary, special ones first.
    """
    kept = []
    for piece, index in sorted(vocabulary.items(), key=lambda item: item[1]):
        if piece in SPECIAL:
            continue
        bare = piece.removeprefix("##")
        if len(bare) == 1 or counts.get(index, 0) >= least:
            kept.append(piece)
    return [*SPECIAL, *kept]


def count_pieces(texts: Iterable[str], pieces: Pieces) -> Counter[int]:
    """Return how often each piece id occurs in the texts."""
    seen: Counter[str] = Counter()
    for text in texts:
        seen.update(text[start:end] for start, end in words(text))
    found: Counter[int] = Counter()
    for word, count in seen.items():
        for index in pieces(word):
            found[index] += count
    return found


def tokenizer_of(kept: Sequence[str]) -> Any:
    """Return the WordPiece tokenizer over the kept pieces, their ids in order."""
    vocabulary = {piece: index for index, piece in enumerate(kept)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))  # noqa: S106
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return tokenizer


def export(
    tagger: Tagger, full: Any, kept: Sequence[str], out: Path, *, quantised: bool = True
) -> None:
    """Write the model folder.

    Args:
        tagger: trained weights.
        full: the tokenizer that it was trained with.
        kept: the pieces to ship, from ``kept_pieces``.
        out: the folder; made if need be, files in it are replaced.
        quantised: matrices of the layers in int8; fp32 otherwise, to measure what int8 costs.
    """
    tagger = tagger.eval()
    folded = Folded(tagger, [full.token_to_id(piece) for piece in kept]).eval()
    length = 40
    inputs = (
        torch.arange(length) % len(kept),
        torch.zeros(length, dtype=torch.long),
        torch.arange(1, length - 1),
        torch.full((2, length), 1 / length),
    )
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "plain.onnx"
        torch.onnx.export(
            folded,
            inputs,
            str(plain),
            input_names=["ids", "case", "first", "pool"],
            output_names=["token", "kind", "pair", "context"],
            dynamic_axes={
                "ids": {0: "n"},
                "case": {0: "n"},
                "first": {0: "w"},
                "pool": {0: "s", 1: "n"},
            },
            opset_version=OPSET,
            dynamo=False,
        )
        if quantised:
            quantize_dynamic(
                str(plain),
                str(out / "encoder.onnx"),
                op_types_to_quantize=["MatMul"],
                per_channel=True,
                weight_type=QuantType.QInt8,
                nodes_to_exclude=_heads(onnx.load(str(plain))),
            )
        else:
            plain.replace(out / "encoder.onnx")
    tokenizer_of(kept).save(str(out / "tokenizer.json"), pretty=False)
    meta = {
        "format": 1,
        "labels": LABELS,
        "roles": ROLES,
        "kinds": KINDS,
        "relations": RELATIONS,
        "links": LINKS,
        "pair": tagger.shape.pair,
        "pieces": len(kept),
        "quantised": quantised,
        "sha256": hashlib.sha256((out / "encoder.onnx").read_bytes()).hexdigest(),
        "heads": {
            name: {"weight": head.weight.tolist(), "bias": head.bias.tolist()}
            for name, head in (("relation", tagger.relation), ("link", tagger.link))
        },
    }
    (out / "meta.json").write_text(json.dumps(meta) + "\n", encoding="utf-8")


def _heads(graph: Any) -> list[str]:
    """Names of the nodes outside of the layers."""
    return [node.name for node in graph.graph.node if "/layers." not in node.name]


def load_tagger(path: Path, start: Path) -> Tagger:
    """Return the tagger of a checkpoint, which leaves out the frozen word embeddings."""
    from safetensors.torch import load_file  # type: ignore[import-not-found, unused-ignore]

    frozen = load_file(start / "model.safetensors")
    rows = next(value for name, value in frozen.items() if name.endswith("word_embeddings.weight"))
    trained = torch.load(path, weights_only=True)
    layers = 1 + max(int(name.split(".")[2]) for name in trained if ".layers." in name)
    tagger = Tagger(Shape(vocabulary=rows.shape[0], layers=layers))
    tagger.load_state_dict({**trained, "encoder.words.weight": rows})
    return tagger


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights", type=Path)
    parser.add_argument("start", type=Path)
    parser.add_argument("texts", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--gold", type=Path, help="training abstracts; without, nothing is evened")
    parser.add_argument("--least", type=int, default=10, help="pieces seen less often are dropped")
    parser.add_argument("--fp32", action="store_true", help="leave the layers in fp32")
    options = parser.parse_args()
    full: Any = Tokenizer.from_file(str(options.start / "tokenizer.json"))
    full.no_truncation()
    full.no_padding()
    with options.texts.open(encoding="utf-8") as lines:
        counts = count_pieces(lines, Pieces(full))
    kept = kept_pieces(full.get_vocab(), counts, options.least)
    tagger = load_tagger(options.weights, options.start)
    if options.gold and not options.fp32:
        rows = [row for row in read_rows(options.gold) if not held_out(row["id"])][:SEEN]
        pieces, marks = Pieces(full), (full.token_to_id("<s>"), full.token_to_id("</s>"))
        tagger = even_out(
            tagger, [example(row, pieces, begin=marks[0], end=marks[1]) for row in rows]
        )
    export(
        tagger,
        full,
        kept,
        options.out,
        quantised=not options.fp32,
    )
    for path in sorted(options.out.iterdir()):
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
