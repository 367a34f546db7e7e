"""A small graph that holds every type of property and text that breaks naive writers."""

import pytest

from kg.graph.snapshot import MemorySnapshot

HOSTILE = '=SUM(1) <b>"x"</b> & ]]> | a\\|b\r\n\tnext,\u2028 \x07bell é 漢'


@pytest.fixture
def snapshot() -> MemorySnapshot:
    """Two papers, a method, a claim, and edges between them."""
    return MemorySnapshot.of_rows(
        {
            "Paper": [
                {
                    "id": "doi:10.1/a",
                    "title": HOSTILE,
                    "title_made": False,
                    "text": "Walker beats Runner on Track by 3.5 points.",
                    "year": 2024,
                    "topics": ["cs.LG", "a | b", "c\\d"],
                    "known": True,
                },
                {"id": "doi:10.1/b", "title": "", "known": False, "topics": []},
            ],
            "Method": [
                {
                    "id": "method:walker",
                    "name": "Walker",
                    "named": True,
                    "surfaces": ["Walker", "WALKER"],
                    "surface_counts": [9007199254740993, 1],
                    "papers": 1,
                }
            ],
            "Claim": [
                {
                    "id": "claim:doi:10.1/a:0-43",
                    "text": "Walker beats Runner on Track by 3.5 points.",
                    "paper": "doi:10.1/a",
                    "start": 0,
                    "end": 43,
                    "confidence": 0.1 + 0.2,
                }
            ],
            "USES.Paper.Method": [
                {
                    "id": "e1",
                    "head": "doi:10.1/a",
                    "tail": "method:walker",
                    "paper": "doi:10.1/a",
                    "sentence": HOSTILE,
                    "start": 0,
                    "end": 6,
                    "confidence": 0.75,
                    "role": "used",
                    "starts": [0, 7],
                    "ends": [6, 13],
                }
            ],
            "MAKES.Paper.Claim": [
                {
                    "id": "e2",
                    "head": "doi:10.1/a",
                    "tail": "claim:doi:10.1/a:0-43",
                    "confidence": 0.2,
                }
            ],
            "CITES.Paper.Paper": [
                # Two edges between the same ends: none may swallow the other.
                {"id": "e3", "head": "doi:10.1/a", "tail": "doi:10.1/b", "origin": "inline"},
                {"id": "e4", "head": "doi:10.1/a", "tail": "doi:10.1/b", "origin": "reference"},
            ],
        }
    )
