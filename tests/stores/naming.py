"""Names that try to be more than names, and what must hold of them in every store."""

import random
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from kg.graph.snapshot import MemorySnapshot
from kg.stores.find import find, resolved
from kg.stores.protocol import Store
from kg.stores.queries import canned_query
from tests.stores.made import edge, entity

# What ends or opens something in Cypher, Lucene, regular expressions, CSV, shells or pages.
SIGNS = (
    "'", '"', "`", "\\", "\\'", '\\"', "\\u0027", "\\u005C", "$name", "${name}", "{", "}", "[", "]",
    "(", ")", "//", "/*", "*/", ";", ";\n", "--", "|", "&", ":", "::", "=", "<>", ".*", "%", "_",
    "\x00", "\r\n", "\n", "\t", "\x1f", "\u2028", "\x85", "\u200b", "\ufeff", "\u202e", "é", "e\u0301",
    "🌳", "\U0010ffff", "\ufffd", "NULL", "null", "true", "1e999", "-1", "0x0",
    "' OR 1=1 //", "' RETURN 1 UNION MATCH (n) DETACH DELETE n //", "}) DETACH DELETE m //",
    "\" OR \"\"=\"", "' + $name + '", "name:*", "~2", "^4", "AND", "OR NOT", "\\b(x+)+$",
    "<script>", "&amp;", "%s", "{0}", "../..", "=cmd()", "|id", "$(id)",
)  # fmt: skip
_CHARACTERS = st.characters(exclude_categories=["Cs"])

names = st.lists(
    st.one_of(st.sampled_from(SIGNS), st.text(_CHARACTERS, min_size=1, max_size=6)),
    min_size=1, max_size=5,
).map("".join)  # fmt: skip


def drawn(rng: random.Random) -> str:
    """One such name without hypothesis, which is too slow for a hundred thousand."""

    def part() -> str:
        if rng.random() < 0.6:
            return rng.choice(SIGNS)
        codes = [rng.choice((rng.randrange(1, 128), rng.randrange(0x110000))) for _ in range(3)]
        return "".join(chr(code) for code in codes if not 0xD800 <= code < 0xE000)

    return "".join(part() for _ in range(rng.randint(1, 5))) or "'"


def named(given: Sequence[str]) -> MemorySnapshot:
    """A graph in which each name is that of a method, in its id, its forms and a sentence."""
    distinct = list(dict.fromkeys(given))
    ids = [f"method:{number}:{name}" for number, name in enumerate(distinct)]
    return MemorySnapshot.of_rows(
        {
            "Paper": [{"id": "p", "title": "The paper", "year": 2024}],
            "Method": [
                entity(id_, name, surfaces=[name, "x"])
                for id_, name in zip(ids, distinct, strict=True)
            ],
            "USES.Paper.Method": [
                edge("USES.Paper.Method", "p", id_, paper="p", sentence=name, confidence=0.5)
                for id_, name in zip(ids, distinct, strict=True)
            ],
        }
    )


def wrong(store: Store, snapshot: MemorySnapshot) -> list[str]:
    """Ask a store that holds the snapshot for each of its names; return those that mean more.

    By a parameter, by the name as a person types it, and by a canned query.
    """
    expected = {row["name"]: row["id"] for row in snapshot.table("Method").to_pylist()}
    found: list[str] = []
    every = "UNWIND $names AS name MATCH (m:Method) WHERE m.name = name RETURN name, m.id"
    together = sorted(map(tuple, store.rows(every, {"names": list(expected)}).rows))
    if together != sorted(expected.items()):
        found.append("all of them at once")
    query = canned_query("papers-naming")
    for name, id_ in expected.items():
        sentence = "MATCH (:Paper)-[u:USES {sentence: $name}]->(m:Method) RETURN m.id"
        given: dict[str, Any] = resolved(store, query, {"name": name})
        rows = store.rows(query.cypher, given).dicts()
        if (
            store.rows(sentence, {"name": name}).rows != ((id_,),)
            or find(store, name, ["Method"]) != [id_]
            or [(row["name"], row["sentence"]) for row in rows] != [(name, name)]
            or store.rows("RETURN $name AS n, size($name) AS s", {"name": name}).rows[0][0] != name
        ):
            found.append(name)
    if store.counts() != snapshot.counts():
        found.append("they changed the database")
    return found
