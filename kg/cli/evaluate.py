"""`kg eval`: how good extractions are, measured against annotation."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.telling import Progress, tell
from kg.errors import InputError

if TYPE_CHECKING:
    from kg.analytics.errors import EntityError
    from kg.analytics.scoring import Outcome

_PATH = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("gold", type=_PATH)
@click.argument("pred", type=_PATH, required=False)
@click.option("--model", metavar="fast|accurate|PATH", help="Read GOLD's texts with this model.")
@click.option("--errors", type=click.IntRange(0), default=0, metavar="N", help="List N errors.")
@click.option("--html", type=click.Path(path_type=Path), help="Write a page of all errors here.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.option(
    "--processes", type=click.IntRange(0), default=0, help="How many read texts at the same time."
)
def evaluate(
    gold: Path,
    pred: Path | None,
    model: str | None,
    errors: int,
    html: Path | None,
    as_json: bool,
    processes: int,
) -> None:
    r"""Compare extractions with annotation, both JSONL with one abstract a line.

    \b
    Examples:
      kg eval gold.jsonl found.jsonl
      kg eval gold.jsonl --model fast --errors 20 --html errors.html

    Each line of GOLD has id, text, entities, claims and relations; PRED is what kg extract
    writes. The interval in brackets holds the figure in 95 of 100 draws of as many abstracts.
    """
    from kg.analytics.bootstrap import intervals
    from kg.analytics.error_page import error_page
    from kg.analytics.errors import entity_errors
    from kg.analytics.scoring import outcomes, tally
    from kg.graph.target import new_file

    if (pred is None) == (model is None):
        raise click.UsageError("Give either PRED or --model.")
    truth = _rows(gold, annotated=True)
    found = _rows(pred) if pred else _read(truth, str(model), processes)
    tallies = [tally(row, found.get(key, {})) for key, row in truth.items()]
    figures = outcomes(sum(tallies, start=Counter()))
    bounds = intervals(tallies)
    wrong = list(entity_errors(truth, found))
    if html:
        name = pred.name if pred else str(model)
        page = error_page(f"{name} against {gold.name}", figures, bounds, wrong)
        with new_file(html) as file:
            file.write(page.encode("utf-8", "replace"))
    predicted = sum(key in found for key in truth)
    if as_json:
        click.echo(json.dumps(_facts(figures, bounds, wrong, len(truth), predicted), indent=2))
        return
    click.echo(f"{len(truth)} abstracts, {predicted} of them predicted")
    for name, one in figures.items():
        click.echo(_line(name, one, bounds[name]))
    _list_errors(wrong, errors)
    if html:
        tell(f"{html}: open it in a browser")


def _rows(path: Path, *, annotated: bool = False) -> dict[str, dict[str, Any]]:
    """Return the abstracts of a JSONL file by id; annotated ones have a text."""
    rows: dict[str, dict[str, Any]] = {}
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line.decode("utf-8-sig"))
                if annotated and not isinstance(row["text"], str):
                    raise TypeError("its text is no string")
                if rows.setdefault(str(row["id"]), row) is not row:
                    raise ValueError(f"{row['id']} stands in an earlier line")
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(
                    f"{path}:{number}: not an annotated abstract ({error!r})",
                    "Each line is a JSON object with id, text, entities, claims and relations.",
                ) from error
    if not rows:
        raise InputError(f"{path}: no abstract in it", "Pass a file with one abstract a line.")
    return rows


def _read(truth: Mapping[str, Any], model: str, processes: int) -> dict[str, dict[str, Any]]:
    from kg.nlp.pipeline import load

    texts = [row["text"] for row in truth.values()]
    progress = Progress("Read")
    found = {}
    pipeline = load(model)
    for number, (key, extraction) in enumerate(
        zip(truth, pipeline.extract(texts, processes=processes), strict=True), 1
    ):
        found[key] = extraction.to_dict()
        progress(number, len(texts))
    return found


def _line(name: str, one: "Outcome", bounds: tuple[float, float]) -> str:
    from kg.analytics.scoring import ACCURACIES

    around = f"[{bounds[0]:.3f}, {bounds[1]:.3f}]"
    if name in ACCURACIES:
        return f"{name:22s} accuracy {one.recall:.3f} {around} of {one.both + one.missed} matched"
    return (
        f"{name:22s} P {one.precision:.3f}  R {one.recall:.3f}  F1 {one.f1:.3f} {around}"
        f"  gold {one.both + one.missed}"
    )


def _list_errors(wrong: Sequence["EntityError"], most: int) -> None:
    if not most:
        return
    kinds = Counter(error.kind for error in wrong)
    click.echo("\n" + ", ".join(f"{kind}: {count}" for kind, count in kinds.most_common()))
    for error in wrong[:most]:
        pair = " -> ".join(filter(None, (error.gold, error.predicted)))
        click.echo(f"{error.id}  {error.kind:10s}  {error.type:8s}  {pair}")
        if error.context:
            click.echo(f"    {error.context}")


def _facts(
    figures: Mapping[str, "Outcome"],
    bounds: Mapping[str, tuple[float, float]],
    wrong: Sequence["EntityError"],
    abstracts: int,
    predicted: int,
) -> dict[str, Any]:
    from kg.analytics.scoring import ACCURACIES

    def fact(name: str, one: "Outcome") -> dict[str, Any]:
        low, high = bounds[name]
        if name in ACCURACIES:
            return {
                "accuracy": one.recall,
                "low": low,
                "high": high,
                "matched": one.both + one.missed,
            }
        return {
            "precision": one.precision,
            "recall": one.recall,
            "f1": one.f1,
            "low": low,
            "high": high,
            "gold": one.both + one.missed,
            "predicted": one.both + one.spurious,
        }

    return {
        "abstracts": abstracts,
        "predicted": predicted,
        "figures": {name: fact(name, one) for name, one in figures.items()},
        "entity_errors": dict(sorted(Counter(error.kind for error in wrong).items())),
    }
