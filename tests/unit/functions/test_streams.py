"""Word errors between streams: against the definitions, which try every alignment and every division."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pyarrow as pa
import pytest

from marks import some
from oracles.meetings import TimedWord, any_pair, fewest_errors
from scorespec.errors import RunError
from scorespec.functions import RELATION_FUNCTIONS

Streams = dict[int, list[TimedWord]]


def called(name: str, rows: list[dict[str, Any]], batch: int = 10**6, **more: Any) -> list[dict[str, Any]]:
    function = RELATION_FUNCTIONS[name]
    names = {column.name for column in function.columns} | {"group"}  # type: ignore[union-attr]
    table = pa.Table.from_pylist([{name: value for name, value in row.items() if name in names} for row in rows])
    for column in {"begin", "end"} & {*table.column_names}:
        at = table.column_names.index(column)
        table = table.set_column(at, column, table[column].cast(pa.float64()))
    made = list(function.call(iter(table.to_batches(batch)), table.schema, **more))
    assert all(each.schema == function.schema(table.schema) for each in made)
    return [row for each in made for row in each.to_pylist()]


def rows_of(group: str, sides: tuple[Streams, Streams], timed: bool) -> list[dict[str, Any]]:
    return [
        {"group": group, "side": side, "stream": stream, "text": word}
        | {"begin": float(begin) if timed else None, "end": float(end) if timed else None}
        for side, streams in enumerate(sides)
        for stream, words in streams.items()
        for word, begin, end in words
    ]


def random_streams(chance: random.Random, most: int = 3) -> Streams:
    """Streams with times in halves of a second, which often only touch; their order is not that of time."""
    streams = {}
    for stream in sorted(chance.sample(range(9), chance.randint(1, most))):
        begins = [Fraction(chance.randrange(8), 2) for _ in range(chance.randint(1, 5))]
        streams[stream] = [(chance.choice("abc"), begin, begin + Fraction(chance.randrange(3), 2)) for begin in begins]
    return streams


def overlap(word: TimedWord, other: TimedWord) -> bool:
    return word[1] < other[2] and other[1] < word[2]


@pytest.mark.parametrize("batch", [3, 10**6])
@pytest.mark.parametrize("timed", [False, True])
def test_distances_are_those_of_the_definition(timed: bool, batch: int) -> None:
    chance = random.Random(1)
    groups = {f"g{number}": (random_streams(chance), random_streams(chance)) for number in range(60)}
    groups |= {"left only": (random_streams(chance), {}), "right only": ({}, random_streams(chance))}
    found = called(
        "stream_distances", [row for name, each in groups.items() for row in rows_of(name, each, timed)], batch
    )
    assert [tuple(row.values()) for row in found] == [
        (name, left, right, fewest_errors(words, others, overlap if timed else any_pair))
        for name, (lefts, rights) in groups.items()
        for (left, words), (right, others) in product(lefts.items(), rights.items())
    ]


def test_a_word_without_a_time_overlaps_all_others() -> None:
    """A is said at 0 s and heard at 9 s. The B without a time is at any time."""
    said = [("a", Fraction(0), Fraction(1)), ("b", Fraction(1), Fraction(2))]
    heard = [("a", Fraction(9), Fraction(10)), ("b", Fraction(10), Fraction(11))]
    rows = rows_of("g", ({0: said}, {0: heard}), True)
    assert [row["distance"] for row in called("stream_distances", rows)] == [4]
    rows[1] |= {"begin": None, "end": None}
    assert [row["distance"] for row in called("stream_distances", rows)] == [2]
    assert sum(not row["correct"] for row in called("fewest_edits", rows)) == 2


@pytest.mark.parametrize("timed", [False, True])
def test_an_alignment_has_the_fewest_errors(timed: bool) -> None:
    chance = random.Random(2)
    for _ in range(60):
        (words,), (others,) = (random_streams(chance, 1).values() for _ in range(2))
        blocks = called("fewest_edits", rows_of("g", ({0: words}, {0: others}), timed))
        assert sum(not block["correct"] for block in blocks) == fewest_errors(
            words, others, overlap if timed else any_pair
        )
        assert (blocks[-1]["left_end"], blocks[-1]["right_end"]) == (len(words), len(others))
        for block in blocks:
            if block["left"] and block["right"]:
                word, other = words[block["left_end"] - 1], others[block["right_end"] - 1]
                assert block["correct"] == (word[0] == other[0])
                assert not timed or overlap(word, other)


@pytest.mark.parametrize("batch", [3, 10**6])
def test_a_division_has_the_fewest_errors(batch: int) -> None:
    chance = random.Random(3)
    groups = {f"g{number}": (random_streams(chance, 4), random_streams(chance)) for number in range(40)}
    groups |= {"left only": (random_streams(chance), {}), "right only": ({}, random_streams(chance))}
    found = called(
        "fewest_errors_division", [row for name, each in groups.items() for row in rows_of(name, each, False)], batch
    )

    def errors(name: str, chosen: dict[int, int]) -> int:
        utterances, streams = groups[name]
        given = {
            stream: [word for each, to in chosen.items() if to == stream for word in utterances[each]]
            for stream in streams
        }
        return sum(fewest_errors(given[stream], words, any_pair) for stream, words in streams.items())

    for name, (utterances, streams) in some(groups.items()):
        chosen = {row["left_row"]: row["right_row"] for row in found if row["group"] == name}
        assert list(chosen) == (list(utterances) if streams else [])
        every = (dict(zip(utterances, each, strict=True)) for each in product(streams, repeat=len(utterances)))
        assert not chosen or errors(name, chosen) == min(errors(name, each) for each in every)


def test_of_equally_good_divisions_the_last_utterances_go_to_the_first_streams() -> None:
    said = [("a", Fraction(), Fraction())]
    rows = rows_of("g", ({1: said, 2: said}, {4: said, 5: said}), False)
    assert [row["right_row"] for row in called("fewest_errors_division", rows)] == [5, 4]


def test_a_word_of_a_stream_is_in_one_utterance() -> None:
    """The second utterance is the A of `a b`. So the first one must be the A of the other stream."""
    a, b = (("a", Fraction(), Fraction()), ("b", Fraction(), Fraction()))
    rows = rows_of("g", ({1: [a], 2: [a]}, {4: [a, b], 5: [a]}), False)
    assert [row["right_row"] for row in called("fewest_errors_division", rows)] == [5, 4]


def greedy(
    utterances: list[list[TimedWord]], streams: list[list[TimedWord]], given: list[int], timed: bool
) -> list[int]:
    """The division of meeteval's greedy algorithm: all errors are counted again whenever an utterance could move."""

    def errors(chosen: list[int], substitution: int) -> int:
        total = 0
        for at, stream in enumerate(streams):
            words = [word for said, to in zip(utterances, chosen, strict=True) if to == at for word in said]
            if substitution == 1:
                total += fewest_errors(words, stream, overlap if timed else any_pair)
            else:
                total += fewest_errors(words, stream, lambda a, b: a[0] == b[0] and (not timed or overlap(a, b)))
        return total

    for substitution in (2, 1):
        while True:
            before = list(given)
            for number in range(len(utterances)):
                tried = [[*given[:number], at, *given[number + 1 :]] for at in range(len(streams))]
                found = [errors(each, substitution) for each in tried]
                if min(found) < found[given[number]]:
                    given = tried[found.index(min(found))]
            if given == before:
                break
    return given


