"""Temporary folders live as long as the process that made them, and no shorter."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from scorespec.run.folders import GUARD, TemporaryFolder


def in_child(do: Callable[[], object]) -> None:
    """Do something in a forked child, and wait until the child ends."""
    child = os.fork()
    if child == 0:
        try:
            do()
            os._exit(0)
        except BaseException:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0


def test_a_forked_child_does_not_remove_the_folder_of_its_parent(tmp_path: Path) -> None:
    folder = TemporaryFolder("some-", tmp_path)
    in_child(folder.close)
    assert folder.path.is_dir()
    folder.close()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_process_that_is_killed_while_it_makes_the_folder_leaves_none(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process is killed before or after the call that makes the folder; the guard removes what is there."""
    make = os.mkdir
    end, hold = os.pipe()

    def killed(folder: Path, mode: int) -> None:
        if moment == "after":
            make(folder, mode)
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(os, "mkdir", killed)
    start = subprocess.Popen
    # The guard holds the pipe until it ends.
    monkeypatch.setattr(subprocess, "Popen", lambda *args, **options: start(*args, **options, pass_fds=[hold]))
    child = os.fork()
    if child == 0:  # which has a guard of its own
        TemporaryFolder("some-", tmp_path)
        os._exit(0)
    os.close(hold)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    os.read(end, 1)
    os.close(end)
    assert not list(tmp_path.iterdir())


def test_the_guard_of_a_killed_process_does_not_wait_for_its_children(tmp_path: Path) -> None:
    """A forked child lives on, without the folders of its parent."""
    folders = tmp_path / "a folder's"
    folders.mkdir()
    end, hold = os.pipe()
    parent = os.fork()
    if parent == 0:
        for _ in range(3):
            TemporaryFolder("some-", folders)
        TemporaryFolder("closed-", folders).close()
        if os.fork() == 0:
            signal.alarm(20)
            os.close(hold)
            os.read(end, 1)  # until the test is through
            os._exit(0)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(parent, 0)
    deadline = time.monotonic() + 10
    while list(folders.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not list(folders.iterdir())
    os.close(hold)
    os.close(end)


RUN_AND_FORK = """
import os, sys, scorespec
run = scorespec.score("zerospeech2017", metrics="token", **{inputs})
if os.fork() == 0:
    sys.exit(0)  # the finalizers of Python run here too
os.wait()
print(run.sql("SELECT count(*) AS n FROM scores").to_pylist())
"""


@pytest.mark.slow
def test_the_exit_of_a_forked_child_leaves_the_database_of_a_run() -> None:
    data = Path(__file__).parents[2] / "data" / "term_discovery"
    inputs = {name: str(data / f"alpha.{end}") for name, end in zip(("phones", "words"), ("phn", "wrd"), strict=True)}
    code = RUN_AND_FORK.format(inputs=inputs | {"fragments": str(data / "alpha.perfect.class")})
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("[{'n': 3}]\n", 0), done.stderr


@pytest.mark.parametrize("few", [resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC])
def test_a_guard_that_can_start_nothing_leaves_the_folder_alone(few: int, tmp_path: Path) -> None:
    """With ten files or no further process, the shell starts; it cannot redirect, or start a program."""
    limit = 10 if few == resource.RLIMIT_NOFILE else 0
    with subprocess.Popen(
        ["/bin/sh", "-c", GUARD], stdin=subprocess.PIPE, preexec_fn=lambda: resource.setrlimit(few, (limit, limit))
    ) as guard:
        assert guard.stdin is not None
        guard.stdin.write(os.fsencode(tmp_path) + b"\n")
        guard.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            guard.wait(0.3)  # it waits, as it should
        assert tmp_path.is_dir()
        guard.kill()
