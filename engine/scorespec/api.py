"""The Python interface: score, compile a plan, look things up, open a results database."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorespec.catalog.lookup import Catalog, load_catalog
from scorespec.catalog.model import Definition, Suite, Table
from scorespec.compiler.compile import Request, compile_suite, split_suite, suites_of_run
from scorespec.compiler.parameters import metric_text
from scorespec.compiler.plan import Plan
from scorespec.errors import RunError, UnsavedRunError, UsageError, nearest
from scorespec.run import MetricScores, Run
from scorespec.terminal import first_sentence

if TYPE_CHECKING:
    import pyarrow as pa

    from scorespec.runtime.loading import Source
    from scorespec.runtime.saving import RunFile
    from scorespec.runtime.session import Limits

Paths = str | Path | Iterable[str | Path]


@dataclass(frozen=True)
class MetricCall:
    """A metric with parameters of its own; made by :func:`metric`. Its text is the metric string."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        lists = {key: tuple(value) if isinstance(value, list) else value for key, value in self.parameters.items()}
        return metric_text(self.name, lists)


Metric = str | MetricCall | MetricScores | Definition
Metrics = Metric | Iterable[Metric]


def score(
    suite: str,
    *,
    specs: Paths = (),
    plugins: Paths = (),
    params: Mapping[str, Any] | None = None,
    metrics: Metrics = (),
    by: str | Sequence[str | Sequence[str]] = (),
    folds: Any = False,
    output: str | Path | None = None,
    schema: str = "main",
    memory_limit: str | None = None,
    threads: int | None = None,
    temp_dir: str | Path | None = None,
    keep_evidence: bool = True,
    quiet: bool = True,
    profile: bool = False,
    before_saving: Callable[[Run], None] | None = None,
    inputs: Mapping[str, Any] | None = None,
    **more_inputs: Any,
) -> Run:
    """Score a submission.

    Each input of the suite, given by its name or in ``inputs``, is a path (``path::format`` to name its format),
    an Arrow table or reader, a pandas or Polars frame, or a DuckDB relation; or a list of such, or a mapping by name,
    where an input may have several parts. ``params`` set parameters of the run;
    ``specs`` are documents of one's own, ``plugins`` names of modules, or paths, of plugins that are not installed;
    ``metrics`` are metric strings such as ``token(edge_time=0.02)``, or objects such as ``metric("token",
    edge_time=0.02)`` and the metrics of a catalog (the suite's own when left out); ``zerospeech2015.token`` is a metric
    of another suite of the domain, which keeps the parameters and folds of that suite. Each of ``by`` is a column, or
    several crossed. With ``folds=True`` the scores of each fold stand in slices of their own, such as ``fold=3``,
    beside the means over the folds; any other value is an input of this name. With ``output`` the run is appended to
    that results database, whose tables are in ``schema``; otherwise the run has a database of its own for as long as
    it lives (none without ``keep_evidence``).
    ``before_saving`` is called with the run before it is appended, which may have to wait.
    With ``profile`` the run's ``costs`` tell what was spilled, too.

    Raises UsageError, InputError, SpecError or RunError, each with a message that says what to mend. UnsavedRunError,
    a RunError, has the scored run that could not be appended, and says in which file it is kept.
    """
    from scorespec.runtime.progress import progress_bar
    from scorespec.runtime.results import RunRecord, now
    from scorespec.runtime.runner import run_plan
    from scorespec.runtime.saving import RunFile
    from scorespec.runtime.session import Limits

    if not isinstance(folds, bool):
        more_inputs["folds"], folds = folds, False
    given = _given(inputs, more_inputs)
    evidence = keep_evidence or output is not None
    request = Request(params or {}, _listed(metrics), _breakdowns(by), frozenset(given), evidence, folds=folds)
    limits = Limits(memory_limit, threads, temp_dir)
    # A results database that cannot be written is refused before any input is looked at.
    file = RunFile(None if output is None else Path(output), schema, limits) if evidence else None
    try:
        plan, sources = _planned(suite, _paths(specs), _paths(plugins), request, given, limits)
        record = RunRecord(plan.suite, plan.signature, plan.parameters, now(), plan.plugins)
        with progress_bar(quiet) as progress:
            outcome = run_plan(plan, sources, record, limits, progress, file, profile)
        run = Run(plan, outcome, file.path if file else None, schema)
        try:
            if before_saving is not None:
                before_saving(run)
        finally:
            if file is not None:
                _save(run, file)
    except BaseException:
        if file is not None:
            file.close()
        raise
    if output is not None and file is not None:
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
        run._store = file.path


