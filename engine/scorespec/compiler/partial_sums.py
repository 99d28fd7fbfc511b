"""Divides steps that make sums: each part makes sums of its own rows, and a further step adds up those of all parts.

So a step that cannot be divided, such as one that sorts all scores, reads one row for each distinct score.
"""

from __future__ import annotations

from dataclasses import replace


from scorespec.compiler.plan import Plan, Step
from scorespec.compiler.splits import ROWS, Split
from scorespec.compiler.templates import quoted


def with_partial_sums(plan: Plan) -> Plan:
    """The plan of a run in parts: a step with ``sums`` is two steps, the sums of each part and their totals.

    A step that reads a table which one worker makes as a whole stays one step, in the same worker.
    """
    in_parts = {table.name for table in plan.tables} | {step.physical for step in plan.steps if step.splits}
    steps: list[Step] = []
    for step in plan.steps:
        if not step.sums:
            steps.append(step)
        elif in_parts & {table for way in step.splits for table, column in way.reads.items() if column}:
            steps += _in_two(step)
        else:
            steps.append(_as_one(step))
    return replace(plan, steps=tuple(steps))


def totals(step: Step, rows: str) -> str:
    """The rows of a step with ``sums`` from the ``rows`` of all parts, as SQL."""
    sums = ", ".join(f"sum({quoted(name)}) AS {quoted(name)}" for name in step.sums)
    return f"SELECT * REPLACE ({sums})\nFROM {rows}\nGROUP BY ALL"


def _as_one(step: Step) -> Step:
    """A step without the ways to divide it in which several parts have rows that must be added up."""
    splits = tuple(way for way in step.splits if way.result and ROWS not in way.reads.values())
    return replace(step, splits=splits, sums=())


def _in_two(step: Step) -> tuple[Step, Step]:
    label, about = f"{step.label}, in each part", "The rows of each part, whose sums are then added up."
    partial = replace(
        step, physical=f"{step.physical}_in_parts", label=label, about=about, view=False, sums=(), columns=()
    )
    reads = frozenset((partial.physical,))
    splits = tuple(Split({partial.physical: key}, frozenset((key,))) for key in step.keys)
    sql = totals(step, quoted(partial.physical))
    return partial, replace(step, sql=sql, reads=reads, splits=splits, view=False, function_rows=None, sums=())
