"""Checks inputs without scoring them, as far as the inputs at hand allow."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from scorespec.app.job import Job
from scorespec.app.planning import compiled, sources_of, with_divided_inputs, with_other_columns
from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import Suite, Table
from scorespec.core.result_tables import InputRecord
from scorespec.errors import InputError, UsageError
from scorespec.plan.plan import Count, Plan, Refused
from scorespec.run.inputs.sources import check_names

MANIFEST = "manifest"  # what users call the table that replaces the gold


@dataclass(frozen=True)
class SkippedCheck:
    """A check that is not made: the input or relation that it is about, its message, and the inputs that it lacks.

    An item of ``lacks`` is the name of an input, or several names if one of them is enough.
    """

    about: str
    says: str
    lacks: tuple[str, ...]


@dataclass(frozen=True)
class Validation:
    """The result of checking inputs without scoring them. It is true if no problem was found.

    ``inputs`` are the inputs that were read, with their numbers of rows. ``warnings`` are the warnings that scoring
    would give, too, as far as these inputs show. ``skipped`` are the checks that were not made, each with the inputs
    that it lacks. A check that lacks no input was not made because of the problems. ``error`` is the InputError that
    scoring would raise, or None.
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
    """Check the inputs of a job. A ``manifest`` replaces the gold in checks of names and durations.

    Raises UsageError for an unknown input, for a manifest that no check reads, and if there is nothing to check.
    """
    from scorespec.app.score import input_records
    from scorespec.check.binding import bind
    from scorespec.plan.scored_suites import suites_of_run
    from scorespec.run.progress import watched
    from scorespec.run.runner import Runner
    from scorespec.run.session import open_session

    job, catalog = with_divided_inputs(job)
    suite = catalog.suite(job.suite)
    names = catalog.of_suite(suite)
    check_names(suites_of_run(names, suite, job.request.metrics), job.suite, job.inputs)
    if not job.inputs:
        raise UsageError(f"there is nothing to check; give an input of suite {job.suite!r}, as NAME=PATH")
    table = manifest_of(names, suite)
    if manifest is not None:
        job = job.with_inputs({**job.inputs, _checked(table, suite).name: manifest})
    if table:
        suite = replace(suite, optional=(*suite.optional, table.name))
    suites = suites_of_run(names, suite, job.request.metrics)
    request = replace(with_other_columns(job, catalog, suites), evidence=False)

    def plan_with(given: frozenset[str]) -> Plan:
        return compiled(names, suite, replace(request, given=given), job.other)

    plan, lacking = checks_at_hand(plan_with, suites, frozenset(job.inputs))
    called = {table.name: MANIFEST} if table else {}
    skipped = [replace(each, lacks=tuple(called.get(name, name) for name in each.lacks)) for each in lacking]
    if catalog.user_documents:
        bind(plan, job.limits)  # a fault in a document that does not ship shows before anything is loaded
    runner, loaded, error = None, False, None
    try:
        with watched(job.progress, job.start) as tell, open_session(job.limits) as session:
            runner = Runner(plan, session, tell)
            runner.load(sources_of(job, catalog.plugins, plan), hashed=False)
            loaded = True
            runner.run_steps()
            runner.check_unchanged()
    except InputError as found:
        error = found
    if not loaded:  # the checks of relations are made after those of inputs
        skipped += dict.fromkeys(SkippedCheck(check.relation, check.says, ()) for check in plan.checks)
    inputs = [
        replace(each, name=called.get(each.name, each.name)) for each in input_records(runner.loaded if runner else [])
    ]
    return Validation(job.suite, inputs, runner.warnings if runner else plan.notices.warnings, skipped, error)


def _checked(table: Table | None, suite: Suite) -> Table:
    """The manifest of a suite. Raises UsageError for a suite without one."""
    if table is None:
        inputs = ", ".join((*suite.inputs, *suite.optional))
        raise UsageError(
            f"suite {suite.name!r} takes no manifest: no check of its inputs ({inputs}) refers to names or durations "
            "of recordings"
        )
    return table


# -- which checks are possible -----------------------------------------------------------------------


def checks_at_hand(
    plan_with: Callable[[frozenset[str]], Plan], suites: Sequence[Suite], given: frozenset[str]
) -> tuple[Plan, list[SkippedCheck]]:
    """The plan of the checks that the ``given`` inputs allow, and the other checks of a run.

    ``plan_with`` is the plan of a run with some inputs. Optional inputs that are not given count as empty, as in a run
    that scores. If one of several inputs is still to be chosen, a check is made if it does not depend on the choice.
    """
    plan = plan_with(given)
    behind = plan.inputs_behind()
    known = {name for suite in suites for name in (*suite.inputs, *suite.optional)}
    to_choose = [choice for suite in suites for choice in suite.one_of if given.isdisjoint(choice)]
    missing = [*((name,) for name in plan.inputs.required if name not in given), *dict.fromkeys(to_choose)]
    checks_after = {
        choice: [{_identity(check) for check in plan_with(given | {name}).checks} for name in choice]
        for choice in to_choose
    }

    def depends_on(choice: tuple[str, ...], check: Count | Refused) -> bool:
        reads = behind[check.physical] - check.without
        always_made = all(_identity(check) in checks for checks in checks_after.get(choice, ()))
        return not always_made or not reads.isdisjoint(choice)

    made: list[Count | Refused] = []
    tables = [table for table in plan.tables if table.name in given]
    skipped = [each for table in tables for each in _skipped_conditions(table, given, known)]
    for check in plan.checks:
        lacks = tuple(" or ".join(choice) for choice in missing if depends_on(choice, check))
        if lacks:
            skipped.append(SkippedCheck(check.relation, check.says, lacks))
        else:
            made.append(check)
    return plan.only_checks(made), list(dict.fromkeys(skipped))


def _identity(check: Count | Refused) -> tuple[str, str]:
    """What a check is about, and its message: the same in two plans whose SQL differs."""
    return check.relation, check.says


def _skipped_conditions(table: Table, given: Collection[str], known: Collection[str]) -> Iterator[SkippedCheck]:
    """The conditions of an input that refer to an input which is not given."""
    for check in table.checks:
        lacks = tuple(name for name in check.needs if name not in given)
        if lacks and {*lacks} <= {*known}:
            yield SkippedCheck(table.name, check.says, lacks)


def manifest_of(names: Namespace, suite: Suite) -> Table | None:
    """The table that replaces the gold in checks of a suite; None if no check of its inputs refers to one."""
    inputs = [names.table(name) for name in (*suite.inputs, *suite.optional)]
    needed = {need for table in inputs if table for check in table.checks for need in check.needs}
    tables = [names.table(name) for name in names.names("tables") if name in needed]
    return next((table for table in tables if table and table.manifest), None)
