"""Proves two promises over the rows of cases: slices are scored from their own rows, and parts give the whole.

A slice of ``--by COLUMN`` is compared with a run on the rows that have its value, in all inputs that have the column.
A relation that can be divided (``split_by``) is computed from two parts of what it reads, and the rows are compared.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from scorespec.catalog.model import Suite, Table
from scorespec.catalog.namespaces import Namespace
from scorespec.compiler.compile import Request, compile_suite
from scorespec.compiler.partial_sums import totals
from scorespec.compiler.plan import Plan, Step
from scorespec.compiler.scored_suites import ScoredSuite
from scorespec.compiler.splits import ROWS, Split
from scorespec.compiler.templates import quoted
from scorespec.errors import InputError
from scorespec.runtime.case_runs import CaseRuns
from scorespec.runtime.session import Session
from scorespec.runtime.streams import run_step

TOLERANCE = 1e-9  # of a slice: sums of DOUBLEs may be added in another order

Slice = Mapping[str, Any]

# -- slices ----------------------------------------------------------------------------------------


def differences_of_slices(
    names: Namespace, suite: Suite, plan: Plan, request: Request, inputs: Mapping[str, pa.Table], runs: CaseRuns
) -> Iterator[str]:
    """What differs between the slices of a case and runs on their rows: of each column, the last value.

    Columns of measured values (DOUBLE), columns with one value in all rows, and columns that begin in a relation are left
    out.
    """
    scored = ScoredSuite(names, suite, request)
    columns = [each for each in _columns(plan.tables, inputs) if scored.has_slices_of_inputs(each)]
    if not columns:
        return
    broken_down = compile_suite(names, suite, replace(request, by=[(each,) for each in columns]))
    found = [(json.loads(row["slice"]), row) for row in runs.scores(broken_down, inputs, names).to_pylist()]
    for column in columns:
        values = [slice_[column] for slice_, _ in found if slice_.get(column) is not None]
        if not values:
            continue  # the metric has no such slice, and the run says why
        try:
            alone = runs.scores(plan, _restricted(plan.tables, inputs, column, values[-1]), names).to_pylist()
        except InputError:
            continue  # the rows of the slice cannot be scored alone
        expected = {(row["component"], _others(json.loads(row["slice"]), column)): row["value"] for row in alone}
        for slice_, row in found:
            key = row["component"], _others(slice_, column)
            if slice_.get(column) == values[-1] and key in expected and not _is_near(row["value"], expected[key]):
                said = f"{row['component']} of the slice {column}={values[-1]} is {row['value']}"
                yield f"{said}, and {expected[key]} if only the rows of this slice are scored; {HINT}"
                break


HINT = "put {{ scope }} before the columns of each SELECT, GROUP BY, PARTITION BY and USING"


def _columns(tables: Iterable[Table], inputs: Mapping[str, pa.Table]) -> list[str]:
    """The columns of some inputs by which cases are broken down."""
    given = [
        (column, inputs[table.name][column.name])
        for table in tables
        if table.name in inputs
        for column in table.columns
        if column.name in inputs[table.name].column_names
    ]
    return list(dict.fromkeys(column.name for column, rows in given if column.type != "DOUBLE" and _differ(rows)))


def _differ(rows: Any) -> bool:
    """Whether a column is not of lists, and has several values."""
    return not pa.types.is_list(rows.type) and len(rows.unique()) > 1


def _restricted(
    tables: Iterable[Table], inputs: Mapping[str, pa.Table], column: str, value: object
) -> dict[str, pa.Table]:
    """The inputs with the rows that have a value of a column; of what a table describes, the rows that it describes."""
    found = dict(inputs)
    having = [table for table in tables if table.name in inputs and column in inputs[table.name].column_names]
    if all(table.describes not in (None, column) for table in having):
        key = str(having[0].describes)
        described = inputs[having[0].name]
        keys = described.filter(_equal(described[column], value))[key].to_pylist()
        return {
            name: rows.filter(pc.is_in(rows[key], pa.array(keys, rows[key].type))) if key in rows.column_names else rows
            for name, rows in inputs.items()
        }
    return found | {
        table.name: inputs[table.name].filter(_equal(inputs[table.name][column], value)) for table in having
    }


def _equal(rows: Any, value: object) -> Any:
    return pa.array([str(each) == str(value) for each in rows.to_pylist()], pa.bool_())


def _others(slice_: Slice, column: str) -> frozenset[tuple[str, Any]]:
    return frozenset((name, value) for name, value in slice_.items() if name != column)


def _is_near(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


# -- parts -----------------------------------------------------------------------------------------


def differences_of_parts(session: Session, steps: Iterable[Step]) -> Iterator[str]:
    """The ways to divide steps whose two parts together have other rows than the whole; the steps were run."""
    for step, split in ((step, split) for step in steps for split in step.splits):
        made: list[str] = []
        try:
            rows, whole = f"({_in_two(session, step, split, made)})", f"(FROM {quoted(step.physical)})"
            more, less = (
                session.row(f"SELECT count(*) FROM ({one} EXCEPT ALL {other})")[0]
                for one, other in ((rows, whole), (whole, rows))
            )
        finally:
            session.drop(*made)
        if more or less:
            columns = sorted({column for column in split.reads.values() if column})
            said = " and ".join("rows" if column == ROWS else column for column in columns)
            said = f"{step.label} is not divided by {said}, as its split_by says: two parts have {more:,} rows"
            yield f"{said} that the whole has not, and lack {less:,}"


def _in_two(session: Session, step: Step, split: Split, made: list[str]) -> str:
    """The rows that a step has if what it reads is in two parts, as SQL; lists the tables that it makes.

    One part has the rows with one value of a column, the other part has the rest.
    """
    divided = {table: column for table, column in split.reads.items() if column}
    table, column = next(iter(divided.items()))
    first = f"(SELECT min({_text(column)}) FROM {quoted(table)})"
    for number in range(2):
        step_of_part = replace(step, physical=f"{step.physical}_{number}", view=False)
        for table, column in divided.items():
            of_rows = "QUALIFY row_number() OVER () % 2 = 1"
            condition = of_rows if column == ROWS else f"WHERE {_text(column)} IS NOT DISTINCT FROM {first}"
            rows, part = f"FROM {quoted(table)}", f"{table}_{number}_of_2"
            inside = f"SELECT * {rows} {condition}"
            session.create(part, f"{rows} EXCEPT ALL {inside}" if number else inside)
            made.append(part)
            sql, input_ = step_of_part.sql.replace(quoted(table), quoted(part)), step_of_part.function_rows
            if input_:
                input_ = replace(input_, sql=input_.sql.replace(quoted(table), quoted(part)))
            step_of_part = replace(step_of_part, sql=sql, function_rows=input_)
        run_step(session, step_of_part)
        made.append(step_of_part.physical)
    union = " UNION ALL ".join(f"FROM {quoted(f'{step.physical}_{number}')}" for number in range(2))
    return totals(step, f"({union})") if step.sums else union


def _text(column: str) -> str:
    """A value as text; equal numbers have one text whatever their types."""
    text = f"{quoted(column)}::VARCHAR"
    return f"coalesce(TRY_CAST({text} AS DOUBLE)::VARCHAR, {text})"
