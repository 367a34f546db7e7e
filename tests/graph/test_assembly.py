"""From extractions to rows: every edge by the rule that the schema states, with its evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from kg.graph.assembly import Assembled, assemble, with_hashes
from kg.graph.extraction_table import EXTRACTIONS, extractions_table, text_hash
from kg.graph.tables import TABLES, arrow_schema
from kg.model.extraction import (
    Claim,
    ClaimKind,
    Entity,
    EntityType,
    Extraction,
    InlineCitation,
    Mention,
    Relation,
    RelationType,
    Result,
    Role,
)
from kg.model.identity import edge_id
from kg.model.record import Identifiers, Person, Record, Reference
from kg.model.schema import EDGE_TABLES, RelationshipType
from kg.resolve.papers import match_records
from kg.resolve.records import records_table

TEXT = (
    "Long reads are hard. We propose ReadNet, which extends BaseNet. "
    "On LongBench ReadNet reaches 61.2% accuracy, 3 points above BaseNet."
)
_SENTENCES = ((0, 20), (21, 63), (64, 132))


def _entity(
    name: str, kind: EntityType, role: Role, *, confidence: float = 0.9, text: str = TEXT
) -> Entity:
    starts = [at for at in range(len(text)) if text.startswith(name, at)]
    mentions = tuple(Mention(at, at + len(name), name) for at in starts)
    return Entity(name, kind, True, role, confidence, mentions)


READ_NET = _entity("ReadNet", EntityType.METHOD, Role.PROPOSED)
BASE_NET = _entity("BaseNet", EntityType.METHOD, Role.COMPARED, confidence=0.8)
LONG_BENCH = _entity("LongBench", EntityType.DATASET, Role.EVALUATED_ON)
ACCURACY = _entity("accuracy", EntityType.METRIC, Role.USED)

CLAIM = Claim(
    *_SENTENCES[2],
    text=TEXT[64:132],
    kind=ClaimKind.PERFORMANCE,
    confidence=0.7,
    about=("ReadNet",),
    compared_to=("BaseNet",),
    on=("LongBench",),
    metrics=("accuracy",),
    results=(
        Result("61.2%", 93, 98, 61.2, "%", of="ReadNet", on="LongBench", by="accuracy"),
        Result("3 points", 109, 117, 3.0, "points", change="delta", direction="up",
               of="ReadNet", against="BaseNet", confidence=0.6),
    ),
)  # fmt: skip
EXTENDS = Relation("ReadNet", RelationType.EXTENDS, "BaseNet", *_SENTENCES[1], 0.8)
EXTRACTION = Extraction(
    "m-1", (READ_NET, BASE_NET, LONG_BENCH, ACCURACY), (CLAIM,), (EXTENDS,), (), _SENTENCES
)
RECORD = Record(title="ReadNet", text=TEXT, ids=Identifiers(doi="10.1/r"), file="a", ordinal=1)


def _assemble(
    *pairs: tuple[Record, Extraction | None], min_confidence: float = 0.0, batch_rows: int = 100
) -> Assembled:
    papers = with_hashes(match_records(records_table(record for record, _ in pairs)).papers)
    read = {text_hash(record.text): extraction for record, extraction in pairs if extraction}
    table = extractions_table(read.items())

    def extractions() -> Iterator[pa.RecordBatch]:
        return iter(table.to_batches(batch_rows))

    return assemble(papers, extractions, min_confidence=min_confidence)


def _rows(assembled: Assembled, table: str, *columns: str) -> list[tuple[Any, ...]]:
    rows = assembled.tables[table].select(list(columns)).to_pylist()
    return sorted(tuple(row.values()) for row in rows)


def _edges(assembled: Assembled) -> list[tuple[str, str, str]]:
    """Every edge as type, head and tail."""
    return sorted(
        (table.type.value, row["head"], row["tail"])
        for table in EDGE_TABLES
        for row in assembled.tables[table.name].to_pylist()
    )


def test_one_text_gives_the_nodes_and_edges_that_it_states() -> None:
    """The whole way, for one paper: this is what the graph is."""
    paper, claim = "doi:10.1/r", "claim:doi:10.1/r:64-132"
    results = "result:doi:10.1/r:93-98", "result:doi:10.1/r:109-117"
    read_net, base_net = "method:readnet", "method:basenet"
    long_bench, accuracy = "dataset:longbench", "metric:accuracy"
    assembled = _assemble((RECORD, EXTRACTION))

    assert _edges(assembled) == sorted(
        [
            ("PROPOSES", paper, read_net),
            ("COMPARES_WITH", paper, base_net),
            ("EVALUATES_ON", paper, long_bench),
            ("MEASURES", paper, accuracy),
            ("MAKES", paper, claim),
            ("ABOUT", claim, read_net),
            ("COMPARED_TO", claim, base_net),
            ("ON", claim, long_bench),
            ("BY", claim, accuracy),
            ("REPORTS", claim, results[0]),
            ("REPORTS", claim, results[1]),
            ("OF", results[0], read_net),
            ("OF", results[1], read_net),
            ("AGAINST", results[1], base_net),
            ("ON", results[0], long_bench),
            ("BY", results[0], accuracy),
            ("EXTENDS", read_net, base_net),
        ]
    )
    assert _rows(assembled, "Paper", "id", "title", "known", "model") == [
        (paper, "ReadNet", True, "m-1")
    ]
    assert _rows(assembled, "Claim", "id", "kind", "text", "confidence") == [
        (claim, "performance", TEXT[64:132], 0.7)
    ]
    assert _rows(assembled, "Result", "id", "raw", "value", "unit", "change", "direction") == [
        (results[1], "3 points", 3.0, "points", "delta", "up"),
        (results[0], "61.2%", 61.2, "%", "absolute", "none"),
    ]


def test_every_edge_read_from_a_text_quotes_it() -> None:
    """Evidence that does not stand where it says is worse than none."""
    assembled = _assemble((RECORD, EXTRACTION))
    quoted = [
        (table.name, row)
        for table in EDGE_TABLES
        for row in assembled.tables[table.name].to_pylist()
    ]

    assert len(quoted) == 17
    for name, row in quoted:
        assert TEXT[row["start"] : row["end"]] == row["sentence"], name
        assert (row["paper"], row["model"]) == ("doi:10.1/r", "m-1"), name
        assert row["component"].startswith("kg_"), name
        assert 0.0 <= row["confidence"] <= 1.0, name


def test_an_edge_to_an_entity_has_the_sentence_and_every_mention() -> None:
    """The page marks all mentions; the terminal shows the sentence."""
    assembled = _assemble((RECORD, EXTRACTION))
    (row,) = assembled.tables["PROPOSES.Paper.Method"].to_pylist()

    assert row == {
        "id": edge_id(RelationshipType.PROPOSES, "doi:10.1/r", "method:readnet"),
        "head": "doi:10.1/r",
        "tail": "method:readnet",
        "paper": "doi:10.1/r",
        "sentence": "We propose ReadNet, which extends BaseNet.",
        "start": 21,
        "end": 63,
        "component": "kg_roles",
        "model": "m-1",
        "confidence": 0.9,
        "role": "proposed",
        "starts": [32, 77],
        "ends": [39, 84],
    }


def test_a_paper_has_one_edge_to_an_entity_by_its_strongest_role() -> None:
    """Two spellings that turn out to be one thing must not count twice."""
    text = "ReadNet is fast. The READNET wins."
    small = _entity("ReadNet", EntityType.METHOD, Role.USED, text=text)
    large = _entity("READNET", EntityType.METHOD, Role.PROPOSED, text=text)
    extraction = Extraction("m-1", (small, large), sentences=((0, 16), (17, 34)))
    assembled = _assemble((replace(RECORD, text=text), extraction))

    edges = _edges(assembled)
    assert [edge[0] for edge in edges] == ["PROPOSES"]
    (row,) = assembled.tables["PROPOSES.Paper.Method"].to_pylist()
    assert (row["sentence"], row["starts"]) == ("The READNET wins.", [0, 21])


@pytest.mark.parametrize(
    ("role", "wanted"),
    [
        (Role.PROPOSED, "In this paper we carefully develop NetA."),
        (Role.COMPARED, "NetB outperforms NetA."),
        (Role.USED, "It is based on NetA."),
        (Role.EVALUATED_ON, "Experiments with NetA follow."),
        (Role.MENTIONED, "NetA is the first word."),
    ],
)
def test_an_edge_quotes_the_sentence_that_tells_the_role(role: Role, wanted: str) -> None:
    """Why a paper is said to propose something must be seen in the sentence shown."""
    sentences = (
        "NetA is the first word.",
        "Experiments with NetA follow.",
        "In this paper we carefully develop NetA.",
        "It is based on NetA.",
        "NetB outperforms NetA.",
    )
    text = " ".join(sentences)
    ends = [sum(len(s) + 1 for s in sentences[: n + 1]) - 1 for n in range(len(sentences))]
    spans = tuple((end - len(s), end) for s, end in zip(sentences, ends, strict=True))
    entity = _entity("NetA", EntityType.METHOD, role, text=text)
    assembled = _assemble(
        (replace(RECORD, text=text), Extraction("m-1", (entity,), sentences=spans))
    )

    assert [
        row["sentence"]
        for table in EDGE_TABLES
        for row in assembled.tables[table.name].to_pylist()
        if "role" in row
    ] == [wanted]


def test_a_relation_of_a_thing_to_itself_is_left_out() -> None:
    """What a text takes for two methods may be one by all other papers' word."""
    text = "ReadNet extends READNET."
    entities = tuple(
        _entity(name, EntityType.METHOD, Role.USED, text=text) for name in ("ReadNet", "READNET")
    )
    relation = Relation("ReadNet", RelationType.EXTENDS, "READNET", 0, 24, 0.9)
    extraction = Extraction("m-1", entities, (), (relation,), (), ((0, 24),))

    assert _edges(_assemble((replace(RECORD, text=text), extraction))) == [
        ("USES", "doi:10.1/r", "method:readnet")
    ]


