"""Small runs have one thread, unless more are asked for."""

from __future__ import annotations

from typing import Any

import pytest

import scorespec
from examples import inputs_of
from scorespec.run.inputs.sources import FEW_BYTES
from scorespec.run.runner import Runner


@pytest.mark.parametrize(
    ("more", "asked", "threads"), [(0, {}, {1}), (0, {"threads": 2}, {2}), (1, {"threads": 3}, {3})]
)
def test_small_runs_have_one_thread(
    monkeypatch: pytest.MonkeyPatch, more: int, asked: dict[str, Any], threads: set[int]
) -> None:
    inputs, seen = inputs_of("wer"), set[int]()
    size = sum(table.nbytes for table in inputs.values())
    assert size < FEW_BYTES
    monkeypatch.setattr("scorespec.run.inputs.sources.FEW_BYTES", size - more)
    done = Runner.run_steps

    def run_steps(runner: Runner) -> None:
        seen.add(runner.session.row("SELECT current_setting('threads')")[0])
        done(runner)

    monkeypatch.setattr(Runner, "run_steps", run_steps)
    scorespec.score("wer", **inputs, **asked)
    assert seen == threads
