"""Plans of cases in shared sessions: each has the scores of a session of its own, and finds only its own macros."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest

from examples import CATALOG, inputs_of, suite_of
from scorespec.check.binding import TRIAL
from scorespec.check.case_proofs import CaseRuns
from scorespec.errors import SpecError
from scorespec.plan.compile import compile_suite
from scorespec.plan.plan import Plan
from scorespec.plan.request import Request
from scorespec.run.session import Session

SUITE = suite_of("wer")
NAMES = CATALOG.of_suite(SUITE)


def plan_of(**params: object) -> Plan:
    return compile_suite(NAMES, SUITE, Request(params, given=frozenset(inputs_of("wer"))))


def alone(plan: Plan, inputs: dict[str, pa.Table]) -> pa.Table:
    with CaseRuns(TRIAL) as runs:
        return runs.scores(plan, inputs, NAMES)


def test_plans_over_equal_inputs_share_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = inputs_of("wer")
    fewer = {**inputs, "hypothesis": inputs["hypothesis"].slice(1)}
    usual, kept = plan_of(), plan_of(case="keep")
    asked = [(usual, inputs), (kept, inputs), (usual, fewer), (usual, inputs)]
    expected = [alone(*each) for each in asked]
    assert expected[0] != expected[2]
    opened, reopen = [], Session._open
    monkeypatch.setattr(Session, "_open", lambda self, threads: (opened.append(self), reopen(self, threads))[1])
    with CaseRuns(TRIAL) as runs:
        assert [runs.scores(*each, NAMES) for each in asked] == expected
    assert len(opened) == 2


def test_a_plan_at_fault_leaves_nothing_behind() -> None:
    plan, inputs = plan_of(), inputs_of("wer")
    with CaseRuns(TRIAL) as runs:
        scores = runs.scores(plan, inputs, NAMES)
        with pytest.raises(SpecError, match="does not exist"):
            runs.scores(replace(plan, macros=()), inputs, NAMES)
        assert runs.scores(plan, inputs, NAMES) == scores
