r"""Surface forms to plain characters: LaTeX remains, Greek, odd Unicode; case stays.

Abstracts hold $\beta$-VAE, β-VAE and 𝛽-VAE, \textsc{BERT} and F$_1$, for what readers call
beta-VAE, BERT and F1.
"""

import re
import unicodedata

_GREEK = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "ε": "epsilon",
    "ζ": "zeta",
    "η": "eta",
    "θ": "theta",
    "ι": "iota",
    "κ": "kappa",
    "λ": "lambda",
    "μ": "mu",
    "ν": "nu",
    "ξ": "xi",
    "ο": "omicron",
    "π": "pi",
    "ρ": "rho",
    "σ": "sigma",
    "ς": "sigma",
    "τ": "tau",
    "υ": "upsilon",
    "φ": "phi",
    "χ": "chi",
    "ψ": "psi",
    "ω": "omega",
    "ϵ": "epsilon",
    "ϑ": "theta",
    "ϕ": "phi",
    "ϱ": "rho",
    "ϖ": "pi",
}
_SIGNS = {
    "∞": "infinity",
    "ℓ": "l",
    "∇": "nabla",
    "×": "x",
    "∗": "*",
    "⋆": "*",
    "★": "*",
    "＋": "+",
    "‐": "-",
    "‑": "-",
    "‒": "-",
    "–": "-",
    "—": "-",
    "―": "-",
    "−": "-",
    "⁃": "-",
    "’": "'",
    "‘": "'",
    "ʼ": "'",
    "´": "'",
    "`": "'",
    "\u00ad": "",  # soft hyphen
    "\u200b": "",  # zero-width space, joiners, word joiner, byte order mark
    "\u200c": "",
    "\u200d": "",
    "\u2060": "",
    "\ufeff": "",
}
_TRANSLATE = str.maketrans(
    {**_GREEK, **{k.upper(): v for k, v in _GREEK.items() if k != "ς"}, **_SIGNS}
)
_MACROS = {
    "varepsilon": "epsilon",
    "vartheta": "theta",
    "varphi": "phi",
    "varrho": "rho",
    "varsigma": "sigma",
    "varpi": "pi",
    "ell": "l",
    "infty": "infinity",
    "times": "x",
    "star": "*",
    "ast": "*",
    "plus": "+",
    "ss": "ss",
    "o": "o",
    "O": "O",
    "l": "l",
    "L": "L",
    "ae": "ae",
    "AE": "AE",
    "oe": "oe",
    "aa": "a",
    "AA": "A",
    "i": "i",
    "j": "j",
    "TeX": "TeX",
    "LaTeX": "LaTeX",
}
# Commands that only dress what follows, or stand for space.
_DRESS = re.compile(
    r"(?:text|math)(?:[a-z]{2,4}|normal|frak|cal|superscript|subscript)|(?:text|math)?(?:sc|bf|it|tt|rm|sf|sl|em|up|md)"
    r"|[a-z]{2}shape|bfseries|emph|text|mbox|hbox|operatorname\*?|bm|boldsymbol|underline|ensuremath"
    r"|xspace|quad|qquad|left|right|big|Big|bigl|bigr|large|small|tiny|normalsize|hat|bar|tilde"
    r"|vec|overline|widehat|widetilde|dot|ddot|displaystyle|mathstrut|rightarrow|to|cdot"
)
# An accent by a letter has a letter in braces: a longer word there is a torn one, \r{ho}.
_ACCENT = re.compile(r"\\(?:[\"'`^~=.]\s*\{?\\?|[cvHukr]\{\\?(?=[A-Za-z]\}))([A-Za-z])\}?")
_COMMAND = re.compile(r"\\([A-Za-z]+\*?)\s*|\\(.)", re.DOTALL)
_SCRIPT = re.compile(r"(?<=[A-Za-z0-9+)}$])\s*\$?[_^]\s*(?=[{$A-Za-z0-9*+\\])")
_MARKS = ("\\", "$", "{", "}", "^", "~")
# pass^k is another metric than pass@k; of C^2 and tau^2 the sign is only how the 2 is set.
_POWER = re.compile(r"(?<![A-Za-z\\])[a-z]{3,}$")
GREEK = frozenset(_GREEK.values())


def _command(match: re.Match[str]) -> str:
    name, sign = match.groups()
    if sign is not None:
        return sign if sign in "%&_#$+*" else " " if sign in " ,;:/\\" else ""
    if name in _MACROS:
        return _MACROS[name]
    return "" if _DRESS.fullmatch(name) else name


def _script(match: re.Match[str]) -> str:
    word = _POWER.search(match.string, 0, match.start()) if "^" in match[0] else None
    return "^" if word and word[0] not in GREEK else ""


def plain(surface: str) -> str:
    r"""Return the surface form in plain characters, its case kept.

    >>> [plain(s) for s in (r"$\beta$-VAE", "ε‑greedy", r"\textsc{Bert}", "F$_1$", "χ²")]
    ['beta-VAE', 'epsilon-greedy', 'Bert', 'F1', 'chi2']
    """
    text = surface if surface.isascii() else surface.replace("ˆ", "^")
    if any(mark in text for mark in _MARKS):
        text = _ACCENT.sub(r"\1", text)
        text = _SCRIPT.sub(_script, text)
        text = _COMMAND.sub(_command, text)
        text = text.replace("~", " ")
        text = re.sub(r"[${}]", "", text)
        text = re.sub(r"(?<![a-z])\^|\^(?!\w)", "", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_TRANSLATE)).translate(_TRANSLATE)
    return " ".join(text.split())
