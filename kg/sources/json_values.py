"""Values out of JSON whose shape cannot be trusted: a field may hold any type, or be absent."""

from collections.abc import Mapping
from typing import Any

from kg.sources.text import one_line


def string(value: Any) -> str:
    """Return a string as it is, a number as digits, anything else as an empty string."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return ""


def line(value: Any) -> str:
    """Return a title, name or venue as a human reads it, on one line."""
    return one_line(string(value))


def mapping(value: Any) -> Mapping[str, Any]:
    """Return an object, or an empty one."""
    return value if isinstance(value, dict) else {}


def mappings(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list, or the object itself."""
    if isinstance(value, list):
        return [item for item in value if isinstance(item, dict)]
    return [value] if isinstance(value, dict) else []


def strings(value: Any) -> tuple[str, ...]:
    """Return the strings of a list, or the string itself, without empty and double ones."""
    items = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(text for item in items if (text := string(item).strip())))


def first(value: Any) -> str:
    """Return the first string of a list, or the string itself."""
    found = strings(value)
    return found[0] if found else ""


def year(value: Any) -> int | None:
    """Return a year from 1000 to 2100 out of a number, a date, or a string that holds one."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int):
        return value if 1000 <= value <= 2100 else None
    text = string(value).strip()
    for start in range(len(text) - 3):
        digits = text[start : start + 4]
        bounded = not (text[start - 1 : start].isdigit() if start else False)
        if digits.isdecimal() and bounded and not text[start + 4 : start + 5].isdigit():
            number = int(digits)
            if 1000 <= number <= 2100:
                return number
    return None


def date(*parts: Any) -> str:
    """Return ISO 8601, as exact as the year, month and day given: 2024, 2024-05, 2024-05-01."""
    numbers: list[int] = []
    for part, (low, high) in zip(parts, ((1000, 2100), (1, 12), (1, 31)), strict=False):
        text = string(part).strip()
        if not text.isdecimal() or not low <= int(text) <= high:
            break
        numbers.append(int(text))
    return "-".join(f"{n:04d}" if i == 0 else f"{n:02d}" for i, n in enumerate(numbers))
