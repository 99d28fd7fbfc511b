"""How tests over many values are written: as one test, in loops that must run, or as tests of which most are slow."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from itertools import product
from typing import Any, TypeVar

import pytest

slow = pytest.mark.slow
T = TypeVar("T")


def first(values: Iterable[Any], count: int = 1) -> list[Any]:
    """Parameters of a test of which `make test` runs the first `count`, and `make test-all` the others as well."""
    return [_slow(value) if at >= count else value for at, value in enumerate(values)]


def only(chosen: Iterable[Any], values: Iterable[Any]) -> list[Any]:
    """Parameters of a test of which `make test` runs those that are chosen, and `make test-all` the others as well."""
    chosen, values = list(chosen), list(values)
    assert all(value in values for value in chosen)
    return [value if value in chosen else _slow(value) for value in values]


def _slow(value: Any) -> Any:
    """A tuple has a value for each of several names; what `pytest.param` made keeps its id."""
    if hasattr(value, "marks"):
        return value._replace(marks=(*value.marks, slow))
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=slow)


def some(values: Iterable[T]) -> list[T]:
    """The values of a loop that asserts something: there must be at least one."""
    found = [*values]
    assert found, "nothing is compared"
    return found


def for_each(**values: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Runs a cheap test for each value, or each combination of values, as one test that tells all faults.

    The fixtures of the test are made once. So a test that writes files or changes the environment is parametrized.
    """
    cases = [dict(zip(values, case, strict=True)) for case in product(*map(list, values.values()))]
    assert cases

    def one(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run(**fixtures: Any) -> None:
            faults = []
            for case in cases:
                try:
                    test(**fixtures, **case)
                except Exception as fault:
                    fault.add_note(f"with {case}")
                    faults.append(fault)
            if faults:
                raise ExceptionGroup(f"{len(faults)} of {len(cases)} cases", faults)

        taken = inspect.signature(test).parameters.values()
        run.__signature__ = inspect.Signature([each for each in taken if each.name not in values])  # type: ignore[attr-defined]
        return run

    return one
