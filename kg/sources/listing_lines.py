"""What the lines of a saved listing look like: rules, list marks, labels, prose, titles, names."""

import re
from dataclasses import dataclass
from functools import lru_cache

RULE = re.compile(
    r"\s*(?:([-=*_~#+.•·—–─━═%/|^])(?:\s*\1){2,}|[⸺⸻]+|[-–—=_. ]*(?:8<|>8|✂)[-–—=_.8<>✂ ]*)\s*"
)
_UNDERLINE = re.compile(r"\s{0,3}(=+|-+|~+)\s*")
MARKDOWN_HEAD = re.compile(r"\s{0,3}(#{1,6})\s+(\S.*?)\s*#*\s*")
BOLD_LINE = re.compile(r"\s*(\*\*|__|\*)(?=\S)((?:(?!\1).)+?)\1[.:]?\s*")
# Google Scholar's line under a title: A Walker, B Runner… - Journal of Ice, 2024 - example.org
SCHOLAR = re.compile(
    r"\s*(?P<names>\S.*?)\s[-–]\s(?P<venue>.*?),?\s*(?P<year>(?:19|20)\d\d)(?:\s[-–]\s\S+)?\s*"
)
TLDR = re.compile(r"\s*TL;?DR\s*", re.IGNORECASE)
NUMBER = re.compile(
    r"[ \t]*(?P<open>[\[(]|(?P<hash>\#)|No\.?\s|(?:Abstract|Paper|Article|Entry)\s+#?)?"
    r"(?P<number>\d{1,5}|(?-i:[a-z])(?=\))|(?-i:[IVX]{1,6})(?=[.)]))"
    r"(?P<close>[\])]|[.:)](?!\d)|(?(hash)(?=[ \t])|(?!)))(?:[ \t]+|$)",
    re.IGNORECASE,
)
BULLET = re.compile(r"[ \t]*(?P<bullet>[-*+•◦▪‣·–—►▶○●■□☐☑])[ \t]+(?:\[[ xX]?\][ \t]+)?(?=\S)")
_LABELS = {
    "title": "title paper papertitle titel",
    "authors": "author authors by creators autoren",
    "abstract": "abstract summary abstracttext description zusammenfassung",
    "venue": "venue journal conference publishedin journalref source booktitle publication",
    "year": "year",
    "date": "date published submitted publicationdate submissiondate dates received",
    "ids": "doi arxiv arxivid pmid pmcid id citeas anthologyid openreview",
    "urls": "url link links pdf code github website projectpage homepage html demo datalink data",
    "topics": "keywords keyword subjects subject categories category tags topics areas keyphrases"
    " indexterms authorkeywords primarycategory",
    "language": "language",
    "kind": "type",
    "other": "comments comment mscclass acmclass reportno license licence tldr affiliation"
    " affiliations institution institutions email emails notes note size pages volume issue"
    " publisher isbn issn citations citedby session track decision presentation keywordsplus"
    " correspondence funding authorinformation conflictofinterest copyright",
}
_LABEL_OF = {name: label for label, names in _LABELS.items() for name in names.split()}
_LABEL = re.compile(
    r"(?P<lead>[ \t>]*(?:[-*+•][ \t]+)?(?:\*\*|__|\*|_)?)(?P<name>[A-Za-z][A-Za-z./ ;-]{0,24}?)"
    r"(?:(?:\*\*|__|\*|_)?[ \t]*(?:::?|：)(?:\*\*|__|\*|_)?(?:[ \t]+|$)"
    r"|(?<=terms)(?:\*\*|__|\*|_)?[—–]|(?<=words)(?:\*\*|__|\*|_)?[—–])",
    re.IGNORECASE,
)
_ENOUGH = 800  # characters that tell prose from anything else
_END = re.compile(r"[.!?。！？…](?:[\"'”’)\]}*_]|\s?\[[\d, ]+\]|\$)*\s*$")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_CJK = re.compile(r"[぀-ヿ㐀-鿿가-힯]")
_TWO_SENTENCES = re.compile(r"[^\W\d_]{3,}[.!?]\s+[A-Z]\w+ ")
_FULL_STOP = re.compile(r"[^\W\d_]{3,}\.\s+[A-Z]\w+ ")
# How abstracts begin, and titles do not.
_OPENER = re.compile(
    r"(?:we|our|i)\s|in (?:this|the present|recent|our) |this (?:paper|work|article|study|thesis|report|survey|review|note|letter|talk|chapter|dataset|research)\b"
    r"|recent(?:ly)?,? |despite |although |while |however|there (?:is|are|has|have) |the (?:paper|aim|goal|purpose|objective|present|problem|recent) "
    r"|(?:background|objectives?|purpose|aims?|introduction|motivation|methods?|results?|conclusions?)\s*[:—–-]"
    r"|many |most |it is |given |here,? |to address|motivated|existing |current |traditional |over the ",
    re.IGNORECASE,
)
_DANGLING = frozenset(
    "a an the of for and or to with in on at by from that which is are was were be as into than then"
    " we our its their this these those has have had can may will not but if when while using via"
    " between under over both such it they also more most".split()
)
_ARTICLES = frozenset("a an the of for and or with from".split())
_SECTION = re.compile(
    r"\s*(?:\*\*|__)?(?:methods?|materials? and methods?|methodology|design|setting|participants|patients"
    r"|interventions?|measurements?|main (?:outcome measures|results)|results?|findings|discussion"
    r"|conclusions?|interpretation|implications|limitations|significance|approach|evaluation"
    r"|originality/value|practical implications|registration|trial registration|funding"
    r"|data sources?|study selection|data extraction|data synthesis)(?:\*\*|__)?\s*[:.—–](?:\*\*|__)?",
    re.IGNORECASE,
)
_FIRST_SECTION = re.compile(
    r"\s*(?:\*\*|__)?(?:background|objectives?|purpose|aims?|introduction|motivation|context|importance"
    r"|rationale|problem)(?:\*\*|__)?\s*[:.—–]",
    re.IGNORECASE,
)
_FOLDED = re.compile(r"\s*(?:△ Less|▽ More|(?:Show|Read) (?:more|less))\s*$")
# Sentences, but no paper's: they stand over and under the mails that list papers.
_LETTERHEAD = (
    r"\s*(?:send any comments regarding submissions|to unsubscribe,|this message was sent by)\b"
)
_LETTER = re.compile(_LETTERHEAD, re.IGNORECASE)
# Words that a page's menu is made of; titles start with some of them: Search-R1, Next Token Prediction.
_MENU_START = (
    r"home|search|next|previous|prev|menu|filters?|filtered|export|cookies?|replacements?|log ?in"
)
_MENU = (
    rf"(?:{_MENU_START})(?:[\s\W]+(?:{_MENU_START}|about|contact|us|help|pages?|papers?|articles?"
    r"|results?|entries|all|by|year|date|authors?|titles?|topics?|relevance|arxiv|settings|policy"
    r"|preferences|privacy|terms|accept|citations?|bibtex|ris|first|last|volume|issue|for|within|this"
    r"|site|sign|up|register|newest|oldest|\d+))*\W*$"
)
_PAGE_TALK = re.compile(
    r"(?:showing|displaying)\b.*\d|total of \d+|(?:about )?\d[\d,]* (?:results?|entries|papers|articles|documents|hits|items)\b"
    r"|page \d+|(?:\d+\s*)?(?:of|/)\s*\d+$|back to top|skip to |sign in\b"
    rf"|{_MENU}|search (?:for )?.*(?:\.\.\.|…)$|sort(?:ed)? by|all rights reserved|newest first|oldest first"
    r"|new submissions|cross[- ]?(?:lists|submissions)|replacement (?:submissions|for)\b|replacements for\b"
    r"|download all|select all|save\b.*cite\b|save\s+(?:twitter|linkedin|facebook)\b"
    r"|(?:\d[\d,]*\s*)?(?:total )?(?:citations?|downloads?)\b(?:[\s\d,]|total|citations?|downloads?)*$"
    r"|cited by \d+|related articles|all \d+ versions|△|▽|more$|less$|[☆★] ?save\b|see (?:today|recent)\b"
    rf"|{_LETTERHEAD}",
    re.IGNORECASE,
)

