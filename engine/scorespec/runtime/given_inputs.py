"""Refuses runs whose inputs do not fit their suites: an unknown one, a missing one, or too many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorespec.catalog.model import Suite
from scorespec.compiler.plan import Plan
from scorespec.errors import Code, UsageError, unknown
from scorespec.terminal import first_sentence


def check_inputs(suites: Sequence[Suite], plan: Plan, given: Mapping[str, Any]) -> None:
    """Raise UsageError for an unknown input, a missing one, and inputs of which only one can be given."""
    check_names(suites, plan.suite, given)
    about = {table.name: table.about for table in plan.tables}
    choices: list[tuple[str, ...]] = [(name,) for name in plan.required]
    choices += [each for each in _one_of(suites) if about.keys() & each]
    missing = [each for each in choices if not given.keys() & each]
    if missing:
        raise UsageError("\n".join(_missing(each, about) for each in missing), Code.MISSING_INPUT)


def check_names(suites: Sequence[Suite], suite: str, given: Mapping[str, Any]) -> None:
    """Raise UsageError for an unknown input of a suite, and for inputs of which only one can be given."""
    known = [name for each in suites for name in (*each.inputs, *each.optional)]
    for name in given:
        if name not in known:
            raise unknown(f"unknown input {name!r} of suite {suite!r}", name, known)
    for choice in _one_of(suites):
        if len(given.keys() & choice) > 1:
            raise UsageError(f"give {' or '.join(choice)}, not {'both' if len(choice) == 2 else 'several of them'}")


def _one_of(suites: Sequence[Suite]) -> list[tuple[str, ...]]:
    """The lists of inputs of which exactly one is to be given."""
    return list(dict.fromkeys(choice for suite in suites for choice in suite.one_of))


def _missing(choice: Sequence[str], about: Mapping[str, str]) -> str:
    """The message that one of some inputs must be given."""
    said = "\n".join(f"missing input {name!r}: {first_sentence(about[name])}" for name in choice if name in about)
    return said + f"\n  give it as {' or '.join(f'{name}=PATH' for name in choice)}"
