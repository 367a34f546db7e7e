"""A small library, written for the tests: invented papers about invented methods."""

from typing import Any

from kg.model.identity import claim_id, result_id
from tests.stores.made import Rows, edge, entity, read

Row = dict[str, Any]

_PAPERS: tuple[tuple[str, str, int | None, str, list[str]], ...] = (
    ("doi:10.1/oak", "Oak: Growing Trees of Thought", 2021, "2021-03-01", ["trees", "reasoning"]),
    ("doi:10.1/elm", "Elm Extends Oak", 2022, "2022-05-17", ["trees"]),
    ("arxiv:2301.00001", "Birch at Scale", 2023, "2023-01", ["scale", "trees"]),
    ("arxiv:2301.00002", "A Note on “Forests”, Part 2", 2023, "2023-02-28", []),
    ("hash:00ff", "Ivy Climbs: It's O'Hara's \\ Trick", 2024, "2024", ["ivy"]),
    ("doi:10.1/old", "The Root", None, "", []),
)
_METHODS = (
    ("method:oak", "Oak", 3, ["Oak", "OAK", "oaks"]),
    ("method:elm", "Elm", 2, ["Elm"]),
    ("method:birch", "Birch", 2, ["Birch", "Birch-XL"]),
    ("method:ivy", "Ivy", 1, ["Ivy"]),
    ("method:moss", "Móss-2", 1, ["Móss-2"]),
)


def library() -> Rows:
    """The rows of every table that is not empty."""
    return {
        "Paper": [
            {
                "id": id_, "title": title, "title_made": False, "text": f"{title}. We read it.",
                "year": year, "date": date, "topics": topics, "known": year is not None,
                "doi": id_.removeprefix("doi:") if id_.startswith("doi:") else None,
                "sources": [f"list.txt:{n}"], "model": "made-1", "aliases": [],
            }
            for n, (id_, title, year, date, topics) in enumerate(_PAPERS, 1)
        ],
        "Method": [
            entity(id_, name, papers=papers, mentions=papers * 2, surfaces=surfaces,
                   surface_counts=[2] * len(surfaces), reasons=["as written"] * len(surfaces))
            for id_, name, papers, surfaces in _METHODS
        ],
        "Dataset": [entity("dataset:glade", "Glade", papers=2), entity("dataset:copse", "Copse")],
        "Task": [entity("task:climbing", "climbing", named=False, papers=3),
                 entity("task:rooting", "rooting", named=False)],
        "Metric": [entity("metric:accuracy", "accuracy", named=False, papers=2),
                   entity("metric:height", "height", named=False)],
        "Author": [
            {"id": "author:ada", "name": "Ada Hazel", "family": "Hazel", "given": "Ada"},
            {"id": "author:bo", "name": "Bo Rowan", "family": "Rowan", "given": "Bo",
             "orcid": "0000-0002-1825-0097"},
            {"id": "author:cy", "name": "Cy Aspen", "family": "Aspen", "given": "Cy"},
        ],
        "Venue": [{"id": "venue:grove", "name": "Journal of Groves"}],
        **_claims(),
        **_paper_edges(),
        **_entity_edges(),
    }  # fmt: skip


def _mention(relation: str, paper: str, label: str, tail: str, sentence: str, **more: Any) -> Row:
    role = {"PROPOSES": "proposed", "USES": "used", "EVALUATES_ON": "evaluated_on"}
    more = {"role": role.get(relation, "mentioned"), "starts": [0, 9], "ends": [3, 12], **more}
    return edge(f"{relation}.Paper.{label}", paper, tail, **read(paper, sentence, **more))


