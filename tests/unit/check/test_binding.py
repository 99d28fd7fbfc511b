"""Plans over empty tables in one session: each finds its own macros and inputs, and what a faulty plan made is gone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorespec.catalog.lookup import load_catalog
from scorespec.check import binding
from scorespec.check.binding import Binder
from scorespec.errors import RunError, SpecError
from scorespec.plan.compile import compile_suite
from scorespec.plan.plan import Plan
from scorespec.plan.request import Request
from scorespec.run import loop
from scorespec.run.session import Session


def plan_of(name: str) -> Plan:
    catalog = load_catalog(suite=name)
    suite = catalog.suite(name)
    return compile_suite(catalog.of_suite(suite), suite, Request({}))


def test_a_plan_finds_neither_the_macros_nor_the_inputs_of_another() -> None:
    plan = plan_of("wer")
    with Binder() as binder:
        columns = binder.bind(plan)
        for lacking in (replace(plan, macros=()), replace(plan, tables=plan.tables[1:])):
            binder.bind(plan)
            with pytest.raises(SpecError, match="does not exist"):
                binder.bind(lacking)
        assert binder.bind(plan) == columns


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Session]:
    """The sessions that were opened."""
    found: list[Session] = []
    usual = Session._open
    monkeypatch.setattr(Session, "_open", lambda self, threads: (found.append(self), usual(self, threads))[1])
    return found


def with_steps(plan: Plan, **steps: str) -> Plan:
    """The plan with other steps: SQL by the name of the table."""
    first, *_ = plan.steps
    return replace(plan, steps=tuple(replace(first, physical=name, sql=sql) for name, sql in steps.items()))


def test_plans_of_two_suites_share_a_session_even_if_one_is_at_fault(opened: list[Session]) -> None:
    first, second = plan_of("wer"), plan_of("speech_ne")
    with Binder() as binder:
        columns = [binder.bind(plan) for plan in (first, second, first)]
        with pytest.raises(SpecError, match="no_such_column"):
            binder.bind(with_steps(first, good="SELECT 1 AS x", faulty="SELECT no_such_column"))
        with pytest.raises(SpecError, match="good does not exist"):  # what the plan at fault has made is gone
            binder.bind(with_steps(first, other="SELECT * FROM good"))
        assert [binder.bind(plan) for plan in (first, second, first)] == columns
        assert len(opened) == 1


def test_a_database_that_may_be_unusable_is_left(opened: list[Session], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RunError("needs more memory")

    plan = plan_of("wer")
    with Binder() as binder:
        columns = binder.bind(plan)
        with monkeypatch.context() as patched:
            patched.setattr(loop, "run_step", fail)
            with pytest.raises(RunError):
                binder.bind(with_steps(plan, large="SELECT 1"))
        assert binder.bind(plan) == columns
        assert len(opened) == 2
        with monkeypatch.context() as patched:
            patched.setattr(binding._SharedSchema, "drop", fail)  # as after a fatal error of DuckDB
            with pytest.raises(SpecError, match="no_such_column"):
                binder.bind(with_steps(plan, faulty="SELECT no_such_column"))
        assert binder.bind(plan) == columns
        assert len(opened) == 3


def test_the_schema_that_was_used_longest_ago_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binding, "MOST_SCHEMAS", 2)
    plans = [plan_of(name) for name in ("wer", "speech_ne", "muc_ne")]
    with Binder() as binder:
        columns = [binder.bind(plan) for plan in plans]
        assert [binder.bind(plan) for plan in plans] == columns
        assert len(binder._shared) == 2
