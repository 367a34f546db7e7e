r"""Lists in formats that have none: the values joined by ' | '.

A backslash in a value becomes `\\` and a bar `\|`, so that what was joined can be split again.
"""

from collections.abc import Iterable

SEPARATOR = " | "


def join(values: Iterable[object]) -> str:
    r"""Return the values as one string.

    >>> print(join(["a", "b|c", "d\\e"]))
    a | b\|c | d\\e
    """
    return SEPARATOR.join(str(v).replace("\\", "\\\\").replace("|", "\\|") for v in values)


def split(joined: str) -> list[str]:
    r"""Return the values that `join` joined; an empty string is an empty list.

    >>> split(r"a | b\|c | d\\e")
    ['a', 'b|c', 'd\\e']
    """
    if not joined:
        return []
    values, current, i = [], "", 0
    while i < len(joined):
        if joined[i] == "\\" and i + 1 < len(joined):
            current += joined[i + 1]
            i += 2
        elif joined.startswith(SEPARATOR, i):
            values.append(current)
            current = ""
            i += len(SEPARATOR)
        else:
            current += joined[i]
            i += 1
    return [*values, current]
