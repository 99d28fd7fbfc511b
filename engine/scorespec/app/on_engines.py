"""Scores jobs on the workers of an engine, and adds their results in this process."""

from __future__ import annotations

import os
import pickle
import secrets
import time
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from weakref import finalize

from scorespec.app.job import Job, parts_of
from scorespec.app.runs import Run
from scorespec.app.score import Gold, Scored, compute, run_file, saved, score, shared_gold
from scorespec.core.events import Event
from scorespec.errors import UsageError
from scorespec.parts.engines import connect
from scorespec.parts.engines.protocol import Answer, answers
from scorespec.results.saving import RunFile
from scorespec.run.folders import TemporaryFolder
from scorespec.run.inputs.files import STDIN, Files
from scorespec.run.inputs.locations import read_location
from scorespec.run.progress import shown, watched


def score_on(on: str, jobs: Mapping[str, Job], add: Callable[[str, Callable[[], Run]], None]) -> None:
    """Score jobs on the engine ``on``, and ``add`` the run of each by its label, in the order of the jobs.

    If the call ends early, such as by Ctrl-C, the results that are there are still added.
    """
    names, first = list(jobs), next(iter(jobs.values()))
    for job in jobs.values():
        _check_inputs(on, job)
    if first.is_stored:  # a results database that cannot be written is refused before anything is scored
        RunFile(first.output, first.schema, first.limits).close()
    with closing(TemporaryFolder("scorespec-results-", first.limits.folder)) as folder:
        # Answers that wait for those before them are on disk, because they contain databases.
        waiting: dict[int, Path] = {}

        def add_run(number: int) -> None:
            path = waiting.pop(number)
            add(names[number], lambda: _run_of(jobs[names[number]], pickle.loads(path.read_bytes())))
            path.unlink()

        following = 0
        try:
            for number, answer in _answers(on, list(jobs.values())):
                path = folder.path / str(number)
                path.write_bytes(pickle.dumps(answer))
                waiting[number] = path
                while following in waiting:
                    add_run(following)
                    following += 1
        finally:
            for number in sorted(waiting):
                with suppress(Exception):  # the error that ended the call is raised
                    add_run(number)


def score_in_parts(job: Job) -> Run:
    """Score one job in partitions on an engine, as :func:`scorespec.app.score.score` does in one process.

    The run has no evidence. Raises UsageError for inputs in memory, and for options of runs in one process.
    """
    assert job.dividing is not None
    if job.with_reference_points:
        raise UsageError("reference points are scored in one process: score them in a call without --shared")
    if job.request.on_bad_row != "error":
        raise UsageError("--on-bad-row needs all rows: leave it out, or --shared")
    _check_inputs(job.dividing.on, job)
    return score(job.asking(evidence=False))


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


def _answers(on: str, jobs: Sequence[Job]) -> Iterator[tuple[int, Answer]]:
    """The answers of the workers by the numbers of the jobs, as they arrive."""
    with closing(connect(on, len(jobs))) as engine:
        if engine.processes:
            jobs = [job.but(limits=job.limits.shared_by(engine.processes)) for job in jobs]
        call, shared, folder = secrets.token_hex(8), shared_gold(jobs), os.getcwd()
        # Without what belongs to this process.
        jobs = [job.but(progress="none", before_saving=None, files=Files()) for job in jobs]
        yield from answers(engine, on, [ScoreTask(job, folder, call, shared) for job in jobs])


def _run_of(job: Job, answer: Answer) -> Run:
    """The run that a worker returned, after it is saved here; the listener gets its events now."""
    returned: Returned = answer.found or Returned(begun=job.start.time)
    error = answer.error or AssertionError()
    with shown(job.progress) as tell:
        for event in returned.preparing:
            tell(event)
    if returned.begun is None:
        raise error
    start = replace(job.start, time=returned.begun)
    with watched(job.progress, start, returned.seconds) as tell, run_file(job) as file:
        for event in returned.events:
            tell(event)
        if returned.scored is None:
            raise error
        if file is not None:
            file.receive(returned.database)
        return saved(job, returned.scored, file)


@dataclass
class Returned:
    """What a worker returns of a job.

    ``preparing`` are the events before the run begins, ``events`` those of the run, without its start and end. The run
    took ``seconds`` from ``begun``, which is None if it did not begin. ``scored`` is None if there is an error.
    ``database`` has the run, or says why it could not be written.
    """

    preparing: list[Event] = field(default_factory=list)
    begun: datetime | None = None
    events: list[Event] = field(default_factory=list)
    seconds: float = 0.0
    scored: Scored | None = None
    database: bytes | str = ""


@dataclass(frozen=True)
class ScoreTask:
    """Scores a job; finds a :class:`Returned`.

    ``folder`` is that in which the paths of the job begin, ``shared`` the gold that several jobs of the ``call`` have.
    """

    job: Job
    folder: str
    call: str
    shared: Collection[Hashable]

    label = ""  # messages about a submission name it already

    def run(self, answer: Answer) -> None:
        """See :class:`.Task`."""
        answer.found = returned = Returned()
        os.chdir(self.folder)
        job = self.job.but(files=Files(self.job.limits.folder), progress=returned.preparing.append)
        with _one_task:
            gold = _gold_of(self)  # exists as long as this variable
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


_one_task = Lock()  # an engine may run several tasks in threads of one worker
_latest: dict[str, Gold] = {}  # the gold of the latest call in this worker


def _gold_of(task: ScoreTask) -> Gold:
    """The gold of the call of a task.

    Nobody tells a worker that a call has ended. So the gold of a call is kept until a task of another call comes, and
    all tasks that use it have ended.
    """
    if task.call not in _latest:
        _latest.clear()
        stack = ExitStack()
        _latest[task.call] = gold = Gold(task.shared, stack)
        finalize(gold, stack.close)
    return _latest[task.call]
