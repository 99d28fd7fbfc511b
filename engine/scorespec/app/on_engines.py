"""Scores jobs on the workers of an engine, and adds their results in this process."""

from __future__ import annotations

import os
import pickle
import secrets
import time
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from scorespec.app.gold import Gold, shared_gold
from scorespec.app.job import Job, parts_of
from scorespec.app.runs import Run
from scorespec.app.score import Scored, compute, compute_and_save, score
from scorespec.core.events import Event
from scorespec.core.failures import TRACEBACK
from scorespec.errors import RunError, ScorespecError, UsageError
from scorespec.parts.engines import connect, reported
from scorespec.parts.engines.computing import computing, difference
from scorespec.results.saving import RunFile
from scorespec.run.folders import TemporaryFolder
from scorespec.run.inputs.files import STDIN, Files
from scorespec.run.inputs.locations import read_location
from scorespec.run.prepared import Prepared
from scorespec.run.progress import shown, watched

if TYPE_CHECKING:
    from scorespec.run.progress import Listener


Result = bytes | RunError  # a packed Returned, or the error of a task whose worker ended


def score_on(on: str, jobs: Mapping[str, Job], add: Callable[[str, Callable[[], Run]], None]) -> None:
    """Score jobs on the engine ``on``, and ``add`` the run of each by its label, in the order of the jobs.

    If the call ends early, such as by Ctrl-C, the results that are there are still added.
    """
    names, first = list(jobs), next(iter(jobs.values()))
    for job in jobs.values():
        _check_inputs(on, job)
    if first.is_stored:  # a results database that cannot be written is refused before anything is scored
        RunFile(first.output, first.schema, first.limits).close()
    with closing(_Arrived(first.limits.folder)) as arrived:

        def add_result(number: int) -> None:
            name = names[number]
            add(name, lambda: _run_of(jobs[name], arrived.take(number)))

        following = 0
        try:
            for number, result in _results(on, list(jobs.values())):
                arrived.put(number, result)
                while following in arrived.numbers:
                    add_result(following)
                    following += 1
        finally:
            for number in sorted(arrived.numbers):
                with suppress(Exception):  # the error that ended the call is raised
                    add_result(number)


def score_in_parts(job: Job) -> Run:
    """Score one job in parts on an engine, as :func:`scorespec.app.score.score` does in one process.

    Raises UsageError for inputs in memory, and for options of runs in one process.
    """
    assert job.dividing is not None
    if job.reusing is not None:
        raise UsageError("--reuse keeps results of runs in one process; leave it out, or --shared")
    if job.with_reference_points:
        raise UsageError("reference points are scored in one process: score them in a call without --shared")
    _check_inputs(job.dividing.on, job)
    return score(job)


def _check_inputs(on: str, job: Job) -> None:
    """Raise UsageError for an input that is not a file: a worker can neither read it, nor hash it as this process."""
    for name, value in job.inputs.items():
        for part in parts_of(value):
            if not isinstance(part, str | Path):
                what = "an object in memory"
            elif (path := read_location(str(part)).path) == STDIN or Path(path).is_fifo():
                what = "a pipe"
            else:
                continue
            raise UsageError(f"input {name!r} is {what}, which workers of {on} cannot read; write it to a file")


def _results(on: str, jobs: Sequence[Job]) -> Iterator[tuple[int, Result]]:
    """The results of jobs by their numbers, as they arrive. Raises RunError if a worker would compute other scores."""
    with reported(on):
        engine = connect(on, len(jobs))
    with closing(engine):
        if engine.processes:
            jobs = [job.but(limits=job.limits.shared_by(engine.processes)) for job in jobs]
        call, shared, folder = secrets.token_hex(8), shared_gold(jobs), os.getcwd()
        tasks = [(computing(), pack(Task(job, folder, call, shared))) for job in jobs]
        results = engine.map(run_task, tasks)
        for _ in tasks:
            with reported(on):
                number, result = next(results)
            if isinstance(result, str):
                raise RunError(result)
            yield number, result


class _Arrived:
    """Results that wait for those before them. They are on disk, because they contain databases."""

    def __init__(self, parent: str | Path | None) -> None:
        self._folder = TemporaryFolder("scorespec-results-", parent)
        self._lost: dict[int, RunError] = {}
        self.numbers: set[int] = set()

    def put(self, number: int, result: Result) -> None:
        """Keep the result of a task."""
        if isinstance(result, RunError):
            self._lost[number] = result
        else:
            (self._folder.path / str(number)).write_bytes(result)
        self.numbers.add(number)

    def take(self, number: int) -> Returned | RunError:
        """The result of a task, which is not kept any longer."""
        self.numbers.remove(number)
        if number in self._lost:
            return self._lost[number]
        path = self._folder.path / str(number)
        packed = path.read_bytes()
        path.unlink()
        returned: Returned = pickle.loads(packed)
        return returned

    def close(self) -> None:
        """Remove the folder."""
        self._folder.close()


def _run_of(job: Job, result: Returned | RunError) -> Run:
    """The run that a worker returned, after it is saved here; the listener gets its events now."""
    returned = Returned(error=result, begun=job.start.time) if isinstance(result, RunError) else result
    with shown(job.progress) as tell:
        for event in returned.preparing:
            tell(event)

    def compute(_: Job, tell: Listener, file: RunFile | None) -> Scored:
        for event in returned.events:
            tell(event)
        if returned.scored is None:
            raise returned.error or AssertionError
        if file is not None:
            file.receive(returned.database)
        return returned.scored

    if returned.begun is None:
        raise returned.error or AssertionError
    start = replace(job.start, time=returned.begun)
    with watched(job.progress, start, returned.seconds) as tell:
        return compute_and_save(job, tell, compute)


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
    job = task.job.but(progress="none", before_saving=None, files=Files())
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
    job = task.job.but(files=Files(task.job.limits.folder), progress=returned.preparing.append)
    with _golds.of(task) as gold:
        job = job.but(prepared=gold.prepared(job))
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
