"""Time reading alone, against the barest program that does the same, in one run.

    python -m benchmarks.read_sources [--records 20000] [--only openalex,bibtex] [--file works.jsonl.gz ...]
    python -m benchmarks.read_sources --records 1000000 --only openalex --once
    python -m benchmarks.read_sources --only long-line

Prints, of every file named and of files made up here, records a second, the ratio of CPU time to the bare
reader (gzip and orjson for JSON lines, bibtexparser for BibTeX), and the peak memory of the reading process.
Each file is read in a process of its own; the faster of two runs counts, unless --once. `long-line` is one
JSON array of 200 MB without a line end; made files of a million records take up to 6 GB of disk in --folder.
"""

import argparse
import gzip
import json
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any
from xml.sax.saxutils import escape

import orjson

from kg.sources.registry import read, readers

_WORDS = [a + b + c for a in "wadi kelo sun mir tan".split() for b in "ber ling ro vas nu".split()
          for c in "na tor el is um ep".split()]  # fmt: skip
_LONG_LINE_BYTES = 200_000_000


def main() -> None:
    """Make the files, read each, print a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--only", default=",".join(name for name in MADE if name != "long-line"))
    parser.add_argument("--file", type=Path, action="append", default=[])
    parser.add_argument("--folder", type=Path, help="where the made files go; kept out of memory")
    parser.add_argument("--once", action="store_true", help="one run, and no bare reader")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for name in options.only.split(","):
            path = MADE[name](Path(folder), options.records)
            _report(path, once=options.once)
            path.unlink()
    for path in options.file:
        _report(path, once=options.once)


def _report(path: Path, *, once: bool) -> None:
    runs = [_apart(_reads, path) for _ in range(1 if once else 2)]
    count, seconds, peak = min(runs, key=lambda run: run[1])
    line = f"{path.name}: {path.stat().st_size / 1e6:.0f} MB, {count:,} records, {count / seconds:,.0f} a second"
    bare = _bibtex if ".bib" in path.name else _json if "jsonl" in path.name else None
    if bare is not None and not once:
        _, least, _ = min((_apart(bare, path) for _ in range(2)), key=lambda run: run[1])
        line += f", {seconds / least:.2f} times the bare reader"
    print(f"{line}, peak memory {peak:.0f} MB", flush=True)


def _apart(work: Callable[[Path], int], path: Path) -> tuple[int, float, float]:
    """Run in a new process; return what it counts, its CPU seconds, and its peak memory in MB."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_measured, (work, path))


def _measured(work: Callable[[Path], int], path: Path) -> tuple[int, float, float]:
    readers()
    started = time.process_time()
    count = work(path)
    seconds = time.process_time() - started
    return count, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _reads(path: Path) -> int:
    return sum(1 for _ in read([path]))


def _json(path: Path) -> int:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rb") as lines:
        return sum(1 for line in lines if orjson.loads(line))


def _bibtex(path: Path) -> int:
    from bibtexparser.entrypoint import parse_string

    return len(parse_string(path.read_text(encoding="utf-8")).entries)


# --- made files --------------------------------------------------------------------------------


def _text(random: Random, count: int) -> str:
    # Squared: some words are frequent, as in any text.
    words = [_WORDS[int(random.random() ** 2 * len(_WORDS))] for _ in range(count)]
    return " ".join(word + ". We" * (place % 17 == 16) for place, word in enumerate(words))


def _name(random: Random) -> str:
    first, last = random.choice(_WORDS).title(), random.choice(_WORDS) + random.choice(_WORDS)
    return f"{first} {last.title()}"


def _papers(count: int) -> Iterator[tuple[int, Random, str, str]]:
    random = Random(7)  # noqa: S311  (no secret)
    for n in range(1, count + 1):
        title = f"{_text(random, 8)} {n}".capitalize()
        yield n, random, title, f"{_text(random, 180).capitalize()} {n}."