def _paper_edges() -> Rows:
    oak, elm, birch, note, ivy, old = (paper[0] for paper in _PAPERS)
    return {
        "PROPOSES.Paper.Method": [
            _mention("PROPOSES", oak, "Method", "method:oak", "We propose Oak.", confidence=0.97),
            _mention("PROPOSES", elm, "Method", "method:elm", "Elm is our method."),
            _mention("PROPOSES", birch, "Method", "method:birch", "Birch scales."),
            _mention("PROPOSES", ivy, "Method", "method:ivy", "We introduce Ivy."),
        ],
        "USES.Paper.Method": [
            _mention("USES", elm, "Method", "method:oak", "Elm is trained with Oak."),
            _mention("USES", birch, "Method", "method:oak", "Oak gives us labels."),
            _mention("USES", ivy, "Method", "method:moss", "Móss-2 is used throughout."),
        ],
        "COMPARES_WITH.Paper.Method": [
            _mention("COMPARES_WITH", ivy, "Method", "method:birch", "Birch is a baseline."),
        ],
        "MENTIONS.Paper.Method": [
            _mention("MENTIONS", note, "Method", "method:elm", "Elm is known.", confidence=0.5),
        ],
        "EVALUATES_ON.Paper.Dataset": [
            _mention("EVALUATES_ON", oak, "Dataset", "dataset:glade", "On Glade, Oak wins."),
            _mention("EVALUATES_ON", birch, "Dataset", "dataset:glade", "Glade is our benchmark."),
            _mention("EVALUATES_ON", ivy, "Dataset", "dataset:copse", "We test on Copse."),
        ],
        "ADDRESSES.Paper.Task": [
            _mention("ADDRESSES", oak, "Task", "task:climbing", "Climbing is hard."),
            _mention("ADDRESSES", elm, "Task", "task:climbing", "We climb."),
            _mention("ADDRESSES", ivy, "Task", "task:climbing", "Ivy is for climbing."),
            _mention("ADDRESSES", birch, "Task", "task:rooting", "Rooting at scale."),
        ],
        "MEASURES.Paper.Metric": [
            _mention("MEASURES", oak, "Metric", "metric:accuracy", "Accuracy is 91.5%."),
        ],
        "CITES.Paper.Paper": [
            edge("CITES.Paper.Paper", a, b, origin="reference", method="doi", raw=raw,
                 starts=[], confidence=1.0)
            for a, b, raw in (
                (elm, oak, "Hazel 2021"), (birch, oak, "[1]"), (birch, elm, "[2]"),
                (ivy, birch, "(Rowan, 2023)"), (oak, old, "the root of it all"),
                (note, oak, "ibid."),
            )
        ],
        "PUBLISHED_IN.Paper.Venue": [
            edge("PUBLISHED_IN.Paper.Venue", paper, "venue:grove") for paper in (oak, elm)
        ],
        "WROTE.Author.Paper": [
            edge("WROTE.Author.Paper", who, paper, position=place)
            for who, paper, place in (
                ("author:ada", oak, 1), ("author:bo", oak, 2), ("author:ada", elm, 1),
                ("author:bo", birch, 1), ("author:cy", ivy, 1), ("author:ada", ivy, 2),
            )
        ],
    }  # fmt: skip


_CLAIMS = (
    ("doi:10.1/oak", 0, "Oak reaches 91.5% accuracy on Glade.", "performance", 0.95,
     "method:oak", "dataset:glade", 91.5, "%"),
    ("arxiv:2301.00001", 5, "Birch reaches 93.0% accuracy on Glade.", "performance", 0.9,
     "method:birch", "dataset:glade", 93.0, "%"),
    ("hash:00ff", 2, "Ivy grows 3.2x higher.", "performance", 0.8, "method:ivy", None, 3.2, "x"),
    ("doi:10.1/elm", 7, "Elm converges.", "theory", 0.7, "method:elm", None, None, None),
)  # fmt: skip


def _claims() -> Rows:
    tables: dict[str, list[Row]] = {
        name: []
        for name in ("Claim", "Result", "MAKES.Paper.Claim", "ABOUT.Claim.Method",
                     "REPORTS.Claim.Result", "OF.Result.Method", "ON.Result.Dataset",
                     "ON.Claim.Dataset", "BY.Result.Metric")
    }  # fmt: skip
    for paper, start, text, kind, confidence, method, dataset, value, unit in _CLAIMS:
        claim = claim_id(paper, start, start + len(text))
        evidence = read(paper, text, start=start, confidence=confidence)

        def add(name: str, head: str, tail: str, evidence: Row = evidence) -> None:
            tables[name].append(edge(name, head, tail, **evidence))

        tables["Claim"].append(
            {"id": claim, "text": text, "kind": kind, "polarity": "positive",
             "certainty": "certain", "paper": paper, "start": start, "end": start + len(text),
             "confidence": confidence, "model": "made-1"}
        )  # fmt: skip
        add("MAKES.Paper.Claim", paper, claim)
        add("ABOUT.Claim.Method", claim, method)
        if value is None:
            continue
        result = result_id(paper, start + 4, start + 9)
        tables["Result"].append(
            {"id": result, "raw": f"{value}{unit}", "value": value, "unit": unit,
             "change": "absolute", "relative": False, "direction": "up", "paper": paper,
             "start": start + 4, "end": start + 9, "confidence": confidence}
        )  # fmt: skip
        add("REPORTS.Claim.Result", claim, result)
        add("OF.Result.Method", result, method)
        if dataset:
            add("ON.Result.Dataset", result, dataset)
            add("ON.Claim.Dataset", claim, dataset)
            add("BY.Result.Metric", result, "metric:accuracy")
    birch = tables["Claim"][1]
    said = f"{birch['text'][:-1]}, unlike (Hazel, 2021)."
    tables["CITES.Claim.Paper"] = [
        edge(
            "CITES.Claim.Paper",
            birch["id"],
            "doi:10.1/oak",
            origin="inline",
            method="the authors and year",
            raw="(Hazel, 2021)",
            starts=[50],
            **read(birch["paper"], said, start=birch["start"], confidence=0.6),
        )
    ]
    return tables


