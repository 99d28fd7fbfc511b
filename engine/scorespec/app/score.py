"""Scores the inputs of a run: finds them, plans the run, runs the plan, and saves the run."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorespec.app.job import Job, describing_tables, with_each_part
from scorespec.app.runs import FORMATS, Run
from scorespec.catalog.model import ScoreLayout, Suite, Table
from scorespec.catalog.plugins import Plugins
from scorespec.errors import RunError, ScorespecError, UnsavedRunError
from scorespec.plan.plan import Plan
from scorespec.plan.request import UNITS, Asked, Request
from scorespec.run.inputs.files import STDIN, shown_path
from scorespec.run.inputs.locations import read_location

if TYPE_CHECKING:
    from scorespec.catalog.lookup import Catalog
    from scorespec.results.saving import RunFile
    from scorespec.results.schema import RunRecord
    from scorespec.run.inputs.sources import Source
    from scorespec.run.progress import Listener
    from scorespec.run.runner import Outcome


@dataclass(frozen=True)
class Scored:
    """What scoring gives, before it is saved: the outcome of the run, and the layouts of its suite."""

    outcome: Outcome
    layouts: Mapping[str, ScoreLayout]


Compute = Callable[[Job, "Listener", "RunFile | None"], Scored]


def score(job: Job) -> Run:
    """Score the inputs of a job, and save the run. Raises the errors of :func:`scorespec.api.score`."""
    from scorespec.run.progress import watched

    with watched(job.progress, job.start) as tell:
        return compute_and_save(job, tell, compute)


def compute(job: Job, tell: Listener, file: RunFile | None) -> Scored:
    """Score the inputs of a job in this process, and write the run to ``file``."""
    from scorespec.reuse.kept_steps import opened_reuse
    from scorespec.run.runner import run_plan
    from scorespec.run.withheld_problems import without_gold

    resampled = file is not None and UNITS not in job.request.withhold
    job = job.asking(resampled=resampled)
    plan, sources = planned(job)
    record = _record(job, plan, sources)
    dividing = job.dividing and replace(job.dividing, plugins=tuple(map(whole_plugin, job.plugins)))
    limits, prepared = job.limits, job.prepared
    try:
        with opened_reuse(job.reusing) as supply:
            outcome = run_plan(plan, sources, record, limits, tell, file, job.profile, prepared, supply, dividing)
    except ScorespecError as error:
        raise without_gold(error, plan, () if job.reference_point else sources) from None
    return Scored(outcome, plan.layouts)


def compute_and_save(job: Job, tell: Listener, compute: Compute) -> Run:
    """The run that ``compute`` gives, after it is saved."""
    from scorespec.results.saving import RunFile

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


def _record(job: Job, plan: Plan, sources: Sequence[Source]) -> RunRecord:
    """What the results database has of a run, as far as it is known before scoring."""
    from scorespec.results.schema import record_of

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
    asked = {each.name: getattr(job.request, each.name) for each in fields(Asked)}
    taken = plan.parameters.keys() & job.catalog().suite(job.suite).calibration.keys() if job.other else set()
    return {
        **asked,
        "params": {**{name: plan.parameters[name] for name in sorted(taken)}, **job.request.params},
        "metrics": list(job.request.metrics),
        "by": list(job.request.by),
        "specs": [_absolute(path) for path in job.specs],
        "plugins": list(map(whole_plugin, job.plugins)),
        "inputs": {name: with_each_part(value, _absolute) for name, value in job.inputs.items()},
    }


def whole_plugin(plugin: str | Path) -> str:
    """A plugin as every process finds it: the path of a file from the root, or the name of a module."""
    return str(_absolute(str(plugin))) if str(plugin).endswith(".py") else str(plugin)


def _absolute(value: Any) -> str | None:
    """The path of an input from the root.

    None stands for an object, for standard input, and for a path that is not UTF-8, which JSON cannot hold.
    """
    if not isinstance(value, str | Path):
        return None
    path = str(Path.cwd() / value)
    return None if read_location(str(value)).path == STDIN or shown_path(path) != path else path


def _name_of_submission(sources: Sequence[Source], plan: Plan) -> str | None:
    """The name of the system that a file of the submission states, or else the paths of its files; None for objects.

    If something is withheld, the paths have no folders, because folders belong to this machine.
    """
    submitted = [source for source in sources if source.input in plan.submitted]
    for file in (each for source in submitted for each in source.each):
        if file.path and file.format and file.format.system and (stated := file.format.system(file.path)):
            return stated
    paths = [source.shown for source in submitted if any(each.path for each in source.each)]
    return ", ".join(Path(path).name if plan.withheld else path for path in paths) or None


def _save(run: Run, file: RunFile) -> None:
    try:
        file.save()
    except RunError as error:
        raise UnsavedRunError(str(error), run, file.path) from None
    finally:
        run._store, run.number = file.path, file.number if file.path else None


def planned(job: Job) -> tuple[Plan, list[Source]]:
    """The plan of a run and the sources of its inputs. Raises UsageError if an input is missing or unknown."""
    catalog = job.catalog()
    suite = catalog.suite(job.suite)
    if job.request.describe:
        job = job.without_submission(suite)
    plan = _compiled(job, catalog, suite)
    if catalog.user_documents:
        from scorespec.check.additive import refuse_not_additive
        from scorespec.check.binding import try_once

        refuse_not_additive(catalog, plan)
        try_once(plan, job.limits)  # a fault in a document that does not ship shows before anything is loaded
    return plan, sources_of(job, catalog.plugins, plan)


def _compiled(job: Job, catalog: Catalog, suite: Suite) -> Plan:
    """The plan of a job. Raises UsageError if its format or one of its inputs does not fit."""
    from scorespec.app.calibrate import compiled
    from scorespec.plan.rendering.layouts import check_format
    from scorespec.plan.scored_suites import suites_of_run
    from scorespec.run.inputs.sources import check_inputs

    names = catalog.of_suite(suite)
    suites = suites_of_run(names, suite, job.request.metrics)
    plan = compiled(names, suite, with_other_columns(job, catalog, suites), job.other)
    if job.format not in FORMATS:
        check_format(suite, job.format, plan.metrics, FORMATS)
    if job.reference_point is not None:
        plan = _of_reference_point(plan, suite)
    check_inputs(suites, plan, job.inputs)
    return plan


def with_other_columns(job: Job, catalog: Catalog, suites: Sequence[Suite]) -> Request:
    """The request of a job, with the undeclared columns of its inputs if it asks for breakdowns.

    Columns that breakdowns or blocks name are added to the tables of the catalog.
    """
    from scorespec.plan.metrics import block_columns
    from scorespec.run.inputs.other_columns import add_block_columns, add_other_columns

    by_columns = [column for each in job.request.by for column in each]
    others: dict[str, list[str]] = {}
    for each in suites if by_columns else ():
        names = catalog.of_suite(each)
        tables = [names.table(name) for name in (*each.inputs, *each.optional) if name in job.inputs]
        others |= add_other_columns(names, [_source(job, catalog.plugins, each) for each in tables if each], by_columns)
    for each in suites:
        names = catalog.of_suite(each)
        sources = [_source(job, catalog.plugins, table) for table in describing_tables(names, job.inputs)]
        add_block_columns(names, sources, block_columns(names, each, job.request.metrics or each.metrics))
    return replace(job.request, others=others)


def _of_reference_point(plan: Plan, suite: Suite) -> Plan:
    """The plan without what guards against mistakes in a submission, such as an empty file."""
    tables = (replace(each, min_rows=0) if each.name in suite.submitted else each for each in plan.tables)
    counts = (count for count in plan.counts if not count.submissions_only)
    return replace(plan, tables=tuple(tables), counts=tuple(counts))


def sources_of(job: Job, plugins: Plugins, plan: Plan) -> list[Source]:
    """The sources of the inputs that a plan reads, as far as they are given or in the files of others."""
    from scorespec.run.inputs.sources import also_in

    given = [_source(job, plugins, table) for table in plan.tables if table.name in job.inputs]
    absent = [table for table in plan.tables_read() if table.also_in and table.name not in job.inputs]
    return given + [also_in(each, table, plugins.formats) for table in absent for each in given if each.has(table)]


def _source(job: Job, plugins: Plugins, table: Table) -> Source:
    from scorespec.run.inputs.sources import find_source

    return find_source(table, job.inputs[table.name], job.files, plugins.formats)
