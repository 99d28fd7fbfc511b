"""Scores many submissions in one call: what they have in common is prepared once, and a bad one stops no other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from scorespec.errors import ScorespecError, UnsavedRunError, UsageError, unknown
from scorespec.gold import Gold, shared_gold
from scorespec.run import Run
from scorespec.scoring import Job, score
from scorespec.submissions import Each, Submission, find_submissions


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

    def add(self, name: str, score: Callable[[], Run]) -> None:
        """Add the run that a function returns, or the error that it raises."""
        try:
            self.runs[name] = score()
        except ScorespecError as error:
            self.failed[name] = error
            if isinstance(error, UnsavedRunError):
                self.runs[name] = error.run


def score_each(job: Job, each: Each, on: str | None = None) -> Batch:
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
    job = replace(job if on else job.with_lasting_inputs(), total=len(submissions))
    batch = Batch()
    with ExitStack() as stack:
        tell = stack.enter_context(shown(job.progress))  # one bar, or log, of all runs
        job = replace(job, progress=tell)
        jobs = {each.label: _job_of(job, each, number) for number, each in enumerate(submissions, 1)}
        if on is None:
            gold = Gold(shared_gold(jobs.values()), stack)
            for label, each_job in jobs.items():
                batch.add(label, partial(_score_beside, gold, each_job))
        elif jobs:
            from scorespec.engines import score_on

            score_on(on, jobs, batch.add)
    if not batch.runs and len({str(error) for error in batch.failed.values()}) == 1:
        raise next(iter(batch.failed.values()))
    return batch


def _score_beside(gold: Gold, job: Job) -> Run:
    return score(replace(job, prepared=gold.prepared(job)))


def _job_of(job: Job, submission: Submission, number: int) -> Job:
    job = job.with_inputs({**job.inputs, **submission.inputs})
    return replace(job, name=submission.name, corpus=submission.corpus or job.corpus, number=number)
