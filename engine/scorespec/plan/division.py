"""Finds how each step of a plan can be divided among parts, from the syntax tree of its SQL.

A table is divided by a column: all rows with one value are in one part. The results of the parts together are the
result if no rows of two parts meet: each GROUP BY, DISTINCT and window over divided rows has the column, and divided
tables are joined by it. What the analysis does not know may not read divided rows. Declared ways (``split_by``) are
added to those that it finds. tests/dividing/ divides each step in each way, and compares the parts with the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from scorespec.catalog.model import WHOLE, Macro
from scorespec.functions.function import RelationFunction
from scorespec.plan.plan import OWN, ROWS, Plan, Split, Step
from scorespec.plan.rendering.macros import macro_body
from scorespec.plan.scopes import scope_column
from scorespec.plan.syntax import Node, functions_of_duckdb, nodes, query_trees

CONSTANT = "="  # the key of a column whose values the SQL writes itself, in rows that are not divided
VALUE = "*"  # the key of a column that has the value by which tables are divided
_THE_VALUE = frozenset({"min", "max", "any_value", "first", "last"})  # of equal values
_SORTS = frozenset({"ORDER_MODIFIER", "DISTINCT_MODIFIER"})
_PARTS = frozenset({"COLUMN_REF", "FUNCTION", "WINDOW", "STAR", "SUBQUERY"})
_EQUAL = ("COMPARE_EQUAL", "COMPARE_NOT_DISTINCT_FROM")


class NotDivisible(Exception):  # noqa: N818
    """Rows of two parts would meet."""


class Col(NamedTuple):
    """A column of rows.

    ``key`` is VALUE if the value of the column says in which part the row is, the name of an id if all rows with one
    value are in one part, and None if the column says nothing. Without a ``name``, the column stands for columns that
    are not known. One of two columns that USING joins is not ``visible``: only the name of its table leads to it.
    """

    name: str | None
    key: str | None = None
    table: str = ""
    visible: bool = True


@dataclass(frozen=True)
class Rows:
    """The rows of a table, of a query, or of what follows FROM: in parts (``divided``), or the same in each.

    A ``single`` row is one that sums up others, or one for each constant.
    """

    columns: tuple[Col, ...] = (Col(None),)
    divided: bool = False
    single: bool = False

    def key(self, path: Sequence[str]) -> str | None:
        """The key of a column: ``[column]`` or ``[table, column]``. None if columns of the name have several."""
        return self._keys.get(tuple(path))

    @cached_property
    def _keys(self) -> dict[tuple[str | None, ...], str | None]:
        found: dict[tuple[str | None, ...], str | None] = {}
        for each in self.columns:
            for path in (((each.name,),) if each.visible else ()) + ((each.table, each.name),):
                found[path] = each.key if found.get(path, each.key) == each.key else None
        return found

    def keyed(self, path: Sequence[str], key: str | None) -> Rows:
        """The rows with another key of a column."""
        return replace(self, columns=tuple(c._replace(key=key) if _is(c, path) else c for c in self.columns))

    def equal(self, pairs: Sequence[Sequence[list[str]]]) -> Rows:
        """The rows if some columns are equal: a column that equals a key is one."""
        found = self
        for one, other in [each for pair in (*pairs, *pairs) for each in (pair, pair[::-1])]:
            if (key := found.key(one)) and not found.key(other):
                found = found.keyed(other, key)
        return found

    def without_keys(self) -> Rows:
        """The rows if some may be NULL in all columns."""
        return replace(self, columns=tuple(each._replace(key=None) for each in self.columns))

    def named(self, names: Sequence[str]) -> Rows:
        """The rows with other names of the first columns."""
        known = None not in (each.name for each in self.columns)
        given = [Col(name, self.columns[at].key if known else None) for at, name in enumerate(names)]
        return replace(self, columns=(*given, *(self.columns[len(names) :] if known else ()))) if names else self


def _is(column: Col, path: Sequence[str]) -> bool:
    """Whether a path names a column."""
    return column.name == path[-1] and (column.visible if len(path) == 1 else [column.table] == path[:-1])


def _same(one: str | None, other: str | None) -> str | None:
    return one if one == other else None


def _require(condition: bool) -> None:
    if not condition:
        raise NotDivisible


def _whole(node: Node, tables: Mapping[str, Rows]) -> Rows:
    """The rows of something that is not known. Raises NotDivisible if it reads divided rows."""
    read = (each["table_name"] for each in nodes(node) if each.get("type") == "BASE_TABLE")
    _require(not any(tables[name].divided for name in read if name in tables))
    return Rows()


def _equalities(node: Node | None) -> list[tuple[list[str], list[str]]]:
    """The pairs of columns that a condition says are equal."""
    if node and node["type"] == "CONJUNCTION_AND":
        return [pair for each in node["children"] for pair in _equalities(each)]
    if node and node["type"] in _EQUAL and node["left"]["class"] == node["right"]["class"] == "COLUMN_REF":
        return [(node["left"]["column_names"], node["right"]["column_names"])]
    return []


# -- queries -----------------------------------------------------------------------------------------


class Divider:
    """Follows divided rows through queries. ``aggregates`` and ``opaque`` are functions: see :func:`divider`.

    If each column of a table has a key of its own, ``left`` are the keys that divide the query, each alone.
    """

    def __init__(self, aggregates: Collection[str], opaque: Collection[str]) -> None:
        self._aggregates, self._opaque = aggregates, opaque
        self._inside: dict[int, list[Node]] = {}
        self.left: set[str] | None = None

    def keep(self, keys: Iterable[str | None]) -> None:
        """Go on if rows that agree in something are in one part, because they agree in a key. Raises NotDivisible."""
        found = {key for key in keys if key}
        if self.left is not None:
            self.left &= found
            found = self.left
        _require(bool(found))

    def rows(self, query: Node | None, tables: Mapping[str, Rows]) -> Rows:
        """The rows of a query over some tables. Raises NotDivisible."""
        if query is None:
            raise NotDivisible
        tables = {**tables}
        for entry in query["cte_map"]["map"]:
            inside = entry["value"]
            tables[entry["key"]] = self.rows(inside["query_node"], tables).named(inside["aliases"])
        found = {"SELECT_NODE": self._select, "SET_OPERATION_NODE": self._set}.get(query["type"], _whole)(query, tables)
        _require(not found.divided or _SORTS.issuperset(each["type"] for each in query["modifiers"]))
        return found

    def _set(self, query: Node, tables: Mapping[str, Rows]) -> Rows:
        branches = [self.rows(each, tables) for each in query["children"]]
        columns, divided = branches[0].columns, branches[0].divided
        for other in branches[1:]:
            _require(other.divided == divided)
            if "BY_NAME" in query["setop_type"]:
                columns = (*(c._replace(key=_same(c.key, other.key([str(c.name)]))) for c in columns), Col(None))
            elif None in (each.name for each in (*columns, *other.columns)):
                columns = (Col(None),)
            else:
                columns = tuple(
                    c._replace(key=_same(c.key, o.key)) for c, o in zip(columns, other.columns, strict=True)
                )
        if divided and not (query["setop_all"] and "UNION" in query["setop_type"]):
            self.keep(each.key for each in columns)
        return Rows(columns, divided)

    def _select(self, query: Node, tables: Mapping[str, Rows]) -> Rows:
        where, listed, modifiers, qualify = (
            query[f"{k}"] for k in ("where_clause", "select_list", "modifiers", "qualify")
        )
        found = self._from(query["from_table"], tables, where)
        parts = [*self._parts(where, listed, modifiers, qualify, query["group_expressions"], query["having"])]
        for each in parts:
            if each["class"] == "SUBQUERY":
                _whole(each["subquery"], tables)
        grouped, by_all = query["group_expressions"], query["aggregate_handling"] == "FORCE_AGGREGATES"
        groups = [
            c
            for each in listed
            if by_all and not self._calls(self._aggregates, each)
            for c in self._columns(each, found)
        ]
        aggregated = query["having"] or self._calls(self._aggregates, listed, qualify, modifiers)
        if not found.divided:
            single = all(each.key == CONSTANT for each in groups) if by_all else aggregated and not grouped
            columns = tuple(column for each in listed for column in self._columns(each, found))
            return Rows(columns, single=single or (found.single and not self._calls({"unnest"}, listed)))
        found = found.equal(_equalities(where))
        columns = tuple(column for each in listed for column in self._columns(each, found))
        aliased = {each["alias"]: each for each in listed if each["alias"]}

        def key(each: Node) -> str | None:
            """The key of an expression, whichever column the name of an alias means."""
            path: list[str] = each["column_names"] if each.get("class") == "COLUMN_REF" else []
            named = aliased.get(path[0], each) if len(path) == 1 else each
            return _same(self._key(each, found), self._key(named, found))

        for each in parts:
            if each["class"] == "WINDOW":
                self.keep(map(key, each["partitions"]))
            _require(each.get("column_names", ("",))[-1] != "rowid")
        _require(not self._calls(self._opaque, where, listed, modifiers, qualify, query["group_expressions"]))
        if by_all:
            self.keep(each.key for each in groups)
        elif grouped:
            by_place = [listed[int(g["literal"]["text"]) - 1] if g["class"] == "CONSTANT" else g for g in grouped]
            for each in query["group_sets"] or [range(len(by_place))]:
                self.keep(key(by_place[at]) for at in each)
        else:
            _require(not aggregated)
        for on in (each["distinct_on_targets"] for each in modifiers if each["type"] == "DISTINCT_MODIFIER"):
            self.keep(map(key, on) if on else (each.key for each in columns))
        _require(not query["sample"])
        return Rows(columns, True)

    def _key(self, node: Node, found: Rows) -> str | None:
        """The key of an expression."""
        if node.get("class") == "FUNCTION" and node["function_name"] in _THE_VALUE and len(node["arguments"]) == 1:
            node = node["arguments"][0]["expression"]
        if node.get("class") == "COLUMN_REF":
            return found.key(node["column_names"])
        constant = all(each["class"] == "FUNCTION" for each in self._parts(node)) and not found.divided
        return CONSTANT if constant and not self._calls(self._aggregates, node) else None

    def _columns(self, node: Node, found: Rows) -> tuple[Col, ...]:
        """The columns that an entry of a SELECT makes."""
        if node.get("class") != "STAR":
            several = any(each["class"] == "STAR" for each in self._parts(node))
            name = node["alias"] or (node["column_names"][-1] if node.get("class") == "COLUMN_REF" else "")
            return (Col(None) if several else Col(name, self._key(node, found)),)
        if node["columns"] or node["qualified_exclude_list"]:
            return (Col(None),)
        table, changed = node["relation_name"], {each["key"].lower(): None for each in node["replace_list"]}
        renamed = {each["key"]["column"].lower(): each["value"] for each in node["rename_list"]}
        excluded = {name.lower() for name in node["exclude_list"]}
        listed = [each for each in found.columns if (each.table == table if table else each.visible)]
        return tuple(
            Col(each.name and renamed.get(each.name.lower(), each.name), changed.get(str(each.name).lower(), each.key))
            for each in listed
            if str(each.name).lower() not in excluded
        )

    def _parts(self, *trees: Any) -> Iterator[Node]:
        """The columns, functions, windows, stars and subqueries of some expressions."""
        for tree in trees:
            if isinstance(tree, list):
                yield from self._parts(*tree)
            else:  # asked for again with each way to divide the query
                if id(tree) not in self._inside:
                    found = nodes(tree, inside=False)
                    self._inside[id(tree)] = [each for each in found if each.get("class") in _PARTS]
                yield from self._inside[id(tree)]

    def _calls(self, names: Collection[str], *trees: Any) -> bool:
        """Whether expressions call one of some functions."""
        called = (each["function_name"] for each in self._parts(*trees) if each["class"] == "FUNCTION")
        return any(name.lower() in names for name in called)

    # -- FROM ------------------------------------------------------------------------------------

    def _from(self, node: Node, tables: Mapping[str, Rows], where: Node | None) -> Rows:
        if node["type"] == "JOIN":
            return self._join(node, tables, where)
        if node["type"] == "BASE_TABLE":
            _require(node["table_name"] in tables)
            found = tables[node["table_name"]]
        else:
            subquery = node["type"] == "SUBQUERY"
            found = self.rows(node["subquery"]["node"], tables) if subquery else _whole(node, tables)
            found = Rows((), single=True) if node["type"] == "EMPTY" else found
        _require(not found.divided or not node["sample"])
        table, found = node["alias"] or node.get("table_name", ""), found.named(node.get("column_name_alias", ()))
        return replace(found, columns=tuple(Col(each.name, each.key, table) for each in found.columns))

    def _join(self, node: Node, tables: Mapping[str, Rows], where: Node | None) -> Rows:
        kind, using, asof = node["join_type"], node["using_columns"], node["ref_type"] == "ASOF"
        left = self._from(node["left"], tables, where)
        right = self._from(node["right"], tables, None if asof or kind in ("SEMI", "ANTI") else where)
        divided, on = left.divided or right.divided, _equalities(node["condition"])
        if divided:
            left, right = (each if each.divided else each.without_keys() for each in (left, right))
        keys = {name: (left.key([name]), right.key([name])) for name in using}
        pairs = [*on, *(_equalities(where) if kind == "INNER" and not asof else ())]
        met = [keys[name] for name in (using[:-1] if asof else using)]
        met += [(left.key(a), right.key(b)) for pair in pairs for a, b in (pair, pair[::-1])]
        if divided:
            _require(
                kind in ("INNER", "LEFT", "FULL", "SEMI", "ANTI") and node["ref_type"] in ("REGULAR", "CROSS", "ASOF")
            )
        if left.divided and right.divided:
            self.keep(_same(*each) for each in met)
        elif right.divided:  # a row of the left side meets rows of all parts, unless it has the key
            _require(kind in ("INNER", "SEMI"))
            if kind == "SEMI" or asof:
                self.keep(other for _, other in met)
        elif left.divided:
            _require(kind != "FULL")
        for name, (one, other) in keys.items() if kind == "INNER" or not left.divided else ():
            left, right = left.keyed([name], one or other), right.keyed([name], other or one)
        if kind in ("SEMI", "ANTI"):
            return replace(left, divided=divided)
        single = left.single and right.single
        right = right if kind == "INNER" else right.without_keys()
        left = left.without_keys() if kind == "FULL" else left
        columns: list[Col] = []
        for each in left.columns:
            if each.visible and each.name in keys:
                columns.append(Col(each.name, _same(*keys[each.name]) if kind == "FULL" else each.key))
            columns.append(each._replace(visible=each.visible and each.name not in keys))
        columns += [each._replace(visible=each.visible and each.name not in keys) for each in right.columns]
        return Rows(tuple(columns), divided, single).equal(on if kind == "INNER" else ())


def divider(macros: Iterable[Macro]) -> Divider:
    """Follows divided rows through queries that may call some macros.

    A macro is an aggregate if it calls one. It is opaque if it has a window or a subquery, or calls an opaque function,
    whose value changes between calls.
    """
    known = functions_of_duckdb()
    aggregates = {each.name for each in known if each.kind == "aggregate"}
    opaque = {each.name for each in known if each.kind == "scalar" and each.changes}
    texts = {each.name: each.sql for each in known if each.kind == "macro" and each.sql}
    texts |= {each.name: each.sql for each in macros}
    trees = [
        (name, list(nodes(tree)))
        for name, tree in zip(texts, query_trees(f"SELECT {macro_body(text)}" for text in texts.values()), strict=True)
    ]
    called = {name: {n["function_name"].lower() for n in tree if n.get("class") == "FUNCTION"} for name, tree in trees}
    opaque |= {name for name, tree in trees if not tree or any(n.get("class") in ("WINDOW", "SUBQUERY") for n in tree)}
    for _ in called:  # a chain of calls is not longer
        aggregates |= {name for name, names in called.items() if names & aggregates}
        opaque |= {name for name, names in called.items() if names & opaque}
    return Divider(aggregates, opaque)


# -- plans -------------------------------------------------------------------------------------------


def with_splits(plan: Plan) -> Plan:
    """The plan, each of whose steps has the ways to divide it: those of its SQL, and the declared ones.

    Ways by columns that many steps have in common come first.
    """
    division = _Division(plan)
    found = [(step, division.splits(step)) for step in plan.steps]
    use = Counter(column for _, ways in found for each in ways for column in {*each.reads.values()} - {None, ROWS})

    def rank(split: Split) -> int:
        return -max(use[column] for column in split.reads.values() if column)

    return replace(plan, steps=tuple(replace(step, splits=tuple(sorted(ways, key=rank))) for step, ways in found))


class _Division:
    """The steps of a plan in their order, with the columns of each."""

    def __init__(self, plan: Plan) -> None:
        made = [each for step in plan.steps for each in (step, step.function_rows) if each]
        texts = [each.whole or each.sql for each in made]
        self._trees = dict(zip(texts, query_trees(texts), strict=True))
        self._divider = divider(plan.macros)
        columns = [column for table in plan.tables for column in table.columns]
        self._measured = {"line", *(c.name for c in columns if c.type in ("DOUBLE", "BOOLEAN") or c.type.endswith("]"))}
        columns += [column for step in plan.steps for column in step.columns]
        self._same = {column.name: column for column in columns if column.same_as}
        self._columns = {each.name: (Col("line"), *map(Col, each.column_names)) for each in plan.tables}
        self._single: set[str] = set()  # the tables with a single row, which is not divided
        self._ids: dict[tuple[str, str], set[str]] = {}  # the tables with an id that determines a column

    def splits(self, step: Step) -> tuple[Split, ...]:
        """The ways to divide the next step."""
        self._add(step)
        if WHOLE in step.split_by:
            return ()
        same = {n: str(c.same_as) for n, c in self._same.items() if not (c.unless and step.values.get(c.unless, True))}
        having: dict[str, dict[str, str]] = {}  # for each column, the tables with its values, and its name there
        for table in sorted(step.reads):
            names = {each.name for each in self._columns[table] if each.name}
            for name in sorted(names, key=lambda name: (name in same, name)):
                having.setdefault(same.get(name, name), {}).setdefault(table, name)
        found = {frozenset(each.reads.items()): each for each in self._inferred(step, having, same)}
        for way in step.split_by:
            tables = {**having.get(same.get(way, way), {})} if isinstance(way, str) else {**way}
            values = {tables.pop(OWN)} if OWN in tables else {same.get(name, name) for name in tables.values()}
            own = {c.name for c in self._columns[step.physical] if c.name and same.get(c.name, c.name) in values}
            read = {table: name for table, name in tables.items() if table in step.reads}
            if read and (declared := self._split(step, read, same, own)):
                found[frozenset(declared.reads.items())] = declared
        return tuple(found.values())

    def _add(self, step: Step) -> None:
        """Find the columns of a step, and the ids among them."""
        declared = [Col(each.name) for each in step.columns]
        self._columns[step.physical] = (*declared, Col(None))
        with suppress(NotDivisible):
            rows, slices = self._rows(step, {}), tuple(Col(scope_column(each)) for each in step.scope)
            self._columns[step.physical] = (*rows.columns, *(declared if Col(None) in rows.columns else ()))
            self._columns[step.physical] += tuple(each for each in slices if each not in rows.columns)
            self._single |= {step.physical} if rows.single and not step.scope else set()
        for id_, determined in step.determines.items():
            for column in determined:
                self._ids.setdefault((id_, column), set()).add(step.physical)
        for (id_, _), tables in self._ids.items():
            if tables & step.reads and Col(id_) in self._columns[step.physical]:
                tables.add(step.physical)

    def _inferred(
        self, step: Step, having: Mapping[str, Mapping[str, str]], same: Mapping[str, str]
    ) -> Iterator[Split]:
        """The ways that follow from the SQL of a step: by rows of a table, and by columns of one or several tables."""
        several = sorted(step.reads - self._single)
        alone: dict[tuple[str, str], Split] = {}  # ways to divide one table by a column
        for table in several:
            keys = {each.name: same.get(each.name, each.name) for each in self._columns[table] if each.name}
            left = {*keys.values(), ROWS}
            with suppress(NotDivisible):
                rows, whole = self._rows(step, {table: keys}, left), dict.fromkeys(step.reads)
                made = {each.name: rows.key([each.name]) for each in rows.columns if each.name} if rows.divided else {}
                if rows.divided and ROWS in left:
                    yield Split(
                        {**whole, table: ROWS}, frozenset(n for n, key in made.items() if key and key == keys.get(n))
                    )
                for column in left - {ROWS}:
                    result = frozenset(name for name, key in made.items() if key == column)
                    if rows.divided and (ROWS not in left or len(result) > 1):  # otherwise by rows says as much
                        alone[table, column] = Split({**whole, table: having[column][table]}, result)
        columns = {same.get(str(c.name), c.name) for each in several for c in self._columns[each] if c.key != CONSTANT}
        for column in sorted(having.keys() & columns - self._measured):
            tables = {table: having[column][table] for table in several if table in having[column]}
            fewer = [{table: name for table, name in tables.items() if table != other} for other in tables]
            determined = any(column == found for _, found in self._ids)
            tried = [each for each in (tables, *fewer) if len(each) > 1 or (each and determined)]
            if way := next(filter(None, (self._split(step, each, same) for each in tried)), None):
                yield way
            else:
                yield from (alone[table, column] for table in tables if (table, column) in alone)

    def _split(
        self, step: Step, tables: Mapping[str, str], same: Mapping[str, str], declared: Collection[str] | None = None
    ) -> Split | None:
        """The way to divide some tables, each by a column; None if it is not possible. A ``declared`` way always is.

        ``declared`` are the columns by which the result is then divided, too.
        """
        by_rows, result = ROWS in tables.values(), frozenset(declared or ())
        try:
            found = self._rows(step, {table: self._keys(table, name, same) for table, name in tables.items()})
            if not found.divided and declared is None:
                return None
            named = [(each.name, each.name if by_rows else VALUE) for each in found.columns if each.name]
            result |= {name for name, key in named if found.key([name]) == key}
        except NotDivisible:
            if declared is None:
                return None
        return Split({**dict.fromkeys(step.reads), **tables}, result)

    def _keys(self, table: str, column: str, same: Mapping[str, str]) -> dict[str, str]:
        """The keys of the columns of a table that is divided by a column; with ROWS, each is a key of its own."""
        names = [each.name for each in self._columns[table] if each.name]
        if column == ROWS:
            return {name: name for name in names}
        value = same.get(column, column)
        ids = {id_: id_ for (id_, determined), having in self._ids.items() if determined == value and table in having}
        return {**ids, **{name: VALUE for name in names if same.get(name, name) == value}}

    def _rows(self, step: Step, keys: Mapping[str, Mapping[str, str]], left: set[str] | None = None) -> Rows:
        """The rows of a step if some tables are divided, whose columns have some keys; ``left``: see Divider."""
        self._divider.left = left
        # The query over whole tables does not have the columns of slices.
        slices = {scope_column(each) for each in step.scope} if step.whole not in ("", step.sql) else set()
        tables = {
            table: Rows(
                tuple(
                    Col(c.name, keys.get(table, {}).get(c.name or "")) if keys else c
                    for c in columns
                    if c.name not in slices
                ),
                table in keys,
                table in self._single,
            )
            for table, columns in self._columns.items()
            if table in step.reads
        }
        if made := step.function_rows:
            given = self._divider.rows(self._trees[made.whole or made.sql], tables)
            groups = _groups([function for function, _ in made.calls], given.columns)
            if given.divided:
                self._divider.keep(each.key for each in groups)
            tables[made.name] = Rows((*groups, Col(None)), given.divided)
        return self._divider.rows(self._trees[step.whole or step.sql], tables)


def _groups(functions: Sequence[RelationFunction], columns: Iterable[Col]) -> tuple[Col, ...]:
    """Those of the columns that functions read which name groups: each group is computed by itself.

    There are none if a function is not known to compute groups, or reads columns by their names.
    """
    own = [None if callable(each.columns) or not each.grouped else {c.name for c in each.columns} for each in functions]
    return () if None in own else tuple(c for c in columns if not any(c.name in names for names in own if names))
