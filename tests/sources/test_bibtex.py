"""BibTeX: every entry is a record or a rejection, and reads as its author meant it."""

from kg.model.record import Identifiers, Person, Record, Reference, Rejected
from kg.sources.bibtex import read_bibtex
from kg.sources.reader import Note


def read(text: str) -> tuple[list[Record], list[Rejected], list[str]]:
    """Return records, rejections and notes."""
    items = list(read_bibtex(text.split("\n")))
    return (
        [item for item in items if isinstance(item, Record)],
        [item for item in items if isinstance(item, Rejected)],
        [item.text for item in items if isinstance(item, Note)],
    )


def test_an_entry_is_read_with_its_accents_and_macros() -> None:
    """Macros, joined strings, braces, accents, and fields with odd names."""
    records, rejected, notes = read(
        r"""
@string{ joi = "Journal of " # {Ice} }
% @article{commented, title={No}}
@Article{key:1,
  author = {M{\"u}ller, J{\'o}zef and van der {\O}re, Anna and {Walkers and Runners}},
  title = {On {ICE} and $\alpha$-Snow \& 50\% of it},
  journal = joi, year = 2019, month = feb, day = 3,
  author+an = {1=highlight},
  doi = {https://doi.org/10.1000/Ice\_1},
  eprint = {1901.00001v2}, archivePrefix = {arXiv},
  abstract = {We \emph{walk}.
     And fall.},
  keywords = {ice, snow},
}
"""
    )
    assert rejected == []
    assert notes == ["1 @string, no paper"]
    assert records == [
        Record(
            title="On ICE and α-Snow & 50% of it",
            text="We walk. And fall.",
            original="We \\emph{walk}.\n     And fall.",
            authors=(
                Person("Müller", "Józef"),
                Person("van der Øre", "Anna"),
                Person(name="Walkers and Runners"),
            ),
            year=2019,
            date="2019-02-03",
            venue="Journal of Ice",
            ids=Identifiers(doi="10.1000/ice_1", arxiv="1901.00001", key="key:1"),
            arxiv_version="v2",
            topics=("ice", "snow"),
            kind="article",
            line=4,
        )
    ]


def test_a_brace_never_closed_costs_one_entry() -> None:
    """The next entry is read, and the broken one is listed with its text."""
    records, rejected, _ = read(
        "@book{a, title={A Walk}\n}\n@article{b, title={Broken,\n year=2019\n"
        "@article{c, title={A Fall}}\n@misc{d, title = {Cut sho"
    )
    assert [(record.ids.key, record.line) for record in records] == [("a", 1), ("c", 5)]
    assert [(item.line, item.raw, item.reason) for item in rejected] == [
        (3, "@article{b, title={Broken,\n year=2019", "@article: its brace is never closed"),
        (
            6,
            "@misc{d, title = {Cut sho",
            "@misc: its brace is never closed; is the file cut short?",
        ),
    ]


def test_parentheses_quotes_and_missing_keys_are_read() -> None:
    """Old files and careless ones."""
    records, rejected, _ = read(
        '@article(old:1, title = "A {"}Quoted{"} Walk (and Fall)", year = 1975)\n'
        "@misc{, title={No Key}} @misc{title={No Comma}}\n"
        "@misc{x, title={Missing comma} year={2001} author={Doe, Jane}}"
    )
    assert [(r.title, r.year) for r in records] == [
        ('A "Quoted" Walk (and Fall)', 1975),
        ("No Key", None),
        ("No Comma", None),
        ("Missing comma", 2001),
    ]
    assert rejected == []


def test_children_inherit_from_their_proceedings_wherever_they_stand() -> None:
    """DBLP puts the proceedings last."""
    records, _, _ = read(
        "@inproceedings{c1, title={On Ice}, crossref={p}}\n"
        "@proceedings{p, title={Proc. of Walks}, year={2020}}\n"
        "@inproceedings{c2, title={On Snow}, crossref={p}}"
    )
    found = {record.ids.key: (record.venue, record.year) for record in records}
    assert found["c1"] == found["c2"] == ("Proc. of Walks", 2020)
    assert len(records) == 3


