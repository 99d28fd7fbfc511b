"""Scores a job: plans it, loads its inputs, runs the steps, and saves the scores. The whole story of a run is here."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pyarrow as pa

from scorespec.app.gold import hiding_gold, supplies_of
from scorespec.app.job import Job, whole_plugin
from scorespec.app.planning import planned
from scorespec.app.record import Finished, input_records, record_of_job
from scorespec.app.runs import Run
from scorespec.catalog.model import ScoreLayout
from scorespec.errors import RunError, UnsavedRunError
from scorespec.plan.plan import Plan
from scorespec.plan.request import UNITS
from scorespec.results.golds import gold_of
from scorespec.results.saving import RunFile
from scorespec.results.writing import Outcome, recorded_inputs
from scorespec.run.inputs.sources import limits_for
from scorespec.run.progress import Listener, watched
from scorespec.run.runner import Executor, InProcess, Runner
from scorespec.run.session import Session, open_session

if TYPE_CHECKING:
    from scorespec.intervals.found_intervals import Intervals


@dataclass(frozen=True)
class Scored:
    """What scoring gives, before it is saved: the outcome of the run, and the layouts of its suite."""

    outcome: Outcome
    layouts: Mapping[str, ScoreLayout]


Compute = Callable[[Job, Listener, "RunFile | None"], Scored]


def score(job: Job) -> Run:
    """Score the inputs of a job, and save the run. Raises the errors of :func:`scorespec.api.score`."""
    with watched(job.progress, job.start) as tell:
        return compute_and_save(job, tell, compute)


def compute(job: Job, tell: Listener, file: RunFile | None) -> Scored:
    """Score the inputs of a job, and write the run to ``file``."""
    resampled = file is not None and UNITS not in job.request.withhold
    plan, sources = planned(job.asking(resampled=resampled))
    record = record_of_job(job, plan, sources)
    with ExitStack() as stack, hiding_gold(plan, () if job.reference_point else sources):
        attached = job.prepared.database if job.prepared else None
        session = stack.enter_context(open_session(limits_for(sources, job.limits), attached=attached))
        plan, executor = stack.enter_context(_executing(job, plan, session))
        runner = Runner(plan, session, tell, stack.enter_context(supplies_of(job, session)), executor)
        runner.load(sources, hashed=file is not None)
        runner.run_steps()
        scores, intervals = scores_with_intervals(runner)
        runner.check_unchanged()
        inputs = input_records(runner.loaded)
        record = replace(
            record, gold=gold_of(inputs, plan.inputs.submitted, plan.inputs.of_slices), warnings=runner.warnings
        )
        inputs = recorded_inputs(inputs, record, plan.inputs.submitted)
        if file is not None:
            finished = Finished(plan, session, runner.loaded, record, inputs, scores, intervals)
            file.write(finished.write, session.folder)
        runner.keep_rest()
        runner.done(scores.num_rows)
        return Scored(Outcome(record, scores, inputs, runner.costs), plan.meanings.layouts)


@contextmanager
def _executing(job: Job, plan: Plan, session: Session) -> Iterator[tuple[Plan, Executor]]:
    """The plan that is run, and what makes its steps: this process, or, in parts, the workers of an engine."""
    if job.profile:
        session.measure()
    if job.dividing is None:
        yield plan, InProcess(session, measured=job.profile)
        return
    from scorespec.parts.run_in_parts import dividing_executor  # slow to load

    dividing = replace(job.dividing, plugins=tuple(map(whole_plugin, job.plugins)))
    with dividing_executor(dividing, plan, session, job.profile) as executor:
        yield executor.plan, executor


def scores_with_intervals(runner: Runner) -> tuple[pa.Table, Intervals | None]:
    """The scores, with the columns `low` and `high` and with notes on them if intervals are asked for."""
    scores = runner.scores()
    if (level := runner.plan.asked.confidence) is None:
        return scores, None
    from scorespec.intervals.run_intervals import intervals_of  # slow to load

    runner.done(scores.num_rows)
    runner.begin("intervals")
    session, plan, done = runner.session, runner.plan, runner.steps_done
    intervals = intervals_of(session, plan, scores, level, done, runner.tell, runner.warn, runner.further_step)
    return intervals.added_to(scores), intervals


def compute_and_save(job: Job, tell: Listener, compute: Compute) -> Run:
    """The run that ``compute`` gives, after it is saved."""
    # A results database that cannot be written is refused before any input is looked at.
    file = RunFile(job.output, job.schema, job.limits) if job.is_stored else None
    try:
        scored = compute(job, tell, file)
        run = Run(scored.outcome, scored.layouts, file.path if file else None, job.schema)
        try:
            if job.before_saving is not None:
                job.before_saving(run)
        finally:
            if file is not None:
                _save(run, file)
    except BaseException:
        if file is not None:
            file.close()
        raise
    if job.output is not None and file is not None:
        file.close()
    elif file is not None:
        weakref.finalize(run, file.close)
    return run


def _save(run: Run, file: RunFile) -> None:
    try:
        file.save()
    except RunError as error:
        raise UnsavedRunError(str(error), run, file.path) from None
    finally:
        run._store, run.number = file.path, file.number if file.path else None
