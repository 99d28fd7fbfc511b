"""A finished run is never lost: where writers meet, a reader holds the file, or a disk is full."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest
from command_line import INPUTS, ask

import scorespec
from marks import first
from scorespec.results import adding, saving
from scorespec.run import attaching

OPTIONS = ("--metric", "token", "--quiet")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would wait a minute says so at once, and gives up after a third of a second."""
    monkeypatch.setattr(attaching, "PATIENCE", 0.3)
    monkeypatch.setattr(attaching, "NOTICE", 0.0)


@pytest.fixture(scope="session")
def one_run(stored_run: Callable[..., tuple[Path, str]]) -> Path:
    """A results database with one run."""
    return stored_run("--metric", "token")[0]


@pytest.fixture
def results(one_run: Path, folder: Path) -> Path:
    """The same, as `r.duckdb` in the current folder."""
    return Path(shutil.copy(one_run, folder))


def runs(path: str | Path, schema: str = "main") -> list[object]:
    """The ids of the runs, each of which has all its rows."""
    counted = f"SELECT list(DISTINCT n) FROM (SELECT count(*) AS n FROM {schema}.evidence_token_outcomes GROUP BY run)"
    assert len(ask(counted, path)[0][0]) == 1
    whole = f"SELECT id FROM {schema}.runs JOIN {schema}.scores ON run = id GROUP BY id HAVING count(*) = 3 ORDER BY id"
    assert ask(whole, path) == ask(f"SELECT id FROM {schema}.runs ORDER BY id", path)
    return [number for (number,) in ask(whole, path)]


def pending(folder: Path) -> Path:
    (found,) = folder.glob("r.duckdb.pending-*")
    return found


HOLD = """
import duckdb, sys
connection = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == "reading")
print("open", flush=True)
sys.stdin.read()
"""


@contextmanager
def held(path: Path, how: str = "reading") -> Iterator[int]:
    """Another process has the database open; its number."""
    command = [sys.executable, "-c", HOLD, str(path), how]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        yield holder.pid
        holder.communicate()


# -- readers ---------------------------------------------------------------------------------------


def test_a_reader_does_not_lose_a_run(score, cli, folder, results):
    with held(folder / "r.duckdb") as number:
        result = score("-o", "r.duckdb", *OPTIONS)
    assert (result.code, result.out.splitlines()[1]) == (3, "token   precision  1.0000")
    kept = pending(folder).name
    holder = f"another process ({Path(sys.executable).resolve().name}, PID {number}) has it open"
    assert result.err.splitlines() == [
        f"waiting for r.duckdb: {holder}",
        f"error: the run could not be added to r.duckdb: {holder}; it is kept in {kept}, "
        f"and this adds it: scorespec runs add r.duckdb {kept}",
    ]
    assert (runs("r.duckdb"), runs(kept)) == ([1], [1])
    assert cli("runs", "add", "r.duckdb", kept).scored() == f"{kept}: run 2\n"
    assert runs("r.duckdb") == [1, 2]
    assert sorted(each.name for each in folder.glob("*duckdb*")) == ["r.duckdb"]
    assert not list(folder.glob(".scorespec*"))


def test_scores_are_printed_before_the_database_is_waited_for(score, folder, monkeypatch, results):
    seen = []
    monkeypatch.setattr(saving, "add_runs", lambda *arguments: seen.append(sys.stdout.getvalue()) or [1])
    assert score("-o", "r.duckdb", *OPTIONS).scored() == seen[0]


def test_a_run_is_saved_even_if_its_scores_cannot_be_printed(score, folder, monkeypatch):
    from scorespec.cli import printing as display

    def closed(*arguments):
        raise BrokenPipeError

    monkeypatch.setattr(display, "print_run", closed)
    with pytest.raises(BrokenPipeError):
        score("-o", "r.duckdb", *OPTIONS)
    assert runs("r.duckdb") == [1]


def test_a_run_that_is_interrupted_while_it_waits_is_kept(score, folder, monkeypatch, results):

    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(saving, "add_runs", interrupted)
    result = score("-o", "r.duckdb", *OPTIONS)
    assert result.code == 130
    assert f"interrupted; it is kept in {pending(folder).name}, and this adds it: " in result.err
    assert runs(pending(folder)) == [1]


