"""Records of steps that were run in parts, as one process would state them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from scorespec.errors import SHOWN_PROBLEMS
from scorespec.run.supply import Done


def merged(parts: Sequence[Done]) -> Done:
    """The record of a step from those of its parts."""
    spilled = [each.spilled for each in parts if each.spilled is not None]
    return Done(
        parts[0].step,
        sum(each.rows for each in parts),
        sum(each.seconds for each in parts),
        spilled=sum(spilled) if spilled else None,
        counted=tuple(map(merged_counts, zip(*(each.counted for each in parts), strict=True))),
        refused=tuple(map(merged_refused, zip(*(each.refused for each in parts), strict=True))),
    )


def merged_counts(parts: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    """What a warning counted in all parts: numbers add, and values are listed once, in order."""
    found, rows, *listed = zip(*parts, strict=True)
    values = (sorted({value for of_part in each for value in of_part or ()}) for each in listed)
    return (sum(found), sum(rows), *values)


def merged_refused(parts: Iterable[Sequence[tuple[Any, ...]]]) -> list[tuple[Any, ...]]:
    """The first rows at fault of each part of an input, of those that were found in all tasks.

    Each row has the part of the input, the line, values, and the number of rows at fault.
    """
    tasks = [[(key, [*rows]) for key, rows in groupby(each, key=itemgetter(0))] for each in parts]
    merged = []
    for key in sorted({key for task in tasks for key, _ in task}, key=_order):
        found = [rows for task in tasks for other, rows in task if other == key]
        total = sum(int(rows[0][-1]) for rows in found)
        first = sorted((row[:-1] for rows in found for row in rows), key=lambda row: [*map(_order, row)])
        merged += [(*row, total) for row in first[:SHOWN_PROBLEMS]]
    return merged


def _order(value: Any) -> tuple[bool, Any]:
    """A key that sorts as DuckDB: missing values are last."""
    return value is None, 0 if value is None else value
