"""Why rows of a difference came, went or changed, as far as the difference itself tells."""

from typing import Any

import pyarrow as pa

from kg.graph.changes import Changes
from kg.graph.moved import moved
from kg.graph.tables import TABLES
from kg.model.schema import ENTITY_LABELS, EdgeTable, NodeLabel

_ENTITIES = tuple(label.value for label in ENTITY_LABELS)
MOVED = "moved in its file"
_ALIASED = (*_ENTITIES, NodeLabel.PAPER.value)


class Reasons:
    """Says why each row of a difference is in it."""

    def __init__(self, changes: Changes) -> None:
        tables = {change.table.name: change for change in changes.tables}
        # What an id is now, and which ids something had before.
        self._now: dict[str, str] = {}
        self._before: dict[str, str] = {}
        for name in _ALIASED:
            change = tables.get(name)
            if change is None:
                continue
            went = set(change.went["id"].to_pylist())
            for rows in (change.came, change.changed):
                pairs = zip(rows["id"].to_pylist(), rows["aliases"].to_pylist(), strict=True)
                for own, aliases in pairs:
                    for alias in aliases or ():
                        if alias in went:
                            self._now[alias] = own
                            self._before.setdefault(own, alias)
        papers = tables.get(NodeLabel.PAPER.value)
        self._papers_came = set(papers.came["id"].to_pylist()) if papers else set()
        self._papers_went = set(papers.went["id"].to_pylist()) if papers else set()
        self._moved: set[str] = set()
        if papers:
            rows = papers.changed.filter(pa.array(moved(papers)))
            self._moved.update(rows["id"].to_pylist())
        self._read_anew = self._with_another_text_or_model(changes)

    def came(self, table: str, row: dict[str, Any]) -> str:
        """Why a row came."""
        if row["id"] in self._before:
            return f"was {self._before[row['id']]}"
        if table == NodeLabel.PAPER.value:
            return "its record was read" if row["known"] else "it is cited"
        paper = self._paper(table, row)
        if paper in self._papers_came:
            return f"{paper} came"
        if table in _ENTITIES:
            return "it is named for the first time"
        return self._other(table, row, paper)

    def went(self, table: str, row: dict[str, Any]) -> str:
        """Why a row went."""
        if row["id"] in self._now:
            return f"is {self._now[row['id']]} now"
        if table == NodeLabel.PAPER.value:
            return "its records were taken out" if row["known"] else "it is cited no longer"
        paper = self._paper(table, row)
        if paper in self._papers_went:
            return f"{paper} went"
        if table in _ENTITIES:
            return "no text names it any longer"
        return self._other(table, row, paper)

    def changed(self, table: str, row: dict[str, Any]) -> str:
        """Why a row changed, where that is more than its properties show."""
        if table == NodeLabel.PAPER.value and row["id"] in self._moved:
            return MOVED
        paper = row["id"] if table == NodeLabel.PAPER.value else self._paper(table, row)
        return "the text was read anew" if paper in self._read_anew else ""

    def _other(self, table: str, row: dict[str, Any], paper: str) -> str:
        if paper in self._read_anew:
            return f"the text of {paper} was read anew"
        for end in ("head", "tail"):
            own = row.get(end, "")
            if own in self._now:
                return f"{own} is {self._now[own]} now"
            if own in self._before:
                return f"{own} was {self._before[own]}"
            if own in self._papers_came:
                return f"{own} came"
            if own in self._papers_went:
                return f"{own} went"
        return "names and references were resolved otherwise" if "head" in row else ""

    def _paper(self, table: str, row: dict[str, Any]) -> str:
        """The paper that a row rests on."""
        if row.get("paper"):
            return str(row["paper"])
        edge = TABLES[table]
        if isinstance(edge, EdgeTable):
            for end, label in (("head", edge.head), ("tail", edge.tail)):
                if label is NodeLabel.PAPER:
                    return str(row[end])
        return ""

    @staticmethod
    def _with_another_text_or_model(changes: Changes) -> set[str]:
        found: set[str] = set()
        for change in changes.tables:
            if change.table.name == NodeLabel.PAPER.value:
                sides = (change.before, change.changed)
                rows = zip(
                    *(s.select(["id", "text", "model"]).to_pylist() for s in sides), strict=True
                )
                found |= {after["id"] for before, after in rows if before != after}
        return found
