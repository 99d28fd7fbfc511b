"""Divides steps that make sums: each part makes sums of its own rows, and a further step adds up those of all parts.

So a step that cannot be divided, such as one that sorts all scores, reads one row for each distinct score.
"""

from __future__ import annotations

from dataclasses import replace

from scorespec.plan.plan import Plan, Step
from scorespec.plan.rendering.templates import quoted
from scorespec.plan.splits import ROWS, Split


def with_partial_sums(plan: Plan) -> Plan:
    """The plan of a run in parts: a step with ``sums`` is two steps, the sums of each part and their totals.

    Sums of sums by the same column stay one step, which is divided like these. So do sums over a table that one worker
    makes as a whole.
    """
    in_parts, summed_by = {table.name for table in plan.tables}, dict[str, str]()
    steps: list[Step] = []
    for step in plan.steps:
        divided = [{table: column for table, column in way.reads.items() if column} for way in step.splits]
        same = [way for way, tables in zip(step.splits, divided, strict=True) if tables.items() <= summed_by.items()]
        if not step.sums:
            steps.append(step)
        elif same:
            steps.append(replace(step, splits=tuple(same), sums=()))
        elif any(in_parts & tables.keys() for tables in divided):
            steps += _in_two(step)
            if step.keys:
                summed_by[step.physical] = step.keys[0]
        else:
            whole = tuple(way for way in step.splits if way.result and ROWS not in way.reads.values())
            steps.append(replace(step, splits=whole, sums=()))
        if steps[-1].splits:
            in_parts.add(step.physical)
    return replace(plan, steps=tuple(steps))


def totals(step: Step, rows: str) -> str:
    """The rows of a step with ``sums`` from the ``rows`` of all parts, as SQL."""
    sums = ", ".join(f"sum({quoted(name)}) AS {quoted(name)}" for name in step.sums)
    return f"SELECT * REPLACE ({sums})\nFROM {rows}\nGROUP BY ALL"


def _in_two(step: Step) -> tuple[Step, Step]:
    detail, about = (
        ", ".join(filter(None, (step.detail, "in each part"))),
        "The rows of each part, whose sums are then added up.",
    )
    partial = replace(
        step, physical=f"{step.physical}_in_parts", detail=detail, about=about, view=False, sums=(), columns=()
    )
    reads = frozenset((partial.physical,))
    splits = tuple(Split({partial.physical: key}, frozenset((key,))) for key in step.keys)
    sql = totals(step, quoted(partial.physical))
    return partial, replace(step, sql=sql, reads=reads, splits=splits, view=False, function_rows=None, sums=())