def test_from_python_the_run_is_in_the_exception(results):
    inputs = dict(each.split("=") for each in INPUTS)
    connection = duckdb.connect("r.duckdb")  # of this process
    try:
        with pytest.raises(scorespec.UnsavedRunError, match="another connection of this process has it open") as caught:
            scorespec.score("zerospeech2017", inputs=inputs, metrics="token", output="r.duckdb")
        # What looks at the file must not free the lock that the connection has on it.
        code = "import duckdb; duckdb.connect('r.duckdb')"
        other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "Could not set lock" in other.stderr
    finally:
        connection.close()
    error = caught.value
    assert (error.exit_code, error.pending) == (3, pending(Path()))
    assert error.run.value("token", "fscore") == 1
    assert error.run.sql("SELECT id FROM runs").to_pylist() == [{"id": 1}]
    assert scorespec.add_runs("r.duckdb", error.pending) == {error.pending: [2]}
    assert runs("r.duckdb") == [1, 2]


# -- writers ---------------------------------------------------------------------------------------


def test_threads_write_into_one_database(folder, monkeypatch):
    monkeypatch.setattr(attaching, "PATIENCE", 30)
    inputs = dict(each.split("=") for each in INPUTS)
    faults: list[BaseException] = []

    def run() -> None:
        try:
            scorespec.score("zerospeech2017", inputs=inputs, metrics="token", output="r.duckdb", threads=1)
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not faults
    assert runs("r.duckdb") == [1, 2, 3]


def test_threads_take_turns_without_running_out_of_patience(one_run, results, monkeypatch):
    """One thread may write for longer than another would wait for a stranger."""
    monkeypatch.setattr(attaching, "PATIENCE", 0.0)
    add, both, ids = adding._add, threading.Barrier(3), []

    def slow(*arguments):
        if threading.current_thread() is first:
            both.wait(10)
            second.join(0.3)  # in which the other thread would give up
        return add(*arguments)

    def run() -> None:
        if threading.current_thread() is second:
            both.wait(10)
        ids.append(adding.add_runs(results, one_run, "main"))

    monkeypatch.setattr(adding, "_add", slow)
    first, second = (threading.Thread(target=run) for _ in range(2))
    first.start()
    second.start()
    both.wait(10)
    first.join()
    second.join()
    assert ids == [[2], [3]]


def test_a_database_that_is_made_meanwhile_is_not_replaced(score, one_run, monkeypatch):
    save = saving.RunFile.save

    def meanwhile(self):
        shutil.copy(one_run, "r.duckdb")
        save(self)

    monkeypatch.setattr(saving.RunFile, "save", meanwhile)
    score("-o", "r.duckdb", *OPTIONS).scored()
    assert runs("r.duckdb") == [1, 2]


def test_a_file_system_without_links(score, folder, monkeypatch):
    def unknown(*arguments):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", unknown)
    for _ in range(2):
        score("-o", "r.duckdb", *OPTIONS).scored()
    assert runs("r.duckdb") == [1, 2]


def test_a_link_to_a_database_stays_a_link(score, folder):
    (folder / "far").mkdir()
    (folder / "r.duckdb").symlink_to(folder / "far" / "results.duckdb")
    for _ in range(2):
        score("-o", "r.duckdb", *OPTIONS).scored()
    assert (folder / "r.duckdb").is_symlink()
    assert runs("far/results.duckdb") == [1, 2]


def test_the_number_of_a_run_is_a_key(score, folder, results):
    with duckdb.connect("r.duckdb") as connection, pytest.raises(duckdb.ConstraintException):
        connection.execute("INSERT INTO runs (id) VALUES (1)")


# -- what cannot be written ------------------------------------------------------------------------


def changed(sql: str) -> None:
    with duckdb.connect("r.duckdb") as connection:
        connection.execute(sql)


@pytest.mark.parametrize(
    ("kind", "value"), [("BIGINT", "phone labels are text"), ("STRUCT(a INTEGER)", "nor are they structures")]
)
def test_evidence_of_another_type_is_kept_beside(score, folder, kind, value, results):
    changed(f"ALTER TABLE evidence_token_outcomes ALTER word_label TYPE {kind} USING NULL")
    result = score("-o", "r.duckdb", *OPTIONS)
    assert result.code == 3
    there = f"column word_label of evidence_token_outcomes is {kind} in the results, which cannot hold '"
    assert f"error: the run could not be added to r.duckdb: {there}" in result.err
    assert runs(pending(folder)) == [1]
    assert ask("SELECT count(*), max(id) FROM runs") == [(1, 1)]


def test_a_type_that_holds_all_values_does(score, folder, results):
    changed("ALTER TABLE evidence_token_outcomes ALTER onset TYPE DECIMAL(18, 6)")
    score("-o", "r.duckdb", *OPTIONS).scored()
    assert runs("r.duckdb") == [1, 2]


