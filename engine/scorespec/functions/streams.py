"""Several texts at the same time, such as the speakers of a meeting: how few errors their words can have.

Errors are counted by what pairs of words save. If no word is paired, each word is an error: a deletion or an insertion.
A pair of equal words saves two errors, a pair of different words (a substitution) one. So the fewest errors are the
number of words minus the most that pairs can save.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Floats, Ints, arrow_floats, arrow_ints, numpy_floats, numpy_ints
from scorespec.functions.cheapest_paths import OF_LEFT, OF_RIGHT, PAIRED, cheapest_paths
from scorespec.functions.edits import ABOUT_BLOCKS, BLOCKS, ROW_FACTOR, SIDE, blocks_batch, sides
from scorespec.functions.function import (
    NUMBER,
    TEXT,
    WHOLE,
    FunctionExample,
    InputColumn,
    RelationFunction,
    check_room,
    result_batch,
    result_schema,
    whole_groups,
)

STREAM, TEXTS = InputColumn("stream", (WHOLE,)), InputColumn("text", (TEXT,))
TIMES = tuple(InputColumn(name, (NUMBER,), nullable=True) for name in ("begin", "end"))
UNKNOWN = arrow_floats(np.array([-np.inf, np.inf]))  # begin and end without a time
NEVER = 3  # as a cost: more than a deletion and an insertion
CELL = 4  # bytes of a cell of a table of what is saved

Times = tuple[Floats, Floats] | None
"""The begin and the end of each row, infinite where they are unknown; None if all are."""


def _numbers(table: pa.Table) -> Ints:
    """The texts of a table as numbers: equal texts have equal numbers."""
    return numpy_ints(table["text"].combine_chunks().dictionary_encode().indices)


def _times(table: pa.Table) -> Times:
    columns = [table[name].combine_chunks() for name in ("begin", "end")]
    if all(column.null_count == len(column) for column in columns):
        return None
    begin, end = (numpy_floats(pc.fill_null(*each)) for each in zip(columns, UNKNOWN, strict=True))
    return begin, end


# -- two streams -------------------------------------------------------------------------------------


EDITED = (SIDE, TEXTS, *TIMES)
_edits_schema = partial(result_schema, columns=[column.name for column in EDITED], added=BLOCKS)


def fewest_edits(batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int) -> Iterator[pa.RecordBatch]:
    """Align the two texts of each group word by word, with the fewest errors: each error costs 1.

    The input has a row for each word: side (0 left, 1 right), text (string), begin and end (numbers; NULL if unknown)
    and the columns of the group. Only words that overlap in time are paired; words without a time overlap all others.
    The rows of a group are adjacent, those of the left side first, each side in order. The result is that of
    ``cheapest_edits``.
    """
    schema = _edits_schema(input_schema)
    for table, starts in whole_groups(batches, input_schema, schema.names[: -len(BLOCKS)], room, ROW_FACTOR):
        words, times = _numbers(table), _times(table)
        ones = np.ones(len(words), np.int64)
        symbols = words if times is None else np.arange(len(words))  # two equal words may be apart in time
        left, right = sides(table, starts, symbols, ones, ones)

        def pair(rows: Ints, others: Ints, words: Ints = words, times: Times = times) -> Any:
            if times is None:
                return rows != others
            kind = (words[rows] != words[others]).astype(np.int8)
            begin, end = times
            kind[(begin[rows] >= end[others]) | (begin[others] >= end[rows])] = 2
            return kind

        for paths in cheapest_paths(left, right, pair, (0, 1, NEVER), room):
            said, heard = (
                words[side.starts[paths.pair] + taken - 1] for side, taken in ((left, paths.left), (right, paths.right))
            )
            correct = (paths.step == PAIRED) & (said == heard)
            yield blocks_batch(table, starts[paths.pair], schema, OF_LEFT[paths.step], OF_RIGHT[paths.step], correct)


# -- every two streams -------------------------------------------------------------------------------


def _sides(table: pa.Table, start: int, end: int) -> tuple[list[int], list[Ints], list[int], list[Ints]]:
    """The streams of a group: the number of each left stream and its rows, then those of the right."""
    side, stream = (numpy_ints(table[name][start:end]) for name in ("side", "stream"))
    edges = [0, *(np.flatnonzero(np.diff(side) | np.diff(stream)) + 1).tolist(), end - start]
    numbers: tuple[list[int], list[int]] = [], []
    rows: tuple[list[Ints], list[Ints]] = [], []
    for first, after in pairwise(edges):
        numbers[side[first]].append(int(stream[first]))
        rows[side[first]].append(np.arange(start + first, start + after))
    return numbers[0], rows[0], numbers[1], rows[1]


COMPARED = (STREAM, *EDITED)
_distances_schema = partial(
    result_schema,
    columns=[column.name for column in COMPARED],
    added=[(name, pa.int64()) for name in ("left_row", "right_row", "distance")],
)


def stream_distances(
    batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int
) -> Iterator[pa.RecordBatch]:
    """The fewest errors between every left and every right stream of words of a group.

    The input has a row for each word: side (0 left, 1 right), stream (integer), text (string), begin and end (numbers;
    NULL if unknown) and the columns of the group. Only words that overlap in time are paired; words without a time
    overlap all others. The rows of a group are adjacent, ordered by side and stream, and those of a stream are in
    order. Yields a row for each pair of streams: the columns of the group, left_row and right_row (the numbers of the
    two streams), and the number of errors (distance).
    """
    schema = _distances_schema(input_schema)
    for table, starts in whole_groups(batches, input_schema, schema.names[:-3], room, ROW_FACTOR):
        words, times = _numbers(table), _times(table)
        for start, end in pairwise(starts.tolist()):
            lefts, left_rows, rights, right_rows = _sides(table, start, end)
            if not lefts or not rights:
                continue
            if times is None:
                distances = _edit_distances([words[rows] for rows in left_rows], [words[rows] for rows in right_rows])
            else:
                distances = _timed_distances(words, *times, left_rows, right_rows)
            names = np.repeat(lefts, len(rights)), np.tile(rights, len(lefts))
            numbers = map(arrow_ints, (*names, distances.ravel()))
            yield result_batch(table, np.full(distances.size, start), numbers, schema)


def _edit_distances(lefts: Sequence[Ints], rights: Sequence[Ints]) -> Ints:
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    texts = ([words.tolist() for words in side] for side in (lefts, rights))
    return cdist(*texts, scorer=Levenshtein.distance, dtype=np.int64)


def _timed_distances(words: Ints, begin: Floats, end: Floats, lefts: Sequence[Ints], rights: Sequence[Ints]) -> Ints:
    """The distances of all pairs, where only words that overlap in time are paired.

    All right streams are one array, with a cell before each stream. Each stream begins far above the one before it, so
    that what is saved in one stream does not reach into the next.
    """
    counts = np.array([len(rows) for rows in rights])
    rows = np.concatenate([each for right in rights for each in (right[:1], right)])
    begins = np.cumsum(counts + 1) - counts - 1
    far = 2 * max(map(len, lefts)) + 1
    above = np.repeat(np.arange(len(rights)) * far, counts + 1)
    (texts, starts, ends), distances = (each[rows[1:]] for each in (words, begin, end)), []
    for left in lefts:
        saved = above.copy()
        for row in left.tolist():
            gains = ((starts < end[row]) & (begin[row] < ends)).astype(np.int64)
            saved = _with_word(saved, gains << (texts == words[row]))  # 2 for equal words that overlap
        distances.append(len(left) + counts - (saved - above)[begins + counts])
    return np.array(distances)


def _with_word(saved: Any, gains: Any) -> Any:
    """The most errors saved, after one more left word, up to each right word (along the first axis).

    ``gains`` is what a pair of the word with each right word saves.
    """
    more = saved.copy()
    np.maximum(more[1:], saved[:-1] + gains, out=more[1:])
    np.maximum.accumulate(more, axis=0, out=more)
    return more


# -- utterances divided among streams ----------------------------------------------------------------

DIVIDED = (SIDE, STREAM, TEXTS)
_divided_schema = partial(
    result_schema,
    columns=[column.name for column in DIVIDED],
    added=[(name, pa.int64()) for name in ("left_row", "right_row")],
)


def fewest_errors_division(
    batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int
) -> Iterator[pa.RecordBatch]:
    """Give each left utterance of a group to one of the right streams, so that there are the fewest errors.

    The input has a row for each word: side (0 for an utterance, 1 for a stream), stream (integer: the number of the
    utterance or stream), text (string) and the columns of the group. The rows of a group are adjacent, ordered by side
    and stream. The utterances that a stream is given are compared with the stream in their order. Yields a row for
    each utterance: the columns of the group, then the numbers of the utterance (left_row) and of the stream
    (right_row). Of divisions with equally many errors, the last utterance goes to the first stream, and so on. A group
    without streams has no rows.

    The table of what is saved has an axis for each stream. It is filled word by word, and kept for each utterance.
    """
    schema = _divided_schema(input_schema)
    for table, starts in whole_groups(batches, input_schema, schema.names[:-2], room, ROW_FACTOR):
        words = _numbers(table)
        for start, end in pairwise(starts.tolist()):
            utterances, left_rows, streams, right_rows = _sides(table, start, end)
            if not utterances or not streams:
                continue
            chosen = _divided([words[rows] for rows in left_rows], [words[rows] for rows in right_rows], room)
            numbers = map(arrow_ints, (np.array(utterances), np.array(streams)[chosen]))
            yield result_batch(table, np.full(len(chosen), start), numbers, schema)


def _divided(utterances: Sequence[Ints], streams: Sequence[Ints], room: int) -> list[int]:
    """The index of the stream of each utterance."""
    shape = [len(stream) + 1 for stream in streams]
    check_room(CELL * float(np.prod(shape, dtype=np.float64)) * (len(utterances) + 4), room, "to divide utterances")
    tables = [np.zeros(shape, np.int32)]
    for utterance in utterances:
        tables.append(np.maximum.reduce([_said_in(tables[-1], utterance, streams, at) for at in range(len(streams))]))
    place, chosen = [len(stream) for stream in streams], []
    for utterance, before, after in zip(utterances[::-1], tables[-2::-1], tables[:0:-1], strict=True):
        for at, stream in enumerate(streams):
            line = before[*(slice(end + 1) if at == axis else end for axis, end in enumerate(place))]
            lines = [line]
            for word in utterance:
                lines.append(_with_word(lines[-1], 1 + (stream[: place[at]] == word)))
            if lines[-1][-1] == after[*place]:
                break
        chosen.append(at)
        place[at] = _beginning(lines, place[at])
    return chosen[::-1]


def _said_in(saved: Any, utterance: Ints, streams: Sequence[Ints], at: int) -> Any:
    """The most errors saved if an utterance is given to one of the streams."""
    stream = streams[at].reshape(-1, *[1] * (len(streams) - 1))
    turned = np.moveaxis(saved, at, 0)
    for word in utterance:
        turned = _with_word(turned, (1 + (stream == word)).astype(np.int32))
    return np.moveaxis(turned, 0, at)


def _beginning(lines: Sequence[Any], place: int) -> int:
    """The word of a stream at which an utterance begins that ends before ``place``."""
    number = len(lines) - 1
    while number:
        if place and lines[number][place] == lines[number][place - 1]:
            place -= 1
        elif lines[number][place] == lines[number - 1][place]:
            number -= 1
        else:
            number, place = number - 1, place - 1
    return place


FUNCTIONS = (
    RelationFunction(
        "Alignment with the fewest errors of two texts (side 0 and 1), word by word. Only words that overlap in time "
        "(begin, end) are paired; words without a time overlap all others. " + ABOUT_BLOCKS,
        fewest_edits,
        _edits_schema,
        EDITED,
        promised=True,
        example=FunctionExample(
            {
                "speaker": [1] * 5,
                "side": [0, 0, 0, 1, 1],
                "text": ["yes", "well", "yes", "well", "yes"],
                "begin": [0.0, 1.0, 9.0, 1.0, 2.0],
                "end": [1.0, 2.0, 10.0, 2.0, 3.0],
            }
        ),
    ),
    RelationFunction(
        "Fewest errors between every left and every right stream of words of a group (side 0 and 1). Only words that "
        "overlap in time (begin, end) are paired; words without a time overlap all others. One row per pair of "
        "streams: their numbers (left_row, right_row) and the number of errors (distance).",
        stream_distances,
        _distances_schema,
        COMPARED,
        promised=True,
        example=FunctionExample(
            {
                "meeting": ["m"] * 5,
                "side": [0, 0, 0, 1, 1],
                "stream": [1, 1, 2, 1, 1],
                "text": ["good", "morning", "hello", "good", "evening"],
                "begin": [0.0, 1.0, 9.0, None, None],
                "end": [1.0, 2.0, 10.0, None, None],
            }
        ),
    ),
    RelationFunction(
        "Division of the utterances of a group (side 0) among its streams of words (side 1) that has the fewest "
        "errors, by dynamic programming. One row per utterance: its number (left_row) and that of its stream "
        "(right_row).",
        fewest_errors_division,
        _divided_schema,
        DIVIDED,
        promised=True,
        example=FunctionExample(
            {
                "meeting": ["m"] * 7,
                "side": [0, 0, 0, 1, 1, 1, 1],
                "stream": [1, 1, 2, 1, 1, 1, 2],
                "text": ["good", "morning", "hello", "good", "good", "morning", "hello"],
            }
        ),
    ),
)
