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
from scorespec.functions.cheapest_paths import (
    CELLS_AT_ONCE,
    KNOWN_BYTES,
    OF_LEFT,
    OF_RIGHT,
    PAIRED,
    Symbols,
    as_number,
    as_numbers,
    cheapest_paths,
    row_of_bits,
)
from scorespec.functions.edits import ABOUT_BLOCKS, AT_ONCE, BLOCKS, ROW_FACTOR, SIDE, blocks_batch, numbers_of, sides
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


def _numbers(table: pa.Table) -> Symbols:
    """The texts of a table as numbers: equal texts have equal numbers."""
    return numbers_of(table["text"].combine_chunks().dictionary_encode())


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
    for table, starts in whole_groups(batches, input_schema, schema.names[: -len(BLOCKS)], room, ROW_FACTOR, AT_ONCE):
        words, times = _numbers(table), _times(table)
        ones = np.ones(len(words), np.int64)
        symbols = words if times is None else np.arange(len(words))  # two equal words may be apart in time
        left, right = sides(table, starts, symbols, ones, ones)

        def pair(rows: Ints, others: Ints, words: Ints = words, times: Times = times) -> Any:
            if times is None:
                return rows != others
            begin, end = times
            apart = (begin[rows] >= end[others]) | (begin[others] >= end[rows])
            return np.where(apart, np.int8(2), (words[rows] != words[others]).view(np.int8))

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
                distances = _timed_distances(words, times, left_rows, right_rows)
            names = np.repeat(lefts, len(rights)), np.tile(rights, len(lefts))
            numbers = map(arrow_ints, (*names, distances.ravel()))
            yield result_batch(table, np.full(distances.size, start), numbers, schema)


def _edit_distances(lefts: Sequence[Ints], rights: Sequence[Ints]) -> Ints:
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    texts = ([words.tolist() for words in side] for side in (lefts, rights))
    return cdist(*texts, scorer=Levenshtein.distance, dtype=np.int64)


def _timed_distances(words: Ints, times: Times, lefts: Sequence[Ints], rights: Sequence[Ints]) -> Ints:
    """The distances of all pairs, where only words that overlap in time are paired."""
    columns = _Columns(rights, words, times, substituted=True)
    counts = np.array([len(right) for right in rights])
    return np.array([len(left) + counts - columns.saved(columns.after(columns.first(), left)) for left in lefts])