def test_a_relation_exists_once_per_paper_that_says_so() -> None:
    """Counting support is then a query."""
    other = replace(RECORD, text=f"{TEXT} Again.", ids=Identifiers(doi="10.1/s"), ordinal=2)
    assembled = _assemble((RECORD, EXTRACTION), (other, EXTRACTION))

    assert _rows(assembled, "EXTENDS.Method.Method", "head", "tail", "paper") == [
        ("method:readnet", "method:basenet", "doi:10.1/r"),
        ("method:readnet", "method:basenet", "doi:10.1/s"),
    ]


def test_what_is_not_certain_enough_stays_out_with_what_hangs_on_it() -> None:
    """--min-confidence 0.75: the claim at 0.7 goes, and so do its results."""
    assembled = _assemble((RECORD, EXTRACTION), min_confidence=0.75)

    assert _edges(assembled) == [
        ("COMPARES_WITH", "doi:10.1/r", "method:basenet"),
        ("EVALUATES_ON", "doi:10.1/r", "dataset:longbench"),
        ("EXTENDS", "method:readnet", "method:basenet"),
        ("MEASURES", "doi:10.1/r", "metric:accuracy"),
        ("PROPOSES", "doi:10.1/r", "method:readnet"),
    ]
    assert _assemble((RECORD, EXTRACTION), min_confidence=0.85).tables["Method"].num_rows == 1


