"""`scorespec export`: the tables of results as Parquet, which DuckDB reads again."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest
from command_line import INPUTS, SUITE

import scorespec
from scorespec.results import adding
from scorespec.results.schema import ResultTables

PARTITIONED = {"curves", "dropped_rows", "evidence_alignment", "evidence_tokens", "inputs", "scores", "unit_statistics"}


@pytest.fixture(scope="session")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results with three runs of two suites, the second of which supersedes the first, and a table of the user."""
    from examples import inputs_of

    path = tmp_path_factory.mktemp("campaign") / "r.duckdb"
    for suite, metric in (("std2006", "mtwv"), ("std2006", "mtwv"), ("articulation", "loudness")):
        scorespec.score(suite, inputs=inputs_of(suite), metrics=metric, output=path, name="a", corpus="c")
    with duckdb.connect(str(path)) as connection:  # tables in memory have no hash, and supersede nothing
        connection.execute("UPDATE runs SET superseded_by = 2 WHERE id = 1; CREATE TABLE mine AS SELECT 1 AS run")
    return path


@pytest.fixture
def results(campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(campaign, "r.duckdb"))


def tables_of(path: Path) -> dict[str, tuple[list[tuple[object, ...]], dict[str, str]]]:
    """The rows of each table, and the types of its columns."""
    with duckdb.connect(str(path), read_only=True) as connection:
        names = connection.sql("SELECT table_name FROM duckdb_tables()").fetchall()
        return {name: _rows_and_types(connection.table(name)) for (name,) in names}


def read_again(name: str) -> tuple[list[tuple[object, ...]], dict[str, str]]:
    """A table of the folder `archive`: its rows in their order, and the types of its columns."""
    path = Path("archive", f"{name}.parquet")
    place = path if path.exists() else f"archive/{name}/*/*.parquet"
    with duckdb.connect() as connection:
        found = connection.sql(f"FROM read_parquet('{place}', hive_partitioning = true)")
        if "run" in found.columns:  # the first column of every table that has it
            found = found.project("run, * EXCLUDE (run)")
        return _rows_and_types(found)


def _rows_and_types(found: duckdb.DuckDBPyRelation) -> tuple[list[tuple[object, ...]], dict[str, str]]:
    rows = [tuple(row.values()) for row in found.to_arrow_table().to_pylist()]
    return rows, dict(zip(found.columns, map(str, found.types), strict=True))


def test_every_table_is_as_it_was(results, cli):
    before = tables_of(results)
    del before["mine"]
    printed = cli("export", "r.duckdb", "archive").scored().splitlines()
    assert printed == [
        f"{name}: {len(rows):,} row{'s'[len(rows) == 1 :]}" for name, (rows, _) in sorted(before.items())
    ]
    assert before.keys() >= PARTITIONED
    for name, table in before.items():
        if table[0]:
            assert read_again(name) == table
        else:
            assert list(Path("archive", name).iterdir()) == []
    assert {path.stem for path in Path("archive").iterdir()} == before.keys()


def test_a_run_has_a_file_of_its_own(results, cli):
    cli("export", "r.duckdb", "archive").scored()
    assert sorted(map(str, Path("archive").rglob("scores/*/*"))) == [
        f"archive/scores/run={run}/data_0.parquet" for run in (1, 2, 3)
    ]
    assert Path("archive/runs.parquet").is_file()
    assert not [*Path("archive").glob(".*")]


def test_superseded_runs_can_be_left_out(results):
    found = scorespec.open_results(results)
    assert found.export("archive", current=True)["runs"] == 2
    for name in ("runs", "scores", "inputs"):
        assert {number for number, *_ in read_again(name)[0]} == {2, 3}


def test_the_same_results_make_the_same_bytes(results):
    found = scorespec.open_results(results)
    found.export("archive")
    found.export("other")
    files = sorted(path.relative_to("archive") for path in Path("archive").rglob("*.parquet"))
    assert Path("curves/run=1/data_0.parquet") in files
    assert files == sorted(path.relative_to("other") for path in Path("other").rglob("*.parquet"))
    assert all(Path("archive", each).read_bytes() == Path("other", each).read_bytes() for each in files)


def test_many_runs_keep_their_order(tmp_path):
    """More runs than files that DuckDB has open at once, with more rows than it writes at once."""
    with duckdb.connect(str(tmp_path / "r.duckdb")) as connection:
        ResultTables(connection, "main", "r").make()
        connection.execute("INSERT INTO runs (id, suite) SELECT range, 's' FROM range(150)")
        connection.execute("CREATE TABLE evidence_rows AS SELECT range // 5000 AS run, range AS n FROM range(750000)")
    scorespec.open_results(tmp_path / "r.duckdb").export(tmp_path / "archive")
    with duckdb.connect() as connection:
        found = connection.sql(
            f"SELECT run, count(*), count(DISTINCT filename), count(*) FILTER (n = 5000 * run + file_row_number) "
            f"FROM read_parquet('{tmp_path}/archive/evidence_rows/*/*.parquet', hive_partitioning = true, "
            "filename = true, file_row_number = true) GROUP BY run ORDER BY run"
        ).fetchall()
    assert found == [(run, 5000, 1, 5000) for run in range(150)]


