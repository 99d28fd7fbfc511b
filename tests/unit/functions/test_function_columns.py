"""Whatever the input of a function has: rows, or one message that names the function and the column."""

from __future__ import annotations

import datetime
import textwrap
from decimal import Decimal
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import toy
from marks import for_each, some
from scorespec.errors import SpecError
from scorespec.functions import RELATION_FUNCTIONS

COSTS = dict.fromkeys(("substitution_cost", "deletion_cost", "insertion_cost", "optional_cost"), 3)
WEIGHTS = dict.fromkeys(("phone_cost", "boundary_cost", "least_cost", "class_cost", "word_cost", "group_cost"), 0.5)
WEIGHTS |= {"block_words": 3}
MEL = {"mel_rate": 8000.0, "mel_window": 64, "mel_hop": 32, "mel_bands": 4, "mel_low": 10.0, "mel_high": 3000.0}
MEL |= {"mel_full_scale": 0.15, "mel_floor": 1e-5, "mel_dynamics": 80.0}
FLAT, NESTED = [[1.0, 2.0, 3.0, 4.0, 6.0]] * 2, [[[1.0, 2.0]] * 5] * 2
SIDES = {"side": [0, 1], "text": ["a", "b"]}

INPUTS: dict[str, tuple[dict[str, list[Any]], dict[str, Any]]] = {
    "pairwise_edit_distance": ({"text": ["a", "b"], "weight": [1, 2]}, {}),
    "minimal_path_pairs": (
        {"text_a": ["abc", "ab"], "text_b": ["bc", "b"]},
        {"min_size": None, "least_size": 1, "max_size": 20},
    ),
    "cheapest_edits": ({**SIDES, "optional": [False, True]}, COSTS),
    "normalize_text": ({"text": ["a", "b"]}, {"normalize": "basic"}),
    "fewest_edits": ({**SIDES, "begin": [0.0, 1.0], "end": [1.0, 2.0]}, {}),
    "stream_distances": ({**SIDES, "stream": [0, 0], "begin": [0.0, 1.0], "end": [1.0, 2.0]}, {}),
    "fewest_errors_division": ({**SIDES, "stream": [0, 0]}, {}),
    "improved_division": (
        {**SIDES, "stream": [0, 0], "begin": [0.0, 1.0], "end": [1.0, 2.0], "given": [0, 0]},
        {},
    ),
    "phonetic_alignment": ({**SIDES, "sounds": ["A", "B"]}, {**WEIGHTS, "phones": ("A=vowel", "B=stop")}),
    "longest_chain": ({"left_place": [1, 2], "right_place": [1, 2]}, {"anchor_words": 1}),
    "cheapest_branches": (
        {**SIDES, "optional": [False, True], "alternation": [-1, 0], "branch": [-1, 0], "fragment": [False, True]},
        COSTS,
    ),
    "best_matching": (
        {"left_row": [1, 2], "right_row": [1, 1], "gain_1": [1, 2], "gain_2": [0.5, 1.0], "gain_3": [0, 0]},
        {},
    ),
    "first_best_matching": ({"left_row": [1, 2], "right_row": [1, 1], "gain_1": [1, 2]}, {}),
    "pool_adjacent_violators": ({"score": [0.1, 0.2], "positives": [0, 1], "negatives": [1, 0]}, {}),
    "rmse": ({"x": FLAT, "reference_x": FLAT, "y": NESTED, "reference_y": NESTED}, {"broadcast": True}),
    "resample_to_longer": ({"x": FLAT, "reference_x": FLAT}, {}),
    "channel_means": ({"mean_x": FLAT, "x": NESTED}, {}),
    "log_mel": (
        {"log_mel": [None, None], "signal": FLAT, "rate": [8000.0, None]}
        | {"reference_log_mel": NESTED, "reference_signal": [None, None], "reference_rate": [None, None]},
        MEL,
    ),
    "differences": ({"sequence": NESTED}, {}),
    "substitute_text": (
        {"row": [0, 1], "side": [-1, 0], "stretch": [-1, 0], "text": ["a", "a"], "replacement": ["b", None]}
        | {"before": ["", None], "after": ["", None], "ignore_case": [False, None], "hyphenated": [False, False]}
        | {"entity": [-1, -1]},
        {},
    ),
}  # fmt: skip
TYPES = {"log_mel": pa.list_(pa.list_(pa.float64())), "reference_signal": pa.list_(pa.float64())}
TYPES |= {"reference_rate": pa.float64()}

