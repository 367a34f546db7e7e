"""The code keeps to its layers, and the command starts light."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_imports_point_down() -> None:
    """The contract in pyproject.toml is the picture in docs/STYLE.md."""
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_import_and_help_load_nothing_heavy() -> None:
    """Somebody who asks for help does not wait for spaCy or a database driver."""
    code = (
        "import sys, kg\n"
        "from click.testing import CliRunner\n"
        "from kg.cli.main import main\n"
        "assert CliRunner().invoke(main, ['--help']).exit_code == 0\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & "
        "{'spacy', 'neo4j', 'ladybug', 'pyarrow', 'numpy', 'networkx', 'pyvis', 'onnxruntime'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout == "[]\n"
