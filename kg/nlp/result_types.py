"""What a number in a claim is: a level or a change, of which unit, relative or not, up or down."""

import re
from dataclasses import replace
from typing import Final

from kg.model.extraction import Result
from kg.nlp.quantities import BOUND, PERCENT, POINTS, TIMES, Quantity

ABSOLUTE: Final = "absolute"
DELTA: Final = "delta"
UP: Final = "up"
DOWN: Final = "down"
NONE: Final = "none"

_ROOM: Final = 90

# A word that says how much something changed, and which way. Speed is up when time is saved.
_RISE: Final = (
    r"improv\w*|increas\w*|gain\w*|rais\w*|rise\w*|rose|rising|boost\w*|higher|better|faster"
    r"|speed\w*[- ]?up\w*|accelerat\w*|enhanc\w*|exceed\w*|outperform\w*|surpass\w*|beat\w*|grow\w*"
    r"|uplift\w*|advantage|lead|larger|more|superior\w*|margin|expand\w*|lift\w*|jump\w*|doubl\w*"
    r"|tripl\w*|climb\w*|above|longer|additional"
)
_FALL: Final = (
    r"reduc\w*|decreas\w*|drop\w*|lower\w*|declin\w*|degrad\w*|cut\w*|sav\w*|fewer|less|smaller"
    r"|shrink\w*|loss|los\w+|slower|worse\w*|compress\w*|decay\w*|fall\w*|fell|diminish\w*|halv\w*"
    r"|underperform\w*|shorten\w*|minimi[sz]\w*|below|cheaper|behind|lag\w*|shorter"
)
_CHANGE = re.compile(rf"\b(?:(?P<up>{_RISE})|(?P<down>{_FALL}))\b", re.IGNORECASE)
# "by 3.2", "a 3.2 gain", "of up to 3.2".
_BY = re.compile(
    r"\bby\s(?:(?:up to|as much as|as many as|at least|at most|more than|over|about|around|almost"
    r"|less than|nearly|roughly|approximately|an? (?:average|margin|factor|mean|total|absolute|relative)"
    r"(?: \w+)? of|only|just|~|a)\s?)*[~≈$\\({]*(?:textbf\{)?$",
    re.IGNORECASE,
)
_NOUN_OF = re.compile(
    rf"\b(?:(?P<up>{_RISE})|(?P<down>{_FALL}))\s(?:\w+\s){{0,4}}?of\s"
    r"(?:(?:up to|as much as|at least|more than|over|about|around|almost|nearly|roughly"
    r"|approximately|only|just|between)\s)*[~≈$\\({]*(?:textbf\{)?$",
    re.IGNORECASE,
)
# "gains 6.1%", "loses 4%": no "by" is needed.
_VERB_OF = re.compile(
    r"\b(?:(?P<up>gain(?:s|ed|ing)?|win(?:s|ning)?)|(?P<down>los(?:es?|ing|t)|sav(?:es?|ing|ed)"
    r"|cost(?:s|ing)?|sacrific(?:es?|ing|ed)))\s(?:(?:up to|about|around|only|just|over|nearly"
    r"|almost|another|as much as|at least|at most|less than|more than)\s)*[~≈$\\({]*(?:textbf\{)?$",
    re.IGNORECASE,
)
_AND_BEFORE = re.compile(
    r"^[\s\\$})%]*(?:points?|pp|percent\w*)?\s?(?:,|,? and|/|or|to|[-–(])?\s*[$\\({~+]*$"
)
_FROM_BEFORE = re.compile(
    r"\bfrom\s(?:about |around |roughly |only |just |over |nearly )?[~$\\(]*$", re.I
)
_TO_BETWEEN = re.compile(
    r"^[\s%\\$})]*(?:percent|points?|pp|\([^)]*\)|[\w\s-]{0,40}?)?\s?(?:\\to|\\rightarrow|→|->|to)\s"
    r"(?:about |around |roughly |only |just |over |nearly )?[~$\\(]*$"
)
_POINTS_AFTER = re.compile(
    r"^\}?\$?[\s-]?(?:absolute\s|percentage\s|accuracy\s|average\s|[A-Z][\w@.-]*\s){0,3}"
    r"(?:points?\b|pp\b|p\.p\.|pts?\b|percentage\b)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\b(?:relative|relatively)\b", re.IGNORECASE)
