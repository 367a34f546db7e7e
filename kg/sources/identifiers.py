"""Identifiers of papers: validated, normalised, and found in text and addresses.

Each function takes whatever a file says (`https://doi.org/10.1/X`, `DOI:10.1/x`) and returns the
one normal form, or an empty string when the value is no such identifier.
"""

import html
import re
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from functools import lru_cache
from urllib.parse import unquote

from kg.model.record import Identifiers

# Archives of arXiv ids before April 2007.
_ARCHIVES = (
    "acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas"
    " cond-mat cs dg-ga funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin"
    " nucl-ex nucl-th patt-sol physics plasm-ph q-alg q-bio quant-ph solv-int supr-con"
).split()
_OLD_ARXIV = rf"(?:{'|'.join(_ARCHIVES)})(?:\.[A-Za-z]{{2}})?/\d{{2}}(?:0[1-9]|1[0-2])\d{{3}}"
_NEW_ARXIV = r"\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}"
_ARXIV = re.compile(
    rf"(?:https?://)?(?:(?:www|export|[a-z]{{2}})\.)?(?:arxiv\.org/(?:abs|pdf|html|format|e-print|ps)/"
    rf"|alphaxiv\.org/abs/|ar5iv(?:\.labs)?\.(?:arxiv\.)?org/(?:abs|html)/|arxiv\s*[:.]\s*|oai:arxiv\.org:)?"
    rf"({_OLD_ARXIV}|{_NEW_ARXIV})(v[1-9]\d*)?(?:\.pdf)?",
    re.IGNORECASE,
)
_ARXIV_IN_TEXT = re.compile(
    rf"(?:arxiv\.org/(?:abs|pdf|html|format|e-print|ps)/|alphaxiv\.org/abs/"
    rf"|ar5iv(?:\.labs)?\.(?:arxiv\.)?org/(?:abs|html)/|\barxiv\s*[:.]?\s*(?:preprint\s+)?(?:arxiv\s*:\s*)?"
    rf"|10\.48550/arxiv\.)({_OLD_ARXIV}|{_NEW_ARXIV})(v[1-9]\d*)?(?![\d])",
    re.IGNORECASE,
)
_ARXIV_DOI = re.compile(rf"10\.48550/arxiv\.({_OLD_ARXIV}|{_NEW_ARXIV})(v\d+)?")
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/[^\s\"<>{}|\\^\x00-\x1f]*[^\s\"<>{}|\\^\x00-\x1f.,;:'’”]")
# What nearly every service writes: nothing to resolve, to balance or to fold.
_USUAL_DOI = re.compile(r"(?:https://doi\.org/)?(10\.[0-9]{4,9}/[a-z0-9._/-]*[a-z0-9_/-])")
# Registered prefixes have four digits and more; where a field says DOI, fewer are believed.
_SHORT_DOI = re.compile(r"10\.\d{1,3}/[^\s\"<>]*[\w)]")
_SICI = re.compile(r"10\.\d{4,9}/[^\s\"]*[<>][^\s\"]*")
_DOI_HEAD = re.compile(
    r"^\s*(?:https?://)?(?:(?:dx|www)\.)?(?:doi\.org/|doi\s*[:=]?\s*)*", re.IGNORECASE
)
_ACL = re.compile(
    r"(?:[A-Z]\d{2}-[1-9]\d{3}|\d{4}\.[a-z0-9_]+-[a-z0-9]+\.\d{1,4}|[A-Z]\d{2}-\d{4})",
    re.IGNORECASE,
)
_PMID = re.compile(
    r"(?:pmid\s*:?\s*|medline:|https?://(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov"
    r"|ncbi\.nlm\.nih\.gov/pubmed)/)?0*([1-9]\d{0,8})/?(?:\.0)?",
    re.IGNORECASE,
)
_PMCID = re.compile(
    r"(?:pmcid\s*:?\s*|https?://\S+/)?(?:PMC)?\s*([1-9]\d{2,8})(?:\.\d+)?/?", re.IGNORECASE
)
_OPENALEX = re.compile(
    r"(?:https?://(?:api\.)?openalex\.org/(?:works/)?|openalex:)?(W[1-9]\d*)", re.IGNORECASE
)
_S2 = re.compile(
    r"(?:https?://(?:www\.|api\.)?semanticscholar\.org/(?:\S*/)?)?([0-9a-f]{40})", re.IGNORECASE
)
_CORPUS = re.compile(
    r"(?:corpus\s?id:\s*|https?://api\.semanticscholar\.org/corpusid:)?([1-9]\d{0,11})",
    re.IGNORECASE,
)
_MAG = re.compile(r"(?:mag:\s*)?([1-9]\d{3,11})", re.IGNORECASE)
_OTHER_WOS = re.compile(
    r"(?:BCI|BIOABS|BIOSIS|CABI|CCC|CSCD|DIIDW|DRCI|FSTA|INSPEC|KJD|PPRN|PQDT|RSCI|SCIELO|ZOOREC)"
    r":[0-9A-Z][0-9A-Z-]{4,40}",
    re.IGNORECASE,
)
_DBLP = re.compile(
    r"(?:https?://(?:www\.)?dblp\.(?:uni-trier\.de|org|dagstuhl\.de)/(?:rec/(?:bibtex/|html/)?)?|dblp:)?"
    r"((?:conf|journals|books|phd|series|reference|tr|ms|homepages|persons|data)/[\w-]+/[\w+./-]+?)"
    r"(?:\.(?:html|bib|xml|rdf))?",
    re.IGNORECASE,
)
_ORCID = re.compile(
    r"(?<!\d)(\d{4})-?(\d{4})-?(\d{4})-?(\d{3}[\dX])(?![\dX])", re.IGNORECASE | re.ASCII
)
_ORCID_AT_END = re.compile(r"https?://orcid\.org/(\d{4})-(\d{4})-(\d{4})-(\d{3}[\dX])", re.ASCII)
_URL = re.compile(r"\b(?:https?|ftp)://[^\s<>\"{}|\\^`\[\]]+", re.IGNORECASE)


