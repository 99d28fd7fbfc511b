"""Checks SQL without data: the syntax of expressions, and a whole plan over empty tables."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping

from scorespec.catalog.model import Macro, Metric, Relation, Table
from scorespec.catalog.namespaces import Namespace
from scorespec.compiler.plan import Plan, Step
from scorespec.compiler.relations import scope_column
from scorespec.compiler.templates import quoted
from scorespec.errors import Place, SpecError
from scorespec.runtime.checking import try_conditions
from scorespec.runtime.loading import empty_table
from scorespec.runtime.session import Limits, Session, error_context, open_session
from scorespec.runtime.statements import check_names, parsed
from scorespec.runtime.streams import refused_rows, run_count, run_step

TRIAL = Limits("500MB", 1)  # for plans over few rows or none
_VARIABLE = re.compile(r"\{\{.*?\}\}")


def bind(plan: Plan, limits: Limits = TRIAL) -> list[str]:
    """Run every step of a plan over empty tables, in a locked session; returns the columns of its scores.

    Raises SpecError that names the step and its document, RunError where a step needs more than the ``limits``.
    """
    with open_session(limits.or_else(TRIAL)) as session:
        _make_macros(session, plan.macros)
        for table in plan.tables:
            session.run(empty_table(table))
        present = [table.name for table in plan.tables]
        for table in plan.tables:
            try_conditions(session, table, present)
        steps = {step.physical: step for step in plan.steps}
        for step in plan.steps:
            try:
                run_step(session, step)
            except SpecError:
                for name in sorted(
                    step.reads & steps.keys()
                ):  # a step may fail because one that it reads lacks a column
                    _check_scope(session, steps[name])
                raise
        for count in plan.counts:
            run_count(session, count)
        for refused in plan.refused:
            refused_rows(session, refused, {})
        for curve in plan.curves:
            with error_context(session, f"the curve of {curve.metric}", curve.place):
                session.rows(curve.sql)
        return [str(row[0]) for row in session.rows(f"DESCRIBE {plan.scores}")]


def _check_scope(session: Session, step: Step) -> None:
    """Raise SpecError for a step whose rows do not say to which slice they belong.

    That is no fault by itself: rows with a number that no other slice has need not say it.
    """
    if not step.scope:
        return
    columns = {str(row[0]) for row in session.rows(f"DESCRIBE {quoted(step.physical)}")}
    if lacking := [column for column in step.scope if scope_column(column) not in columns]:
        said = f"{step.label} is broken down by {lacking[0]!r}, but its SQL leaves that column out"
        hint = "begin its SELECT with {{ scope }}, or say scoped: false if it is the same in every slice"
        raise SpecError(f"{said}; {hint}", step.place)


def bind_macros(macros: Collection[Macro]) -> None:
    """Make SQL macros, each after those that it calls. Raises SpecError for one at fault."""
    with open_session(TRIAL) as session:
        _make_macros(session, macros)


def _make_macros(session: Session, macros: Collection[Macro]) -> None:
    check_names(macros)
    session.lock()
    session.make_macros(macros)


def expression_faults(definition: Metric | Relation | Table, names: Namespace) -> list[str]:
    """The syntax errors of the SQL expressions of a definition, each with its place."""
    faults = []
    for place, sql in _expressions(definition, names):
        if "{%" in sql:
            continue  # which of its branches is SQL shows when the metric is compiled
        # A variable stands for a literal or a table; the parser accepts a name in place of either.
        answer = json.loads(parsed(f"SELECT ({_VARIABLE.sub('variable', sql)})"))
        if answer["error"]:
            faults.append(f"{place}: bad SQL expression {sql!r}: {answer['error_message']}")
    return faults


def _expressions(definition: Metric | Relation | Table, names: Namespace) -> Iterator[tuple[Place, str]]:
    origin = definition.origin
    if isinstance(definition, Table):
        for index, check in enumerate(definition.checks):
            yield origin.place("checks", index, "sql"), check.sql
    elif isinstance(definition, Relation):
        for index, warning in enumerate(definition.warnings):
            yield origin.place("warnings", index, "sql"), warning.sql
        for index, error in enumerate(definition.errors):
            yield origin.place("errors", index, "sql"), error.sql
    else:
        for key, schema in names.kinds[definition.kind].schema["properties"].items():
            value = definition.body.get(key)
            shapes = {str(each.get("$ref", "")).rpartition("/")[2] for each in (schema, *schema.get("oneOf", ()))}
            if "expression" in shapes and value is not None:
                yield origin.place(key), str(value)
            elif "expressions" in shapes and isinstance(value, Mapping):
                for name, sql in value.items():
                    yield origin.place(key, name), str(sql)