def test_two_papers_with_one_text_both_have_what_it_says() -> None:
    """A text is read once; each paper that has it has its edges."""
    twins = [replace(RECORD, ids=Identifiers(doi=f"10.1/{n}"), title=n) for n in "xy"]
    assembled = _assemble(*((twin, EXTRACTION) for twin in twins))

    assert _rows(assembled, "MAKES.Paper.Claim", "head") == [("doi:10.1/x",), ("doi:10.1/y",)]


@pytest.mark.parametrize("batch_rows", [1, 2])
def test_the_size_of_batches_does_not_show(batch_rows: int) -> None:
    """One machine reads in pieces of another size than a cluster."""
    texts = [f"{TEXT} Number {number}." for number in range(5)]
    pairs = [
        (replace(RECORD, text=text, ids=Identifiers(doi=f"10.1/{n}"), ordinal=n), EXTRACTION)
        for n, text in enumerate(texts)
    ]
    whole, pieces = _assemble(*pairs), _assemble(*pairs, batch_rows=batch_rows)

    assert all(whole.tables[name].equals(pieces.tables[name]) for name in TABLES)


@pytest.mark.parametrize("extraction", [None, Extraction("m-1"), replace(EXTRACTION, sentences=())])
def test_texts_about_which_nothing_was_read_are_papers_all_the_same(
    extraction: Extraction | None,
) -> None:
    """A text in another language, a model that finds no sentence: no paper is lost."""
    assembled = _assemble((RECORD, extraction))

    assert _rows(assembled, "Paper", "id") == [("doi:10.1/r",)]
    for table in EDGE_TABLES:
        for row in assembled.tables[table.name].to_pylist():
            assert TEXT[row["start"] : row["end"]] == row["sentence"]


