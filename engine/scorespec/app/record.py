"""What a run leaves in its results: its record, and the rows of each table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from scorespec.app.job import Job, absolute, whole_plugin, with_each_part
from scorespec.core.result_tables import EVIDENCE, InputRecord, RunRecord
from scorespec.intervals.stored_sums import write_sums
from scorespec.plan.plan import Plan
from scorespec.plan.request import UNITS
from scorespec.results.writing import ResultsWriter, record_of, recorded_path
from scorespec.run.inputs.dropping import dropped_list
from scorespec.run.inputs.loading import Loaded
from scorespec.run.inputs.sources import Source
from scorespec.run.session import Session, error_context
from scorespec.run.streams import rows_of_all

if TYPE_CHECKING:
    from scorespec.intervals.found_intervals import Intervals


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