def doi(value: str) -> str:
    """Return a DOI in lower case without resolver, or an empty string.

    >>> doi("https://doi.org/10.1000/ABC.")
    '10.1000/abc'
    """
    if "10." not in value:
        return ""
    if usual := _USUAL_DOI.fullmatch(value):
        return usual.group(1)
    text = _DOI_HEAD.sub("", html.unescape(value.strip()))
    if "%" in text:
        text = unquote(text)
    if "<" in text:
        # Wiley's old DOIs hold angle brackets: 10.1002/(sici)1097(199803)49:4<1::aid-x>3.0.co;2-y
        sici = _SICI.search(text)
        if sici and "sici" in sici.group().lower():
            return sici.group().lower()
    found = _DOI.search(text) or _SHORT_DOI.fullmatch(text)
    return _balanced(found.group()).lower() if found else ""


def arxiv(value: str) -> tuple[str, str]:
    """Return an arXiv id without version and the version, both empty when it is no arXiv id.

    >>> arxiv("arXiv:1706.03762v5")
    ('1706.03762', 'v5')
    """
    if not value:
        return "", ""
    found = _ARXIV.fullmatch(value.split("[")[0].strip())
    if found is None:
        in_doi = _ARXIV_DOI.fullmatch(doi(value))
        if in_doi is None:
            return "", ""
        found = in_doi
    return _arxiv_form(found.group(1)), (found.group(2) or "").lower()


def pmid(value: str | int) -> str:
    """Return the digits of a PubMed id; it may stand in an address or after PMID:."""
    if not value:
        return ""
    found = _PMID.fullmatch(str(value).strip())
    return found.group(1) if found else ""


def pmcid(value: str | int) -> str:
    """Return a PubMed Central id as PMC123."""
    if not value:
        return ""
    found = _PMCID.fullmatch(str(value).strip())
    return f"PMC{found.group(1)}" if found else ""


def openalex(value: str) -> str:
    """Return the id of an OpenAlex work as W123."""
    if not value:
        return ""
    found = _OPENALEX.fullmatch(value.strip())
    return found.group(1).upper() if found else ""


def s2(value: str) -> str:
    """Return the 40 hexadecimal digits of a Semantic Scholar paper."""
    if not value:
        return ""
    found = _S2.fullmatch(value.strip())
    return found.group(1).lower() if found else ""


def corpus(value: str | int) -> str:
    """Return the digits of a Semantic Scholar CorpusId."""
    if not value:
        return ""
    found = _CORPUS.fullmatch(str(value).strip())
    return found.group(1) if found else ""


def mag(value: str | int) -> str:
    """Return the digits of a Microsoft Academic Graph id."""
    if not value:
        return ""
    found = _MAG.fullmatch(str(value).strip())
    return found.group(1) if found else ""


def dblp(value: str) -> str:
    """Return a DBLP key such as conf/nips/VaswaniSPUJGKP17."""
    if not value:
        return ""
    found = _DBLP.fullmatch(value.strip())
    return found.group(1) if found else ""


