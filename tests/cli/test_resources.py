"""What a machine refuses: results that cannot be written, no memory, no disk; and Ctrl-C."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from marks import first, slow
from scorespec.run import attaching

# -- results ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("some_folder", "it is a folder"),
        ("nothere/r.duckdb", "there is no folder nothere"),
        ("alpha.phn", "it is not a DuckDB database"),
        ("pipe", "it is not a file"),
        ("/proc/r.duckdb", ""),
        ("alpha.phn/r.duckdb", "there is no folder alpha.phn"),
    ],
)
def test_results_path_not_writable(score, folder, path, reason):
    (folder / "some_folder").mkdir()
    os.mkfifo(folder / "pipe")
    before = (folder / "alpha.phn").read_bytes()
    result = score("-o", path)
    result.refused_with(f"error: cannot write results to {path}: {reason}")
    assert len(result.err.splitlines()) == 1
    assert (folder / "alpha.phn").read_bytes() == before
    assert (folder / "pipe").exists()


def test_results_are_refused_before_anything_is_read(score):
    score("-o", "alpha.phn", "fragments=nothere.class").refused_with("cannot write results")


def test_results_without_permission(score, monkeypatch):
    # The mode of a folder does not stop root.
    def refuse(*arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    folder = Path.cwd()
    message = f"cannot make a temporary folder in {folder}: Permission denied"
    score("-o", "r.duckdb").refused(f"error: cannot write results to r.duckdb: {message}")


def rows(path: str) -> list[tuple[object, ...]]:
    connection = duckdb.connect(path, read_only=True)
    try:
        return connection.execute("SELECT run, metric, value FROM scores ORDER BY ALL").fetchall()
    finally:
        connection.close()


@pytest.mark.parametrize("arguments", first([["fragments=bad.class"], ["--metric", "tokn"], ["--memory-limit", "1MB"]]))
def test_a_failed_run_leaves_the_database_as_it_was(score, folder, write, stored_run, arguments):
    write("bad.class", "Class 0\nalpha_sa1 2 1\n")
    shutil.copy(stored_run("--metric", "token")[0], folder)
    before = (folder / "r.duckdb").read_bytes()
    assert score("-o", "r.duckdb", *arguments).code > 0
    assert (folder / "r.duckdb").read_bytes() == before
    assert [each.name for each in folder.glob("r.duckdb*")] == ["r.duckdb"]


def test_a_failed_run_makes_no_database(score, folder, write):
    write("bad.class", "Class 0\nalpha_sa1 2 1\n")
    assert score("-o", "r.duckdb", "fragments=bad.class").code == 1
    assert not list(folder.glob("r.duckdb*"))


def test_only_a_locked_database_is_waited_for(score, stored_run, folder):
    (folder / "blocks").mkdir()
    whole = stored_run("--metric", "token")[0].read_bytes()
    (folder / "blocks" / "r.duckdb").write_bytes(whole[:14000])
    start = time.monotonic()
    score("-o", "blocks/r.duckdb", "--metric", "ned").refused_with("cannot write results to blocks/r.duckdb: ")
    assert time.monotonic() - start < attaching.PATIENCE / 2


# -- memory and disk -------------------------------------------------------------------------------


def test_memory_limit_too_small(score, folder):
    (folder / "spill").mkdir()
    result = score("--memory-limit", "1MB", "--temp-dir", "spill")
    result.refused_with(" needs more than the memory limit of 1MB; raise --memory-limit (64MB has been enough for ")
    assert not list((folder / "spill").iterdir())


@pytest.mark.parametrize("options", first([[], ["--profile"]]))
def test_a_step_that_finds_too_little_memory_is_done_by_one_thread(score, monkeypatch, options):
    """Also one that a Python function feeds (cluster_pairs), and with macros, which are in the work database."""
    from scorespec.run import session as work

    asked = ("--threads", "2", "--metric", "ned")
    once, make, threads = score(*asked), work._make, []

    def short_of_memory(session, step):
        made = make(session, step)
        ((count,),) = session.rows("SELECT current_setting('threads')")
        threads.append(int(count))
        if count != 1:
            session.run(f'DROP {"VIEW" if step.view else "TABLE"} "{step.physical}"')
            raise duckdb.OutOfMemoryException("too little")
        return made

    monkeypatch.setattr(work, "_make", short_of_memory)
    result = score(*asked, *options)
    assert (result.code, result.out) == (0, once.out)
    assert set(threads) == {1, 2}


def test_freed_memory_is_given_back_between_steps(score, monkeypatch):
    """The work database is opened anew, with all that was set; without a limit of the user's it is not."""
    from scorespec.run import session as sessions

    asked = ("--threads", "1", "--metric", "ned")
    once, opened = score(*asked), []
    reopen = sessions.Session._reopen

    def counted(session, threads):
        reopen(session, threads)
        opened.append(session.rows("SELECT current_setting('lock_configuration'), current_setting('threads')")[0])

    monkeypatch.setattr(sessions.Session, "_reopen", counted)
    held = iter([0])  # what the process has at first, and then much more than DuckDB counts
    monkeypatch.setattr(sessions, "resident", lambda: next(held, 10**12))
    result = score(*asked, "--memory-limit", "500MB")
    assert (result.code, result.out) == (0, once.out)
    assert len(opened) > 10
    assert set(opened) == {(True, 1)}
    opened.clear()
    score(*asked)
    assert not opened


