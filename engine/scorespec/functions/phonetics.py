"""The alignment of two texts by the sounds of their words, where words may be split and merged.

After Fisher and Fiscus (1993). First the phones of both texts are aligned, with a boundary after each word. The texts
are cut where two boundaries are paired. A block between two cuts that has more than one word on a side is then aligned
again, in groups of up to ``block_words`` words of each side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import Ints, arrow_text, numpy_ints, numpy_mask
from scorespec.functions.cheapest_paths import (
    PAIRED,
    Costs,
    SideSequences,
    cheapest_paths,
    consumed,
    cost_tables,
    ranges,
)
from scorespec.functions.compounds import are_compounds
from scorespec.functions.edits import ABOUT_BLOCKS, BLOCKS, COMPOUND, SIDE, blocks_batch, sides
from scorespec.functions.function import (
    NUMBER,
    TEXT,
    WHOLE,
    FunctionSetting,
    InputColumn,
    RelationFunction,
    result_schema,
    whole_groups,
)

ROW_FACTOR = 20  # bytes of memory for each byte of a row: a word has several phones
COLUMNS = (SIDE, InputColumn("text", (TEXT,)), InputColumn("sounds", (TEXT,)), COMPOUND)
SCALE = 1000  # costs are whole thousandths
NEVER = 10_000_000
BOUNDARY = 0  # the symbol after each word
MOST_WORDS = 5  # the largest block_words: each pair of words has a table of its square


class Weights(NamedTuple):
    """The costs of the alignment: see the parameters of the same names."""

    phones: tuple[str, ...]
    phone_cost: float
    boundary_cost: float
    least_cost: float
    class_cost: float
    word_cost: float
    group_cost: float
    block_words: int


class _Words(NamedTuple):
    """The words of some rows: the codes of their texts and of their sounds; for each code of sounds, its phones."""

    text: Ints
    sounds: Ints
    symbols: Ints
    starts: Ints
    counts: Ints


phonetic_schema = partial(result_schema, columns=[column.name for column in COLUMNS], added=BLOCKS)


def phonetic_alignment(
    batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int, **weights: Any
) -> Iterator[pa.RecordBatch]:
    """Align the two texts of each group by their sounds.

    The input has a row for each word: side (0 left, 1 right), text (string), sounds (its phones, separated by blanks)
    and the columns of the group. The rows of a group are adjacent, those of the left side first, each side in order.
    Yields a row for each block: the columns of the group, then those that :func:`blocks_batch` describes. A block is
    correct if it is a pair of equal words or, with a column compound (string), several words with an equal value of it
    and a word of the other text that is their joint spelling. ``weights`` are those of :class:`Weights`. Raises
    RunError for texts that are too long.
    """
    schema = phonetic_schema(input_schema)
    aligner = _Aligner(Weights(**weights), room)
    for table, starts in whole_groups(batches, input_schema, schema.names[: -len(BLOCKS)], room, ROW_FACTOR):
        group, left, right, correct = aligner.align(table, starts)
        yield blocks_batch(table, starts[group], schema, left, right, correct)


class _Aligner:
    def __init__(self, weights: Weights, room: int) -> None:
        self._weights, self._room = weights, room
        self._features = {name: words.split() for name, _, words in (each.partition("=") for each in weights.phones)}
        self._codes = {name: code for code, name in enumerate(self._features, 1)}
        self._phone, self._boundary = _whole(weights.phone_cost), _whole(weights.boundary_cost)
        self._distances: Costs = self._phone_distances()

    def _phone_distances(self) -> Costs:
        """The distances between all phones that occurred so far."""
        size = len(self._codes) + 1
        distances = np.full((size, size), NEVER, np.int32)
        distances[BOUNDARY, BOUNDARY] = 0
        for one, row in self._codes.items():
            for other, column in self._codes.items():
                distances[row, column] = _whole(_distance(one, other, self._features, self._weights))
        return distances

    def _pair(self, symbols: Ints, others: Ints) -> Any:
        return symbols * len(self._distances) + others

    def align(self, table: pa.Table, starts: Ints) -> tuple[Ints, Ints, Ints, Any]:
        """The blocks of some groups in order: the group of each, its numbers of words, and whether it is correct."""
        words = self._words(table)
        none = np.zeros(1, np.int64)
        left, right = sides(table, starts, none, none, none)
        cuts = self._cuts(words, left, right)
        within = cuts[1:, 0] == cuts[:-1, 0]
        (of, *begins), sizes = cuts[:-1][within].T, np.diff(cuts, axis=0)[within, 1:]
        rows = [side.starts[of] + begin for side, begin in zip((left, right), begins, strict=True)]
        blocks = np.column_stack((np.arange(len(of)), *rows, sizes))[sizes.any(axis=1)]
        large = (blocks[:, 3:] > 1).any(axis=1)
        small = np.insert(blocks[~large][:, [0, 3, 4]], 1, 0, axis=1)
        parts = np.concatenate([small, *self._refine(words, blocks[large])])
        parts = parts[np.lexsort((parts[:, 1], parts[:, 0]))]
        group, counts = of[parts[:, 0]], parts[:, 2:]
        begin = np.append(True, group[1:] != group[:-1])
        first = [
            side.starts[group] + consumed(~begin, count) - count
            for side, count in zip((left, right), counts.T, strict=True)
        ]
        texts = [words.text[np.minimum(row, len(words.text) - 1)] for row in first]
        correct = (counts == 1).all(axis=1) & (texts[0] == texts[1])
        if "compound" in table.column_names:
            correct |= are_compounds(table["text"].to_pylist(), table["compound"].to_pylist(), first, counts)
        return group, counts[:, 0], counts[:, 1], correct

    def _words(self, table: pa.Table) -> _Words:
        sounds = table["sounds"].combine_chunks().dictionary_encode()
        split = pc.utf8_split_whitespace(sounds.dictionary)
        there = pc.not_equal(split.values, arrow_text(""))  # a word without phones is split into one empty text
        phones = split.values.filter(there).dictionary_encode()
        counts = np.bincount(numpy_ints(pc.list_parent_indices(split))[numpy_mask(there)], minlength=len(split))
        codes = np.array([self._code(phone) for phone in phones.dictionary.to_pylist()], np.int64)
        if len(self._codes) >= len(self._distances):
            self._distances = self._phone_distances()
        text = numpy_ints(table["text"].combine_chunks().dictionary_encode().indices)
        starts = np.cumsum(counts) - counts
        return _Words(text, numpy_ints(sounds.indices), codes[numpy_ints(phones.indices)], starts, counts)

    def _code(self, phone: str) -> int:
        """The code of a phone. A phone without features has the distance between classes from every other phone."""
        self._features.setdefault(phone, [])
        return self._codes.setdefault(phone, len(self._codes) + 1)

    # -- first pass: cuts where boundaries are paired ---------------------------------------------------

    def _cuts(self, words: _Words, left: SideSequences, right: SideSequences) -> Ints:
        """The cuts of each pair of texts, its beginning and end among them: group, numbers of words before the cut."""
        strings = [self._strings(words, side, boundaries=True) for side in (left, right)]
        every = np.arange(len(left.counts))
        nothing = np.zeros_like(every)
        cuts = [np.column_stack((every, nothing, nothing)), np.column_stack((every, left.counts, right.counts))]
        boundaries = [np.cumsum(np.append(0, side.symbols == BOUNDARY)) for side in strings]
        for paths in cheapest_paths(strings[0], strings[1], self._pair, self._distances.ravel(), self._room):
            meets, before = paths.step == PAIRED, []
            for side, upto, taken in zip(strings, boundaries, (paths.left, paths.right), strict=True):
                begin = side.starts[paths.pair]
                last = begin + taken
                meets &= upto[last] > upto[last - 1]
                before.append(upto[last] - upto[begin])
            cuts.append(np.column_stack((paths.pair, *before))[meets])
        found = np.concatenate(cuts)
        # Along a path the sum of both numbers grows, so each cut of a group has another sum.
        _, first = np.unique(found[:, 0] * (2 * len(words.sounds)) + found[:, 1:].sum(axis=1), return_index=True)
        ordered: Ints = found[first]
        return ordered

    def _strings(self, words: _Words, side: SideSequences, boundaries: bool) -> SideSequences:
        """The phones of the words of a side, each sequence of words as one sequence of phones."""
        rows = ranges(side.starts, side.counts)
        sounds = words.sounds[rows]
        counts = words.counts[sounds] + boundaries
        symbols = np.zeros(int(counts.sum()), np.int64)
        place = np.cumsum(counts) - counts
        symbols[ranges(place, words.counts[sounds])] = words.symbols[ranges(words.starts[sounds], words.counts[sounds])]
        upto = np.append(0, np.cumsum(counts))
        ends = np.cumsum(side.counts)
        length = upto[ends] - upto[ends - side.counts]
        alone = np.where(symbols == BOUNDARY, self._boundary, self._phone)
        return SideSequences(np.cumsum(length) - length, length, symbols, alone)

    # -- second pass: blocks of more than one word on a side ---------------------------------------------

    def _refine(self, words: _Words, blocks: Ints) -> Iterator[Ints]:
        """Divide blocks into parts.

        A row of ``blocks`` is: block, first row left and right, numbers of words left and right. A row of the result
        is: block, number of the part, numbers of words left and right.
        """
        shape, kind = np.unique(blocks[:, 3:], axis=0, return_inverse=True)
        alone = words.counts * self._phone + _whole(self._weights.word_cost)
        for at, (height, width) in enumerate(shape.tolist()):
            some = blocks[kind.ravel() == at]
            together = self._together(words, some, height, width)
            single = [
                alone[words.sounds[some[:, 1 + side, None] + np.arange(count)]]
                for side, count in ((0, height), (1, width))
            ]
            yield _parts(some[:, 0], together, *single)

    def _together(self, words: _Words, blocks: Ints, height: int, width: int) -> Costs:
        """The costs of groups of up to ``block_words`` words of each side: block, first words, numbers of words."""
        most = self._weights.block_words
        if not height or not width:
            return np.zeros((len(blocks), height, width, most, most), np.int32)
        lefts = _runs(words.sounds, blocks[:, 1], height, most)
        rights = _runs(words.sounds, blocks[:, 2], width, most)
        cells = np.concatenate(np.broadcast_arrays(lefts[:, :, None], rights[:, None]), axis=-1).reshape(-1, 2 * most)
        pairs, at = np.unique(cells, axis=0, return_inverse=True)
        costs = self._costs_of_runs(words, pairs)
        return costs[at.ravel()].reshape(len(blocks), height, width, most, most)

    def _costs_of_runs(self, words: _Words, pairs: Ints) -> Costs:
        """The costs of groups of words, for pairs of runs of words (codes of sounds; -1 stands for no word)."""
        most = self._weights.block_words
        left, right = (self._run_side(words, pairs[:, side : side + most]) for side in (0, most))
        costs: Costs = np.full((len(pairs), most, most), NEVER, np.int32)
        for some, table in cost_tables(left[0], right[0], self._pair, self._distances.ravel()):
            for height in range(most):
                for width in range(most):
                    more = self._weights.word_cost * abs(height - width) + self._weights.group_cost * max(height, width)
                    ends = left[1][some, height], right[1][some, width]
                    found = table[*ends, np.arange(len(some))] + _whole(more)
                    there = (pairs[some, height] >= 0) & (pairs[some, most + width] >= 0)
                    costs[some, height, width] = np.where(there, found, NEVER)
        return costs

    def _run_side(self, words: _Words, runs: Ints) -> tuple[SideSequences, Ints]:
        """The phones of a run of words as one sequence, and the end of each word in it."""
        there = runs >= 0
        ends = np.cumsum(np.where(there, words.counts[runs], 0), axis=1)
        sounds = runs[there]
        symbols = words.symbols[ranges(words.starts[sounds], words.counts[sounds])]
        length = ends[:, -1]
        return SideSequences(np.cumsum(length) - length, length, symbols, np.full(len(symbols), self._phone)), ends


def _sizes(most: int) -> list[tuple[int, int]]:
    """The numbers of words, left and right, that a part can have; of equally cheap parts, the first is taken."""
    both = [(left, right) for left in range(1, most + 1) for right in range(1, most + 1)]
    return [*sorted(both, key=lambda size: (max(size), min(size), size)), (1, 0), (0, 1)]


def _parts(blocks: Ints, together: Costs, alone_left: Ints, alone_right: Ints) -> Ints:
    """The parts of least cost of blocks of one shape: block, number of the part, numbers of words left and right."""
    every_size = _sizes(together.shape[-1])
    every = np.arange(len(blocks))
    height, width = alone_left.shape[1], alone_right.shape[1]
    best = np.zeros((len(blocks), height + 1, width + 1), np.int64)
    last = np.zeros(best.shape, np.int64)
    for row in range(height + 1):
        for column in range(width + 1):
            steps: list[tuple[int, Any]] = []
            for number, (left, right) in enumerate(every_size):
                if left <= row and right <= column:
                    cost: Any
                    if left and right:
                        cost = together[:, row - left, column - right, left - 1, right - 1]
                    else:
                        cost = alone_left[:, row - 1] if left else alone_right[:, column - 1]
                    steps.append((number, best[:, row - left, column - right] + cost))
            if steps:
                costs = np.stack([cost for _, cost in steps])
                chosen = costs.argmin(axis=0)
                best[:, row, column] = costs[chosen, every]
                last[:, row, column] = np.array([number for number, _ in steps])[chosen]
    sizes = np.array(every_size)
    left_over = np.full((len(blocks), 2), (height, width))
    found = []
    for number in range(height + width, 0, -1):
        unfinished: Any = left_over.any(axis=1)
        size = np.where(unfinished[:, None], sizes[last[every, left_over[:, 0], left_over[:, 1]]], 0)
        left_over -= size
        found.append(np.column_stack((blocks, np.full(len(blocks), number), size))[unfinished])
    return np.concatenate(found)


def _runs(sounds: Ints, starts: Ints, count: int, most: int) -> Ints:
    """Each word of blocks of one length, with the next words of the block (-1 stands for no word)."""
    at = np.arange(count)[:, None] + np.arange(most)
    words: Ints = sounds[np.minimum(starts[:, None, None] + at, len(sounds) - 1)]
    words[:, at >= count] = -1
    return words


def _whole(cost: float) -> int:
    return round(cost * SCALE)


def _distance(one: str, other: str, features: Mapping[str, Sequence[str]], weights: Weights) -> float:
    """The distance of two phones.

    The first feature of a phone is its class. Within a class the distance grows with the share of features that only
    one of them has; phones of different classes all have the same distance.
    """
    if one == other:
        return 0.0
    mine, theirs = set(features[one]), set(features[other])
    if not mine or not theirs or features[one][0] != features[other][0]:
        return weights.class_cost
    unlike = len(mine ^ theirs) / max(len(mine | theirs) - 1, 1)  # without the class, which both have
    return weights.least_cost + (1 - weights.least_cost) * unlike


FUNCTIONS = (
    RelationFunction(
        "Alignment of two texts (side 0 and 1) by the phones of their words, with splits and merges of words. "
        + ABOUT_BLOCKS,
        phonetic_alignment,
        phonetic_schema,
        COLUMNS,
        {
            **{name: FunctionSetting(NUMBER, 0, 1e5) for name in Weights._fields},
            "phones": FunctionSetting("VARCHAR[]"),
            "block_words": FunctionSetting(WHOLE, 1, MOST_WORDS),
        },
    ),
)