def acl(value: str) -> str:
    """Return an ACL Anthology id such as P18-1001 or 2020.acl-main.1."""
    if not value:
        return ""
    text = re.sub(
        r"^(?:https?://)?(?:www\.)?(?:aclanthology\.org|aclweb\.org/anthology)/(?:papers/)?",
        "",
        value.strip(),
        flags=re.IGNORECASE,
    )
    text = re.sub(r"^(?:[A-Z]/[A-Z]\d\d/)", "", text)
    text = re.sub(r"^10\.18653/v1/|^acl(?:id)?:", "", text, flags=re.IGNORECASE)
    text = re.sub(r"(?:\.pdf|\.bib|/)$", "", text)
    if not _ACL.fullmatch(text):
        return ""
    return text.upper() if re.match(r"[a-zA-Z]\d", text) else text.lower()


def openreview(value: str) -> str:
    """Return the id of an OpenReview forum; only from an address, since the ids look like words."""
    found = re.search(r"openreview\.net/(?:forum|pdf|attachment)\?(?:\S*&)?id=([\w-]{6,})", value)
    return found.group(1) if found else ""


def wos(value: str) -> str:
    """Return a Web of Science accession number as WOS:000238592600006.

    Those of its other collections keep theirs: KJD:ART002345678. MEDLINE's are PubMed ids.
    """
    if not value:
        return ""
    if other := _OTHER_WOS.fullmatch(value.strip()):
        return other.group().upper()
    found = re.fullmatch(
        r"(?:WOS|ISI|UT)\s*:?\s*([A-Z]?[0-9A-Z]{14,16})", value.strip(), re.IGNORECASE
    )
    return f"WOS:{found.group(1).upper()}" if found else ""


def scopus(value: str) -> str:
    """Return a Scopus EID as 2-s2.0-85123456789."""
    found = re.search(r"2-s2\.0-\d+", value)
    return found.group() if found else ""


def isbn(value: str) -> str:
    """Return an ISBN as 13 digits; empty when the check digit is wrong."""
    if not value:
        return ""
    digits = re.sub(r"(?i)isbn(?:-1[03])?\s*:?|[\s‐-―-]", "", value).upper()
    found = re.match(r"(97[89]\d{10}|\d{9}[\dX])(?![\dX])", digits)
    if found is None:
        return ""
    code = found.group(1)
    if len(code) == 10:
        values = [10 if c == "X" else int(c) for c in code]
        if sum((10 - i) * v for i, v in enumerate(values)) % 11:
            return ""
        code = f"978{code[:9]}"
        return code + str(-_isbn_sum(code) % 10)
    return code if (_isbn_sum(code[:12]) + int(code[12])) % 10 == 0 else ""


def orcid(value: str) -> str:
    """Return an ORCID iD as 0000-0002-1825-0097; empty when the check digit is wrong."""
    found = _ORCID_AT_END.fullmatch(value) or _ORCID.search(value)
    if found is None:
        return ""
    first, second, third, last = found.groups()
    last = last.upper()
    total = _iso_7064(first) * 4096 + _iso_7064(second) * 256 + _iso_7064(third) * 16
    check = (12 - (total + _iso_7064(last[:3]) * 2) % 11) % 11
    if last[3] != ("X" if check == 10 else str(check)):
        return ""
    return f"{first}-{second}-{third}-{last}"


@lru_cache(maxsize=11_000)
def _iso_7064(digits: str) -> int:
    """The sum of the digits, of which each weighs twice what the next does, and the last one."""
    total = 0
    for digit in digits:
        total = total * 2 + int(digit)
    return total


def urls(text: str) -> tuple[str, ...]:
    """Return the addresses in a text, in order, without the punctuation that follows them."""
    found = (_balanced(match.group().rstrip(".,;:!?'’”*_")) for match in _URL.finditer(text))
    return tuple(dict.fromkeys(found))


def find(text: str) -> tuple[Identifiers, str]:
    """Return the identifiers that a free text or an address names, and the arXiv version.

    Only forms that cannot be anything else count: a bare number is no PMID. The first of each
    kind is taken, so give it text that speaks of one paper.
    """
    ids: dict[str, str] = {}
    version = ""
    lowered = text.lower()
    if _tells_arxiv(lowered) and (eprint := _ARXIV_IN_TEXT.search(text)) is not None:
        ids["arxiv"] = _arxiv_form(eprint.group(1))
        version = (eprint.group(2) or "").lower()
    if "10." in text:
        ids["doi"] = _doi_in_text(text)
    for name, word, pattern, normalise in _IN_TEXT:
        if word in lowered and not ids.get(name) and (match := pattern.search(text)) is not None:
            ids[name] = normalise(match.group(1))
    return (complete(Identifiers(**ids)) if ids else _NONE), version


