"""Runs of a plan that end without scores: checks alone, the rows of relations, the plans that DuckDB makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scorespec.app.record import input_records
from scorespec.errors import InputError
from scorespec.plan.plan import Plan, Step
from scorespec.results.schema import InputRecord
from scorespec.run.inputs.sources import Source
from scorespec.run.limits import Limits
from scorespec.run.progress import Listener
from scorespec.run.runner import InProcess, Runner
from scorespec.run.session import Session, open_session
from scorespec.run.streams import explain_step, run_step


@dataclass(frozen=True)
class Checked:
    """What the checks of a plan found. The checks of relations are only made if all inputs are ``loaded``."""

    inputs: list[InputRecord]
    warnings: list[str]
    error: InputError | None
    loaded: bool


def run_checks(plan: Plan, sources: Sequence[Source], limits: Limits, tell: Listener) -> Checked:
    """Load the inputs and run the steps of a plan, and return the problems that :func:`.score` would raise."""
    loaded, error = False, None
    with open_session(limits) as session:
        runner = Runner(plan, session, tell)
        try:
            runner.load(sources, hashed=False)
            loaded = True
            runner.run_steps()
            runner.check_unchanged()
        except InputError as found:
            error = found
    return Checked(input_records(runner.loaded), runner.warnings, error, loaded)


def write_evidence(
    plan: Plan, sources: Sequence[Source], limits: Limits, tell: Listener, folder: Path
) -> dict[str, Path]:
    """Run the steps of a plan, and write the rows of each kept relation to a Parquet file in a folder, by its name.

    Raises the errors of :func:`.score`.
    """
    from pyarrow.parquet import ParquetWriter  # slow to load

    paths = {kept.name: folder / f"{kept.name}.parquet" for kept in plan.evidence}
    with open_session(limits) as session:
        runner = Runner(plan, session, tell)
        runner.load(sources, hashed=False)
        runner.run_steps()
        for kept in plan.evidence:
            rows = session.batches(kept.sql, lists=True)
            with rows as reader, ParquetWriter(paths[kept.name], reader.schema) as writer:
                for batch in reader:
                    writer.write_batch(batch)
        runner.check_unchanged()
    return paths


def explain_steps(plan: Plan, sources: Sequence[Source], limits: Limits, tell: Listener, name: str) -> dict[str, str]:
    """DuckDB's plan of each step of a relation or metric, with the rows and seconds of each operator, by label.

    Raises the errors of :func:`.score`.
    """
    wanted = [step for step in plan.steps if step.name == name and not step.view]
    with open_session(limits) as session:
        explained: dict[str, str] = {}

        def explain(session: Session, step: Step) -> int:
            if step in wanted:
                explained[step.label] = explain_step(session, step)
            return run_step(session, step)

        runner = Runner(plan, session, tell, executor=InProcess(session, make_step=explain))
        runner.load(sources, hashed=False)
        runner.run_steps(replace(runner.todo, steps=plan.steps[: plan.steps.index(wanted[-1])]))
        explained[wanted[-1].label] = explain_step(session, wanted[-1])
        return explained
