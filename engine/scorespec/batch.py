"""Scores many submissions in one call: what they have in common is prepared once, and a bad one stops no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorespec.errors import ScorespecError, UnsavedRunError, UsageError, unknown
from scorespec.run import Run
from scorespec.scoring import Job, planned, score
from scorespec.submissions import Each, Submission, find_submissions

if TYPE_CHECKING:
    from scorespec.runtime.prepared import Prepared


class Batch:
    """The runs of many submissions; ``batch["team1"]`` is a run, ``batch.failed["team2"]`` the error of a submission.

    The key of a submission is its name, or ``name (corpus)`` if it has a corpus.
    """

    def __init__(self) -> None:
        self.runs: dict[str, Run] = {}
        self.failed: dict[str, ScorespecError] = {}

    def __getitem__(self, name: str) -> Run:
        """The run of a submission. Raises the error of one that failed, UsageError for another name."""
        if name in self.failed:
            raise self.failed[name]
        if name not in self.runs:
            raise unknown(f"no submission is called {name!r}", name, [*self.runs, *self.failed])
        return self.runs[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    def __repr__(self) -> str:
        lines = [f"{name}\n{run!r}" for name, run in self.runs.items()]
        return "\n".join([*lines, *(f"{name} failed: {error}" for name, error in self.failed.items())])


def score_each(job: Job, each: Each) -> Batch:
    """Score each of some submissions; ``job`` has the inputs and settings that all of them share.

    If all fail with the same error, such as a fault of the gold, that error is raised. See
    :func:`scorespec.api.score_each`.
    """
    from scorespec.runtime.progress import shown

    if job.with_reference_points:
        raise UsageError("reference points belong to the gold: score them in a call of their own, without --each")
    suite = job.catalog().suite(job.suite)
    submissions = find_submissions(each, [*suite.inputs, *suite.optional])
    for name in sorted({name for submission in submissions for name in submission.inputs} & job.inputs.keys()):
        raise UsageError(f"input {name!r} is given for each submission, and for all of them")
    job = replace(job.with_lasting_inputs(), total=len(submissions))
    jobs = {each.label: _job_of(job, each, number) for number, each in enumerate(submissions, 1)}
    batch = Batch()
    with ExitStack() as stack:
        tell = stack.enter_context(shown(job.progress))  # one bar, or log, of all runs
        gold = Gold(jobs.values(), stack)
        for label, each_job in jobs.items():
            one = replace(each_job, progress=tell)
            try:
                batch.runs[label] = score(replace(one, prepared=gold.prepared(one)))
            except ScorespecError as error:
                batch.failed[label] = error
                if isinstance(error, UnsavedRunError):
                    batch.runs[label] = error.run
    if not batch.runs and len({str(error) for error in batch.failed.values()}) == 1:
        raise next(iter(batch.failed.values()))
    return batch


def _job_of(job: Job, submission: Submission, number: int) -> Job:
    job = job.with_inputs({**job.inputs, **submission.inputs})
    return replace(job, name=submission.name, corpus=submission.corpus or job.corpus, number=number)


class Gold:
    """The prepared gold of some jobs, which exists until the ``stack`` is closed.

    Gold that several jobs share is prepared when the first of them needs it.
    """

    def __init__(self, jobs: Iterable[Job], stack: ExitStack) -> None:
        self._stack = stack
        self._times = Counter(map(_key, jobs))
        self._prepared: dict[Hashable, Prepared | ScorespecError] = {}

    def prepared(self, job: Job) -> Prepared | None:
        """The gold of a job; None if no other job has the same. Raises the error that prevents it, every time."""
        key = _key(job)
        if self._times[key] == 1:
            return None
        if key not in self._prepared:
            from scorespec.runtime.prepared import prepared_gold
            from scorespec.runtime.progress import shown

            plan, sources = planned(job)  # may fail because of this submission
            try:
                with shown(job.progress) as tell:
                    gold = prepared_gold(plan, sources, job.limits, tell, job.output is not None, job.reusing)
                    self._prepared[key] = self._stack.enter_context(gold)
            except ScorespecError as error:
                self._prepared[key] = error
        found = self._prepared[key]
        if isinstance(found, ScorespecError):
            raise found
        return found


def _key(job: Job) -> Hashable:
    """A key that is equal for jobs that can share prepared gold."""
    submitted = job.catalog().suite(job.suite).submitted
    gold = tuple((name, _identity(job.inputs[name])) for name in sorted(job.inputs.keys() - submitted))
    return (job.suite, str(job.specs), str(job.plugins), str(job.request.by), gold)


def _identity(value: Any) -> Hashable:
    """A key of an input: equal for equal paths; different objects have different keys."""
    if isinstance(value, list | tuple):
        return tuple(map(_identity, value))
    if isinstance(value, Mapping):
        return tuple((name, _identity(each)) for name, each in value.items())
    return str(value) if isinstance(value, str | Path) else id(value)
