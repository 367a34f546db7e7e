"""What the project says of itself agrees with what it does."""

import re
from pathlib import Path

import yaml

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
