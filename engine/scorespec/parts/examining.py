"""Tasks that check inputs which other tasks have read.

Most inputs are right. So tasks first only find out whether a row may be at fault, which can be done in parts. If one
may, a single task checks the input as one process does, and so reports the same problems.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from scorespec.catalog.model import Macro, Table
from scorespec.errors import Problems, ScorespecError
from scorespec.parts.exchange import Rows, write_table
from scorespec.parts.exchange import Table as Written
from scorespec.parts.reading_shares import Common, fails
from scorespec.parts.stages import Division
from scorespec.parts.task import Manifest, folder_of_attempt
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.checking import (
    Condition,
    check_descriptions,
    check_table,
    conditions_of_checks,
    conditions_of_columns,
    number_of_keys,
)
from scorespec.run.inputs.dropping import list_name
from scorespec.run.inputs.loading import Loaded
from scorespec.run.inputs.several import check_whole
from scorespec.run.session import Session, open_session

OTHER_ROWS = {"over", "select", "from", "table"}  # words of SQL by which a condition reads more than its row
WORD = re.compile(r"\w+")


# -- conditions --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Conditions:
    """The conditions that the rows of an input must meet, as SQL.

    ``reading`` are those on single rows, and ``referring`` those on single rows and the tables that they need.
    ``whole`` are all others. ``key`` are the columns of a key that may be repeated by no row, or is merged.
    """

    reading: tuple[str, ...] = ()
    referring: Mapping[str, frozenset[str]] = field(default_factory=dict)
    whole: Mapping[str, frozenset[str]] = field(default_factory=dict)
    key: tuple[str, ...] = ()


def conditions_of(
    table: Table, present: frozenset[str], describing: Iterable[Table], macros: Collection[Macro]
) -> Conditions:
    """The conditions of a table; ``present`` are the tables that have rows, ``describing`` those that describe rows."""
    reading = [each.sql for each in conditions_of_columns(table)]
    referring, whole = dict[str, frozenset[str]](), dict[str, frozenset[str]]()
    beyond = OTHER_ROWS | _words_beyond(macros)
    for at, check in enumerate(table.checks):
        needs = frozenset(check.needs)
        condition: Condition | None = next(conditions_of_checks(table, present, [at]), None)
        if condition is None:
            continue
        words = _words(check.sql)
        if words & ({table.name.lower(), "over"} | beyond - OTHER_ROWS) or (not needs and words & beyond):
            whole[condition.sql] = needs
        elif needs:
            referring[condition.sql] = needs
        else:
            reading.append(condition.sql)
    for each in describing:
        column = str(each.describes)
        if column in table.column_names and table.name != each.name:
            name = quoted(column)
            lacking = f"{name} NOT IN (SELECT {name} FROM {quoted(each.name)})"
            referring[f"({lacking}) IS NOT TRUE"] = frozenset({each.name})
    return Conditions(tuple(reading), referring, whole, () if table.duplicates == "keep" else table.key)


def _words(sql: str) -> set[str]:
    return set(WORD.findall(sql.lower()))


def _words_beyond(macros: Collection[Macro]) -> set[str]:
    """The names of the macros that may read more than a row."""
    found: set[str] = set()
    while more := {each.name.lower() for each in macros if _words(each.sql) & (OTHER_ROWS | found)} - found:
        found |= more
    return found


# -- tasks -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Examination:
    """What is to be found out about the rows of a table: whether one fails a condition, and the number of keys."""

    table: str
    conditions: tuple[str, ...]
    key: tuple[str, ...]


@dataclass(frozen=True)
class Examined:
    """Whether a row may fail a condition, and the number of different keys (0 if not asked)."""

    failed: bool
    keys: int


@dataclass(frozen=True)
class ExamineTask:
    """Finds out whether a row of some tables may be at fault; the result has an :class:`Examined` for each."""

    name: str
    label: str
    common: Common
    reads: Mapping[str, Rows]
    examinations: Sequence[Examination]

    def run(self, manifest: Manifest) -> None:
        """See :class:`.Task`."""
        folder_of_attempt(self.common.folder, self.common.call, self.name)  # which stays empty
        with open_session(self.common.limits) as session:
            _view(session, self.common, self.reads)
            manifest.found = [self._examined(session, each) for each in self.examinations]

    @staticmethod
    def _examined(session: Session, asked: Examination) -> Examined:
        try:
            keys = number_of_keys(session, asked.table, asked.key) if asked.key else 0
        except (duckdb.Error, ScorespecError):  # which the report on the input will raise
            return Examined(True, 0)
        return Examined(fails(session, asked.table, asked.conditions), keys)


@dataclass
class Checked:
    """What the checks of an input have found: the attributes of :class:`.Loaded`.

    If rows were merged or dropped, ``table`` has those that are left. ``dropped_by_file`` are the numbers of rows that
    were dropped of each file, ``list_of_dropped`` has these rows, and what is wrong with each.
    """

    problems: Problems
    merged: int
    dropped: int
    dropped_by_file: list[int]
    table: Written | None = None
    list_of_dropped: Written | None = None


@dataclass(frozen=True)
class CheckTask:
    """Checks an input as a run in one process does; the result is a :class:`Checked`.

    ``shown`` has the names of the sources of all inputs. ``writes`` are the divisions in which rows are written.
    """

    name: str
    label: str
    common: Common
    reads: Mapping[str, Rows]
    loaded: Loaded
    shown: Mapping[str, str]
    describing: Sequence[Table]
    writes: tuple[Division, ...]

    def run(self, manifest: Manifest) -> None:
        """See :class:`.Task`."""
        loaded, common = self.loaded, self.common
        table = loaded.source.table
        attempt = folder_of_attempt(common.folder, common.call, self.name)
        # Rows can be left out of a table, and not of a view. Rows with lists are read in place.
        may_change = (loaded.dropping or table.duplicates == "merge") and not table.nested
        with open_session(common.limits) as session:
            others = {**self.reads}
            if may_change:
                session.create(table.name, others.pop(table.name).query)
            session.let_read(attempt)
            _view(session, common, others)
            check_whole(session, loaded)
            check_table(session, loaded, self.shown)
            for each in self.describing:
                check_descriptions(session, loaded, each, self.shown[each.name])
            by_file = [file.dropped for file in loaded.pieces]
            found = Checked(loaded.problems, loaded.merged, loaded.dropped, by_file)
            if (loaded.merged or loaded.dropped) and not loaded.problems:
                found.table = self._written(session, attempt, table.name, self.writes)
            if loaded.dropped:  # of which warnings tell, whether the run ends or not
                found.list_of_dropped = self._written(session, attempt, list_name(table.name), (None,))
            manifest.found = found

    def _written(self, session: Session, folder: Path, name: str, divisions: tuple[Division, ...]) -> Written:
        return write_table(session, name, folder, divisions, self.common.parts)


def _view(session: Session, common: Common, reads: Mapping[str, Rows]) -> None:
    """Let SQL read tables from their files, and nothing else."""
    for rows in reads.values():
        for path in rows.paths:
            session.let_read(Path(path))
    session.lock()
    session.make_macros(common.macros)
    for name, rows in reads.items():
        session.run(f"CREATE VIEW {quoted(name)} AS {rows.query}")
