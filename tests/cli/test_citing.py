"""From what is printed in a text or a list to edges and to `kg citations`."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kg.api import extracting
from kg.model.extraction import Extraction
from kg.nlp.citations import inline_citations
from tests.cli.conftest import Run
from tests.graph.capitals import Capitals

TEXT = (
    "NetA gains 3% over Lake and Baroni (2018). NetA is 2% better (Lake and Baroni, 2018; Vaswani"
    " et al., 2017). It gains 4% over Vaswani et al. [2] and 5% over nets [1, 3-4]. It is 6% above"
    r" \cite{oak} and \citep{oak,none}. It is 7% above doi:10.1234/oak.1, arXiv:1706.03762v2 and"
    " N19-1423. Nobody and Noone (1999) lose 8%. Code: https://code.example/a."
)
LIST = (
    "B. Lake and M. Baroni. Generalization without Systematicity in Nets. ICML, 2018.",
    "[2] Vaswani, A., & Shazeer, N. (2017). Attention is all you need. NeurIPS.",
    "J. Devlin and M.-W. Chang, “BERT: Pre-training of Deep Transformers,” in NAACL, 2019.",
    "Z. Later. A paper that comes later on. J. Tests, 2020.",
    "B. Citing. On the whole of it. 2024.",
)
LIBRARY = """
@article{lake, title={Generalization without Systematicity in Nets}, author={Lake, Brenden and Baroni, Marco}, year={2018}}
@article{vas, title={Attention is All You Need}, author={Vaswani, Ashish and Shazeer, Noam}, year={2017}, eprint={1706.03762}, archivePrefix={arXiv}}
@article{bert, title={BERT: Pre-training of Deep Transformers}, author={Devlin, Jacob and Chang, Ming-Wei}, year={2019}, url={https://aclanthology.org/N19-1423}}
@article{oak, title={Oak grows}, author={Hazel, Ada}, year={2021}, doi={10.1234/oak.1}}
@article{twin1, title={One of two}, author={Twin, A.}, year={2000}, doi={10.1234/t1}}
@article{twin2, title={Two of two}, author={Twin, A.}, year={2000}, doi={10.1234/t2}}
"""
LAKE, VASWANI, BERT = (
    "Generalization without Systematicity in Nets",
    "arxiv:1706.03762",
    "acl:N19-1423",
)
OAK, CITING = "doi:10.1234/oak.1", "doi:10.1234/citing"


class _Citing(Capitals):
    """Reads citations as every model does."""

    def _extraction(self, text: str) -> Extraction:
        return replace(super()._extraction(text), citations=inline_citations(text))


@pytest.fixture
def citing(kg: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`kg` in a folder with a paper that cites in every form, and a library."""
    reading = _Citing()
    monkeypatch.setattr(extracting, "load", lambda model: reading)  # noqa: ARG005
    paper = {
        "title": "On the whole of it", "doi": "10.1234/citing", "year": 2024,
        "authors": ["Bo Citing"], "abstract": f"{TEXT} Twins (Twin, 2000) tie.", "references": LIST,
    }  # fmt: skip
    (tmp_path / "citing.jsonl").write_text(json.dumps(paper))
    (tmp_path / "library.bib").write_text(LIBRARY, encoding="utf-8")
    return kg


def _listed(kg: Run) -> Iterator[tuple[str, str, str | None]]:
    for line in kg("citations", "my.kg", "--json").stdout.splitlines():
        row = json.loads(line)
        yield row["raw"], row["status"], row["cited"]


def test_every_printed_form_finds_its_paper_and_the_claim_that_it_stands_in(citing: Run) -> None:
    """One look at the claims says whom their numbers are compared with."""
    citing("build", "citing.jsonl", "library.bib", "-o", "my.kg")
    claims = json.loads(
        citing(
            "query", "my.kg", "--json",
            "MATCH (c:Claim)-[r:CITES]->(p:Paper) RETURN r.raw AS raw, p.title AS title, p.id AS id",
        ).stdout
    )  # fmt: skip
    found = {
        (row["raw"], row["title"] if row["id"].startswith("hash:") else row["id"]) for row in claims
    }

    assert found == {
        ("Lake and Baroni (2018)", LAKE),
        ("(Lake and Baroni, 2018; Vaswani et al., 2017)", LAKE),
        ("(Lake and Baroni, 2018; Vaswani et al., 2017)", VASWANI),
        ("Vaswani et al. [2]", VASWANI),
        ("[1, 3-4]", LAKE),
        ("[1, 3-4]", BERT),
        ("[1, 3-4]", "A paper that comes later on"),
        (r"\cite{oak}", OAK),
        ("doi:10.1234/oak.1", OAK),
        ("arXiv:1706.03762v2", VASWANI),
        ("N19-1423", BERT),
        ("Nobody and Noone (1999)", "Nobody and Noone (1999)"),
    }


def test_every_reference_ends_in_one_list(citing: Run) -> None:
    """Nothing is dropped in silence: what is not an edge is named with its reason."""
    citing("build", "citing.jsonl", "library.bib", "-o", "my.kg")
    listed = sorted(_listed(citing), key=str)
    status = {(raw, status) for raw, status, _ in listed}

    assert {raw for raw, status in status if status == "ambiguous"} == {"(Twin, 2000)"}
    assert {raw for raw, status in status if status == "missing"} == {r"\citep{oak,none}"}
    assert {raw for raw, status in status if status == "self"} == {LIST[4]}
    assert {raw for raw, status in status if status == "link"} == {"https://code.example/a"}
    assert {raw for raw, status in status if status == "stub"} == {
        LIST[3], "[1, 3-4]", "Nobody and Noone (1999)"
    }  # fmt: skip
    assert len(listed) == len(LIST) + 16
    counted = citing("citations", "my.kg").stdout
    assert f"{len(listed)} references in 1 paper" in counted
    assert "1 self: the paper itself; no edge" in counted


def test_a_missing_paper_becomes_whole_when_its_record_comes(citing: Run, tmp_path: Path) -> None:
    """Its citations and its old id stay with it; without the record it is a stub again."""
    citing("build", "citing.jsonl", "-o", "my.kg")
    ids = {raw: cited for raw, status, cited in _listed(citing) if status == "stub"}
    late = {"title": "A Paper That Comes Later On", "authors": ["Zoe Later"], "year": 2020,
            "abstract": "LateNet is late.", "doi": "10.1234/late"}  # fmt: skip
    (tmp_path / "late.jsonl").write_text(json.dumps(late))
    citing("build", "late.jsonl", "library.bib", "-o", "my.kg")
    shown = json.loads(citing("show", "my.kg", str(ids[LIST[3]]), "--json").stdout)

    assert [(node["id"], node["known"], node["found_by"]) for node in shown] == [
        ("doi:10.1234/late", True, "earlier id")
    ]
    assert next(e["other"] for e in shown[0]["edges"] if e["type"] == "CITES") == CITING
    stubs = {raw for raw, status, _ in _listed(citing) if status == "stub"}
    assert stubs == {"Nobody and Noone (1999)"}
    diff = citing("diff", "my.kg", "--since", "1", status=1).stdout
    assert f"{ids[LIST[3]]}  A paper that comes later on  (is doi:10.1234/late now)" in diff
    citing("remove", "my.kg", "10.1234/late")
    again = {raw: cited for raw, status, cited in _listed(citing) if status == "stub"}
    assert again[LIST[3]] == ids[LIST[3]]
