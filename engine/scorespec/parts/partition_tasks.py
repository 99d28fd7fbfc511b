"""What a task computes from one partition of the submission: sums of a plan, as Parquet files in the shared folder."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from scorespec.errors import RunError
from scorespec.parts.engines.protocol import Answer
from scorespec.parts.plan_in_partitions import PartitionedPlan
from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.sources import Source
from scorespec.run.limits import Limits
from scorespec.run.loop import Done
from scorespec.run.progress import Silent
from scorespec.run.runner import GoldSupply, InProcess, Prepared, Runner
from scorespec.run.session import Session, error_context, open_session
from scorespec.run.table_files import FileRows, exact_columns, written_columns

CALL = "call"  # the file with the name of the call, by which a worker knows the shared folder


@dataclass
class PartMade:
    """What a task finds: the record of each step that it made, and the rows that are to be added up, by step.

    ``merged`` are the numbers of repeated rows that were counted once, by input.
    """

    done: Mapping[str, Done] = field(default_factory=dict)
    rows: Mapping[str, FileRows] = field(default_factory=dict)
    merged: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class PartTask:
    """Computes the sums of the rows that meet the condition ``only``; finds a :class:`PartMade`.

    ``sources`` are all inputs of the run. The gold is ``prepared``. ``folder`` is that of the run in the shared folder,
    in which a file has the name of the ``call``. Each attempt at the task makes a folder of its own there.
    """

    label: str
    plan: PartitionedPlan
    sources: Sequence[Source]
    prepared: Prepared
    only: str
    folder: Path
    call: str
    limits: Limits
    measured: bool

    def run(self, answer: Answer) -> None:
        """See :class:`.Task`."""
        folder = self._attempt()
        submitted = self.plan.part.inputs.submitted
        sources = [self._part_of(each) if each.input in submitted else each for each in self.sources]
        with open_session(self.limits, attached=self.prepared.database) as session:
            if self.measured:
                session.measure()
            session.let_read(folder)
            gold = GoldSupply(self.prepared, session, self.plan.column, self.only)
            executor = InProcess(session, measured=self.measured)
            runner = Runner(self.plan.part, session, Silent(), [gold], executor)
            runner.load(sources, hashed=False)
            runner.run_steps()
            rows = {step.physical: write_rows(session, step.physical, folder) for step in self.plan.added}
            runner.check_unchanged()
        done = {name: runner.steps_done[name] for name in self.plan.done}
        merged = {each.source.input: each.merged for each in runner.loaded if each.source.input in submitted}
        answer.found = PartMade(done, rows, merged)

    def _part_of(self, source: Source) -> Source:
        """A submitted input with the rows of the partition, of which there may be none."""
        for file in source.each:
            if file.path is not None and not file.path.exists():
                said = f"{_this_worker()} does not see the file {file.shown} at {file.path}"
                raise RunError(f"{said}; inputs must be at the same paths on all workers")
        return replace(source, only=self.only, table=replace(source.table, min_rows=0))

    def _attempt(self) -> Path:
        """A new folder. Raises RunError if this worker does not see the shared folder, or cannot write there."""
        try:
            is_shared = (self.folder / CALL).read_text() == self.call
        except OSError:
            is_shared = False
        if not is_shared:
            said = f"{_this_worker()} does not see the folder {self.folder.parent}"
            raise RunError(f"{said}; --shared must be a folder that all workers have at the same path")
        folder = self.folder / secrets.token_hex(8)
        try:
            folder.mkdir()
        except OSError as error:
            raise RunError(f"{_this_worker()} cannot write to {self.folder.parent}: {error.strerror}") from None
        return folder


def _this_worker() -> str:
    """This process in messages."""
    return f"the worker {socket.gethostname()}, process {os.getpid()}"


def write_rows(session: Session, name: str, folder: Path) -> FileRows:
    """Write the rows of a table to a file. Raises RunError for a column whose values files cannot hold exactly."""
    columns = exact_columns(session, name)
    if columns is None:
        raise RunError(f"the table {name} has a column that files cannot hold exactly, and so cannot be added up")
    path = str(folder / f"{name}.parquet")
    with error_context(session, f"writing {name}"):
        session.run(
            f"COPY (SELECT {written_columns(columns)} FROM {quoted(name)}) TO {text_literal(path)} (FORMAT parquet)"
        )
    return FileRows(columns, [path])
