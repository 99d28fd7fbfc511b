"""A task that reads shares of inputs: it casts their rows, and writes them as the stages of the run need them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from scorespec.catalog.model import Macro
from scorespec.compiler.stages import Division
from scorespec.compiler.templates import quoted
from scorespec.errors import Problems, RunError, ScorespecError
from scorespec.runtime.files import Content
from scorespec.runtime.parts.exchange import Table, write_table
from scorespec.runtime.parts.shares import Share
from scorespec.runtime.parts.task import Manifest, folder_of_attempt, this_worker
from scorespec.runtime.session import Limits, Session, open_session
from scorespec.runtime.several import load_input, unite


@dataclass(frozen=True)
class Common:
    """What all tasks of a run that read and check inputs have in common; see :class:`.PartTask`."""

    folder: Path
    call: str
    parts: int
    macros: tuple[Macro, ...]
    limits: Limits
    measured: bool


@dataclass(frozen=True)
class Reading:
    """What a task does with a share of an input.

    ``writes`` are the divisions in which its rows are written. ``conditions`` are checks, as SQL, of single rows.
    """

    share: Share
    writes: tuple[Division, ...]
    conditions: tuple[str, ...]
    dropping: bool


@dataclass
class ReadFile:
    """What was read of a file: the attributes of :class:`.Loaded`."""

    rows: int
    problems: Problems
    content: Content | None
    last: int


@dataclass
class ReadShare:
    """What was read of a share: its files and rows, and whether a row fails a condition; or the error that ended it."""

    files: list[ReadFile]
    table: Table
    failed: bool = False
    seconds: float = 0.0
    spilled: int | None = None
    error: Exception | None = None


@dataclass(frozen=True)
class ReadTask:
    """Reads shares of inputs; the result is a :class:`ReadShare` for each. ``number`` is that of the task."""

    name: str
    label: str
    common: Common
    number: int
    readings: Sequence[Reading]

    def run(self, manifest: Manifest) -> None:
        """See :class:`.Task`."""
        common, found = self.common, []
        attempt = folder_of_attempt(common.folder, common.call, self.name)
        for at, reading in enumerate(self.readings):
            folder = attempt / str(at)
            folder.mkdir()
            with open_session(common.limits) as session:
                if common.measured:
                    session.measure()
                session.let_read(folder)
                try:
                    found.append(self._read(session, reading, folder))
                except ScorespecError as error:  # of several inputs, the error about the first is raised
                    found.append(ReadShare([], Table({}), error=error))
        manifest.found = found

    def _read(self, session: Session, reading: Reading, folder: Path) -> ReadShare:
        begun = time.perf_counter()
        share, common = reading.share, self.common
        for file in share.source.each:
            _check_seen(file.path, file.shown)
        loaded = load_input(session, share.source, share.hashed, reading.dropping, view=True)
        spilled = session.spilled() if common.measured else None
        session.lock()
        session.make_macros(common.macros)
        unite(session, loaded)
        name = share.source.table.name
        failed = fails(session, name, reading.conditions)
        table = write_table(session, name, folder, reading.writes, common.parts, self.number)
        files = [ReadFile(each.rows, each.problems, each.content, each.last) for each in loaded.each]
        return ReadShare(files, table, failed, time.perf_counter() - begun, spilled)


def _check_seen(path: Path | None, shown: str) -> None:
    """Raise RunError for a file that exists for the process that asks, and not for this worker."""
    if path is None or not path.exists():
        said = f"{this_worker()} does not see the file {shown} at {path}"
        raise RunError(f"{said}; inputs must be at the same paths on all workers")


def fails(session: Session, table: str, conditions: Sequence[str]) -> bool:
    """Whether a row of a table may fail a condition: a condition whose SQL is at fault counts as failed."""
    failed = " OR ".join(f"({each}) IS NOT TRUE" for each in conditions)
    try:
        return bool(conditions and session.rows(f"SELECT 1 FROM {quoted(table)} WHERE {failed} LIMIT 1"))
    except (duckdb.Error, ScorespecError):  # which the report on the input will raise
        return True
