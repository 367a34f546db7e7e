"""Spans of the sentences of an abstract.

A full stop ends a sentence when what follows looks like a beginning and what stands before is no
abbreviation, initial or list number. Sentences glued together ("results.We") are parted, web
addresses and decimals are not. One pass, linear in the length of the text.
"""

import re

Span = tuple[int, int]

# What may end a sentence, with closing quotes and brackets, then white space.
_END = re.compile(r"(?<![.!?])[.!?]+(?:[\"'’”)\]}]|\\?\})*\s+|[。！？]\s*|\n[ \t]*\n\s*")

# What a sentence may begin with: a capital or digit behind opening signs, a formula, a LaTeX
# command, or a name such as mBERT and k-NN whose first letter is small.
_BEGIN = re.compile(
    r"[\"'“‘(\[{*_`]*(?:[A-Z0-9À-ÖØ-Þ\u4e00-\u9fff]|\\[A-Za-z]|\$|[a-z]{1,3}-?[A-Z]"
    r"|[ivx]{1,4}\)|[a-e]\)|[-•*] )"
)

# Abbreviations that never end a sentence, since a name or number follows them.
_NEVER = re.compile(
    r"(?:\b(?:e\. ?g|i\. ?e|et al|vs|cf|Figs?|Eqs?|Eqn|Secs?|Tab|Refs?|resp|w\.r\.t|approx|ca|viz"
    r"|a\.k\.a|aka|Dr|Mr|Mrs|Ms|Prof|St|Mt)|(?<!\w)(?:[A-Z]\.)+[A-Z])\.$"
)
# Those that may end one: they do when a word follows that seldom follows them otherwise.
_SOMETIMES = re.compile(r"(?:\b(?:etc|No|Inc|Ltd|Corp|Jr|Sr|al)|(?<![\w.])[A-Z])\.$")
_OPENER = re.compile(
    r"(?:We|Our|The|This|These|In|To|It|However|Moreover|Furthermore|Additionally|Finally|Here|For"
    r"|As|On|By|With|While|Although|Despite|Thus|Hence|Therefore|Experiments|Extensive|Results)\b"
)
_LIST_NUMBER = re.compile(r"(?:^|[.:;!?]\s+)(?:\d{1,2}|[a-z]|[ivx]{1,4})\.$")

# A full stop without a space: a small-letter word before, a capitalised or one-letter word after.
_GLUED = re.compile(r"(?<=[A-Za-z0-9)\]%])[.!?](?=[A-Z][a-z]*[ ,])")
_WORD_BEFORE = re.compile(r"(?:(?<=\s)|^)[\"'“(\[]*(?:[a-z]+(?:[-–'’][a-z]+)*|\S*[)\]%])$")
_ADDRESS = re.compile(r"(?:[A-Za-z][/@._=:]\S|www)\S*$|(?:^|\s)[A-Z]$")
_WORD_ROOM = 40

_LOOK_BACK = 16


def sentence_spans(text: str) -> tuple[Span, ...]:
    """Return half-open spans in text order; they hold every visible character between them.

    >>> sentence_spans("We use BERT (Devlin et al. 2019).It gains 3.5 points. It is fast.")
    ((0, 33), (33, 53), (54, 65))
    """
    spans = []
    start = 0
    for end, following in _boundaries(text):
        if text[start:end].strip():
            if _LIST_NUMBER.fullmatch(text[start:end].strip()):
                continue  # "1. We show": the number belongs to what follows
            spans.append(_trimmed(text, start, end))
            start = following
    if text[start:].strip():
        spans.append(_trimmed(text, start, len(text)))
    return tuple(spans)


def _boundaries(text: str) -> list[Span]:
    """Places where one sentence ends and the next begins."""
    found = [
        (match.start() + len(match.group().rstrip()), match.end())
        for match in _END.finditer(text)
        if _ends(text, match)
    ]
    found += [(match.end(), match.end()) for match in _GLUED.finditer(text) if _parts(text, match)]
    return sorted(found)


def _parts(text: str, glue: re.Match[str]) -> bool:
    """Whether the full stop between two words that touch parts two sentences."""
    before = text[max(0, glue.start() - _WORD_ROOM) : glue.start()]
    if _NEVER.search(text[max(0, glue.end() - _LOOK_BACK) : glue.end()]):
        return False
    if _OPENER.match(text, glue.end()):
        return not _ADDRESS.search(before)
    return bool(_WORD_BEFORE.search(before))


def _ends(text: str, match: re.Match[str]) -> bool:
    sign = match.group()[0]
    if sign in "\n。！？":
        return True
    if not _BEGIN.match(text, match.end()):
        return False
    if sign in "!?":
        return True
    # Only up to the full stop: a bracket behind it ("et al.)") ends the sentence after all.
    head = text[max(0, match.start() - _LOOK_BACK) : match.start() + 1]
    if text[match.start() + 1] in ")]}\"'’”":
        return True
    if _NEVER.search(head) or _LIST_NUMBER.search(head):
        return False
    return not _SOMETIMES.search(head) or bool(_OPENER.match(text, match.end()))


def _trimmed(text: str, start: int, end: int) -> Span:
    """The span without white space at its ends."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