# What digital libraries write over a title.
KIND_LINE = re.compile(
    r"\s*(?:(?:RESEARCH|SHORT|REVIEW|EXTENDED|INVITED|FULL)[- ](?:ARTICLE|PAPER|ABSTRACT|TALK)|SURVEY|POSTER"
    r"|DEMONSTRATION|KEYNOTE|TUTORIAL|WORK[- ]IN[- ]PROGRESS)?\s*(?:(?:open|public|free) access)?\s*",
    re.IGNORECASE,
)
_ABSTRACT_HEAD = re.compile(
    r"[\s*_#>]*(abstract|summary|zusammenfassung|kurzfassung|résumé|resume|resumen|resumo|riassunto|sommario"
    r"|samenvatting|sammanfattning|streszczenie|abstrakt|özet|öz|аннотация|резюме|摘要|要旨|초록)"
    r"[*_]*\s*[:：.—–-]",
    re.IGNORECASE,
)


def abstract_language(line: str) -> str:
    """The word that heads an abstract at the start of a line, by which its language can be told."""
    found = _ABSTRACT_HEAD.match(line)
    return found.group(1).lower().replace("summary", "abstract") if found else ""


@dataclass(frozen=True, slots=True)
class Label:
    """A line such as "Title: Random walks": what it labels and where its value starts."""

    field: str
    value_at: int


