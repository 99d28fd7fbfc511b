"""A task of a run in parts: what a worker gets, what it does with it, and what it returns."""

from __future__ import annotations

import io
import os
import pickle
import secrets
import socket
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from scorespec.catalog.model import Macro
from scorespec.catalog.plugins import Plugins, load_plugins
from scorespec.core.failures import TRACEBACK
from scorespec.errors import RunError, ScorespecError
from scorespec.formats import Format
from scorespec.functions.function import RelationFunction
from scorespec.parts.engines.computing import difference
from scorespec.parts.exchange import Rows, Table, write_table
from scorespec.parts.stages import Division
from scorespec.plan.plan import Step
from scorespec.plan.rendering.templates import quoted
from scorespec.run.limits import Limits
from scorespec.run.loop import Todo, run_steps
from scorespec.run.session import open_session
from scorespec.run.supply import Done

MOST_SCORES = 10**9  # distinct scores, in all slices, that one worker computes with
CALL = "call"  # the file with the name of the call, by which a worker knows the shared folder


class Task(Protocol):
    """What a worker computes. ``label`` says in messages what that is."""

    @property
    def label(self) -> str:
        """What it computes, in a few words."""

    def run(self, manifest: Manifest) -> None:
        """Compute it, and take note of the results in a manifest, also of those before an error."""


@dataclass(frozen=True)
class PartTask:
    """The steps of a group for one part, or for all rows.

    ``name`` begins the names of its folders, ``label`` says in messages what it computes, and ``todo`` has its steps.
    ``folder`` is the folder of the ``call``, in which each attempt at a task makes a folder of its own. ``reads`` has
    the rows of each table that is read, ``writes`` the divisions in which tables are written, for a number of
    ``parts``.
    """

    name: str
    label: str
    folder: Path
    call: str
    part: int
    parts: int
    todo: Todo
    reads: Mapping[str, Rows]
    writes: Mapping[str, tuple[Division, ...]]
    macros: tuple[Macro, ...]
    limits: Limits
    measured: bool = False

    def run(self, manifest: Manifest) -> None:
        """See :class:`Task`."""
        _run(self, manifest)


@dataclass
class Manifest:
    """What a task returns: the record of each step that is done, and the tables that the task wrote.

    ``found`` is the result of a task that reads or checks inputs.
    """

    done: list[Done] = field(default_factory=list)
    tables: dict[str, Table] = field(default_factory=dict)
    found: Any = None
    error: Exception | None = None


def pack(task: Task, plugins: Sequence[str]) -> tuple[Sequence[str], bytes]:
    """A task for another process, in which functions and formats go by their names; ``plugins`` bring some."""
    packed = io.BytesIO()
    _Pickler(packed, pickle.HIGHEST_PROTOCOL).dump(task)
    return plugins, packed.getvalue()


def unpack(plugins: Sequence[str], packed: bytes) -> Task:
    """A task that :func:`pack` has packed."""
    task: Task = _Unpickler(packed, _loaded(tuple(plugins))).load()
    return task


class _Pickler(pickle.Pickler):
    def persistent_id(self, obj: Any) -> tuple[str, str] | None:
        if isinstance(obj, RelationFunction | Format):
            return "functions" if isinstance(obj, RelationFunction) else "formats", obj.name
        return None


class _Unpickler(pickle.Unpickler):
    def __init__(self, packed: bytes, plugins: Plugins) -> None:
        super().__init__(io.BytesIO(packed))
        self._plugins = plugins

    def persistent_load(self, pid: Any) -> RelationFunction | Format:
        kind, name = pid
        found: RelationFunction | Format = getattr(self._plugins, kind)[name]
        return found


@cache
def _loaded(plugins: tuple[str, ...]) -> Plugins:
    return load_plugins(plugins)


def run_part(asked: tuple[Mapping[str, str], tuple[Sequence[str], bytes]]) -> bytes | str:
    """Run a packed task; the packed :class:`Manifest`, or a sentence if this worker would compute other scores."""
    computing, (plugins, packed) = asked
    if found := difference(computing):
        return found
    manifest = Manifest()
    try:
        unpack(plugins, packed).run(manifest)
    except Exception as error:
        if TRACEBACK in os.environ and not isinstance(error, ScorespecError):
            error.add_note(traceback.format_exc())  # a traceback itself cannot be sent
        manifest.error = error
    return pickle.dumps(manifest)


def _run(task: PartTask, manifest: Manifest) -> None:
    attempt = folder_of_attempt(task.folder, task.call, task.name)
    with open_session(task.limits) as session:
        if task.measured:
            session.measure()
        for rows in task.reads.values():
            for path in rows.paths:
                session.let_read(Path(path))
        session.let_read(attempt)
        session.lock()
        session.make_macros(task.macros)
        for name, rows in task.reads.items():
            session.run(f"CREATE VIEW {quoted(name)} AS {rows.query}")
        scores = {step.physical: step for step in task.todo.steps if step.role == "score points"}
        for done in run_steps(session, task.todo, measured=task.measured):
            if done.step in scores:
                check_scores(scores[done.step], done.rows)
            manifest.done.append(done)
        for name, divisions in task.writes.items():
            manifest.tables[name] = write_table(session, name, attempt, divisions, task.parts, task.part)


def this_worker() -> str:
    """This process in messages."""
    return f"the worker {socket.gethostname()}, process {os.getpid()}"


def folder_of_attempt(folder: Path, call: str, name: str) -> Path:
    """A new folder for the files of this attempt at a task. ``folder`` is that of the ``call``.

    Raises RunError if this worker does not see the shared folder.
    """
    try:
        is_shared = (folder / CALL).read_text() == call
    except OSError:
        is_shared = False
    if not is_shared:
        said = f"{this_worker()} does not see the folder {folder.parent}"
        raise RunError(f"{said}; --shared must be a folder that all workers have at the same path")
    attempt = folder / f"{name}-{secrets.token_hex(4)}"
    try:
        attempt.mkdir()
    except OSError as error:
        raise RunError(f"{this_worker()} cannot write to {folder.parent}: {error.strerror}") from None
    return attempt


def check_scores(step: Step, number: int) -> None:
    """Raise RunError if a step has a larger number of distinct scores than one worker computes with."""
    if number > MOST_SCORES:
        said = f"{step.label}: {number:,} distinct scores are too many for one worker, which can take {MOST_SCORES:,}"
        raise RunError(f"{said}; round the scores, or name other metrics with --metric")
