"""Results databases that somebody made to do harm, or that are damaged: no command does more than refuse them."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest
from command_line import SUITE

import scorespec
from marks import first, some
from scorespec.core.result_tables import TABLES

SCORED = {"metrics": ["token", "ned"], "confidence": 90}
COMMANDS = {  # every command that opens a results database
    "query": ("query", "r.duckdb", "FROM runs"),
    "runs list": ("runs", "list", "r.duckdb"),
    "runs show": ("runs", "show", "r.duckdb", "1"),
    "runs remove": ("runs", "remove", "r.duckdb", "1"),
    "runs add to it": ("runs", "add", "r.duckdb", "other.duckdb"),
    "runs add it": ("runs", "add", "other.duckdb", "r.duckdb"),
    "calibrate": ("calibrate", "r.duckdb", "1"),
    "report": ("report", "r.duckdb", "-o", "report.html"),
    "plot": ("plot", "r.duckdb", "lengths", "-o", "plot.svg"),
    "leaderboard": ("leaderboard", "r.duckdb"),
    "compare": ("compare", "r.duckdb", "1", "2"),
    "gate": ("gate", "r.duckdb", "1", "--baseline", "2", "--targets", "targets.yaml"),
    "score": ("score", "zerospeech2017", "phones=alpha.phn", "words=alpha.wrd", "fragments=none", "-o", "r.duckdb"),
    "score --from": ("score", "zerospeech2017", "phones=alpha.phn", "words=alpha.wrd", "--from", "r.duckdb:1"),
}
ATTACKS = {
    "reads a file": "read_text('secret.txt')",
    "writes a file": "enable_profiling(save_location='written.txt', format='query_tree')",
    "logs into files": "enable_logging('QueryLog', storage='file', storage_config={'path': 'logs'})",
}


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results database with the runs of two systems, with intervals."""
    path, inputs = tmp_path_factory.mktemp("runs") / "r.duckdb", Path(scorespec.__file__).parent / "examples" / SUITE
    gold = {"phones": inputs / "phones.phn", "words": inputs / "words.wrd"}
    for name in ("jitter", "overlap"):
        submission = inputs / "fragments" / f"{name}.class"
        scorespec.score(SUITE, **gold, fragments=submission, name=name, output=path, **SCORED)
    return path


@pytest.fixture
def results(folder: Path, two_runs: Path) -> Path:
    """`r.duckdb` and `other.duckdb`, each with two runs, and a file that nobody may read."""
    for name in ("r.duckdb", "other.duckdb"):
        shutil.copy(two_runs, folder / name)
    (folder / "secret.txt").write_text("geheim")
    (folder / "targets.yaml").write_text("targets: [{score: token.fscore, max_drop: 1, confidence: 90}]")
    return folder / "r.duckdb"


def changed(*statements: str) -> None:
    with duckdb.connect("r.duckdb") as connection:
        for sql in statements:
            connection.execute(sql)


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_attacks_work_where_nothing_forbids_them(folder):
    (folder / "secret.txt").write_text("geheim")
    with duckdb.connect("r.duckdb") as connection:
        for number, sql in enumerate(ATTACKS.values()):
            connection.execute(f"CREATE VIEW v{number} AS FROM {sql}")
        connection.execute("SELECT content FROM v0")
        for number in (1, 2):
            connection.execute(f"FROM v{number}")
        connection.execute("SELECT 1")
    assert (folder / "written.txt").exists()
    assert (folder / "logs").exists()


@pytest.mark.parametrize(
    ("table", "attack"),
    first([(table, list(ATTACKS)[number % len(ATTACKS)]) for number, table in enumerate(TABLES)], 2),
)
def test_a_view_in_place_of_a_table_does_nothing(results, cli, folder, table, attack):
    changed(f"DROP TABLE IF EXISTS {table}", f"CREATE VIEW {table} AS FROM {ATTACKS[attack]}")
    before = files(folder)
    for command in some(COMMANDS.values()):
        result = cli(*command)
        result.refused_with(f"table {table} is a view", code=result.code or 1)
        assert "geheim" not in result.err
        assert files(folder) == before


def test_a_view_of_evidence_is_not_read(results, cli, folder):
    changed(f"CREATE OR REPLACE VIEW evidence_spy AS SELECT 1 AS run, content FROM {ATTACKS['reads a file']}")
    cli("query", "r.duckdb", "FROM evidence_spy").refused_with("Permission Error")
    cli("runs", "add", "other.duckdb", "r.duckdb").scored()
    cli("compare", "r.duckdb", "1", "2", "--worst", "3").scored()
    assert "geheim" not in str(files(folder).values()).replace("b'geheim'", "", 1)


def test_a_macro_replaces_no_function(results, cli):
    printed = cli("leaderboard", "r.duckdb", "--metric", "token").scored()
    changed(*(f"CREATE MACRO {name}(x) AS 'evil'" for name in ("lower", "max", "count", "json_keys", "sum")))
    changed("CREATE MACRO range(x) AS TABLE FROM read_text('secret.txt')")
    assert cli("leaderboard", "r.duckdb", "--metric", "token").scored() == printed
    assert cli("query", "r.duckdb", "SELECT max(id) AS n FROM runs", "--format", "csv").scored() == "n\n2\n"


# -- damaged databases --------------------------------------------------------------------------------

DAMAGES = [
    ("resampled", "definition = '1'"),
    ("resampled", "definition = '{}'"),
    ("resampled", "sql = NULL"),
    ("resampled", "sql = 'SELECT nothing'"),
    ("block_sums", "statistics = NULL"),
    ("block_sums", "statistics = MAP {'x': 1.0}"),
    ("replicates", "scores = NULL"),
    ("replicates", "groups = [NULL]"),
    ("runs", "parameters = '5'"),
    ("runs", "metrics = '{}'"),
    ("runs", "counts = '[1]'"),
    ("runs", "better = '[[\"token\"]]'"),
    ("runs", "matched_pairs = '{\"a\": 1}'"),
    ("runs", "call = '[]'"),
    ("scores", "slice = '[]'"),
    ("scores", "metric = NULL"),
]


@pytest.mark.parametrize(("table", "damage"), first(DAMAGES, 2))
def test_a_damaged_table_is_named(results, cli, table, damage):
    changed(f"UPDATE {table} SET {damage}")
    named = []
    for name in ("runs show", "report", "leaderboard", "compare", "gate", "calibrate"):
        result = cli(*COMMANDS[name])  # raises what is a fault of scorespec
        named += [line for line in result.err.splitlines() if "r.duckdb: its table" in line and "is damaged (" in line]
    assert any(table in line for line in named)


@pytest.mark.parametrize("column", ["inputs.sha256", "curves.mark"])
def test_a_column_that_is_missing_names_the_version_that_wrote_the_file(results, cli, column):
    table, name = column.split(".")
    changed(f"DROP VIEW current_{table}", f"ALTER TABLE {table} DROP COLUMN {name}")
    cli("runs", "add", "r.duckdb", "other.duckdb").refused_with(
        f"its table {table} has no column {name} of type VARCHAR"
    )


def test_a_column_of_another_type_names_the_version_that_wrote_it(results, cli):
    changed("DROP VIEW current_inputs", "ALTER TABLE inputs ALTER rows TYPE VARCHAR")
    cli("runs", "list", "r.duckdb").refused(
        "error: r.duckdb: cannot be read: its table inputs has no column rows of type BIGINT; scorespec 0.1.0 wrote it"
    )
