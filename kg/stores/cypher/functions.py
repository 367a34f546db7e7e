"""Neo4j's functions in the words of the embedded database, and those that it lacks."""

import re
import statistics
import unicodedata
from collections.abc import Callable
from typing import Any

# Written as they stand, {0} for the first argument. A name that is not here keeps its name.
TEMPLATES = {
    "id": "id({0})",
    "elementid": "cast(id({0}) AS STRING)",
    "startnode": "start_node({0})",
    "endnode": "end_node({0})",
    "relationships": "rels({0})",
    "tolower": "lower({0})",
    "toupper": "upper({0})",
    "btrim": "trim({0})",
    "split": "string_split({0}, {1})",
    "tail": "list_slice({0}, 2, size({0}))",
    "isempty": "(size({0}) = 0)",
    "char_length": "size({0})",
    "character_length": "size({0})",
    "ceil": "ceil(cast({0} AS DOUBLE))",
    "floor": "floor(cast({0} AS DOUBLE))",
    "exp": "pow(2.718281828459045, {0})",
    "log": "ln({0})",
    "e": "2.718281828459045",
    "rand": "random()",
    "isnan": "(cast({0} AS DOUBLE) <> cast({0} AS DOUBLE))",
    "normalize": "kg_normalize({0})",
    "randomuuid": "cast(gen_random_uuid() AS STRING)",
    "timestamp": "epoch_ms(current_timestamp())",
    "stdev": "kg_stdev(collect(cast({0} AS DOUBLE)))",
    "stdevp": "kg_stdevp(collect(cast({0} AS DOUBLE)))",
    "tointeger": "kg_to_integer(cast({0} AS STRING))",
    "tointegerornull": "kg_to_integer(cast({0} AS STRING))",
    "toboolean": "kg_to_boolean(cast({0} AS STRING))",
    "tobooleanornull": "kg_to_boolean(cast({0} AS STRING))",
}
AGGREGATES = frozenset(
    {"count", "sum", "avg", "min", "max", "collect", "stdev", "stdevp", "percentilecont",
     "percentiledisc"}
)  # fmt: skip
# How many arguments a function takes, at least and at most, where the number matters here.
ARGUMENTS = {
    **{
        name: (sum(f"{{{n}}}" in text for n in range(2)),) * 2
        for name, text in TEMPLATES.items()
    },
    **dict.fromkeys(
        ("type", "labels", "head", "last", "reverse", "tofloat", "tofloatornull", "tostring",
         "tostringornull", "tointegerlist", "tofloatlist", "tobooleanlist", "tostringlist", "keys", "duration", "size", "length", "nodes", "properties"),
        (1, 1),
    ),
    "substring": (2, 3),
    "round": (1, 3),
    "left": (2, 2),
    "right": (2, 2),
    "replace": (3, 3),
    "range": (2, 3),
    "date": (0, 1),
    "datetime": (0, 1),
    "localdatetime": (0, 1),
}  # fmt: skip
FUNCTIONS = sorted(
    {*AGGREGATES, *ARGUMENTS, "abs", "sign", "sqrt", "coalesce", "nullif", "pi", "trim", "ltrim",
     "rtrim", "sin", "cos", "tan", "degrees", "radians", "log10", "exists", "reduce"}
)  # fmt: skip
# Parts of a date or a time, as properties in Neo4j and by date_part in the embedded database.
DATE_PARTS = frozenset(
    {"year", "month", "day", "hour", "minute", "second", "quarter", "week", "millisecond",
     "microsecond"}
)  # fmt: skip


def to_integer(text: str) -> int | None:
    """Read an integer as Neo4j does: digits, or a number whose fraction is cut off."""
    if re.fullmatch(r"\s*[+-]?\d+\s*", text):
        number = int(text)
    elif re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", text):
        number = int(float(text))
    else:
        return {"true": 1, "false": 0}.get(text.lower())
    return number if -(2**63) <= number < 2**63 else None


def to_float(text: str) -> float | None:
    """Read a number as Neo4j does."""
    if re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", text):
        return float(text)
    return None


def to_boolean(text: str) -> bool | None:
    """Read true or false, in any case."""
    return {"true": True, "false": False}.get(text.strip().lower())


def normalized(text: str) -> str:
    """Compose letters and their marks (NFC)."""
    return unicodedata.normalize("NFC", text)


def float_to_string(number: float) -> str:
    """Write a number as Neo4j does: shortest, with a fraction, E for powers of ten."""
    text = repr(number)
    if "e" in text:
        digits, exponent = text.split("e")
        return f"{digits if '.' in digits else digits + '.0'}E{int(exponent)}"
    if abs(number) >= 1e7:
        digits = text.replace(".", "").lstrip("-").rstrip("0") or "0"
        power = len(text.lstrip("-").split(".")[0]) - 1
        sign = "-" if number < 0 else ""
        return f"{sign}{digits[0]}.{digits[1:] or '0'}E{power}"
    if 0 < abs(number) < 1e-3:
        digits, exponent = f"{number:.16e}".split("e")
        return f"{float(digits)!r}E{int(exponent)}"
    return text


def _deviation(numbers: list[float]) -> float:
    return statistics.stdev(numbers) if len(numbers) > 1 else 0.0


def _population_deviation(numbers: list[float]) -> float:
    return statistics.pstdev(numbers) if numbers else 0.0


# name: function, types of its parameters, type of what it returns
OWN: dict[str, tuple[Callable[[Any], Any], list[str], str]] = {
    "kg_to_integer": (to_integer, ["STRING"], "INT64"),
    "kg_to_float": (to_float, ["STRING"], "DOUBLE"),
    "kg_to_boolean": (to_boolean, ["STRING"], "BOOL"),
    "kg_float_to_string": (float_to_string, ["DOUBLE"], "STRING"),
    "kg_normalize": (normalized, ["STRING"], "STRING"),
    "kg_stdev": (_deviation, ["DOUBLE[]"], "DOUBLE"),
    "kg_stdevp": (_population_deviation, ["DOUBLE[]"], "DOUBLE"),
}


def own_functions(cypher: str) -> tuple[str, ...]:
    """Return which of the functions above a translated query needs."""
    return tuple(name for name in OWN if f"{name}(" in cypher)


def interval(iso: str) -> str:
    """Return an ISO 8601 duration such as P1Y2M3DT4H5M in words; ValueError for another text."""
    found = re.fullmatch(
        r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?", iso
    )
    if not found or not any(found.groups()):
        raise ValueError(iso)
    years, months, weeks, days, hours, minutes, seconds = (int(g or 0) for g in found.groups())
    units = {
        "years": years, "months": months, "days": days + 7 * weeks, "hours": hours,
        "minutes": minutes, "seconds": seconds,
    }  # fmt: skip
    return " ".join(f"{n} {unit}" for unit, n in units.items() if n)
