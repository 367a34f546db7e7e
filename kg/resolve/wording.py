"""Other words for the same: robotic and robot navigation, detection of X and detecting X.

Each says more than one name alone could be folded by, so they count only where a corpus has both.
Words in and out are those of keys: lower case, singular, American.
"""

import re
from collections.abc import Iterator, Sequence

# Words that say one thing before a noun.
_GROUPS = """
algorithm algorithmic
automatic automated
centered centric
code coding
compute computation computational computing
contextual contextualized
continued continue
emotion emotional
evolution evolutionary
face facial
finance financial
forecast forecasting
gate gated gating
geometric geometrical geometry
grammar grammatical
hate hateful
hierarchical hierarchic
image imaging
jailbreak jailbreaking
lingual language
logic logical
math mathematics mathematical
modal modality
molecule molecular
operating operational
recommendation recommender
music musical
paraphrase paraphrasing
prediction predictive
prefill prefilling
prompt prompting
robot robotic robotics
semantic semantics
strategy strategic
structure structural
symbol symbolic
syntactic syntactical
table tabular
test testing
text textual
training train
vision visual
""".strip().splitlines()
_ALIKE = {word: group.split()[0] for group in _GROUPS for word in group.split()}
# Cross-language is cross-lingual, and cross-modality cross-modal; language models are not.
_COUNTED = frozenset(("lingual", "language", "modal", "modality"))
_COUNTS = frozenset("bi cross inter intra mono multi omni single tri uni".split())
# What is done to other things than it is based on: temperature-based sampling.
_BY_THAT = frozenset(
    "augmentation decoding fusion prompting pruning regularization reweighting sampling tokenization"
    " tuning".split()
)
_MODELS = frozenset("agent llm lm mllm model network transformer vlm".split())  # LLM pruning
_MADE_OF = frozenset(("agent", "individual"))  # an agent-based model is one of a society
_AT_THE_END = {
    "computation": "compute",
    "forecasting": "forecast",
    "reviewing": "review",
    "searching": "search",
    "testing": "test",
    "voting": "vote",
}
_TOUCHED = frozenset((*_ALIKE, *_AT_THE_END, "agentic", "and", "based", "spatial", "using"))
_LETTER_TWO = re.compile(r"([a-z]{3,})2([a-z]{3,})")  # text2sql

# Nouns for what is done, and for qualities.
_ACTION = re.compile(r"(?:[ts]ion|ment|ing|sis|val|ance|ence)$")
_QUALITY = re.compile(r"(?:[ts]ion|ment|ing|sis|val|ance|ence|ity|ness|cy)$")
_DONE = re.compile(r"(?:i[sz]ation|ification|ation|ition|ion|ment|(?<=v)al)$")
_DOING = re.compile(r"(?:i[sz]ing|ifying|ating|ing)$")
_DO = re.compile(r"(?:i[sz]e|ify|ate|e)$")
_NOTHING = frozenset(
    "ability approach benchmark capability challenge data dataset method model performance problem"
    " process setting system task".split()
)
_FUNCTION_WORDS = frozenset(
    "a an and as at but by for from in into of on or over than the to under using via vs with"
    " without not".split()
)

_ADJECTIVE = re.compile(r"[a-z]{3}(?:ed|al|ive|ic|ous|able|ible|ary|less)$")
# Without such an ending, and nouns that have one.
_ADJECTIVES = frozenset(
    "causal coherent convolutional deep dense efficient fast generic joint large latent lightweight"
    " neural recurrent robust sparse unified universal".split()
)
_NOUNS = frozenset(
    "animal arithmetic basic clinic dictionary embed feed goal graphic library logic lyric"
    " manual material metric music need objective original perspective potential primary proposal"
    " retrieval rubric rational seed signal speed summary table topic traffic trial tutorial"
    " variable vocabulary boundary interval journal musical portal terminal".split()
)
# Text-image alignment goes both ways, generation does not.
_MEDIA = frozenset("audio code image language music speech text video vision".split())
_TIED = (_MEDIA | {"visual", "textual"}) - {"speech"}
_DIRECTED = frozenset("captioning conversion editing generation synthesis translation".split())
_LONGEST_OF_TWO = 2  # words: zero-shot and few-shot prompting
_BETWEEN_TWO = frozenset((("trade", "off"), ("tradeoff",), ("dilemma",)))
# What belongs to the next word: self-supervised, low-rank, weakly supervised.
_GLUED = frozenset(
    "anti auto bi co coarse cross few fine high hyper inter intra long low macro meta micro mono"
    " multi near no non one open over para per poly post pre pseudo quasi semi self short single"
    " sub super tri two ultra un uni zero 0 1 2 3".split()
)


