"""The tasks of a run in parts: what a worker reads, checks, computes and writes."""

from __future__ import annotations

import os
import re
import secrets
import socket
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from scorespec.catalog.model import Macro, Table
from scorespec.errors import RunError, ScorespecError
from scorespec.parts.engines.protocol import Answer
from scorespec.parts.exchange import TableFiles, write_table
from scorespec.parts.stages import Division
from scorespec.plan.plan import Step
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.checking import (
    check_descriptions,
    check_table,
    conditions_of_checks,
    conditions_of_columns,
    list_name,
    number_of_keys,
)
from scorespec.run.inputs.loading import Loaded
from scorespec.run.inputs.several import check_whole, digest_of, load_input, unite
from scorespec.run.inputs.sources import Source
from scorespec.run.limits import Limits
from scorespec.run.loop import Done, Todo, run_steps
from scorespec.run.session import Session, open_session
from scorespec.run.table_files import FileRows

MOST_SCORES = 10**9  # distinct scores, in all slices, that one worker computes with
CALL = "call"  # the file with the name of the call, by which a worker knows the shared folder
OTHER_ROWS = {"select", "from", "table"}  # words of SQL by which a condition reads more than its row
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Workplace:
    """Where and how all tasks of a run work.

    ``folder`` is the folder of the run in the shared folder, in which each attempt at a task makes a folder of its own.
    A file there has the name of the ``call``.
    """

    folder: Path
    call: str
    parts: int
    macros: tuple[Macro, ...]
    limits: Limits
    measured: bool

    @contextmanager
    def attempt(self, task: str) -> Iterator[tuple[Session, Path]]:
        """A session for this attempt at a task, and the new folder to which the session can write.

        Raises RunError if this worker does not see the shared folder.
        """
        try:
            is_shared = (self.folder / CALL).read_text() == self.call
        except OSError:
            is_shared = False
        if not is_shared:
            said = f"{_this_worker()} does not see the folder {self.folder.parent}"
            raise RunError(f"{said}; --shared must be a folder that all workers have at the same path")
        folder = self.folder / f"{task}-{secrets.token_hex(4)}"
        try:
            folder.mkdir()
        except OSError as error:
            raise RunError(f"{_this_worker()} cannot write to {self.folder.parent}: {error.strerror}") from None
        with open_session(self.limits) as session:
            if self.measured:
                session.measure()
            session.let_read(folder)
            yield session, folder

    def show(self, session: Session, reads: Mapping[str, FileRows]) -> None:
        """Let SQL read tables from their files, and nothing else."""
        for rows in reads.values():
            for path in rows.paths:
                session.let_read(Path(path))
        session.lock()
        session.make_macros(self.macros)
        for name, rows in reads.items():
            session.run(f"CREATE VIEW {quoted(name)} AS {rows.query}")


def _this_worker() -> str:
    """This process in messages."""
    return f"the worker {socket.gethostname()}, process {os.getpid()}"


# -- steps -------------------------------------------------------------------------------------------


@dataclass
class PartMade:
    """What a task of steps finds: the record of each step that is done, and the tables that the task wrote."""

    done: list[Done] = field(default_factory=list)
    tables: dict[str, TableFiles] = field(default_factory=dict)


@dataclass(frozen=True)
class PartTask:
    """Computes the steps of a group for one part, or for all rows; finds a :class:`PartMade`.

    ``name`` begins the names of its folders, ``label`` says in messages what it computes, and ``todo`` has its steps.
    ``reads`` has the rows of each table that is read, ``writes`` the divisions in which tables are written.
    """

    name: str
    label: str
    workplace: Workplace
    part: int
    todo: Todo
    reads: Mapping[str, FileRows]
    writes: Mapping[str, tuple[Division, ...]]

    def run(self, answer: Answer) -> None:
        """See :class:`.Task`."""
        answer.found = made = PartMade()
        with self.workplace.attempt(self.name) as (session, folder):
            self.workplace.show(session, self.reads)
            scores = {step.physical: step for step in self.todo.steps if step.role == "score points"}
            for done in run_steps(session, self.todo, measured=self.workplace.measured):
                if done.step in scores:
                    check_scores(scores[done.step], done.rows)
                made.done.append(done)
            for name, divisions in self.writes.items():
                made.tables[name] = write_table(session, name, folder, divisions, self.workplace.parts, self.part)


def check_scores(step: Step, number: int) -> None:
    """Raise RunError if a step has a larger number of distinct scores than one worker computes with."""
    if number > MOST_SCORES:
        said = f"{step.label}: {number:,} distinct scores are too many for one worker, which can take {MOST_SCORES:,}"
        raise RunError(f"{said}; round the scores, or name other metrics with --metric")


# -- inputs ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Share:
    """A share of an input: ``source`` has what is read.

    ``first`` is the number of its first file among those of the input, from 0. A file is ``hashed`` with one of its
    shares.
    """

    source: Source
    first: int
    hashed: bool


@dataclass
class ShareRead:
    """What was read of a share: its files, which have the problems, and the files to which its rows were written."""

    files: list[Loaded]
    table: TableFiles
    digest: tuple[int, ...]
    seconds: float
    spilled: int | None


