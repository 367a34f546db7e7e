"""Numbers in running text: where they stand, and what they are worth.

Every number that might carry a result is found here, with its sign, range, spread and unit; names
that hold digits (CIFAR-10, GPT-4, F1) are not numbers. Which of them carry a claim is decided in
``results``.
"""

import re
from dataclasses import dataclass
from math import isfinite
from typing import Final

PERCENT: Final = "%"
POINTS: Final = "points"
TIMES: Final = "x"
BOUND: Final = "O()"

# Commas part thousands; before one, two or four digits and a unit they are decimal.
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+,\d{1,2}(?=\s?\\?%)|\d+)(?:\.\d+)?|(?<!\d)\.\d+"
_PERCENT = r"\s?\\?%|\s?(?:percent|per cent)\b(?!age)"
_TIMES = (
    r"\s?(?:\$\s?\\times\s?\$|\{\\times\}|\\times|×|[xX](?![A-Za-z0-9]))|[\s-]times\b|[\s-]?fold\b"
)
_SCALE = r"[KkMBTG](?![A-Za-z])|\s?(?:million|billion|trillion|thousand)\b"
_UNIT = rf"(?:{_PERCENT}|{_TIMES}|{_SCALE})"
_DASH = r"(?:\s?(?:--?|[–—−])\s?|\\!-\\!)"
_SPREAD = r"\s?(?:±|\+/-|\+-|\$?\\pm\$?)\s?"

_QUANTITY = re.compile(
    r"(?P<sign>[+−–-])?\s?\\?"
    rf"(?P<one>{_NUMBER})(?P<unit1>{_UNIT})?"
    rf"(?:(?P<spread>{_SPREAD})(?P<by>{_NUMBER})(?P<unit3>{_UNIT})?"
    rf"|(?P<dash>{_DASH})(?P<two>{_NUMBER})(?P<unit2>{_UNIT})?(?![\w-])"
    rf"|\s(?P<of>out of|of)\s(?:the\s)?(?P<all>\d+)(?![\w.,%\\-])"
    rf"|\sto\s(?P<to>{_NUMBER})(?P<unit4>{_UNIT})?(?![\w-])"
    r"|/(?P<over>\d+)(?![\w/.%\\-]))?"
)
# What stands before a number that is part of a name, a version, an index or a date.
_NAME_BEFORE = re.compile(r"(?:[A-Za-z][-_^@/.:]|\d[-_^@.:]|[\w.@^_]|[_^]\{|\d,|[A-Za-z]\$[_^-])$")
# What follows one that is.
_NAME_AFTER = re.compile(
    r"[A-Za-z_]|-(?!points?\b|fold\b|times\b|percent|bit\b|pp\b|p\.p)[A-Za-z]|\.\d|@|\$?\^\{?[\\A-Z]"
)
# Units that belong to the raw text, and marks before a number that do.
_WITH = re.compile(
    r"\s?\{?\\deg(?:ree)?\}?\s?C?|\s?°C?|\s(?:GPU[- ])?(?:hours?|seconds?|minutes?|days?|weeks?|km|mm|cm)\b"
    r"|\s?(?:ms|s|GB|MB|Mb|KB|TB|dB|kWh|m/s|Hz|px)(?![A-Za-z])|\s(?:pp|pts?)\b|\sp\.p\."
)
_POINT_UNIT = re.compile(r"-points?\b")
_PROBABILITY = re.compile(r"(?<![\w\\^-])[pP]\s?(?:=|<|>|≤|\\leq?)\s?$")  # "p < 0.01" is one value
_PERCENTAGE = re.compile(r"\spercentage")
_ABOUT = re.compile(r"(?:[~≈]|\\sim\s?)$")
_FROM = re.compile(r"\bfrom (?:about |around |roughly |~)?$")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_SHORT_UNIT = re.compile(r"(?:ms|s|h|GB|MB|KB|TB|dB|pp|pts?|p\.p\.|px|W|kWh|mm|cm|km|Hz|fps|FPS)\b")

_MATH_ROOM: Final = 400
_PROSE = re.compile(r"(?<![\\\w{])[a-z]{3,}\s")
_MATH = re.compile(r"\$[^$]{1,160}\$")
_O = (
    r"(?:\\(?:tilde|widetilde|hat|bar)\s*\{?\s*)?(?:\\(?:mathcal|mathrm|mathbf|text)\s*\{?\s*O\s*\}?"
    r"|\\Theta|\\Omega|\\Tilde\{O\}|(?<![A-Za-z\\])[OΘΩÕ])\s*\}*\s*(?:\\[bB]?i?g?(?:left)?[lL]?\s*)?\("
)
_HAS_BOUND = re.compile(_O)
_BARE_BOUND = re.compile(r"(?<![\w$\\])[ÕOΘΩ]~?\((?:[^()$]|\([^()]*\)){1,60}\)")

