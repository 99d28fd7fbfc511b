"""The alignment of two texts of least cost, word by word, with the ties of sclite."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Ints, Mask, arrow_ints, arrow_mask, numpy_ints, numpy_mask
from scorespec.functions.cheapest_paths import (
    LEFT_OUT,
    NO_JOINS,
    OF_LEFT,
    OF_RIGHT,
    PAIRED,
    PUT_IN,
    Paths,
    SideSequences,
    Symbols,
    cheapest_paths,
    consumed,
)
from scorespec.functions.compounds import compounds
from scorespec.functions.function import (
    TEXT,
    TRUTH,
    WHOLE,
    FunctionExample,
    FunctionSetting,
    InputColumn,
    RelationFunction,
    result_batch,
    result_schema,
    whole_groups,
)

ROW_FACTOR = 6  # bytes of memory for each byte of a row
AT_ONCE = 200_000  # words of groups that are aligned side by side
SIDE = InputColumn("side", (WHOLE,), least=0, most=1)
COMPOUND = InputColumn("compound", (TEXT,), nullable=True, optional=True)
COLUMNS = (
    SIDE,
    InputColumn("text", (TEXT,)),
    InputColumn("optional", (TRUTH,)),
    InputColumn("fragment", (TRUTH,), optional=True),
    COMPOUND,
)
COST_SETTINGS = {
    f"{step}_cost": FunctionSetting(WHOLE, 0, 2**31) for step in ("substitution", "deletion", "insertion", "optional")
}
BLOCKS = (
    *((name, pa.int64()) for name in ("block", "left", "right", "left_end", "right_end")),
    ("correct", pa.bool_()),
    ("correct_before", pa.int64()),
)
ABOUT_BLOCKS = (
    "One row per block: its number, its numbers of words of the left and of the right text, these numbers summed up to "
    "and with the block (left_end, right_end), whether its words are equal, and the number of such blocks before it."
)


edits_schema = partial(result_schema, columns=[column.name for column in COLUMNS], added=BLOCKS)


def cheapest_edits(
    batches: Iterator[pa.RecordBatch],
    input_schema: pa.Schema,
    *,
    substitution_cost: int,
    deletion_cost: int,
    insertion_cost: int,
    optional_cost: int,
    room: int,
) -> Iterator[pa.RecordBatch]:
    """Align the two texts of each group word by word.

    The input has a row for each word: side (0 left, 1 right), text (string), optional (bool: whether the word may be
    left out without an error) and the columns of the group. The rows of a group are adjacent, those of the left side
    first, each side in order. Yields a row for each block, a pair of words or a single word: the columns of the group,
    then those that :func:`blocks_batch` describes. A block is correct if it is a pair of equal words or an optional
    word. With a column fragment (bool), a pair of :func:`alike` words is correct, too, if one of them is a fragment.
    With a column compound (string), neighbours with an equal value of it and a word of the other text that is their
    joint spelling are a correct block without cost. Raises RunError for texts that are too long.
    """
    schema = edits_schema(input_schema)
    for table, starts in whole_groups(batches, input_schema, schema.names[: -len(BLOCKS)], room, ROW_FACTOR, AT_ONCE):
        texts = table["text"].combine_chunks().dictionary_encode()
        words = numbers_of(texts)
        fragments = numpy_ints(table["fragment"]) if "fragment" in table.column_names else np.zeros(len(words))
        equal = _Correct(texts.dictionary, np.unique(words[fragments.astype(np.bool_)]).astype(np.int64))
        optional = numpy_ints(table["optional"]).astype(np.bool_)
        left_out = np.where(optional, optional_cost, deletion_cost)
        put_in = np.where(optional, optional_cost, insertion_cost)
        left, right = sides(table, starts, words, left_out, put_in)

        def differ(symbols: Symbols, others: Symbols, equal: _Correct = equal) -> Any:
            return (~equal(symbols, others)).view(np.int8)

        joins = NO_JOINS
        if "compound" in table.column_names:
            joins = compounds(table["text"].to_pylist(), table["compound"].to_pylist(), left, right)
        for paths in cheapest_paths(left, right, differ, (0, substitution_cost), room, joins):
            step, lefts, rights = paths.step, _rows(left, paths, paths.left), _rows(right, paths, paths.right)
            correct = (step == PAIRED) & equal(words[lefts], words[rights])
            correct |= (step == LEFT_OUT) & optional[lefts] | (step == PUT_IN) & optional[rights] | (step > LEFT_OUT)
            yield blocks_batch(table, starts[paths.pair], schema, OF_LEFT[step], OF_RIGHT[step], correct)


def numbers_of(texts: pa.DictionaryArray) -> Symbols:
    """Texts as numbers, in the smallest type that holds them, because they are compared in each cell of a table."""
    return numpy_ints(texts.indices).astype(np.min_scalar_type(-len(texts.dictionary) - 1))


def alike(word: str, other: str) -> bool:
    """Whether two words, one of them a fragment, count as equal, as with sclite -F.

    ``to-`` is like each word that begins with ``to``, ``-morrow`` like each that ends with ``morrow``. If both words
    are fragments, the first one decides: ``to-`` is like ``tom-``, but ``tom-`` is not like ``to-``.
    """
    for fragment, whole in ((word, other), (other, word)):
        if _is_fragment(fragment):
            return whole.endswith(fragment[1:]) if fragment[0] == "-" else whole.startswith(fragment[:-1])
    return word == other


def _is_fragment(word: str) -> bool:
    return len(word) > 1 and "-" in (word[0], word[-1])


class _Correct:
    """Whether pairs of words are correct: equal or, with fragments, :func:`alike`. Words are given by number."""

    def __init__(self, words: pa.StringArray, fragments: Ints) -> None:
        self._count = len(words)
        self._fragment = np.zeros(len(words), np.bool_)
        self._fragment[[each for each in fragments.tolist() if _is_fragment(words[each].as_py())]] = True
        found = [pairs for each in np.flatnonzero(self._fragment).tolist() for pairs in self._pairs(words, each)]
        self._alike = np.unique(np.concatenate([np.zeros(0, np.int64), *found]))

    def _pairs(self, words: pa.StringArray, fragment: int) -> Iterator[Ints]:
        """The words that are like a fragment, as left and as right word; a pair of numbers is one number."""
        text = words[fragment].as_py()
        like = pc.ends_with(words, text[1:]) if text[0] == "-" else pc.starts_with(words, text[:-1])
        others = np.flatnonzero(numpy_mask(like))
        yield fragment * self._count + others
        yield others[~self._fragment[others]] * self._count + fragment

    def __call__(self, left: Symbols, right: Symbols) -> Mask:
        correct: Mask = left == right
        if len(self._alike):
            left, right = np.broadcast_arrays(left.astype(np.int64), right)
            some = self._fragment[left] | self._fragment[right]
            correct[some] = np.isin(left[some] * self._count + right[some], self._alike)
        return correct


def _rows(side: SideSequences, paths: Paths, taken: Ints) -> Ints:
    """The row of the last word of a side that each path has consumed; any row if it has consumed none."""
    rows: Ints = side.starts[paths.pair] + np.maximum(taken - 1, 0)
    return np.minimum(rows, len(side.symbols) - 1)


def sides(
    table: pa.Table, starts: Ints, symbols: Symbols, left_out: Ints, put_in: Ints
) -> tuple[SideSequences, SideSequences]:
    """The left and the right words of each group. Raises ValueError if a left word comes after a right one."""
    side = numpy_ints(table["side"])
    back = np.flatnonzero(np.diff(side) < 0) + 1
    if not np.isin(back, starts).all():
        raise ValueError("the rows of a group must be ordered by side")
    rights = np.add.reduceat(side, starts[:-1])
    lefts = np.diff(starts) - rights
    return SideSequences(starts[:-1], lefts, symbols, left_out), SideSequences(
        starts[1:] - rights, rights, symbols, put_in
    )


def blocks_batch(
    table: pa.Table, rows: Ints, schema: pa.Schema, left: Ints, right: Ints, correct: Any
) -> pa.RecordBatch:
    """Blocks of whole groups, with the columns of their groups, which are at these ``rows`` of the table.

    The other columns are the number of the block within its group, from 0 (block), its numbers of words (left, right),
    these numbers summed up to and with the block (left_end, right_end), whether it is ``correct``, and the number of
    correct blocks before it (correct_before).
    """
    begins = np.flatnonzero(np.append(True, rows[1:] != rows[:-1]))
    block = np.arange(len(rows)) - np.repeat(begins, np.diff(np.append(begins, len(rows))))
    ends = [consumed(block, each) for each in (left, right)]
    before = consumed(block, correct) - correct
    numbers = [arrow_ints(each) for each in (block, left, right, *ends)]
    return result_batch(table, rows, [*numbers, arrow_mask(correct), arrow_ints(before)], schema)


FUNCTIONS = (
    RelationFunction(
        "Alignment of least cost of two texts (side 0 and 1), word by word: a block has at most one word of each text. "
        "With a column fragment (BOOLEAN), to- equals each word that begins with to, and -row each word that ends with "
        "row, where the column is true. With a column compound (VARCHAR), neighbours with an equal value of it "
        "and a word of the other text that is their joint spelling are one block, which is correct. " + ABOUT_BLOCKS,
        cheapest_edits,
        edits_schema,
        COLUMNS,
        COST_SETTINGS,
        promised=True,
        example=FunctionExample(
            {
                "segment": [1] * 5,
                "side": [0, 0, 0, 1, 1],
                "text": ["the", "red", "cat", "the", "mat"],
                "optional": [False] * 5,
            },
            {"substitution_cost": 4, "deletion_cost": 3, "insertion_cost": 3, "optional_cost": 2},
        ),
    ),
)