def same_words(words: Sequence[str], *, thing: bool) -> list[str]:
    """Return a key's words, each in one of the forms that say the same before a noun.

    >>> " ".join(same_words("robotic navigation".split(), thing=False))
    'robot navigation'
    >>> " ".join(same_words("outcome based reward".split(), thing=True))
    'outcome reward'

    Args:
        words: of a key.
        thing: the key names a method or a metric. An agentic or LLM-based system is an agent or
            LLM system, but LLM-based evaluation is not what LLMs undergo.
    """
    last = len(words) - 1
    if _TOUCHED.isdisjoint(words) and not any("2" in word or "olog" in word for word in words):
        return list(words)
    thing = thing and (words[last] in _BY_THAT or not _ACTION.search(words[last]))
    found = [_at(words, i, thing=thing) for i in range(last)]
    found.append(_LETTER_TWO.sub(r"\1 to \2", _AT_THE_END.get(words[last], words[last])))
    return [part for word in found for part in word.split(" ") if part]


def same_order(words: Sequence[str]) -> list[str]:
    """Return a key's words with its adjectives first, the others in their order.

    Not for metrics: an absolute relative error is no relative absolute error. Of two media, and of
    two that 'and' joins, the first in the alphabet stands first.

    >>> " ".join(same_order("self supervised contrastive learning".split()))
    'contrastive self supervised learning'
    >>> " ".join(same_order("multimodal reasoning and planning".split()))
    'multimodal planning and reasoning'
    """
    if "and" in words:
        return _same_pair(words)
    if tuple(words[2:]) in _BETWEEN_TWO:
        return [*sorted(words[:2]), *words[2:]]
    if len(words) < 3 or not _FUNCTION_WORDS.isdisjoint(words):
        return list(words)
    adjectives: list[str] = []
    others: list[str] = []
    unit: list[str] = []
    for word in words[:-1]:
        unit.append(word)
        if word in _GLUED or word.endswith("ly"):
            continue
        (adjectives if _is_adjective(word) else others).append(" ".join(unit))
        unit = []
    others += unit
    if len(others) > 1 and _MEDIA.issuperset(others[-2:]) and words[-1] not in _DIRECTED:
        others[-2:] = sorted(others[-2:])
    return [*sorted(adjectives), *others, words[-1]]


def same_metric(words: Sequence[str]) -> list[str]:
    """Return a metric's words with how it is averaged first: F1-macro is macro F1.

    >>> same_metric(["f1", "macro", "score"]), same_metric("cost quality trade off".split())
    (['macro', 'f1', 'score'], ['cost', 'quality', 'trade', 'off'])
    """
    if tuple(words[2:]) in _BETWEEN_TWO:
        return [*sorted(words[:2]), *words[2:]]
    if len(words) > 1 and words[1] in ("macro", "micro"):
        return [words[1], words[0], *words[2:]]
    return _same_pair(words) if "and" in words else list(words)


