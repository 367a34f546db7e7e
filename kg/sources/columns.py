"""Which column or key of a table holds what: guessed from its name, or as the user says."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from kg.errors import InputError

# What a column may be called, without case, blanks and signs; the first that is filled wins.
# "*" marks a field that gathers all its columns.
_NAMES: dict[str, str] = {
    "title": "title titles papertitle articletitle documenttitle displayname itemtitle primarytitle ti t1"
    " publicationname papername worktitle name titel titre titulo",
    "abstract": "abstract abstractnote abstracttext paperabstract articleabstract abstracts abstr ab"
    " n2 summary abs description text body content zusammenfassung resume resumen details"
    " abstractinvertedindex invertedabstract",
    "authors": "authorfullnames authors author authornames authorfull authorsfull af au authorlist"
    " creators creator authorshipsauthordisplayname authorsname firstauthors authordisplayname"
    " primaryauthors allauthors autoren auteurs autores contributors by inventors bookauthors"
    " authorships authorstring",
    "year": "year publicationyear yearpublished pubyear publishedyear py yr issuedyear jahr annee ano"
    " yearofpublication journalyear",
    "date": "date publicationdate datepublished publisheddate pubdate published coverdate issued"
    " publishedat firstpublicationdate releasedate onlinedate onlinepublicationdate firstpublished submitted dateadded created da pd",
    "venue": "venue journal journalinfojournaltitle journaltitle journalname sourcetitle publicationtitle booktitle source so"
    " containertitle conference conferencename conferencetitle secondarytitle"
    " primarylocationsourcedisplayname hostvenuedisplayname journalbook proceedings jo jf t2"
    " publicationsource journalconference series publication zeitschrift revue revista rivista"
    " tijdschrift journalabbreviation pub",
    "doi": "doi di itemdoi digitalobjectidentifier dois doilink bookdoi do externalidsdoi prismdoi",
    "arxiv": "arxiv arxivid arxiveprints eprint arxivurl arxivnumber externalidsarxiv arxivlink",
    "pmid": "pmid pubmedid pm idspmid pubmed pubmedlink externalidspubmed medlineid",
    "pmcid": "pmcid pmc idspmcid externalidspubmedcentral",
    "openalex": "openalex openalexid idsopenalex openalexurl",
    "s2": "s2 s2id s2paperid semanticscholarid semanticscholarpaperid sha paperidsha",
    "corpus": "corpusid s2corpusid corpus externalidscorpusid",
    "mag": "mag magid microsoftacademicid idsmag externalidsmag",
    "dblp": "dblp dblpkey dblpid externalidsdblp",
    "acl": "acl aclid anthologyid externalidsacl",
    "openreview": "openreview openreviewid forum",
    "wos": "wos wosid ut utuniquewosid uniquewosid accessionnumber isiid",
    "scopus": "scopus eid scopusid",
    "key": "id key citationkey citekey itemkey paperid recordid record uid uuid lensid index number"
    " pid articleid documentid docid",
    "isbn": "isbn* isbns* bn* printisbn* electronicisbn* eisbn*",
    "url": "url* urls* link* links* ur* uri* pdf* pdflink* pdfurl* sourceurls* externalurl* weblink*"
    " documenturl* articleurl* paperurl* codeurl* code* github* repository* homepage* landingpage*",
    "topics": "keywords* keyword* authorkeywords* indexkeywords* keywordsplus* de* tags* manualtags*"
    " automatictags* fieldsofstudy* categories* category* topics* topic* subjects* subject* ieeeterms*"
    " inspeccontrolledterms* meshterms* primarytopicdisplayname* conceptsdisplayname* concepts* areas*"
    " primarycategory* wosckategories* kw* schlagworter* themes* mesh*"
    " keywordlistkeyword*",
    "references": "references* citedreferences* cr* bibliography* referencelist* referencedworks*"
    " outboundcitations* outcitations* citedworks* reference*",
    "language": "language lang la languageoforiginaldocument sprache langue",
    "kind": "type documenttype itemtype publicationtype dt contenttype referencetype pt articletype"
    " typeofreference pubtype ty",
}
FIELDS = tuple(_NAMES)
_RANKS: dict[str, tuple[str, int, bool]] = {
    name.rstrip("*"): (field, rank, name.endswith("*"))
    for field, names in _NAMES.items()
    for rank, name in enumerate(names.split())
}


_VOCABULARY = re.compile(r"(?:dc|dcterms|prism|bibo|schema):", re.IGNORECASE)
# Objects in a record that are the paper itself, or hold its identifiers.
_AROUND = frozenset(
    "paper metadata meta article work record document item data attributes source fields info entry"
    " bib bibliography ids identifiers externalids".split()
)


def check_fields(fields: Mapping[str, str]) -> None:
    """Raise InputError for a mapping whose left side is no field of a record."""
    for field in fields:
        if field not in _NAMES:
            raise InputError(
                f"--map {field}=...: a record has no field {field}",
                f"Map one of: {', '.join(FIELDS)}.",
            )


@lru_cache(maxsize=4096)
def meaning(column: str) -> tuple[str, int, bool] | None:
    """Return the field that a column's name stands for, its rank, and whether columns gather.

    What stands inside of an object that means the whole paper, paper.year, ranks after what
    stands outside.
    """
    names = [re.sub(r"[\W_]+", "", part) for part in column.casefold().split(".")]
    found = _RANKS.get("".join(names))
    if found is None and _VOCABULARY.match(column):
        return meaning(column.partition(":")[2])
    if found is None and len(names) > 1 and _AROUND.issuperset(names[:-1]):
        field, rank, gathers = _RANKS.get(names[-1], ("", 0, False))
        found = (field, rank + len(_RANKS), gathers) if field else None
    return found


class ColumnMap:
    """Takes the fields of a record out of rows with any columns."""

    def __init__(self, user: Mapping[str, str] | None = None) -> None:
        check_fields(user or {})
        self._user = dict(user or {})
        self._wanted = {name: field for field, name in self._user.items()}
        self._guessed: dict[str, str] = {}
        self._used: dict[str, list[str]] = {}
        self._unused: dict[str, None] = {}

    def known(self, columns: Iterable[str]) -> int:
        """How many of the columns have a name that means something."""
        return sum(column in self._wanted or meaning(column) is not None for column in columns)

    def has_text(self, columns: Iterable[str]) -> bool:
        """Whether a title or an abstract is among the columns."""
        columns = list(columns)
        by_name = {(meaning(column) or ("",))[0] for column in columns}
        by_user = {self._wanted.get(column) for column in columns}
        return bool((by_name | by_user) & {"title", "abstract"})

    def guess(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Find title and abstract by what the columns hold, where no name tells them."""
        columns = list(dict.fromkeys(column for row in rows for column in row))
        if self.has_text(columns):
            return
        texts: dict[str, list[str]] = {}
        for column in columns:
            values = [row[column] for row in rows if isinstance(row.get(column), str)]
            texts[column] = [value for value in values if value.strip()]
        lengths = {
            column: sum(map(len, values)) / len(values)
            for column, values in texts.items()
            if values
        }
        sentences = [c for c in lengths if lengths[c] >= 150 and _reads(texts[c])]
        if sentences:
            self._guessed[max(sentences, key=lambda c: lengths[c])] = "abstract"
        titles = [
            c
            for c in lengths
            if 15 <= lengths[c] < 250
            and c not in self._guessed
            and _reads(texts[c])
            and len(set(texts[c])) > len(texts[c]) // 2
        ]
        if titles:
            self._guessed[titles[0]] = "title"

    def take(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return the row's values by field; of those that gather, a list."""
        taken: dict[str, Any] = {}
        ranks: dict[str, int] = {}
        for column, value in row.items():
            if value is None or value in ("", [], {}):
                continue
            found = self._field(column)
            if found is None:
                self._unused.setdefault(column)
                continue
            field, rank, gathers = found
            self._use(field, column)
            if gathers:
                taken.setdefault(field, []).append(value)
            elif field not in taken or rank < ranks[field]:
                taken[field] = value
                ranks[field] = rank
        return taken

    def describe(self) -> str:
        """Say which column was read as what, for the report of the file."""
        used = ", ".join(
            f"{field} = {(' + ' if '*' in _NAMES[field] else ' or ').join(self._used[field])}"
            for field in FIELDS
            if field in self._used
        )
        unused = list(self._unused)
        shown = ", ".join(unused[:12]) + (
            f" and {len(unused) - 12} more" if len(unused) > 12 else ""
        )
        missing = [
            name for field, name in self._user.items() if name not in self._used.get(field, ())
        ]
        said = f"columns: {used or 'none recognised'}"
        if unused:
            said += f"; not used: {shown}"
        if missing:
            said += f"; --map names what is not there: {', '.join(missing)}"
        return said

    def _field(self, column: str) -> tuple[str, int, bool] | None:
        if column in self._wanted:
            return self._wanted[column], -1, False
        if column in self._guessed:
            return self._guessed[column], 0, False
        found = meaning(column)
        if found is not None and found[0] in self._user:
            return None  # the user named another column for this field
        return found

    def _use(self, field: str, column: str) -> None:
        columns = self._used.setdefault(field, [])
        if column not in columns:
            columns.append(column)


def _reads(values: list[str]) -> bool:
    """Whether the values are words, not addresses, numbers or codes."""
    wordy = sum(len(re.findall(r"[^\W\d_]{2,}", value)) >= 3 for value in values)
    return wordy > 0.6 * len(values) and not sum("://" in v[:12] for v in values) > len(values) // 2