def test_one_thread_that_finds_too_little_memory_is_an_error(score, monkeypatch):
    from scorespec.run import session as work

    def short_of_memory(session, step):
        raise duckdb.OutOfMemoryException("too little")

    monkeypatch.setattr(work, "_make", short_of_memory)
    for threads in ("1", "2"):
        score("--threads", threads).refused_with(" needs more than the memory limit of ")


@pytest.mark.parametrize(
    ("place", "reason"), [("nothere", "No such file or directory"), ("alpha.phn", "Not a directory")]
)
def test_no_temporary_folder(score, place, reason):
    score("--temp-dir", place).refused(f"error: cannot make a temporary folder in {place}: {reason}")


@pytest.fixture
def small_disk(tmp_path, monkeypatch):
    """Mounts a file system of some size; without the right to, DuckDB's own limit stands for it."""
    mounted = []

    def mount(size: str) -> Path:
        place = tmp_path / "small"
        place.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
        if shutil.which("mount") and subprocess.run(command, capture_output=True, check=False).returncode == 0:
            mounted.append(place)
        else:
            connect = duckdb.connect

            def limited(*arguments, config=None, **options):
                more = {"max_temp_directory_size": size} if config else {}
                return connect(*arguments, config={**(config or {}), **more}, **options)

            monkeypatch.setattr(duckdb, "connect", limited)
        return place

    yield mount
    for place in mounted:
        subprocess.run(["umount", str(place)], check=True)


@slow
def test_no_space_to_spill(cli, small_disk, big):
    place = small_disk("16M")
    result = cli("score", "zerospeech2017", *big, "--memory-limit", "50MB", "--temp-dir", str(place))
    result.refused_with(f": no space to spill in {place}; name a larger folder with --temp-dir\n")
    assert len(result.err.splitlines()) == 1
    assert not list(place.iterdir())


# -- Ctrl-C ----------------------------------------------------------------------------------------


def _until(condition, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)


@pytest.mark.parametrize("later", first([0.4, 0.0, 0.9]))
def test_interrupt(stored_run, folder, big, later):
    score = ("score", "zerospeech2017", "-o", "r.duckdb")
    shutil.copy(stored_run("--metric", "token")[0], folder)
    before = (folder / "r.duckdb").read_bytes()
    spill = folder / "spill"
    spill.mkdir()
    command = [sys.executable, "-m", "scorespec", *score, *big, "--temp-dir", "spill", "--threads", "1"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    _until(lambda: list(spill.glob("scorespec-*/work.duckdb*")))
    time.sleep(later)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert (running.returncode, out, err) == (130, "", "interrupted\n")
    assert not list(spill.iterdir())
    assert (folder / "r.duckdb").read_bytes() == before
    assert [each.name for each in folder.glob("r.duckdb*")] == ["r.duckdb"]
    assert {run for run, *_ in rows("r.duckdb")} == {1}


def test_interrupted_query_is_an_interrupt(score, monkeypatch):
    """DuckDB says of Ctrl-C during a query that it is a RuntimeError."""
    from scorespec.run.session import Session

    def interrupted(self, sql):
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr(Session, "run", interrupted)
    score().refused("interrupted", code=130)


def test_other_runtime_errors_are_not_hidden(score, monkeypatch):
    from scorespec.run.session import Session

    def broken(self, sql):
        raise RuntimeError("a bug")

    monkeypatch.setattr(Session, "run", broken)
    with pytest.raises(RuntimeError, match=re.escape("a bug")):
        score()
