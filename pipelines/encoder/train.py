"""Train the encoder on annotated abstracts.

    python -m pipelines.encoder.train CONFIG --gold TRAIN.jsonl --start MPNET --out FOLDER \
        [--silver SILVER.jsonl]

CONFIG is a TOML file of the fields of ``Config``; MPNET a folder with ``model.safetensors`` and
``tokenizer.json`` of MPNet-base. FOLDER gets ``state.pt``, from which a stopped run goes on, one
``average-EPOCH.pt`` per epoch and ``average.pt`` at the end: the running average of the weights,
without the frozen word embeddings, as ``export.py`` takes it. SILVER is what a model with a
rescorer read in raw abstracts (``kg extract``): the first epoch takes it beside the annotation.

A run is a function of its config, its data and the number of threads, broken or not. Only a run
with ``minutes`` set is not: it shortens its schedule where the machine is slow.

On a CPU, memory that goes back to the system between steps costs most of the time. Set before the
start: MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=8589934592
MALLOC_TOP_PAD_=268435456 OMP_WAIT_POLICY=passive
"""

from __future__ import annotations

import argparse
import random
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from kg.nlp.encoder import Pieces
from kg.nlp.scores import LABELS
from pipelines.corpora import held_out, read_rows, spread_out, text_key
from pipelines.encoder.data import (
    IGNORED,
    Batch,
    Example,
    batches,
    collate,
    example,
)
from pipelines.encoder.model import Shape, Tagger, load_mpnet

_LOSSES: Mapping[str, float] = {
    "entity": 1.0,
    "named": 0.3,
    "role": 0.3,
    "kind": 0.3,
    "relation": 1.5,
    "link": 0.5,
}


@dataclass(frozen=True)
class Config:
    """How to train.

    Attributes:
        layers: of MPNet, from below.
        epochs: passes over the annotation.
        silver: how many abstracts that a model read are in the first epoch, too.
        rate: learning rate of the top layer.
        decay: factor of the learning rate from each layer to the one below.
        head_rate: learning rate of the heads and the case embeddings.
        warmup: share of the steps in which the rate rises; it falls to 0 over all of them.
        batch: pieces of a batch with padding.
        average: weight of the past in the running average of the weights.
        minutes: of training after which the schedule has ended, whatever the epochs; 0 for none.
        seed: of heads, batches and dropout.
        threads: of PyTorch.
        save_minutes: between two saved states within an epoch.
        losses: weight of each head's loss.
    """

    layers: int = 6
    epochs: int = 8
    silver: int = 0
    rate: float = 1e-4
    decay: float = 0.9
    head_rate: float = 1e-3
    warmup: float = 0.06
    batch: int = 1500
    average: float = 0.996
    minutes: float = 0.0
    seed: int = 0
    threads: int = 2
    save_minutes: float = 10.0
    losses: Mapping[str, float] = field(default_factory=lambda: dict(_LOSSES))


def load_config(path: Path) -> Config:
    """Read a TOML file; a name that is no field of Config is a TypeError."""
    return Config(**tomllib.loads(path.read_text("utf-8")))


def rate_factor(step: int, steps: int, progress: float, warmup: float) -> float:
    """Return the factor of the learning rates: up over the warm-up, down to a hundredth.

    >>> [rate_factor(step, 100, step / 100, 0.06) for step in (0, 50, 100)]
    [0.14285714285714285, 0.5, 0.01]
    """
    return min(1.0, (step + 1) / (warmup * steps + 1)) * max(0.01, 1 - progress)


