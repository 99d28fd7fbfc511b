"""Columns of Parquet files and of tables in memory: what is read as what, and what is refused in which words."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import DATA

import scorespec
from scorespec.catalog.model import Column, Table
from scorespec.errors import InputError, UsageError
from scorespec.formats.format import TRUTH
from scorespec.run.inputs.loading import load
from scorespec.run.inputs.sources import find_source
from scorespec.run.limits import Limits
from scorespec.run.session import open_session

BIG = 2**53


def table_of(*columns: Column) -> Table:
    names = tuple(column.name for column in columns)
    nowhere: Any = None
    return Table("rows", "", "", "", nowhere, columns, names[:1], "keep", (), ("parquet",), 0)


def loaded(given: Any, *columns: Column) -> list[tuple[Any, ...]]:
    """The rows of an input; raises InputError with all that is wrong."""
    with open_session(Limits("500MB", 1)) as session:
        done = load(session, find_source(table_of(*columns), given))
        if done.problems:
            raise InputError([done.problems])
        return session.rows("FROM rows ORDER BY line")


@pytest.fixture(params=["memory", "parquet", "in place"])
def form(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """How a table of one column x is given, and with which other columns; in place there is a list, too."""

    def read(values: pa.Array, kind: str, **more: Any) -> list[Any]:
        columns = [Column("x", kind, **more)]
        table = pa.table({"x": values})
        if request.param == "in place":
            columns.append(Column("list", "DOUBLE[]"))
            table = table.append_column("list", pa.array([[1.0]] * len(values)))
        if request.param != "memory":
            try:
                pq.write_table(table, tmp_path / "x.parquet")
            except pa.ArrowNotImplementedError:
                if not pa.types.is_string_view(values.type):
                    raise
                pytest.skip(f"pyarrow {pa.__version__} cannot write the Arrow type string_view to a Parquet file")
        return [row[1] for row in loaded(table if request.param == "memory" else tmp_path / "x.parquet", *columns)]

    return read


HELD = {
    ("DOUBLE", "int64"): pa.array([BIG, -BIG, 0, None]),
    ("DOUBLE", "uint64"): pa.array([BIG, None], pa.uint64()),
    ("DOUBLE", "decimal"): pa.array([Decimal(BIG)], pa.decimal128(38, 0)),
    ("DOUBLE", "decimal256"): pa.array([Decimal(BIG), None], pa.decimal256(38, 0)),
    ("BIGINT", "decimal"): pa.array([Decimal(2**63 - 1), None], pa.decimal128(38, 0)),
    ("BIGINT", "decimal with a fraction"): pa.array([Decimal("-3.00"), None], pa.decimal128(9, 2)),
    ("BIGINT", "decimal of fractions"): pa.array([Decimal(-3), Decimal(0), None], pa.decimal128(38, 37)),
    ("INTEGER", "int8"): pa.array([-128, 127, None], pa.int8()),
    ("BIGINT", "uint16"): pa.array([2**16 - 1], pa.uint16()),
    ("VARCHAR", "large_string"): pa.array(["a", "", None], pa.large_string()),
    ("VARCHAR", "string_view"): pa.array(["a", "", None], pa.string_view()),
    ("VARCHAR", "dictionary"): pa.array(["a", "", None]).dictionary_encode(),
    ("BIGINT", "dictionary of numbers"): pa.array([7, None]).dictionary_encode(),
    ("BIGINT", "uint64"): pa.array([2**63 - 1, None], pa.uint64()),
    ("BIGINT", "int64"): pa.array([2**63 - 1, -(2**63)]),
    ("INTEGER", "int64"): pa.array([2**31 - 1, -(2**31)]),
    ("BOOLEAN", "float64"): pa.array([1.0, 0.0, None]),
    ("BOOLEAN", "float32"): pa.array([1.0, 0.0, None], pa.float32()),
}
LOST = {
    ("DOUBLE", "int64"): (pa.array([1, BIG + 1, -BIG - 1]), "has more digits than DOUBLE keeps"),
    ("DOUBLE", "uint64"): (pa.array([1, 2**64 - 1, 2**63], pa.uint64()), "has more digits than DOUBLE keeps"),
    ("DOUBLE", "decimal"): (
        pa.array([Decimal(1), Decimal(10**37), Decimal(BIG + 1)], pa.decimal128(38, 0)),
        "has more digits than DOUBLE keeps",
    ),
    ("BIGINT", "uint64"): (pa.array([1, 2**63, 2**64 - 1], pa.uint64()), "does not fit into BIGINT"),
    ("BIGINT", "decimal"): (
        pa.array([Decimal("1.0"), Decimal("1.5"), Decimal(10**30)], pa.decimal128(38, 1)),
        "does not fit into BIGINT",
    ),
    ("INTEGER", "int64"): (pa.array([1, 2**31, -(2**31) - 1]), "does not fit into INTEGER"),
    ("BOOLEAN", "int8"): (pa.array([1, 2, -1], pa.int8()), f"is not {TRUTH}"),
    ("BOOLEAN", "float64"): (pa.array([1.0, 0.5, 2.0]), f"is not {TRUTH}"),
    ("BOOLEAN", "texts"): (pa.array(["tgt", "impo", ""]), f"is not {TRUTH}"),
}


@pytest.mark.parametrize(("kind", "found"), HELD)
def test_whole_numbers_that_fit(form: Any, kind: str, found: str) -> None:
    assert form(HELD[kind, found], kind, nullable=True) == HELD[kind, found].to_pylist()


SINGLE = [0.03, 1e-7, 16777216.0, 3.4e38, float("inf"), None]  # the shortest decimals of numbers in single precision


def test_single_precision_is_the_shortest_decimal_that_it_stands_for(form: Any) -> None:
    assert form(pa.array(SINGLE, pa.float32()), "DOUBLE", nullable=True) == SINGLE


def test_half_precision_is_a_number_in_single_precision(form: Any) -> None:
    values = pa.array(np.array([0.5, -2.0, 65504.0, 0.0], np.float16), mask=np.array([False, False, False, True]))
    assert form(values, "DOUBLE", nullable=True) == [0.5, -2.0, 65504.0, None]


def test_single_precision_is_no_whole_number(form: Any) -> None:
    with pytest.raises(InputError, match="column 'x' is FLOAT; it must be BIGINT"):
        form(pa.array([1.0], pa.float32()), "BIGINT")


@pytest.mark.parametrize(("kind", "found"), LOST)
def test_whole_numbers_that_would_lose_digits_are_told_by_row(form: Any, kind: str, found: str) -> None:
    values, said = LOST[kind, found]
    with pytest.raises(InputError) as caught:
        form(values, kind)
    lines = str(caught.value).splitlines()
    assert [line.partition("x ")[2] for line in lines] == [f"{said}: {value}" for value in values.to_pylist()[1:]]
    assert [line.split(":")[-3] for line in lines] == ["2", "3"]


ANOTHER = {
    "DURATION[S]": pa.array([datetime.timedelta(seconds=1)], pa.duration("s")),
    "TIMESTAMP": pa.array([1], pa.timestamp("us")),
    "TIME": pa.array([1], pa.time64("us")),
    "DATE": pa.array([1], pa.date32()),
    "BOOLEAN": pa.array([True]),
    "VARCHAR": pa.array(["1"]),
    "BLOB": pa.array([b"1"]),
}


# The names in memory, and in files of earlier versions of pyarrow.
OTHERWISE = {"DURATION[S]": "INTERVAL", "TIME": "TIME WITH TIME ZONE"}


@pytest.mark.parametrize("kind", ["DOUBLE", "BIGINT"])
@pytest.mark.parametrize("found", ANOTHER)
def test_other_types_are_no_numbers(form: Any, found: str, kind: str) -> None:
    with pytest.raises(InputError) as caught:
        form(ANOTHER[found], kind)
    names = (found, OTHERWISE.get(found, found))
    assert any(f"column 'x' is {name}; it must be {kind}" in str(caught.value) for name in names)


def test_a_duration_is_no_list(form: Any) -> None:
    """The unit in the name of its type stands in brackets."""
    with pytest.raises(InputError, match=r"column 'x' is (DURATION\[S\]|INTERVAL); it must be DOUBLE\[\]"):
        form(ANOTHER["DURATION[S]"], "DOUBLE[]")


def test_a_column_without_values_is_empty_where_it_may_be(form: Any) -> None:
    assert form(pa.nulls(2), "DOUBLE", nullable=True) == [None, None]
    assert form(pa.nulls(2), "VARCHAR", nullable=True) == [None, None]


def test_true_and_false_as_texts(form: Any) -> None:
    values = pa.array([True, False, None])
    assert form(values, "VARCHAR", booleans=("YES", "NO")) == ["YES", "NO", None]


TRUE_FALSE_MISSING = {
    "int64": pa.array([1, 0, None]),
    "uint8": pa.array([1, 0, None], pa.uint8()),
    "decimal": pa.array([Decimal(1), Decimal(0), None], pa.decimal128(3, 0)),
    "texts": pa.array(["Target", "nontarget", None]),
    "dictionary": pa.array(["tgt", "imp", None]).dictionary_encode(),
}


@pytest.mark.parametrize("found", TRUE_FALSE_MISSING)
def test_true_and_false_are_written_as_in_text_files(form: Any, found: str) -> None:
    assert form(TRUE_FALSE_MISSING[found], "BOOLEAN", nullable=True) == [True, False, None]


def test_numbers_that_duckdb_does_not_read() -> None:
    decimals = pa.table({"x": pa.array([Decimal("1.5")], pa.decimal256(50, 1))})
    with pytest.raises(UsageError, match=r"\(decimal256\(50, 1\): decimals may have at most 38 digits\)"):
        loaded(decimals, Column("x", "DOUBLE"))
    polars = pytest.importorskip("polars", "1.18")
    long = polars.DataFrame({"x": polars.Series([1], dtype=polars.Int128)})
    with pytest.raises(UsageError, match=r"numbers of at most 64 bits$"):
        loaded(long, Column("x", "DOUBLE"))
    with pytest.raises(InputError, match=r"Integers with more than 64 bits not implemented$"):
        loaded(long.lazy(), Column("x", "DOUBLE"))


@pytest.mark.slow
def test_decisions_may_be_booleans() -> None:
    small = DATA.parent / "term_detection" / "small"
    rows: dict[str, list[Any]] = {"query": ["Q1"] * 2, "doc": ["d01"] * 2, "channel": ["1"] * 2, "tbeg": [10.0, 12.0]}
    rows |= {"dur": [1.0, 1.0], "score": [0.9, 0.5]}
    inputs = {"queries": small / "queries.tsv", "references": small / "refs.tsv", "audio": small / "docs.tsv"}
    scored = [
        scorespec.score("std2006", **inputs, detections=pa.table(rows | {"decision": decisions}), keep_evidence=False)
        for decisions in (["YES", "NO"], [True, False], ["YES", "YES"])
    ]
    assert scored[0].table() == scored[1].table() != scored[2].table()


NAMES = {
    ("x", "x"): "there is more than one column 'x'",
    ("x", "X"): "the columns 'x' and 'X' differ only in case",
    ("X", "x"): "the columns 'X' and 'x' differ only in case",
}


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("in_memory", [True, False])
def test_a_name_that_is_there_twice(tmp_path: Path, names: tuple[str, str], in_memory: bool) -> None:
    nested = pa.array([{"x": 1, "y": {"x": 2}}])  # names inside another column are not those of columns
    table = pa.table([nested, pa.array([1]), pa.array([2])], names=["other", *names])
    pq.write_table(table, tmp_path / "x.parquet")
    with pytest.raises(InputError, match=NAMES[names]):
        loaded(table if in_memory else tmp_path / "x.parquet", Column("x", "BIGINT"))
    unused = table.append_column("y", pa.array([3]))
    pq.write_table(unused, tmp_path / "y.parquet")
    assert loaded(unused if in_memory else tmp_path / "y.parquet", Column("y", "BIGINT")) == [(1, 3)]


def test_a_name_may_be_repeated_inside_other_columns(tmp_path: Path) -> None:
    table = pa.table({"other": [{"x": 1, "y": {"x": 2}}], "lists": [[{"x": 3}]], "x": [4]})
    pq.write_table(table, tmp_path / "x.parquet")
    assert loaded(tmp_path / "x.parquet", Column("x", "BIGINT")) == [(1, 4)]
