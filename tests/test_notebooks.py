"""The notebooks run from top to bottom, and are kept without what they printed."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


def _read(path: Path) -> Any:
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    """A notebook that breaks at its third cell is the first thing that a newcomer sees."""
    notebook = _read(path)

    NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}
    ).execute()

    assert [cell for cell in notebook.cells if cell.get("outputs")]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_holds_no_output(path: Path) -> None:
    """Outputs make every run a change, and hold paths of whoever ran it."""
    cells = _read(path).cells

    assert [cell.id for cell in cells if cell.get("outputs") or cell.get("execution_count")] == []


def test_there_are_the_three_of_the_readme() -> None:
    """A glob that finds nothing would pass everything."""
    assert [path.stem for path in NOTEBOOKS] == ["01_first_graph", "02_asking", "03_evidence"]
