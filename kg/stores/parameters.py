"""The parameters of a query: none may be missing, none is of a type that a store cannot take."""

import difflib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from kg.errors import QueryError
from kg.stores.cypher.tokens import Token, parameters


def checked(tokens: Iterable[Token], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that the query uses; QueryError when one is missing or no text.

    A database that takes a missing parameter for null answers nothing, which reads like a
    graph that holds nothing.
    """
    tokens = list(tokens)
    _require_text("the query", "".join(token.text for token in tokens))
    used = parameters(tokens)
    missing = sorted(used - set(given))
    if missing:
        near = difflib.get_close_matches(missing[0], sorted(given), 1)
        hint = f"{near[0]!r} is given; is it meant?" if near else f"Pass {missing[0]}=VALUE."
        raise QueryError(f"the query needs a value for ${missing[0]}", hint)
    for name in sorted(used):
        _require_text(f"the value of ${name}", given[name])
        _require_size(name, given[name])
    return {name: given[name] for name in sorted(used)}


def _require_text(what: str, value: Any) -> None:
    """Raise QueryError for half of a surrogate pair, as a shell makes of bytes it cannot read."""
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError as error:
        raise QueryError(f"{what} is not text in UTF-8", "Write it in UTF-8.") from error


def _require_size(name: str, value: Any) -> None:
    """Raise QueryError for an integer of more than 64 bits, wherever it is nested."""
    match value:
        case bool() | float():
            pass
        case int() if not -(2**63) <= value < 2**63:
            raise QueryError(
                f"the value of ${name} has more than 64 bits: {value}",
                "Pass a smaller number, or a float.",
            )
        case list() | tuple():
            for item in value:
                _require_size(name, item)
        case dict():
            for item in value.values():
                _require_size(name, item)
