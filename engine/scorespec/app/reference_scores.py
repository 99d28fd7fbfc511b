"""Scores the reference points of a suite: submissions whose rows relations compute from the other inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from scorespec.app.job import Job
from scorespec.app.planning import sources_of
from scorespec.app.runs import Run
from scorespec.app.score import score
from scorespec.catalog.model import ReferencePoint, Suite
from scorespec.errors import UsageError
from scorespec.plan.plan import Plan
from scorespec.run.inputs.sources import Source, check_inputs
from scorespec.run.limits import Limits

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    from scorespec.catalog.lookup import Catalog
    from scorespec.run.progress import Listener

ROWS = 20_000  # of a batch that is read back
FOLDER = "scorespec-reference-points-"


def score_reference_points(job: Job) -> dict[str, Run]:
    """The run of each reference point of the suite, by its name.

    The inputs of a submission are left out of the ``inputs`` of the job. Raises UsageError for a suite without
    reference points, and the errors of :func:`scorespec.api.score`.
    """
    catalog = job.catalog()
    suite = _suite_with_points(catalog, job.suite)
    job = job.without_submission(suite)
    job = job.with_lasting_inputs()
    given = {name: point for name, point in suite.reference_points.items() if point.input in (None, *job.inputs)}
    suite = replace(suite, reference_points=given)
    from scorespec.run.progress import shown

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
    from scorespec.plan.reference_points import relations_plan  # slow to load
    from scorespec.run.folders import TemporaryFolder
    from scorespec.run.progress import shown

    plan = relations_plan(catalog.of_suite(suite), suite, job.request)
    check_inputs([suite], plan, job.inputs)
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