def explain(
    suite: str,
    step: str,
    *,
    specs: Paths = (),
    plugins: Paths = (),
    params: Mapping[str, Any] | None = None,
    by: str | Sequence[str | Sequence[str]] = (),
    memory_limit: str | None = None,
    threads: int | None = None,
    temp_dir: str | Path | None = None,
    quiet: bool = True,
    inputs: Mapping[str, Any] | None = None,
    **more_inputs: Any,
) -> dict[str, str]:
    """How DuckDB makes a step: its plan with the rows and the time of each operator, by the label of the step.

    ``step`` is the name of a relation, or of a metric, which may have several steps; inputs and options are those of
    :func:`score`. The steps before are run, too. Raises UsageError for a step that there is not, and what
    :func:`score` raises.
    """
    from scorespec.runtime.progress import progress_bar
    from scorespec.runtime.runner import explain_steps
    from scorespec.runtime.session import Limits

    given = _given(inputs, more_inputs)
    limits = Limits(memory_limit, threads, temp_dir)
    request = Request(params or {}, (), _breakdowns(by), frozenset(given))
    plan, sources = _planned(suite, _paths(specs), _paths(plugins), request, given, limits)
    names = {each.name for each in plan.steps if not each.view}
    if step not in names:
        raise UsageError(f"no step {step!r} in this run of {suite!r}; {nearest(step, sorted(names))}")
    with progress_bar(quiet) as progress:
        return explain_steps(plan, sources, limits, progress, step)


def compile(
    suite: str,
    *,
    specs: Paths = (),
    plugins: Paths = (),
    params: Mapping[str, Any] | None = None,
    metrics: Metrics = (),
    by: str | Sequence[str | Sequence[str]] = (),
    folds: bool = False,
    inputs: Iterable[str] | None = None,
    keep_evidence: bool = True,
) -> Plan:
    """The plan of a run, without running it; ``plan.script()`` is its SQL.

    ``inputs`` names the tables that would be given (those that the suite requires when left out); without
    ``keep_evidence`` the plan makes the scores and nothing else.
    """
    given = None if inputs is None else frozenset(inputs)
    request = Request(params or {}, _listed(metrics), _breakdowns(by), given, keep_evidence, folds=folds)
    catalog = _catalog(suite, _paths(specs), _paths(plugins), request)
    found = catalog.suite(suite)
    return compile_suite(catalog.of_suite(found), found, request)


class Results:
    """A results database on disk; made by :func:`open_results`."""

    def __init__(self, path: Path, schema: str = "main") -> None:
        self.path, self.schema = path, schema

    def sql(self, query: str, *, allow_files: bool = False, as_text: bool = False) -> pa.Table:
        """The rows of a query, as an Arrow table.

        The query can read and write files only with ``allow_files``. With ``as_text``, values that Python or JSON
        cannot hold, such as intervals and the date `infinity`, are text.
        """
        from scorespec.runtime.querying import read

        return read(self.path, query, self.schema, allow_files, as_text)

    def stream(
        self, query: str, *, allow_files: bool = False, as_text: bool = False
    ) -> AbstractContextManager[pa.RecordBatchReader]:
        """The rows of a query batch by batch, for ``with``; arguments are those of :meth:`sql`."""
        from scorespec.runtime.querying import stream

        return stream(self.path, query, self.schema, allow_files, as_text)


def open_results(path: str | Path, schema: str = "main") -> Results:
    """Open a results database to ask it questions in SQL. Raises RunError when there is none.

    ``schema`` is the schema of its tables.
    """
    results = Results(Path(path), schema)
    results.sql("SELECT 1")
    return results


def add_runs(results: str | Path, *others: str | Path, schema: str = "main") -> dict[Path, list[int]]:
    """Append the runs of other results databases to one; the ids that the runs of each have there.

    All runs of a file are appended, or none. A file with a run that could not be added by :func:`score` is removed
    afterwards, others stay. Raises RunError.
    """
    from scorespec.runtime.adding import add_file

    return {Path(other): add_file(Path(results), Path(other), schema) for other in others}


def _paths(given: Paths) -> list[str | Path]:
    return [given] if isinstance(given, str | Path) else list(given)