@lru_cache(maxsize=1 << 13)
def label(line: str) -> Label | None:
    """Return the label with which a line starts, None when it starts with none."""
    found = _LABEL.match(line)
    if found is None:
        return None
    field = _LABEL_OF.get(re.sub(r"[\W_]+", "", found.group("name").lower()))
    if field is None and "::" in found.group():
        field = "other"  # a property of a note, which may have any name
    return None if field is None else Label(field, found.end())


def bare_abstract(line: str) -> bool:
    """Whether a line is nothing but the heading of an abstract."""
    return (
        re.fullmatch(r"[\s#*_>]*abstract[\s:.*_]*|\s*\\begin\{abstract\}\s*", line, re.IGNORECASE)
        is not None
    )


def is_rule(line: str) -> bool:
    """Whether a line is drawn, not written: -----, ***, ____."""
    return len(line.strip()) >= (1 if "⸺" <= line.strip()[:1] <= "⸻" else 3) and (
        RULE.fullmatch(line) is not None
    )


def underline_level(line: str) -> int:
    """1 for =====, 2 for ----- under a heading, 0 for anything else."""
    found = _UNDERLINE.fullmatch(line)
    return 0 if found is None or len(found.group(1)) < 3 else 1 if "=" in line else 2


def words(text: str) -> int:
    """Count words; two characters of Chinese, Japanese or Korean make one."""
    if text.isascii():
        return len(_WORD.findall(text))
    cjk = len(_CJK.findall(text))
    return len(_WORD.findall(_CJK.sub(" ", text))) + cjk // 2


def ends_sentence(text: str) -> bool:
    """Whether a text ends as a sentence does."""
    return _END.search(text[-60:]) is not None


def without_fold(text: str) -> str:
    """Return the text without the link that folds it up on its page."""
    return _FOLDED.sub("", text)


@lru_cache(maxsize=1 << 12)
def is_prose(text: str) -> bool:
    """Whether a text reads like an abstract: sentences, not a title, names or an address."""
    count = words(text[:_ENOUGH])
    if text.rstrip().endswith(("?", "!")) and len(text) <= 300 and not _TWO_SENTENCES.search(text):
        return False  # a question alone is a title
    if len(text) <= 300 and _LETTER.match(text):
        return False
    if ends_sentence(text):
        return count >= 7 and not re.search(r"\bet al\.\s*$|\b(?:Inc|Ltd|Jr|Univ)\.\s*$", text)
    if count < 30 or (count < 45 and not re.search(r"[^\W\d_]{3,}[.,;]\s", text)):
        return False
    # Long lists of names have no lower-case words between them.
    return capitals(text[:_ENOUGH]) < 0.7


def capitals(text: str) -> float:
    """Which part of the longer words starts with a capital."""
    found = re.findall(r"[^\W\d_]\w{3,}", text)
    return sum(word[0].isupper() for word in found) / len(found) if found else 0.0


def starts_abstract(line: str) -> bool:
    """Whether a line opens as abstracts do: We propose, In this paper, Recent."""
    return _OPENER.match(line.strip()) is not None


def is_sentence(text: str) -> bool:
    """Whether a text is one short sentence: an abstract of one line, or a title with a stop."""
    flat = " ".join(text.split())
    return len(flat) <= 220 and flat.endswith(".") and not _TWO_SENTENCES.search(flat)


def may_be_title(text: str) -> bool:
    """Whether one or a few lines could be a title and no start of an abstract."""
    flat = " ".join(text.split()).strip("*_# ")
    if not 3 <= len(flat) <= 300 or not re.search(r"[^\W\d_]{2}", flat):
        return False
    if flat[-1] in ".,;:" and not re.search(r"\b(?:Jr|Inc|etc|vs)\.$|\.{3}$", flat):
        return False
    if _FULL_STOP.search(flat) or _PAGE_TALK.match(flat):
        return False
    if _OPENER.match(flat) and not (len(flat.split()) >= 3 and capitals(flat) >= 0.8):
        return False  # "Most Models Can Be Poets Too" is capitalised as a title only is
    last = flat.split()[-1]  # "may" dangles, "3 May" does not
    return last not in _DANGLING and last.lower() not in _ARTICLES


def starts_section(text: str) -> bool:
    """Whether a paragraph goes on with a structured abstract: Methods: ..., Results: ..."""
    return _SECTION.match(text) is not None


def starts_structured(text: str) -> bool:
    """Whether a paragraph begins a structured abstract: Background: ..."""
    return _FIRST_SECTION.match(text) is not None


def is_page_talk(text: str) -> bool:
    """Whether a short text belongs to the page, not to a paper: counts, navigation."""
    flat = " ".join(text.split())
    return len(flat) < 120 and _PAGE_TALK.match(flat) is not None


