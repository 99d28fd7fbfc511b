"""What a database of somebody else, or a query, can and cannot do; and values that few programs can show."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import duckdb
import pytest

import scorespec
from marks import first, slow
from scorespec.plan.rendering.templates import quoted
from scorespec.results import reading
from scorespec.run import attaching

VERSION = 12  # where the header of a DuckDB file has its storage version
FACTOR = 0xBF58476D1CE4E5B9  # of a word of the header in its checksum


@pytest.fixture
def made(folder: Path) -> Path:
    """A database `d.duckdb` with a table, and a view that reads the file `secret.txt`."""
    (folder / "secret.txt").write_text("geheim")
    with duckdb.connect("d.duckdb") as connection:
        connection.execute("CREATE TABLE t AS SELECT 1 AS a; CREATE VIEW spy AS FROM read_text('secret.txt')")
    return folder / "d.duckdb"


# -- which files are opened ------------------------------------------------------------------------


@pytest.mark.parametrize("name", first(["md:x", ":memory:", "postgres:dbname=x", "mysql:host=x", "sqlite:x", "~"], 1))
def test_a_path_is_a_file_and_no_connection_string(score, cli, folder, name):
    for _ in range(2):
        score("-o", name, "--metric", "coverage", "--no-evidence").scored()
    assert (folder / name).is_file()
    assert cli("query", name, "SELECT id FROM runs", "--format", "csv").scored() == "id\n1\n2\n"


def with_version(path: Path, version: int) -> None:
    """Write another storage version into the header of a DuckDB file, with the checksum that belongs to it."""
    data = bytearray(path.read_bytes())
    checksum, before = struct.unpack_from("<QQ", data)
    struct.pack_into("<I", data, VERSION, version)
    (after,) = struct.unpack_from("<Q", data, 8)
    struct.pack_into("<Q", data, 0, checksum ^ before * FACTOR % 2**64 ^ after * FACTOR % 2**64)
    path.write_bytes(data)


def sqlite(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (a)")
    connection.close()


OTHER = {
    "an SQLite database": (sqlite, "it is an SQLite database, and not one of DuckDB"),
    "text": (lambda path: path.write_text("a text\n" * 9999), "it is not a DuckDB database"),
    "nothing": (lambda path: path.write_text(""), "it is empty, and not a DuckDB database"),
    "an old version": (lambda path: with_version(path, 39), "it has storage version 39, and DuckDB "),
    "a new version": (lambda path: with_version(path, 70000), "it has storage version 70000, and DuckDB "),
    "half a header": (lambda path: path.write_bytes(path.read_bytes()[:100]), "IO Error: Could not read enough bytes"),
}


@pytest.mark.parametrize("what", OTHER)
def test_files_of_other_programs_are_refused_in_one_line(score, cli, made, what):
    make, message = OTHER[what]
    make(made)
    before = made.read_bytes()
    for result, begins in (
        (cli("query", "d.duckdb", "SELECT 1"), "error: d.duckdb: cannot be opened: "),
        (score("-o", "d.duckdb", "fragments=nothere.class"), "error: cannot write results to d.duckdb: "),
    ):
        result.refused_with()
        assert result.err.startswith(begins + message)
        assert len(result.err.splitlines()) == 1
    assert made.read_bytes() == before
    assert [each.name for each in made.parent.glob("*duckdb*")] == ["d.duckdb"]


def test_a_name_that_is_no_text(score, cli, made, folder):
    score("-o", "r\udcff.duckdb").refused(
        "error: the argument r\\udcff.duckdb is not UTF-8; rename the file, or link to it", code=2
    )
    made.rename(folder / "d\udcff.duckdb")
    cli("query", "d\udcff.duckdb", "SELECT 1").refused(
        "error: the argument d\\udcff.duckdb is not UTF-8; rename the file, or link to it", code=2
    )


def test_a_question_mark_in_a_path(score, folder):
    (folder / "a?b").mkdir()
    for name in ("r?.duckdb", "a?b/r.duckdb"):
        message = f"error: cannot write results to {name}: DuckDB cannot write to a path with a question mark"
        score("-o", name).refused(message)


# -- what a query can do ---------------------------------------------------------------------------

SETTINGS = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "enable_external_access": "false",
    "lock_configuration": "true",
}


@pytest.mark.parametrize("options", [[], ["--allow-files"]])
def test_no_extension_is_loaded_and_no_setting_changed(cli, made, options):
    names = ", ".join(map(repr, SETTINGS))
    asked = f"SELECT name, value FROM duckdb_settings() WHERE name IN ({names})"
    found = json.loads(cli("query", "d.duckdb", asked, "--format", "json", *options).scored())
    allowed = {"enable_external_access": "true"} if options else {}
    assert {row["name"]: row["value"] for row in found} == SETTINGS | allowed
    for each in ("SET enable_external_access = true", "SET threads = 1", "RESET lock_configuration"):
        cli("query", "d.duckdb", each, *options).refused_with("error: ", "configuration")
    cli("query", "d.duckdb", "FROM read_csv('https://example.com/x.csv')", *options).refused_with("error: ")


READS = [
    "FROM spy",
    "FROM read_text('secret.txt')",
    "COPY t FROM 'secret.txt'",
    "FROM glob('*')",
    "ATTACH 'other.duckdb'",
]
WRITES = ["COPY t TO 'out.csv'", "EXPORT DATABASE 'out'", "COPY t TO 'secret.txt'"]


@pytest.mark.parametrize("sql", [*READS, *WRITES, "INSTALL httpfs", "LOAD httpfs"])
def test_a_query_reads_and_writes_no_files(cli, made, sql):
    before = sorted(made.parent.rglob("*"))
    result = cli("query", "d.duckdb", sql)
    result.refused_with("error: ")
    assert "geheim" not in result.err
    assert sorted(made.parent.rglob("*")) == before
    assert (made.parent / "secret.txt").read_text() == "geheim"


def test_what_is_refused_says_how_it_is_allowed(cli, made):
    cli("query", "d.duckdb", "COPY t TO 'out.csv'").refused_with("hint: `--allow-files` (in Python `allow_files=True`)")


def test_files_if_the_user_wants_them(cli, made, folder):
    allow = ("--allow-files", "--format", "csv")
    assert cli("query", "d.duckdb", "SELECT content FROM spy", *allow).scored() == "content\ngeheim\n"
    cli("query", "d.duckdb", "COPY t TO 'out.csv'", *allow).scored()
    assert (folder / "out.csv").read_text() == "a\n1\n"
    cli("query", "d.duckdb", "DROP TABLE t", *allow).refused_with("read-only")
    cli("query", "d.duckdb", "EXPORT DATABASE 'out' (FORMAT parquet)", *allow).scored()
    with duckdb.connect("again.duckdb") as connection:
        connection.execute("IMPORT DATABASE 'out'")
        assert connection.execute("FROM t").fetchall() == [(1,)]


@pytest.mark.parametrize("sql", ["", " ;\n", "/* SELECT 1 */"])
def test_a_query_without_a_statement_is_refused(cli, made, sql):
    cli("query", "d.duckdb", sql).refused("error: the query has no SQL statement", code=2)


def test_a_name_in_sql_is_no_variable_of_the_program(cli, made):
    for name in ("path", "sql", "connection", "found"):
        cli("query", "d.duckdb", f"FROM {name}").refused_with(f"Table with name {name} does not exist")


def test_a_query_waits_for_a_writer(made, monkeypatch, capsys):
    import scorespec

    monkeypatch.setattr(attaching, "NOTICE", 0.0)
    code = f"import duckdb, sys; held = duckdb.connect({str(made)!r}); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=-1, stdout=-1, text=True) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        pause = attaching.time.sleep

        def ending(seconds: float) -> None:
            writer.communicate()
            pause(seconds)

        monkeypatch.setattr(attaching.time, "sleep", ending)
        assert scorespec.open_results(made).sql("FROM t").to_pylist() == [{"a": 1}]
    assert capsys.readouterr().err.startswith(f"waiting for {made}: another process (")


# -- values ----------------------------------------------------------------------------------------

VALUES = {
    "'infinity'::DATE": "infinity",
    "'-infinity'::TIMESTAMP": "-infinity",
    "'infinity'::TIMESTAMPTZ": "infinity",
    "'20000-01-01'::DATE": "20000-01-01",
    "'290000-01-01'::DATE": "290000-01-01",
    "'0044-03-15 (BC)'::DATE": "0044-03-15 (BC)",
    "'2020-01-02 03:04:05.123456789'::TIMESTAMP_NS": "2020-01-02 03:04:05.123456789",
    "TIME '24:00:00'": "24:00:00",
    "'10:00:00+02'::TIMETZ": "10:00:00+02",
    "INTERVAL '1 month 2 days 3 seconds'": "1 month 2 days 00:00:03",
    "340282366920938463463374607431768211455::UHUGEINT": "340282366920938463463374607431768211455",
    "123456789012345678901234567890123456789012345678::BIGNUM": "123456789012345678901234567890123456789012345678",
    "'a\\xFF'::BLOB": "a\\xFF",
    "'101'::BIT": "101",
    "'00000000-0000-0000-0000-000000000001'::UUID": "00000000-0000-0000-0000-000000000001",
    "MAP {'nan'::DOUBLE: 1}": "{nan=1}",
    "union_value(n := 1)": "1",
    "{'a': 1}::VARIANT": "{'a': 1}",
    "'x'::ENUM ('x', 'y')": "x",
}
NESTED_VALUES = {
    "['infinity'::DATE, NULL]": ["infinity", None],
    "['infinity'::TIMESTAMPTZ]": ["infinity"],
    "[INTERVAL 1 DAY]::INTERVAL[1]": ["1 day"],
    "{'d': 'infinity'::DATE, 'n': 1, 'l': [{'t': TIME '24:00:00'}]}": {
        "d": "infinity",
        "n": 1,
        "l": [{"t": "24:00:00"}],
    },
    "row(1, 'a')": {"element1": 1, "element2": "a"},
    "170141183460469231731687303715884105727::HUGEINT": 170141183460469231731687303715884105727,
    "NULL::DATE": None,
    "MAP {'a': 'nan'::DOUBLE}": [["a", None]],
}


def columns_of(values: Iterable[str]) -> str:
    """A query with a column for each value, whose name is the SQL of the value."""
    return f"SELECT {', '.join(f'{sql} AS {quoted(sql)}' for sql in values)}"


def test_values_that_python_has_not_are_text(cli, made):
    asked = f"{columns_of(VALUES)}, 2 AS a, 3 AS a"
    expected = {**VALUES, "a": 2, "a_1": 3}
    assert json.loads(cli("query", "d.duckdb", asked, "--format", "json").scored()) == [expected]
    written = list(csv.reader(io.StringIO(cli("query", "d.duckdb", asked, "--format", "csv").scored())))
    assert written == [list(expected), [str(value) for value in expected.values()]]
    (shown,) = cli("query", "d.duckdb", asked).scored().splitlines()[1:]
    assert [value for value in VALUES.values() if value not in shown] == []


def test_values_inside_of_others(cli, made):
    asked = columns_of(NESTED_VALUES)
    assert json.loads(cli("query", "d.duckdb", asked, "--format", "json").scored()) == [NESTED_VALUES]
    for format_ in ("csv", "table"):
        assert "['infinity']" in cli("query", "d.duckdb", asked, "--format", format_).scored()


def test_rows_keep_their_order_and_statements_without_rows_print_nothing(cli, made):
    asked = "SELECT i, 'infinity'::DATE AS d FROM range(3) AS t(i) ORDER BY i DESC"
    assert cli("query", "d.duckdb", asked, "--format", "csv").scored() == "i,d\n2,infinity\n1,infinity\n0,infinity\n"
    cli("query", "d.duckdb", "CREATE TEMPORARY TABLE z (a DATE)").scored()


def test_a_question_from_a_file(cli, made, write):
    write("board.sql", "-- the board\nSELECT a + 1 AS b FROM t")
    assert cli("query", "d.duckdb", "--file", "board.sql", "--format", "csv").scored() == "b\n2\n"
    cli("query", "d.duckdb", "--file", "none.sql").refused_with("none.sql: No such file", code=2)
    cli("query", "d.duckdb", "FROM t", "--file", "board.sql").refused_with("or --file", code=2)
    cli("query", "d.duckdb").refused_with("give the query, or --file", code=2)


def test_text_in_double_quotes_is_taken_for_a_name(cli, made):
    hint = "hint: SQL puts text in single quotes, names in double quotes: 'token'"
    cli("query", "d.duckdb", 'FROM t WHERE a = "token"').refused_with(hint)
    assert "hint" not in cli("query", "d.duckdb", "SELECT token FROM t").err


def test_a_table_that_is_not_there_and_where_evidence_is(cli, made):
    """DuckDB's own guess, a table of its catalog, is left out."""
    said = cli("query", "d.duckdb", "FROM alignment").err
    hint = "hint: the rows that explain scores are in tables `evidence_…`; SHOW TABLES lists them"
    assert said.endswith(f"alignment does not exist!\n{hint}\n")