def _openalex(folder: Path, count: int) -> Path:
    path = folder / "works.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=6) as lines:
        for n, random, title, text in _papers(count):
            lines.write(orjson.dumps(_work(n, random, title, text, count)) + b"\n")
    return path


def _work(n: int, random: Random, title: str, text: str, count: int) -> dict[str, Any]:
    """A work as the snapshot of OpenAlex holds it, some 9 kB of JSON."""
    address = "https://openalex.org/"
    index: dict[str, list[int]] = {}
    for place, word in enumerate(text.split()):
        index.setdefault(word, []).append(place)
    source = {"id": f"{address}S{n % 999}", "display_name": f"Journal of {_WORDS[n % 150]}", "issn_l": "1234-5678",
              "is_oa": True, "host_organization": f"{address}P1", "type": "journal"}  # fmt: skip
    location = {"is_oa": True, "landing_page_url": f"https://doi.org/10.5555/{n}", "pdf_url": None, "source": source,
                "license": "cc-by", "version": "publishedVersion", "is_accepted": True}  # fmt: skip
    topic = {"id": f"{address}T{n % 500}", "display_name": _text(random, 3).title(), "score": 0.98,
             "subfield": {"id": f"{address}subfields/17", "display_name": "Ice"},
             "field": {"id": f"{address}fields/17", "display_name": "Snow"},
             "domain": {"id": f"{address}domains/3", "display_name": "Physical Sciences"}}  # fmt: skip
    return {
        "id": f"{address}W{n}",
        "doi": f"https://doi.org/10.5555/{n}",
        "title": title,
        "display_name": title,
        "publication_year": 1990 + n % 35,
        "publication_date": f"{1990 + n % 35}-05-01",
        "ids": {"openalex": f"{address}W{n}", "doi": f"https://doi.org/10.5555/{n}", "mag": str(n + 10**6),
                "pmid": f"https://pubmed.ncbi.nlm.nih.gov/{n}"},
        "language": "en",
        "primary_location": location,
        "locations": [location, location | {"landing_page_url": f"https://pubmed.ncbi.nlm.nih.gov/{n}"}],
        "best_oa_location": location,
        "type": "article",
        "open_access": {"is_oa": True, "oa_status": "gold", "oa_url": None, "any_repository_has_fulltext": False},
        "authorships": [_authorship(random, place) for place in range(random.randint(1, 8))],
        "cited_by_count": n % 90,
        "biblio": {"volume": "12", "issue": "3", "first_page": "1", "last_page": "9"},
        "topics": [topic] * 3,
        "keywords": [{"id": f"{address}keywords/{w}", "display_name": w, "score": 0.5} for w in _WORDS[:4]],
        "concepts": [{"id": f"{address}C{i}", "wikidata": f"https://www.wikidata.org/wiki/Q{i}", "level": i % 4,
                      "display_name": _WORDS[i].title(), "score": i / 12} for i in range(12)],
        "mesh": [],
        "referenced_works": [f"{address}W{1 + int(random.random() ** 2 * 10 * count)}" for _ in range(random.randint(0, 60))],
        "related_works": [f"{address}W{random.randint(1, 10**9)}" for _ in range(10)],
        "counts_by_year": [{"year": 2024 - i, "cited_by_count": i} for i in range(8)],
        "abstract_inverted_index": index,
        "updated_date": "2025-01-01T00:00:00.000000",
    }  # fmt: skip


def _authorship(random: Random, place: int) -> dict[str, Any]:
    name = _name(random)
    institution = {"id": f"https://openalex.org/I{place}", "display_name": "University of Ice", "type": "education",
                   "ror": "https://ror.org/000000000", "country_code": "NO", "lineage": ["https://openalex.org/I1"]}  # fmt: skip
    return {
        "author_position": "first" if place == 0 else "middle",
        "author": {"id": f"https://openalex.org/A{random.randint(1, 10**9)}", "display_name": name,
                   "orcid": "https://orcid.org/0000-0002-1825-0097" if place % 2 else None},
        "institutions": [institution],
        "countries": ["NO"],
        "is_corresponding": place == 0,
        "raw_author_name": name,
        "raw_affiliation_strings": ["Department of Snow, University of Ice, Tromsø, Norway"],
        "affiliations": [{"raw_affiliation_string": "University of Ice, Norway", "institution_ids": [institution["id"]]}],
    }  # fmt: skip


