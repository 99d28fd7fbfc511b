"""Prints a plan as one SQL script that explains itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from scorespec.catalog.model import Value
from scorespec.compiler.parameters import show_value
from scorespec.compiler.plan import Plan, Step
from scorespec.compiler.templates import quoted

WIDTH = 110


def script_of(plan: Plan) -> str:
    """The plan as SQL: what is computed, the macros that are used, the inputs, each step with what it is and why."""
    parts = [*_top(plan), ""]
    if plan.macros:
        parts += ["-- SQL macros that the steps use", plan.macros, ""]
    for table in plan.tables:
        parts += _comment(f"input {table.name} ({table.origin.place()}): {table.about}")
        columns = ", ".join(f"{quoted(c.name)} {c.type}" for c in table.columns)
        parts += [f"CREATE TABLE IF NOT EXISTS {quoted(table.name)} (line BIGINT, {columns});", ""]
    settings = distinguishing(plan.steps)
    for step in plan.steps:
        parts += [*_step(step, settings[step.physical]), ""]
    for curve in plan.curves:
        parts += [*_comment(f"metric {curve.metric}, points of its curve ({curve.place})"), f"{curve.sql};", ""]
    parts += ["-- the scores", f"{plan.scores};"]
    return "\n".join(parts)


def _top(plan: Plan) -> Iterator[str]:
    names = list(dict.fromkeys(step.name for step in plan.steps if step.label.startswith("relation ")))
    yield from _comment(f"Suite {plan.suite}: {plan.about}")
    yield from _comment(f"Scores: {', '.join(plan.metrics)}")
    yield from _comment(f"Inputs: {', '.join(table.name for table in plan.tables)}")
    yield from _comment(f"Relations, in the order in which they are made: {', '.join(names)}")
    yield "-- Then, for each metric: its statistics per unit, their sums, and the components over the sums."
    yield from _comment(f"Signature: {plan.signature}")


def _step(step: Step, setting: str) -> Iterator[str]:
    yield from _comment(f"{step.label}{f', {setting}' if setting else ''} ({step.place})")
    of_metric = step.label.startswith("metric ")
    for said in dict.fromkeys((step.about, step.explained) if of_metric else (step.explained or step.about,)):
        yield from _comment(said) if said else ()
    if step.fed:
        yield from _comment(f"{quoted(step.fed.name)} is what {step.fed.shown} makes of the rows of")
        yield from (f"--   {line}".rstrip() for line in step.fed.sql.splitlines())
    yield f"{step.statement};"


def distinguishing(steps: Iterable[Step]) -> dict[str, str]:
    """For each step, the parameters and the breakdown in which it differs from its siblings: those of one label."""
    siblings: dict[str, list[Step]] = defaultdict(list)
    for step in steps:
        siblings[step.label].append(step)
    return {each.physical: _difference(each, alike) for alike in siblings.values() for each in alike}


def _difference(step: Step, alike: list[Step]) -> str:
    names = sorted({name for other in alike for name in other.values})
    told = [f"{name} = {_shown(step.values, name)}" for name in names if len({_key(o.values, name) for o in alike}) > 1]
    if len({other.scope for other in alike}) > 1:
        told.append(f"by {', '.join(step.scope)}" if step.scope else "over all rows")
    return ", ".join(told)


def _key(values: Mapping[str, Value], name: str) -> str:
    return _shown(values, name)


def _shown(values: Mapping[str, Value], name: str) -> str:
    return show_value(values[name]) if name in values else "unset"


def _comment(text: str) -> list[str]:
    lines, line = [], "--"
    for word in text.split():
        if len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = "--  "
        line += f" {word}"
    return [*lines, line]
