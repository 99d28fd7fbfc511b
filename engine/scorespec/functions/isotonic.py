"""Pool adjacent violators: the isotonic fit to trials of two classes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Floats, Ints, arrow_floats, arrow_ints, numpy_floats, numpy_ints
from scorespec.functions.function import (
    NUMBER,
    SUMMED,
    WHOLE,
    FunctionExample,
    InputColumn,
    RelationFunction,
    check_room,
    group_starts,
    result_schema,
)

BLOCK = 300  # bytes of memory for each block
_COUNTS = ("positives", "negatives")
COLUMNS = (InputColumn("score", (NUMBER,)), *(InputColumn(name, (WHOLE,), least=0, most=SUMMED) for name in _COUNTS))
_Block = tuple[int, int, float, float]  # positives, negatives, first and last score


blocks_schema = partial(
    result_schema,
    columns=("score", *_COUNTS),
    added=[*((name, pa.float64()) for name in ("low", "high")), *((name, pa.int64()) for name in _COUNTS)],
)


def pool_adjacent_violators(
    batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int
) -> Iterator[pa.RecordBatch]:
    """The isotonic least squares fit of the share of positives along the rows of a group: the share never falls.

    The input has the columns score (double), positives and negatives (whole numbers), and those of the group. The rows
    of a group are adjacent and in order; rows of equal scores are not pooled for that reason. Yields a row for each
    block of one share, in order: the columns of the group, the first and last score of the block, its positives and
    negatives. Shares are compared as whole numbers, so the fit is exact.
    """
    schema = blocks_schema(input_schema)
    group_names = schema.names[:-4]
    held: list[_Block] = []
    last: pa.RecordBatch | None = None
    for batch in batches:
        check_room(BLOCK * len(held), room, f"a fit of {len(held):,} blocks")
        group = batch.select(group_names)
        score = numpy_floats(batch["score"])
        weights = numpy_ints(batch["positives"]), numpy_ints(batch["negatives"])
        for start, end in pairwise(group_starts(group, group_names).tolist()):
            this = group.slice(start, 1)
            if last is not None and not this.equals(last):
                yield _blocks_batch(held, last, schema)
                held = []
            last = this
            _pool(held, score[start:end], weights[0][start:end], weights[1][start:end])
    if last is not None:
        yield _blocks_batch(held, last, schema)


def _pool(held: list[_Block], score: Floats, positives: Ints, negatives: Ints) -> None:
    """Add rows to the blocks so far. Each block has a larger share of positives than the block before."""
    # Adjacent rows of one class only have the same share, so they are pooled first.
    alone = (np.minimum(positives, negatives) == 0) & (positives + negatives > 0)
    kind = np.where(alone, (positives > 0).astype(np.int64), np.arange(2, len(score) + 2))
    firsts = np.flatnonzero(np.concatenate(([True], kind[1:] != kind[:-1])))
    lasts = np.append(firsts[1:], len(score)) - 1
    sums = (np.add.reduceat(each, firsts) for each in (positives, negatives))
    for more, less, low, high in zip(*(each.tolist() for each in (*sums, score[firsts], score[lasts])), strict=True):
        if more + less == 0:
            continue
        while held and held[-1][0] * (more + less) >= more * (held[-1][0] + held[-1][1]):
            before = held.pop()
            more, less, low = more + before[0], less + before[1], before[2]
        held.append((more, less, low, high))


def _blocks_batch(blocks: list[_Block], group: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    columns = list(zip(*blocks, strict=True)) or [(), (), (), ()]
    positives, negatives = (arrow_ints(np.array(each, np.int64)) for each in columns[:2])
    low, high = (arrow_floats(np.array(each, np.float64)) for each in columns[2:])
    group_columns = [column.take(arrow_ints(np.zeros(len(blocks), np.int64))) for column in group.columns]
    return pa.RecordBatch.from_arrays([*group_columns, low, high, positives, negatives], schema=schema)


FUNCTIONS = (
    RelationFunction(
        "Isotonic fit of the share of positives along the rows, by pool adjacent violators (PAV). One row per block: "
        "its first and last score (low and high), and its numbers of positives and negatives.",
        pool_adjacent_violators,
        blocks_schema,
        COLUMNS,
        promised=True,
        example=FunctionExample(
            {"query": ["q"] * 4, "score": [0.1, 0.4, 0.6, 0.9], "positives": [0, 1, 0, 1], "negatives": [1, 0, 1, 0]}
        ),
    ),
)
