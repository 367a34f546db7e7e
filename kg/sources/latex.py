"""LaTeX as a human reads it: accents, macros and escapes of BibTeX fields and arXiv names."""

import re
import threading
import unicodedata
from functools import lru_cache
from typing import Any

_TEX = re.compile(r"[\\{}$~%]|``|''|--")
_COMBINING = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306",
    ".": "\u0307", '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323",
    "c": "\u0327", "k": "\u0328", "b": "\u0331",
}  # fmt: skip
_ACCENT = re.compile(
    r"""\\(?:([`'^~=."])\s*|([uHvrdckb])(?:\s+|(?=\{)|(?=\\)))"""
    r"(?:\{\s*(\\?[A-Za-z])\s*\}|(\\[ij](?!math)|[A-Za-z]))"
)
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ",
    "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ",
    "DJ": "Đ", "textendash": "–", "textemdash": "—", "textquoteright": "’", "textquoteleft": "‘",
    "textquotedblleft": "“", "textquotedblright": "”", "ldots": "…", "dots": "…", "copyright": "©",
    "textregistered": "®", "texttrademark": "™", "textdegree": "°", "textmu": "µ", "slash": "/",
    "textbackslash": "\\\\", "textasciitilde": "~", "textasciicircum": "^", "textunderscore": "_",
}  # fmt: skip
_LETTER = re.compile(
    rf"\\({'|'.join(sorted(_LETTERS, key=len, reverse=True))})(?![A-Za-z])(?:\{{\}}|\s(?=\S))?"
)
# Macros that change the face of what stands in the braces behind them.
_FACE = re.compile(r"\\(?:emph|text(?:bf|it|tt|sc|rm|sf|sl|up|md|normal)|mbox)\s*(?=\{)")
# Macros of which only the last argument is shown, or the first is not.
_UNSEEN = re.compile(
    r"\\href\s*\{[^{}]*\}\s*(?=\{)|\\(?:url|nolinkurl|path)\s*(?=\{)|\\noopsort\s*\{[^{}]*\}|\\-"
)
_LOGO = re.compile(r"\\((?:La|Bib|Xe)?TeX)(?![A-Za-z])(?:\{\}|\\(?=\s))?")
_ABOUT = re.compile(r"(?<![^\s(])~(?=\s?[\d.])")  # ~10% is "about", where TeX would have a blank
_FORMULA = re.compile(r"\\.|(\$\$?)((?:[^$\\]|\\.)+)\1(?!\d)|\$", re.DOTALL)
_SIGNS_OF_A_FORMULA = frozenset("\\^_=<>+")
_BRACED_ACCENT = re.compile(rf"\{{({_ACCENT.pattern})\}}")
_BRACED_LETTER = re.compile(rf"\{{({_LETTER.pattern})\}}")
_BARE_BRACE = re.compile(r"(?<!\\)[{}]")
_BARE_TILDE = re.compile(r"(?<!\\)~")
_ESCAPED = re.compile(r"\\([&%$#_{}])")
_PLAIN = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"))
_FACED = re.compile(
    r"\\(?:emph|text(?:bf|it|tt|sc|rm|sf|sl|up|md|normal)|mbox)\s*\{([^{}]*)\}"
    r"|\{\\(?:bf|em|it|rm|sc|sf|sl|tt)(?![A-Za-z])\s*([^{}]*)\}"
)
_LINKED = re.compile(r"\\(?:url|nolinkurl|path|href\s*\{[^{}]*\})\s*\{([^{}]*)\}")
_TIE = re.compile(r"(?<=[\w.,)])~(?=[\w(\[])")  # and none in an address: /~walker
_DASHES_AND_QUOTES = tuple(
    (re.compile(tex), sign)
    for tex, sign in (
        (r"(?<!-)---(?![->])", "—"),
        (r"(?<!-)--(?![->])", "–"),
        ("``", "“"),
        ("''", "”"),
    )
)
_SYMBOLS = {
    "times": "×", "cdot": "·", "pm": "±", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠",
    "approx": "≈", "sim": "~", "infty": "∞", "to": "→", "rightarrow": "→", "in": "∈", "ell": "ℓ",
    "ldots": "…", "dots": "…", "circ": "°", "ll": "≪", "gg": "≫", "propto": "∝", "partial": "∂",
    "varepsilon": "ε", "varphi": "φ",
} | {
    spelt: unicodedata.lookup(f"GREEK {size} LETTER {name}")
    for name in ("alpha beta gamma delta epsilon zeta eta theta iota kappa lamda mu nu xi pi rho"
                 " sigma tau upsilon phi chi psi omega").upper().split()
    for size, spelt in (("SMALL", name.lower()), ("CAPITAL", name.title()))
} | {"lambda": "λ", "Lambda": "Λ"}  # fmt: skip
_SYMBOL = re.compile(r"\\([A-Za-z]+)\s*")
_BRACE = re.compile(r"[{}]")
_ORDERS = ("LARGE", "HUGE", "Make")
_BUILDING = threading.Lock()


