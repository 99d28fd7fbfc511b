"""Pairs of substrings of two texts that lie on a cheapest edit path from the one text to the other.

The costs are those of the Levenshtein distance: a match costs 0; a substitution, an insertion and a deletion cost 1. In
the edit graph of the texts x (m symbols) and y (n symbols), the node (i, k) is before symbol i of x and symbol k of y.
By definition, the substrings x[i:j] and y[k:l] are a pair if some cheapest path from (0, 0) to (m, n) passes (i, k) and
then (j, l). Paths are not listed, because their number grows exponentially. Such a path exists if and only if

    D((0, 0), (i, k)) + D((i, k), (j, l)) + D((j, l), (m, n)) = D((0, 0), (m, n)).

For example, the cheapest path from abcd to bcde deletes a, matches bcd and inserts e. It passes (1, 0) and (4, 3), so
bcd and bcd are a pair. tests/conformance/test_minimal_paths.py compares the pairs with those of all listed paths.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Ints, Mask, arrow_ints, arrow_mask, numpy_ints
from scorespec.errors import RunError
from scorespec.functions.function import (
    TEXT,
    WHOLE,
    FunctionSetting,
    InputColumn,
    RelationFunction,
    in_large_batches,
    result_batch,
    result_schema,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    Cells = npt.NDArray[np.uint8 | np.uint16 | np.uint32]
    """A number for each node and pair of texts: nodes of the first text, nodes of the second text, pairs."""

TEXTS = ("text_a", "text_b")
COLUMNS = tuple(InputColumn(name, (TEXT,)) for name in TEXTS)
PAIRS_AT_ONCE = 200_000  # pairs of texts that are ordered by their lengths together
NODES_AT_ONCE = 300_000  # nodes of edit graphs for which distances are computed together
MOST_NODES = 1_000_000  # of one edit graph; max_size of 20 takes about 100 bytes for each

Substrings = tuple[Ints, Ints, Ints, Ints, Ints, Mask]
"""The row of the pair of texts; begin and size of the substring in each text; whether the two substrings are equal."""


paths_schema = partial(
    result_schema,
    columns=TEXTS,
    added=[*((name, pa.int64()) for name in ("begin_a", "size_a", "begin_b", "size_b")), ("equal", pa.bool_())],
)


def minimal_path_pairs(
    batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, min_size: int | None, least_size: int, max_size: int
) -> Iterator[pa.RecordBatch]:
    """Pairs of substrings of ``min_size`` to ``max_size`` symbols that lie on a cheapest edit path.

    Without ``min_size``, they have ``least_size`` symbols or more.

    The input has two texts in each row. Yields a row for each pair of substrings: the other columns of the input, where
    each substring begins in its text (from 0), its size, and whether the two substrings are equal. Raises RunError for
    texts that are too long.
    """
    schema = paths_schema(input_schema)
    for table in _tables(batches, input_schema):
        for rows, *numbers, equal in in_large_batches(_substrings(table, min_size or least_size, max_size)):
            yield result_batch(table, rows, [*map(arrow_ints, numbers), arrow_mask(equal)], schema)


def _tables(batches: Iterator[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.Table]:
    """The rows, many at a time."""
    held: list[pa.RecordBatch] = []
    for batch in batches:
        held.append(batch)
        if sum(each.num_rows for each in held) >= PAIRS_AT_ONCE:
            yield pa.Table.from_batches(held, schema).combine_chunks()
            held = []
    yield pa.Table.from_batches(held, schema).combine_chunks()


def _substrings(table: pa.Table, least: int, most: int) -> Iterator[Substrings]:
    """The pairs of substrings of some pairs of texts. Pairs of texts of equal lengths are handled together."""
    lengths = np.array([numpy_ints(pc.utf8_length(table[name])) for name in TEXTS])
    texts = [np.array(table[name].to_pylist(), object) for name in TEXTS]
    long_enough = lengths.min(axis=0) >= least
    for m, n in np.unique(lengths[:, long_enough], axis=1).T.tolist():
        if (nodes := (m + 1) * (n + 1)) > MOST_NODES:
            raise RunError(
                f"two texts of {m:,} and {n:,} symbols have an edit graph of {nodes:,} nodes; "
                f"at most {MOST_NODES:,} are possible"
            )
        rows = np.flatnonzero((lengths[0] == m) & (lengths[1] == n))
        at_once = max(NODES_AT_ONCE // nodes, 1)
        for at in range(0, len(rows), at_once):
            some = rows[at : at + at_once]
            x, y = (_symbols(each[some], size) for each, size in zip(texts, (m, n), strict=True))
            for pair, begin_a, size_a, begin_b, size_b, equal in _on_paths(x, y, least, most):
                yield some[pair], begin_a, size_a, begin_b, size_b, equal


def _symbols(texts: Any, size: int) -> Any:
    """The code points of texts of one size: symbols, texts."""
    return np.array(texts, f"<U{size}").view(np.uint32).reshape(len(texts), size).T


def _on_paths(x: Any, y: Any, least: int, most: int) -> Iterator[Substrings]:
    """The pairs of substrings of each two sizes p and q that lie on a cheapest path; the row is the place of the pair.

    ``between[q]`` has the distances of all nodes (i, k) and (i + p, k + q), for one p at a time.
    """
    (m, pairs), n = x.shape, len(y)
    dtype = next(each for each in (np.uint8, np.uint16, np.uint32) if 3 * (m + n) <= np.iinfo(each).max)
    differ = (x[:, None] != y[None]).astype(dtype)
    before = _distances(differ)
    after = _distances(differ[::-1, ::-1])[::-1, ::-1]
    between = [np.full((m + 1, n - q + 1, pairs), q, dtype) for q in range(min(n, most) + 1)]
    for p in range(1, min(m, most) + 1):
        shorter, between = between, [np.full((m - p + 1, n + 1, pairs), p, dtype)]
        for q in range(1, len(shorter)):
            between.append(_cheapest(shorter, between, differ[p - 1 :, q - 1 :]))
            if p >= least and q >= least:
                through = before[: m - p + 1, : n - q + 1] + between[q] + after[p:, q:]
                begin_a, begin_b, pair = found = np.nonzero(through == before[-1, -1])
                size_a, size_b = np.full(len(pair), p), np.full(len(pair), q)
                yield pair, begin_a, size_a, begin_b, size_b, between[q][found] == 0


def _cheapest(shorter: list[Any], between: list[Any], differ: Any) -> Any:
    """The distances for one more symbol of the second text: the last step is an insertion, a deletion or a pair."""
    q = len(between)
    rows, columns, _ = differ.shape
    gap = np.minimum(shorter[q][:rows], between[-1][:, :columns]) + 1
    return np.minimum(gap, shorter[q - 1][:rows, :columns] + differ)


def _distances(differ: Any) -> Any:
    """The distance of each node from the first."""
    m, n, pairs = differ.shape
    made = np.empty((m + 1, n + 1, pairs), differ.dtype)
    made[:, 0], made[0] = np.arange(m + 1)[:, None], np.arange(n + 1)[:, None]
    for i in range(m):
        for k in range(n):
            gap = np.minimum(made[i, k + 1], made[i + 1, k]) + 1
            made[i + 1, k + 1] = np.minimum(gap, made[i, k] + differ[i, k])
    return made


FUNCTIONS = (
    RelationFunction(
        "Pairs of substrings of text_a and text_b that lie on an edit path of least cost. One row per pair: where each "
        "substring begins, its size, and whether the two are equal.",
        minimal_path_pairs,
        paths_schema,
        COLUMNS,
        {
            "min_size": FunctionSetting(WHOLE, 1, 2**31, nullable=True),
            "least_size": FunctionSetting(WHOLE, 1, 2**31),
            "max_size": FunctionSetting(WHOLE, 0, 2**31),
        },
        grouped=False,
    ),
)
