"""Tries a whole plan over empty tables."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Hashable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from scorespec.catalog.model import Macro, Table
from scorespec.errors import SpecError
from scorespec.plan.plan import Count, Curve, Plan, Refused
from scorespec.run.inputs.checking import try_conditions
from scorespec.run.inputs.loading import empty_table
from scorespec.run.limits import Limits
from scorespec.run.loop import MadeSteps, run_steps, schedule
from scorespec.run.session import Session, error_context, open_session, session_errors
from scorespec.run.statements import check_names, judge

TRIAL = Limits("500MB", 1)  # for plans over few rows or none
MOST_TRIED = 32  # plans that are not tried again: each has some hundred kilobytes of SQL
MOST_SCHEMAS = 64  # with their tables, which have no rows; all documents that ship need twice as many
T = TypeVar("T", Count, Refused, Curve)


class Binder:
    """Tries plans over empty tables. Used as a context manager, which closes its session.

    Plans with the same inputs and macros share a schema of the work database, where each step is run once: the name of
    its table ends in a hash of its SQL. Plans with other inputs or macros have another schema, so that a plan that
    lacks one is found.
    """

    def __init__(self, limits: Limits = TRIAL) -> None:
        self._limits = limits.or_else(TRIAL)
        self._opened = ExitStack()
        self._session: Session | None = None
        self._shared: OrderedDict[Hashable, _SharedSchema] = OrderedDict()  # the one that was used last is the last
        self._made = 0  # schemas so far

    def __enter__(self) -> Binder:
        return self

    def __exit__(self, *_: object) -> None:
        self._shared.clear()
        self._session = None
        self._opened.close()

    def bind(self, plan: Plan) -> dict[str, str]:
        """Run every step of a plan over empty tables, in a locked session.

        Returns the columns of its scores, each with its type.

        Raises SpecError that names the step and its document, RunError where a step needs more than the limits.
        """
        with self._anew_after_errors():
            return self._schema(plan.macros, plan.tables).columns_of(plan)

    def bind_macros(self, macros: Collection[Macro]) -> None:
        """Make SQL macros, each after those that it calls. Raises SpecError for one at fault."""
        with self._anew_after_errors():
            self._schema(macros, ())

    @contextmanager
    def _anew_after_errors(self) -> Iterator[None]:
        """After a fault of a document, the next plan has a new schema, because the present one may be incomplete.

        After another error, the next plan has a new session, because the database may be unusable.
        """
        try:
            with session_errors(self._limits):
                yield
        except SpecError:
            self._drop_last()
            raise
        except BaseException:
            self.__exit__()
            raise

    def _drop_last(self) -> None:
        """Drop the schema that was used last; close the session if that fails, such as after a fatal error."""
        try:
            if self._shared:
                self._shared.popitem()[1].drop()
        except Exception:
            self.__exit__()

    def _schema(self, macros: Collection[Macro], tables: Collection[Table]) -> _SharedSchema:
        """The schema for plans with these macros and inputs."""
        if self._session is None:
            self._session = self._opened.enter_context(open_session(self._limits))
            self._session.run("PRAGMA disable_optimizer")  # a fourth of the time, and there are no rows to be fast on
            self._session.lock()
        key = frozenset(macros), frozenset(tables)
        if key not in self._shared:
            if len(self._shared) == MOST_SCHEMAS:
                self._shared.popitem(last=False)[1].drop()
            self._made += 1
            self._shared[key] = _SharedSchema(self._session, f"trial_{self._made}")
            self._shared[key].fill(macros, tables)
        self._shared.move_to_end(key)
        return self._shared[key]


class _SharedSchema:
    """A schema with macros and empty inputs, and the SQL that was tried in it without an error."""

    def __init__(self, session: Session, name: str) -> None:
        self._session, self._name = session, name
        self._tried: set[str] = set()
        session.run(f"CREATE SCHEMA {name}")

    def fill(self, macros: Collection[Macro], tables: Collection[Table]) -> None:
        """Make the macros and the empty inputs."""
        session = self._session
        session.find_in(self._name)
        check_names(macros)
        session.make_macros(macros)
        for table in tables:
            session.run(empty_table(table))
        present = [table.name for table in tables]
        for table in tables:
            try_conditions(session, table, present)

    def drop(self) -> None:
        """Drop the schema with everything in it."""
        self._session.run(f"DROP SCHEMA {self._name} CASCADE")

    def columns_of(self, plan: Plan) -> dict[str, str]:
        """Try the SQL of a plan; returns the columns of its scores, each with its type."""
        session = self._session
        session.find_in(self._name)
        judge(plan.selects())
        counts, refused, curves = (
            self._untried(plan.notices.counts),
            self._untried(plan.notices.refused),
            self._untried(plan.curves),
        )
        kept = {*(step.physical for step in plan.steps), *(table.name for table in plan.tables)}
        untried = replace(plan, notices=replace(plan.notices, counts=counts, refused=refused))
        todo = schedule(untried, [MadeSteps(self._tried, settled=False)], kept)
        for done in run_steps(session, todo):
            self._tried.add(done.step)
        for curve in curves:
            with error_context(session, f"the curve of {curve.metric}", curve.place):
                session.rows(curve.sql)
        for part in (counts, refused, curves):
            self._tried.update(each.sql for each in part)
        return {str(row[0]): str(row[1]) for row in session.rows(f"DESCRIBE {plan.scores.sql}")}

    def _untried(self, each: Iterable[T]) -> tuple[T, ...]:
        """Those of some warnings, errors or curves whose SQL was not tried yet."""
        return tuple({part.sql: part for part in each if part.sql not in self._tried}.values())


def bind(plan: Plan, limits: Limits = TRIAL) -> dict[str, str]:
    """Try one plan: see :meth:`Binder.bind`."""
    with Binder(limits) as binder:
        return binder.bind(plan)


@lru_cache(maxsize=MOST_TRIED)
def try_once(plan: Plan, limits: Limits) -> None:
    """Try a plan, unless this process has tried an equal one without an error."""
    bind(plan, limits)