def decoded(text: str) -> str:
    r"""Return a short text (a title, a name) without LaTeX; formulas read as their signs.

    >>> decoded(r'G{\"o}del on $\alpha$-{R}ays \& \textbf{walks}')
    'Gödel on α-Rays & walks'
    """
    if not _TEX.search(text):
        return text
    text = _prepared(text)
    return _simple(text) or _whole(_bare_percent(text), math="text")


def readable_tex(text: str) -> str:
    r"""Return an abstract without LaTeX; formulas that are more than signs stay as written."""
    if not _TEX.search(text):
        return text
    text = _prepared(text)
    math = "with-delimiters" if _structured(text) else "text"
    return _simple(text) or _whole(_bare_percent(text), math=math)


def words_of_tex(text: str) -> str:
    r"""Return a text with formulas, as arXiv has them: words and symbols read, other formulas stay.

    >>> words_of_tex(r"Djokovi\'{c}'s $\alpha$-rays, 50\% of $\frac{1}{n}$")
    "Djoković's α-rays, 50% of $\\frac{1}{n}$"
    """
    if not _TEX.search(text):
        return text
    pieces, start = [], 0
    for found in _FORMULA.finditer(text := _prepared(_LINKED.sub(r"\1", text))):
        if found.group(2) is not None:
            pieces += [_words(text[start : found.start()]), _signs(found)]
            start = found.end()
    return "".join([*pieces, _words(text[start:])])


def _words(text: str) -> str:
    """Words between formulas; braces that no macro stands before are the author's: {5, 10}."""
    if "\\" in text:
        text = _ESCAPED.sub(r"\1", _FACED.sub(_bare, accents(text)))
    text = _TIE.sub(" ", text)
    for tex, sign in _DASHES_AND_QUOTES:
        text = tex.sub(sign, text)
    return text


def _bare(match: re.Match[str]) -> str:
    return match.group(1) or match.group(2) or ""


def _signs(formula: re.Match[str]) -> str:
    """A formula of letters, figures and signs without its dollars; any other as it is written."""
    inside = _SYMBOL.sub(lambda m: _SYMBOLS.get(m.group(1), m.group()), formula.group(2))
    return formula.group() if re.search(r"[\\{}]", inside) else inside.strip()


def without_braces(text: str) -> str:
    """Return the text without the braces that protect capitals; formulas keep theirs."""
    parts = re.split(r"(\$[^$]*\$)", text)
    parts[::2] = [re.sub(r"(?<!\\)[{}]", "", part) for part in parts[::2]]
    return "".join(parts)


def paired(text: str) -> str:
    r"""Return a name without braces that lack a partner, left of a macro that broke: {\{O}} for {\O}."""
    opened: list[int] = []
    lone: set[int] = set()
    for found in _BRACE.finditer(text):
        if found.group() == "{":
            opened.append(found.start())
        elif opened:
            opened.pop()
        else:
            lone.add(found.start())
    lone.update(opened)
    return "".join(sign for place, sign in enumerate(text) if place not in lone)


