"""Scores a job: plans it, loads its inputs, runs the steps, and saves the scores. The whole story of a run is here.

Reference points are scored in the same way: their inputs are computed from the gold first. Several runs of one call
can share their gold, which is prepared once, when the first of them needs it.
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from scorespec.app.job import Job, absolute, whole_plugin, with_each_part
from scorespec.app.planning import planned, sources_of, without_submission
from scorespec.app.runs import Run
from scorespec.catalog.model import ReferencePoint, ScoreLayout, Suite
from scorespec.core.result_tables import EVIDENCE, InputRecord, RunRecord
from scorespec.errors import InputError, Problems, RunError, ScorespecError, UnsavedRunError, UsageError
from scorespec.intervals.stored_sums import write_sums
from scorespec.plan.plan import Plan
from scorespec.plan.scored_suites import submitted_inputs
from scorespec.results.reading import gold_of, named_gold
from scorespec.results.saving import Outcome, RunFile, record_of, recorded_inputs, writing
from scorespec.run.inputs.checking import dropped_list
from scorespec.run.inputs.loading import Loaded
from scorespec.run.inputs.sources import Source, check_inputs, limits_for
from scorespec.run.limits import Limits
from scorespec.run.loop import Supply
from scorespec.run.progress import Listener, shown, watched
from scorespec.run.runner import GoldSupply, InProcess, Prepared, Runner, prepared_gold
from scorespec.run.session import Session, error_context, open_session, rows_of_all

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    from scorespec.catalog.lookup import Catalog
    from scorespec.intervals.found_intervals import Intervals
    from scorespec.parts import Dividing
    from scorespec.parts.partitions_added import Partitions


class Gold:
    """The prepared gold of some jobs, which exists until the ``stack`` is closed; ``shared`` says which is prepared."""

    def __init__(self, shared: Collection[Hashable], stack: ExitStack) -> None:
        self._shared, self._stack = shared, stack
        self._prepared: dict[Hashable, Prepared | ScorespecError] = {}

    def prepared(self, job: Job) -> Prepared | None:
        """The gold of a job; None if no other job has the same. Raises the error that prevents it, every time."""
        key = _key(job)
        if key not in self._shared:
            return None
        if key not in self._prepared:
            plan, sources = planned(job)  # may fail because of this submission
            try:
                with hiding_gold(plan, sources), shown(job.progress) as tell:
                    gold = prepared_gold(plan, sources, job.limits, tell, job.is_stored)
                    self._prepared[key] = self._stack.enter_context(gold)
            except ScorespecError as error:
                self._prepared[key] = error
        found = self._prepared[key]
        if isinstance(found, ScorespecError):
            raise found
        return found


def shared_gold(jobs: Iterable[Job]) -> frozenset[Hashable]:
    """What :class:`Gold` prepares for these jobs: the gold that several of them have."""
    return frozenset(key for key, times in Counter(map(_key, jobs)).items() if times > 1)


def _key(job: Job) -> Hashable:
    """A key that is equal for jobs that can share prepared gold."""
    gold = tuple(
        (name, _identity(job.inputs[name])) for name in sorted(job.inputs.keys() - submitted_inputs(job.suites()))
    )
    return (job.suite, str(job.specs), str(job.plugins), str(job.request.by), gold)


def _identity(value: Any) -> Hashable:
    """A key of an input: equal for equal paths; different objects have different keys."""
    if isinstance(value, list | tuple):
        return tuple(map(_identity, value))
    if isinstance(value, Mapping):
        return tuple((name, _identity(each)) for name, each in value.items())
    return str(value) if isinstance(value, str | Path) else id(value)


@contextmanager
def hiding_gold(plan: Plan, sources: Iterable[Source]) -> Iterator[None]:
    """If a run withholds something, its errors have of problems of the gold only their number."""
    try:
        yield
    except InputError as error:
        raise error if plan.disclosure.allows("problems of the gold") else without_gold(error, plan, sources) from None


def without_gold(error: InputError, plan: Plan, sources: Iterable[Source]) -> InputError:
    """The error of a run that withholds something: of the gold it has only the number of problems."""
    submitted = {each.shown for one in sources if one.input in plan.inputs.submitted for each in (one, *one.each)}
    problems = []
    for each in error.of_inputs:
        if not {each.source, *(file for _, file in each.files)} <= submitted:
            hidden = Problems("the gold")
            said = f"what is wrong is withheld (problems: {each.total:,}); score without --withhold to see it"
            hidden.add(None, said)
            each = hidden
        problems.append(each)
    return InputError(problems)


@dataclass(frozen=True)
class Scored:
    """What scoring gives, before it is saved: the outcome of the run, and the layouts of its suite."""

    outcome: Outcome
    layouts: Mapping[str, ScoreLayout]


def score(job: Job) -> Run:
    """Score the inputs of a job, and save the run. Raises the errors of :func:`scorespec.api.score`."""
    with watched(job.progress, job.start) as tell, run_file(job) as file:
        return saved(job, compute(job, tell, file), file)


def compute(job: Job, tell: Listener, file: RunFile | None) -> Scored:
    """Score the inputs of a job, and write the run to ``file``."""
    resampled = file is not None and job.request.disclosure.allows("block_sums")
    plan, sources = (planned if job.dividing is None else _planned_sums)(job.asking(resampled=resampled))
    record = record_of_job(job, plan, sources)
    with ExitStack() as stack, hiding_gold(plan, () if job.reference_point else sources):
        limits, partitions = limits_for(sources, job.limits), None
        if job.dividing is not None:
            hashed = file is not None
            partitions = stack.enter_context(_partitions(job, job.dividing, plan, sources, tell, hashed))
            plan, job = partitions.plan.whole, job.but(prepared=partitions.gold)
        attached = job.prepared.database if job.prepared else None
        session = stack.enter_context(open_session(limits, attached=attached))
        if job.profile:
            session.measure()
        supplies: list[Supply] = [GoldSupply(job.prepared, session)] if job.prepared else []
        if partitions is not None:
            supplies.append(partitions.supply(session, job.profile))
        runner = Runner(plan, session, tell, supplies, InProcess(session, measured=job.profile))
        runner.load(sources, hashed=file is not None)
        runner.run_steps()
        scores, intervals = scores_with_intervals(runner)
        runner.check_unchanged()
        inputs = input_records(runner.loaded)
        record = replace(record_with_gold(record, plan, runner.loaded), warnings=runner.warnings)
        inputs = recorded_inputs(inputs, record, plan)
        if file is not None:
            finished = Finished(plan, session, runner.loaded, record, inputs, scores, intervals)
            for attempt in file.attempts():
                with attempt as path:
                    write_run(path, finished, job)
        runner.done(scores.num_rows)
        return Scored(Outcome(record, scores, inputs, runner.costs), plan.meanings.layouts)


def _planned_sums(job: Job) -> tuple[Plan, list[Source]]:
    """The plan and the sources of a job in partitions. If it names no metric, those that are not sums are left out."""
    from scorespec.parts.plan_in_partitions import metrics_lost

    plan, sources = planned(job)
    if job.request.metrics or not (lost := metrics_lost(plan)) or len(lost) == len(plan.metrics):
        return plan, sources
    plan, sources = planned(job.asking(metrics=[name for name in plan.metrics if name not in lost]))
    said = f"left out, because not computed from sums over partitions: {', '.join(lost)}; leave out --on to score these"
    return replace(plan, notices=replace(plan.notices, warnings=(said, *plan.notices.warnings))), sources


def _partitions(
    job: Job, dividing: Dividing, plan: Plan, sources: Sequence[Source], tell: Listener, hashed: bool
) -> AbstractContextManager[Partitions]:
    """The run of a job in partitions. Raises UsageError if the suites have none, or differ in them."""
    from scorespec.parts.partitions_added import partitions_of  # slow to load
    from scorespec.parts.plan_in_partitions import partitioned

    suites = job.suites()
    if suites[0].partitions is None or any(each.partitions != suites[0].partitions for each in suites):
        whole = ", ".join(each.name for each in suites if each.partitions is None) or "several suites"
        said = f"--on: a run of {whole} is not computed from sums over partitions of the submission"
        raise UsageError(f"{said}; leave out --on, and give --memory-limit and --threads")
    divided = partitioned(plan, suites[0], named=bool(job.request.metrics))
    dividing = replace(dividing, plugins=tuple(map(whole_plugin, job.plugins)))
    return partitions_of(dividing, divided, sources, job.limits, tell, hashed)


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


@contextmanager
def run_file(job: Job) -> Iterator[RunFile | None]:
    """The file that the run of a job is written to; it is removed if the block fails. None if no run is stored.

    A results database that cannot be written is refused here, before any input is looked at.
    """
    file = RunFile(job.output, job.schema, job.limits) if job.is_stored else None
    try:
        yield file
    except BaseException:
        if file is not None:
            file.close()
        raise


def saved(job: Job, scored: Scored, file: RunFile | None) -> Run:
    """The run of a job, after it is shown and saved."""
    run = Run(scored.outcome, scored.layouts, file.path if file else None, job.schema)
    run.percent = job.percent
    try:
        if job.before_saving is not None:
            job.before_saving(run)
    finally:
        if file is not None:
            _save(run, file)
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
        calibrated=sorted(plan.asked.params.keys() - job.request.params.keys()),
        call=_call(job, plan) if plan.disclosure.allows("call") else {},
    )


def record_with_gold(record: RunRecord, plan: Plan, loaded: Sequence[Loaded]) -> RunRecord:
    """The record with the hashes of the gold. The signature names the gold, unless something is withheld."""
    held = {name: gold.name for name, gold in plan.inputs.in_place_of.items()}
    digests = {held.get(name := each.source.input, name): each.digest for each in loaded if each.digest}
    record = replace(record, gold=(gold := gold_of(digests, plan.inputs.of_slices)))
    if not plan.disclosure.allows("gold in signatures"):
        return record
    long, short = (named_gold(each, gold) for each in (record.signature, record.short_signature))
    return replace(record, signature=long, short_signature=short)


def _call(job: Job, plan: Plan) -> dict[str, Any]:
    """The arguments for scoring the files of a job again; an input that is an object is None."""
    return {
        **vars(job.request.asked()),
        "params": plan.asked.params,  # with those of another run
        "specs": [absolute(path) for path in job.specs],
        "plugins": list(map(whole_plugin, job.plugins)),
        "inputs": {name: with_each_part(value, absolute) for name, value in job.inputs.items()},
    }


def _name_of_submission(sources: Sequence[Source], plan: Plan) -> str | None:
    """The name of the system that a file of the submission states, or else the paths of its files; None for objects."""
    submitted = [source for source in sources if source.input in plan.inputs.submitted]
    for file in (each for source in submitted for each in source.each):
        if file.path and file.format and file.format.system and (stated := file.format.system(file.path)):
            return stated
    paths = [source.shown for source in submitted if any(each.path for each in source.each)]
    return ", ".join(map(plan.disclosure.path, paths)) or None


def input_records(inputs: Sequence[Loaded]) -> list[InputRecord]:
    """The rows of the table `inputs`, one for each file."""
    return [_input_record(file) for each in inputs for file in each.each]


def _input_record(loaded: Loaded) -> InputRecord:
    source, content, rows, dropped = loaded.source, loaded.content, loaded.rows, loaded.dropped
    size, digest = (content.bytes, content.sha256) if content else (None, None)
    return InputRecord(source.input, source.recorded, source.kind, rows, size, digest, dropped, loaded.before)


@dataclass(frozen=True)
class Finished:
    """A run that has scores, and the session whose tables have its statistics, curves and evidence."""

    plan: Plan
    session: Session
    loaded: Sequence[Loaded]
    record: RunRecord
    inputs: Sequence[InputRecord]
    scores: pa.Table
    intervals: Intervals | None


def write_run(path: Path, finished: Finished, job: Job) -> None:
    """Write a run to a new results database: its record, inputs, scores, statistics per unit, curves and evidence.

    DuckDB spills into the folder of the session, which is removed even if the process is killed. Raises duckdb.Error,
    OSError or RunError if the run cannot be written.
    """
    plan, session, intervals = finished.plan, finished.session, finished.intervals
    with writing(path, job.schema, replace(job.limits, folder=session.folder), plan.disclosure) as writer:
        writer.record(finished.record, finished.inputs)
        writer.append("scores", finished.scores)
        for each in finished.loaded:
            if each.dropped:
                paths = [plan.disclosure.path(file.source.recorded) for file in each.each]
                with session.batches(dropped_list(each, paths)) as reader:
                    writer.append("dropped_rows", reader)
        if plan.unit_statistics:
            with rows_of_all(session, (each.sql for each in plan.unit_statistics)) as reader:
                writer.append("unit_statistics", reader)
        write_sums(session, plan, writer)
        if intervals:
            writer.append("replicates", intervals.replicates_of(finished.scores))
        for curve in plan.curves:
            doing = error_context(session, f"the curve of {curve.metric}", curve.place)
            with doing, session.batches(curve.sql) as reader:
                rows = intervals.added_to_curve(reader.read_all(), curve) if intervals else reader
                writer.append("curves", rows)
        for kept in plan.evidence:
            with session.batches(kept.sql) as reader:
                writer.append(f"{EVIDENCE}{kept.name}", reader, kept.varied)


ROWS = 20_000  # of a batch that is read back
FOLDER = "scorespec-reference-points-"


def score_reference_points(job: Job) -> dict[str, Run]:
    """The run of each reference point of the suite, by its name.

    The inputs of a submission are left out of the ``inputs`` of the job; gold in them is used. Raises UsageError for a
    suite without reference points, and the errors of :func:`scorespec.api.score`.
    """
    catalog = job.catalog()
    suite = _suite_with_points(catalog, job.suite)
    submitted = {name for point in suite.reference_points.values() for name in point.inputs}
    job = without_submission(job, catalog.of_suite(suite), submitted)
    job = job.with_lasting_inputs()
    given = {name: point for name, point in suite.reference_points.items() if point.input in (None, *job.inputs)}
    suite = replace(suite, reference_points=given)
    with shown(job.progress) as tell:  # one bar, or log, of all runs
        job = job.but(progress=tell)
        with _written_relations(job, catalog, suite) as files:
            return {name: _score_point(job, name, point, files) for name, point in suite.reference_points.items()}


def score_beside_reference_points(job: Job) -> Run:
    """Score the inputs of a job and the reference points of its suite, which become those of the run.

    If the reference points cannot be scored, the run is shown and saved before the error is raised.
    """

    def add_reference_points(run: Run) -> None:
        try:
            run.reference_points = score_reference_points(job)
        finally:
            if show is not None:
                show(run)

    _suite_with_points(job.catalog(), job.suite)
    job, show = job.with_lasting_inputs(), job.before_saving
    return score(job.but(before_saving=add_reference_points))


def _suite_with_points(catalog: Catalog, name: str) -> Suite:
    suite = catalog.suite(name)
    if not suite.reference_points:
        raise UsageError(f"suite {name!r} has no reference points; declare them under its key `reference_points`")
    return suite


def _score_point(job: Job, name: str, point: ReferencePoint, files: Mapping[str, ParquetFile]) -> Run:
    made = {each: _reader(files[relation]) for each, relation in point.inputs.items() if relation is not None}
    job = job.with_inputs({**job.inputs, **made})
    return score(job.but(before_saving=None, reference_point=name))


def _reader(file: ParquetFile) -> pa.RecordBatchReader:
    import pyarrow as pa  # slow to load

    # A reader that gives no batch at all is refused, and a reference point may have no rows.
    batches = chain([pa.RecordBatch.from_pylist([], file.schema_arrow)], file.iter_batches(ROWS))
    return pa.RecordBatchReader.from_batches(file.schema_arrow, batches)


@contextmanager
def _written_relations(job: Job, catalog: Catalog, suite: Suite) -> Iterator[dict[str, ParquetFile]]:
    """The rows of all relations of the reference points, in files that exist inside the block.

    They are computed once and not held in memory: a submission that accepts everything can have many rows.
    """
    from pyarrow.parquet import ParquetFile  # slow to load

    from scorespec.check.binding import try_once
    from scorespec.plan.compile import relations_plan  # slow to load
    from scorespec.run.folders import TemporaryFolder

    plan = relations_plan(catalog.of_suite(suite), suite, job.request)
    check_inputs([suite, *job.suites()[1:]], plan, job.inputs)
    if catalog.user_documents:
        try_once(plan, job.limits)
    folder = TemporaryFolder(FOLDER, job.limits.folder)
    try:
        with shown(job.progress) as tell:
            paths = _write_evidence(plan, sources_of(job, catalog.plugins, plan), job.limits, tell, folder.path)
        yield {name: ParquetFile(path) for name, path in paths.items()}
    finally:
        folder.close()


def _write_evidence(
    plan: Plan, sources: Sequence[Source], limits: Limits, tell: Listener, folder: Path
) -> dict[str, Path]:
    """Run the steps of a plan, and write the rows of each kept relation to a Parquet file in a folder, by its name.

    Raises the errors of :func:`.score`.
    """
    from scorespec.run.runner import Runner
    from scorespec.run.session import open_session
    from scorespec.run.table_files import TableWriter

    paths = {kept.name: folder / f"{kept.name}.parquet" for kept in plan.evidence}
    with open_session(limits) as session:
        runner = Runner(plan, session, tell)
        runner.load(sources, hashed=False)
        runner.run_steps()
        for kept in plan.evidence:
            rows = session.batches(kept.sql, lists=True)
            with rows as reader, TableWriter(paths[kept.name], reader.schema) as writer:
                for batch in reader:
                    writer.add(batch)
        runner.check_unchanged()
    return paths