_COUNTS: Final = {
    "two": 2.0,
    "three": 3.0,
    "four": 4.0,
    "five": 5.0,
    "six": 6.0,
    "seven": 7.0,
    "eight": 8.0,
    "nine": 9.0,
    "ten": 10.0,
    "twenty": 20.0,
    "fifty": 50.0,
    "hundred": 100.0,
}
_INTERVAL = re.compile(
    r"\[\s?(?P<low>[+−-]?(?:\d+(?:\.\d+)?|\.\d+))(?:\\?%)?,\s?"
    r"(?P<high>[+−-]?(?:\d+(?:\.\d+)?|\.\d+))(?P<unit>\\?%)?\s?\]"
)
_SAID = re.compile(
    r"\b(?:(?P<orders>an?|one|two|three|four|five|six|several|\d+(?:\.\d+)?(?:-\d+)?)[\s-]"
    r"orders?[\s-]of[\s-]magnitude"
    rf"|(?P<times>{'|'.join(_COUNTS)})(?:[\s-]?fold|[\s-]times)"
    r"|(?P<twice>twice|half|double|doubles|doubling|triple|triples|one[\s-]third|two[\s-]thirds"
    r"|one[\s-]half|a third|a quarter|one[\s-]quarter|halves|halving))\b",
    re.IGNORECASE,
)
_SAID_WORTH: Final = {
    "twice": 2.0,
    "double": 2.0,
    "doubles": 2.0,
    "doubling": 2.0,
    "triple": 3.0,
    "triples": 3.0,
    "half": 0.5,
    "one half": 0.5,
    "halves": 0.5,
    "halving": 0.5,
    "one third": 1 / 3,
    "a third": 1 / 3,
    "two thirds": 2 / 3,
    "a quarter": 0.25,
    "one quarter": 0.25,
}
_WORTH: Final = {
    "k": 1e3,
    "thousand": 1e3,
    "m": 1e6,
    "million": 1e6,
    "g": 1e9,
    "b": 1e9,
    "billion": 1e9,
    "t": 1e12,
    "trillion": 1e12,
}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it stands in a text.

    Attributes:
        start: of the raw text.
        end: after the raw text.
        raw: the exact characters.
        value: the number; of a range the last, of a share the share; None for a bound.
        value_from: the first of a range.
        unit: %, x, O() or nothing that is part of the raw text itself.
        sign: +, - or nothing.
        shape: number, range, interval, spread, share, said or bound.
    """

    start: int
    end: int
    raw: str
    value: float | None
    value_from: float | None
    unit: str
    sign: str
    shape: str


def quantities(text: str, start: int, end: int) -> list[Quantity]:
    """Return every number in [start, end) of a text, in text order.

    >>> [q.raw for q in quantities("BERT-2 gains 3.5% to 81.2 F1 (2x).", 0, 34)]
    ['3.5%', '81.2', '2x']
    """
    found = _bounds(text, start, end)
    taken = [(q.start, q.end) for q in found]
    for match in _SAID.finditer(text, start, end):
        found.append(_said(match))
        taken.append(match.span())
    for match in _INTERVAL.finditer(text, start, end):
        found.append(_interval(match))
        taken.append(match.span())
    at = start
    while (one := _QUANTITY.search(text, at, end)) is not None:
        at = one.end("one")
        if any(a < at and one.start() < b for a, b in taken):
            continue
        quantity = _quantity(text, one, start)
        if quantity is not None:
            found.append(quantity)
            at = max(at, quantity.end)
    return sorted(found, key=lambda q: q.start)


def number(digits: str) -> float:
    """Return the value of digits with commas for thousands.

    >>> number("1,234.5")
    1234.5
    """
    if re.fullmatch(r"\d+,\d{1,2}", digits):
        return float(digits.replace(",", "."))
    return float(digits.replace(",", ""))


def _bounds(text: str, start: int, end: int) -> list[Quantity]:
    found = [
        Quantity(*match.span(), match.group(), None, None, BOUND, "", "bound")
        for match in _MATH.finditer(text, start, end)
        if _HAS_BOUND.search(match.group())
    ]
    for match in _BARE_BOUND.finditer(text, start, end):
        if not any(q.start <= match.start() < q.end for q in found):
            found.append(Quantity(*match.span(), match.group(), None, None, BOUND, "", "bound"))
    return found


def _interval(match: re.Match[str]) -> Quantity:
    """An interval of confidence: [0.41, 0.61]; references such as [3, 5] come out too."""
    low, high = (float(match[name].replace("−", "-")) for name in ("low", "high"))
    unit = PERCENT if match["unit"] else ""
    return Quantity(*match.span(), match.group(), high, low, unit, "", "interval")


def _said(match: re.Match[str]) -> Quantity:
    raw = match.group()
    if match["orders"]:
        word = match["orders"].lower()
        power = {"a": 1.0, "an": 1.0, "one": 1.0, "several": None}.get(word, _COUNTS.get(word))
        if power is None and word[0].isdigit():
            power = number(word.split("-")[0])
        value = None if power is None else 10.0**power
    elif match["times"]:
        value = _COUNTS[match["times"].lower()]
    else:
        value = _SAID_WORTH[re.sub(r"[\s-]+", " ", match["twice"].lower())]
    return Quantity(*match.span(), raw, value, None, TIMES, "", "said")


def _quantity(text: str, match: re.Match[str], low: int) -> Quantity | None:
    start, end = match.start("one"), match.end()
    sign = match["sign"] or ""
    before = text[max(0, start - 3) : start].rstrip("\\")
    if sign:
        before = text[max(0, match.start() - 2) : match.start()]
        if _sign_is_dash(before) or text[match.end("sign") : start].strip("\\"):
            sign, before = "", text[max(0, start - 2) : start]
        else:
            start = match.start()
    if _NAME_BEFORE.search(before):
        return None
    shape, second = _shape(text, match)
    unit = match["unit1"] or ""
    if shape == "number":
        end = match.end("unit1") if match["unit1"] else match.end("one")
    else:
        unit = match["unit2"] or match["unit3"] or match["unit4"] or unit
    after = text[end : end + 8]
    if not unit and _NAME_AFTER.match(after):
        ordinal = _ORDINAL.match(after)
        if ordinal:
            end += ordinal.end()
        elif not _WITH.match(text, end) and not _SHORT_UNIT.match(after):
            return None
    own = _POINT_UNIT.match(text, end) or (None if unit else _WITH.match(text, end))
    if own:
        end = own.end()
    if text[start - 1 : start] == "$" and _is_money(text, start, end):
        start -= 2 if text[start - 2 : start - 1] == "\\" else 1
    lead = text[max(low, start - 8) : start]
    about = _ABOUT.search(lead)
    if not (about or sign or unit) and number(match["one"]) <= 1:
        about = _PROBABILITY.search(lead)
    if about:
        start -= len(about.group())
    if _kind(unit) == TIMES and text[end : end + 1] == "$" and text[start - 1 : start] == "$":
        start, end = start - 1, end + 1
    one = number(match["one"])
    value, value_from = one, None
    if shape == "range":
        value, value_from = number(second), one
    elif shape == "share":
        whole = number(second)
        value = one / whole if whole else one
    scale = _WORTH.get(unit.strip().lower(), 1.0)
    kind = _kind(unit)
    if kind == "":
        value *= scale
        value_from = None if value_from is None else value_from * scale
    if not isfinite(value) or not isfinite(one):  # digits without end are no result
        return None
    negative = sign in {"-", "−", "–"}
    if negative and shape == "number":
        value = -value
    raw = text[start:end].rstrip()
    return Quantity(
        start,
        start + len(raw),
        raw,
        value,
        value_from,
        kind,
        "-" if negative else sign,
        shape,
    )


def _is_money(text: str, start: int, end: int) -> bool:
    """Whether a dollar sign before a number is money, and does not open a formula."""
    if text[start - 2 : start - 1] == "\\":
        return True
    opened = text.count("$", max(0, start - 1 - _MATH_ROOM), start - 1) % 2
    closes = text.find("$", end, end + _MATH_ROOM)
    return not opened and (closes < 0 or bool(_PROSE.search(text, end, closes)))


def _sign_is_dash(before: str) -> bool:
    """Whether a minus joins two words or numbers."""
    return bool(before) and (before[-1].isalnum() or before[-1] in ")%}$")


def _shape(text: str, match: re.Match[str]) -> tuple[str, str]:
    """What a number makes with the one behind it, and the digits of that one."""
    if match["by"]:
        return "spread", match["by"]
    if match["two"] and _is_range(match, match["two"], match["unit2"]):
        return "range", match["two"]
    if match["all"] or match["over"]:
        second = match["all"] or match["over"]
        whole = match["one"].isdigit() and not match["unit1"]
        return (
            ("share", second)
            if whole and number(match["one"]) <= number(second)
            else ("number", "")
        )
    percent = match["unit4"] or _PERCENTAGE.match(text, match.end())
    if match["to"] and not match["unit1"] and percent and _is_range(match, match["to"], "%"):
        before = text[max(0, match.start() - 16) : match.start("one")]
        return ("number", "") if _FROM.search(before) else ("range", match["to"])
    return "number", ""


def _is_range(match: re.Match[str], second: str, unit: str | None) -> bool:
    """Whether two numbers are a range: it rises, or has a unit, and is no date."""
    one, two = number(match["one"]), number(second)
    if 1900 <= one <= 2100 and 1900 <= two <= 2100 and not unit:
        return False
    return one <= two or bool(unit)


def _kind(unit: str) -> str:
    plain = unit.strip(" \\${}-").lower()
    if plain in {"%", "percent", "per cent"}:
        return PERCENT
    if plain in {"x", "×", "times", "fold"}:
        return TIMES
    return ""
