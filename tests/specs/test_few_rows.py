"""Small runs, in which DuckDB uses only some of its optimizers, have the scores that they have with all of them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import scorespec
from dividing.proof import loaded
from examples import inputs_of
from scorespec.plan.plan import Plan
from scorespec.run.inputs.sources import FEW_BYTES
from scorespec.run.limits import Limits
from scorespec.run.runner import Runner
from scorespec.run.session import NEEDED_BY_FEW_ROWS, open_session
from scorespec.run.streams import run_step
from specs.test_divided_suites import TASKS

SETTINGS = "SELECT current_setting('threads'), current_setting('disabled_optimizers')"


@pytest.mark.parametrize("name", TASKS)
def test_the_scores_are_those_of_many_rows(name: str) -> None:
    plan, inputs = TASKS[name].plan(), TASKS[name].inputs
    assert scores(plan, inputs, few_rows=True) == scores(plan, inputs, few_rows=False)


def scores(plan: Plan, inputs: dict[str, pa.Table], few_rows: bool) -> list[dict[str, Any]]:
    with open_session(Limits("1GB"), few_rows=few_rows) as session:
        runner = loaded(plan, inputs, session)
        for step in plan.steps:
            run_step(session, step)
        return runner.scores().to_pylist()


@pytest.mark.parametrize(("limits", "threads"), [(Limits(), 1), (Limits(threads=2), 2)])
def test_few_rows_have_one_thread_unless_more_are_asked_for(limits: Limits, threads: int) -> None:
    with open_session(limits, few_rows=True) as session:
        found, left_out = session.row(SETTINGS)
        known = {name for (name,) in session.rows("SELECT name FROM duckdb_optimizers()")}
    assert found == threads
    assert {*left_out.split(",")} == known - {*NEEDED_BY_FEW_ROWS}
    assert {*NEEDED_BY_FEW_ROWS} < known


@pytest.mark.parametrize("few_rows", [True, False])
def test_the_size_of_the_inputs_decides(monkeypatch: pytest.MonkeyPatch, few_rows: bool) -> None:
    inputs, seen = inputs_of("wer"), []
    size = sum(table.nbytes for table in inputs.values())
    assert size < FEW_BYTES
    monkeypatch.setattr("scorespec.run.inputs.sources.FEW_BYTES", size if few_rows else size - 1)
    done = Runner.run_steps

    def run_steps(runner: Runner) -> None:
        seen.append(runner.session.row(SETTINGS)[1] != "")
        done(runner)

    monkeypatch.setattr(Runner, "run_steps", run_steps)
    scorespec.score("wer", **inputs)
    assert seen == [few_rows]