_NAME = r"(?:[^\W\d_a-z][\w.'’-]*|(?:van|von|de|der|den|la|le|da|di|dos|bin|al|el|ter|ten|y|team|group|collaboration|consortium)\b)"
# Words of titles that stand where names could: Language Models and Knowledge Graphs.
_TITLE_WORDS = frozenset(
    "adaptation adaptive adversarial agents algorithm algorithms alignment analysis application"
    " applications approach architecture architectures attention augmentation automatic autonomous"
    " benchmark benchmarking benchmarks causal challenges chemistry classification clinical cloud"
    " clustering code communication complex computation computer computing contrastive control corpus"
    " data dataset datasets decoding deep design detection development diffusion discovery discrete"
    " distributed domain driven driving dynamic dynamics economics efficient embedding embeddings"
    " estimation evaluating evaluation evidence evolution experiments exploration explainable extraction"
    " federated fine framework from generation generative graph graphs health human hybrid image images"
    " improving inference information insights intelligence interaction interface knowledge language"
    " large latent learning linear logic machine mechanism medical memory method methods mining mixture"
    " model modeling modelling models multilingual multimodal natural network networks neural novel"
    " optimal optimization parsing perception performance perspective physics planning policy prediction"
    " principles privacy probabilistic problems processing program programming quantum query question"
    " reasoning recognition recommendation reinforcement representation representations research"
    " retrieval review robot robotics robust sampling scalable science scientific search security"
    " segmentation selection semantic sequence simulation social software sparse speech statistics"
    " structure study supervised survey synthesis synthetic system systems task tasks techniques testing"
    " text theory through time towards tracking training transfer transformer transformers translation"
    " tuning understanding unified unsupervised using video vision visual with without world zero"
    " university institute department school laboratory proceedings conference journal workshop".split()
)
_SMALL_WORDS = frozenset(
    "for the with in on of to is are can do how what why when where not beyond via by an at as or its"
    " and but all no new".split()
)
_NAMES = re.compile(
    rf"\s*{_NAME}(?:[ \t]+{_NAME}){{0,4}}[*†‡§¶\d]*(?:\s*(?:,|;|&|\band\b|,\s*and\b|·|•|\|)\s*"
    rf"{_NAME}(?:[ \t]+{_NAME}){{0,4}}[*†‡§¶\d]*)*\s*(?:,?\s*et al\.?|…|\.\.\.|,?\s*\+\s?\d+ (?:authors?|more|others))?[\s,.]*",
)


@lru_cache(maxsize=1 << 12)
def is_names(text: str) -> bool:
    """Whether a line is a list of people: A. Walker, B. Runner and C. Rider."""
    flat = " ".join(text.split()).strip("*_ ")
    if not 4 <= len(flat) <= 3000 or _NAMES.fullmatch(flat) is None:
        return False
    if set(re.findall(r"[a-z]{4,}", flat.lower())) & _TITLE_WORDS:
        return False
    pieces = [p for p in re.split(r"\s*(?:,|;|&|\band\b|·|•|\|)\s*", flat) if p.strip(" .")]
    initials = re.search(r"(?:^|[\s,;])[A-Z]\.|\b[A-Z]{1,2}\b(?:,|$)|et al", flat) is not None
    if len(pieces) < 2:
        return initials and len(flat.split()) <= 5
    # "Popularity, Performance, and Documentation" are three, but nobody has one name only.
    return initials or sum(" " in piece for piece in pieces) >= 0.6 * len(pieces)


def is_one_name(text: str) -> bool:
    """Whether a line could be one author's whole name, where an author is expected."""
    flat = " ".join(text.split()).strip("*_ ")
    count = len(flat.split())
    return (
        2 <= count <= 4
        and len(flat) <= 40
        and _NAMES.fullmatch(flat) is not None
        and "," not in flat
        and not set(re.findall(r"[a-z]{2,}", flat.lower())) & (_TITLE_WORDS | _SMALL_WORDS)
    )


_REFERENCE = re.compile(
    r"(?:[^\W\d_a-z]\.[ -]?){1,3}[^\W\d_a-z][\w'’-]+|[^\W\d_a-z][\w'’-]+,? (?:[^\W\d_a-z]\.[ -]?){1,3}"
    r"|[^\W\d_a-z][\w'’-]+ [A-Z]{1,3}\b"
)


def is_reference(text: str) -> bool:
    """Whether a text is a line of a bibliography: names with initials first, a year, no sentence."""
    flat = " ".join(text.split())
    return (
        len(flat) < 500
        and _REFERENCE.match(flat) is not None
        and re.search(r"\b(?:19|20)\d\d[a-z]?\b", flat) is not None
        and re.search(r"\b(?:we|our|this|these)\b", flat) is None
    )
