"""BibTeX and BibLaTeX, as written by hand and by every reference manager and service."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from kg.model.record import Identifiers, Person, Record, Reference, Rejected
from kg.sources import identifiers
from kg.sources.bibtex_blocks import MONTHS, Block, Fields, bibtex_blocks, fields_of, string_of
from kg.sources.dates import date_of, iso, month_of, year_of
from kg.sources.latex import decoded, paired, readable_tex, unescaped
from kg.sources.names import bibtex_names
from kg.sources.reader import GIVES, Item, Note, Sample, guarded, reader
from kg.sources.rows import reference
from kg.sources.text import one_line, readable
from kg.sources.wos import cited

_NO_PAPERS = {
    "xdata": "fields for other entries, not a paper",
    "set": "a set of other entries, not a paper",
    "control": "settings of a style, not a paper",
    "ieeetranbstctl": "settings of a style, not a paper",
}
# What a child takes from the proceedings or book that it stands in.
_INHERITED = {
    "booktitle": "booktitle", "title": "booktitle", "year": "year", "date": "date", "month": "month",
    "journal": "journal", "journaltitle": "journaltitle", "series": "series", "isbn": "isbn",
}  # fmt: skip
_VENUES = (
    "journaltitle",
    "journal",
    "booktitle",
    "maintitle",
    "eventtitle",
    "series",
    "school",
    "institution",
    "howpublished",
    "publisher",
)
_CITES = (
    "cites", "references", "cited-references", "cited_references", "citedreferences", "cited",
    "bibliography", "refs", "citations", "related",
)  # fmt: skip
# Web of Science writes an author, a year, a venue, and parts its references by full stops.
_NEXT_CITED = re.compile(r"\.\s+(?=[^,]{2,80}, (?:1[5-9]\d\d|20\d\d), )")
_CITING = frozenset(_CITES)
_PARENTS = frozenset({"crossref", "xdata", "xref"})
# Fields that hold identifiers, or may.
_IDS = frozenset(
    "eprinttype archiveprefix arxivid arxiv eprint journal journaltitle note howpublished volume doi"
    " pmid pmcid pmc acl anthology acl_id unique-id ut wos mag magid s2id paperid".split()
)
_TOPICS = (
    "keywords", "keyword", "author_keywords", "keywords-plus", "mendeley-tags", "groups",
)  # fmt: skip
_WAITING = 200_000  # entries that may wait for the one they refer to
_ENTRY = re.compile(r"(?m)^\s{0,8}@\s*([A-Za-z]+)\s*[{(]\s*([^\s,={}]*)\s*,?")


def _sniff(sample: Sample) -> float:
    kinds = [match.group(1).lower() for match in _ENTRY.finditer(sample.text)]
    if not kinds:
        return 0.0
    usual = sum(kind in _KINDS for kind in kinds)
    return 0.95 if usual and re.search(r"=\s*[{\"\d\w]", sample.text) else 0.3


_KINDS = frozenset(
    "article book booklet inbook incollection inproceedings conference manual mastersthesis misc"
    " phdthesis proceedings techreport unpublished online thesis report collection string preamble"
    " comment dataset software patent periodical mvbook bookinbook suppbook reference".split()
)


@reader(
    "bibtex",
    about="BibTeX and BibLaTeX, of Zotero, Mendeley, JabRef, Scopus, Web of Science, ACL and others",
    gives=GIVES,
    suffixes=(".bib", ".bibtex"),
    sniff=_sniff,
)
def read_bibtex(lines: Iterable[str]) -> Iterator[Item]:
    """Yield a Record or Rejected for every entry; @string, @comment and @preamble are none.

    An entry that waits for its crossref comes after the others, with its own line.
    """
    library = _Library()
    for block in bibtex_blocks(lines):
        yield from guarded(library.add, block)
    yield from library.close()


@dataclass(slots=True)
class _Library:
    """What the entries of a file share: macros, keys, and the books that others stand in."""

    macros: dict[str, str] = field(default_factory=lambda: dict(MONTHS))
    parents: dict[str, Mapping[str, str]] = field(default_factory=dict)
    waiting: list[tuple[Block, Fields]] = field(default_factory=list)
    keys: dict[str, int] = field(default_factory=dict)
    repeated: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, block: Block) -> Iterator[Item]:
        """Read one block."""
        if block.kind in ("string", "comment", "preamble"):
            self.counts[block.kind] = self.counts.get(block.kind, 0) + 1
            if block.problem:
                yield Note(f"line {block.line}: @{block.kind}: {block.problem}")
            elif block.kind == "string":
                name, value = string_of(block, self.macros)
                if name:
                    self.macros[name] = value
            return
        if block.problem:
            yield Rejected(f"@{block.kind}: {block.problem}", block.raw, line=block.line)
            return
        read = fields_of(block, self.macros)
        self._remember(block, read)
        wanted = _parents_of(read)
        if any(key not in self.parents for key in wanted) and len(self.waiting) < _WAITING:
            self.waiting.append((block, read))
            return
        yield from self._items(block, read)

    def close(self) -> Iterator[Item]:
        """Read what waited, and say what else the file holds."""
        for block, read in self.waiting:
            yield from guarded(self._items, block, read)
        if self.repeated:
            shown = ", ".join(self.repeated[:10]) + (", ..." if len(self.repeated) > 10 else "")
            yield Note(f"{len(self.repeated)} keys are used again: {shown}")
        for kind, count in sorted(self.counts.items()):
            yield Note(f"{count} @{kind}, no paper")

    def _remember(self, block: Block, read: Fields) -> None:
        if not read.key:
            return
        if read.key in self.keys:
            self.repeated.append(f"{read.key} (line {block.line})")
            return
        self.keys[read.key] = block.line
        if block.kind == "xdata" or block.kind in _BOOKS:
            given = read.values
            names = given if block.kind == "xdata" else [n for n in _INHERITED if n in given]
            self.parents[read.key] = {name: given[name] for name in names}

    def _items(self, block: Block, read: Fields) -> Iterator[Item]:
        if block.kind in _NO_PAPERS:
            yield Rejected(_NO_PAPERS[block.kind], block.raw, line=block.line)
            return
        if read.problem:
            yield Note(f"line {block.line}: @{block.kind} {read.key}: {read.problem}")
        values = dict(read.values)
        for key in _parents_of(read):
            for name, value in self.parents.get(key, {}).items():
                values.setdefault(
                    name if "xdata" in read.values else _INHERITED.get(name, name), value
                )
        # To some, @inbook is the book; the title of a parent's book is not its own.
        if whole := read.values.get("booktitle") or read.values.get("maintitle"):
            values.setdefault("title", whole)
        record = entry_record(block, read.key, values)
        if record is None:
            reason = read.problem or "no title, no abstract and no identifier"
            yield Rejected(f"@{block.kind} {read.key}: {reason}", block.raw, line=block.line)
        else:
            yield record


_BOOKS = frozenset(
    "proceedings book collection mvbook mvproceedings mvcollection reference periodical booklet"
    " conference inproceedings".split()
)


def _parents_of(read: Fields) -> tuple[str, ...]:
    if _PARENTS.isdisjoint(read.values):
        return ()
    named = (read.values.get(name, "") for name in ("crossref", "xdata", "xref"))
    return tuple(key.strip() for value in named for key in value.split(",") if key.strip())


def entry_record(block: Block, key: str, values: Mapping[str, str]) -> Record | None:
    """Return the record of an entry, None where nothing in it names a paper."""

    def text(*names: str) -> str:
        for name in names:
            if name in values and (value := _clean(values[name])):
                return value
        return ""

    raw = next((values[n] for n in ("abstract", "annotation") if values.get(n, "").strip()), "")
    abstract = readable(readable_tex(raw))
    title = text("title", "shorttitle")
    if title and (more := text("subtitle")):
        title = f"{title}: {more}"
    addresses = _addresses(values)
    ids, version = _identifiers(values, key, addresses)
    if not (title or abstract or ids != Identifiers(key=ids.key)):
        return None
    when = _date(values)
    return Record(
        title=title,
        text=abstract,
        original=raw if raw != abstract else "",
        authors=_authors(values),
        year=year_of(when) or year_of(values.get("year", "")),
        date=when,
        venue=text(*_VENUES),
        ids=ids,
        arxiv_version=version,
        isbns=_isbns(values.get("isbn", "")),
        urls=addresses,
        topics=_topics(values),
        references=tuple(_references(values)),
        language=text("language", "langid"),
        kind=block.kind,
        line=block.line,
    )


def _isbns(value: str) -> tuple[str, ...]:
    parts = re.split(r"[,;]", value) if value else ()
    return tuple(dict.fromkeys(found for part in parts if (found := identifiers.isbn(part))))


def _authors(values: Mapping[str, str]) -> tuple[Person, ...]:
    raw = values.get("author", "").strip() or values.get("editor", "").strip()
    if not raw:
        return ()
    return tuple(
        Person(_name(each.family), _name(each.given), _name(each.name))
        for each in bibtex_names(_protected(raw))
    )


def _name(text: str) -> str:
    return paired(_clean(text)) if text else ""


def _clean(text: str) -> str:
    return one_line(decoded(text)) if text else ""


def _protected(names: str) -> str:
    """Resolve accents, whose braces and blanks would part a name; other braces stay."""
    from kg.sources.latex import accents

    return accents(names)


def _addresses(values: Mapping[str, str]) -> tuple[str, ...]:
    named = [
        unescaped(value)
        for name, value in values.items()
        if name in ("url", "link", "ee", "pdf", "code", "biburl", "note", "howpublished", "website")
        or name.startswith(("bdsk-url", "url_", "url-"))
    ]
    return identifiers.urls(" ".join(named))


def _identifiers(
    values: Mapping[str, str], key: str, addresses: tuple[str, ...]
) -> tuple[Identifiers, str]:
    given = {name: value for name in _IDS.intersection(values) if (value := values[name].strip())}

    def raw(*names: str) -> str:
        return next((unescaped(given[name]) for name in names if name in given), "")

    of_eprint = raw("eprinttype", "archiveprefix").lower()
    eprint = raw("arxivid", "arxiv") or (raw("eprint") if of_eprint in ("arxiv", "") else "")
    number, version = identifiers.arxiv(eprint)
    if not number:
        named = (raw("journal", "journaltitle"), raw("note"), raw("howpublished"), raw("volume"))
        printed = identifiers.find(" ".join(named))
        number, version = printed[0].arxiv, printed[1]
    ids = Identifiers(
        doi=identifiers.doi(raw("doi")),
        arxiv=number,
        pmid=identifiers.pmid(raw("pmid") or (raw("eprint") if of_eprint == "pubmed" else "")),
        pmcid=identifiers.pmcid(raw("pmcid", "pmc")),
        dblp=identifiers.dblp(key) if key.startswith("DBLP:") else "",
        acl=identifiers.acl(raw("acl", "anthology", "acl_id")),
        wos=identifiers.wos(raw("unique-id", "ut", "wos")),
        mag=identifiers.mag(raw("mag", "magid")),
        s2=identifiers.s2(raw("s2id", "paperid")),
        key=key,
    )
    found = identifiers.merge(identifiers.complete(ids), identifiers.from_urls(addresses))
    return found, version if found.arxiv == number else ""


def _date(values: Mapping[str, str]) -> str:
    written = decoded(values.get("date", "") or values.get("issued", ""))
    year = year_of(decoded(values.get("year", "")))
    exact = date_of(written.split("/")[0])
    if exact or year is None:
        return exact
    month = month_of(decoded(values.get("month", "")))
    day = values.get("day", "").strip()
    return iso(year, month, int(day) if day.isdecimal() and len(day) <= 2 else None)


def _topics(values: Mapping[str, str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for name in _TOPICS:
        if name not in values:
            continue
        text = _clean(values[name])
        for part in text.split(";" if ";" in text else ","):
            if topic := part.strip():
                found.setdefault(topic)
    return tuple(found)


def _references(values: Mapping[str, str]) -> Iterator[Reference]:
    if _CITING.isdisjoint(values):
        return
    for name in _CITES:
        raw = values.get(name, "").strip()
        if raw.startswith("{") and raw.endswith("}"):
            raw = raw[1:-1].strip()
        if not raw:
            continue
        if name == "cited-references":
            pieces = _NEXT_CITED.split(" ".join(raw.split()).strip(" ."))
            yield from (cited(decoded(piece)) for piece in pieces)
            continue
        keys = [part.strip() for part in raw.split(",")]
        if all(len(part.split()) == 1 and len(part) < 80 for part in keys):
            yield from (Reference(raw=part, ids=Identifiers(key=part)) for part in keys)
        else:
            yield from (reference(decoded(line)) for line in _printed(raw))


def _printed(raw: str) -> Iterator[str]:
    """The lines of a printed list: Scopus parts them by semicolons, Web of Science by stops."""
    if ";" in raw:
        pieces = re.split(r";\s+", raw)
    elif re.search(r"\.\s*\n", raw):
        pieces = re.split(r"\.\s*\n\s*", raw)
    else:
        pieces = raw.split("\n")
    for piece in pieces:
        if line := " ".join(piece.split()).strip(" ;."):
            yield line