def _entity_edges() -> Rows:
    def between(name: str, *rows: tuple[str, str, str, str, float]) -> list[Row]:
        return [edge(name, head, tail, **read(paper, sentence, confidence=confidence))
                for head, tail, paper, sentence, confidence in rows]  # fmt: skip

    oak, elm, birch, _, ivy, _ = (paper[0] for paper in _PAPERS)
    return {
        "EXTENDS.Method.Method": between(
            "EXTENDS.Method.Method",
            ("method:elm", "method:oak", elm, "Elm extends Oak.", 0.9),
            ("method:birch", "method:elm", birch, "Birch builds on Elm.", 0.8),
            ("method:ivy", "method:birch", ivy, "Ivy extends Birch.", 0.55),
            ("method:ivy", "method:oak", ivy, "Ivy goes back to Oak.", 0.6),
        ),
        "OUTPERFORMS.Method.Method": between(
            "OUTPERFORMS.Method.Method",
            ("method:birch", "method:oak", birch, "Birch beats Oak.", 0.85),
            ("method:ivy", "method:birch", ivy, "Ivy is better than Birch.", 0.7),
        ),
        "USES.Method.Method": between(
            "USES.Method.Method", ("method:ivy", "method:moss", ivy, "Ivy uses Móss-2.", 0.75)
        ),
        "EVALUATED_ON.Method.Dataset": between(
            "EVALUATED_ON.Method.Dataset",
            ("method:oak", "dataset:glade", oak, "On Glade, Oak wins.", 0.9),
            ("method:oak", "dataset:glade", birch, "Oak was run on Glade again.", 0.7),
            ("method:ivy", "dataset:copse", ivy, "We test Ivy on Copse.", 0.8),
        ),
        "ADDRESSES.Method.Task": between(
            "ADDRESSES.Method.Task", ("method:ivy", "task:climbing", ivy, "Ivy climbs.", 0.9)
        ),
    }


def grown() -> Rows:
    """The library later: a paper came, one went, an entity and an edge changed."""
    rows = {name: [dict(row) for row in table] for name, table in library().items()}
    gone = "doi:10.1/elm"
    for name, table in rows.items():
        rows[name] = [
            row for row in table
            if gone not in (row.get("head"), row.get("tail"), row.get("paper"))
            and not str(row["id"]).startswith(f"claim:{gone}") and row["id"] != gone
            and not str(row.get("head")).startswith(f"claim:{gone}")
        ]  # fmt: skip
    rows["Paper"].append(
        {"id": "doi:10.1/yew", "title": "Yew", "title_made": False, "text": "Yew.", "year": 2025,
         "known": True, "topics": ["scale"], "sources": ["more.txt:1"], "aliases": []}
    )  # fmt: skip
    rows["Method"].append(entity("method:yew", "Yew"))
    rows["PROPOSES.Paper.Method"].append(
        _mention("PROPOSES", "doi:10.1/yew", "Method", "method:yew", "We propose Yew.")
    )
    for row in rows["Method"]:
        if row["id"] == "method:oak":
            row |= {"name": "OAK", "papers": 2, "surfaces": ["OAK", "Oak"], "reasons": None}
    for row in rows["USES.Paper.Method"]:
        if row["tail"] == "method:moss":
            row |= {"confidence": 0.31, "sentence": "Móss-2, perhaps."}
    return rows
