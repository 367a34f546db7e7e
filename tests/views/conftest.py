"""A small graph whose names and texts try to become more than text; and a browser."""

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from kg.graph.snapshot import MemorySnapshot

SCRIPT = "</script><script>window.broken = 1</script>"
IMAGE = "<img src=x onerror='window.broken = 1'>\"'>"
TITLE = f"Walks {SCRIPT} on graphs {IMAGE} {{{{ 7 * 7 }}}} \u2028\u2029"
SENTENCE = f"We propose Walker {SCRIPT}, which beats Runner."
TEXT = f"{SENTENCE} It gains 3.5 points on Track <b>today</b>."
METHOD = f"Walker {SCRIPT}"


def _evidence(start: int, end: int, **more: Any) -> dict[str, Any]:
    return {
        "paper": "doi:10.1/a",
        "sentence": SENTENCE,
        "start": start,
        "end": end,
        "model": "m-1",
        "confidence": 0.83,
        **more,
    }


@pytest.fixture
def snapshot() -> MemorySnapshot:
    """One paper that proposes a method, compares it with another, and claims a result."""
    at, runner = TEXT.index("Walker"), TEXT.index("Runner")
    track = TEXT.index("Track")
    gains = TEXT.index("It gains")
    claim = f"claim:doi:10.1/a:{gains}-{len(TEXT)}"
    return MemorySnapshot.of_rows(
        {
            "Paper": [
                {
                    "id": "doi:10.1/a",
                    "title": TITLE,
                    "text": TEXT,
                    "year": 2024,
                    "doi": "10.1/a",
                    "urls": ["javascript:window.broken=1", "https://example.org/a?b=1&c=2"],
                }
            ],
            "Method": [
                {"id": "method:walker", "name": METHOD, "surfaces": [METHOD, "Walker"]},
                {"id": "method:runner", "name": "Runner", "surfaces": ["Runner"], "papers": 1},
            ],
            "Dataset": [{"id": "dataset:track", "name": "Track", "surfaces": ["Track"]}],
            "Claim": [
                {
                    "id": claim,
                    "text": TEXT[gains:],
                    "kind": "performance",
                    "paper": "doi:10.1/a",
                    "start": gains,
                    "end": len(TEXT),
                    "confidence": 0.9,
                }
            ],
            "Result": [
                {
                    "id": "result:doi:10.1/a:1-2",
                    "raw": "3.5 points",
                    "value": 3.5,
                    "unit": "points",
                    "change": "delta",
                    "direction": "up",
                    "paper": "doi:10.1/a",
                }
            ],
            "PROPOSES.Paper.Method": [
                {
                    "id": "e1",
                    "head": "doi:10.1/a",
                    "tail": "method:walker",
                    **_evidence(0, len(SENTENCE), starts=[at], ends=[at + 6], role="proposed"),
                }
            ],
            "COMPARES_WITH.Paper.Method": [
                {
                    "id": "e2",
                    "head": "doi:10.1/a",
                    "tail": "method:runner",
                    **_evidence(0, len(SENTENCE), starts=[runner], ends=[runner + 6]),
                }
            ],
            "EVALUATES_ON.Paper.Dataset": [
                {
                    "id": "e3",
                    "head": "doi:10.1/a",
                    "tail": "dataset:track",
                    **_evidence(gains, len(TEXT), starts=[track], ends=[track + 5]),
                    "sentence": TEXT[gains:],
                }
            ],
            "OUTPERFORMS.Method.Method": [
                {
                    "id": "e4",
                    "head": "method:walker",
                    "tail": "method:runner",
                    **_evidence(0, len(SENTENCE)),
                }
            ],
            "MAKES.Paper.Claim": [
                {"id": "e5", "head": "doi:10.1/a", "tail": claim, **_evidence(gains, len(TEXT))}
            ],
            "ABOUT.Claim.Method": [
                {"id": "e6", "head": claim, "tail": "method:walker", **_evidence(gains, len(TEXT))}
            ],
            "ON.Claim.Dataset": [
                {"id": "e7", "head": claim, "tail": "dataset:track", **_evidence(gains, len(TEXT))}
            ],
            "REPORTS.Claim.Result": [
                {"id": "e8", "head": claim, "tail": "result:doi:10.1/a:1-2", **_evidence(0, 5)}
            ],
        }
    )


def _edge(kind: str, paper: str, tail: str, confidence: float = 0.9) -> dict[str, object]:
    return {
        "id": f"{kind} {paper} {tail}",
        "head": paper,
        "tail": tail,
        "paper": paper,
        "sentence": f"{paper} on {tail}.",
        "confidence": confidence,
    }


PAPERS = [f"p{i:02}" for i in range(40)]


@pytest.fixture
def fields() -> MemorySnapshot:
    """Forty papers, each in one of two fields; a method and a dataset per field go together."""
    return MemorySnapshot.of_rows(
        {
            "Paper": [{"id": p, "title": p.upper()} for p in PAPERS],
            "Method": [{"id": f"m{f}", "name": f"M{f}"} for f in range(2)]
            + [{"id": f"own {p}", "name": p} for p in PAPERS],
            "Dataset": [{"id": f"d{f}", "name": f"D{f}"} for f in range(2)],
            "USES.Paper.Method": [_edge("USES", p, f"m{i % 2}") for i, p in enumerate(PAPERS)],
            "PROPOSES.Paper.Method": [_edge("PROPOSES", p, f"own {p}") for p in PAPERS],
            "EVALUATES_ON.Paper.Dataset": [
                _edge("EVALUATES_ON", p, f"d{i % 2}", 0.9 if i < 30 else 0.1)
                for i, p in enumerate(PAPERS)
            ],
        }
    )


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium; skip in one line where there is none."""
    path = (
        os.environ.get("KG_CHROMIUM")
        or shutil.which("chromium")
        or shutil.which("chromium-browser")
    )
    if path is None:
        reason = "needs Chromium: apt-get install chromium, or set KG_CHROMIUM to its path"
        if os.environ.get("KG_REQUIRE_CHROMIUM"):
            pytest.fail(reason)
        pytest.skip(reason)
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=arguments)
        yield chromium
        chromium.close()