COLUMNS: dict[str, pa.Array] = {
    "text": pa.array(["1", "x"]),
    "long text": pa.array(["1", "x"], pa.large_string()),
    "number": pa.array([0.5, 1.0]),
    "single": pa.array([0.5, 1.0], pa.float32()),
    "huge": pa.array([1e308, -1e308]),
    "infinity": pa.array([float("inf"), float("-inf")]),
    "nan": pa.array([1.0, float("nan")]),
    "whole": pa.array([0, 1]),
    "largest": pa.array([2**63 - 1, -(2**63)]),
    "unsigned": pa.array([1, 2**64 - 1], pa.uint64()),
    "decimal": pa.array([Decimal(10**37), Decimal(1)], pa.decimal128(38, 0)),
    "truth": pa.array([True, False]),
    "list": pa.array([[1.0], [2.0, float("nan")]]),
    "empty lists": pa.array([[], []], pa.list_(pa.float64())),
    "single list": pa.array([[1.0], [2.0]], pa.list_(pa.float32())),
    "lists of lists": pa.array([[[1.0]], [[2.0, 3.0], [4.0]]]),
    "large list": pa.array([[1.0], [2.0]], pa.large_list(pa.float64())),
    "array": pa.array([[1.0], [2.0]], pa.list_(pa.float64(), 1)),
    "texts": pa.array([["a"], ["b"]]),
    "struct": pa.array([{"a": 1}, {"a": 2}]),
    "date": pa.array([datetime.date(2020, 1, 1)] * 2),
    "timestamp": pa.array([datetime.datetime(2020, 1, 1)] * 2),
    "duration": pa.array([datetime.timedelta(1)] * 2),
    "interval": pa.array([(1, 2, 3)] * 2, pa.month_day_nano_interval()),
    "bytes": pa.array([b"\xff", b""]),
    "enum": pa.array(["a", "b"]).dictionary_encode(),
    "nothing": pa.nulls(2),
    "null text": pa.array(["a", None]),
    "null number": pa.array([None, 1.0]),
    "null whole": pa.array([1, None]),
    "null truth": pa.array([None, True]),
    "null list": pa.array([[1.0], None]),
}


def table(name: str) -> pa.Table:
    source = INPUTS[name][0]
    columns = {column: pa.array(values, TYPES.get(column)) for column, values in source.items()}
    return pa.table({"group": ["g", "g"], **columns})


def called(name: str, source: pa.Table, **settings: Any) -> pa.Table:
    function = RELATION_FUNCTIONS[name]
    rows = function.call(iter(source.to_batches()), source.schema, **{**INPUTS[name][1], **settings})
    return pa.Table.from_batches(list(rows), function.schema(source.schema))


def test_every_function_is_here() -> None:
    assert set(INPUTS) == set(RELATION_FUNCTIONS)


@for_each(name=INPUTS)
def test_what_is_fed_here_is_well(name: str) -> None:
    called(name, table(name)).validate(full=True)


@for_each(name=INPUTS, kind=COLUMNS)
def test_a_column_of_any_type(name: str, kind: str) -> None:
    source = table(name)
    for at, column in some(enumerate(source.column_names)):
        try:
            called(name, source.set_column(at, column, COLUMNS[kind])).validate(full=True)
        except ValueError as error:
            message = str(error)
            assert (
                message.startswith(f"the input of {name} has ")
                or message == "the rows of a group must be ordered by side"
            )
            assert column.removeprefix("reference_") in message or column == "side" or "pair of columns" in message
            assert "\n" not in message


@for_each(name=INPUTS)
def test_a_column_that_is_missing_or_there_twice(name: str) -> None:
    source = table(name)
    for at, column in some(enumerate(source.column_names[1:], 1)):
        try:
            called(name, source.remove_column(at))
        except ValueError as error:
            if not str(error).startswith(f"the input of {name} has no "):
                raise
        with pytest.raises(ValueError, match=f"^the input of {name} has more than one column '{column}'$"):
            called(name, source.append_column(column, source[column]))


WRONG = ["x", None, True, 1e300, -1, 2**63, float("nan"), float("inf"), ("a",), 0]


@for_each(value=WRONG, name=[name for name in INPUTS if INPUTS[name][1]])
def test_a_parameter_of_any_type(name: str, value: Any) -> None:
    from scorespec.errors import UsageError

    for setting in some(INPUTS[name][1]):
        try:
            called(name, table(name), **{setting: value})
        except ValueError as error:
            assert str(error).startswith(f"function {name} takes {setting!r} ")  # noqa: PT017
        except UsageError as error:
            assert setting in str(error)  # noqa: PT017


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("'x' AS weight", "'weight' as VARCHAR; it must be BIGINT"),
        ("NULL::INT AS weight", "NULL in column 'weight' (row 1)"),
        (
            "2 AS weight, [file] AS files",
            "'files' as VARCHAR[]; it must be of a type that can be compared",
        ),
        (
            "3e9::BIGINT AS weight",
            "3000000000 in column 'weight' (row 1); it must be between -2.14748e+09",
        ),
    ],
)
def test_a_column_that_does_not_fit_a_function_is_refused_with_its_place(column: str, said: str) -> None:
    document = textwrap.dedent(f"""
    relations:
      pairs:
        about: x
        needs: [answers]
        function: pairwise_edit_distance
        input: SELECT item AS text, {column} FROM {{{{ answers }}}}
        sql: FROM {{{{ rows }}}}
    metrics:
      all: {{about: x, kind: statistics, from: pairs, statistics: {{n: count(*)}}, components: {{n: n}}}}
    """)
    with pytest.raises(SpecError) as caught:
        toy.score(document, metrics=["all"])
    assert f": relation pairs: the input of pairwise_edit_distance has {said}" in str(caught.value)
    assert str(caught.value.place) in str(caught.value)


def test_null_is_a_group_of_its_own() -> None:
    groups = ["a", "a", None, None, "b", "b"]
    source = pa.table({"group": groups, "text": list("abcdef"), "weight": [1] * 6})
    found = called("pairwise_edit_distance", source)
    assert found["group"].to_pylist() == ["a", None, "b"]
    grouped = duckdb.sql('SELECT "group" FROM source GROUP BY ALL ORDER BY ALL').fetchall()
    assert len(grouped) == 3
