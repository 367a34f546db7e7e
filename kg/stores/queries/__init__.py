"""The canned queries: one text each for both stores, with typed parameters.

A query is a file NAME.cypher whose first lines are comments:

    // What it answers, in one sentence.
    // param method: Method; the method
    // param limit: count = 50; how many rows at most
    // sample: method=GRPO

A parameter of the type of a label, or of labels parted by |, is a list of ids in the query and a
name on the command line; every other type is string, integer, count (an integer that is not
negative), float or strings.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from kg.errors import NotFoundError, QueryError
from kg.model.schema import NODE_TABLES

_SCALARS = ("string", "integer", "count", "float", "strings")
_LARGEST = 2**63 - 1  # that a database takes
_WANTED = {
    "integer": "a whole number",
    "count": "a whole number that is not negative",
    "float": "a number",
}
_LABELS = frozenset(table.name for table in NODE_TABLES)
_PARAMETER = re.compile(r"// param (\w+): ([\w|]+)(?: = (.*?))?; (.+)")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a canned query; `default` is None where a value has to be given."""

    name: str
    type: str
    default: str | None
    meaning: str

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels among which a name is looked up; empty for a scalar."""
        return () if self.type in _SCALARS else tuple(self.type.split("|"))


@dataclass(frozen=True, slots=True)
class CannedQuery:
    """A query with a name, what it answers and its parameters."""

    name: str
    meaning: str
    parameters: tuple[Parameter, ...]
    sample: tuple[tuple[str, str], ...]
    cypher: str

    def values(self, given: Mapping[str, str]) -> dict[str, Any]:
        """Turn what was typed into values; names of entities stay strings.

        QueryError where a parameter is unknown, missing or not of its type.
        """
        known = {p.name: p for p in self.parameters}
        for name in given:
            if name not in known:
                raise QueryError(
                    f"{self.name} has no parameter {name!r}",
                    f"It takes {', '.join(known) or 'none'}.",
                )
        values: dict[str, Any] = {}
        for parameter in self.parameters:
            text = given.get(parameter.name, parameter.default)
            if text is None:
                raise QueryError(
                    f"{self.name} needs {parameter.name}: {parameter.meaning}",
                    f"Pass {parameter.name}=VALUE, such as {self._example(parameter.name)}.",
                )
            values[parameter.name] = _typed(parameter, text)
        return values

    def _example(self, name: str) -> str:
        return f"{name}={dict(self.sample).get(name, '...')!r}"


def _typed(parameter: Parameter, text: str) -> Any:
    value: Any = text
    try:
        match parameter.type:
            case "integer" | "count":
                value = int(text)
                least = 0 if parameter.type == "count" else -_LARGEST
                if not least <= value <= _LARGEST:
                    raise ValueError(text)
            case "float":
                value = float(text)
                if not math.isfinite(value):
                    raise ValueError(text)
            case "strings":
                value = [part.strip() for part in text.split(",") if part.strip()]
    except ValueError as error:
        wanted = _WANTED[parameter.type]
        example = parameter.default or ("0.5" if parameter.type == "float" else "10")
        raise QueryError(
            f"{parameter.name} is {text!r}, and has to be {wanted}",
            f"Pass a number such as {parameter.name}={example}.",
        ) from error
    return value


@cache
def canned_queries() -> Mapping[str, CannedQuery]:
    """Return every canned query by name, in order of name."""
    found = [
        _parse(path.name.removesuffix(".cypher"), path.read_text(encoding="utf-8"))
        for path in files(__name__).iterdir()
        if path.name.endswith(".cypher")
    ]
    return {query.name: query for query in sorted(found, key=lambda q: q.name)}


def canned_query(name: str) -> CannedQuery:
    """Return the query of a name; NotFoundError with the nearest names."""
    queries = canned_queries()
    if name in queries:
        return queries[name]
    import difflib

    near = difflib.get_close_matches(name, list(queries), 3, 0.4)
    raise NotFoundError(
        f"there is no query named {name!r}",
        f"{'Nearest' if near else 'There are'}: {', '.join(near or queries)}. "
        "`kg query --list` says what they answer.",
    )


def _parse(name: str, text: str) -> CannedQuery:
    header = [line for line in text.splitlines() if line.startswith("// ")]
    parameters: list[Parameter] = []
    sample: tuple[tuple[str, str], ...] = ()
    for line in header[1:]:
        if line.startswith("// sample: "):
            pairs = [part.split("=", 1) for part in line.removeprefix("// sample: ").split("; ")]
            sample = tuple((key, value) for key, value in pairs)
            continue
        found = _PARAMETER.fullmatch(line)
        if found is None:
            raise ValueError(f"{name}.cypher: cannot read {line!r}")
        parameter = Parameter(*found.groups())
        if not (parameter.type in _SCALARS or _LABELS.issuperset(parameter.labels)):
            raise ValueError(f"{name}.cypher: unknown type {parameter.type}")
        parameters.append(parameter)
    body = "\n".join(line for line in text.splitlines() if not line.startswith("// "))
    return CannedQuery(
        name, header[0].removeprefix("// "), tuple(parameters), sample, body.strip() + "\n"
    )
