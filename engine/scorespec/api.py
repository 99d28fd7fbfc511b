"""The Python interface: score, compile a plan, look things up, open a results database."""

from __future__ import annotations

import json
import weakref
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorespec.catalog.lookup import load_catalog
from scorespec.catalog.model import Suite
from scorespec.compiler.compile import Request, compile_suite
from scorespec.compiler.plan import Plan
from scorespec.errors import UsageError, nearest

if TYPE_CHECKING:
    import pyarrow as pa

    from scorespec.runtime.loading import Source
    from scorespec.runtime.runner import Outcome, StepCost

Specs = str | Path | Iterable[str | Path]


class Run:
    """A scored submission.

    ``scores`` is an Arrow table (metric, component, slice as JSON, value, std, folds, note); ``warnings``
    tell what conventions left out; ``signature`` pins documents, parameters and version; ``costs`` has the
    seconds and rows of each step.
    """

    def __init__(self, plan: Plan, outcome: Outcome, store: Path | None) -> None:
        self._outcome = outcome
        self._store = store
        self.suite = plan.suite
        self.signature = plan.signature
        self.parameters: Mapping[str, Any] = plan.parameters

    @property
    def scores(self) -> pa.Table:
        return self._outcome.scores

    @property
    def warnings(self) -> list[str]:
        return self._outcome.warnings

    @property
    def costs(self) -> list[StepCost]:
        return self._outcome.costs

    def table(self) -> list[dict[str, Any]]:
        """The scores as one dictionary per row, the slice decoded: ``{}`` is the whole submission."""
        return [{**row, "slice": json.loads(row["slice"])} for row in self.scores.to_pylist()]

    def value(self, metric: str, component: str = "value", **slice_: Any) -> float | None:
        """One score, such as ``run.value("token", "fscore")``; None where it is undefined."""
        for row in self.table():
            if (row["metric"], row["component"], row["slice"]) == (metric, component, slice_):
                value: float | None = row["value"]
                return value
        raise UsageError(f"this run has no score {metric}.{component} {slice_ or ''}".rstrip())

    def sql(self, query: str) -> pa.Table:
        """Ask the run's results database: `scores`, `unit_statistics`, `evidence_…`; an Arrow table.

        Raises SpecError when the SQL is at fault.
        """
        from scorespec.runtime.results import read

        if self._store is None:
            raise UsageError("this run kept no results database")
        return read(self._store, query)

    def to_dict(self) -> dict[str, Any]:
        """The run as the command line prints it with ``--format json``."""
        record = self._outcome.record
        run = {
            "suite": self.suite,
            "signature": self.signature,
            "time": record.time.isoformat(),
            "parameters": {n: list(v) if isinstance(v, tuple) else v for n, v in self.parameters.items()},
            "versions": record.versions,
            "inputs": [
                {"name": i.name, "path": i.path, "format": i.format, "rows": i.rows} for i in self._outcome.inputs
            ],
        }
        return {"run": run, "scores": self.table(), "warnings": self.warnings}

    def __repr__(self) -> str:
        lines = [f"{self.signature}"]
        for row in self.table():
            slice_ = " ".join(f"{key}={value}" for key, value in row["slice"].items())
            value = row["note"] if row["value"] is None else four_digits(row["value"])
            lines.append(f"  {row['metric']:<24} {row['component']:<12} {value}  {slice_}".rstrip())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        columns = ("metric", "component", "slice", "value", "std", "folds", "note")
        head = "".join(f"<th>{name}</th>" for name in columns)
        body = ""
        for row in self.table():
            cells = {**row, "slice": ", ".join(f"{k}={v}" for k, v in row["slice"].items())}
            shown = ("" if cells[name] is None else str(cells[name]) for name in columns)
            body += "<tr>" + "".join(f"<td>{escape(each)}</td>" for each in shown) + "</tr>"
        return f"<table><caption>{escape(self.signature)}</caption><tr>{head}</tr>{body}</table>"


def four_digits(value: float) -> str:
    """A value with four decimals, or four digits where those would hide it: a rate of false alarms may be 1e-5."""
    return f"{value:.4g}" if 0 < abs(value) < 1e-3 else f"{value:.4f}"


def score(
    suite: str,
    *,
    specs: Specs = (),
    params: Mapping[str, Any] | None = None,
    metrics: str | Sequence[str] = (),
    by: str | Sequence[str | Sequence[str]] = (),
    output: str | Path | None = None,
    memory_limit: str | None = None,
    threads: int | None = None,
    temp_dir: str | Path | None = None,
    keep_evidence: bool = True,
    quiet: bool = True,
    profile: bool = False,
    inputs: Mapping[str, Any] | None = None,
    **more_inputs: Any,
) -> Run:
    """Score a submission.

    Each input of the suite, given by its name or in ``inputs``, is a path (``path::format`` to name its format),
    an Arrow table or reader, a pandas or Polars frame, or a DuckDB relation; or a list of such, or a mapping by name,
    where an input may have several parts. ``params`` set parameters of the run;
    ``metrics`` are metric strings such as ``token(edge_time=0.02)`` (the suite's own when left out); each of ``by``
    is a column, or several crossed. With ``output`` the run is appended to that results database, otherwise it has
    one of its own for as long as it lives (none without ``keep_evidence``). With ``profile`` the run's ``costs`` tell
    what was spilled, too.

    Raises UsageError, InputError, SpecError or RunError, each with a message that says what to mend.
    """
    from scorespec.runtime.folders import TemporaryFolder
    from scorespec.runtime.progress import progress_bar
    from scorespec.runtime.results import RunRecord, check_writable, now
    from scorespec.runtime.runner import run_plan
    from scorespec.runtime.session import Limits

    given = _given(inputs, more_inputs)
    evidence = keep_evidence or output is not None
    request = Request(params or {}, _listed(metrics), _breakdowns(by), frozenset(given), evidence)
    plan, sources = _planned(suite, _paths(specs), request, given)
    if output is not None:
        check_writable(Path(output))
    record = RunRecord(plan.suite, plan.signature, plan.parameters, now())
    limits = Limits(memory_limit, threads, temp_dir)
    own = TemporaryFolder("scorespec-run-", temp_dir) if evidence and output is None else None
    store = own.path / "results.duckdb" if own else output and Path(output)
    try:
        with progress_bar(quiet) as progress:
            outcome = run_plan(plan, sources, record, limits, progress, store or None, profile)
    except BaseException:
        if own:
            own.close()
        raise
    run = Run(plan, outcome, store or None)
    if own:
        weakref.finalize(run, own.close)
    return run