def test_no_input_gives_every_table_empty() -> None:
    """Removing the last paper is a build like any other."""
    assembled = _assemble()

    assert set(assembled.tables) == set(TABLES)
    assert all(table.num_rows == 0 for table in assembled.tables.values())


def test_tables_are_sorted_by_id_and_have_the_columns_of_the_schema() -> None:
    """Differences are found by merging tables; stores load them by position."""
    others = [
        (replace(RECORD, text=f"{TEXT} {n}", ids=Identifiers(doi=f"10.1/{n}")), EXTRACTION)
        for n in "zyxabc"
    ]
    assembled = _assemble((RECORD, EXTRACTION), *others)

    for name, table in assembled.tables.items():
        assert table.schema.equals(arrow_schema(TABLES[name])), name
        ids: Sequence[str] = table["id"].to_pylist()
        assert ids == sorted(set(ids)), name


def test_bibliography_becomes_authors_venues_and_citations() -> None:
    """Who wrote it, where it appeared, what it cites; a paper that nobody read is a stub."""
    cited = Record(title="Base", text="BaseNet.", ids=Identifiers(doi="10.1/b"), ordinal=2)
    record = replace(
        RECORD,
        authors=(Person("Doe", "Jo"), Person(name="The LongBench Team", orcid="0000-0002")),
        venue="Proc. of Reading",
        references=(
            Reference(ids=Identifiers(doi="10.1/b")),
            Reference(
                raw="Doe. Old ways. 1999.", ids=Identifiers(doi="10.1/old"), title="Old ways"
            ),
            Reference(ids=Identifiers(doi="10.1/r")),
        ),
    )
    inline = InlineCitation("doi:10.1/b", 5, 15, "doi", target="10.1/b")
    assembled = _assemble((record, replace(EXTRACTION, citations=(inline,))), (cited, None))

    assert _rows(assembled, "WROTE.Author.Paper", "head", "tail", "position") == [
        ("author:0000-0002", "doi:10.1/r", 2),
        ("author:jo doe", "doi:10.1/r", 1),
    ]
    assert _rows(assembled, "PUBLISHED_IN.Paper.Venue", "head", "tail") == [
        ("doi:10.1/r", "venue:proc of reading")
    ]
    assert _rows(assembled, "CITES.Paper.Paper", "head", "tail") == [
        ("doi:10.1/r", "doi:10.1/b"),
        ("doi:10.1/r", "doi:10.1/old"),
    ]
    assert _rows(assembled, "Paper", "id", "title", "known") == [
        ("doi:10.1/b", "Base", True),
        ("doi:10.1/old", "Old ways", False),
        ("doi:10.1/r", "ReadNet", True),
    ]


def _cited(start: int, end: int, doi: str) -> InlineCitation:
    return InlineCitation(f"doi:{doi}", start, end, "doi", target=doi)


