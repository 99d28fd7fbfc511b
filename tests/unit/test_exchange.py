"""Tables that tasks exchange as files: divided in any way, together they are the same rows of the same types."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyarrow.parquet import ParquetFile

from scorespec.errors import RunError
from scorespec.parts.exchange import TableFiles, write_table
from scorespec.parts.stages import AS_MADE
from scorespec.plan.plan import ROWS
from scorespec.run import table_files
from scorespec.run.limits import Limits
from scorespec.run.session import Session, open_session

PARTS = 3
# Values that a file could change: halves of HUGEINTs, signs of zeros, NaN, texts that look like others, nothing.
ROWS_OF = {
    "flat": """
        SELECT range AS number, 'k' || range % 7 AS key, range * 1000000000000000000000000000001::HUGEINT - 5 AS huge,
            [0.0::DOUBLE, -0.0, 'nan', 'inf', NULL, 0.1][range % 6 + 1] AS real, (range / 8)::DECIMAL(18, 3) AS exact,
            range % 3 = 0 AS truth, DATE '2020-01-01' + range::INTEGER AS day, {'a': range, 'b': 'x' || range} AS pair,
            [range, NULL, -range] AS short, json_object('a', range) AS json
        FROM range(200)
    """,
    "nested": "SELECT range AS number, 'k' || range % 7 AS key, [[range * 0.5e0, -0.0], [], NULL] AS x FROM range(200)",
    "long": "SELECT range AS number, 'k' || range % 7 AS key, range(range * 9) AS long FROM range(200)",
    "empty": "SELECT 1 AS number, 'a' AS key, 1::HUGEINT AS huge, [[1.0e0]] AS deep WHERE false",
}


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with open_session(Limits("500MB", 2, tmp_path)) as opened:
        opened.let_read(tmp_path)
        opened.lock()
        for name, sql in ROWS_OF.items():
            opened.make(name, sql)
        yield opened


def rows(session: Session, sql: str) -> str:
    """All rows with the types of their columns; `repr` tells 0.0 from -0.0."""
    found = session.connection.sql(f"FROM ({sql}) ORDER BY number")
    return repr((found.columns, [str(kind) for kind in found.types], found.fetchall()))


def written(session: Session, name: str, folder: Path, *divisions: str | None) -> TableFiles:
    folder.mkdir()
    return write_table(session, name, folder, divisions, PARTS)


@pytest.mark.parametrize("name", ROWS_OF)
@pytest.mark.parametrize("division", [None, "key", "number", ROWS])
def test_the_rows_come_back_whole_and_in_parts(session, tmp_path, name, division):
    table = written(session, name, tmp_path / "written", division)
    expected = rows(session, f"FROM {name}")
    assert name != "flat" or "HUGEINT" in expected
    assert rows(session, table.whole().query) == expected
    if division is not None:
        parts = " UNION ALL ".join(f"({table.part(division, part).query})" for part in range(PARTS))
        assert rows(session, parts) == expected
    assert [(table.rows,)] == session.rows(f"SELECT count(*) FROM {name}")
    files = [Path(path) for path in table.paths()]
    assert sum(each.stat().st_size for each in files) == table.bytes


@pytest.mark.parametrize("name", ["flat", "nested", "long"])
def test_equal_values_are_in_one_part_and_each_part_has_some(session, tmp_path, name):
    table = written(session, name, tmp_path / "written", "key", ROWS)
    for division in ("key", ROWS):
        assert all(table.part(division, part).paths for part in range(PARTS))
    keys = [
        {*session.connection.execute(f"SELECT DISTINCT key FROM ({table.part('key', part).query})").fetchall()}
        for part in range(PARTS)
    ]
    assert sum(map(len, keys)) == len(set().union(*keys)) == 7


def test_the_tables_of_several_tasks_are_one(session, tmp_path):
    together = TableFiles({})
    for part in range(PARTS):
        session.make(f"t{part}", f"FROM flat WHERE number % {PARTS} = {part}")
        folder = tmp_path / str(part)
        folder.mkdir()
        table = write_table(session, f"t{part}", folder, ["key", None], PARTS, part)
        together.columns = table.columns
        together.add(table)
    assert (together.rows, rows(session, together.whole().query)) == (200, rows(session, "FROM flat"))
    own = session.connection.execute(f"SELECT DISTINCT number % {PARTS} FROM ({together.part(AS_MADE, 1).query})")
    assert own.fetchall() == [(1,)]


def test_long_lists_are_written_in_small_row_groups(session, tmp_path, monkeypatch):
    monkeypatch.setattr(table_files, "GROUP_BYTES", 10_000)
    (path,) = written(session, "long", tmp_path / "written", None).paths()
    assert ParquetFile(path).metadata.num_row_groups > 2


def test_a_type_that_files_do_not_hold_is_refused(session, tmp_path):
    session.make("timed", "SELECT 1 AS number, INTERVAL 1 MONTH AS age")
    with pytest.raises(RunError, match="the table timed has a column that files cannot hold exactly"):
        written(session, "timed", tmp_path / "written", None)
