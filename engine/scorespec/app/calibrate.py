"""Takes values of parameters from the scores of another run, such as one of a development set.

The key `calibration` of a suite says which component of which metric sets which parameter.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import Suite
from scorespec.errors import UsageError
from scorespec.plan.needs import stable_json
from scorespec.plan.parameters import show_value
from scorespec.plan.plan import Plan
from scorespec.plan.request import Request
from scorespec.plan.scored_suites import ScoredSuite
from scorespec.results.reading import stored_runs

FORM = "write RESULTS:RUN, such as dev.duckdb:1"


@dataclass(frozen=True)
class ScoredRun:
    """A run that was scored: what messages call it, its suite, its parameters, and its scores of the whole input.

    ``scores`` has the value and the note of each ``metric.component``.
    """

    name: str
    suite: str
    parameters: Mapping[str, Any]
    scores: Mapping[str, tuple[float | None, str | None]]


def scored_run(name: str, suite: str, parameters: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> ScoredRun:
    """A run with these rows of `scores`, whose slices are decoded."""
    of_whole = (row for row in rows if row["slice"] == {})
    whole = {f"{row['metric']}.{row['component']}": (row["value"], row["note"]) for row in of_whole}
    return ScoredRun(name, suite, json.loads(stable_json(dict(parameters))), whole)


def split_run(written: str) -> tuple[str, str]:
    """The results database and the run, its number or its name, in ``RESULTS:RUN``. Raises UsageError."""
    path, _, run = written.rpartition(":")
    if not path or not run:
        raise UsageError(f"{written!r} is not a run of a results database; {FORM}")
    return path, run


def read_run(results: Path, run: int | str, schema: str) -> ScoredRun:
    """A run of a results database. Raises the errors of :func:`.stored_runs` and :class:`.StoredRuns`."""
    with stored_runs(results, schema) as runs:
        number = runs.find(run)
        record, scores = runs.record(number), runs.scores(number)
    rows = [{**row, "slice": json.loads(row["slice"])} for row in scores.to_pylist()]
    return scored_run(f"run {number} of {results}", record.suite, record.parameters, rows)


def value_of(suite: Suite, run: ScoredRun, name: str, instead: str) -> float:
    """The value of a parameter by the scores of a run of a suite.

    Raises UsageError if the run lacks the value; ``instead`` is what the message proposes instead.
    """
    source = suite.calibration[name]
    if source not in run.scores:
        metrics = dict.fromkeys(_metric(suite, each) for each in suite.calibration)
        asked = " ".join(f"--metric {metric}" for metric in metrics)
        raise UsageError(f"{run.name} has no score {source}, which sets {name}; score again with {asked}, or {instead}")
    value, note = run.scores[source]
    if value is None or not math.isfinite(value):  # a results database of another program may have any value
        reason = f"has no value ({note})" if value is None else f"is {value}"
        raise UsageError(f"{run.name}: {source} {reason}, so that it cannot set {name}; {instead}")
    return value


def parameters_of(suite: Suite, names: Collection[str]) -> list[str]:
    """The parameters that a suite takes from another run: those of ``names``, or all. Raises UsageError."""
    known = list(suite.calibration)
    if not known:
        raise UsageError(f"suite {suite.name!r} takes no parameter from another run: it has no key `calibration`")
    for name in names:
        if name not in known:
            raise UsageError(f"suite {suite.name!r} takes no {name!r} from another run, only {', '.join(known)}")
    return [name for name in known if not names or name in names]


def with_values(names: Namespace, suite: Suite, request: Request, run: ScoredRun) -> tuple[Request, list[str]]:
    """A request with the values of a run for the parameters that it does not set itself, and warnings.

    Parameters that none of its metrics reads are left out. A warning tells each of the others that the run cannot set.
    Raises UsageError if the run can set none.
    """
    known = parameters_of(suite, ())
    scored = ScoredSuite(names, suite, request)
    calls = scored.asked or scored.suite_calls
    readable = scored.needs.parameters_of(call.metric for call in calls)
    read_here = [name for name in known if name in readable]
    if not read_here:
        raise UsageError(f"no metric of this run reads {' or '.join(known)}, which {run.name} would set")
    wanted = [name for name in read_here if name not in request.params]
    source, settable = _suite_of(names, suite, run, wanted)
    left_out = [name for name in wanted if name not in settable]
    warnings = [f"{run.name} is of suite {run.suite!r}, which sets no {name} of {suite.name!r}" for name in left_out]
    values: dict[str, Any] = {}
    lacking: dict[str, UsageError] = {}
    for name in settable:
        try:
            values[name] = value_of(source, run, name, f"set it: --param {name}=VALUE")
        except UsageError as error:
            lacking[_metric(source, name)] = error
    for name in [name for name in values if _metric(source, name) in lacking]:  # such as δ, which belongs to one γ
        warnings.append(f"{run.name} does not set {name}, because {_metric(source, name)} lacks a value")
        del values[name]
    if lacking and not values:
        raise next(iter(lacking.values()))
    return replace(request, params={**values, **request.params}), [*warnings, *map(str, lacking.values())]


def _suite_of(names: Namespace, suite: Suite, run: ScoredRun, wanted: Sequence[str]) -> tuple[Suite, Sequence[str]]:
    """The suite of a run whose scores set parameters of ``suite``, and those of the ``wanted`` ones that it sets.

    Raises UsageError if it sets none.
    """
    if run.suite == suite.name:
        return suite, wanted
    source = names.catalog.suite(run.suite) if run.suite in names.catalog.suites(suite.domain) else None
    set_here = source.calibration.keys() if source else ()
    across = [name for name in wanted if name in set_here and (each := names.parameter(name)) and each.across_suites]
    if wanted and not across:
        said = f"{run.name} is of suite {run.suite!r}, not of {suite.name!r}"
        raise UsageError(f"{said}; score its data with {suite.name!r}, too")
    return source or suite, across


def _metric(suite: Suite, name: str) -> str:
    """The metric whose scores set a parameter."""
    return suite.calibration[name].partition(".")[0]


def differences(suite: Suite, plan: Plan, run: ScoredRun) -> Iterator[str]:
    """A warning if the run that gave the values of a plan had other parameters."""
    names = [name for name in plan.parameters if name in run.parameters and name not in suite.calibration]
    here = {name: json.loads(stable_json(plan.parameters[name])) for name in names}
    other = [name for name in names if here[name] != run.parameters[name]]
    if other:
        texts = (", ".join(f"{name}={show_value(values[name])}" for name in other) for values in (run.parameters, here))
        yield "{} was scored with {}; this run has {}".format(run.name, *texts)