_NOT_RELATIVE = re.compile(r"\b(?:absolute|absolutely|points?|pp|p\.p\.)(?!\w)", re.IGNORECASE)
# A percentage of these is a share of what it was; of accuracy and the like it is points.
_AMOUNT = re.compile(
    r"\b(?:time|latency|cost\w*|memory|parameters?|flops|tokens?|size|storage|computation\w*|compute"
    r"|speed\w*|throughput|energy|error\w*|perplexity|complexity|overhead|usage|consumption|budget"
    r"|performance|shrink\w*|compress\w*|faster|slower|fewer|smaller|cheaper|length|samples?|data|queries|footprint|bandwidth|rmse|mse"
    r"|mae|wer|fid|variance|regret|loss|communication|inference|training|carbon|calls|steps)\b",
    re.IGNORECASE,
)
_UNIT_AFTER = re.compile(
    r"^\}?\$?[\s-]?(?P<unit>ms|milliseconds?|seconds?|s|minutes?|hours?|days?|GB|MB|KB|TB|dB|FPS|fps|Hz"
    r"|kWh|km|cm|mm|m/s|bits?|tokens?|parameters?|params|samples?|examples?|steps|iterations|epochs"
    r"|BLEU|ROUGE(?:-\w+)?|F1|mAP|mIoU|AUC|AUROC|PSNR|FID|FLOPs|GFLOPs|TFLOPs|GPU[- ]hours?|GPU[- ]days?"
    r"|languages|tasks|datasets|models)(?![\w])"
)
_OWN_UNIT = re.compile(
    r"(?P<unit>ms|s|GB|MB|Mb|KB|TB|dB|kWh|m/s|Hz|px|km|mm|cm|hours?|seconds?|minutes?|days?|weeks?"
    r"|GPU[- ]hours?|GPU[- ]days?|pp|p\.p\.|pts?|-points?|°C?|\{?\\deg(?:ree)?\}?\s?C?)$"
)
_SAME: Final = {
    "milliseconds": "ms",
    "millisecond": "ms",
    "second": "s",
    "seconds": "s",
    "hour": "h",
    "hours": "h",
    "minute": "min",
    "minutes": "min",
    "day": "days",
    "fps": "FPS",
    "params": "parameters",
    "parameter": "parameters",
    "token": "tokens",
    "sample": "samples",
    "example": "examples",
    "bit": "bits",
    "pp": POINTS,
    "p.p.": POINTS,
    "pt": POINTS,
    "pts": POINTS,
    "-point": POINTS,
    "-points": POINTS,
}
# These are the metric, not a unit; a number of them is in points when it is a change.
_SCORES: Final = frozenset({"BLEU", "F1", "mAP", "mIoU", "AUC", "AUROC", "FID"})


def typed(
    text: str, claim: tuple[int, int], quantity: Quantity, previous: Quantity | None
) -> Result:
    """Return a number with unit, change and direction, tied to nothing yet.

    Args:
        text: as read.
        claim: span of the claim.
        quantity: the number.
        previous: the result before it in the claim, if there is one.
    """
    before = text[max(claim[0], quantity.start - _ROOM) : quantity.start]
    after = text[quantity.end : min(claim[1], quantity.end + _ROOM)]
    unit = _unit(quantity, after)
    pair = _from_to(text, claim, quantity, previous)
    change, direction = _change(before, after, quantity, unit, pair is not None)
    value, value_from = quantity.value, quantity.value_from
    if quantity.shape == "spread":
        value_from = None
    if pair is not None and value is not None:
        value_from = pair
        direction = UP if value > pair else DOWN if value < pair else NONE
    relative = change == DELTA and _is_relative(before, after, unit)
    if unit == PERCENT and change == DELTA and not relative and _POINTS_AFTER.match(after):
        unit = POINTS
    return Result(
        raw=quantity.raw,
        start=quantity.start,
        end=quantity.end,
        value=value,
        unit=unit,
        value_from=value_from,
        change=change,
        relative=relative,
        direction=direction,
    )


def alike(text: str, first: Result, second: Result) -> tuple[Result, Result]:
    """Let two numbers that "and" joins be of one kind: "by 2.5 and 3.7", "2.8 and 4.8 points more".

    Args:
        text: as read.
        first: a result.
        second: the one behind it.
    """
    if not _AND_BEFORE.match(text[first.end : second.start]) or second.value_from is not None:
        return first, second
    if first.change == DELTA and second.change == ABSOLUTE and second.unit in {first.unit, ""}:
        return first, _as(second, first)
    if first.change == ABSOLUTE and second.change == DELTA and first.unit in {second.unit, ""}:
        return (first if first.value_from is not None else _as(first, second)), second
    if first.change == second.change and not first.unit and second.unit == POINTS:
        return replace(first, unit=second.unit), second
    return first, second