def _bib(folder: Path, count: int) -> Path:
    path = folder / "papers.bib"
    with path.open("w", encoding="utf-8") as file:
        for n, random, title, text in _papers(count):
            names = " and ".join(f"{_name(random)}" for _ in range(3))
            file.write(
                f"@article{{walk{n},\n  title = {{{{{title}}} on {{Ice}}}},\n  year = {{2019}},\n  month = may,\n"
                f'  author = {{{names} and M{{\\"u}}ller, J.}},\n  journal = {{Journal of Ice}},\n  volume = {{7}},\n'
                f"  pages = {{{n}--{n + 9}}},\n  doi = {{10.1000/walk.{n}}},\n  keywords = {{ice, snow}},\n"
                f"  abstract = {{{text}}}\n}}\n\n"
            )
    return path


def _ris(folder: Path, count: int) -> Path:
    path = folder / "papers.ris"
    with path.open("w", encoding="utf-8") as file:
        for n, random, title, text in _papers(count):
            file.write(
                f"TY  - JOUR\nTI  - {title}\nAU  - {_name(random)}\nAU  - {_name(random)}\nPY  - 2019\n"
                f"JO  - Journal of Ice\nDO  - 10.1000/walk.{n}\nKW  - ice\nAB  - {text}\nER  - \n\n"
            )
    return path


def _csv(folder: Path, count: int) -> Path:
    path = folder / "papers.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write("Title,Authors,Year,DOI,Abstract\n")
        for n, random, title, text in _papers(count):
            file.write(
                f'{title},"{_name(random)}; {_name(random)}",2019,10.1000/walk.{n},"{text}"\n'
            )
    return path


def _xml(folder: Path, count: int) -> Path:
    path = folder / "pubmed.xml.gz"
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as file:
        file.write('<?xml version="1.0"?>\n<PubmedArticleSet>\n')
        for n, random, title, text in _papers(count):
            first, last = _name(random).split()
            file.write(
                f'<PubmedArticle><MedlineCitation><PMID Version="1">{n}</PMID><Article><Journal><JournalIssue>'
                f"<PubDate><Year>2019</Year></PubDate></JournalIssue><Title>Ice</Title></Journal><ArticleTitle>"
                f"{escape(title)}</ArticleTitle><Abstract><AbstractText>{escape(text)}</AbstractText></Abstract>"
                f"<AuthorList><Author><LastName>{last}</LastName><ForeName>{first}</ForeName></Author></AuthorList>"
                "</Article></MedlineCitation></PubmedArticle>\n"
            )
        file.write("</PubmedArticleSet>\n")
    return path


def _listing(folder: Path, count: int) -> Path:
    path = folder / "papers.txt"
    with path.open("w", encoding="utf-8") as file:
        for _, _, title, text in _papers(count):
            file.write(f"{title}\n\n{text}\n\n")
    return path


def _long_line(folder: Path, _count: int) -> Path:
    path = folder / "line.json"
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for n, random, title, text in _papers(10**9):
            row = {"title": title, "abstract": text, "authors": [_name(random)], "year": 2019}
            file.write(f"{', ' * (n > 1)}{json.dumps(row)}")
            if file.tell() > _LONG_LINE_BYTES:
                break
        file.write("]")
    return path


MADE: dict[str, Callable[[Path, int], Path]] = {
    "openalex": _openalex,
    "bibtex": _bib,
    "ris": _ris,
    "csv": _csv,
    "pubmed": _xml,
    "listing": _listing,
    "long-line": _long_line,
}


if __name__ == "__main__":
    main()