def unescaped(text: str) -> str:
    r"""Return an address or identifier as it is: \_ and {\_} read _, braces go."""
    if "\\" not in text and "{" not in text:
        return text
    return re.sub(r"[{}]", "", _ESCAPED.sub(r"\1", text)).replace("\\textasciitilde", "~")


def accents(text: str) -> str:
    r"""Return the text with accents and letters resolved: {\"o} reads ö; other LaTeX stays."""
    if "\\" not in text:
        return text
    text = _BRACED_ACCENT.sub(lambda match: _ACCENT.sub(_accented, match.group(1)), text)
    text = _ACCENT.sub(_accented, text)
    text = _BRACED_LETTER.sub(lambda match: _LETTER.sub(_letter, match.group(1)), text)
    return _LETTER.sub(_letter, text)


def _letter(match: re.Match[str]) -> str:
    return _LETTERS[match.group(1)]


def _prepared(text: str) -> str:
    """Take out what no reader sees, and escape the dollars that open no formula: $5 and $6."""
    if "\\" in text:
        text = _LOGO.sub(r"\1", _UNSEEN.sub("", text))
    if "~" in text:
        text = _ABOUT.sub(r"\\textasciitilde{}", text)
    return _FORMULA.sub(_dollar, text) if "$" in text else text


def _dollar(match: re.Match[str]) -> str:
    found, inside = match.group(), match.group(2)
    if not found.startswith("$"):
        return found
    if inside is None:
        return r"\$"
    if inside[0].isspace() or inside[-1].isspace():
        return found if not _SIGNS_OF_A_FORMULA.isdisjoint(inside) else found.replace("$", r"\$")
    return found


def _simple(text: str) -> str:
    """Accents, letters and escapes, which nearly all fields stop at; empty where more is left."""
    if "\\" in text or "$" in text:
        text = _ACCENT.sub(_accented, text)
        text = _FACE.sub("", _LETTER.sub(_letter, text))
        bare = _ESCAPED.sub("", text)
        if "\\" in bare or "$" in bare:
            return ""
    text = _BARE_TILDE.sub(" ", _BARE_BRACE.sub("", text))
    text = _ESCAPED.sub(r"\1", text)
    for tex, sign in _PLAIN:
        text = text.replace(tex, sign)
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _accented(match: re.Match[str]) -> str:
    letter = (match.group(3) or match.group(4)).lstrip("\\")
    mark = _COMBINING[match.group(1) or match.group(2)]
    return unicodedata.normalize("NFC", letter + mark)


def _whole(text: str, *, math: str) -> str:
    try:
        with _BUILDING:
            result: str = _converter(math).latex_to_text(text)
    except Exception:  # pylatexenc raises many kinds on what is no LaTeX; the text stays as it is
        return without_braces(text)
    return result


def _bare_percent(text: str) -> str:
    r"""Keep what follows a percent sign: exports write 50% for 50\%, and TeX comments are rare."""
    return re.sub(r"(?<!\\)%", r"\\%", text)


def _structured(text: str) -> bool:
    """Whether formulas hold structure (fractions, sums) that running text cannot show."""
    return bool(re.search(r"\$[^$]*\\(?:frac|sum|int|sqrt|begin|left|over|mathcal)[^$]*\$", text))


@lru_cache(maxsize=4)
def _converter(math: str) -> Any:
    from pylatexenc.latex2text import (
        LatexNodes2Text,
        MacroTextSpec,
        get_default_latex_context_db,
    )

    known = get_default_latex_context_db()
    known.set_unknown_macro_spec(MacroTextSpec("", simplify_repl=_unknown_macro))
    return LatexNodes2Text(
        latex_context=known, math_mode=math, keep_comments=True, strict_latex_spaces=False
    )


def _unknown_macro(node: Any) -> str:
    r"""A name is what \TUG and \CTAN read as; \foo and \Large are instructions."""
    name = str(node.macroname)
    shown = sum(map(str.isupper, name)) > 1 or not name.isascii()
    return name + node.macro_post_space if shown and not name.startswith(_ORDERS) else ""
