"""One run in partitions: gives the tasks to an engine, adds up what they find, and supplies it to the run."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scorespec.errors import UsageError
from scorespec.parts import Dividing
from scorespec.parts.engines import connect
from scorespec.parts.engines.protocol import Engine, answers
from scorespec.parts.partition_tasks import CALL, PartMade, PartTask
from scorespec.parts.plan_in_partitions import PartitionedPlan, ranges, totals
from scorespec.plan.plan import Step
from scorespec.plan.rendering.templates import quoted
from scorespec.run.folders import TemporaryFolder
from scorespec.run.inputs.loading import Loaded
from scorespec.run.inputs.sources import Source
from scorespec.run.limits import Limits
from scorespec.run.loop import Done, Supply
from scorespec.run.progress import Listener
from scorespec.run.runner import Prepared, prepared_gold
from scorespec.run.session import Session
from scorespec.run.table_files import FileRows

FOLDER = "scorespec-parts-"


@dataclass(frozen=True)
class Partitions:
    """A run in partitions, whose ``gold`` is prepared in its ``folder``; ``engine`` runs the tasks."""

    plan: PartitionedPlan
    sources: Sequence[Source]
    gold: Prepared
    folder: Path
    engine: Engine
    dividing: Dividing
    limits: Limits

    def supply(self, session: Session, measured: bool) -> PartitionSupply:
        """What tasks compute, for a session in which the run computes the rest."""
        session.let_read(self.folder)
        return PartitionSupply(self, session, measured)


@contextmanager
def partitions_of(
    dividing: Dividing, plan: PartitionedPlan, sources: Sequence[Source], limits: Limits, tell: Listener, hashed: bool
) -> Iterator[Partitions]:
    """A run in partitions, whose files exist inside the block; with ``hashed``, files of the gold are hashed.

    Raises UsageError for an engine that is not known and for inputs that cannot be divided, RunError for a shared
    folder that cannot be made, and the errors of a run over the gold.
    """
    submitted = [each for each in sources if each.input in plan.whole.inputs.submitted]
    for table in (each.table for each in submitted):
        column = next((each for each in table.columns if each.name == plan.column), None)
        if column is None or column.type != "VARCHAR" or not (plan.column in table.key or table.duplicates == "keep"):
            said = f"input {table.name!r} cannot be divided by {plan.column}: it has no such key"
            raise UsageError(f"{said}; leave out --on, or this input")
    with ExitStack() as stack:
        engine = stack.enter_context(closing(connect(dividing.on)))
        with suppress(OSError):  # which the next line reports
            dividing.shared.mkdir(parents=True, exist_ok=True)
        folder = stack.enter_context(closing(TemporaryFolder(FOLDER, dividing.shared))).path
        in_folder = replace(limits, folder=folder)
        gold = stack.enter_context(prepared_gold(plan.whole, sources, in_folder, tell, hashed))
        yield Partitions(plan, sources, gold, folder, engine, dividing, limits)


class PartitionSupply(Supply):
    """Supplies the sums over partitions to a session. All tasks are run when the first step is asked for."""

    def __init__(self, partitions: Partitions, session: Session, measured: bool) -> None:
        self._of, self._session, self._measured = partitions, session, measured
        self._added = {step.physical: step for step in partitions.plan.added}
        self._found: list[PartMade] = []

    def has(self, step: Step) -> bool:
        return step.physical in self._of.plan.done

    def settles(self, step: Step) -> bool:
        return step.physical not in self._added  # of added rows, warnings are counted by the run

    def in_place(self, source: Source) -> bool:
        return source.input in self._of.plan.whole.inputs.submitted

    def is_checked(self, loaded: Loaded) -> bool:
        table, submitted = loaded.source.table, self._of.plan.whole.inputs.submitted
        # A partition may lack values that the whole must have.
        is_filled = not any(each.nullable for each in table.columns if each.name == table.needs_value)
        return loaded.source.input in submitted and loaded.rows >= table.min_rows and is_filled

    def merged(self, source: Source) -> int:
        return sum(each.merged.get(source.input, 0) for each in self._found)

    def show(self, step: Step) -> Done:
        found = self._found = self._found or self._computed()
        name = step.physical
        done = merged([each.done[name] for each in found])
        if name not in self._added:
            return done
        columns = found[0].rows[name].columns
        rows = FileRows(columns, [path for each in found for path in each.rows[name].paths])
        self._session.create(name, totals(step, rows.query, columns))
        return replace(done, rows=int(self._session.row(f"SELECT count(*) FROM {quoted(name)}")[0]))

    def _computed(self) -> list[PartMade]:
        """What the tasks find. Raises the error of the first of them."""
        of, call = self._of, secrets.token_hex(8)
        (of.folder / CALL).write_text(call)
        conditions = ranges(of.plan.column, self._begins(of.dividing.parts or 2 * max(of.engine.workers, 1)))
        limits, sources = _limits_of_workers(of.limits, of.engine), [*map(_moved, of.sources)]
        tasks = [
            PartTask(
                f"partition {number} of {len(conditions)}",
                of.plan, sources, of.gold, only, of.folder, call, limits, self._measured,
            )
            for number, only in enumerate(conditions, 1)
        ]  # fmt: skip
        found = dict(answers(of.engine, of.dividing.on, tasks, of.dividing.plugins))
        if error := next((found[number].error for number in range(len(tasks)) if found[number].error), None):
            raise error
        return [found[number].found for number in range(len(tasks))]

    def _begins(self, parts: int) -> list[str]:
        """The first value of the column in each partition, of which there are at most ``parts`` of about equal size."""
        column, submitted = quoted(self._of.plan.column), self._of.plan.whole.inputs.submitted
        tables = [source.table.name for source in self._of.sources if source.input in submitted]
        rows = " UNION ALL ".join(f"SELECT {column} AS value FROM {quoted(name)}" for name in tables)
        counted = f"SELECT value, count(*) AS number FROM ({rows}) WHERE value IS NOT NULL GROUP BY ALL"
        before = "sum(number) OVER (ORDER BY value) - number"
        placed = f"SELECT value, ({before}) * {parts} // sum(number) OVER () AS part FROM ({counted})"
        return [
            value
            for _, value in self._session.rows(f"SELECT part, min(value) FROM ({placed}) GROUP BY ALL ORDER BY ALL")
        ]


def _limits_of_workers(limits: Limits, engine: Engine) -> Limits:
    """The limits of each task. Without limits of the user, the processes of this machine share it."""
    limits = replace(limits, folder=limits.folder and Path(limits.folder).absolute())
    return limits.shared_by(engine.processes) if engine.processes else limits


def _moved(source: Source) -> Source:
    """A source for another process, which has other current folders."""
    path = source.path and Path(source.path).absolute()
    return replace(source, path=path, files=None, pieces=tuple(map(_moved, source.pieces)))


def merged(parts: Sequence[Done]) -> Done:
    """The record of a step from those of its partitions: numbers add, and values of warnings are listed once."""
    spilled = [each.spilled for each in parts if each.spilled is not None]
    return Done(
        parts[0].step,
        sum(each.rows for each in parts),
        sum(each.seconds for each in parts),
        spilled=sum(spilled) if spilled else None,
        counted=tuple(map(_merged_counts, zip(*(each.counted for each in parts), strict=True))),
        refused=tuple([] for _ in parts[0].refused),  # otherwise the task has raised the error
    )


def _merged_counts(parts: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    """What a warning counted in all partitions."""
    found, rows, *listed = zip(*parts, strict=True)
    values = (sorted({value for of_part in each for value in of_part or ()}) for each in listed)
    return (sum(found), sum(rows), *values)
