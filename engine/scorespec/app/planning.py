"""Plans a job: finds its documents and inputs, and compiles its suite."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from scorespec.app.calibrate import ScoredRun, differences, with_values
from scorespec.app.job import Job, describing_tables
from scorespec.catalog.lookup import Catalog, Namespace
from scorespec.catalog.model import Relation, Suite, Table
from scorespec.catalog.plugins import Plugins
from scorespec.core.score_text import PRINTED
from scorespec.errors import ScorespecError, UsageError
from scorespec.plan.compile import shared_plan
from scorespec.plan.needs import needs_of
from scorespec.plan.parameters import read_metric_text
from scorespec.plan.plan import Plan
from scorespec.plan.relations import columns_read, conditions_of
from scorespec.plan.request import Request
from scorespec.plan.scored_suites import submitted_inputs, suites_of_run
from scorespec.run.inputs.sources import Source


def planned(job: Job) -> tuple[Plan, list[Source]]:
    """The plan of a run and the sources of its inputs. Raises UsageError if an input is missing or unknown."""
    job, catalog = with_divided_inputs(job)
    suite = catalog.suite(job.suite)
    if job.request.describe:
        job = without_submission(job, catalog.of_suite(suite), submitted_inputs(job.suites()))
    plan = _compiled(job, catalog, suite)
    if catalog.user_documents:
        from scorespec.check.additive import refuse_not_additive
        from scorespec.check.binding import try_once

        refuse_not_additive(catalog, plan)
        try_once(plan, job.limits)  # a fault in a document that does not ship shows before anything is loaded
    return plan, sources_of(job, catalog.plugins, plan)


def without_submission(job: Job, names: Namespace, submitted: Collection[str]) -> Job:
    """The job without the inputs of a submission. One that also has the gold, which is not given, becomes the gold."""
    tables = [table for name in job.inputs if name in submitted and (table := names.table(name))]
    held = {gold: job.inputs[each.name] for each in tables if (gold := each.in_place_of)}
    return job.with_inputs({**held, **job.without(submitted).inputs})


def with_divided_inputs(job: Job) -> tuple[Job, Catalog]:
    """The job with the inputs that one of its inputs holds, such as both texts of a table, and its catalog.

    Raises UsageError.
    """
    from scorespec.run.inputs.texts import divided

    catalog = job.catalog()
    names = catalog.of_suite(catalog.suite(job.suite))
    holding = [table for name in job.inputs if (table := names.table(name)) and table.divided_into]
    for table in holding:
        job = job.with_lasting_inputs()
        tables = [each for name in table.divided_into if (each := names.table(name))]
        if twice := sorted(job.inputs.keys() & {each.name for each in tables}):
            others = " and ".join(twice)
            said = f"give {table.name} or {others}, not both; add the columns of {others} to {table.name}"
            raise UsageError(said)
        found = divided(_source(job, catalog.plugins, table), tables)
        job = job.with_inputs({**job.without([table.name]).inputs, **found})
        if job.reference_point is not None:
            job = job.without(submitted_inputs(job.suites()))
    return job, job.catalog() if holding else catalog


def _compiled(job: Job, catalog: Catalog, suite: Suite) -> Plan:
    """The plan of a job. Raises UsageError if its format or one of its inputs does not fit."""
    from scorespec.results.layouts import check_format
    from scorespec.run.inputs.sources import check_inputs

    names = catalog.of_suite(suite)
    suites = suites_of_run(names, suite, job.request.metrics)
    plan = compiled(names, suite, with_other_columns(job, catalog, suites), job.other)
    if job.format not in PRINTED:
        check_format(suite, job.format, plan.metrics, PRINTED)
    if job.reference_point is not None:
        plan = _of_reference_point(plan)
    check_inputs(suites, plan, job.inputs)
    return plan


def compiled(names: Namespace, suite: Suite, request: Request, run: ScoredRun | None) -> Plan:
    """The plan of a request, with values of another run if there is one, and a warning if that had other parameters."""
    if run is None:
        return shared_plan(names, suite, request)
    request, lacking = with_values(names, suite, request, run)
    plan = shared_plan(names, suite, request)
    warnings = (*plan.notices.warnings, *lacking, *differences(suite, plan, run))
    return replace(plan, notices=replace(plan.notices, warnings=warnings))


def with_other_columns(job: Job, catalog: Catalog, suites: Sequence[Suite]) -> Request:
    """The request of a job, with the undeclared columns of its inputs if it asks for breakdowns.

    Columns that breakdowns, blocks or documents of the user name, and those of inputs that are kept, are added to the
    tables of the request.
    """
    from scorespec.run.inputs.other_columns import (
        check_other_columns,
        with_absent_columns,
        with_columns,
        with_columns_of_breakdowns,
    )

    by_columns = [column for each in job.request.by for column in each]
    others: dict[str, list[str]] = {}
    replaced: dict[str, tuple[Table, ...]] = {}
    for each in suites:
        names = catalog.of_suite(each)
        if by_columns:
            tables = [names.table(name) for name in (*each.inputs, *each.optional) if name in job.inputs]
            sources = [_source(job, catalog.plugins, table) for table in tables if table]
            names, undeclared = with_columns_of_breakdowns(names, sources, by_columns)
            others |= undeclared
            beside_gold = [source for source in sources if source.table.in_place_of in job.inputs]
            names = with_absent_columns(names, beside_gold, by_columns)
        sources = [_source(job, catalog.plugins, table) for table in describing_tables(names, job.inputs)]
        metrics = job.request.metrics or each.metrics
        blocks = _block_columns(names, each, metrics).union(filter(None, (job.request.blocks or "").split(",")))
        kept = each.keep.values() if job.request.keeps_evidence else ()
        read, reading = _undeclared_columns(names, each, metrics) if catalog.user_documents else (set[str](), [])
        names = with_columns(names, sources, blocks | read, kept)
        given = [table for name in job.inputs if (table := names.table(name))] if read else []
        every = [_source(job, catalog.plugins, table) for table in given]
        names = with_columns(names, (source for source in every if source.table.other_columns), read, ())
        names = with_absent_columns(names, every, read)
        for relation in reading:
            check_other_columns(names, relation, job.inputs)
        replaced[each.name] = tuple(names.replaced.values())
    return replace(job.request, others=others, tables=replaced)


def _block_columns(names: Namespace, suite: Suite, texts: Iterable[str]) -> set[str]:
    """The columns that name the blocks of a suite, or of the metrics of some metric strings."""
    found = {*suite.resample.blocks} if suite.resample else set[str]()
    for text in texts:
        with suppress(ScorespecError):  # the compiler reports a wrong metric string at its place
            called = names.own_metric(read_metric_text(text)[0].rpartition(".")[2])
            resamples = needs_of(names).resamples(called, suite.resample)
            found |= {column for resample in resamples for column in resample.blocks}
    return found


def _undeclared_columns(names: Namespace, suite: Suite, texts: Iterable[str]) -> tuple[set[str], list[Relation]]:
    """The columns that `only` of some metrics reads, declared or not; with the relations that read undeclared ones."""
    needs, found, read = needs_of(names), set[str](), [*suite.keep.values()]
    for text in texts:
        with suppress(ScorespecError):  # the compiler reports it at its place
            for metric in needs.with_operands(names.own_metric(read_metric_text(text)[0].rpartition(".")[2])):
                found |= {column for _, sql, place in conditions_of(metric) for column in columns_read(sql, place)}
                read += needs.relations_of(metric)
    reading: list[Relation] = []
    with suppress(ScorespecError):
        reading = [each for each in needs.upstream(read) if isinstance(each, Relation) and each.other_columns]
    return found.union(*(columns for each in reading for columns in each.other_columns.values())), reading


def _of_reference_point(plan: Plan) -> Plan:
    """The plan without what guards against mistakes in a submission, such as an empty file."""
    tables = (replace(each, min_rows=0) if each.name in plan.inputs.submitted else each for each in plan.tables)
    counts = tuple(count for count in plan.notices.counts if not count.submissions_only)
    return replace(plan, tables=tuple(tables), notices=replace(plan.notices, counts=counts))


def sources_of(job: Job, plugins: Plugins, plan: Plan) -> list[Source]:
    """The sources of the inputs that a plan reads, as far as they are given or in the files of others."""
    from scorespec.run.inputs.sources import also_in

    given = [_source(job, plugins, table) for table in plan.tables if table.name in job.inputs]
    absent = [table for table in plan.tables_read() if table.also_in and table.name not in job.inputs]
    return given + [also_in(each, table, plugins.formats) for table in absent for each in given if each.has(table)]


def _source(job: Job, plugins: Plugins, table: Table) -> Source:
    from scorespec.run.inputs.other_forms import with_other_forms
    from scorespec.run.inputs.sources import find_source
    from scorespec.run.inputs.texts import with_texts

    source = find_source(table, job.inputs[table.name], job.files, plugins.formats)
    # The scores of a reference point are made from the gold, with its names of rows.
    return with_other_forms(with_texts(source), alone=len(job.inputs) == 1 or job.reference_point is not None)
