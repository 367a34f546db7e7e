"""Years and dates out of the many ways in which files write them."""

import re

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janvier enero",
            "feb february februar fevrier febrero",
            "mar march marz mars marzo",
            "apr april avril abril",
            "may mai mayo",
            "jun june juni juin junio",
            "jul july juli juillet julio",
            "aug august aout agosto",
            "sep sept september septembre septiembre",
            "oct october oktober okt octobre octubre",
            "nov november novembre noviembre",
            "dec december dezember dez decembre diciembre",
        ),
        start=1,
    )
    for name in names.split()
}
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|2100)(?!\d)")
_NUMERIC = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?!\d)")
_COMPACT = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)")
_DAY_FIRST = re.compile(r"(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.](1[5-9]\d\d|20\d\d)(?!\d)")


def year_of(text: str) -> int | None:
    """Return the first year from 1500 to 2100 in a text.

    >>> year_of("c2009, printed 2010")
    2009
    """
    found = _YEAR.search(text) or _COMPACT.search(text)
    return int(found.group(1)) if found else None


def month_of(text: str) -> int | None:
    """Return the number of the month that a text names, in digits or words."""
    text = text.strip().strip('{}#" ')
    if text.isdecimal():
        return int(text) if 1 <= int(text) <= 12 else None
    for word in re.findall(r"[^\W\d_]+", text.casefold()):
        if (number := _MONTHS.get(word)) is not None:
            return number
    return None


def date_of(text: str) -> str:
    """Return ISO 8601, as exact as the text: 2024, 2024-05 or 2024-05-01; empty without a year.

    >>> [date_of(text) for text in ("12 May 2024", "2024/05//", "May 2024", "in 2024")]
    ['2024-05-12', '2024-05', '2024-05', '2024']
    """
    if (found := _NUMERIC.search(text) or _COMPACT.search(text)) is not None:
        return iso(*(int(part) if part else None for part in found.groups()))
    if (found := _DAY_FIRST.search(text)) is not None:
        first, second, last = (int(part) for part in found.groups())
        if first > 12 >= second:
            return iso(last, second, first)
        if second > 12 >= first:
            return iso(last, first, second)
        return iso(last)  # 03/04/2024 is another day on either side of the Atlantic
    year = year_of(text)
    if year is None:
        return ""
    rest = _YEAR.sub(" ", text, count=1)
    month = month_of(re.sub(r"\d", " ", rest))
    day = re.search(r"(?<![\d:])([12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?![\d:-])", rest)
    return iso(year, month, int(day.group(1)) if day and month else None)


def iso(year: int | None, month: int | None = None, day: int | None = None) -> str:
    """Write a date as exactly as its parts are known and possible.

    >>> iso(2024, 2, 31)
    '2024-02'
    """
    if year is None:
        return ""
    if month is None or not 1 <= month <= 12:
        return f"{year:04d}"
    longest = 29 if month == 2 else 30 if month in (4, 6, 9, 11) else 31
    if day is None or not 1 <= day <= longest:
        return f"{year:04d}-{month:02d}"
    return f"{year:04d}-{month:02d}-{day:02d}"
