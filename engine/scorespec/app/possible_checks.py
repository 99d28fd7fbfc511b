"""The checks of a run: which of them the inputs at hand allow, and what the others lack."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scorespec.catalog.model import Suite, Table
from scorespec.plan.plan import Count, Plan, Refused

if TYPE_CHECKING:
    from scorespec.catalog.lookup import Namespace


@dataclass(frozen=True)
class SkippedCheck:
    """A check that is not made: the input or relation that it is about, its message, and the inputs that it lacks.

    An item of ``lacks`` is the name of an input, or several names of which one is enough.
    """

    about: str
    says: str
    lacks: tuple[str, ...]


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
    missing = [*((name,) for name in plan.required if name not in given), *dict.fromkeys(to_choose)]
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
    """The table that stands for the gold in checks of a suite; None if no check of its inputs refers to one."""
    inputs = [names.table(name) for name in (*suite.inputs, *suite.optional)]
    needed = {need for table in inputs if table for check in table.checks for need in check.needs}
    tables = [names.table(name) for name in names.names("tables") if name in needed]
    return next((table for table in tables if table and table.manifest), None)


def with_manifest(suite: Suite, table: Table | None) -> Suite:
    """The suite with its manifest as an optional input."""
    return replace(suite, optional=(*suite.optional, table.name)) if table else suite
