"""`kg formats`."""

import json

from click.testing import CliRunner

from kg.cli.main import main
from kg.sources.registry import readers


def test_every_reader_is_listed_with_what_it_gives() -> None:
    """The list is the registry's own, so it cannot fall behind."""
    result = CliRunner().invoke(main, ["formats", "--json"])
    assert result.exit_code == 0
    rows = json.loads(result.output)
    assert [row["name"] for row in rows] == list(readers())
    assert next(row for row in rows if row["name"] == "csv") == {
        "name": "csv",
        "about": "CSV, TSV and semicolon tables of any service; columns mapped by name or --map",
        "suffixes": [".csv", ".tsv", ".tab"],
        "gives": ["abstract", "authors", "year", "venue", "identifiers", "references"],
        "map": True,
    }
    table = CliRunner().invoke(main, ["formats"]).output
    assert all(row["name"] in table and row["about"] in table for row in rows)