def test_duplicate_keys_are_kept_and_named() -> None:
    """Two papers may share a key by mistake; neither vanishes."""
    records, _, notes = read("@misc{k, title={One}}\n@misc{k, title={Two}}")
    assert [record.title for record in records] == ["One", "Two"]
    assert notes == ["1 keys are used again: k (line 2)"]


def test_comments_are_no_papers_and_text_between_is_skipped() -> None:
    """JabRef's groups, notes of the user, mail addresses."""
    records, rejected, notes = read(
        "Mail me@example.org (or not).\n@Comment{jabref-meta: groups;}\n@comment no braces\n"
        '@preamble{"\\newcommand{x}"}\n@misc{k, title={One}}\nbye'
    )
    assert ([record.title for record in records], rejected) == (["One"], [])
    assert notes == ["1 @comment, no paper", "1 @preamble, no paper"]


def test_entries_that_name_no_paper_are_listed() -> None:
    """They cannot be told apart, nor cited."""
    _, rejected, _ = read("@misc{k, author={Doe, Jane}, year={2001}}\n@xdata{x, year={2001}}")
    assert [(item.line, item.reason) for item in rejected] == [
        (1, "@misc k: no title, no abstract and no identifier"),
        (2, "fields for other entries, not a paper"),
    ]


def test_citing_fields_become_references() -> None:
    """Keys of the same file, Web of Science's printed lines, Scopus's list."""
    records, _, _ = read(
        "@misc{a, title={A}, cites={b,c:2}}\n"
        "@misc{b, title={B}, Cited-References = {Doe J, 2001, J ICE, V3, P4.\n"
        "   Roe R, 2002, J ICE, DOI 10.1000/r.}}\n"
        "@misc{c, title={C}, references={Doe, J., Ice (2001) J. Ice, 3; Roe, R., Snow (2002)}}"
    )
    assert [record.references for record in records] == [
        tuple(Reference(raw=key, ids=Identifiers(key=key)) for key in ("b", "c:2")),
        (
            Reference(
                raw="Doe J, 2001, J ICE, V3, P4",
                authors=("Doe",),
                year=2001,
                venue="J ICE",
                volume="3",
                page="4",
            ),
            Reference(
                raw="Roe R, 2002, J ICE, DOI 10.1000/r",
                ids=Identifiers(doi="10.1000/r"),
                authors=("Roe",),
                year=2002,
                venue="J ICE",
            ),
        ),
        (Reference(raw="Doe, J., Ice (2001) J. Ice, 3"), Reference(raw="Roe, R., Snow (2002)")),
    ]


def test_identifiers_hide_in_many_fields() -> None:
    """Anthology, DBLP and Web of Science each have their place for them."""
    records, _, _ = read(
        "@inproceedings{DBLP:conf/x/DoeR20, title={A}, url={https://aclanthology.org/2020.acl-main.1}}\n"
        "@article{b, title={B}, journal={arXiv preprint arXiv:1706.03762}}\n"
        "@article{c, title={C}, Unique-ID={ISI:000238592600006}, pmid={123}}"
    )
    assert [record.ids for record in records] == [
        Identifiers(dblp="conf/x/DoeR20", acl="2020.acl-main.1", key="DBLP:conf/x/DoeR20"),
        Identifiers(arxiv="1706.03762", key="b"),
        Identifiers(wos="WOS:000238592600006", pmid="123", key="c"),
    ]


