"""The scoring of a submission as a task: what a worker gets, what it does with it, and what it returns."""

from __future__ import annotations

import os
import pickle
import time
import traceback
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from threading import Lock

from scorespec.errors import ScorespecError
from scorespec.events import Event
from scorespec.failures import TRACEBACK
from scorespec.gold import Gold
from scorespec.runtime.cluster.computing import difference
from scorespec.runtime.files import Files
from scorespec.runtime.prepared import Prepared
from scorespec.runtime.saving import RunFile
from scorespec.scoring import Job, Scored, compute


@dataclass(frozen=True)
class Task:
    """A job, the ``folder`` in which its paths begin, the call that it belongs to, and the gold that jobs share."""

    job: Job
    folder: str
    call: str
    shared: Collection[Hashable]


@dataclass
class Returned:
    """What a worker returns of a task.

    ``preparing`` are the events before the run begins, ``events`` those of the run, without its start and end. The run
    took ``seconds`` from ``begun``, which is None if it did not begin. ``scored`` is None if there is an ``error``.
    ``database`` has the run, or says why it could not be written.
    """

    preparing: list[Event] = field(default_factory=list)
    begun: datetime | None = None
    events: list[Event] = field(default_factory=list)
    seconds: float = 0.0
    scored: Scored | None = None
    error: Exception | None = None
    database: bytes | str = ""


def pack(task: Task) -> bytes:
    """A task for another process, without what belongs to this one."""
    job = replace(task.job, progress="none", before_saving=None, files=Files())
    return pickle.dumps(replace(task, job=job))


def run_task(asked: tuple[Mapping[str, str], bytes]) -> bytes | str:
    """Run a packed task; the packed :class:`Returned`, or a sentence if this worker would compute other scores.

    The versions are compared before the task is unpacked, since another version may not be able to read it.
    """
    computing, packed = asked
    if found := difference(computing):
        return found
    task: Task = pickle.loads(packed)
    returned = Returned()
    try:
        os.chdir(task.folder)
        _run(task, returned)
    except Exception as error:
        if TRACEBACK in os.environ and not isinstance(error, ScorespecError):
            error.add_note(traceback.format_exc())  # a traceback itself cannot be sent
        returned.error = error
    return pickle.dumps(returned)


def _run(task: Task, returned: Returned) -> None:
    job = replace(task.job, files=Files(task.job.limits.folder), progress=returned.preparing.append)
    with _golds.of(task) as gold:
        job = replace(job, prepared=gold.prepared(job))
        returned.begun, begun = datetime.now(UTC), time.perf_counter()
        file = RunFile(None, job.schema, job.limits) if job.is_stored else None
        try:
            returned.scored = compute(job, returned.events.append, file)
            if file is not None:
                returned.database = file.handed_over()
        finally:
            returned.seconds = time.perf_counter() - begun
            if file is not None:
                file.close()


class _Golds:
    """The gold of calls in this worker.

    Nobody tells a worker that a call has ended. So the gold of a call is kept until a task of another call comes.
    """

    def __init__(self) -> None:
        self._lock = Lock()  # an engine may run several tasks in threads of one worker
        self._open: dict[str, tuple[ExitStack, _SharedGold]] = {}
        self._tasks: Counter[str] = Counter()  # that run now, by call

    @contextmanager
    def of(self, task: Task) -> Iterator[_SharedGold]:
        """The gold of the call of a task, which exists at least as long as the block."""
        with self._lock:
            for call in [each for each in self._open if each != task.call and not self._tasks[each]]:
                self._open.pop(call)[0].close()
            if task.call not in self._open:
                stack = ExitStack()
                self._open[task.call] = stack, _SharedGold(task.shared, stack)
            self._tasks[task.call] += 1
        try:
            yield self._open[task.call][1]
        finally:
            with self._lock:
                self._tasks[task.call] -= 1


class _SharedGold(Gold):
    """Gold that several threads share."""

    def __init__(self, shared: Collection[Hashable], stack: ExitStack) -> None:
        super().__init__(shared, stack)
        self._lock = Lock()

    def prepared(self, job: Job) -> Prepared | None:
        with self._lock:
            return super().prepared(job)


_golds = _Golds()
