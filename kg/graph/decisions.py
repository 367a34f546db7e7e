"""The user's decisions as lines of decisions.jsonl."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from kg.errors import DecisionError
from kg.graph.durable import write_bytes
from kg.model.decision import Decision, DecisionKind, Form, in_force
from kg.model.schema import NodeLabel
from kg.resolve.records import writable_text


def read_decisions(path: Path) -> tuple[Decision, ...]:
    """Return the decisions of a file in the order of its lines; none when there is no file.

    Raises:
        DecisionError: a line is not a decision.
    """
    try:
        # Not splitlines: a note may hold a line end of Unicode, which JSON does not escape.
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except FileNotFoundError:
        return ()
    except UnicodeDecodeError as error:
        raise DecisionError(f"{path}: is not UTF-8", "Save it as UTF-8.") from error
    return tuple(
        _decision(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()
    )


def add_decision(path: Path, decision: Decision) -> Decision:
    """Append a decision under the next number; the file is replaced whole or not at all.

    Raises:
        DecisionError: it cannot be taken, or contradicts one that holds.
    """
    known = read_decisions(path)
    number = max((d.number for d in known), default=0) + 1
    # A shell may hand over bytes that are no UTF-8, which no table could hold.
    to, note = writable_text(decision.to), writable_text(decision.note)
    numbered = replace(decision, number=number, to=to, note=note)
    in_force((*known, numbered))
    content = path.read_bytes() if known else b""
    if content and not content.endswith(b"\n"):
        content += b"\n"
    write_bytes(
        path, content + (json.dumps(decision_row(numbered), ensure_ascii=False) + "\n").encode()
    )
    return numbered


def decision_row(decision: Decision) -> dict[str, Any]:
    """Return what a decision says, as JSON has it: without empty fields."""
    return {key: value for key, value in asdict(decision).items() if value}


def _decision(line: str, place: str) -> Decision:
    try:
        said = json.loads(line)
        forms = {
            key: Form(NodeLabel(said[key]["label"]), said[key]["surface"])
            for key in ("first", "second")
            if key in said
        }
        return Decision(**{**said, **forms, "kind": DecisionKind(said["kind"])})
    except (ValueError, KeyError, TypeError) as error:
        raise DecisionError(
            f"{place}: is not a decision ({error})", "Correct the line or take it out."
        ) from error
