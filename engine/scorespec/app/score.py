"""Scores a job: plans it, loads its inputs, runs the steps, and saves the scores. The whole story of a run is here."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from scorespec.app.gold import hiding_gold, supplies_of
from scorespec.app.job import Job, absolute, whole_plugin, with_each_part
from scorespec.app.planning import planned
from scorespec.app.runs import Run
from scorespec.catalog.model import ScoreLayout
from scorespec.core.result_tables import EVIDENCE, InputRecord, RunRecord
from scorespec.errors import RunError, UnsavedRunError
from scorespec.intervals.stored_sums import write_sums
from scorespec.plan.plan import Plan
from scorespec.plan.request import UNITS
from scorespec.results.golds import gold_of
from scorespec.results.saving import RunFile
from scorespec.results.writing import Outcome, ResultsWriter, record_of, recorded_inputs, recorded_path
from scorespec.run.inputs.dropping import dropped_list
from scorespec.run.inputs.loading import Loaded
from scorespec.run.inputs.sources import Source, limits_for
from scorespec.run.progress import Listener, watched
from scorespec.run.runner import Executor, InProcess, Runner
from scorespec.run.session import Session, error_context, open_session
from scorespec.run.streams import rows_of_all

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
        run.saved_in(file.path, file.number)


# -- what a run leaves in its results ----------------------------------------------------------------


def record_of_job(job: Job, plan: Plan, sources: Sequence[Source]) -> RunRecord:
    """What the results database has of a run, as far as it is known before scoring."""
    return record_of(
        plan,
        breakdowns=[*job.request.by, *([("fold",)] if job.request.folds else [])],
        name=job.reference_point or job.name or _name_of_submission(sources, plan),
        corpus=job.corpus,
        meta=job.meta,
        reference_point=job.reference_point,
        call={} if plan.withheld else _call(job, plan),
    )


def _call(job: Job, plan: Plan) -> dict[str, Any]:
    """The arguments with which the files of a job can be scored again; an input that is an object is None."""
    taken = plan.parameters.keys() & job.catalog().suite(job.suite).calibration.keys() if job.other else set()
    return {
        **vars(job.request.asked()),
        "params": {**{name: plan.parameters[name] for name in sorted(taken)}, **job.request.params},
        "specs": [absolute(path) for path in job.specs],
        "plugins": list(map(whole_plugin, job.plugins)),
        "inputs": {name: with_each_part(value, absolute) for name, value in job.inputs.items()},
    }


def _name_of_submission(sources: Sequence[Source], plan: Plan) -> str | None:
    """The name of the system that a file of the submission states, or else the paths of its files; None for objects.

    If something is withheld, the paths have no folders, because folders belong to this machine.
    """
    submitted = [source for source in sources if source.input in plan.inputs.submitted]
    for file in (each for source in submitted for each in source.each):
        if file.path and file.format and file.format.system and (stated := file.format.system(file.path)):
            return stated
    paths = [source.shown for source in submitted if any(each.path for each in source.each)]
    return ", ".join(Path(path).name if plan.withheld else path for path in paths) or None


def input_records(inputs: Sequence[Loaded]) -> list[InputRecord]:
    """The rows of the table `inputs`, one for each file."""
    return [_input_record(file) for each in inputs for file in each.each]


def _input_record(loaded: Loaded) -> InputRecord:
    source, content, rows, dropped = loaded.source, loaded.content, loaded.rows, loaded.dropped
    size, digest = (content.bytes, content.sha256) if content else (None, None)
    return InputRecord(source.input, source.recorded, source.kind, rows, size, digest, dropped, loaded.before)


@dataclass(frozen=True)
class Finished:
    """A run that has scores: what :meth:`write` writes to its results, from the tables of the session."""

    plan: Plan
    session: Session
    loaded: Sequence[Loaded]
    record: RunRecord
    inputs: Sequence[InputRecord]
    scores: pa.Table
    intervals: Intervals | None

    def write(self, writer: ResultsWriter) -> None:
        """Write the run with its inputs, scores, statistics per unit, curves and evidence."""
        writer.record(self.record, self.inputs)
        writer.append("scores", self.scores)
        for each in self.loaded:
            if each.dropped:
                paths = [recorded_path(file.source.recorded, self.record) for file in each.each]
                with self.session.batches(dropped_list(each, paths)) as reader:
                    writer.append("dropped_rows", reader)
        if self.plan.unit_statistics:
            with rows_of_all(self.session, (each.sql for each in self.plan.unit_statistics)) as reader:
                writer.append("unit_statistics", reader)
        write_sums(self.session, self.plan, writer)
        if self.intervals and UNITS not in self.plan.withheld:  # replicates tell much of single units
            writer.append("replicates", self.intervals.replicates_of(self.scores))
        for curve in self.plan.curves:
            doing = error_context(self.session, f"the curve of {curve.metric}", curve.place)
            with doing, self.session.batches(curve.sql) as reader:
                found = self.intervals
                writer.append("curves", found.added_to_curve(reader.read_all(), curve) if found else reader)
        for kept in self.plan.evidence:
            with self.session.batches(kept.sql) as reader:
                writer.append(f"{EVIDENCE}{kept.name}", reader, kept.varied)