@pytest.mark.parametrize("timed", [False, True])
def test_a_greedy_division_is_that_of_meeteval(timed: bool) -> None:
    chance = random.Random(4)
    for _ in range(40):
        utterances, streams = random_streams(chance, 5), random_streams(chance)
        rows = rows_of("g", (utterances, streams), timed)
        given = {utterance: chance.choice([*streams]) for utterance in utterances}
        rows = [row | {"given": given[row["stream"]] if row["side"] == 0 else None} for row in rows]
        found = called("improved_division", rows)
        places = [*streams]
        chosen = greedy([*utterances.values()], [*streams.values()], [places.index(at) for at in given.values()], timed)
        assert [row["left_row"] for row in found] == [*utterances]
        assert [row["right_row"] for row in found] == [places[at] for at in chosen]


def test_an_utterance_can_stay_with_a_stream_without_words() -> None:
    """Stream 7 has no words. A moves to the stream 4, which has A. B stays, because no stream saves an error."""
    said = [[(word, Fraction(), Fraction())] for word in "aba"]
    rows = rows_of("g", ({1: said[0], 2: said[1]}, {4: said[2]}), False)
    rows = [row | {"given": None if row["side"] else 7} for row in rows]
    assert [row["right_row"] for row in called("improved_division", rows)] == [4, 7]


def test_a_table_that_does_not_fit_is_refused() -> None:
    said = [("a", Fraction(), Fraction())] * 99
    rows = rows_of("g", ({1: said}, {1: said, 2: said, 3: said}), False)
    with pytest.raises(RunError, match="to divide utterances needs about 20 MB at once, more than the memory limit"):
        called("fewest_errors_division", rows, room=10**6)
