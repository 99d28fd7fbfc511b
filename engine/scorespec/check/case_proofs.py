"""Runs cases, and proves two promises over their rows: slices use their own rows only, and sums of partitions add up.

A slice of ``--by COLUMN`` is compared with a run on the rows that have its value, in all inputs that have the column.
If a suite has `partitions`, each case is cut in two, and the sums over both are compared with those of all rows.
"""

from __future__ import annotations

import json
import math
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any

import pyarrow as pa

from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import Case, Macro, Suite, Table
from scorespec.errors import InputError, SpecError, UsageError, nearest
from scorespec.parts.plan_in_partitions import partitioned, ranges, totals
from scorespec.plan.compile import Request, compile_suite
from scorespec.plan.plan import Plan
from scorespec.plan.rendering.templates import quoted
from scorespec.plan.scored_suites import ScoredSuite
from scorespec.run.inputs.sources import find_source
from scorespec.run.limits import Limits
from scorespec.run.loop import MadeSteps, run_steps, schedule
from scorespec.run.progress import Silent
from scorespec.run.runner import Runner
from scorespec.run.session import MAIN, Session, open_session, session_errors
from scorespec.run.table_files import exact_columns

MOST_OPEN = 32  # sessions with the few rows of a case


class CaseRuns:
    """Runs plans over rows in memory. Used as a context manager, which closes its sessions.

    Plans of one namespace with the same inputs share a session, which loads the inputs once. Each step is run once: the
    name of its table ends in a hash of its SQL. A plan finds only its own macros, so that a plan that lacks one fails.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._shared: OrderedDict[Hashable, _SharedRun] = OrderedDict()  # the one that was used last is the last

    def __enter__(self) -> CaseRuns:
        return self

    def __exit__(self, *_: object) -> None:
        while self._shared:
            self._shared.popitem()[1].close()

    def scores(self, plan: Plan, inputs: Mapping[str, pa.Table], names: Namespace) -> pa.Table:
        """The scores of a plan of a namespace. Raises the errors of :func:`.score`."""
        rows = tuple((name, str(table.schema), repr(table.to_pydict())) for name, table in inputs.items())
        key = plan.tables, rows, frozenset(map(names.macro, names.names("macros")))
        with session_errors(self._limits):
            shared = self._shared.pop(key, None) or _SharedRun(plan, inputs, self._limits)
            try:
                scores = shared.scores(plan)
            except BaseException:
                shared.close()  # a step may be incomplete
                raise
        self._shared[key] = shared
        if len(self._shared) > MOST_OPEN:
            self._shared.popitem(last=False)[1].close()
        return scores

    def last_session(self) -> Session:
        """The session of the plan that was run last, with the tables of its steps."""
        return next(reversed(self._shared.values())).session


class _SharedRun:
    """A session with the inputs of some plans, and the steps of those that were run."""

    def __init__(self, plan: Plan, inputs: Mapping[str, pa.Table], limits: Limits) -> None:
        self._made: frozenset[str] = frozenset()
        self._macros = frozenset(plan.macros)
        with ExitStack() as opened:
            self.session = opened.enter_context(open_session(limits))
            first = Runner(plan, self.session, Silent())
            first.load([find_source(table, inputs[table.name]) for table in plan.tables if table.name in inputs], False)
            self.close = opened.pop_all().close
        self._loaded = first.loaded

    def scores(self, plan: Plan) -> pa.Table:
        """The scores of a plan. Only the steps that no earlier plan had are run."""
        steps = frozenset(step.physical for step in plan.steps)
        everything = steps | {table.name for table in plan.tables}  # another plan may read it
        runner = Runner(plan, self.session, Silent())
        runner.loaded = self._loaded
        self._change_macros(plan.macros)
        runner.run_steps(schedule(plan, [MadeSteps(self._made)], kept=everything))
        self._made |= steps
        return runner.scores()

    def _change_macros(self, macros: Sequence[Macro]) -> None:
        """Let SQL find these macros and no others."""
        for macro in self._macros - frozenset(macros):
            self.session.run(f"DROP MACRO {macro.name}")
        self.session.make_macros(macro for macro in macros if macro not in self._macros)
        self._macros = frozenset(macros)


TOLERANCE = 1e-12
NUMBERS = count(1)  # of partitions, whose tables stay until their session ends


def differences(found: Mapping[str, Any], expected: Mapping[str, float | None]) -> Iterable[str]:
    """What differs between some components and what is expected of them."""
    for name, value in expected.items():
        if name not in found:
            yield f"there is no component {name!r}; {nearest(name, found)}"
        elif (found[name] is None) != (value is None) or (
            value is not None and not math.isclose(found[name], value, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        ):
            yield f"{name} is {found[name]}, expected {value}"


def differences_of_printed(case: Case, found: Mapping[str, float | None]) -> Iterator[str]:
    """The published numbers of a case that are not its scores, unless the case says why; if it does, none may be."""
    yield from (f"there is no component {name!r}; {nearest(name, found)}" for name in case.printed if name not in found)
    other = {name: text for name, text in case.printed.items() if not _is_printed(text, found.get(name))}
    if case.differs and not other:
        yield "`differs` explains a difference, but every published number is the score"
    elif not case.differs:
        yield from (
            f"{name} is {found.get(name)}, published as {text}: `differs` can say why" for name, text in other.items()
        )


def _is_printed(text: float | str, score: float | None) -> bool:
    """Whether a score is a published number, rounded to its decimals: 0.01478 is 0.0148. A whole number is exact."""
    decimals = len(str(text).partition(".")[2])
    rounded = round(score, decimals) if decimals and score is not None else score
    return not [*differences({"": rounded}, {"": number(text)})]


def number(value: Any) -> float | None:
    """A number of a case, which may be a fraction."""
    try:
        # Only a text with / is a fraction: Fraction("1e999999999") would be a number of that many digits.
        return None if value is None else float(Fraction(value) if "/" in str(value) else value)
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        raise SpecError(f"{value!r} is not a number, nor a fraction such as 2/3") from None


# -- slices ----------------------------------------------------------------------------------------


def differences_of_slices(
    names: Namespace, suite: Suite, plan: Plan, request: Request, inputs: Mapping[str, pa.Table], runs: CaseRuns
) -> Iterator[str]:
    """What differs between the slices of a case and runs on their rows: of each column, the last value.

    Left out are columns of measured values (DOUBLE), those with one value in all rows, those that begin in a relation
    or describe another column, and slices whose rows cannot be scored alone.
    """
    scored = ScoredSuite(names, suite, request)
    columns = [
        each
        for each in _columns(plan.tables, inputs)
        if not scored.refusal((each,)) and scored.breakdowns.begins_in_inputs(each)
    ]
    broken_down = compile_suite(names, suite, replace(request, by=[(each,) for each in columns]))
    found = runs.scores(broken_down, inputs, names) if columns else pa.table({"slice": []})
    slices = map(json.loads, found["slice"].to_pylist())
    last = {name: value for slice_ in slices for name, value in slice_.items() if name in columns and value is not None}
    for column, value in last.items():
        rows_of_slice = {
            name: rows.filter(pa.array([str(each) == str(value) for each in rows[column].to_pylist()], pa.bool_()))
            for name, rows in inputs.items()
            if column in rows.column_names
        }
        try:
            alone = _values(runs.scores(plan, {**inputs, **rows_of_slice}, names), column, None)
        except InputError:
            continue
        of_slice = _values(found, column, value)
        for said in differences(of_slice, {name: alone[name] for name in of_slice.keys() & alone.keys()}):
            yield (
                f"in the slice {column}={value}, {said}: the score of the rows of the slice alone. Does a window, a "
                "GROUP BY or a join of a relation lack {{ scope }}?"
            )


def _columns(tables: Iterable[Table], inputs: Mapping[str, pa.Table]) -> list[str]:
    """The columns of inputs with several values, without measured values, lists and those that describe a column."""
    given = [(table, inputs[table.name]) for table in tables if table.name in inputs and not table.describes]
    return [
        name
        for name in dict.fromkeys(name for _, rows in given for name in rows.column_names)
        if any(
            column.name == name and column.type not in ("DOUBLE", "DOUBLE[]") and len(set(rows[name].to_pylist())) > 1
            for table, rows in given
            for column in table.columns
            if name in rows.column_names and not column.type.endswith("]")
        )
    ]


def _values(scores: pa.Table, column: str, value: object) -> dict[str, float | None]:
    """The components of a slice, each with the rest of the slice; ``value`` is None in a run without the column."""
    rows = [(json.loads(row["slice"]), row) for row in scores.to_pylist()]
    return {
        " ".join([row["component"], *(f"{name}={slice_[name]}" for name in sorted(slice_) if name != column)]): row[
            "value"
        ]
        for slice_, row in rows
        if slice_.get(column) == value
    }


# -- partitions ------------------------------------------------------------------------------------


def differences_of_partitions(
    plan: Plan, suite: Suite, inputs: Mapping[str, pa.Table], session: Session
) -> Iterator[str]:
    """What differs between the sums over two partitions of a case and the sums in the ``session``, which ran the plan.

    Left out are metrics that are refused in partitions, and submissions with one value of the column.
    """
    submitted, column = suite.submitted & inputs.keys(), str(suite.partitions)
    values = sorted(
        {
            str(value)
            for name in submitted
            if column in inputs[name].column_names
            for value in inputs[name][column].to_pylist()
        }
    )
    try:
        of = partitioned(replace(plan, inputs=replace(plan.inputs, submitted=submitted)), suite, named=True)
    except UsageError:
        return
    if len(values) < 2:
        return
    steps = tuple(step for step in of.part.steps if step.physical in of.part.made_from(submitted))
    made = {step.physical for step in steps}
    divided = [name for name in session.tables_with(column) if name not in made and " " not in name]
    parts: dict[str, list[str]] = {step.physical: [] for step in of.added}
    for only in ranges(column, [values[0], values[len(values) // 2]]):
        with session.aside():
            for name in divided:
                session.run(f"CREATE VIEW {quoted(name)} AS FROM {MAIN}.{quoted(name)} WHERE {only}")
            list(run_steps(session, schedule(replace(of.part, steps=steps))))
            for name, copies in parts.items():
                copies.append(f"{MAIN}.{quoted(f'{name} in part {next(NUMBERS)}')}")
                session.run(f"CREATE TABLE {copies[-1]} AS FROM {quoted(name)}")
    for step in of.added:
        types = exact_columns(session, step.physical) or {}
        sums = totals(step, " UNION ALL ".join(f"FROM {each}" for each in parts[step.physical]), types)
        rows, whole = f"({sums})", f"(FROM {quoted(step.physical)})"
        (more,), (less,) = (
            session.row(f"SELECT count(*) FROM (FROM {one} EXCEPT ALL FROM {other})")
            for one, other in ((rows, whole), (whole, rows))
        )
        if more or less:
            said = f"{step.label} is not the sum over partitions by {column}: two partitions have {more:,} rows that"
            yield f"{said} the whole does not have, and lack {less:,}; see the key `partitions` of the suite"
