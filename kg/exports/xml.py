"""Text in XML: what it may hold, and how it is written."""

import math
import re

# XML 1.0 has no place for these, not even escaped.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
_IN_TEXT = re.compile("[&<>\r]")
# A parser turns line ends and tabs in an attribute into spaces, unless they are escaped.
_ATTRIBUTE_ESCAPES = {**_ESCAPES, '"': "&quot;", "\n": "&#10;", "\t": "&#9;"}
_IN_ATTRIBUTE = re.compile('[&<>\r"\n\t]')


def text(value: str) -> str:
    """Return the value as the text of an element; what XML cannot hold becomes U+FFFD."""
    return _IN_TEXT.sub(lambda m: _ESCAPES[m[0]], _FORBIDDEN.sub("\ufffd", value))


def attribute(value: str) -> str:
    """Return the value as an attribute, quotes included."""
    held = _FORBIDDEN.sub("\ufffd", value)
    return f'"{_IN_ATTRIBUTE.sub(lambda m: _ATTRIBUTE_ESCAPES[m[0]], held)}"'


def number(value: float) -> str:
    """Return a number as XML Schema writes it, exact to the last bit."""
    if isinstance(value, int) or math.isfinite(value):
        return repr(value)
    return "NaN" if math.isnan(value) else ("INF" if value > 0 else "-INF")
