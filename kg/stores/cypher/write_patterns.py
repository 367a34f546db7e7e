"""Writing patterns for the embedded database, with what they leave unsaid there."""

import itertools
from dataclasses import dataclass, field, replace

from kg.model.schema import EdgeTable
from kg.stores.cypher.hints import unsupported
from kg.stores.cypher.scope import (
    LABELS,
    TYPES,
    Bound,
    Scope,
    edge_bound,
    narrowed,
    node_bound,
    satisfying,
)
from kg.stores.cypher.syntax import (
    EdgePattern,
    Expression,
    LabelExpression,
    MapLiteral,
    NodePattern,
    Pattern,
)
from kg.stores.cypher.tokens import quote
from kg.stores.cypher.write_expressions import ExpressionWriter

# Neo4j searches without end; the embedded database wants one, and gives up past 30 by default.
LONGEST = 30


@dataclass
class Written:
    """The text of patterns, the conditions that go with them, and the names that they bind."""

    texts: list[str] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    names: dict[str, Bound] = field(default_factory=dict)


@dataclass(frozen=True)
class _Edge:
    name: str
    bound: Bound


class PatternWriter:
    """Writes the patterns of one MATCH at a time."""

    def __init__(self, expressions: ExpressionWriter, *, name_all: bool) -> None:
        self._expressions = expressions
        self._name_all = name_all

    def write(self, patterns: tuple[Pattern, ...], scope: Scope, *, optional: bool) -> Written:
        """Write patterns; no edge is taken twice by one MATCH, as in Neo4j."""
        written = Written()
        edges: list[_Edge] = []
        for pattern in patterns:
            self._bind(pattern, scope, written, optional=optional)
        inner = scope.having(**written.names)
        for pattern in patterns:
            written.texts.append(self._path(pattern, inner, written, edges))
        for first, second in itertools.combinations(edges, 2):
            if set(first.bound.tables) & set(second.bound.tables):
                written.conditions.append(_different(first, second))
        return written

    def _bind(self, pattern: Pattern, scope: Scope, written: Written, *, optional: bool) -> None:
        if pattern.variable:
            written.names[pattern.variable] = Bound("path", optional=optional)
        for node in pattern.nodes:
            if node.variable and node.variable not in scope.names:
                new = node_bound(node.labels, optional=optional)
                known = written.names.get(node.variable)
                if known is None or len(new.tables) < len(known.tables):
                    written.names[node.variable] = new
        for edge in pattern.edges:
            if edge.variable and edge.variable not in scope.names:
                kind = "edge" if edge.length is None else "edges"
                bound = edge_bound(edge.types, kind, optional=optional)
                written.names[edge.variable] = replace(bound, directed=edge.direction != "both")

    def _path(self, pattern: Pattern, scope: Scope, written: Written, edges: list[_Edge]) -> str:
        parts = [self._node(pattern.nodes[0], scope, written)]
        for i, edge in enumerate(pattern.edges):
            ends = [self._labels(pattern.nodes[j], scope) for j in (i, i + 1)]
            parts.append(self._edge(edge, pattern.search, ends, scope, written, edges))
            parts.append(self._node(pattern.nodes[i + 1], scope, written))
        named = f"{quote(pattern.variable)} = " if pattern.variable else ""
        return named + "".join(parts)

    @staticmethod
    def _labels(node: NodePattern, scope: Scope) -> set[str]:
        if node.variable in scope.names and scope.names[node.variable].tables:
            return {table.name for table in scope.names[node.variable].tables}
        return set(satisfying(node.labels, LABELS))

    def _node(self, node: NodePattern, scope: Scope, written: Written) -> str:
        name = quote(node.variable) if node.variable else ""
        if not name and (self._name_all or node.condition is not None):
            fresh = self._expressions.fresh("n")
            written.names[fresh] = node_bound(node.labels)
            name = quote(fresh)
        if node.condition is not None:
            written.conditions.append(self._expressions.write(node.condition, scope))
        labels = self._label_text(node.labels, LABELS, written)
        return f"({name}{labels}{self._properties(node.properties, scope)})"

    @staticmethod
    def _label_text(
        labels: LabelExpression | None, known: tuple[str, ...], written: Written
    ) -> str:
        wanted = satisfying(labels, known)
        if not wanted:
            written.conditions.append("false")
        if not wanted or wanted == known:
            return ""
        return ":" + "|".join(map(quote, wanted))

    def _properties(self, properties: Expression | None, scope: Scope) -> str:
        if properties is None:
            return ""
        if not isinstance(properties, MapLiteral):
            raise unsupported("parameter as the properties of a pattern", "Write {key: $value}.")
        return f" {self._expressions.write(properties, scope)}" if properties.pairs else ""

    def _edge(
        self,
        edge: EdgePattern,
        search: str,
        ends: list[set[str]],
        scope: Scope,
        written: Written,
        edges: list[_Edge],
    ) -> str:
        name = edge.variable or self._expressions.fresh("e")
        kind = "edge" if edge.length is None and not search else "edges"
        bound = edge_bound(edge.types, kind)
        if kind == "edge":
            bound = _joining(bound, edge.direction, *ends)
        if not search:
            edges.append(_Edge(name, bound))
        if not edge.variable and self._name_all:
            written.names[name] = bound
        types = self._label_text(edge.types, TYPES, written)
        if kind == "edge":
            if edge.condition is not None:
                inner = scope.having(**{name: bound})
                written.conditions.append(self._expressions.write(edge.condition, inner))
            inside = f"{quote(name)}{types}{self._properties(edge.properties, scope)}"
        else:
            inside = f"{quote(name)}{types}{self._length(edge, search, scope)}"
        left = "<-" if edge.direction == "in" else "-"
        right = "->" if edge.direction == "out" else "-"
        return f"{left}[{inside}]{right}"

    def _length(self, edge: EdgePattern, search: str, scope: Scope) -> str:
        low, high = edge.length or (1, 1)
        way = search.upper() or "TRAIL"
        conditions = []
        each = self._expressions.fresh("r")
        inner = scope.having(**{each: Bound("edge", edge_bound(edge.types, "edge").tables, each)})
        if isinstance(edge.properties, MapLiteral):
            conditions += [
                f"{each}.{quote(key)} = {self._expressions.write(value, scope)}"
                for key, value in edge.properties.pairs
            ]
        if edge.condition is not None:
            renamed = inner.having(**{edge.variable: inner.names[each]})
            conditions.append(self._expressions.write(edge.condition, renamed))
        kept = ""
        if conditions:
            kept = f" ({each}, {self._expressions.fresh('n')} | WHERE {' AND '.join(conditions)})"
        return f"* {way} {low}..{LONGEST if high is None else high}{kept}"


def _joining(bound: Bound, direction: str, before: set[str], after: set[str]) -> Bound:
    if direction == "out":
        return narrowed(bound, before, after)
    if direction == "in":
        return narrowed(bound, after, before)
    tables = tuple(
        table
        for table in bound.tables
        if isinstance(table, EdgeTable)
        and (
            (table.head in before and table.tail in after)
            or (table.head in after and table.tail in before)
        )
    )
    return Bound(bound.kind, tables)


def _different(first: _Edge, second: _Edge) -> str:
    if first.bound.kind == second.bound.kind == "edge":
        return f"id({quote(first.name)}) <> id({quote(second.name)})"
    if first.bound.kind == second.bound.kind:
        return "true"
    many, one = (first, second) if first.bound.kind == "edges" else (second, first)
    listed = f"list_transform(rels({quote(many.name)}), kg_x -> id(kg_x))"
    return f"NOT list_contains({listed}, id({quote(one.name)}))"
