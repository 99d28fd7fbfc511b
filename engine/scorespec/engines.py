"""Scores jobs on the workers of an engine, and adds their results in this process."""

from __future__ import annotations

import os
import pickle
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from scorespec.errors import RunError, UsageError
from scorespec.gold import shared_gold
from scorespec.run import Run
from scorespec.runtime.cluster import connect, reported
from scorespec.runtime.cluster.computing import computing
from scorespec.runtime.files import STDIN
from scorespec.runtime.folders import TemporaryFolder
from scorespec.runtime.paths import read_location
from scorespec.runtime.progress import shown, watched
from scorespec.runtime.saving import RunFile
from scorespec.scoring import Job, Scored, compute_and_save, parts_of, score
from scorespec.tasks import Returned, Task, pack, run_task

if TYPE_CHECKING:
    from scorespec.runtime.progress import Listener

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
    """Score one job in parts on an engine, as :func:`scorespec.scoring.score` does in one process.

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
            jobs = [replace(job, limits=job.limits.shared_by(engine.processes)) for job in jobs]
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
