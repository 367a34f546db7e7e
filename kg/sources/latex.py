"""LaTeX as a human reads it: accents, macros and escapes of BibTeX fields and arXiv names."""

import re
import threading
from functools import lru_cache
from typing import Any

_TEX = re.compile(r"[\\{}$~%]|``|''|--")
_BUILDING = threading.Lock()


def decoded(text: str) -> str:
    r"""Return a short text (a title, a name) without LaTeX; formulas read as their signs.

    >>> decoded(r'G{\"o}del on $\alpha$-{R}ays \& \textbf{walks}')
    'Gödel on α-Rays & walks'
    """
    if not _TEX.search(text):
        return text
    return _decoded(_bare_percent(text), math="text")


def readable_tex(text: str) -> str:
    r"""Return an abstract without LaTeX; formulas that are more than signs stay as written."""
    if not _TEX.search(text):
        return text
    return _decoded(_bare_percent(text), math="with-delimiters" if _rich(text) else "text")


def without_braces(text: str) -> str:
    """Return the text without the braces that protect capitals; formulas keep theirs."""
    parts = re.split(r"(\$[^$]*\$)", text)
    parts[::2] = [re.sub(r"(?<!\\)[{}]", "", part) for part in parts[::2]]
    return "".join(parts)


def _decoded(text: str, *, math: str) -> str:
    try:
        with _BUILDING:
            result: str = _converter(math).latex_to_text(text)
    except Exception:  # pylatexenc raises many kinds on what is no LaTeX; the text stays as it is
        return without_braces(text)
    return result


def _bare_percent(text: str) -> str:
    r"""Keep what follows a percent sign: exports write 50% for 50\%, and TeX comments are rare."""
    return re.sub(r"(?<!\\)%", r"\\%", text)


def _rich(text: str) -> bool:
    """Whether formulas hold structure (fractions, sums) that running text cannot show."""
    return bool(re.search(r"\$[^$]*\\(?:frac|sum|int|sqrt|begin|left|over|mathcal)[^$]*\$", text))


@lru_cache(maxsize=4)
def _converter(math: str) -> Any:
    from pylatexenc.latex2text import LatexNodes2Text

    return LatexNodes2Text(math_mode=math, keep_comments=True, strict_latex_spaces=False)
