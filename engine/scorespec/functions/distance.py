"""Edit distances between the texts of a group; each character of a text is a symbol."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Ints, arrow_ints, numpy_ints
from scorespec.functions.function import (
    TEXT,
    WHOLE,
    FunctionExample,
    InputColumn,
    RelationFunction,
    in_large_batches,
    result_batch,
    result_schema,
    whole_groups,
)

Compared = tuple[Ints, Ints, Any]
"""The indices a < b of pairs of texts, and the distance of each pair."""

ROW_FACTOR = 6  # bytes of memory for each byte of a row
PAIRS_AT_ONCE = 500_000  # pairs compared in one call; bounds the memory
CACHED_SIZES = 128  # the pairs of groups up to this size are cached: 6 MB
SMALL_GROUP = 16  # up to this size, the pairs of many groups are compared in one call; a larger group is a matrix
_above_diagonal = lru_cache(CACHED_SIZES)(np.triu_indices)


COLUMNS = (
    InputColumn("text", (TEXT,)),
    InputColumn("weight", (WHOLE,), least=-(2**31), most=2**31),
)  # so that products fit


distance_schema = partial(
    result_schema, columns=("text", "weight"), added=[(name, pa.int64()) for name in ("weight", "distance", "length")]
)


def pairwise_edit_distance(
    batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int
) -> Iterator[pa.RecordBatch]:
    """Levenshtein distance (unit costs, over code points) of every two texts of a group.

    The input has the columns text (string), weight (integer) and those of the group, whose rows are adjacent. Yields a
    row for each unordered pair: the columns of the group, the product of the weights, the distance, and the length of
    the longer text.
    """
    schema = distance_schema(input_schema)
    for table, starts in whole_groups(batches, input_schema, schema.names[:-3], room, ROW_FACTOR):
        texts = np.array(table["text"].to_pylist(), object)
        lengths = numpy_ints(pc.utf8_length(table["text"]))
        weights = numpy_ints(table["weight"])
        for a, b, distance in in_large_batches(_compared(texts, starts)):
            longer = np.maximum(lengths[a], lengths[b])
            numbers = map(arrow_ints, (weights[a] * weights[b], distance, longer))
            yield result_batch(table, a, numbers, schema)


def _compared(texts: Any, starts: Ints) -> Iterator[Compared]:
    """The distances of every two texts of each group, some pairs at a time."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    sizes = np.diff(starts)
    small = sizes <= SMALL_GROUP
    for a, b in _pairs_of_small(starts[:-1][small], sizes[small]):
        yield a, b, cpdist(texts[a], texts[b], scorer=Levenshtein.distance, dtype=np.int32)
    for start, size in zip(starts[:-1][~small], sizes[~small], strict=True):
        yield from _matrix(texts, int(start), int(size))


def _pairs_of_small(starts: Ints, sizes: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Indices of the pairs of many small groups; groups of one size are handled together."""
    for size in np.unique(sizes[sizes > 1]):
        first, second = _above_diagonal(int(size), 1)
        at_once = max(PAIRS_AT_ONCE // len(first), 1)
        of_size = starts[sizes == size]
        for at in range(0, len(of_size), at_once):
            some = of_size[at : at + at_once, None]
            yield (some + first).ravel(), (some + second).ravel()


def _matrix(texts: Any, start: int, size: int) -> Iterator[Compared]:
    """The distances of the pairs of one group, some rows of its matrix at a time."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    group = texts[start : start + size]
    band = max(PAIRS_AT_ONCE // size, 1)
    for top in range(0, size - 1, band):
        rows = group[top : top + band]
        distances = cdist(rows, group[top:], scorer=Levenshtein.distance, dtype=np.int32)
        a, b = (_above_diagonal if size < CACHED_SIZES else np.triu_indices)(len(rows), 1, size - top)
        yield start + top + a, start + top + b, distances[a, b]


FUNCTIONS = (
    RelationFunction(
        "Edit distance of every two texts of a group. One row per pair: the product of the two weights, the "
        "distance, and the length of the longer text.",
        pairwise_edit_distance,
        distance_schema,
        COLUMNS,
        promised=True,
        example=FunctionExample({"cluster": [1, 1, 1], "text": ["abc", "abd", "b"], "weight": [1, 2, 1]}),
    ),
)
