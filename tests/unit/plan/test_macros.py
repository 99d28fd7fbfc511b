"""SQL macros against what they stand for."""

from __future__ import annotations

import json
import math
import random

import duckdb

from scorespec.catalog.lookup import load_catalog
from scorespec.plan.rendering.macros import create_macros, macros_used


def test_times_are_rounded_as_printf_rounds() -> None:
    """Near a half, where round() of ten thousand times the number may go the other way; also for times of years."""
    chance = random.Random(1)
    halves = [chance.randrange(10**digits) / 10**4 + 0.00005 for digits in range(1, 13) for _ in range(2_000)]
    times = halves + [chance.uniform(0, 10**digits) for digits in range(6) for _ in range(500)]
    macros = macros_used(load_catalog().namespace("term_detection"), ["four_decimals(x)"])
    with duckdb.connect() as connection:
        connection.execute(create_macros(macros))
        rows = connection.execute(
            "SELECT x, four_decimals(x) FROM (SELECT unnest(?::DOUBLE[]) AS x)", [times]
        ).fetchall()
    assert [(x, rounded) for x, rounded in rows if rounded != float(f"{x:.4f}")] == []
    assert any(round(x * 1e4) / 1e4 != rounded for x, rounded in rows), "round() alone would do"


def test_slices_are_ordered_by_size_of_numbers_column_by_column() -> None:
    ordered = ['{"n":-1}', '{"n":"2"}', '{"n":2.5}', '{"n":"3"}', '{"n":10}', '{"n":"a"}']
    ordered_pairs = ['{"t":"a","n":10}', '{"t":"b","n":2}', '{"t":"b","n":10}', '{"u":"a"}']
    macros = macros_used(load_catalog().namespace("term_detection"), ["slice_order(slice)"])
    with duckdb.connect() as connection:
        connection.execute(create_macros(macros))
        for slices in (ordered, ordered_pairs):
            rows = connection.execute(
                "SELECT slice FROM (SELECT unnest(?::JSON[]) AS slice) ORDER BY slice_order(slice)", [slices[::-1]]
            ).fetchall()
            assert [text for (text,) in rows] == slices


def test_slices_are_ordered_by_numbers_then_by_texts() -> None:
    """Numbers may be texts, as in a column of the user's file. A slice has the columns of one breakdown."""
    ordered = [
        {"a": -math.inf}, {"a": -20}, {"a": "-3"}, {"a": 1e-07}, {"a": "0.5"}, {"a": "2"}, {"a": 10, "b": "x"},
        {"a": 10, "b": "y"}, {"a": "1e3"}, {"a": "10 a"}, {"a": "Infinity"}, {"a": "b"}, {"a": "b c"}, {"a": "nan"},
        {"a": None},
    ]  # fmt: skip
    shuffled = random.Random(1).sample(ordered, len(ordered))
    macros = macros_used(load_catalog().namespace(""), ["slice_order(x)"])
    with duckdb.connect() as connection:
        connection.execute(create_macros(macros))
        rows = connection.execute(
            "SELECT x FROM (SELECT unnest(?::JSON[]) AS x) ORDER BY slice_order(x)", [[*map(json.dumps, shuffled)]]
        ).fetchall()
    assert [json.loads(row) for (row,) in rows] == ordered


def test_a_long_row_of_digits_is_a_number() -> None:
    macros = macros_used(load_catalog().namespace(""), ["slice_order(x)"])
    with duckdb.connect() as connection:
        connection.execute(create_macros(macros))
        (key,) = connection.execute("SELECT slice_order(?::JSON)", [json.dumps({"a": "9" * 400})]).fetchone() or ()
    assert key[0]["number"] == math.inf
