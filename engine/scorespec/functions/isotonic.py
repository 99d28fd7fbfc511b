"""Pool adjacent violators: the blocks of an isotonic fit to trials of two classes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from scorespec.arrays import Floats, Ints, arrow_floats, arrow_ints, numpy_floats, numpy_ints
from scorespec.functions.columns import NUMBER, SUMMED, WHOLE, Column
from scorespec.functions.groups import check_room, group_starts

BLOCK = 300  # bytes for each block
_COUNTS = ("positives", "negatives")
COLUMNS = (Column("score", (NUMBER,)), *(Column(name, (WHOLE,), least=0, most=SUMMED) for name in _COUNTS))
_FED = ("score", *_COUNTS)
_Block = tuple[int, int, float, float]  # positives, negatives, first and last score


def blocks_schema(input_schema: pa.Schema) -> pa.Schema:
    """The group's columns as they are, then low and high (float64), positives and negatives (int64)."""
    group = [input_schema.field(name) for name in input_schema.names if name not in _FED]
    scores = [(name, pa.float64()) for name in ("low", "high")]
    return pa.schema([*group, *scores, *((name, pa.int64()) for name in ("positives", "negatives"))])


def pool_adjacent_violators(
    batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int
) -> Iterator[pa.RecordBatch]:
    """The least squares fit of a share of positives that does not fall along the rows of a group.

    The input has the columns score (double), positives and negatives (whole numbers), and those of the group,
    whose rows stand together; the rows of a group are in order, and equal scores are not pooled for being
    equal. Yields a row per block of equal shares, in order: the group, its first and last score, its positives
    and negatives. Blocks are compared as whole numbers, so that the fit is exact.
    """
    schema = blocks_schema(input_schema)
    group_names = schema.names[:-4]
    held: list[_Block] = []
    last: pa.RecordBatch | None = None
    for batch in batches:
        check_room(BLOCK * len(held), room, f"a fit of {len(held):,} blocks")
        if not batch.num_rows:
            continue
        group = batch.select(group_names)
        starts = group_starts(group, group_names)
        if last is not None and not group.slice(0, 1).equals(last):
            yield _made(held, last, schema)
            held = []
        score = numpy_floats(batch["score"])
        weights = numpy_ints(batch["positives"]), numpy_ints(batch["negatives"])
        for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            if start:
                yield _made(held, last, schema)
                held = []
            last = group.slice(start, 1)
            _pool(held, score[start:end], weights[0][start:end], weights[1][start:end])
    if last is not None:
        yield _made(held, last, schema)


def _pool(held: list[_Block], score: Floats, positives: Ints, negatives: Ints) -> None:
    """Add rows to the blocks so far, each of which has a larger share of positives than the one before."""
    # Neighbours that are all of one class have equal shares: they are pooled at once.
    alone = (np.minimum(positives, negatives) == 0) & (positives + negatives > 0)
    kind = np.where(alone, (positives > 0).astype(np.int64), np.arange(2, len(score) + 2))
    firsts = np.flatnonzero(np.concatenate(([True], kind[1:] != kind[:-1])))
    lasts = np.append(firsts[1:], len(score)) - 1
    runs = zip(
        np.add.reduceat(positives, firsts).tolist(),
        np.add.reduceat(negatives, firsts).tolist(),
        score[firsts].tolist(),
        score[lasts].tolist(),
        strict=True,
    )
    for more, less, low, high in runs:
        if more + less == 0:
            continue
        while held and held[-1][0] * (more + less) >= more * (held[-1][0] + held[-1][1]):
            before = held.pop()
            more, less, low = more + before[0], less + before[1], before[2]
        held.append((more, less, low, high))


def _made(blocks: list[_Block], group: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    columns = list(zip(*blocks, strict=True)) or [(), (), (), ()]
    positives, negatives = (arrow_ints(np.array(each, np.int64)) for each in columns[:2])
    low, high = (arrow_floats(np.array(each, np.float64)) for each in columns[2:])
    own = [column.take(arrow_ints(np.zeros(len(blocks), np.int64))) for column in group.columns]
    return pa.RecordBatch.from_arrays([*own, low, high, positives, negatives], schema=schema)