def test_a_folder_that_became_read_only(score, folder, tmp_path_factory, monkeypatch, results):
    """The run is kept in the system's folder for temporary files."""
    temporary = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(saving.tempfile, "tempdir", str(temporary))
    move = shutil.move

    def refuse(source, place):
        if Path(place).parent != temporary:
            raise OSError(30, "Read-only file system")
        return move(source, place)

    monkeypatch.setattr(shutil, "move", refuse)
    with held(folder / "r.duckdb"):
        result = score("-o", "r.duckdb", *OPTIONS)
    assert result.code == 3
    (kept,) = temporary.glob("r.duckdb.pending-*")
    assert f"it is kept in {kept}, and this adds it: scorespec runs add r.duckdb {kept}\n" in result.err
    assert runs(kept) == [1]


def test_where_nothing_can_be_written_the_scores_are_printed_all_the_same(score, folder, monkeypatch):
    asked = ("--metric", "coverage", "--format", "csv")
    printed = score(*asked).scored()

    def full(self, *arguments):
        raise duckdb.IOException("IO Error: Could not write file: No space left on device")

    monkeypatch.setattr(saving.ResultsWriter, "append", full)
    result = score("-o", "r.duckdb", *asked)
    assert (result.code, result.out) == (3, printed)
    assert result.err == (
        "error: the run could not be added to r.duckdb: IO Error: Could not write file: No space left on device; "
        "there is no place to keep it, and only its scores are left\n"
    )
    assert not list(folder.glob("*duckdb*"))
    assert not list(folder.glob(".scorespec*"))


def test_a_full_disk(cli, folder, score, one_run):
    """The folder of the results has no room for one more run."""
    place = folder / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=9M", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small file system has to be mounted, which needs the rights of root")
    try:
        shutil.copy(one_run, place)
        (place / "other").write_bytes(b"x" * (shutil.disk_usage(place).free - 100_000))
        result = score("-o", "small/r.duckdb", *OPTIONS)
        assert result.code == 3
        assert result.out
        kept = Path(result.err.rpartition(" ")[2].strip())
        assert runs(kept) == [1]
        (place / "other").unlink()
        cli("runs", "add", "small/r.duckdb", str(kept)).scored()
        assert runs("small/r.duckdb") == [1, 2]
    finally:
        subprocess.run(["umount", str(place)], check=True)


# -- tables of other programs ------------------------------------------------------------------------

FOREIGN = {
    "CREATE TABLE scores (name VARCHAR, value DOUBLE)": "table scores comes without a table results_version",
    "CREATE TABLE Runs (id BIGINT, name VARCHAR)": "table runs comes without a table results_version",
    "CREATE VIEW inputs AS SELECT 1 AS run": "table inputs is a view",
    "CREATE TABLE runs (id UUID, time TIMESTAMPTZ, suite VARCHAR, signature VARCHAR, parameters JSON, versions JSON)": (
        "table runs comes without a table results_version"
    ),
}


@pytest.mark.parametrize("sql", first(FOREIGN, 2))
def test_tables_of_another_program_are_refused_before_anything_is_read(score, folder, sql):
    changed(sql)
    before = (folder / "r.duckdb").read_bytes()
    result = score("-o", "r.duckdb", "fragments=nothere.class")
    result.refused_with("error: cannot write results to r.duckdb: its ", FOREIGN[sql], "--schema NAME")
    assert (folder / "r.duckdb").read_bytes() == before


def test_results_in_a_schema_of_their_own(score, cli, folder):
    changed(next(iter(FOREIGN)))
    schema = ("--schema", "speech results")
    score("-o", "r.duckdb", *schema, *OPTIONS).scored()
    with held(folder / "r.duckdb"):
        result = score("-o", "r.duckdb", *schema, *OPTIONS)
    assert result.err.endswith("--schema 'speech results'\n")
    cli("runs", "add", "r.duckdb", str(pending(folder)), *schema).scored()
    assert runs("r.duckdb", '"speech results"') == [1, 2]
    asked = cli("query", "r.duckdb", "SELECT id FROM runs", "--format", "csv", *schema)
    assert asked.scored() == "id\n1\n2\n"
    message = "error: r.duckdb has no schema 'speech'; did you mean 'speech results'?"
    cli("query", "r.duckdb", "SELECT id FROM runs", "--schema", "speech").refused(message, code=2)