def test_whole_numbers_have_no_decimals_also_among_rates(cli, made):
    asked = "SELECT unnest([0, 1, 60, 0.5, 2e-5]::DOUBLE[]) AS value"
    assert cli("query", "d.duckdb", asked).scored().split() == ["value", "0", "1", "60", "0.5000", "2e-05"]


@pytest.mark.slow
def test_rows_are_printed_as_they_are_found(made):
    """The first rows are printed long before all are there, and none is looked for once nobody reads."""
    asked = "SELECT i, repeat('x', 100) AS text FROM range(1_000_000_000_000) AS t(i)"
    for format_ in ("table", "csv", "json"):
        command = [sys.executable, "-m", "scorespec", "query", "d.duckdb", asked, "--format", format_]
        with subprocess.Popen(command, stdout=-1, stderr=-1, text=True) as query:
            assert query.stdout is not None
            assert query.stderr is not None
            first = [query.stdout.readline() for _ in range(5)]
            query.stdout.close()
            assert (query.stderr.read(), query.wait(timeout=60)) == ("", 141)
        assert "x" * 100 in "".join(first)


@slow
def test_an_error_behind_the_first_rows(cli, made):
    """DuckDB computes as many rows ahead as fit into a buffer, so that there must be many more bytes."""
    late = "CASE WHEN i = 540_000 THEN error('late') ELSE i END"
    asked = f"SELECT {late} AS i, repeat('x', 100) AS x FROM range(600_000) AS t(i)"
    result = cli("query", "d.duckdb", asked, "--format", "csv")
    assert (result.code, result.out[:8]) == (1, "i,x\n0,xx")
    assert result.err == "error: Invalid Input Error: late\n"


