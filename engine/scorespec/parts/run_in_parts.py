"""Runs the steps of a plan in parts: gives the tasks of each stage to an engine, and puts their results together."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from scorespec.core.events import StepBegun, StepDone
from scorespec.errors import SHOWN_PROBLEMS, RunError, UsageError
from scorespec.parts import Dividing
from scorespec.parts.divided_inputs import InputsInParts
from scorespec.parts.engines import connect
from scorespec.parts.engines.protocol import Answer, Engine, Task, answers
from scorespec.parts.exchange import TableFiles
from scorespec.parts.stages import Division, StepGroup, packed, with_partial_sums
from scorespec.parts.worker_tasks import CALL, PartMade, PartTask, Workplace, check_scores
from scorespec.plan.division import with_splits
from scorespec.plan.plan import Plan
from scorespec.plan.rendering.templates import quoted
from scorespec.run.folders import TemporaryFolder
from scorespec.run.inputs.loading import Loaded
from scorespec.run.inputs.sources import Source
from scorespec.run.limits import Limits
from scorespec.run.loop import Done, Known, Todo, schedule
from scorespec.run.runner import Executor, Runner
from scorespec.run.session import Session
from scorespec.run.table_files import FileRows

FOLDER = "scorespec-parts-"
MANY_ROWS = 10**8  # that one worker reads, which is worth a warning


@contextmanager
def dividing_executor(dividing: Dividing, plan: Plan, session: Session, measured: bool) -> Iterator[DividingExecutor]:
    """An executor whose tasks run on an engine. Its tables are in files, which exist inside the block.

    Raises UsageError for an engine that is not known and for metrics whose scores depend on the order of rows,
    RunError for a shared folder that cannot be made.
    """
    if plan.meanings.row_ordered:
        said = f"scores of {', '.join(plan.meanings.row_ordered)} depend on the order of rows, which parts do not keep"
        raise UsageError(f"{said}; leave out --shared, or name other metrics with --metric")
    with ExitStack() as stack:
        engine = stack.enter_context(closing(connect(dividing.on)))
        with suppress(OSError):  # which the next line reports
            dividing.shared.mkdir(parents=True, exist_ok=True)
        folder = stack.enter_context(closing(TemporaryFolder(FOLDER, dividing.shared))).path
        try:
            yield DividingExecutor(dividing, engine, folder, with_partial_sums(with_splits(plan)), session, measured)
        except Exception as error:  # of whatever was the first to miss a file
            if (folder / CALL).exists():
                raise
            raise RunError(
                f"the folder {folder} was removed during the run, with the rows that tasks had written; score "
                "again, and remove nothing in the folder of --shared meanwhile"
            ) from error


class DividingExecutor(Executor):
    """Loads and checks the inputs, and makes the steps of a plan, in tasks on an engine; see :class:`.Executor`.

    SQL reads the tables that the steps made from files in a ``folder``.
    """

    def __init__(
        self, dividing: Dividing, engine: Engine, folder: Path, plan: Plan, session: Session, measured: bool
    ) -> None:
        self.plan, self._session = plan, session
        self._dividing, self._engine = dividing, engine
        parts, limits = dividing.parts or 2 * max(engine.workers, 1), _limits_of_workers(session.limits, engine)
        self._workplace = Workplace(folder, secrets.token_hex(8), parts, plan.macros, limits, measured)
        (folder / CALL).write_text(self._workplace.call)
        self._tables: dict[str, TableFiles] = {}
        self._parts_done: dict[str, list[Done]] = {}  # of each step

    def begin(self, plan: Plan, sources: Sequence[Source], hashed: bool) -> None:
        self._session.let_read(self._workplace.folder)
        self._inputs = InputsInParts(plan, self._session, self._workplace, sources, hashed, self._found)
        self._read = self._inputs.read()
        self._given = {source.table.name for source in sources}

    def load(self, source: Source, known: Known) -> Loaded:
        return next(self._read)

    def examine(self, loaded: Sequence[Loaded]) -> None:
        self._inputs.examine()

    def check(self, loaded: Loaded, shown: Mapping[str, str], checked: Collection[str]) -> None:
        self._inputs.check(loaded, shown)

    def make(self, todo: Todo, books: Runner) -> Iterator[Done]:
        """Make the steps, stage by stage; the error of a task ends the run after its stage.

        Yields the records of the steps in the order of the plan, not of the stages.
        """
        stages, self._tables = self._inputs.stages, self._inputs.tables
        try:
            for at, groups in enumerate(stages.stages):
                self._run_stage(f"stage{at + 1}", groups, books)
                self._remove_read(stages.stages[at + 1 :])
        except Exception:
            yield from self._records()
            raise
        yield from self._records()
        absent = {table.name for table in self.plan.tables} - self._given
        for name in self.plan.finals() & self._tables.keys() - absent:
            self._session.run(f"CREATE VIEW {quoted(name)} AS {self._tables[name].whole().query}")

    # -- stages ------------------------------------------------------------------------------------

    def _run_stage(self, name: str, groups: Sequence[StepGroup], books: Runner) -> None:
        """Run the tasks of a stage. Raises the first error of a task."""
        groups = packed(groups, {table: found.rows for table, found in self._tables.items()})
        steps = [step for group in groups for step in group.steps]
        books.tell(StepBegun(steps[0].label, books.number + 1, books.total, self._session.folder))
        for group in (group for group in groups if not group.divided):
            self._judge_rows(group, books)
        tasks = [task for at, group in enumerate(groups) for task in self._tasks(f"{name}.{at + 1}", group)]
        found = self._answers(tasks)
        for made in (each.found or PartMade() for each in found):
            for done in made.done:
                self._parts_done.setdefault(done.step, []).append(done)
            for table, files in made.tables.items():
                self._tables.setdefault(table, TableFiles(files.columns)).add(files)
        _raise_first_error(found)
        for step in steps:
            done = merged(self._parts_done[step.physical])
            books.number += 1
            books.tell(StepDone(step.label, books.number, books.total, done.rows, done.seconds, done.spilled))

    def _tasks(self, name: str, group: StepGroup) -> Iterator[PartTask]:
        """The tasks of a group: one for each part, or a single one."""
        todo = schedule(replace(self.plan, steps=group.steps), kept={*group.writes})
        more = f" and {len(group.steps) - 1} more steps" if len(group.steps) > 1 else ""
        what = f"{group.steps[0].label}{more}"
        parts = self._workplace.parts
        for part in range(parts if group.divided else 1):
            label = f"part {part + 1} of {parts} of {what}" if group.divided else what
            reads = {table: self._read_by(part, table, division) for table, division in group.reads.items()}
            yield PartTask(f"{name}.{part + 1}", label, self._workplace, part, todo, reads, group.writes)

    def _read_by(self, part: int, table: str, division: Division) -> FileRows:
        """The rows of a table that the task of a part reads."""
        files = self._tables[table]
        return files.whole() if division is None else files.part(division, part)

    def _answers(self, tasks: Sequence[Task]) -> list[Answer]:
        """The answers of tasks, in the order of the tasks."""
        found = dict(answers(self._engine, self._dividing.on, tasks, self._dividing.plugins))
        return [found[number] for number in range(len(tasks))]

    def _found(self, tasks: Sequence[Task]) -> list[Any]:
        """What tasks have found. Raises the error of the first task that has one."""
        found = self._answers(tasks)
        _raise_first_error(found)
        return [each.found for each in found]

    def _records(self) -> Iterator[Done]:
        """The records of the steps with a finished part, in the order of the plan."""
        for step in self.plan.steps:
            if step.physical in self._parts_done:
                yield merged(self._parts_done[step.physical])

    def _remove_read(self, later: Iterable[Sequence[StepGroup]]) -> None:
        """Remove the files of tables that nothing reads any more."""
        needed = {table for groups in later for group in groups for table in group.reads} | self.plan.finals()
        for name in self._tables.keys() - needed:
            for path in self._tables.pop(name).paths():
                Path(path).unlink()

    def _judge_rows(self, group: StepGroup, books: Runner) -> None:
        """Warn of a step that reads many rows in one worker. Raises RunError if these are too many scores to sort."""
        for step in group.steps:
            most = max((self._tables[table].rows for table in step.reads & group.reads.keys()), default=0)
            if step.role == "running sums":
                check_scores(step, most)
            if most > MANY_ROWS:
                books.warn(f"{step.label} cannot be divided: one worker reads {most:,} rows")


def _raise_first_error(found: Iterable[Answer]) -> None:
    """Raise the error of the first task that has one."""
    if error := next((each.error for each in found if each.error), None):
        raise error


def _limits_of_workers(limits: Limits, engine: Engine) -> Limits:
    """The limits of each task. Without limits of the user, the processes of this machine share it."""
    folder = limits.folder and Path(limits.folder).absolute()
    limits = replace(limits, folder=folder)
    return limits.shared_by(engine.processes) if engine.processes else limits


# -- records -------------------------------------------------------------------------------------------


def merged(parts: Sequence[Done]) -> Done:
    """The record of a step from those of its parts."""
    spilled = [each.spilled for each in parts if each.spilled is not None]
    return Done(
        parts[0].step,
        sum(each.rows for each in parts),
        sum(each.seconds for each in parts),
        spilled=sum(spilled) if spilled else None,
        counted=tuple(map(merged_counts, zip(*(each.counted for each in parts), strict=True))),
        refused=tuple(map(merged_refused, zip(*(each.refused for each in parts), strict=True))),
    )


def merged_counts(parts: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    """What a warning counted in all parts: numbers add, and values are listed once, in order."""
    found, rows, *listed = zip(*parts, strict=True)
    values = (sorted({value for of_part in each for value in of_part or ()}) for each in listed)
    return (sum(found), sum(rows), *values)


def merged_refused(parts: Iterable[Sequence[tuple[Any, ...]]]) -> list[tuple[Any, ...]]:
    """The first rows at fault of each part of an input, of those that were found in all tasks.

    Each row has the part of the input, the line, values, and the number of rows at fault.
    """
    tasks = [[(key, [*rows]) for key, rows in groupby(each, key=itemgetter(0))] for each in parts]
    merged = []
    for key in sorted({key for task in tasks for key, _ in task}, key=_order):
        found = [rows for task in tasks for other, rows in task if other == key]
        total = sum(int(rows[0][-1]) for rows in found)
        first = sorted((row[:-1] for rows in found for row in rows), key=lambda row: [*map(_order, row)])
        merged += [(*row, total) for row in first[:SHOWN_PROBLEMS]]
    return merged


def _order(value: Any) -> tuple[bool, Any]:
    """A key that sorts as DuckDB: missing values are last."""
    return value is None, 0 if value is None else value