def test_faults_of_the_hand_are_forgiven() -> None:
    """No comma behind a key, a diaeresis in quotes, and what stands in parentheses."""
    library = r"""
@article{walk title={On Ice}, year=2003}
@article{q, title = "The \"{O}re and the \"orn", author = "{\'E}va Doe and {\O}yvind"}
@inproceedings(p, title = {Walks (on ice)}, crossref = "proc")
@proceedings{proc, title = {Proceedings of Ice}, booktitle = {Proc. of Ice '99}, year = 1999}
"""
    records = {r.ids.key: r for r in read_bibtex(library.split("\n")) if isinstance(r, Record)}
    assert (records["walk"].title, records["walk"].year) == ("On Ice", 2003)
    assert records["q"].title == "The Öre and the örn"
    assert [person.display for person in records["q"].authors] == ["Éva Doe", "Øyvind"]
    assert (records["p"].title, records["p"].venue, records["p"].year) == (
        "Walks (on ice)",
        "Proc. of Ice '99",
        1999,
    )


def test_web_of_science_lists_what_it_cites() -> None:
    """In double braces, a full stop after each, however the lines were wrapped."""
    entry = """@article{ WOS:000500000000001,
Title = {{On Ice}},
Cited-References = {{Roe R, 2001, J SNOW, V1, P2, DOI 10.1000/snow. Van Poe E., 1999,
   RAIN BOOK.
   {[}Anonymous], 2010, REPORT.}},
}"""
    (record,) = read_bibtex(entry.split("\n"))
    assert isinstance(record, Record)
    assert [(r.authors, r.year, r.venue, r.ids.doi) for r in record.references] == [
        (("Roe",), 2001, "J SNOW", "10.1000/snow"),
        (("Van Poe",), 1999, "RAIN BOOK", ""),
        ((), 2010, "REPORT", ""),
    ]


def test_commas_in_keys_and_fields_commented_out_cost_nothing() -> None:
    """Scopus makes keys of names with commas; a line after a percent sign is no field."""
    records, rejected, notes = read(
        """@ARTICLE{Rivers, Jr2022,
\tauthor = {Rivers, Jr, J.}, title = {Walks}, year = 2022}
@book{min,
% author = {A, B},
  title = {One}, % two
  year = 2001
  % publisher = {C}
}
@inbook{tree, author = {Roe, A.}, booktitle = {Trees and walks}, year = 1984}
@article{logo, title = {{\\TUG}}, year = 1990}"""
    )
    assert (rejected, notes) == ([], [])
    assert [(each.ids.key, each.title, each.year) for each in records] == [
        ("Rivers, Jr2022", "Walks", 2022),
        ("min", "One", 2001),
        ("tree", "Trees and walks", 1984),
        ("logo", "TUG", 1990),
    ]
    assert records[1].authors == ()


def test_a_backslash_does_not_save_a_brace_unless_the_entry_would_break() -> None:
    r"""BibTeX counts \{ and \} as braces; exports that mean signs by them do not balance them."""
    records, rejected, _ = read(
        r"""@Article{rules, author = {Roe, Arne {\{O}}.}, title = {{On ice}}, year = {2006},
}
@misc{path,
  library = {Walks\2013\K45\},
  title = {Kraft},
  year = {2013}
}
@misc{open, title = {A set \{ of walks}, year = 2001
}
@misc{shut, title = {Two \} of walks}, year = 2002}
@misc{last, title = {Three}}"""
    )
    assert rejected == []
    assert [(each.ids.key, each.title, each.year) for each in records] == [
        ("rules", "On ice", 2006),
        ("path", "Kraft", 2013),
        ("open", "A set { of walks", 2001),
        ("shut", "Two } of walks", 2002),
        ("last", "Three", None),
    ]


def test_an_accent_on_an_i_without_braces_is_read() -> None:
    r"""Google Scholar wrote Mart\'\in, and a comma behind the last author."""
    (record,), _, _ = read(
        r"@misc{a, author={Abad, Mart\'\in and Roe, A. and others, }, title={T}}"
    )
    assert record.authors == (Person("Abad", "Martín"), Person("Roe", "A."))
