"""The inputs of a run in parts: tasks read, check and write them. This process only puts together what they found.

Each input is cut into shares: some row groups of a Parquet file, or some files. A task reads one share. Most inputs are
right. So tasks first only find out whether a row may be at fault, which can be done in parts. If one may, a single task
checks the input as one process does, and so reports the same problems.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from glob import escape
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import duckdb

from scorespec.catalog.model import Table
from scorespec.core.groups import grouped
from scorespec.formats import PARQUET
from scorespec.parts.engines.protocol import Task
from scorespec.parts.exchange import TableFiles
from scorespec.parts.stages import FEW_ROWS, Division, Stages, stages_of
from scorespec.parts.worker_tasks import (
    CheckTask,
    Examination,
    ExamineTask,
    InputChecked,
    ReadTask,
    Share,
    ShareRead,
    Workplace,
    conditions_of,
)
from scorespec.plan.parameters import text_literal
from scorespec.plan.plan import Plan
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.checking import list_name
from scorespec.run.inputs.files import Stamp, unreadable
from scorespec.run.inputs.loading import Loaded, loading
from scorespec.run.inputs.nested import FRAME
from scorespec.run.inputs.several import add_file, check_part
from scorespec.run.inputs.sources import Source
from scorespec.run.session import Session
from scorespec.run.table_files import FileRows

LEAST_BYTES = 4 * 2**20  # of a share: reading fewer bytes takes hardly longer than starting a task
BYTES_OF_ROW = 32  # a rough mean, from which the number of rows is guessed that decides how tables are divided

Run = Callable[[Sequence[Task]], list[Any]]  # runs tasks, and returns what they find; raises the error of the first


@dataclass
class _Input:
    """An input while its tasks run."""

    source: Source
    stamps: list[Stamp]
    shares: list[Share]
    read: list[ShareRead] = field(default_factory=list)
    suspect: bool = False  # a row may be at fault
    keys: int = 0


class InputsInParts:
    """Reads and checks the inputs of a plan by tasks, which ``run`` runs.

    ``tables`` are the tables that the stages read, and ``stages`` those of the plan.
    """

    def __init__(
        self, plan: Plan, session: Session, workplace: Workplace, sources: Sequence[Source], hashed: bool, run: Run
    ) -> None:
        self._plan, self._session, self._workplace, self._run = plan, session, workplace, run
        self._inputs: dict[str, _Input] = {}
        for source in sources:
            stamps = _stamps_of(source)
            shares = list(_shares_of(session, source, [stamp.size for stamp in stamps], workplace.parts, hashed))
            self._inputs[source.table.name] = _Input(source, stamps, shares)
        guessed = {
            name: sum(stamp.size for stamp in each.stamps) // BYTES_OF_ROW for name, each in self._inputs.items()
        }
        self.stages: Stages = stages_of(plan, workplace.parts, guessed)
        self.tables = {
            table.name: TableFiles(_columns(table), files={each: {} for each in self._writes(table.name)})
            for table in plan.tables
            if table.name not in self._inputs
        }
        self._changed: set[str] = set()  # the inputs that had rows merged or dropped

    # -- reading -----------------------------------------------------------------------------------

    def read(self) -> Iterator[Loaded]:
        """Each input. Its seconds, and the bytes that it spilled, are those of all its tasks.

        All tasks are run before the first. Raises the first error of an input, in the order of the inputs.
        """
        owners = [(name, each, at) for name, each in self._inputs.items() for at in range(len(each.shares))]
        tasks = [self._read_task(number, *owner) for number, owner in enumerate(owners)]
        for (_, each, _), found in zip(owners, self._run(tasks), strict=True):
            each.read.append(found)
        for name, each in self._inputs.items():
            for file, stamp in zip(each.source.each, each.stamps, strict=True):
                if file.format is PARQUET:  # several tasks may read its rows, one after another
                    stamp.check(file.shown)
            loaded = self._put_together(name, each)
            loaded.seconds = sum(share.seconds for share in each.read)
            spilled = [share.spilled for share in each.read if share.spilled is not None]
            loaded.spilled = sum(spilled) if spilled else None
            yield loaded

    def _writes(self, name: str) -> tuple[Division, ...]:
        """The divisions in which an input is written."""
        return tuple(self.stages.inputs.get(name, (None,)))

    def _read_task(self, number: int, name: str, of: _Input, at: int) -> ReadTask:
        share, shares = of.shares[at], len(of.shares)
        label = f"loading {name}" + (f", share {at + 1} of {shares}" if shares > 1 else "")
        roles, given = self._plan.inputs, of.source.input
        dropping, submitted = given in roles.droppable, given in roles.submitted
        return ReadTask(label, self._workplace, number, share, self._writes(name), dropping, submitted)

    def _put_together(self, name: str, each: _Input) -> Loaded:
        """An input as one process loads it, of what the tasks have read."""
        source, dropping = each.source, each.source.input in self._plan.inputs.droppable
        united = loading(source, dropping)
        shares_of_file = grouped(
            numbered
            for share, found in zip(each.shares, each.read, strict=True)
            for numbered in enumerate(found.files, share.first)
        )
        if source.pieces:
            for number, piece in enumerate(source.pieces):
                add_file(united, _file(loading(piece, dropping), shares_of_file[number]))
        else:
            _file(united, shares_of_file[0])
        united.digest = tuple(map(sum, zip(*(found.digest for found in each.read), strict=True)))
        counted = ("line", "group_line") if source.pieces and united.grouped else ("line",)
        self.tables[name] = table = TableFiles(each.read[0].table.columns, counted=counted)
        for share, found in zip(each.shares, each.read, strict=True):
            table.add(found.table, united.each[share.first].before)
        return united

    # -- checking ----------------------------------------------------------------------------------

    def examine(self) -> None:
        """Find out which inputs may have rows at fault. Tables of many rows are examined in parts."""
        present = frozenset(name for name in self._inputs if self.tables[name].rows)
        describing = [each for each in self._plan.describing() if each.name in present]
        small: list[Examination] = []
        tasks, keys = list[ExamineTask](), dict[str, bool]()
        for name in sorted(present):
            table = self.tables[name]
            found = conditions_of(self._inputs[name].source.table, present, describing, self._plan.macros)
            keys[name] = bool(found.key)
            by_key = next((each for each in table.files if each in found.key), None)
            key_alone, key_together = (found.key, ()) if by_key is not None else ((), found.key)
            alone = Examination(name, found.alone, key_alone)
            together = Examination(name, found.together, key_together)
            if table.rows <= FEW_ROWS:
                small += [alone, together]
                continue
            division = by_key if by_key is not None else next(iter(table.files))
            for part in sorted(table.files[division]):
                tasks += self._examine([alone], {name: table.part(division, part)})
            tasks += self._examine([together])
        tasks += self._examine(small)
        for task, answers in zip(tasks, self._run(tasks), strict=True):
            for examination, (failed, number) in zip(task.examinations, answers, strict=True):
                self._inputs[examination.table].suspect |= failed
                self._inputs[examination.table].keys += number
        for name, has_key in keys.items():
            self._inputs[name].suspect |= has_key and self._inputs[name].keys < self.tables[name].rows

    def _examine(self, asked: Sequence[Examination], reads: Mapping[str, FileRows] | None = None) -> list[ExamineTask]:
        """The task of some examinations, if there is something to find out; ``reads`` has what is not read whole."""
        asked = [each for each in asked if each]
        if not asked:
            return []
        names = {each.table: None for each in asked}
        needed = {need for each in asked for needs in each.conditions.values() for need in needs}
        read = {**self._reads(needed | names.keys()), **(reads or {})}
        return [ExamineTask(f"checking {', '.join(names)}", self._workplace, read, asked)]

    def _reads(self, names: Collection[str]) -> dict[str, FileRows]:
        """Whole tables, as tasks read them."""
        return {name: self.tables[name].whole() for name in sorted(names)}

    def check(self, loaded: Loaded, shown: Mapping[str, str]) -> None:
        """Check an input whose rows may be at fault by one task, which reports what one process does.

        It must be called in the order of the inputs: one whose rows are merged or dropped changes what others refer to.
        """
        table = loaded.source.table
        describing = [each for each in self._plan.describing() if each.name in shown]
        needs = {name for check in table.checks for name in check.needs} | {each.name for each in describing}
        if not (self._is_suspect(loaded) or needs & self._changed):
            return
        reads = self._reads({table.name, *(needs & shown.keys())})
        pieces = [replace(each, source=_moved(each.source)) for each in loaded.pieces]
        movable = replace(loaded, source=_moved(loaded.source), pieces=pieces)
        task = CheckTask(
            f"checking {table.name}", self._workplace, reads, movable, dict(shown), describing, self._writes(table.name)
        )
        found: InputChecked
        (found,) = self._run([task])
        loaded.problems, loaded.merged, loaded.dropped = (
            found.loaded.problems,
            found.loaded.merged,
            found.loaded.dropped,
        )
        for file, checked in zip(loaded.pieces, found.loaded.pieces, strict=True):
            file.dropped = checked.dropped
        if found.table is not None:
            for path in self.tables[table.name].paths():
                Path(path).unlink()
            self.tables[table.name] = found.table
            self._changed.add(table.name)
        if found.dropped is not None:
            self._session.run(f"CREATE VIEW {quoted(list_name(table.name))} AS {found.dropped.whole().query}")

    def _is_suspect(self, loaded: Loaded) -> bool:
        """Whether something may be wrong with an input."""
        source, few = loaded.source, loaded.rows < loaded.source.table.min_rows
        unreadable = loaded.problems.unreadable and loaded.problems.unreadable.kept
        wholes = any(file.format and file.format.whole for file in source.pieces)
        known = loaded.problems or few or unreadable or loaded.grouped or wholes
        return bool(known) or self._inputs[source.table.name].suspect


def _columns(table: Table) -> dict[str, str]:
    """The types of the columns of an input that was not given."""
    return {"line": "BIGINT", **{column.name: column.type for column in table.columns}}


def _file(file: Loaded, read: Sequence[Loaded]) -> Loaded:
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


def _moved(source: Source) -> Source:
    """A source for another process, which has other current folders."""
    path = source.path and Path(source.path).absolute()
    return replace(source, path=path, files=None, pieces=tuple(map(_moved, source.pieces)))


# -- shares ------------------------------------------------------------------------------------------


def _stamps_of(source: Source) -> list[Stamp]:
    """The stamp of each file of an input. Raises InputError for a file that cannot be read."""
    found = []
    for file in source.each:
        assert file.path is not None  # inputs in memory are refused
        try:
            found.append(Stamp.of(file.path))
        except OSError as error:
            raise unreadable(file.shown, error) from None
    return found


def _shares_of(session: Session, source: Source, file_bytes: list[int], parts: int, hashed: bool) -> Iterator[Share]:
    """The shares of an input, in its order. ``file_bytes`` are those of its files.

    There are about as many as ``parts``, of similar size. A text file, or a table with a row per frame, is in one
    share. So are files of several formats, which may have different columns.
    """
    whole = _moved(source)
    if len({file.format and file.format.name for file in source.each}) > 1:
        yield Share(whole, 0, hashed)
        return
    most = max(LEAST_BYTES, -(-sum(file_bytes) // parts))
    held: list[int] = []  # numbers of files that are read together

    def read(*files: Source) -> Source:
        return replace(whole, pieces=files) if whole.pieces else files[0]

    def together() -> Iterator[Share]:
        if held:
            yield Share(read(*(whole.each[at] for at in held)), held[0], hashed)
            held.clear()

    for number, file in enumerate(whole.each):
        ranges = _ranges(session, file, -(-file_bytes[number] // most))
        if len(ranges) > 1:
            yield from together()
            for rows in ranges:
                yield Share(read(replace(file, rows=rows)), number, hashed and rows[0] == 0)
            continue
        if sum(file_bytes[at] for at in held) + file_bytes[number] > most:
            yield from together()
        held.append(number)
    yield from together()


def _ranges(session: Session, file: Source, shares: int) -> list[tuple[int, int]]:
    """The rows of a Parquet file in some shares of whole row groups; an empty list if it is read as a whole."""
    if shares < 2 or file.format is not PARQUET or file.texts:  # texts are numbered within a file
        return []
    if file.table.nested and (file.columns or file.filled):  # which may have the numbers of frames
        return []
    path = text_literal(escape(str(file.path)))
    groups = f"SELECT DISTINCT row_group_id, row_group_num_rows FROM parquet_metadata({path}) ORDER BY 1"
    try:
        if file.table.nested and (FRAME,) in session.rows(f"SELECT name FROM parquet_schema({path})"):
            return []  # the frames of a sequence may be in several row groups
        rows = [int(number) for _, number in session.rows(groups)]
    except duckdb.Error:  # which reading the file will report
        return []
    ends = [0, *accumulate(rows)]
    # The first row group that ends at or after each of the equal shares of the rows ends this share.
    cuts = {next(end for end in ends if end * shares >= share * ends[-1]) for share in range(shares + 1)}
    return list(pairwise(sorted(cuts)))
