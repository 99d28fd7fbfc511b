"""A task that reads shares of inputs: it casts their rows, and writes them as the stages of the run need them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import duckdb

from scorespec.catalog.model import Macro
from scorespec.errors import Problems, RunError, ScorespecError
from scorespec.parts.exchange import Table, write_table
from scorespec.parts.shares import Share
from scorespec.parts.stages import Division
from scorespec.parts.task import Manifest, folder_of_attempt, this_worker
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.files import Content
from scorespec.run.inputs.loading import Loaded
from scorespec.run.inputs.several import load_input, unite
from scorespec.run.limits import Limits
from scorespec.run.session import Session, open_session


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

    files: list[ReadFile] = field(default_factory=list)
    table: Table = field(default_factory=lambda: Table({}))
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

    @property
    def bytes(self) -> int:
        """The size of what it reads."""
        return sum(each.share.bytes for each in self.readings)

    def run(self, manifest: Manifest) -> None:
        """See :class:`.Task`."""
        common = self.common
        attempt = folder_of_attempt(common.folder, common.call, self.name)
        with open_session(common.limits) as session:
            if common.measured:
                session.measure()
            session.let_read(attempt)
            loaded = [self._load(session, each) for each in self.readings]
            session.lock()  # conditions are SQL of documents
            session.make_macros(common.macros)
            manifest.found = [
                self._written(session, reading, each, attempt) if isinstance(each, _Loaded) else ReadShare(error=each)
                for reading, each in zip(self.readings, loaded, strict=True)
            ]

    def _load(self, session: Session, reading: Reading) -> _Loaded | ScorespecError:
        """A share, or the error that ended it: of the errors of several inputs, that of the first is raised."""
        begun, share = time.perf_counter(), reading.share
        try:
            for file in share.source.each:
                _check_seen(file.path, file.shown)
            loaded = load_input(session, share.source, share.hashed, reading.dropping, view=True)
        except ScorespecError as error:
            return error
        spilled = session.spilled() if self.common.measured else None
        return _Loaded(loaded, time.perf_counter() - begun, spilled)

    def _written(self, session: Session, reading: Reading, share: _Loaded, folder: Path) -> ReadShare:
        """What was read of a share, after its rows are written."""
        begun, loaded, name = time.perf_counter(), share.loaded, reading.share.source.table.name
        unite(session, loaded)
        failed = fails(session, name, reading.conditions)
        table = write_table(session, name, folder, reading.writes, self.common.parts, self.number)
        files = [ReadFile(each.rows, each.problems, each.content, each.last) for each in loaded.each]
        return ReadShare(files, table, failed, share.seconds + time.perf_counter() - begun, share.spilled)


class _Loaded(NamedTuple):
    """A share in the work database, the seconds that this took, and the bytes that it spilled."""

    loaded: Loaded
    seconds: float
    spilled: int | None


def _check_seen(path: Path | None, shown: str) -> None:
    """Raise RunError for a file that exists for the process that asks, and not for this worker."""
    if path is None or not path.exists():
        said = f"{this_worker()} does not see the file {shown} at {path}"
        raise RunError(f"{said}; inputs must be at the same paths on all workers")


def fails(session: Session, table: str, conditions: Sequence[str]) -> bool:
    """Whether a row of a table may fail a condition: a condition whose SQL is at fault counts as failed."""
    failed = " OR ".join(f"({each}) IS NOT TRUE" for each in conditions)
    try:
        judged = f"(SELECT {failed} AS failed FROM {quoted(table)})"  # a condition may have window functions
        return bool(conditions and session.rows(f"SELECT 1 FROM {judged} WHERE failed LIMIT 1"))
    except (duckdb.Error, ScorespecError):  # which the report on the input will raise
        return True
