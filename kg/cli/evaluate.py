"""`kg eval`: how good extractions are, measured against annotation."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from kg.cli.telling import Progress, tell
from kg.errors import InputError

_PATH = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("gold", type=_PATH)
@click.argument("pred", type=_PATH, required=False)
@click.option("--model", metavar="fast|accurate|PATH", help="Read GOLD's texts with this model.")
@click.option("--by", metavar="FIELD", default="", help="Figures by the values of a field of GOLD.")
@click.option("--floor", type=_PATH, help="Beside it, what the names in this annotation find.")
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
    by: str,
    floor: Path | None,
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
      kg eval gold.jsonl --model accurate --by field --floor train.jsonl

    Each line of GOLD has id, text, entities, claims and relations; PRED is what kg extract
    writes. The interval in brackets holds the figure in 95 of 100 draws of as many abstracts.
    The expected calibration error tells how far confidences are from the share of right ones.
    """
    from kg.analytics import evaluation
    from kg.analytics.error_page import error_page
    from kg.cli import figures
    from kg.graph.target import new_file

    if (pred is None) == (model is None):
        raise click.UsageError("Give either PRED or --model.")
    truth = _rows(gold, annotated=True)
    if by and not any(by in row for row in truth.values()):
        raise InputError(
            f"{gold}: no abstract has a field {by!r}",
            "Name one that stands beside id and text, or leave --by out.",
        )
    train = _rows(floor, annotated=True) if floor else None
    found = _rows(pred) if pred else _read(truth, str(model), processes)
    result = evaluation.evaluate(truth, found, by=by, train=train)
    if html:
        name = pred.name if pred else str(model)
        page = error_page(f"{name} against {gold.name}", result)
        with new_file(html) as file:
            file.write(page.encode("utf-8", "replace"))
    if as_json:
        click.echo(json.dumps(figures.facts(result), indent=2))
        return
    for line in figures.lines(result, by=by, errors=errors):
        click.echo(line)
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