class _Columns:
    """Right streams side by side, as sets of columns: a column 0 of each stream, then one for each of its words.

    A row is what a sequence of left words saves, up to each column, as for ``row_of_bits``. If a substitution costs as
    much as a deletion and an insertion together (``substituted`` is false), only equal words save anything.
    """

    def __init__(self, streams: Sequence[Ints], words: Ints, times: Times, *, substituted: bool) -> None:
        counts = np.array([len(rows) + 1 for rows in streams])
        self.begins = np.cumsum(counts) - counts
        self.words, self.levels = words, 1 + substituted
        self.width = int(counts.sum())
        inner = np.ones(self.width, np.bool_)
        inner[self.begins] = False
        self.texts, rows = np.full(self.width, -1), np.concatenate(streams)
        self.texts[inner] = words[rows]
        self.inner, self.every = as_number(inner), (1 << self.width) - 1
        self.timed, self.times = times is not None, np.array(times or ())
        self.spans = np.full((2, self.width), np.inf)  # nothing ends after a column 0 begins
        if self.timed:
            self.spans[:, inner] = self.times[:, rows]
        edges = [*self.begins.tolist(), self.width]
        self.parts = [(1 << end) - (1 << begin) for begin, end in pairwise(edges)]
        self.equal: dict[int, int] = {}
        self.near: dict[int, int] = {}

    def first(self) -> list[int]:
        """The row before all left words."""
        return [0] * self.levels

    def after(self, row: list[int], words: Ints, within: int | None = None) -> list[int]:
        """The row after some more left words, which are only paired with the columns of ``within``."""
        for word in words.tolist():
            gains = self._gains(word)
            if within is not None:
                gains = [gain & within for gain in gains]
            row, _ = row_of_bits(row, gains, self.inner, self.every)
        return row

    def _gains(self, word: int) -> list[int]:
        text = int(self.words[word])
        if text not in self.equal:
            self.equal[text] = as_number(self.texts == text)
        near, equal = self.inner, self.equal[text]
        if self.timed:
            near = self._overlapping(word)
            equal &= near
        return [near, equal][-self.levels :]

    def _overlapping(self, word: int) -> int:
        if word not in self.near:
            if len(self.near) * self.width > 8 * KNOWN_BYTES:
                self.near.clear()
            count = max(CELLS_AT_ONCE // self.width, 1)  # words whose times are compared together
            first = word - word % count
            begin, end = self.times[:, first : first + count, None]
            starts, ends = self.spans
            self.near |= enumerate(as_numbers((starts < end) & (begin < ends)), first)
        return self.near[word]

    def saved(self, row: list[int]) -> Ints:
        """The most errors that each stream saves."""
        return np.array([sum((level & part).bit_count() for level in row) for part in self.parts])

    def grown(self, row: list[int]) -> Ints:
        """How much more is saved in each column than in the column before it."""
        columns = b"".join(level.to_bytes(self.width // 8 + 1, "little") for level in row)
        bits = np.frombuffer(columns, np.uint8).reshape(len(row), -1)
        grown: Ints = np.unpackbits(bits, axis=1, count=self.width, bitorder="little").sum(axis=0, dtype=np.int64)
        return grown


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
GIVEN_TO = [("left_row", pa.int64()), ("right_row", pa.int64())]  # an utterance, and the stream that it is given to
_divided_schema = partial(result_schema, columns=[column.name for column in DIVIDED], added=GIVEN_TO)


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


# -- utterances divided step by step -----------------------------------------------------------------

MOST_PASSES = 49  # as in meeteval; a few passes suffice
IMPROVED = (SIDE, STREAM, TEXTS, *TIMES, InputColumn("given", (WHOLE,), nullable=True))
_improved_schema = partial(result_schema, columns=[column.name for column in IMPROVED], added=GIVEN_TO)


def improved_division(
    batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int
) -> Iterator[pa.RecordBatch]:
    """Give each left utterance of a group to one of the right streams, so that no other stream has fewer errors.

    The input is that of ``fewest_errors_division``, with begin, end (numbers; NULL if unknown) and the number of the
    stream to which each utterance is given first (``given``; NULL is the first stream). Utterances are visited in their
    order, again and again until none moves. An utterance moves to the stream in which there are then the fewest errors
    in all. In the first passes, a substitution costs as much as a deletion and an insertion; when nothing moves, it
    costs 1. This is the greedy algorithm of meeteval 0.4.3. Yields the rows of ``fewest_errors_division``.
    """
    schema = _improved_schema(input_schema)
    for table, starts in whole_groups(batches, input_schema, schema.names[:-2], room, ROW_FACTOR):
        words, times = _numbers(table), _times(table)
        for start, end in pairwise(starts.tolist()):
            utterances, left_rows, streams, right_rows = _sides(table, start, end)
            if not utterances or not streams:
                continue
            given = table["given"].take(pa.array([rows[0] for rows in left_rows])).fill_null(streams[0]).to_pylist()
            # A stream without words has no rows. All these streams are one, the last.
            streams += [stream for stream in given if stream not in streams][:1]
            right_rows += [np.zeros(0, np.int64)] * (len(streams) - len(right_rows))
            places = {stream: at for at, stream in enumerate(streams)}
            chosen = [places.get(stream, len(streams) - 1) for stream in given]
            cells = 2.0 * sum(map(len, right_rows)) * len(utterances)
            check_room(cells / 8, room, "to divide utterances")
            for substituted in (False, True):
                chosen = _improved(left_rows, right_rows, chosen, words, times, substituted=substituted)
            numbers = map(arrow_ints, (np.array(utterances), np.array(streams)[chosen]))
            yield result_batch(table, np.full(len(chosen), start), numbers, schema)


def _improved(
    utterances: Sequence[Ints],
    streams: Sequence[Ints],
    given: list[int],
    words: Ints,
    times: Times,
    *,
    substituted: bool,
) -> list[int]:
    """The index of the stream of each utterance, after all passes.

    What a stream saves with an utterance and without it is known from two rows: that of the utterances before, and
    that of the utterances after, which is filled from the end.
    """
    ahead = _Columns(streams, words, times, substituted=substituted)
    back = _Columns([rows[::-1] for rows in reversed(streams)], words, times, substituted=substituted)
    for _ in range(MOST_PASSES):
        rests = [back.first()]
        for utterance, at in zip(reversed(utterances), reversed(given), strict=True):
            rests.append(back.after(rests[-1], utterance[::-1], back.parts[-1 - at]))
        saved = back.saved(rests.pop())[::-1]
        before, chosen = ahead.first(), list[int]()
        for utterance, at, rest in zip(utterances, given, reversed(rests), strict=True):
            after = ahead.after(before, utterance)
            later = np.roll(back.grown(rest)[::-1], 1)
            moved = _where(ahead.parts[at], before, after)  # the utterance is in all streams but its own
            upto = np.cumsum(ahead.grown(moved) - later)
            most = np.maximum.reduceat(upto, ahead.begins) - upto[ahead.begins] + np.add.reduceat(later, ahead.begins)
            more = most - saved
            more[at] *= -1
            best = int(np.argmax(more))
            if more[best] == more[at]:
                best = at
            else:
                saved[[at, best]] = most[[at, best]]
            before = _where(ahead.parts[best], after, before)
            chosen.append(best)
        if chosen == given:
            break
        given = chosen
    return given


def _where(part: int, row: list[int], other: list[int]) -> list[int]:
    """The columns of ``row`` that are in ``part``, and all other columns of the other row."""
    return [otherwise ^ (otherwise ^ inside) & part for inside, otherwise in zip(row, other, strict=True)]


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
    RelationFunction(
        "Division of the utterances of a group (side 0) among its streams of words (side 1), from the streams that "
        "they are given first (given): one utterance at a time moves, if there are then fewer errors, until none does. "
        "Only words that overlap in time (begin, end) are paired; words without a time overlap all others. One row per "
        "utterance: its number (left_row) and that of its stream (right_row).",
        improved_division,
        _improved_schema,
        IMPROVED,
        promised=True,
        example=FunctionExample(
            {
                "meeting": ["m"] * 7,
                "side": [0, 0, 0, 1, 1, 1, 1],
                "stream": [1, 1, 2, 1, 1, 1, 2],
                "text": ["good", "morning", "hello", "good", "good", "morning", "hello"],
                "begin": [0.0] * 7,
                "end": [1.0] * 7,
                "given": [1, 1, 1, None, None, None, None],
            }
        ),
    ),
)