@pytest.mark.parametrize(
    "name", first(["", "information_schema", "pg_catalog", "memory", "System", "temp", "added", "a\nb"], 3)
)
def test_schemas_that_cannot_be(score, folder, name):
    message = f"error: cannot write results to r.duckdb: there can be no schema {name!r}"
    score("-o", "r.duckdb", "--schema", name, "fragments=nothere.class").refused_with(message)


def test_a_schema_has_one_spelling(score, cli, results):
    """DuckDB takes `Main` for `main` when it writes; a reader would look for another schema."""
    said = "its schema is called 'main', and not 'Main'"
    for name in ("r.duckdb", "new.duckdb"):
        score("-o", name, "--schema", "Main", "fragments=nothere.class").refused(
            f"error: cannot write results to {name}: {said}"
        )
    shutil.copy("r.duckdb", "b.duckdb")
    cli("runs", "add", "r.duckdb", "b.duckdb", "--schema", "Main").refused_with(said)


def test_other_tables_and_columns_do_no_harm(score, results):
    changed("CREATE TABLE notes (text VARCHAR); ALTER TABLE runs ADD COLUMN note VARCHAR")
    score("-o", "r.duckdb", *OPTIONS).scored()
    assert runs("r.duckdb") == [1, 2]


# -- runs add --------------------------------------------------------------------------------------


def test_runs_of_two_databases_become_those_of_one(cli, one_run, results):
    for other in ("a.duckdb", "b.duckdb"):
        shutil.copy(one_run, other)
    assert cli("runs", "add", "a.duckdb", "b.duckdb", "r.duckdb").scored() == "b.duckdb: run 2\nr.duckdb: run 3\n"
    assert cli("runs", "add", "b.duckdb", "a.duckdb").scored() == "a.duckdb: run 2, run 3, run 4\n"
    assert (runs("a.duckdb"), runs("b.duckdb"), runs(results)) == ([1, 2, 3], [1, 2, 3, 4], [1])


def test_the_tables_of_a_source_may_be_in_main(score, cli, results):
    score("-o", "b.duckdb", "--schema", "results", *OPTIONS).scored()
    cli("runs", "add", "b.duckdb", "r.duckdb", "--schema", "results").scored()
    assert runs("b.duckdb", "results") == [1, 2]


def test_what_cannot_be_added(score, cli, folder, results):
    with duckdb.connect("notes.duckdb") as connection:
        connection.execute("CREATE TABLE notes (text VARCHAR)")
    before = (folder / "r.duckdb").read_bytes()
    add = ("runs", "add", "r.duckdb")
    cli(*add, "r.duckdb").refused("error: r.duckdb cannot be added to itself")
    cli(*add, "nothere").refused("error: nothere: no such results database")
    cli("runs", "add", "nothere", "r.duckdb").refused("error: nothere: no such results database")
    said = "error: cannot add the runs of {0} to r.duckdb: "
    cli(*add, "notes.duckdb").refused(said.format("notes.duckdb") + "notes.duckdb is no results database")
    cli(*add, "alpha.phn").refused(said.format("alpha.phn") + "alpha.phn: it is not a DuckDB database")
    assert (folder / "r.duckdb").read_bytes() == before


def test_a_view_in_what_is_added_reads_no_files(cli, one_run, results, folder):
    (folder / "secret.txt").write_text("geheim")
    shutil.copy(one_run, "theirs.duckdb")
    with duckdb.connect("theirs.duckdb") as connection:
        connection.execute("CREATE VIEW evidence_spy AS SELECT 1 AS run, content FROM read_text('secret.txt')")
    cli("runs", "add", "r.duckdb", "theirs.duckdb").scored()
    assert runs("r.duckdb") == [1, 2]
    assert not ask("FROM duckdb_tables() WHERE table_name = 'evidence_spy'")


def test_a_pending_run_that_cannot_be_added_stays(score, cli, folder, results):
    shutil.copy("r.duckdb", "r.duckdb.pending-1")
    changed("ALTER TABLE evidence_token_outcomes ALTER word_label TYPE BIGINT USING NULL")
    cli("runs", "add", "r.duckdb", "r.duckdb.pending-1").refused_with("which cannot hold ")
    assert runs("r.duckdb.pending-1") == [1]


def test_a_log_that_a_lost_database_left(score, folder):
    (folder / "r.duckdb.wal").write_bytes(b"")
    message = "remove r.duckdb.wal, which is left from a database of this name"
    score("-o", "r.duckdb").refused(f"error: cannot write results to r.duckdb: {message}")