def explain(
    suite: str,
    step: str,
    *,
    specs: Specs = (),
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
    plan, sources = _planned(suite, _paths(specs), Request(params or {}, (), _breakdowns(by), frozenset(given)), given)
    names = {each.name for each in plan.steps if not each.view}
    if step not in names:
        raise UsageError(f"no step {step!r} in this run of {suite!r}; {nearest(step, sorted(names))}")
    with progress_bar(quiet) as progress:
        return explain_steps(plan, sources, Limits(memory_limit, threads, temp_dir), progress, step)


def compile(
    suite: str,
    *,
    specs: Specs = (),
    params: Mapping[str, Any] | None = None,
    metrics: str | Sequence[str] = (),
    by: str | Sequence[str | Sequence[str]] = (),
    inputs: Iterable[str] | None = None,
    keep_evidence: bool = True,
) -> Plan:
    """The plan of a run, without running it; ``plan.script()`` is its SQL.

    ``inputs`` names the tables that would be given (those that the suite requires when left out); without
    ``keep_evidence`` the plan makes the scores and nothing else.
    """
    catalog = load_catalog(*_paths(specs), suite=suite)
    given = None if inputs is None else frozenset(inputs)
    request = Request(params or {}, _listed(metrics), _breakdowns(by), given, keep_evidence)
    return compile_suite(catalog, catalog.suite(suite), request)


class Results:
    """A results database on disk; made by :func:`open_results`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def sql(self, query: str) -> pa.Table:
        """The rows of a query, as an Arrow table."""
        from scorespec.runtime.results import read

        return read(self.path, query)


def open_results(path: str | Path) -> Results:
    """Open a results database to ask it questions in SQL. Raises RunError when there is none."""
    results = Results(Path(path))
    results.sql("SELECT 1")
    return results


def _paths(specs: Specs) -> list[str | Path]:
    return [specs] if isinstance(specs, str | Path) else list(specs)


def _listed(metrics: str | Sequence[str]) -> Sequence[str]:
    return [metrics] if isinstance(metrics, str) else metrics


def _breakdowns(by: str | Sequence[str | Sequence[str]]) -> list[tuple[str, ...]]:
    columns = [each.split(",") if isinstance(each, str) else each for each in ([by] if isinstance(by, str) else by)]
    return [tuple(dict.fromkeys(column.strip() for column in each)) for each in columns]


def _given(inputs: Mapping[str, Any] | None, more: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**(inputs or {}), **more}.items() if value is not None}


def _planned(
    suite: str, specs: Sequence[str | Path], request: Request, given: Mapping[str, Any]
) -> tuple[Plan, list[Source]]:
    """The plan of a run, and what its inputs stand for, once all is known to be at hand."""
    from scorespec.runtime.binding import bind
    from scorespec.runtime.several import find_sources
    from scorespec.runtime.widening import widen_tables

    catalog = load_catalog(*specs, suite=suite)
    found = catalog.suite(suite)
    catalog = catalog.of_suite(found)
    by_columns = [column for each in request.by for column in each]
    if by_columns:
        known = [catalog.table(found.domain, name) for name in (*found.inputs, *found.optional) if name in given]
        parts = [source for each in known if each for source in find_sources(each, given[each.name])]
        request = replace(request, others=widen_tables(catalog, parts, by_columns))
    plan = compile_suite(catalog, found, request)
    _check_inputs(found, plan, given)
    if specs:
        bind(plan)  # a fault in a document of one's own shows before anything is loaded
    tables = {table.name: table for table in plan.tables}
    return plan, [each for name in tables if name in given for each in find_sources(tables[name], given[name])]


def _check_inputs(suite: Suite, plan: Plan, given: Mapping[str, Any]) -> None:
    known = (*suite.inputs, *suite.optional)
    for name in given:
        if name not in known:
            raise UsageError(f"unknown input {name!r} of suite {suite.name!r}; {nearest(name, known)}")
    about = {table.name: table.about for table in plan.tables}
    choices: list[tuple[str, ...]] = [(name,) for name in plan.required]
    choices += [each for each in suite.one_of if about.keys() & each]
    missing = [each for each in choices if not given.keys() & each]
    if missing:
        raise UsageError("\n".join(_missing(each, about) for each in missing))
    for choice in suite.one_of:
        if len(given.keys() & choice) > 1:
            raise UsageError(f"give {' or '.join(choice)}, not {'both' if len(choice) == 2 else 'several of them'}")


def _missing(choice: Sequence[str], about: Mapping[str, str]) -> str:
    """What is said of inputs of which one is to be given."""
    said = "\n".join(f"missing input {name!r}: {about[name]}" for name in choice if name in about)
    return said + f"\n  give it as {' or '.join(f'{name}=PATH' for name in choice)}"


__all__ = ["Results", "Run", "compile", "explain", "load_catalog", "open_results", "score"]
