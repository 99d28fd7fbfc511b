"""Runs the plans of cases: those with equal inputs share a session."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from contextlib import ExitStack

import pyarrow as pa

from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import Macro
from scorespec.plan.plan import Plan
from scorespec.run.inputs.sources import find_source
from scorespec.run.limits import Limits
from scorespec.run.loop import MadeSteps, schedule
from scorespec.run.progress import Silent
from scorespec.run.runner import Runner
from scorespec.run.session import Session, open_session, session_errors

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
