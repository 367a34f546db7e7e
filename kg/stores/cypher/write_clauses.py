"""Writing whole queries for the embedded database."""

from dataclasses import replace

from kg.stores.cypher.hints import unsupported
from kg.stores.cypher.lift import Lifted, lifted
from kg.stores.cypher.rewrite import Kept, transformed
from kg.stores.cypher.scope import Bound, Names, Scope
from kg.stores.cypher.syntax import (
    Call,
    CallSubquery,
    Clause,
    Expression,
    Gather,
    Item,
    MapProjection,
    Match,
    PatternExpression,
    Projection,
    Query,
    Sorting,
    Subquery,
    Unwind,
    Variable,
)
from kg.stores.cypher.tokens import quote
from kg.stores.cypher.write_expressions import ExpressionWriter, has_aggregate
from kg.stores.cypher.write_lists import conjunction
from kg.stores.cypher.write_patterns import PatternWriter

# ORDER BY in the middle of a query wants a LIMIT there.
_ALL = "9223372036854775807"
_ONE = "kg_one"


class QueryWriter:
    """Writes one query; afterwards `sparse` holds the columns whose missing values are left out."""

    def __init__(self) -> None:
        self.sparse: frozenset[int] = frozenset()
        self._expressions = ExpressionWriter(self._inner, self._exists_pattern)
        self._carried: tuple[str, ...] = ()  # variables made of parameters

    def write(self, query: Query) -> str:
        """Write a whole query."""
        return self._union(query, Scope())

    def _union(self, query: Query, scope: Scope) -> str:
        text = self._single(query.parts[0], scope)
        for everything, part in zip(query.all, query.parts[1:], strict=True):
            text += f" UNION {'ALL ' if everything else ''}{self._single(part, scope)}"
        return text

    def _single(self, clauses: tuple[Clause, ...], scope: Scope) -> str:
        before = dict(self._expressions.captured)
        text = self._clauses(clauses, scope)
        captured = {
            name: parameter
            for name, parameter in self._expressions.captured.items()
            if name not in before
        }
        if not captured:
            return text
        carried = ", ".join(f"{parameter} AS {quote(n)}" for n, parameter in captured.items())
        inner = scope.having(**{name: Bound("") for name in captured})
        self._carried = tuple(captured)
        try:
            return f"WITH {carried} {self._clauses(clauses, inner)}"
        finally:
            self._carried = ()
            self._expressions.captured = before

    def _clauses(self, clauses: tuple[Clause, ...], scope: Scope) -> str:
        plan: Lifted = lifted(clauses, self._expressions.fresh)
        patterns = PatternWriter(self._expressions, name_all=plan.names_all)
        texts = []
        ordered = False
        for i, clause in enumerate(plan.clauses):
            following = plan.clauses[i + 1] if i + 1 < len(plan.clauses) else None
            match clause:
                case Match():
                    text, scope = self._match(clause, scope, patterns)
                case Unwind(items, variable):
                    text = f"UNWIND {self._expressions.write(items, scope)} AS {quote(variable)}"
                    scope = scope.having(**{variable: Bound("")})
                case Projection():
                    text, scope, ordered = self._projection(clause, following, ordered, scope)
                case Gather():
                    text, scope = self._gather(clause, scope, patterns)
                case CallSubquery():
                    raise unsupported(
                        "subquery in CALL like this",
                        "Use WITH, OPTIONAL MATCH, COUNT {} or EXISTS {}.",
                    )
            texts.append(text)
        return " ".join(texts)

    def _match(self, match: Match, scope: Scope, patterns: PatternWriter) -> tuple[str, Scope]:
        written = patterns.write(match.patterns, scope, optional=match.optional)
        inner = scope.having(**written.names)
        conditions = list(written.conditions)
        if match.condition is not None:
            conditions.append(f"({self._expressions.write(match.condition, inner)})")
        where = f" WHERE {conjunction(conditions)}" if conditions else ""
        optional = "OPTIONAL " if match.optional else ""
        return f"{optional}MATCH {', '.join(written.texts)}{where}", inner

    def _gather(self, gather: Gather, scope: Scope, patterns: PatternWriter) -> tuple[str, Scope]:
        texts = []
        inner = scope
        for match in gather.matches:
            text, inner = self._match(match, inner, patterns)
            texts.append(text)
        if gather.order:
            everything = Projection(False, False, True, (), gather.order, None, None, None)
            texts.append(self._clause(everything, ["*"], gather.order, inner, inner))
        items = self._items(list(gather.items), inner, final=False)
        texts.append("WITH " + ", ".join([*map(quote, scope.names), *items]))
        return " ".join(texts), scope.having(
            **{item.name: Bound(inner.kind(item.value)) for item in gather.items}
        )

    def _inner(self, subquery: Subquery, scope: Scope) -> str:
        """Write EXISTS or COUNT { MATCH ... }; nothing but patterns may stand in it."""
        clauses = subquery.query.parts[0]
        last = clauses[-1]
        if isinstance(last, Projection) and not (last.distinct or last.limit or last.skip):
            clauses = clauses[:-1]
        matches = [c for c in clauses if isinstance(c, Match) and not c.optional]
        if subquery.kind == "COLLECT" or len(matches) < len(clauses) or subquery.query.all:
            raise unsupported(
                f"{subquery.kind} {{}} like this",
                "Put only MATCH and WHERE into it, or use OPTIONAL MATCH and WITH.",
            )
        merged = Match(tuple(p for m in matches for p in m.patterns), False, None)
        writer = PatternWriter(self._expressions, name_all=False)
        written = writer.write(merged.patterns, scope, optional=False)
        inner = scope.having(**written.names)
        conditions = [
            *written.conditions,
            *(
                f"({self._expressions.write(match.condition, inner)})"
                for match in matches
                if match.condition is not None
            ),
        ]
        where = f" WHERE {conjunction(conditions)}" if conditions else ""
        text = f"{subquery.kind} {{ MATCH {', '.join(written.texts)}{where} }}"
        if subquery.kind == "EXISTS":
            return text
        return f"({text}{self._outer_use(merged, scope)})"

    @staticmethod
    def _outer_use(match: Match, scope: Scope) -> str:
        # The database leaves out rows whose count is 0 where the query uses no property of the
        # node outside; this uses one.
        for pattern in match.patterns:
            for node in pattern.nodes:
                if node.variable in scope.names and scope.names[node.variable].kind == "node":
                    return f" + CASE WHEN {quote(node.variable)}.`id` IS NULL THEN 0 ELSE 0 END"
        return ""

    def _exists_pattern(self, expression: PatternExpression, scope: Scope) -> str:
        match = Match((expression.pattern,), False, None)
        return self._inner(Subquery("EXISTS", Query(((match,),))), scope)

    def _projection(
        self, projection: Projection, following: Clause | None, ordered: bool, scope: Scope
    ) -> tuple[str, Scope, bool]:
        """Write WITH or RETURN; say also whether the rows after it are in an order."""
        items = list(projection.items)
        if projection.everything and projection.final:
            names = sorted(name for name in scope.names if not name.startswith("kg_"))
            items = [*(Item(Variable(n), n, False) for n in names), *items]
            projection = replace(projection, everything=False)
        hidden, order = self._hidden(items, projection, scope)
        inner = self._after(items, hidden, projection, scope)
        needs_one = ordered and items and all(has_aggregate(item.value) for item in items)
        if hidden or (needs_one and projection.final):
            return self._in_two(projection, items, hidden, order, ordered, scope), inner, False
        written = self._items(items, scope, final=projection.final)
        if projection.everything:
            written.insert(0, "*")
        elif not projection.final:
            written += [quote(name) for name in self._carried]
        if needs_one:
            written.append(quote(_ONE))
        is_ordered = bool(order)
        if is_ordered and isinstance(following, Projection) and not projection.final:
            following_items = following.items
            if following_items and all(has_aggregate(i.value) for i in following_items):
                written.append(f"1 AS {quote(_ONE)}")
        if projection.final:
            self.sparse = frozenset(i for i, item in enumerate(items) if _is_sparse(item.value))
        return self._clause(projection, written, order, scope, inner), inner, is_ordered

    def _in_two(
        self,
        projection: Projection,
        items: list[Item],
        hidden: dict[Expression, str],
        order: tuple[Sorting, ...],
        ordered: bool,
        scope: Scope,
    ) -> str:
        """Write a projection whose order or grouping needs a column that it does not return."""
        inner = self._after(items, hidden, projection, scope)
        written = self._items(items, scope, final=True)
        written += [f"{self._expressions.write(v, scope)} AS {quote(n)}" for v, n in hidden.items()]
        if ordered and all(has_aggregate(item.value) for item in items):
            written.append(quote(_ONE))
        first = replace(projection, final=False)
        names = ", ".join(quote(item.name) for item in items)
        text = self._clause(first, written, order, scope, inner)
        return f"{text} {'RETURN' if projection.final else 'WITH'} {names}"

    def _clause(
        self,
        projection: Projection,
        written: list[str],
        order: tuple[Sorting, ...],
        scope: Scope,
        inner: Scope,
    ) -> str:
        parts = ["RETURN" if projection.final else "WITH"]
        if projection.distinct:
            parts.append("DISTINCT")
        parts.append(", ".join(written))
        both = Scope({**scope.names, **inner.names})
        if order:
            each = (
                self._expressions.write(sorting.value, both)
                + (" DESC" if sorting.descending else "")
                for sorting in order
            )
            parts.append("ORDER BY " + ", ".join(each))
        if projection.skip is not None:
            parts.append(f"SKIP {self._expressions.write(projection.skip, scope)}")
        if projection.limit is not None:
            parts.append(f"LIMIT {self._expressions.write(projection.limit, scope)}")
        elif order and not projection.final:
            parts.append(f"LIMIT {_ALL}")
        if projection.condition is not None:
            condition = self._expressions.write(projection.condition, inner)
            parts.append(f"WHERE {conjunction([condition])}")
        return " ".join(parts)

    def _items(self, items: list[Item], scope: Scope, *, final: bool) -> list[str]:
        written = []
        for item in items:
            value = self._expressions.write(item.value, scope)
            if isinstance(item.value, Variable) and not final:
                # A path of edges stays one until it is returned.
                value = quote(item.value.name)
            alias = quote(item.name)
            written.append(value if value == alias else f"{value} AS {alias}")
        return written

    @staticmethod
    def _hidden(
        items: list[Item], projection: Projection, scope: Scope
    ) -> tuple[dict[Expression, str], tuple[Sorting, ...]]:
        """Return aggregates that are sorted by and not returned, and the order by names."""
        # A new name that was a variable's before: the database would sort by that variable,
        # unless rows are grouped.
        grouped = projection.distinct or any(has_aggregate(item.value) for item in items)
        renewed = {
            item.name: item.value
            for item in items
            if item.name in scope.names and item.value != Variable(item.name) and not grouped
        }
        known = {item.value: item.name for item in items if item.name not in renewed}

        def meant(part: object) -> object:
            if isinstance(part, Variable) and part.name in renewed:
                return Kept(renewed[part.name])
            return part

        hidden: dict[Expression, str] = {}
        order = []
        for sorting in projection.order:
            value = transformed(sorting.value, meant)
            if value not in known and has_aggregate(value):
                hidden[value] = f"kg_order{len(hidden)}"
                value = Variable(hidden[value])
            elif value in known:
                value = Variable(known[value])
            order.append(replace(sorting, value=value))
        return hidden, tuple(order)

    @staticmethod
    def _after(
        items: list[Item], hidden: dict[Expression, str], projection: Projection, scope: Scope
    ) -> Scope:
        names: Names = dict(scope.names) if projection.everything else {}
        for item in items:
            if isinstance(item.value, Variable) and item.value.name in scope.names:
                names[item.name] = scope.names[item.value.name]
            else:
                names[item.name] = Bound(scope.kind(item.value))
            if projection.final and names[item.name].kind == "edges":
                names[item.name] = Bound("list")
        names |= {name: b for name, b in scope.names.items() if name.startswith("kg_parameter_")}
        names |= {name: Bound("") for name in hidden.values()}
        return Scope(names)


def _is_sparse(value: Expression) -> bool:
    match value:
        case Call(name=name):
            return name.lower() == "properties"
        case MapProjection(everything=everything):
            return everything
        case _:
            return False