# -- where it is written ------------------------------------------------------------------------------


def test_an_earlier_export_is_replaced_if_asked(results, cli):
    cli("export", "r.duckdb", "archive").scored()
    cli("export", "r.duckdb", "archive").refused("error: archive is not empty; --overwrite replaces an earlier export")
    cli("export", "r.duckdb", "archive", "--overwrite", "--current").scored()
    assert not Path("archive/scores/run=1").exists()
    assert Path("archive/scores/run=2").exists()


@pytest.mark.parametrize("name", ["notes.txt", "inputs/gold.phn", "scores.csv", "data/x.parquet", "mine.parquet"])
def test_other_files_are_never_removed(results, cli, name):
    cli("export", "r.duckdb", "archive").scored()
    shutil.rmtree("archive/inputs")
    path = Path("archive", name)
    path.parent.mkdir(exist_ok=True)
    path.write_text("mine")
    part = Path("archive", Path(name).parts[0])
    says = f"error: {part} is no part of an export; --overwrite replaces nothing else"
    cli("export", "r.duckdb", "archive", "--overwrite").refused(says)
    assert path.read_text() == "mine"
    assert Path("archive/runs.parquet").exists()


def test_an_empty_folder_is_taken_even_if_it_is_the_current_one(results, cli, monkeypatch):
    Path("here").mkdir()
    monkeypatch.chdir("here")
    cli("export", "../r.duckdb", ".").scored()
    assert Path("runs.parquet").exists()


def test_what_cannot_be_exported_is_refused_and_leaves_nothing(results, cli):
    cli("export", "none.duckdb", "archive").refused("error: none.duckdb: no such results database")
    cli("export", "r.duckdb", "r.duckdb").refused("error: r.duckdb is no folder")
    cli("export", "r.duckdb", "no/archive").refused(
        "error: cannot export r.duckdb to no/archive: No such file or directory"
    )
    says = "error: cannot export r.duckdb to archive: it is no results database"
    cli("export", "r.duckdb", "archive", "--schema", "mine").refused(says)
    assert sorted(each.name for each in Path().iterdir()) == ["r.duckdb"]


def test_an_export_that_fails_keeps_the_earlier_one(results, cli, monkeypatch):
    cli("export", "r.duckdb", "archive").scored()
    before = {path: path.read_bytes() for path in Path("archive").rglob("*.parquet")}

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(adding, "_copy", full)
    says = "error: cannot export r.duckdb to archive: No space left on device"
    cli("export", "r.duckdb", "archive", "--overwrite").refused(says)
    assert {path: path.read_bytes() for path in Path("archive").rglob("*") if path.is_file()} == before


def test_a_view_in_place_of_a_table_is_not_read(results, cli):
    """A view in the database of somebody else might read any file."""
    Path("secret.txt").write_text("geheim")
    with duckdb.connect(str(results)) as connection:
        connection.execute("CREATE VIEW evidence_spy AS SELECT 1 AS run, content FROM read_text('secret.txt')")
    assert "evidence_spy" not in cli("export", "r.duckdb", "archive").scored()
    assert not Path("archive/evidence_spy").exists()


def test_a_schema_of_its_own(score, cli, folder):
    score(*INPUTS, "--metric", "ned", "-o", "r.duckdb", "--schema", "dev").scored()
    assert "scores: 2 rows" in cli("export", "r.duckdb", "archive", "--schema", "dev").scored()
    assert SUITE in str(duckdb.sql("SELECT suite FROM 'archive/runs.parquet'").fetchall())


@pytest.mark.parametrize("sql", ["COPY (SELECT 1) TO 'elsewhere.parquet'", "FROM read_text('secret.txt')"])
def test_nothing_is_written_elsewhere(results, cli, monkeypatch, sql):
    """Nothing else is read, either: the connection is shut before it reads the database."""
    Path("secret.txt").write_text("geheim")
    monkeypatch.setattr(adding, "_copy", lambda connection, *_: connection.execute(sql))
    cli("export", "r.duckdb", "archive").refused_with("error: cannot export r.duckdb to archive: Permission Error")
    assert not Path("elsewhere.parquet").exists()
    assert not Path("archive").exists()
