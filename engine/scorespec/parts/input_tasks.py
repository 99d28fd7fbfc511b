"""The inputs of a run in parts: tasks read, check and write them. This process only puts together what they found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from scorespec.catalog.model import Table
from scorespec.formats import PARQUET
from scorespec.parts.examining import (
    Checked,
    CheckTask,
    Conditions,
    Examination,
    ExamineTask,
    conditions_of,
)
from scorespec.parts.exchange import Rows
from scorespec.parts.exchange import Table as Written
from scorespec.parts.reading_shares import Common, ReadFile, Reading, ReadShare, ReadTask
from scorespec.parts.shares import LEAST_BYTES, Share, moved, shares_of, stamps_of
from scorespec.parts.stages import FEW_ROWS, Division, Stages, stages_of
from scorespec.parts.task import Manifest, Task
from scorespec.plan.plan import Plan
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.dropping import list_name
from scorespec.run.inputs.files import Stamp
from scorespec.run.inputs.loading import Loaded, loading
from scorespec.run.inputs.several import add_file, check_part
from scorespec.run.inputs.sources import Source
from scorespec.run.session import Session

BYTES_OF_ROW = 32  # a rough mean, from which the number of rows is guessed that decides how tables are divided

Run = Callable[[Sequence[Task]], list[Manifest]]


@dataclass
class _Input:
    """An input while its tasks run."""

    source: Source
    stamps: list[Stamp]
    shares: list[Share]
    read: list[ReadShare] = field(default_factory=list)
    suspect: bool = False  # a row may be at fault
    keys: int = 0


class DividedInputs:
    """Reads and checks the inputs of a plan by tasks, which ``run`` runs; ``common`` is what they have in common.

    ``tables`` are the tables that the stages read, and ``stages`` those of the plan.
    """

    def __init__(
        self, plan: Plan, session: Session, common: Common, sources: Sequence[Source], hashed: bool, run: Run
    ) -> None:
        self._plan, self._session, self._common, self._run = plan, session, common, run
        self._inputs: dict[str, _Input] = {}
        for source in sources:
            stamps = stamps_of(source)
            file_bytes = [stamp.size for stamp in stamps]
            shares = list(shares_of(session, source, file_bytes, common.parts, hashed))
            self._inputs[source.table.name] = _Input(source, stamps, shares)
        guessed = {
            name: sum(share.bytes for share in each.shares) // BYTES_OF_ROW for name, each in self._inputs.items()
        }
        self.stages: Stages = stages_of(plan, common.parts, guessed)
        self.tables = {
            table.name: Written(_columns(table), files={each: {} for each in self._writes(table.name)})
            for table in plan.tables
            if table.name not in self._inputs
        }
        self._changed: set[str] = set()  # the inputs of which rows were merged or dropped

    # -- reading -----------------------------------------------------------------------------------

    def read(self) -> Iterator[tuple[Loaded, float, int | None]]:
        """Each input, the seconds that its tasks took, and the bytes that they spilled.

        All tasks are run before the first. Raises the first error of an input, in the order of the inputs.
        """
        tasks = list(self._read_tasks())
        largest_first = sorted(
            range(len(tasks)), key=lambda number: -tasks[number].bytes
        )  # so that workers end together
        manifests = dict(zip(largest_first, self._run([tasks[number] for number in largest_first]), strict=True))
        for number, task in enumerate(tasks):
            for reading, found in zip(task.readings, _found(manifests[number]), strict=True):
                self._inputs[reading.share.source.table.name].read.append(found)
        for name, each in self._inputs.items():
            if error := next((share.error for share in each.read if share.error), None):
                raise error
            for file, stamp in zip(each.source.each, each.stamps, strict=True):
                if file.format is PARQUET:  # of which several tasks may read rows, one after another
                    stamp.check(file.shown)
            loaded = self._put_together(name, each)
            spilled = [share.spilled for share in each.read if share.spilled is not None]
            yield loaded, sum(share.seconds for share in each.read), sum(spilled) if spilled else None

    def _writes(self, name: str) -> tuple[Division, ...]:
        """The divisions in which an input is written."""
        return tuple(self.stages.inputs.get(name, (None,)))

    def _read_tasks(self) -> Iterator[ReadTask]:
        """The tasks that read the shares: one each, and those that are small together in one."""
        small: list[Reading] = []
        number = 0
        for each in self._inputs.values():
            name = each.source.table.name
            checked = conditions_of(each.source.table, frozenset(), (), self._plan.macros).reading
            for at, share in enumerate(each.shares, 1):
                reading = Reading(share, self._writes(name), checked, each.source.input in self._plan.droppable)
                if share.bytes < LEAST_BYTES and len(each.shares) == 1:
                    small.append(reading)
                    continue
                of_several = f", share {at} of {len(each.shares)}" if len(each.shares) > 1 else ""
                yield ReadTask(f"read{number}", f"loading {name}{of_several}", self._common, number, [reading])
                number += 1
        if small:
            names = ", ".join(each.share.source.table.name for each in small)
            yield ReadTask(f"read{number}", f"loading {names}", self._common, number, small)

    def _put_together(self, name: str, each: _Input) -> Loaded:
        """An input as one process loads it, of what the tasks have read."""
        source, dropping = each.source, each.source.input in self._plan.droppable
        united = loading(source, dropping)
        read: dict[int, list[ReadFile]] = {}  # the shares of each file
        for share, found in zip(each.shares, each.read, strict=True):
            for number, file in enumerate(found.files, share.first):
                read.setdefault(number, []).append(file)
        if source.pieces:
            for number, piece in enumerate(source.pieces):
                add_file(united, _file(loading(piece, dropping), read[number]))
        else:
            _file(united, read[0])
        counted = ("line", "group_line") if source.pieces and united.grouped else ("line",)
        self.tables[name] = table = Written(each.read[0].table.columns, counted=counted)
        for share, found in zip(each.shares, each.read, strict=True):
            table.add(found.table, united.each[share.first].before)
        each.suspect = any(found.failed for found in each.read)
        return united

    # -- checking ----------------------------------------------------------------------------------

    def examine(self, inputs: Sequence[Loaded]) -> None:
        """Find out which inputs may have rows at fault. Tables of many rows are examined in parts."""
        present = frozenset(name for name in self._inputs if self.tables[name].rows)
        asked: list[_Asked] = []
        whole: list[_Asked] = []
        for loaded in inputs:
            name = loaded.source.table.name
            describing = [each for each in self._plan.describing() if each.name in present]
            found = conditions_of(loaded.source.table, present, describing, self._plan.macros)
            if name in present:
                (asked if self.tables[name].rows > FEW_ROWS else whole).append(_Asked(name, found))
        tasks = [*self._examine_whole(whole), *(task for each in asked for task in self._examine_parts(each))]
        for task, manifest in zip(tasks, self._run(tasks), strict=True):
            for examination, examined in zip(task.examinations, _found(manifest), strict=True):
                each = self._inputs[examination.table]
                each.suspect |= examined.failed
                each.keys += examined.keys
        for name, found in ((each.name, each.conditions) for each in (*asked, *whole)):
            self._inputs[name].suspect |= bool(found.key) and self._inputs[name].keys < self.tables[name].rows

    def _examine_whole(self, whole: Sequence[_Asked]) -> Iterator[ExamineTask]:
        """The task that examines all tables of few rows."""
        examinations = [each.examination(each.conditions.referring, each.conditions.whole) for each in whole]
        examinations = [each for each in examinations if each.conditions or each.key]
        if examinations:
            needed = {name for each in whole for name in each.needs} | {each.table for each in examinations}
            names = ", ".join(each.table for each in examinations)
            yield ExamineTask("check", f"checking {names}", self._common, self._reads(needed), examinations)

    def _examine_parts(self, asked: _Asked) -> Iterator[ExamineTask]:
        """The tasks that examine a table of many rows: conditions on single rows in parts, and keys if they can be."""
        name, found, table = asked.name, asked.conditions, self.tables[asked.name]
        by_key = next((each for each in table.files if each in found.key), None)
        division = by_key if by_key is not None else next(iter(table.files))
        in_parts = _Asked(name, replace(found, key=found.key if by_key is not None else ()))
        if found.referring or in_parts.conditions.key:
            parts = sorted(table.files[division])
            needed = self._reads({each for needs in found.referring.values() for each in needs})
            for at, part in enumerate(parts):
                reads = {**needed, name: table.part(division, part)}
                label = f"checking {name}, part {at + 1} of {len(parts)}"
                examinations = [in_parts.examination(found.referring)]
                yield ExamineTask(f"check-{name}-{at}", label, self._common, reads, examinations)
        rest = _Asked(name, replace(found, key=() if by_key is not None else found.key))
        if found.whole or rest.conditions.key:
            reads = self._reads({name, *(each for needs in found.whole.values() for each in needs)})
            examinations = [rest.examination(found.whole)]
            yield ExamineTask(f"check-{name}", f"checking {name}", self._common, reads, examinations)

    def _reads(self, names: Collection[str]) -> dict[str, Rows]:
        """Whole tables, as tasks read them."""
        return {name: self.tables[name].read(None, 0) for name in sorted(names)}

    def check(self, loaded: Loaded, shown: Mapping[str, str]) -> None:
        """Check an input whose rows may be at fault by one task, which reports what one process does.

        It must be called in the order of the inputs: one whose rows are merged or dropped changes what others refer to.
        """
        source, table = loaded.source, loaded.source.table
        describing = [each for each in self._plan.describing() if each.name in shown]
        needs = {name for check in table.checks for name in check.needs} | {each.name for each in describing}
        if not (self._is_suspect(loaded) or needs & self._changed):
            return
        task = CheckTask(
            f"report-{table.name}",
            f"checking {table.name}",
            self._common,
            self._reads({table.name, *(needs & shown.keys())}),
            _movable(loaded),
            dict(shown),
            describing,
            self._writes(table.name),
        )
        (manifest,) = self._run([task])
        found: Checked = _found(manifest)
        loaded.problems, loaded.merged, loaded.dropped = found.problems, found.merged, found.dropped
        for file, dropped in zip(loaded.pieces, found.dropped_by_file, strict=True):
            file.dropped = dropped
        if found.table is not None:
            for path in self.tables[table.name].paths():
                Path(path).unlink()
            self.tables[table.name] = found.table
            self._changed.add(table.name)
        if found.list_of_dropped is not None:
            rows = found.list_of_dropped.read(None, 0).query
            self._session.run(f"CREATE VIEW {quoted(list_name(source.table.name))} AS {rows}")

    def _is_suspect(self, loaded: Loaded) -> bool:
        """Whether something may be wrong with an input."""
        source, few = loaded.source, loaded.rows < loaded.source.table.min_rows
        unreadable = loaded.problems.unreadable and loaded.problems.unreadable.kept
        wholes = any(file.format and file.format.whole for file in source.pieces)
        known = loaded.problems or few or unreadable or loaded.grouped or wholes
        return bool(known) or self._inputs[source.table.name].suspect


@dataclass(frozen=True)
class _Asked:
    """An input that is examined."""

    name: str
    conditions: Conditions

    def examination(self, *conditions: Mapping[str, frozenset[str]]) -> Examination:
        """What is to be found out of some of the conditions."""
        return Examination(self.name, tuple(sql for each in conditions for sql in each), self.conditions.key)

    @property
    def needs(self) -> Iterator[str]:
        """The tables that conditions read."""
        of_all = (*self.conditions.referring.values(), *self.conditions.whole.values())
        return (name for needs in of_all for name in needs)


def _found(manifest: Manifest) -> Any:
    """What a task of inputs returns. Raises the error that ended it."""
    if manifest.error is not None:
        raise manifest.error
    return manifest.found


def _columns(table: Table) -> dict[str, str]:
    """The types of the columns of an input that was not given."""
    return {"line": "BIGINT", **{column.name: column.type for column in table.columns}}


def _file(file: Loaded, read: Sequence[ReadFile]) -> Loaded:
    """A file with what was read of its shares."""
    first, *others = read
    file.problems = first.problems
    for share in others:  # what was left out is the same in each share
        kept = share.problems.kept
        for each in kept:
            column = None if each.column is None else str(each.column)
            file.problems.add(each.line, each.message, each.code, column)
        file.problems.add_more(share.problems.total - len(kept))
    file.rows, file.last = sum(share.rows for share in read), max(share.last for share in read)
    file.content = next((share.content for share in read if share.content), None)
    if others:
        check_part(file)
    return file


def _movable(loaded: Loaded) -> Loaded:
    """An input for another process."""
    pieces = [replace(file, source=moved(file.source)) for file in loaded.pieces]
    return replace(loaded, source=moved(loaded.source), pieces=pieces)
