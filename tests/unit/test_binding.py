"""Plans over empty tables in one session: each finds its own macros and inputs, and an error ends with its plan."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorespec.catalog.lookup import load_catalog
from scorespec.compiler.compile import compile_suite
from scorespec.compiler.plan import Plan
from scorespec.compiler.request import Request
from scorespec.errors import SpecError
from scorespec.runtime import binding
from scorespec.runtime.binding import Binder
from scorespec.runtime.session import Session


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


def test_plans_of_two_suites_share_a_session_until_one_is_at_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    monkeypatch.setattr(
        Session, "_open", lambda self, threads, usual=Session._open: opened.append(usual(self, threads))
    )
    first, second = plan_of("wer"), plan_of("speech_ne")
    (step, *_) = first.steps
    with Binder() as binder:
        for plan in (first, second, first):
            binder.bind(plan)
        assert len(opened) == 1
        with pytest.raises(SpecError, match="no_such_column"):
            binder.bind(replace(first, steps=(replace(step, physical="faulty", sql="SELECT no_such_column"),)))
        binder.bind(first)
        assert len(opened) == 2


def test_the_schema_that_was_used_longest_ago_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binding, "MOST_SCHEMAS", 2)
    plans = [plan_of(name) for name in ("wer", "speech_ne", "muc_ne")]
    with Binder() as binder:
        columns = [binder.bind(plan) for plan in plans]
        assert [binder.bind(plan) for plan in plans] == columns
        assert len(binder._shared) == 2