def test_batches_in_python(made):
    import scorespec

    with scorespec.open_results(made).stream("SELECT i FROM range(10_000) AS t(i)") as rows:
        sizes = [batch.num_rows for batch in rows]
    assert (sum(sizes), len(sizes) > 1) == (10_000, True)


def test_a_database_is_opened_once_in_a_block(made, monkeypatch):
    other, opened, attach = Path(shutil.copy(made, "e.duckdb")), [], reading.attach
    monkeypatch.setattr(reading, "attach", lambda *given, **more: (opened.append(given[1]), attach(*given, **more))[1])

    with reading.opened_once(made, "main"), reading.opened_once(other, "main"):
        for path in (made, other, made):
            sql = "SELECT current_setting('enable_external_access'), a FROM t"
            assert scorespec.Results(path).sql(sql).num_rows == 1
        assert opened == [made, other]
        scorespec.Results(made).sql("FROM spy", allow_files=True)
    scorespec.Results(made).sql("FROM t")
    assert opened == [made, other, made, made]


@pytest.mark.parametrize("name", ["scores.csv", "scores.PARQUET", "scores.json"])
def test_results_are_no_table(score, folder, name):
    score("-o", name).refused_with("write -o results.duckdb, and then `scorespec query results.duckdb")
    assert not (folder / name).exists()


def test_an_interrupted_query_is_an_interrupt(cli, made, monkeypatch):
    """DuckDB says of Ctrl-C during a query that it is a RuntimeError."""

    def interrupted(found):
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr(reading, "_as_text", interrupted)
    cli("query", "d.duckdb", "SELECT 1").refused("interrupted", code=130)
