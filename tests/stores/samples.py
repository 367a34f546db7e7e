"""The sample answers of docs/cypher.md: python -m tests.stores.samples writes them anew."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kg.stores.embedded import EmbeddedStore
from kg.stores.find import resolved
from kg.stores.protocol import plain
from kg.stores.queries import CannedQuery, canned_queries
from tests.stores.library import library
from tests.stores.made import MadeSnapshot

PAGE = Path(__file__).parents[2] / "docs" / "cypher.md"
START, END = "<!-- samples -->", "<!-- end of samples -->"
# Names as people type them, so that each query finds something in the small library.
_TYPED = {
    "method": "oak", "dataset": "GLADE", "name": "birch-xl", "paper": "elm extends oak",
    "metric": "Accuracy", "topic": "climbing", "task": "Climbing",
}  # fmt: skip
_ELSE = {"lineage": {"method": "IVY"}, "outperforms": {"method": "birch"},
         "cited-by": {"paper": "10.1/oak"}, "claims-citing": {"paper": "10.1/oak"}}  # fmt: skip
_ROWS = 3


def typed(query: CannedQuery) -> dict[str, str]:
    """Return what is typed for the parameters that have no default."""
    given = {p.name: _TYPED[p.name] for p in query.parameters if p.default is None}
    return given | _ELSE.get(query.name, {})


def samples(store: EmbeddedStore) -> str:
    """Return what stands between the two marks: each query with what it answers."""
    return "\n".join(line for query in canned_queries().values() for line in _sample(store, query))


def _sample(store: EmbeddedStore, query: CannedQuery) -> Iterator[str]:
    given = typed(query)
    answer = store.rows(query.cypher, resolved(store, query, given))
    said = " ".join(f"{name}={_shell(value)}" for name, value in given.items())
    takes = (
        f"`{p.name}`: {p.type}{'' if p.default is None else f' = {_default(p.default)}'}, {p.meaning}"
        for p in query.parameters
    )
    yield f"### {query.name}\n"
    yield f"{query.meaning}\n"
    yield from (f"- {line}" for line in takes)
    yield f"\n    kg query library.kg {query.name} {said}".rstrip() + "\n"
    yield f"| {' | '.join(answer.columns)} |"
    yield f"|{' --- |' * len(answer.columns)}"
    for row in answer.rows[:_ROWS]:
        yield f"| {' | '.join(_cell(value) for value in row)} |"
    more = len(answer.rows) - _ROWS
    yield f"\n{more} more row{'' if more == 1 else 's'}.\n" if more > 0 else ""


def _shell(value: str) -> str:
    return f"'{value}'" if " " in value else value


def _default(value: str) -> str:
    return value or "''"


def _cell(value: Any) -> str:
    shown = plain(value)
    text = "" if shown is None else shown if isinstance(shown, str) else json.dumps(shown)
    return text.replace("\\", "\\\\").replace("|", "\\|")


def main() -> None:
    """Write the page anew."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    with tempfile.TemporaryDirectory() as place:
        snapshot = MadeSnapshot(Path(place) / "tables", library())
        store = EmbeddedStore.synced(Path(place) / "db", snapshot)
        text = samples(store)
        store.close()
    PAGE.write_text(f"{before}{START}\n\n{text}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