class Run:
    """One training run, with all that is saved of it."""

    def __init__(self, config: Config, start: Path, out: Path) -> None:
        from safetensors.torch import load_file  # type: ignore[import-not-found, unused-ignore]

        self.config = config
        self.out = out
        out.mkdir(parents=True, exist_ok=True)
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        tokenizer = Tokenizer.from_file(str(start / "tokenizer.json"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.tokenizer: Any = tokenizer
        self.model = Tagger(Shape(vocabulary=tokenizer.get_vocab_size(), layers=config.layers))
        load_mpnet(self.model.encoder, load_file(start / "model.safetensors"))
        self.model.encoder.words.weight.requires_grad_(False)
        self.live = {n: p for n, p in self.model.named_parameters() if p.requires_grad}
        self.average = {name: value.detach().clone() for name, value in self.live.items()}
        groups = parameter_groups(self.model, config)
        self.rates = [float(group["lr"]) for group in groups]
        self.optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
        self.step = 0
        self.spent_s = 0.0
        if self._state.exists():
            self._resume()

    @property
    def _state(self) -> Path:
        return self.out / "state.pt"

    def examples(self, rows: Sequence[Mapping[str, Any]]) -> list[Example]:
        """Return the rows as numbers."""
        pieces = Pieces(self.tokenizer)
        begin, end = self.tokenizer.token_to_id("<s>"), self.tokenizer.token_to_id("</s>")
        return [example(dict(row), pieces, begin=begin, end=end) for row in rows]

    def train(self, data: Sequence[Example], silver: Sequence[Example] = ()) -> None:
        """Train to the end of the schedule from wherever the run stands.

        Args:
            data: what every epoch goes through.
            silver: what only the first epoch goes through, mixed with the data.
        """
        config = self.config
        every = [*data, *silver]
        orders = batches_of_epochs([len(item.ids) for item in every], len(data), config)
        steps = sum(map(len, orders))
        padding = self.tokenizer.token_to_id("<pad>")
        self.model.train()
        losses: dict[str, float] = {}
        now = saved = time.monotonic()
        begin = 0
        for epoch, order in enumerate(orders):
            done, begin = self.step - begin, begin + len(order)
            if done >= len(order) or self._out_of_time:
                continue
            for members in order[done:]:
                if self._out_of_time:
                    break
                chosen = [every[index] for index in members]
                for name, loss in self._train_step(chosen, collate(chosen, padding), steps).items():
                    losses[name] = losses.get(name, 0.0) + loss
                before, now = now, time.monotonic()
                self.spent_s += now - before
                if self.step % 25 == 0:
                    means = " ".join(f"{k} {v / 25:.3f}" for k, v in losses.items())
                    print(f"{self.step}/{steps} {self.spent_s:.0f} s: {means}", flush=True)
                    losses.clear()
                if now - saved > 60 * config.save_minutes:
                    self._save()
                    saved = now
            self._save()
            torch.save(self.average, self.out / f"average-{epoch + 1}.pt")
        torch.save(self.average, self.out / "average.pt")

    @property
    def _out_of_time(self) -> bool:
        return 0 < 60 * self.config.minutes <= self.spent_s

    def _train_step(self, chosen: Sequence[Example], batch: Batch, steps: int) -> dict[str, float]:
        config = self.config
        progress = self.step / steps
        if config.minutes:
            progress = max(progress, self.spent_s / (60 * config.minutes))
        factor = rate_factor(self.step, steps, progress, config.warmup)
        for group, rate in zip(self.optimizer.param_groups, self.rates, strict=True):
            group["lr"] = rate * factor
        self.model.noise.seed(config.seed * 1_000_003 + self.step)
        losses = batch_losses(self.model, chosen, batch)
        total = sum(config.losses[name] * loss for name, loss in losses.items())
        self.optimizer.zero_grad(set_to_none=True)
        total.backward()
        nn.utils.clip_grad_norm_(list(self.live.values()), 1.0)
        self.optimizer.step()
        self.step += 1
        past = min(config.average, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            torch._foreach_lerp_(
                list(self.average.values()), [p.detach() for p in self.live.values()], 1 - past
            )
        return {name: float(loss.detach()) for name, loss in losses.items()}

    def _save(self) -> None:
        """Replace the state in one step, so that a stop at any time leaves a whole one."""
        state = {
            "model": {name: value.detach() for name, value in self.live.items()},
            "average": self.average,
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "spent_s": self.spent_s,
        }
        fresh = self._state.with_suffix(".new")
        torch.save(state, fresh)
        fresh.replace(self._state)

    def _resume(self) -> None:
        state = torch.load(self._state, weights_only=True)
        with torch.no_grad():
            for name, value in self.live.items():
                value.copy_(state["model"][name])
                self.average[name].copy_(state["average"][name])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step = int(state["step"])
        self.spent_s = float(state["spent_s"])


def batches_of_epochs(
    lengths: Sequence[int], annotated: int, config: Config
) -> list[list[list[int]]]:
    """Return the batches of every epoch, as indices.

    Args:
        lengths: pieces of the annotated examples, then of the silver ones.
        annotated: how many are annotated; the others are in the first epoch only.
        config: epochs, pieces of a batch, seed.
    """
    return [
        batches(
            lengths[:annotated] if epoch else lengths,
            config.batch,
            random.Random(f"{config.seed} {epoch}"),  # noqa: S311
        )
        for epoch in range(config.epochs)
    ]


def parameter_groups(model: Tagger, config: Config) -> list[dict[str, Any]]:
    """Return the trained parameters with their learning rates, lower layers slower."""
    encoder = model.encoder
    top = len(encoder.layers) - 1
    groups: list[dict[str, Any]] = [
        {"params": list(layer.parameters()), "lr": config.rate * config.decay ** (top - index)}
        for index, layer in enumerate(encoder.layers)
    ]
    below = [encoder.positions.weight, encoder.distance.weight, *encoder.norm.parameters()]
    groups.append({"params": below, "lr": config.rate * config.decay ** (top + 1)})
    heads = [value for name, value in model.named_parameters() if not name.startswith("encoder.")]
    groups.append({"params": [encoder.case.weight, *heads], "lr": config.head_rate})
    return groups


def batch_losses(model: Tagger, chosen: Sequence[Example], batch: Batch) -> dict[str, Tensor]:
    """Return the loss of each head that the batch has answers for."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        token, kind, pair, context = model(batch.ids, batch.case, batch.pool, batch.mask)
    token, kind = token.float().flatten(0, 1), kind.float().flatten(0, 1)
    labels = len(LABELS)
    losses = {
        name: functional.cross_entropy(logits, answers.flatten(), ignore_index=IGNORED)
        for name, logits, answers in (
            ("entity", token[:, :labels], batch.label),
            ("named", token[:, labels : labels + 2], batch.named),
            ("role", token[:, labels + 2 :], batch.role),
            ("kind", kind, batch.kind),
        )
        if bool((answers != IGNORED).any())
    }
    relations, links = [], []
    for index, item in enumerate(chosen):
        if len(item.weights) < 2:
            continue
        length, count = len(item.ids), len(item.kind)
        vectors = pair[index, :length].float(), context[index, :count].float()
        logits = model.relation_logits(*vectors, item.weights, item.inside)
        relations.append((logits, item.relation, item.asked))
        if item.claims:
            logits = model.link_logits(*vectors, item.weights, item.inside, item.claims)
            links.append((logits, item.link, torch.ones_like(item.link)))
    for name, cells in (("relation", relations), ("link", links)):
        asked = sum(float(weight.sum()) for _, _, weight in cells)
        if asked:
            losses[name] = sum(_binary(*cell) for cell in cells) / asked
    return losses


def _binary(logits: Tensor, answers: Tensor, weight: Tensor) -> Tensor:
    return functional.binary_cross_entropy_with_logits(logits, answers, weight, reduction="sum")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("config", type=Path)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--silver", type=Path, help="what a model read in raw abstracts, JSONL")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--all", action="store_true", help="hold nothing out")
    options = parser.parse_args()
    config = load_config(options.config)
    if (config.silver > 0) != (options.silver is not None):
        parser.error("--silver goes with a configuration whose silver is above 0")
    run = Run(config, options.start, options.out)
    rows = read_rows(options.gold)
    annotated = {text_key(row["text"]) for row in rows}
    read = [
        row
        for row in (read_rows(options.silver) if options.silver else ())
        if text_key(row["text"]) not in annotated
    ]
    run.train(
        run.examples([row for row in rows if options.all or not held_out(row["id"])]),
        run.examples(spread_out(read, config.silver)),
    )


if __name__ == "__main__":
    main()