def test_a_claim_cites_what_is_cited_in_its_sentence() -> None:
    """Whose number is it in "BaseNet reaches 58% [1]"? The citation says."""
    text = "Nets are old doi:10.1/z. A beats doi:10.1/b by 3%, says doi:10.1/c. So doi:10.1/b wins."
    sentences = ((0, 24), (25, 67), (68, 87))
    claim = Claim(25, 49, text[25:49], ClaimKind.PERFORMANCE, 0.8)
    other = Claim(68, 87, text[68:87], ClaimKind.FINDING, 0.3)
    at = {name: text.index(f"doi:10.1/{name}") for name in "zc"}
    first, again = text.index("doi:10.1/b"), text.rindex("doi:10.1/b")
    citations = (
        *(_cited(at[name], at[name] + 10, f"10.1/{name}") for name in "zc"),
        *(_cited(place, place + 10, "10.1/b") for place in (first, again)),
    )
    extraction = Extraction("m-1", (), (claim, other), (), citations, sentences)
    cited = Record(title="Base", text="BaseNet.", ids=Identifiers(doi="10.1/b"), ordinal=2)
    pairs = (replace(RECORD, text=text), extraction), (cited, None)
    wanted = ("head", "tail", "sentence", "starts", "origin", "confidence")

    assert _rows(_assemble(*pairs, min_confidence=0.5), "CITES.Claim.Paper", *wanted) == [
        ("claim:doi:10.1/r:25-49", f"doi:10.1/{name}", text[25:67], [place], "inline", 0.8)
        for name, place in (("b", first), ("c", at["c"]))
    ]
    assert _rows(_assemble(*pairs), "CITES.Claim.Paper", "head", "tail") == [
        ("claim:doi:10.1/r:25-49", "doi:10.1/b"),
        ("claim:doi:10.1/r:25-49", "doi:10.1/c"),
        ("claim:doi:10.1/r:68-87", "doi:10.1/b"),
    ]


def test_a_citation_inside_one_of_two_claims_of_a_sentence_is_that_ones() -> None:
    """The other clause says something else."""
    text = "A beats doi:10.1/b, and C is exact."
    claims = tuple(
        Claim(*span, text[slice(*span)], ClaimKind.FINDING, 0.9) for span in ((0, 18), (20, 35))
    )
    extraction = Extraction("m-1", (), claims, (), (_cited(8, 18, "10.1/b"),), ((0, 35),))
    assembled = _assemble((replace(RECORD, text=text), extraction))

    assert _rows(assembled, "CITES.Claim.Paper", "head", "tail") == [
        ("claim:doi:10.1/r:0-18", "doi:10.1/b")
    ]


def test_addresses_are_the_papers_and_that_of_the_claim_beside_them() -> None:
    """Where the code is, is what many ask of a paper first."""
    text = "We win at https://a.org/x. Code is at https://a.org/y."
    claim = Claim(0, 26, text[:26], ClaimKind.FINDING, 0.9)
    links = tuple(
        InlineCitation(text[at : at + 15], at, at + 15, "url", target=text[at : at + 15])
        for at in (10, 38)
    )
    extraction = Extraction("m-1", (), (claim,), (), links, ((0, 26), (27, 54)))
    record = replace(RECORD, text=text, urls=("https://b.org",))
    assembled = _assemble((record, extraction))

    assert _rows(assembled, "Claim", "urls") == [(["https://a.org/x"],)]
    assert _rows(assembled, "Paper", "urls") == [
        (["https://a.org/x", "https://a.org/y", "https://b.org"],)
    ]
    assert assembled.tables["CITES.Claim.Paper"].num_rows == 0


def test_the_table_of_extractions_gives_them_back() -> None:
    """What was read is kept for years; nothing of it may be lost in the keeping."""
    from kg.graph.extraction_table import extraction_from_row

    whole = replace(
        EXTRACTION,
        citations=(InlineCitation("(Doe, 1999)", 1, 5, "author_year", ("Doe",), 1999),),
        flags=("long",),
    )
    table = extractions_table([("h1", whole), ("h2", Extraction("m-1"))])

    assert table.schema.equals(EXTRACTIONS)
    assert [extraction_from_row(row) for row in table.to_pylist()] == [whole, Extraction("m-1")]


def test_a_name_broken_over_two_lines_is_the_same_name() -> None:
    """Saved listings are wrapped at a column; offsets still point into the text as it was read."""
    text = "We propose Read Net. Read\nNet is fast."
    entity = Entity(
        "Read Net",
        EntityType.METHOD,
        True,
        Role.PROPOSED,
        0.9,
        (Mention(11, 19, "Read Net"), Mention(21, 29, "Read\nNet")),
    )
    record = Record(title="T", text=text, ids=Identifiers(doi="10.1/w"))
    assembled = _assemble((record, Extraction("m", (entity,), sentences=((0, 20), (21, 38)))))

    assert _rows(assembled, "Method", "name", "surfaces", "mentions") == [
        ("Read Net", ["Read Net"], 2)
    ]
    assert _rows(assembled, "PROPOSES.Paper.Method", "starts", "ends") == [([11, 21], [19, 29])]
