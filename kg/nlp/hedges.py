"""Whether a statement is denied or qualified: polarity and certainty of claims.

"Does not outperform", "comparable to" and "may improve" say nothing of one thing beating another.
"""

import re
from typing import Final

POSITIVE: Final = "positive"
NEGATIVE: Final = "negative"
CERTAIN: Final = "certain"
HEDGED: Final = "hedged"

_VERB = (
    r"(?:outperform|surpass|exceed|beat|improv|help|benefit|increas|reduc|work|lead|transfer"
    r"|generali[sz]|scale|yield|bring|match|achiev|hold|explain|predict|correlat|suffice|affect"
    r"|guarantee|converge|emerge|solve|reach|capture|provid|translate|support|show|result|matter)"
    r"\w*"
)
# The statement itself is denied, not a part of it ("without loss of accuracy" is praise).
_DENIED = re.compile(
    r"\b(?:do|does|did|can|could|is|are|was|were|has|have|had|will|would)(?: ?not|n['’]t)\b"
    r"(?! only\b)(?! necessarily\b)"
    r"|\bcannot\b|\b(?:fail|fails|failed|failing) to\b|\bunable to\b|\bno longer\b"
    rf"|\bnever {_VERB}\b|\bneither\b[^.]*\bnor\b"
    r"|\bno (?:significant|measurable|statistically significant|clear|consistent|noticeable"
    r"|meaningful|substantial|additional|systematic|single|evidence|effect|benefit|improvement"
    r"|gain|gains|advantage|difference|correlation|method|model|algorithm)\b"
    r"|\blittle (?:to no|effect|benefit|gain|evidence|improvement|impact)\b"
    r"|\bonly (?:marginal|marginally|limited|slight|slightly)\b"
    r"|\b(?:underperform|lags? behind|fall short|falls short|fell short|degrade)\w*\b"
    r"|\b(?:worse|inferior|impossible|insufficient|ineffective)\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:may|might|could|possibly|perhaps|potentially|probably|likely|presumably|appears?|seems?"
    r"|seemingly|suggest\w*|indicat(?:e|es|ing|ed) that|hypothes\w*|conjectur\w*|speculat\w*"
    r"|we believe|we expect|promising|preliminary|in principle|tends? to|not necessarily"
    r"|to some (?:extent|degree)|under certain|we argue)\b",
    re.IGNORECASE,
)
# "as good as" is not "better than".
_EQUAL = re.compile(
    r"\b(?:comparable|similar|equivalent|competitive|on par|on a par|par with|match(?:es|ed|ing)?"
    r"|rivals?|rivall?ing|as (?:good|well|effective|accurate|strong|fast) as|close to"
    r"|approach(?:es|ing)?|not (?:significantly|much|consistently|necessarily) (?:better|worse)"
    r"|without (?:loss|sacrificing|compromising|degrading))\b",
    re.IGNORECASE,
)
_BEATS = re.compile(
    r"\b(?:outperform\w*|surpass\w*|exceed\w*|beat(?:s|ing|en)?|superior|better|best|improv\w+"
    r"|higher|lower|faster|state[- ]of[- ]the[- ]art|sota|gains?|outscor\w*|advantage\w*|wins?)\b",
    re.IGNORECASE,
)


def polarity(text: str) -> str:
    """Return positive or negative.

    >>> polarity("Depth does not help."), polarity("It not only helps, it is fast.")
    ('negative', 'positive')
    """
    return NEGATIVE if _DENIED.search(text) else POSITIVE


def certainty(text: str) -> str:
    """Return certain or hedged.

    >>> certainty("Depth may help."), certainty("Depth helps.")
    ('hedged', 'certain')
    """
    return HEDGED if _HEDGE.search(text) else CERTAIN


def denies_victory(text: str) -> bool:
    """Return whether a clause says that one thing is not better, only equal, or only perhaps so.

    >>> [denies_victory(t) for t in ("A does not outperform B", "A is comparable to B")]
    [True, True]
    >>> [denies_victory(t) for t in ("A may outperform B", "A outperforms B", "A beats B")]
    [True, False, False]
    """
    if _MODAL_VICTORY.search(text) or _DENIED_VICTORY.search(text):
        return True
    return bool(_EQUAL.search(text)) and not _BEATS.search(text)


_DENIED_VICTORY = re.compile(
    r"\b(?:not|n['’]t|never|cannot|fails? to|failed to|unable to|no longer|neither)\b"
    r"(?! only\b)(?:\s+\w+){0,2}\s+(?:" + _BEATS.pattern.removeprefix(r"\b(?:"),
    re.IGNORECASE,
)
_MODAL_VICTORY = re.compile(
    r"\b(?:may|might|could|possibly|perhaps|whether|hypothes\w+|expect\w*)\b"
    r"(?:\s+\w+){0,3}?\s+(?:" + _BEATS.pattern.removeprefix(r"\b(?:"),
    re.IGNORECASE,
)