def _same_pair(words: Sequence[str]) -> list[str]:
    """Sort what 'and' joins: two nouns at the end, or as many words on both sides before it."""
    at = words.index("and")
    if at + 2 == len(words) and at:
        if not all(_QUALITY.search(word) for word in (words[at - 1], words[-1])):
            return list(words)
        start, end = at - 1, at + 2
    elif 1 <= at <= _LONGEST_OF_TWO and len(words) == 2 * at + 2:
        start, end = 0, 2 * at + 1
    else:
        return list(words)
    first, second = sorted((list(words[start:at]), list(words[at + 1 : end])))
    return [*words[:start], *first, "and", *second, *words[end:]]


def done_at_end(words: Sequence[str]) -> str:
    """Return what is done to what where a key's last word says it, else nothing.

    >>> [done_at_end(key.split()) for key in ("object detection", "problem solving", "object")]
    ['object|detect', 'problem|solv-', '']
    """
    if len(words) < 2 or not _ACTION.search(words[-1]) or not _FUNCTION_WORDS.isdisjoint(words):
        return ""
    return f"{' '.join(words[:-1])}|{_stem(words[-1])}"


def done_before(words: Sequence[str], *, task: bool, plural: bool) -> Iterator[str]:
    """Yield what is done to what where a key says it first, as `done_at_end` would.

    >>> list(done_before("detection of object".split(), task=False, plural=True))
    ['object|detect']
    >>> list(done_before("answering question".split(), task=True, plural=True))
    ['question|answer', 'question|answer-']

    Args:
        words: of a key.
        task: the key names a task: otherwise a reasoning model would be the reasoning of models.
        plural: the surface form's last word is a plural, so what stands first is no adjective.
    """
    for preposition in ("of", "over"):
        if preposition not in words[1:-1]:
            continue
        at = words.index(preposition, 1)
        what = [word for word in words[at + 1 :] if word not in ("the", "a", "an")]
        kind = words[: at - 1]
        plain = _FUNCTION_WORDS.isdisjoint(what) and _FUNCTION_WORDS.isdisjoint(kind)
        if what and plain and _ACTION.search(words[at - 1]):
            # Automatic detection of X, and question answering over X.
            of_it = (*kind, *what) if all(map(_is_adjective, kind)) else (*what, *kind)
            yield f"{' '.join(of_it)}|{_stem(words[at - 1])}"
        return
    if not task or len(words) < 2 or not _FUNCTION_WORDS.isdisjoint(words):
        return
    rest = " ".join(words[1:])
    if rest in _NOTHING:
        return
    if not _DOING.search(words[0]):
        yield f"{rest}|{_DO.sub('', words[0])}"  # detect objects
        return
    stem = _stem(words[0])
    yield f"{rest}|{stem[:-1]}"
    if plural:
        yield f"{rest}|{stem}"


def _at(words: Sequence[str], i: int, *, thing: bool) -> str:
    word = words[i]
    if word == "based":
        by_itself = words[-1] in _BY_THAT and words[i - 1] in _MODELS
        return "" if thing and i and words[i - 1] not in _MADE_OF and not by_itself else word
    if word == "agentic":
        return "agent" if thing else word
    if word == "and":
        # Vision and language tasks, but image and text generation.
        tied = {words[i - 1], words[i + 1]} <= _TIED and words[-1] not in _DIRECTED
        return "" if tied and 0 < i < len(words) - 2 else word
    if word == "using":
        return "use" if thing and 0 < i == len(words) - 2 else word  # tool-using agents
    if word in _COUNTED:
        return _ALIKE[word] if i and words[i - 1] in _COUNTS else word
    if word == "spatial" and words[i + 1] == "temporal":
        return "spatio"
    if word.endswith("ological"):
        return word[:-4] + "y"
    return _ALIKE.get(word) or (_LETTER_TWO.sub(r"\1 to \2", word) if "2" in word else word)


def _stem(word: str) -> str:
    """What is done, with a hyphen where the word says so by -ing."""
    if _DOING.search(word):
        return _DOING.sub("", word) + "-"
    return _DONE.sub("", word).removesuffix("e")


def _is_adjective(word: str) -> bool:
    return word in _ADJECTIVES or (word not in _NOUNS and bool(_ADJECTIVE.search(word)))
