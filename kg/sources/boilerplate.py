"""What frames an abstract and is not part of it: an "Abstract:" head, a copyright notice."""

import re

_HEAD_WORDS = (
    "abstract summary résumé resume zusammenfassung resumen resumo riassunto аннотация 摘要 要旨"
    " 초록 abstrak özet"
).split()
_HEAD = re.compile(
    rf"\s*[*_#]*(?:(?:graphical |extended |structured )?(?:{'|'.join(_HEAD_WORDS)}))[*_]*"
    r"(?:\s*[:.—–-]+\s*[*_]*\s*|\s*\n\s*)",
    re.IGNORECASE,
)
# "Abstract This paper ...", where the heading's line was joined; abstract syntax is no heading.
_JOINED = re.compile(
    r"\s*(?:Abstract|ABSTRACT) (?=(?:This|These|We|Our|In|The|There|Here|It|To|For|On|As|At|With|An?"
    r"|Although|While|Despite|Since|Because|However|Many|Most|Recent|Recently|Over|From|By"
    r"|Background|Objectives?|Purpose|Aims?|Introduction|Motivation|Context|Methods?|BACKGROUND"
    r"|OBJECTIVES?|PURPOSE|AIMS?|INTRODUCTION|METHODS?)\b)"
)
# Most texts start otherwise, and need no look at their words.
_HEAD_STARTS = frozenset([*"*_# \t\n\r\v\f\xa0ge", *(word[0] for word in _HEAD_WORDS)])
# "AbstractWe propose", where the tag of a heading was lost.
_GLUED = re.compile(
    r"\s*(?:Abstract|ABSTRACT)(?=[A-Z][a-z]|A |BACKGROUND|PURPOSE|OBJECTIVE|INTRODUCTION)"
)
_OWNERS = frozenset(
    "elsevier springer wiley ieee acm sage taylor nature macmillan author authors author(s)"
    " american royal society association institute oxford cambridge university press mdpi"
    " frontiers bmj plos published lippincott wolters karger thieme inc ltd llc gmbh all rights"
    " international académie academy copyright crown college psychological optical physical"
    " public".split()
)
# A bare (c) may number the third of three points: it needs a year.
_TAIL = re.compile(
    r"(?:(?<=[.!?)\]\"”’%0-9])|(?<=\n)|^)\s*[\[(]?"
    r"(?:copyright\s*)?(?:©\s*(?:copyright\s*)?\w|\(c\)\s*(?:copyright\s*)?\d{4}|copyright\s+\d{4})",
    re.IGNORECASE,
)
_LEGAL = re.compile(
    r"©|\(c\)|copyright|rights|reserved|licen[cs]e|publish|press\b|elsevier|springer|wiley|ieee"
    r"|acm\b|author|distributed|open access|creative commons|cc[- ]by|on behalf|society|association"
    r"|psycinfo|database record|permission|reproduc|inc\.?$|ltd\.?$|b\.?v\.?$|gmbh|\d{4}|doi|journal"
    r"|article",
    re.IGNORECASE,
)


# What a service writes where it has no abstract.
_NOTHING = re.compile(
    r"[\[(]?(?:(?:there is )?no abstract(?: (?:is )?(?:available|provided|supplied|found))?"
    r"(?: for this (?:article|paper|item|record))?|(?:the )?abstract (?:is )?(?:not available|unavailable)"
    r"|this (?:article|paper) (?:has|contains) no abstract)\.?[\])]?\.?",
    re.IGNORECASE,
)
_LONGEST_NOTHING = 60


def without_frame(text: str) -> str:
    """Return the text without an "Abstract:" head and a copyright tail; nothing of "[No abstract available]"."""
    if len(text) <= _LONGEST_NOTHING and _NOTHING.fullmatch(text.strip()):
        return ""
    start, end = framed(text)
    return text[start:end]


def framed(text: str) -> tuple[int, int]:
    """Return where the abstract stands between an "Abstract:" head and a copyright tail.

    The span is never empty where the text is not: a text that is all frame stays whole.
    """
    start = 0
    if (
        text[:1].lower() in _HEAD_STARTS
        and (head := _HEAD.match(text) or _GLUED.match(text) or _JOINED.match(text))
        and head.end() < len(text)
    ):
        start = head.end()
    end = len(text)
    tail = _copyright_start(text)
    if tail is None and not start:
        return 0, end
    if tail is not None and tail > start:
        end = len(text[:tail].rstrip())
    return (start, end) if text[start:end].strip() else (0, len(text))


def _copyright_start(text: str) -> int | None:
    """Where the copyright notice starts that closes the text, if one does."""
    window = max(0, len(text) - 900)
    lowered = text[window:].lower()
    # A bracket alone is searched for in a tenth of the time.
    marked = "(" in lowered and "(c)" in lowered
    if not marked and "©" not in lowered and "copyright" not in lowered:
        return None
    for match in _TAIL.finditer(text, window):
        tail = text[match.start() :]
        sentences = [s for s in re.split(r"(?<=[.!?])\s+(?=[A-Z©(\[])", tail.strip()) if s.strip()]
        # A notice starts with a year or an owner, and nothing after it speaks of anything else.
        notice = sentences[0] if sentences else ""
        owner = any(word in _OWNERS for word in re.findall(r"[\w()]+", notice.lower()))
        legal = all(_LEGAL.search(sentence) and len(sentence) < 400 for sentence in sentences[1:])
        if (owner or re.search(r"\d{4}", notice)) and len(notice) < 300 and legal:
            return match.start() + len(tail) - len(tail.lstrip())
    return None