def _as(result: Result, model: Result) -> Result:
    return replace(
        result,
        unit=result.unit or model.unit,
        change=model.change,
        relative=model.relative,
        direction=model.direction,
    )


def _unit(quantity: Quantity, after: str) -> str:
    if quantity.unit in {TIMES, BOUND}:
        return quantity.unit
    own = _OWN_UNIT.search(quantity.raw)
    if own:
        return _SAME.get(own["unit"], own["unit"].replace("{\\deg}", "°").replace(" ", ""))
    if _POINTS_AFTER.match(after):
        return POINTS
    if quantity.unit:
        return quantity.unit
    if "$" in quantity.raw[:2] and not quantity.raw.endswith("$"):
        return "$"
    match = _UNIT_AFTER.match(after)
    if match is None or quantity.shape == "share":
        return ""
    unit = _SAME.get(match["unit"], match["unit"])
    return "" if unit in _SCORES or unit.startswith("ROUGE") else unit


def _from_to(
    text: str, claim: tuple[int, int], quantity: Quantity, previous: Quantity | None
) -> float | None:
    """The first number of "from 35.5 to 74.0", when this is the second."""
    if previous is None or previous.value is None or quantity.value is None:
        return None
    between = text[previous.end : quantity.start]
    lead = text[max(claim[0], previous.start - 24) : previous.start]
    arrow = re.search(r"\\to|\\rightarrow|→|->", between)
    if len(between) > 60 or not _TO_BETWEEN.match(between):
        return None
    if not arrow and not _FROM_BEFORE.search(lead):
        return None
    return previous.value


def _change(
    before: str, after: str, quantity: Quantity, unit: str, paired: bool
) -> tuple[str, str]:
    """Whether the number says how much something changed, and which way."""
    if unit == BOUND:
        return ABSOLUTE, NONE
    if paired:
        return ABSOLUTE, NONE
    near = _clause_end(before)
    following = _clause_start(after)
    if quantity.sign in {"+", "-"} and quantity.shape == "number":
        return DELTA, UP if quantity.sign == "+" else DOWN
    if quantity.shape == "said":
        own = re.match(r"(?P<up>doub|trip)|(?P<down>hal|one|a |two-third)", quantity.raw, re.I)
        if own and "order" not in quantity.raw and "times" not in quantity.raw:
            return DELTA, UP if own["up"] else DOWN
    noun = _NOUN_OF.search(near) or _VERB_OF.search(near)
    if noun:
        return DELTA, UP if noun["up"] else DOWN
    if _BY.search(near):
        words = list(_CHANGE.finditer(near)) or list(_CHANGE.finditer(following))
        return DELTA, _way(words[-1] if words else None, UP)
    behind = re.match(
        rf"^\}}?\$?[\s)-]*(?:(?!than|over|on|in|of|to|and|at|for|with|from)[\w%.-]+\s){{0,5}}?"
        rf"(?:(?P<up>{_RISE})|(?P<down>{_FALL}))\b",
        following,
        re.IGNORECASE,
    )
    if behind and not (behind["up"] or "").lower().startswith(("outperform", "surpass", "exceed")):
        return DELTA, _way(behind, UP)
    if unit == TIMES:
        words = list(_CHANGE.finditer(near))
        return DELTA, _way(words[-1] if words else None, UP)
    if unit == POINTS:
        words = list(_CHANGE.finditer(near)) or list(_CHANGE.finditer(following))
        if words:
            return DELTA, _way(words[-1], UP)
    return ABSOLUTE, NONE


def _way(word: re.Match[str] | None, otherwise: str) -> str:
    if word is None:
        return otherwise
    return UP if word["up"] else DOWN


def _clause_end(before: str) -> str:
    """What stands before, back to the last end of a clause."""
    parts = re.split(r"[;:]|,\s(?=(?:while|whereas|but|and)\s)|\bwhile\b|\bwhereas\b", before)
    return parts[-1]


def _clause_start(after: str) -> str:
    return re.split(r"[;:]|,\s|\bwhile\b|\bwhereas\b|\.\s|\d", after)[0]


def _is_relative(before: str, after: str, unit: str) -> bool:
    """Whether a change is told as a share of what it was."""
    if unit == TIMES:
        return True
    if unit != PERCENT:
        return False
    near = _clause_end(before)[-60:] + " # " + _clause_start(after)[:60]
    if _RELATIVE.search(near):
        return True
    if _NOT_RELATIVE.search(near):
        return False
    return bool(_AMOUNT.search(near))
