"""The longest chain of common runs of two sequences: the anchors of an alignment."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Ints, arrow_ints, numpy_ints
from scorespec.functions.function import (
    WHOLE,
    FunctionExample,
    FunctionSetting,
    InputColumn,
    RelationFunction,
    result_batch,
    result_schema,
    whole_groups,
)

ROW_FACTOR = 20  # bytes of memory for each byte of a row: pairs are tuples
_PLACES = ("left_place", "right_place")
COLUMNS = tuple(InputColumn(name, (WHOLE,)) for name in _PLACES)
chain_schema = partial(result_schema, columns=_PLACES, added=[(name, pa.int64()) for name in _PLACES])


def longest_chain(
    batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, anchor_words: int, room: int
) -> Iterator[pa.RecordBatch]:
    """The longest chain of common runs of ``anchor_words`` symbols: the largest set with one order on both sides.

    The input has a row for each common run: its first symbol on each side (left_place, right_place) and the columns of
    the group. The rows of a group are adjacent, in ascending order of left_place, then in descending order of
    right_place. Yields the pairs of symbols of the runs in the chain; runs may overlap, each symbol occurs once.
    """
    schema = chain_schema(input_schema)
    for table, starts in whole_groups(batches, input_schema, schema.names[:-2], room, ROW_FACTOR):
        lefts, rights = (numpy_ints(table[name]) for name in _PLACES)
        found: list[tuple[int, int, int]] = []
        for start, end in pairwise(starts.tolist()):
            chosen = _increasing(rights[start:end])
            last_left = last_right = -1
            for left, right in zip(lefts[start:end][chosen].tolist(), rights[start:end][chosen].tolist(), strict=True):
                for further in range(anchor_words):
                    if left + further > last_left and right + further > last_right:
                        last_left, last_right = left + further, right + further
                        found.append((start, last_left, last_right))
        row, *places = np.array(found, np.int64).reshape(-1, 3).T
        yield result_batch(table, row, map(arrow_ints, places), schema)


def _increasing(values: Ints) -> Ints:
    """The indices of the longest strictly increasing subsequence, by patience sorting."""
    tops: list[int] = []  # the smallest last value of a subsequence of each length
    places: list[int] = []  # the index of that value
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


FUNCTIONS = (
    RelationFunction(
        "Longest chain of common runs of two sequences that have the same order on both sides. The input has one row "
        "per pair of places where a common run begins; the result has one row per pair of symbols in the chain.",
        longest_chain,
        chain_schema,
        COLUMNS,
        {"anchor_words": FunctionSetting(WHOLE, 0, 1e6)},
        promised=True,
        example=FunctionExample(
            {"text": [1, 1, 1], "left_place": [0, 2, 5], "right_place": [7, 1, 3]}, {"anchor_words": 2}
        ),
    ),
)