@dataclass(frozen=True)
class ReadTask:
    """Reads a share of an input, and writes its rows in some divisions; finds a :class:`ShareRead`.

    ``number`` is that of the task. Rows that are not ``submitted`` have a digest.
    """

    label: str
    workplace: Workplace
    number: int
    share: Share
    writes: tuple[Division, ...]
    dropping: bool
    submitted: bool

    def run(self, answer: Answer) -> None:
        """See :class:`.Task`."""
        begun, share = time.perf_counter(), self.share
        name = share.source.table.name
        with self.workplace.attempt(f"read{self.number}") as (session, folder):
            for file in share.source.each:
                if file.path is None or not file.path.exists():
                    said = f"{_this_worker()} does not see the file {file.shown} at {file.path}"
                    raise RunError(f"{said}; inputs must be at the same paths on all workers")
            loaded = load_input(session, share.source, share.hashed, self.dropping, view=True)
            spilled = session.spilled() if self.workplace.measured else None
            unite(session, loaded)
            table = write_table(session, name, folder, self.writes, self.workplace.parts, self.number)
            digest = () if self.submitted else digest_of(session, share.source.table)
            answer.found = ShareRead(loaded.each, table, digest, time.perf_counter() - begun, spilled)


@dataclass(frozen=True)
class Conditions:
    """The conditions that the rows of an input must meet, as SQL, with the tables that each needs.

    A row is judged ``alone``, or all rows ``together``. No two rows may have the same ``key``, or they are merged.
    """

    alone: Mapping[str, frozenset[str]]
    together: Mapping[str, frozenset[str]]
    key: tuple[str, ...]


def conditions_of(
    table: Table, present: frozenset[str], describing: Iterable[Table], macros: Collection[Macro]
) -> Conditions:
    """The conditions of a table; ``present`` are the tables that have rows, ``describing`` those that describe rows."""
    alone, together = dict[str, frozenset[str]](), dict[str, frozenset[str]]()
    alone |= {each.sql: frozenset[str]() for each in conditions_of_columns(table)}
    beyond = {table.name.lower(), "over", *_macros_beyond(macros)}
    for at, check in enumerate(table.checks):
        for condition in conditions_of_checks(table, present, [at]):
            reads_more = _words(check.sql) & (beyond if check.needs else beyond | OTHER_ROWS)
            (together if reads_more else alone)[condition.sql] = frozenset(check.needs)
    for each in describing:
        if each.describes in table.column_names and table.name != each.name:
            name = quoted(str(each.describes))
            lacking = f"{name} NOT IN (SELECT {name} FROM {quoted(each.name)})"
            alone[f"({lacking}) IS NOT TRUE"] = frozenset({each.name})
    return Conditions(alone, together, () if table.duplicates == "keep" else table.key)


def _words(sql: str) -> set[str]:
    return set(WORD.findall(sql.lower()))


def _macros_beyond(macros: Collection[Macro]) -> set[str]:
    """The names of the macros that may read more than a row."""
    found: set[str] = set()
    while more := {each.name.lower() for each in macros if _words(each.sql) & {*OTHER_ROWS, "over", *found}} - found:
        found |= more
    return found


@dataclass(frozen=True)
class Examination:
    """What is to be found out about the rows of a table: whether one fails a condition, and the number of keys."""

    table: str
    conditions: Mapping[str, frozenset[str]]
    key: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.conditions or self.key)

    def failed(self, session: Session) -> bool:
        """Whether a row may fail a condition."""
        failed = " OR ".join(f"({each}) IS NOT TRUE" for each in self.conditions)
        judged = f"(SELECT {failed} AS failed FROM {quoted(self.table)})"  # a condition may have window functions
        return bool(self.conditions and session.rows(f"SELECT 1 FROM {judged} WHERE failed LIMIT 1"))


@dataclass(frozen=True)
class ExamineTask:
    """Finds out whether a row of some tables may be at fault.

    It finds, for each examination, whether a row may fail a condition, and the number of keys (0 if not asked).
    """

    label: str
    workplace: Workplace
    reads: Mapping[str, FileRows]
    examinations: Sequence[Examination]

    def run(self, answer: Answer) -> None:
        """See :class:`.Task`."""
        answer.found = []
        with self.workplace.attempt("examine") as (session, _):
            self.workplace.show(session, self.reads)
            for each in self.examinations:
                try:
                    keys = number_of_keys(session, each.table, each.key) if each.key else 0
                    answer.found.append((each.failed(session), keys))
                except (duckdb.Error, ScorespecError):  # which the check of the input will report
                    answer.found.append((True, 0))


@dataclass
class InputChecked:
    """What the checks of an input have found.

    If rows were merged or dropped, ``table`` has those that are left. ``dropped`` lists the rows that were dropped.
    """

    loaded: Loaded
    table: TableFiles | None = None
    dropped: TableFiles | None = None


@dataclass(frozen=True)
class CheckTask:
    """Checks an input as a run in one process does; finds an :class:`InputChecked`.

    ``shown`` has the names of the sources of all inputs. ``writes`` are the divisions in which rows are written.
    """

    label: str
    workplace: Workplace
    reads: Mapping[str, FileRows]
    loaded: Loaded
    shown: Mapping[str, str]
    describing: Sequence[Table]
    writes: tuple[Division, ...]

    def run(self, answer: Answer) -> None:
        """See :class:`.Task`."""
        loaded, table, others = self.loaded, self.loaded.source.table, {**self.reads}
        answer.found = found = InputChecked(loaded)
        with self.workplace.attempt(f"check-{table.name}") as (session, folder):
            # Rows can be left out of a table, and not of a view. Rows with lists are read in place.
            if (loaded.dropping or table.duplicates == "merge") and not table.nested:
                session.create(table.name, others.pop(table.name).query)
            self.workplace.show(session, others)
            check_whole(session, loaded)
            check_table(session, loaded, self.shown)
            for each in self.describing:
                check_descriptions(session, loaded, each, self.shown[each.name])
            if (loaded.merged or loaded.dropped) and not loaded.problems:
                found.table = write_table(session, table.name, folder, self.writes, self.workplace.parts)
            if loaded.dropped:  # what warnings report, whether the run ends or not
                found.dropped = write_table(session, list_name(table.name), folder, (None,), self.workplace.parts)
