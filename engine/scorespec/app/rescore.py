"""Scores stored runs again if their inputs, documents or parameters have changed, and says which scores moved."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from scorespec.app.job import Job, parts_of, whole_plugin
from scorespec.app.planning import planned
from scorespec.app.runs import Run
from scorespec.app.score import Gold, score, shared_gold
from scorespec.core.disclosure import Disclosure
from scorespec.core.result_tables import IDENTITY, RunRecord
from scorespec.core.score_text import Row
from scorespec.errors import ScorespecError, UsageError
from scorespec.plan.needs import stable_json
from scorespec.plan.request import Asked
from scorespec.results.adding import ADDED, supersede
from scorespec.results.reading import reading_table, stored_runs
from scorespec.results.saving import Outcome
from scorespec.run.inputs.files import hash_file, unreadable


@dataclass
class Rescored:
    """What became of the runs of a results database, by their numbers.

    Superseded runs are not looked at; of several runs of the same call, only the latest is. ``runs`` has the runs that
    were rescored, ``changed`` what had changed for each of them. ``unchanged`` are the runs whose inputs, documents
    and parameters are the same. ``left_out`` says why a run cannot be rescored; ``failed`` has the errors.

    ``moved`` has a row for each score whose value changed, the largest difference first. A row has the number of the
    new run (``run``) and of the old one (``was``), metric, component and slice, the values ``before`` and ``after``,
    and their ``difference``. The difference is None if one of the values is undefined.
    """

    runs: dict[int, Run] = field(default_factory=dict)
    changed: dict[int, str] = field(default_factory=dict)
    unchanged: list[int] = field(default_factory=list)
    left_out: dict[int, str] = field(default_factory=dict)
    failed: dict[int, ScorespecError] = field(default_factory=dict)
    moved: list[Row] = field(default_factory=list)


def rescore(job: Job, added: bool = False, keep: bool = False) -> Rescored:
    """Score the changed runs of a results database; see :func:`scorespec.api.rescore`.

    The database is the ``output`` of the ``job``, which has the options that all runs share.
    """
    results, schema = job.output, job.schema
    assert results is not None
    with stored_runs(results, schema) as stored:
        outcomes = _latest({row["id"]: stored.outcome(row["id"]) for row in stored.current()})
    found = Rescored()
    jobs: dict[int, Job] = {}
    for number, outcome in outcomes.items():
        try:
            with reading_table(results, "runs"):
                if reason := _why_left_out(outcome.record):
                    found.left_out[number] = reason
                    continue
                _check_trusted(outcome.record.call, job, added)
                of_run = job_of_stored(outcome.record, job)
            changed = ", ".join(dict.fromkeys(_changes(outcome, of_run)))
            if changed:
                jobs[number], found.changed[number] = of_run, changed
            else:
                found.unchanged.append(number)
        except ScorespecError as error:
            found.failed[number] = error
    try:
        with ExitStack() as stack:
            gold = Gold(shared_gold(jobs.values()), stack)
            for place, (number, each) in enumerate(jobs.items(), 1):
                try:
                    found.runs[number] = score(each.but(number=place, total=len(jobs), prepared=gold.prepared(each)))
                except ScorespecError as error:
                    found.failed[number] = error
    finally:  # even if Ctrl-C ends the loop
        later = {number: run.number for number, run in found.runs.items() if run.number is not None}
        if later and not keep:
            supersede(results, later, schema)
    for number, run in found.runs.items():
        found.moved += _moves(number, Run(outcomes[number], {}, None), run)
    found.moved.sort(key=lambda row: -abs(math.inf if row["difference"] is None else row["difference"]))
    return found


def _latest(outcomes: Mapping[int, Outcome]) -> dict[int, Outcome]:
    """The latest of the runs of each call, by number: with `keep`, the older ones stay current."""
    latest: dict[str, int] = {}
    for number, outcome in sorted(outcomes.items()):
        record = outcome.record
        same = (record.suite, record.name, record.corpus, record.call)
        latest[stable_json(same) if record.call else str(number)] = number
    return {number: outcomes[number] for number in latest.values()}


def _check_trusted(call: Mapping[str, Any], job: Job, added: bool) -> None:
    """Raise UsageError if a stored call uses what the user has not named: whoever wrote the database has chosen it.

    Documents and plugins that the user names are those of the ``job``. With ``added``, files that runs of others name
    may be read.
    """
    given = {
        "specs": {str(Path.cwd() / each) for each in job.specs},
        "plugins": set(map(whole_plugin, job.plugins)),
    }
    for kind, option in (("specs", "--specs"), ("plugins", "--plugin")):
        if unnamed := [each for each in call[kind] if each not in given[kind]]:
            raise UsageError(f"its call uses {unnamed[0]}; if you trust it, name it again: {option} {unnamed[0]}")
    if call.get(ADDED) and not added:
        said = f"its inputs are files that another database names, such as {next(iter(call['inputs'].values()), '')}"
        raise UsageError(f"{said}; if you trust it, --added scores runs that `runs add` has added")


def _why_left_out(record: RunRecord) -> str | None:
    """Why a run cannot be rescored, whatever has changed; None if it can."""
    if record.reference_point is not None:
        return "a reference point; `scorespec reference-points` scores it again"
    if not Disclosure(tuple(record.withheld)).allows("call"):
        return "what it takes to rescore it was withheld"
    for name, value in record.call["inputs"].items():
        if None in parts_of(value):
            return f"input {name!r} was no file"
    return None


def job_of_stored(record: RunRecord, job: Job) -> Job:
    """The job that scores the files of a stored run."""
    call = {**record.call, "by": [tuple(columns) for columns in record.call["by"]]}
    asked = {each.name: call[each.name] for each in fields(Asked)}
    return (
        job.asking(**asked)
        .with_inputs(call["inputs"])
        .but(
            suite=record.suite,
            specs=call["specs"],
            plugins=call["plugins"],
            name=record.name,
            corpus=record.corpus,
            meta=record.meta,
            calibrated=record.calibrated,
        )
    )


def _changes(outcome: Outcome, job: Job) -> Iterator[str]:
    """What has changed since a run was scored: documents, parameters, and inputs by name."""
    plan, sources = planned(job)
    if plan.identity.documents != outcome.record.documents:
        yield "documents"
    if json.loads(stable_json(dict(plan.parameters))) != json.loads(stable_json(dict(outcome.record.parameters))):
        yield "parameters"
    found = {(each.input, each.recorded) for source in sources for each in source.each}
    for name, _ in found.symmetric_difference((each.name, each.path) for each in outcome.inputs):
        yield f"input {name}"  # its pattern or folder now has other files
    for each in outcome.inputs:
        if each.path is None or each.sha256 is None or (each.name, each.path) not in found:
            continue
        try:
            same = hash_file(Path(each.path)).sha256 == each.sha256
        except OSError as error:
            raise unreadable(each.path, error) from None
        if not same:
            yield f"input {each.name}"


def _moves(number: int, before: Run, after: Run) -> Iterator[Row]:
    """The scores of a run that differ from those of an older one."""
    old, new = (_scores(run) for run in (before, after))
    for identity in {**old, **new}:
        values = old.get(identity), new.get(identity)
        if values[0] != values[1]:
            known = None not in values
            named = dict(zip(IDENTITY, identity, strict=True))
            row = {"run": after.number, "was": number, "name": after.name, "corpus": after.corpus, **named}
            yield {
                **row,
                "before": values[0],
                "after": values[1],
                "difference": values[1] - values[0] if known else None,  # type: ignore[operator]
            }


def _scores(run: Run) -> Mapping[tuple[str, str, str], float | int | None]:
    """The scores of a run by metric, component and slice; counts are whole numbers."""
    slices = run.scores.column("slice").to_pylist()  # as text, which can be a key
    rows = zip(run.exact_rows(), slices, strict=True)
    return {(row["metric"], row["component"], slice_): row["value"] for row, slice_ in rows}
