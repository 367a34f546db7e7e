"""`kg extract`: papers in, one JSON object per paper out."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from kg.cli.build import fields_of
from kg.cli.telling import Progress, place, plural, shown, tell

if TYPE_CHECKING:
    from kg.api.extracting import Extracted
    from kg.model.extraction import Extraction
    from kg.model.record import Record

_STRICT = 3
_MOST_COUNTED = 20_000


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), default="-", help="Write here, not to stdout."
)
@click.option(
    "--model", default="auto", show_default=True, metavar="fast|accurate|auto|PATH",
    help="What reads the texts.",
)  # fmt: skip
@click.option("--format", "format_", metavar="FORMAT", help="Read every input as this format.")
@click.option(
    "--map", "mapping", multiple=True, metavar="FIELD=COLUMN",
    help="Which column or key holds what, such as abstract=Summary; again for more.",
)  # fmt: skip
@click.option("--names", type=click.Path(path_type=Path), help="CSV of names: name,type,aliases.")
@click.option(
    "--processes", type=click.IntRange(0), default=0, help="How many read texts at the same time."
)
@click.option("--strict", is_flag=True, help="Exit with 3 when a block was rejected.")
@click.pass_context
def extract(
    ctx: click.Context,
    inputs: tuple[str, ...],
    out: Path,
    model: str,
    format_: str | None,
    mapping: tuple[str, ...],
    names: Path | None,
    processes: int,
    strict: bool,
) -> None:
    r"""Read papers from files, folders, globs or - and write what their abstracts say, as JSONL.

    \b
    Examples:
      kg extract listing.txt | jq '.entities[].name'
      kg extract abstracts.jsonl --model fast -o found.jsonl
      kg extract - --format listing < notes.txt

    Each line has id, title and text of a paper, and its entities, claims, relations and
    citations with offsets into the text. A record that has an id of its own keeps it. What the
    file after --names lists is found in every text, and has the type that the list says.
    """
    from kg import api
    from kg.model.record import Rejected

    rejected = 0

    def kept() -> Any:
        nonlocal rejected
        fields = fields_of(mapping)
        for item in api.read(inputs, format=format_, fields=fields, stdin=sys.stdin.buffer):
            if isinstance(item, Rejected):
                rejected += 1
                where = place(item.file, item.line, item.ordinal)
                tell(f"rejected {where}: {shown(item.reason)}")
            else:
                yield item

    with _opened(out) as file:
        records, model = _chosen(kept(), model, processes)
        _write(file, api.extract(records, model=model, processes=processes, names=names))
    if rejected:
        tell(f"{plural(rejected, 'block')} rejected")
        if strict:
            ctx.exit(_STRICT)


@contextmanager
def _opened(out: Path) -> Iterator[BinaryIO]:
    """A file that is there whole or not at all; standard output as it is."""
    if str(out) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    from kg.graph.target import new_file

    with new_file(out) as file:
        yield file


def _write(file: BinaryIO, found: Iterator["Extracted"]) -> None:
    import orjson

    progress = Progress("Read")
    for number, each in enumerate(found, 1):
        row = extracted_row(each.record, each.extraction)
        file.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
        progress(number)
    Progress.clear()


def _chosen(records: Iterator[Any], model: str, processes: int) -> tuple[Iterator[Any], str]:
    """Return the records again, and the model; auto depends on how many records there are."""
    from kg.nlp.choosing import AUTO, choose_model

    if model != AUTO:
        return records, model
    # More than these are too many for all but the fastest model.
    head = list(islice(records, _MOST_COUNTED))
    texts = [record.text for record in head if record.text]
    choice = choose_model(texts, processes)
    if texts:
        tell(f"Reading with {choice}.")
    return chain(head, records), choice.model


def extracted_row(record: "Record", extraction: "Extraction") -> dict[str, Any]:
    """Return the object that is written for a paper."""
    from kg.model.identity import paper_id

    own = record.ids.key or paper_id(record.ids, record.title, record.text)
    return {"id": own, "title": record.title, "text": record.text, **extraction.to_dict()}