def metric(name: str, **parameters: Any) -> MetricCall:
    """A metric with parameters of its own, to be scored: ``metric("token", edge_time=0.02)``."""
    return MetricCall(name, parameters)


def _listed(metrics: Metrics) -> list[str]:
    if isinstance(metrics, str | MetricCall | MetricScores | Definition):
        return [_metric_text(metrics)]
    return [_metric_text(each) for each in metrics]


def _metric_text(metric: Metric) -> str:
    return metric.full_name if isinstance(metric, Definition) else str(metric)


def _breakdowns(by: str | Sequence[str | Sequence[str]]) -> list[tuple[str, ...]]:
    columns = [each.split(",") if isinstance(each, str) else each for each in ([by] if isinstance(by, str) else by)]
    return [tuple(dict.fromkeys(column.strip() for column in each)) for each in columns]


def _given(inputs: Mapping[str, Any] | None, more: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**(inputs or {}), **more}.items() if value is not None}


def _planned(
    suite: str,
    specs: Sequence[str | Path],
    plugins: Sequence[str | Path],
    request: Request,
    given: Mapping[str, Any],
    limits: Limits,
) -> tuple[Plan, list[Source]]:
    """The plan of a run, and what its inputs stand for, once all is known to be at hand."""
    from scorespec.runtime.binding import bind
    from scorespec.runtime.files import Files
    from scorespec.runtime.other_columns import add_other_columns
    from scorespec.runtime.parts import find_sources

    catalog = _catalog(suite, specs, plugins, request)
    found = catalog.suite(suite)
    names = catalog.of_suite(found)
    suites = suites_of_run(names, found, request.metrics)
    files, formats = Files(limits.folder), catalog.plugins.formats

    def parts(table: Table) -> list[Source]:
        return find_sources(table, given[table.name], files, formats)

    by_columns = [column for each in request.by for column in each]
    others: dict[str, list[str]] = {}
    for each in suites if by_columns else ():
        seen_by = catalog.of_suite(each)
        tables = [seen_by.table(name) for name in (*each.inputs, *each.optional) if name in given]
        others |= add_other_columns(seen_by, [part for table in tables if table for part in parts(table)], by_columns)
    plan = compile_suite(names, found, replace(request, others=others))
    _check_inputs(suites, plan, given)
    if catalog.user_documents:
        bind(plan, limits)  # a fault in a document that does not ship shows before anything is loaded
    return plan, [part for table in plan.tables if table.name in given for part in parts(table)]


def _catalog(suite: str, specs: Sequence[str | Path], plugins: Sequence[str | Path], request: Request) -> Catalog:
    """The documents and plugins that a run needs."""
    others = [name for name, _ in map(split_suite, request.metrics) if name]
    return load_catalog(*specs, suite=suite, also=others, plugins=plugins)


def _check_inputs(suites: Sequence[Suite], plan: Plan, given: Mapping[str, Any]) -> None:
    known = [name for suite in suites for name in (*suite.inputs, *suite.optional)]
    for name in given:
        if name not in known:
            raise UsageError(f"unknown input {name!r} of suite {plan.suite!r}; {nearest(name, known)}")
    about = {table.name: table.about for table in plan.tables}
    one_of = list(dict.fromkeys(choice for suite in suites for choice in suite.one_of))
    choices: list[tuple[str, ...]] = [(name,) for name in plan.required]
    choices += [each for each in one_of if about.keys() & each]
    missing = [each for each in choices if not given.keys() & each]
    if missing:
        raise UsageError("\n".join(_missing(each, about) for each in missing))
    for choice in one_of:
        if len(given.keys() & choice) > 1:
            raise UsageError(f"give {' or '.join(choice)}, not {'both' if len(choice) == 2 else 'several of them'}")


def _missing(choice: Sequence[str], about: Mapping[str, str]) -> str:
    """What is said of inputs of which one is to be given."""
    said = "\n".join(f"missing input {name!r}: {first_sentence(about[name])}" for name in choice if name in about)
    return said + f"\n  give it as {' or '.join(f'{name}=PATH' for name in choice)}"


__all__ = [
    "MetricCall",
    "MetricScores",
    "Results",
    "Run",
    "add_runs",
    "compile",
    "explain",
    "load_catalog",
    "metric",
    "open_results",
    "score",
]