def complete(ids: Identifiers) -> Identifiers:
    """Add the ids that follow from others: arXiv and ACL ids are spelt out in their DOIs."""
    if ids.doi.startswith("10.48550/arxiv.") and not ids.arxiv:
        ids = replace(ids, arxiv=arxiv(ids.doi)[0])
    if ids.doi.startswith("10.18653/v1/") and not ids.acl:
        ids = replace(ids, acl=acl(ids.doi))
    return ids


def merge(first: Identifiers, *others: Identifiers) -> Identifiers:
    """Fill the gaps of the first from the others, in order."""
    for other in others:
        if other == _NONE:
            continue
        gaps = {
            name: value
            for name in _KINDS
            if (value := getattr(other, name)) and not getattr(first, name)
        }
        if gaps:
            first = replace(first, **gaps)
    return first


def from_urls(addresses: Iterable[str]) -> Identifiers:
    """Return the identifiers that addresses spell out."""
    return merge(Identifiers(), *(find(address)[0] for address in addresses))


# Kind, a word without which the form cannot stand in a text, the form.
_FORMS: tuple[tuple[str, str, str, Callable[[str], str]], ...] = (
    ("acl", "aclanthology", r"aclanthology\.org/([\w.-]*\w)", acl),
    (
        "acl",
        "aclweb",
        r"aclweb\.org/anthology/((?:papers/)?(?:[A-Z]/[A-Z]\d\d/)?[\w.-]*\w)",
        acl,
    ),
    ("openreview", "openreview", r"(openreview\.net/(?:forum|pdf)\?\S+)", openreview),
    ("pmcid", "pmc", r"\b(PMC[1-9]\d{3,8})\b", pmcid),
    ("pmid", "pmid", r"\bPMID\s*:?\s*([1-9]\d{0,8})\b", pmid),
    ("pmid", "pubmed.ncbi", r"pubmed\.ncbi\.nlm\.nih\.gov/([1-9]\d{0,8})\b", pmid),
    ("pmid", "gov/pubmed", r"ncbi\.nlm\.nih\.gov/pubmed/([1-9]\d{0,8})\b", pmid),
    ("openalex", "openalex", r"openalex\.org/(?:works/)?(W\d+)", openalex),
    ("s2", "semanticscholar", r"semanticscholar\.org/(?:\S*/)?([0-9a-f]{40})\b", s2),
    ("corpus", "corpus", r"corpus\s?id:\s*([1-9]\d*)", corpus),
    (
        "dblp",
        "dblp",
        r"dblp\.(?:uni-trier\.de|org|dagstuhl\.de)/rec/(?:bibtex/|html/)?([\w+./-]*\w)",
        dblp,
    ),
    ("wos", "wos:", r"\b(WOS:[0-9A-Z]{14,16})\b", wos),
    ("wos", "isi:", r"\b(ISI:[0-9A-Z]{14,16})\b", wos),
    ("scopus", "2-s2.0-", r"\b(2-s2\.0-\d+)", scopus),
)
_IN_TEXT = tuple(
    (name, word, re.compile(pattern, re.IGNORECASE), form) for name, word, pattern, form in _FORMS
)
_NONE = Identifiers()
_KINDS = tuple(field.name for field in fields(Identifiers))


def _tells_arxiv(lowered: str) -> bool:
    return "arxiv" in lowered or "ar5iv" in lowered or "alphaxiv" in lowered


# What publishers append to a DOI in the address of a page.
_PAGE_TAIL = re.compile(
    r"(?:[/.](?:full|abstract|pdf|epdf|pdfdirect|html|full-text|fulltext|meta|summary|references|suppl_file\S*))+$"
    r"|[?#&].*$",
    re.IGNORECASE,
)


def _doi_in_text(text: str) -> str:
    """The first DOI; one that stands in the address of a page loses that page's tail."""
    found = _DOI.search(text)
    if found is None:
        return doi(text)
    value = found.group()
    before = text[max(0, found.start() - 60) : found.start()]
    if re.search(r"https?://\S*$", before):
        value = _PAGE_TAIL.sub("", value) or value
    return doi(value)


def _arxiv_form(value: str) -> str:
    # cs.CL/0501001 and cs/0501001 are one paper; the subject class is not part of the id.
    if "/" in value:
        archive, number = value.lower().split("/")
        return f"{archive.split('.')[0]}/{number}"
    return value


def _balanced(value: str) -> str:
    """Drop a closing bracket that was never opened, and what follows it."""
    for opening, closing in ("()", "[]"):
        depth = 0
        for index, char in enumerate(value):
            depth += (char == opening) - (char == closing)
            if depth < 0:
                value = value[:index]
                break
    return value.rstrip(".,;:'’”")


def _isbn_sum(digits: str) -> int:
    return sum(int(digit) * (3 if index % 2 else 1) for index, digit in enumerate(digits))
