"""Turns relations into steps: renders each template once for each set of parameter values and each scope."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from scorespec.catalog.model import Column, Metric, Relation, SqlTemplate, Table
from scorespec.errors import Place, SpecError, nearest
from scorespec.plan.needs import Needs
from scorespec.plan.parameters import Values, text_literal
from scorespec.plan.plan import FunctionRows, Step
from scorespec.plan.rendering.render import render_reading
from scorespec.plan.rendering.slicing import columns_of, over_slices, sorted_over_slices
from scorespec.plan.rendering.syntax import functions_of_duckdb, nodes, trees
from scorespec.plan.rendering.templates import (
    Reference,
    Setting,
    header,
    indented,
    quoted,
)
from scorespec.plan.scopes import Scope, Scopes, scope_column

ROWS = "rows_"  # the rows to which a description is joined
NO_VALUE = ("", "-")  # as files write that a row has no value


class Filter(NamedTuple):
    """A condition that the rows of an input must meet: SQL over one row, in parentheses; and its place."""

    sql: str
    place: str


Filters = Mapping[str, Filter]  # by input


@dataclass(frozen=True)
class Query:
    """The SQL of a template in a run.

    ``whole`` is the query over whole tables, ``read`` are the physical names of these, and ``scope`` the columns of
    slices that the rows of ``sql`` have.
    """

    sql: str
    whole: str
    read: frozenset[str]
    scope: Scope


class Relations:
    """The relations of a namespace as steps; steps with equal SQL are one step.

    ``scopes`` says which inputs are given, and which columns reach a relation. ``prefix`` precedes the names of
    relations and metrics in the labels of steps, if they are not of the suite that is scored. ``filters`` are the
    conditions on the rows of inputs that all relations read.
    """

    def __init__(self, needs: Needs, scopes: Scopes, prefix: str = "") -> None:
        self.needs, self.scopes, self.prefix = needs, scopes, prefix
        self.filters: Filters = {}
        self._filtered: dict[tuple[tuple[str, str], ...], Relations] = {(): self}
        self._references: dict[tuple[object, ...], Reference] = {}
        self.steps: dict[str, Step] = {}

    def filtered(self, filters: Filters) -> Relations:
        """The relations over inputs that have only the rows that meet further conditions; they share all steps."""
        merged = {**self.filters, **filters}
        for name, (sql, place) in filters.items():
            above = [self.filters[name].sql] if name in self.filters else []
            merged[name] = Filter(" AND ".join(dict.fromkeys((*above, sql))), place)
        key = tuple(sorted((name, sql) for name, (sql, _) in merged.items()))
        if key not in self._filtered:
            self._filtered[key] = other = copy(self)
            other.filters, other._references = merged, {}
        return self._filtered[key]

    # -- the steps -------------------------------------------------------------------------------

    def reference(self, name: str, values: Values, scope: Scope) -> Reference:
        """A reference to a table or relation with these parameter values in this scope; adds its steps."""
        found, declared = self.needs.known(name), self.needs.parameters([name])
        key = (name, scope, *((each, values[each]) for each in sorted(declared)))
        if key not in self._references:
            if isinstance(found, Table):
                self._references[key] = self._scoped_table(found, scope)
            else:
                self._references[key] = self._step(found, values, scope)
        return self._references[key]

    def input_of(self, name: str, values: Values) -> str:
        """The input of a name: an input itself, or the one that a relation returns unchanged."""
        physical = self.reference(name, values, ()).physical
        return self.steps[physical].name if physical in self.steps else physical

    def filled(self, name: str, values: Values, scope: Scope) -> Reference:
        """A reference to a table or relation without rows in which a scope column that begins there is NULL.

        Relations that read it could not join such rows, so these are in no slice.
        """
        reference = self.reference(name, values, scope)
        begun = [quoted(scope_column(column)) for column in scope if self.scopes.begins(name, column)]
        if not begun:
            return reference
        sql = f"SELECT * FROM {reference}\nWHERE {' AND '.join(f'{column} IS NOT NULL' for column in begun)}"
        rows = self.steps[reference.physical]
        step = Step(
            hashed(f"{name}_filled", sql),
            sql,
            rows.kind,
            rows.name,
            ", ".join(filter(None, (rows.detail, "rows in some slice"))),
            rows.place,
            "The rows of the relation that are in some slice.",
            frozenset((reference.physical,)),
            view=True,
            values=rows.values,
            scope=rows.scope,
        )
        return Reference(self.add(step), reference.scope, reference.given)

    def _scoped_table(self, table: Table, scope: Scope, further: Sequence[str] = ()) -> Reference:
        """An input with its scope columns, and with some ``further`` undeclared columns, NULL if the input lacks them.

        Other undeclared columns only have the names of scope columns.
        """
        given = table.name not in self.scopes.absent
        carried = [column for column in scope if self.scopes.flows(table.name, column)]
        undeclared = [column.name for column in table.columns if column.undeclared and column.name not in further]
        lacking = [name for name in further if name not in table.column_names]
        rows = self.rows_of(table.name)
        if not carried and not undeclared and not lacking:
            return replace(rows, given=given)
        none = "".join(f", NULL::VARCHAR AS {quoted(name)}" for name in lacking)
        source = f"(SELECT *{none} FROM {rows})" if lacking else str(rows)
        sql, joined = self._with_scope_columns(carried, source, table.column_names, undeclared)
        physical = self._view(table, sql, carried, [rows.physical, *joined])
        for column in carried if table.class_column else ():
            owner = self.scopes.described(column)
            declared = owner[1] if owner else next(each for each in table.columns if each.name == column)
            if declared.shared:
                physical = self._shared(table, physical, declared, carried)
        return Reference(physical, tuple(map(scope_column, carried)), given)

    def _shared(self, table: Table, rows: str, column: Column, carried: Sequence[str]) -> str:
        """A view in which a row without a value in a scope column is in every slice: it is there for each value.

        The run checks that these are all rows of one class, and no row of the other.
        """
        name, missing = quoted(scope_column(column.name)), ", ".join(map(text_literal, NO_VALUE))
        sql = f"SELECT * REPLACE (if({name}::VARCHAR IN ({missing}), NULL, {name}) AS {name})\nFROM {quoted(rows)}"
        marked = self._view(table, sql, carried, [rows], role="shared rows", columns=(column,))
        sql = (
            f"FROM {quoted(marked)}\nWHERE {name} IS NOT NULL\nUNION ALL BY NAME\n"
            f"SELECT {ROWS}.* EXCLUDE ({name}), slice_.{name}\nFROM {quoted(marked)} AS {ROWS}\n"
            f"JOIN (SELECT DISTINCT {name} FROM {quoted(marked)} WHERE {name} IS NOT NULL) AS slice_\n"
            f"    ON {ROWS}.{name} IS NULL"
        )
        return self._view(table, sql, carried, [marked])

    def _view(
        self, table: Table, sql: str, carried: Sequence[str], reads: Iterable[str], detail: str = "", **others: Any
    ) -> str:
        """Add a view of an input with its scope columns, with ``others`` of its attributes; returns its name."""
        place, physical, read = str(table.origin.place()), hashed(table.name, sql), frozenset(reads)
        view = Step(physical, sql, "table", table.name, detail, place, table.about, read, True, scope=(*carried,))
        return self.add(replace(view, **others))

    def rows_of(self, name: str) -> Reference:
        """The rows of an input that meet the condition on it, with all its columns."""
        table = self.needs.find(name)
        if name not in self.filters or not isinstance(table, Table):
            return Reference(name)
        (condition, place), joined = self.filters[name], dict[Table, list[str]]()
        for column in columns_read(condition, place):
            if column not in table.column_names and (found := self.scopes.described(column)):
                joined.setdefault(found[0], []).append(column)
        rows = quoted(name)
        for owner, columns in joined.items():
            key, value = quoted(f"key of {owner.name}"), described_value(owner, table.column_names, quoted(name))
            described = f"{quoted(str(owner.describes))} AS {key}, {', '.join(map(quoted, columns))}"
            rows += f"\nLEFT JOIN (SELECT {described} FROM {quoted(owner.name)}) ON {key} = {value}"
        sql = f"SELECT {quoted(name)}.*\nFROM {rows}\nWHERE {condition}"
        read, said = (name, *(owner.name for owner in joined)), "rows that meet `only`"
        return Reference(self._view(table, sql, (), read, said, place=place))

    def number_of_rows(self, table: Table) -> Reference:
        """A table with the number of rows of an input that meet the condition on it."""
        rows = self.rows_of(table.name)
        sql = f"SELECT count(*) AS rows FROM {rows}"
        name, detail = hashed(f"{table.name}_rows", sql), "number of rows that meet `only`"
        counted = self._view(table, sql, (), (rows.physical,), detail, physical=name, view=False, sums=("rows",))
        return Reference(counted)

    def _with_scope_columns(
        self, columns: Sequence[str], rows: str, there: Collection[str], without: Sequence[str] = ()
    ) -> tuple[str, list[str]]:
        """The SQL of ``rows``, a table or a query, with columns also under their names as scope columns.

        ``there`` are the columns of the rows. A column of a table that describes the rows is joined; the names of these
        tables are returned, too. Every row has a description, or the run is refused: see
        :func:`scorespec.run.inputs.checking.check_descriptions`.
        """
        owners = {column: found[0] for column in columns if (found := self.scopes.described(column))}
        joined = {owner.name: owner for owner in owners.values()}
        listed = ""
        for column in columns:
            whose = f"{quoted(owners[column].name) if column in owners else ROWS}." if joined else ""
            text = "::VARCHAR" if self.scopes.is_text(column) else ""
            listed += f"{whose}{quoted(column)}{text} AS {quoted(scope_column(column))}, "
        excluded = f" EXCLUDE ({', '.join(map(quoted, without))})" if without else ""
        joins = "".join(
            f"\nLEFT JOIN {quoted(name)} ON {quoted(name)}.{quoted(str(owner.describes))} = "
            f"{described_value(owner, there, ROWS)}"
            for name, owner in joined.items()
        )
        every, source = (f"{ROWS}.*", f"{rows} AS {ROWS}") if joined else ("*", rows)
        return f"SELECT {listed}{every}{excluded}\nFROM {source}{joins}", [*joined]

    def _step(self, relation: Relation, values: Values, scope: Scope) -> Reference:
        flowing = tuple(column for column in scope if self.scopes.flows(relation.name, column))
        begun = [column for column in scope if self.scopes.begins(relation.name, column)]
        needs = {need: self._need(relation, need, values, flowing) for need in relation.needs}
        rows, of_functions = self._function_rows(relation, values, needs, flowing)
        read_here = {"rows": Reference(rows.name, of_functions.scope)} if rows else needs
        query = self._query(relation, "sql", relation.template, values, {**needs, **read_here}, flowing)
        # The needs that the templates name; they may leave out an input that was not given.
        read = of_functions.read.union(query.read).difference([rows.name] if rows else [])
        only = (each for each in needs.values() if read == {each.physical})
        itself = next((each for each in only if query.whole.strip() == f"FROM {each}"), None)
        if itself and not begun and not rows and not relation.warnings and not relation.errors:
            return itself  # the template returns a need unchanged: no copy is made
        sql, whole, columns, joined = query.sql, query.whole, query.scope, list[str]()
        if begun:
            whole, _ = self._with_scope_columns(begun, f"(\n{indented(whole)}\n)", relation.column_names)
            sql, joined = self._with_scope_columns(begun, f"(\n{indented(sql)}\n)", relation.column_names)
        where, behind = str(relation.origin.place()), self.needs.upstream([relation.name]) if self.filters else ()
        step = Step(
            hashed(relation.name, sql),
            sql,
            "relation",
            self.prefix + relation.name,
            relation.symbol or "",
            where,
            relation.about,
            read.union(joined),
            function_rows=rows,
            explained=header(relation.template.text),
            values={name: values[name] for name in self.needs.parameters([relation.name])},
            scope=(*flowing, *begun),
            columns=relation.columns,
            whole=whole,
            sums=relation.sums or None,
            of_whole=relation.slices == (),
            only=tuple(dict.fromkeys(self.filters[each.name].sql for each in behind if each.name in self.filters)),
        )
        self.add(step)
        there = {*columns, *map(scope_column, begun)}
        return Reference(step.physical, tuple(column for column in map(scope_column, scope) if column in there))

    def _need(self, relation: Relation, name: str, values: Values, flowing: Scope) -> Reference:
        """What a relation reads as one of its needs."""
        scope = tuple(column for column in flowing if self.scopes.gives(name, column))
        table, further = self.needs.find(name), relation.other_columns.get(name)
        if further and isinstance(table, Table):
            return self._scoped_table(table, scope, further)
        return self.filled(name, values, scope)

    def _function_rows(
        self, relation: Relation, values: Values, needs: Mapping[str, Reference], flowing: Scope
    ) -> tuple[FunctionRows | None, Query]:
        """The rows that the Python functions of a relation make from its input query, and this query.

        None and an empty query without functions.
        """
        if relation.function_input is None:
            return None, Query("", "", frozenset(), ())
        query = self._query(relation, "input", relation.function_input.template, values, needs, flowing)
        calls = tuple(
            (call.function, {setting: values[name] for setting, name in call.arguments.items()})
            for call in relation.function_input.calls
        )
        settings = [(function.name, *arguments.items()) for function, arguments in calls]
        return FunctionRows(
            hashed(f"{relation.name}_rows", f"{query.sql}\n{settings}"), calls, query.sql, query.whole
        ), query

    def _query(
        self,
        relation: Relation,
        key: str,
        template: SqlTemplate,
        values: Values,
        tables: Mapping[str, Reference],
        flowing: Scope,
    ) -> Query:
        """The query of a template, for each slice of the tables that it reads."""
        settings = {parameter.name: Setting(values[parameter.name]) for parameter in relation.params}
        whole_tables = {
            name: replace(
                each, scope=(), slices=tuple(column for column in flowing if scope_column(column) in each.scope)
            )
            for name, each in tables.items()
        }
        whole, read = render_reading(template, {**whole_tables, **settings}, relation.origin.place(key))
        sliced = {each.physical: each for each in tables.values() if each.scope and each.physical in read}
        if not flowing or not sliced:
            return Query(whole, whole, read, ())
        there = columns_of(sliced.values())
        if key == "input":
            sql = sorted_over_slices(whole, [*sliced.values()])
        else:
            sql = over_slices(whole, [*sliced.values()], tables.get("rows"))
        return Query(sql, whole, read, tuple(column for column in map(scope_column, flowing) if column in there))

    def add(self, step: Step) -> str:
        """Add a step, unless there is one with its SQL; returns its physical name."""
        return self.steps.setdefault(step.physical, step).physical


def described_value(owner: Table, there: Collection[str], rows: str) -> str:
    """The SQL of the value of ``rows``, which have the columns ``there``, that a row of ``owner`` describes.

    Without a row of its own, a value is described by the rows of its parts, which are named after it.
    """
    key = quoted(str(owner.describes))
    if owner.parts not in there:
        return f"{rows}.{key}"
    part, described = f"{rows}.{quoted(str(owner.parts))}", f"SELECT {key} FROM {quoted(owner.name)}"
    is_part = f"{rows}.{key} NOT IN ({described}) AND starts_with({part}, {rows}.{key})"
    return f"if({is_part}, {part}, {rows}.{key})"


def hashed(name: str, sql: str) -> str:
    """A name with a hash of the SQL."""
    return f"{name}_{hashlib.sha256(sql.encode()).hexdigest()[:8]}"


# -- the key `only` of metrics -----------------------------------------------------------------------


def filters_of(metric: Metric, read: Sequence[Table], scopes: Scopes | None) -> Filters:
    """The condition on each input that a metric filters, of the inputs that it reads.

    A condition without the name of an input filters each input that has all its columns, itself or, as for ``--by``, in
    a table that describes its rows. Without ``scopes``, the inputs of the run are not known: each may be given, and may
    have further columns. Raises SpecError for a condition that no input can meet.
    """
    found: dict[str, Filter] = {}
    for name, sql, place in conditions_of(metric):
        columns = columns_read(sql, place)
        tables = [each for each in read if name in ("", each.name)]
        if not tables:
            known = ", ".join(each.name for each in read) or "none"
            said = f"`only` filters {name or 'inputs'}, but the metric does not read it, or it is not given"
            raise SpecError(f"{said}; inputs of the metric in this run: {known}", place)
        lacking = {each: [column for column in columns if not _has(each, column, scopes)] for each in tables}
        if all(lacking.values()) and (scopes or not any(each.other_columns for each in tables)):
            said = "; ".join(f"{table.name} lacks {', '.join(each)}" for table, each in lacking.items())
            unknown = min(lacking.values(), key=len)[0]
            known = nearest(unknown, {each.name for table in tables for each in table.columns if not each.absent})
            raise SpecError(f"no input of the metric has all columns of `only`: {said}; {known}", place)
        found |= {each.name: Filter(f"({sql}\n)", str(place)) for each, columns in lacking.items() if not columns}
    return found


def conditions_of(metric: Metric) -> Iterable[tuple[str, str, Place]]:
    """The conditions of a metric: the input ('' for each that has the columns), the SQL and its place."""
    return [(name, sql, metric.origin.place("only", *([name] if name else ()))) for name, sql in metric.only.items()]


def columns_read(sql: str, place: Place | str) -> Sequence[str]:
    """The columns that a condition reads. Raises SpecError for text that is not one condition on one row."""
    tree = json.loads(trees([f"SELECT (\n{sql}\n)"])[0][0])
    if tree["error"]:
        raise SpecError(f"bad SQL condition {sql!r}: {tree['error_message']}", place)
    plain = json.loads(trees(["SELECT (true)"])[0][0])
    selected = plain["statements"][0]["node"]["select_list"] = tree["statements"][0]["node"].get("select_list")
    varying = {each.name for each in functions_of_duckdb() if each.kind == "scalar" and each.changes}
    found = [*nodes(selected)]
    if tree != plain or len(selected) > 1 or any(each.get("class") in ("SUBQUERY", "STAR", "WINDOW") for each in found):
        raise SpecError(f"`only` is one SQL condition on the columns of a row, not {sql!r}", place)
    if volatile := [each["function_name"] for each in found if each.get("function_name") in varying]:
        raise SpecError(f"`only` cannot use {volatile[0]}(): its value may differ between two calls", place)
    names = [each["column_names"] for each in found if each.get("class") == "COLUMN_REF"]
    if qualified := [".".join(each) for each in names if len(each) > 1]:
        raise SpecError(f"`only` names columns without their table; write {qualified[0].rpartition('.')[2]}", place)
    return [*dict.fromkeys(each[0] for each in names)]


def _has(table: Table, column: str, scopes: Scopes | None) -> bool:
    """Whether a condition can read a column of an input, or of a table that describes the rows of the input."""
    present = {each.name for each in table.columns if not each.absent}
    described = scopes and scopes.described(column)
    return column in present or bool(described and described[0].describes in present)
