"""The longest chain of common runs of two sequences: what surely belongs together, found before all else."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from scorespec.arrays import Ints, arrow_ints, numpy_ints
from scorespec.functions.columns import WHOLE, Column
from scorespec.functions.groups import whole_groups

HELD = 20  # bytes for each byte of a row: what is found are tuples
_PLACES = ("left_place", "right_place")
COLUMNS = tuple(Column(name, (WHOLE,)) for name in _PLACES)


def chain_schema(input_schema: pa.Schema) -> pa.Schema:
    """The group's columns as they are, then left_place and right_place (int64 each)."""
    return pa.schema(
        [
            *(input_schema.field(name) for name in input_schema.names if name not in _PLACES),
            *((name, pa.int64()) for name in _PLACES),
        ]
    )


def longest_chain(
    batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, anchor_words: int, room: int
) -> Iterator[pa.RecordBatch]:
    """Of the common runs of ``anchor_words`` symbols, the most that follow each other on both sides.

    The input has a row per common run: where it begins (left_place, right_place) and the columns of the group, whose
    rows stand together, in ascending order of left_place and, for each, descending order of right_place. Yields the
    pairs of symbols of the chosen runs, a symbol once: runs may overlap.
    """
    schema = chain_schema(input_schema)
    for table, starts in whole_groups(batches, input_schema, schema.names[:-2], room, HELD):
        lefts, rights = (numpy_ints(table[name]) for name in _PLACES)
        found: list[tuple[int, int, int]] = []
        for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            chosen = _increasing(rights[start:end])
            last_left = last_right = -1
            for left, right in zip(lefts[start:end][chosen].tolist(), rights[start:end][chosen].tolist(), strict=True):
                for further in range(anchor_words):
                    if left + further > last_left and right + further > last_right:
                        last_left, last_right = left + further, right + further
                        found.append((start, last_left, last_right))
        row, left_place, right_place = np.array(found, np.int64).reshape(-1, 3).T
        group = table.select(schema.names[:-2]).take(arrow_ints(row))
        columns = [column.combine_chunks() for column in group.columns]
        yield pa.RecordBatch.from_arrays([*columns, arrow_ints(left_place), arrow_ints(right_place)], schema=schema)


def _increasing(values: Ints) -> Ints:
    """The indices of a longest strictly increasing subsequence (patience sorting)."""
    tops: list[int] = []  # the smallest end of a subsequence of each length, and where it is
    places: list[int] = []
    before = np.full(len(values), -1)
    for at, value in enumerate(values.tolist()):
        length = bisect_left(tops, value)
        if length:
            before[at] = places[length - 1]
        tops[length : length + 1], places[length : length + 1] = [value], [at]
    found = []
    at = places[-1] if places else -1
    while at >= 0:
        found.append(at)
        at = int(before[at])
    return np.array(found[::-1], np.int64)
