"""Changing parts of expressions and clauses, wherever they stand."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from kg.stores.cypher.syntax import Expression, Subquery


@dataclass(frozen=True, slots=True)
class Kept:
    """What a change returns for a part that stays as it is, with all its own parts."""

    expression: Expression


def transformed(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a value with its parts changed, from outside in; subqueries are left alone."""
    changed = change(value)
    if isinstance(changed, Kept):
        return changed.expression
    if changed is not value:
        return changed
    if isinstance(value, tuple):
        return tuple(transformed(part, change) for part in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, Subquery):
        fields = {
            f.name: transformed(getattr(value, f.name), change) for f in dataclasses.fields(value)
        }
        return replace(value, **fields)  # type: ignore[type-var]
    return value
