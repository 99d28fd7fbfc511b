"""Divides a plan, if the submission is in partitions: what a task computes from one, and what follows from the sums.

Steps that read only gold are computed once. A task computes the steps that read rows of the submission, up to the first
that can be added up over partitions (``Step.sums``). Everything that reads such sums is computed once, as in a plan
for the whole submission. `scorespec check` compares both for each case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from scorespec.catalog.model import Suite
from scorespec.errors import UsageError
from scorespec.plan.parameters import text_literal
from scorespec.plan.plan import Plan, ResultQuery, Step
from scorespec.plan.rendering.templates import quoted
from scorespec.plan.resampling.interval_sql import Resampling


@dataclass(frozen=True)
class PartitionedPlan:
    """``part`` is the plan of a task, ``whole`` that of the run, which need not make the steps ``done`` by tasks.

    The tables of the steps ``added`` are sums over partitions. The values of ``column`` tell the partition of a row.
    """

    column: str
    part: Plan
    whole: Plan
    done: frozenset[str]
    added: tuple[Step, ...]


def metrics_lost(plan: Plan) -> list[str]:
    """The metrics of a plan whose scores are not computed from sums over partitions."""
    lost = {*_Places(plan).metrics_of(plan.scores.reads)}
    return [name for name in plan.metrics if name in lost]


def partitioned(plan: Plan, suite: Suite, named: bool) -> PartitionedPlan:
    """The plans of a run in the partitions of a suite, without evidence. Raises UsageError if it needs more than sums.

    Sums of blocks that are not sums over partitions are left out. If intervals are asked for, metrics that need such
    sums are refused if the user has ``named`` metrics, and otherwise have no intervals, with a warning.
    """
    if plan.meanings.row_ordered:
        ordered = ", ".join(plan.meanings.row_ordered)
        said = f"scores of {ordered} depend on the order of rows, which partitions do not keep"
        raise UsageError(f"{said}; leave out --on, or name other metrics with --metric")
    values = [step.values for step in plan.steps]
    if told := [
        f"{name}={value}"
        for name, value in suite.whole_with.items()
        if any(name in of and of[name] == value for of in values)
    ]:
        raise UsageError(f"with {', '.join(told)} the submission is not divided into partitions; leave out --on")
    found = _Places(plan)
    no_intervals = {*found.intervals_lost(plan)}
    if lost := {*found.metrics_of(plan.scores.reads), *(no_intervals if named else ())}:
        known = ", ".join(name for name in plan.metrics if name not in lost) or "none"
        what = "" if plan.asked.confidence is None else ", or their intervals,"
        said = f"{', '.join(sorted(lost))}: these metrics{what} are not computed from sums over partitions"
        raise UsageError(f"{said}; leave out --on, or name other metrics with --metric (possible: {known})")
    whole = replace(
        plan,
        evidence=(),
        unit_statistics=tuple(each for each in plan.unit_statistics if found.has(each.reads)),
        curves=tuple(each for each in plan.curves if found.has(each.reads)),
        resampling=Resampling(
            tuple(each for each in plan.resampling.scores if found.has(each.reads)),
            tuple(each for each in plan.resampling.sweeps if found.has(each.reads)),
        ),
        notices=replace(plan.notices, warnings=(*plan.notices.warnings, *_without_intervals(no_intervals))),
    ).with_needed_steps()
    added = tuple(step for step in whole.steps if step.physical in found.added)
    steps = tuple(step for step in whole.steps if step.physical not in found.whole)
    alone = frozenset(step.physical for step in steps if step.physical in found.alone)
    reads = frozenset(step.physical for step in added)
    part = replace(
        whole.without_results(),
        steps=steps,
        scores=ResultQuery("SELECT NULL AS scores", reads),
        notices=replace(whole.notices.of(alone), warnings=()),
    )
    tables = {step.physical for step in steps if _is_input(step)}  # views, which tasks and the run make
    done = (alone | reads) - tables
    return PartitionedPlan(str(suite.partitions), part.with_needed_steps(), whole, done, added)


def _without_intervals(metrics: Iterable[str]) -> Iterator[str]:
    if names := ", ".join(sorted(metrics)):
        yield f"no intervals of {names}: they are not computed from sums over partitions; leave out --on for these"


def _is_input(step: Step) -> bool:
    """Whether a step is a view of an input."""
    return step.kind == "table" and step.sums is None


class _Places:
    """Where the steps of a plan that read the submission are made: ``alone`` in each partition, or as a ``whole``.

    The rows of the steps ``added`` are made in each partition, and then added up. What is ``lost`` needs rows of all
    partitions that are no sums.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan, submitted = plan, plan.inputs.submitted
        made = plan.made_from(submitted)
        self.alone, self.added, self.whole, self.lost = set[str](), set[str](), set[str](), set[str]()
        inputs = {*submitted, *(step.physical for step in plan.steps if _is_input(step))} & made
        for step in (step for step in plan.steps if step.physical in made):
            if step.of_whole or step.reads & (self.added | self.whole):
                self.whole.add(step.physical)
                missing = self.alone - inputs if step.of_whole else self.alone | submitted
                if step.reads & (missing | self.lost):
                    self.lost.add(step.physical)
            else:
                (self.alone if step.sums is None else self.added).add(step.physical)

    def has(self, reads: Iterable[str]) -> bool:
        """Whether tables are known after tasks have made theirs."""
        return not (self.lost | self.alone).intersection(reads)

    def metrics_of(self, tables: Iterable[str]) -> Iterator[str]:
        """The metrics of those of some tables that are lost."""
        names = {step.physical: step.name for step in self._plan.steps}
        return (names[each] for each in tables if not self.has([each]))

    def intervals_lost(self, plan: Plan) -> Iterator[str]:
        """The metrics whose intervals, if they are asked for, are lost."""
        if plan.asked.confidence is not None:
            resampling = plan.resampling
            yield from (each.metric for each in resampling.scores if not self.has(each.reads))
            yield from (each.metric for each in resampling.sweeps if not self.has(each.reads))
            yield from (metric for each in resampling.jackknifed for metric in each.metrics)


def totals(step: Step, rows: str, types: Mapping[str, str]) -> str:
    """The rows of a step that is added up, as SQL, from the ``rows`` of all partitions; ``types`` are its columns."""
    sums = ", ".join(f"sum({quoted(name)})::{types[name]} AS {quoted(name)}" for name in step.sums or ())
    return f"SELECT * REPLACE ({sums}) FROM ({rows}) GROUP BY ALL" if sums else f"SELECT DISTINCT * FROM ({rows})"


def ranges(column: str, begins: Iterable[str]) -> list[str]:
    """Conditions that divide all rows, as SQL: the values of ``column`` from one of ``begins``, in order, to the next.

    The first range also has the values before the first of ``begins``, and rows without a value.
    """
    name, (_, *ends) = quoted(column), [*map(text_literal, begins)] or [""]
    lows = ["", *(f"{name} >= {end}" for end in ends)]
    highs = [*(f"{name} < {end}" for end in ends), ""]
    found = [" AND ".join(filter(None, pair)) or "true" for pair in zip(lows, highs, strict=True)]
    return [f"({found[0]} OR {name} IS NULL)", *found[1:]]
