"""What the project says of itself agrees with what it does."""

import ast
import re
import sys
import tomllib
from pathlib import Path

import yaml

from kg.model.schema import EDGE_TABLES, NODE_TABLES, NodeLabel, RelationshipType

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CI = (ROOT / ".ci/run").read_text(encoding="utf-8")


def _commands() -> list[str]:
    return re.findall(r"^    (python3 -m venv .*)$", README, re.MULTILINE)


def test_ci_runs_the_two_commands_of_the_readme() -> None:
    """A command that only the README knows is broken before long."""
    commands = _commands()
    assert len(commands) == 2
    assert [command for command in commands if command not in CI.splitlines()] == []


def test_compose_waits_for_a_healthy_neo4j_and_takes_the_password_from_the_environment() -> None:
    """Docker is not everywhere, so the file is held to its promises by reading it."""
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    neo4j, kg = compose["services"]["neo4j"], compose["services"]["kg"]

    assert neo4j["image"] == "neo4j:5.26-community"
    assert neo4j["environment"]["NEO4J_AUTH"].startswith("neo4j/${KG_NEO4J_PASSWORD:?")
    assert neo4j["volumes"] == ["neo4j-data:/data"]
    assert "neo4j-data" in compose["volumes"]
    assert "cypher-shell" in neo4j["healthcheck"]["test"][1]
    assert kg["depends_on"] == {"neo4j": {"condition": "service_healthy"}}
    assert "kg build examples" in kg["command"]
    assert "kg neo4j load" in kg["command"]
    assert all(port.startswith("127.0.0.1:") for port in neo4j["ports"])


def test_no_file_names_a_registry() -> None:
    """Where packages come from is the machine's affair."""
    for name in ("pyproject.toml", "constraints.txt", "docker-compose.yml", ".ci/run"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert not re.search(r"index-url|extra-index|pypi\.org|files\.pythonhosted", text), name


def test_every_package_that_is_imported_is_declared() -> None:
    """What comes along with another package may stay away with its next version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"[<>=]", each)[0] for each in project["dependencies"]}
    called = {"yaml": "pyyaml"}
    imported = {
        name.partition(".")[0]
        for path in sorted((ROOT / "kg").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom) and not getattr(node, "level", 0)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
        )
    } - set(sys.stdlib_module_names)

    assert {called.get(n, n.replace("_", "-")) for n in imported - {"kg"}} - declared == set()


def test_every_file_that_the_readme_names_is_there() -> None:
    """A reader who is sent to a file that does not exist has nowhere to go."""
    named = set(
        re.findall(
            r"(?<![\w./])(?:\.ci|benchmarks|docs|examples|notebooks|pipelines)/[\w./-]*\w", README
        )
    )

    assert {"docs/DESIGN.md", "examples/listing.txt", ".ci/run"} <= named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_the_readme_shows_the_schema_as_it_is() -> None:
    """People write queries from this table."""
    shown = re.search(r"<!-- schema -->\n(.*)\n<!-- /schema -->", README, re.DOTALL)
    assert shown is not None
    assert shown[1] == "\n".join((*_node_rows(), "", *_relationship_rows()))


def _node_rows() -> list[str]:
    rows = ["| node | is | properties beside `id` |", "| --- | --- | --- |"]
    for table in NODE_TABLES:
        properties = ", ".join(f"`{p.name}`" for p in table.properties if p.name != "id")
        rows.append(f"| `{table.label.value}` | {table.meaning} | {properties} |")
    return rows


def _relationship_rows() -> list[str]:
    tails: dict[RelationshipType, dict[NodeLabel, list[str]]] = {}
    for table in EDGE_TABLES:
        tails.setdefault(table.type, {}).setdefault(table.head, []).append(table.tail.value)
    rows = ["| relationship | from | to |", "| --- | --- | --- |"]
    for relationship, by_head in tails.items():
        heads: dict[str, list[str]] = {}
        for head, ends in by_head.items():
            heads.setdefault(", ".join(ends), []).append(head.value)
        for ends_text, head_names in heads.items():
            rows.append(f"| `{relationship.value}` | {', '.join(head_names)} | {ends_text} |")
    return rows
