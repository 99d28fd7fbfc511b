"""Checks inputs without scoring them, as far as the inputs at hand allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from scorespec.app.job import Job
from scorespec.app.planning import sources_of, with_other_columns
from scorespec.app.possible_checks import SkippedCheck, checks_at_hand, manifest_of, with_manifest
from scorespec.catalog.model import Suite, Table
from scorespec.errors import InputError, UsageError
from scorespec.plan.plan import Plan
from scorespec.run.inputs.sources import check_names

if TYPE_CHECKING:
    from scorespec.results.schema import InputRecord

MANIFEST = "manifest"  # what users call the table that stands for the gold


@dataclass(frozen=True)
class Validation:
    """The result of checking inputs without scoring them. It is true if no problem was found.

    ``inputs`` are the inputs that were read, with their numbers of rows. ``warnings`` are the warnings that scoring
    would give, too. ``skipped`` are the checks that were not made, each with the inputs that it lacks. A check that
    lacks no input was not made because of the problems. ``error`` is the InputError that scoring would raise, or None.
    """

    suite: str
    inputs: Sequence[InputRecord]
    warnings: Sequence[str]
    skipped: Sequence[SkippedCheck]
    error: InputError | None

    @property
    def valid(self) -> bool:
        """Whether no problem was found."""
        return self.error is None

    @property
    def problems(self) -> Sequence[Any]:
        """The problems that were found: those of ``error``."""
        return self.error.problems if self.error else []

    def __bool__(self) -> bool:
        return self.valid

    def to_dict(self) -> dict[str, Any]:
        """The validation as the command line prints it with ``--format json``."""
        return {
            "suite": self.suite,
            "valid": self.valid,
            "inputs": [{"name": i.name, "path": i.path, "format": i.format, "rows": i.rows} for i in self.inputs],
            "warnings": list(self.warnings),
            "skipped": [{"about": i.about, "says": i.says, "lacks": list(i.lacks)} for i in self.skipped],
            "problems": [asdict(problem) for problem in self.problems],
            "total": self.error.total if self.error else 0,
        }


def validate(job: Job, manifest: Any = None) -> Validation:
    """Check the inputs of a job. A ``manifest`` stands for the gold in checks of names and durations.

    Raises UsageError for an unknown input, for a manifest that no check reads, and if there is nothing to check.
    """
    from scorespec.app.calibrate import compiled
    from scorespec.app.partial_runs import run_checks
    from scorespec.check.binding import bind
    from scorespec.plan.scored_suites import suites_of_run
    from scorespec.run.progress import watched

    catalog = job.catalog()
    suite = catalog.suite(job.suite)
    names = catalog.of_suite(suite)
    check_names(suites_of_run(names, suite, job.request.metrics), job.suite, job.inputs)
    if not job.inputs:
        raise UsageError(f"there is nothing to check; give an input of suite {job.suite!r}, as NAME=PATH")
    table = manifest_of(names, suite)
    if manifest is not None:
        job = job.with_inputs({**job.inputs, _checked(table, suite).name: manifest})
    suite = with_manifest(suite, table)
    suites = suites_of_run(names, suite, job.request.metrics)
    request = replace(with_other_columns(job, catalog, suites), evidence=False)

    def plan_with(given: frozenset[str]) -> Plan:
        return compiled(names, suite, replace(request, given=given), job.other)

    plan, lacking = checks_at_hand(plan_with, suites, frozenset(job.inputs))
    called = {table.name: MANIFEST} if table else {}
    skipped = [replace(each, lacks=tuple(called.get(name, name) for name in each.lacks)) for each in lacking]
    if catalog.user_documents:
        bind(plan, job.limits)  # a fault in a document that does not ship shows before anything is loaded
    done, error = None, None
    try:
        with watched(job.progress, job.start) as tell:
            done = run_checks(plan, sources_of(job, catalog.plugins, plan), job.limits, tell)
            if done.error:
                raise done.error
    except InputError as found:
        error = found
    if done is None or not done.loaded:  # the checks of relations are made after those of inputs
        skipped += dict.fromkeys(SkippedCheck(check.relation, check.says, ()) for check in plan.checks)
    inputs = [replace(each, name=called.get(each.name, each.name)) for each in done.inputs] if done else []
    return Validation(job.suite, inputs, done.warnings if done else plan.warnings, skipped, error)


def _checked(table: Table | None, suite: Suite) -> Table:
    """The manifest of a suite. Raises UsageError for a suite without one."""
    if table is None:
        inputs = ", ".join((*suite.inputs, *suite.optional))
        raise UsageError(
            f"suite {suite.name!r} takes no manifest: no check of its inputs ({inputs}) refers to names or durations "
            "of recordings"
        )
    return table
