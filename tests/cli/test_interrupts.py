"""Ctrl-C ends the command line also where neither Python nor DuckDB looks for it; a user's own process it does not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from marks import first

DEAF = """
import os, signal, sys
from scorespec.run.folders import end_on_interrupt
from scorespec.run.limits import Limits
from scorespec.run.session import open_session

signal.signal(signal.SIGINT, lambda *_: None)  # nobody who waits inside one long call hears more
end_on_interrupt()
with open_session(Limits("100MB", 1, sys.argv[1])) as session:
    os.kill(os.getpid(), signal.SIGINT)
    session.run(sys.argv[2])
"""


@pytest.mark.parametrize(
    "sql",
    first(
        [
            "SELECT sleep_ms(600000)",
            "SELECT levenshtein(repeat('a', 10000000), repeat('b', 10000000))",
            "SELECT list_reduce(range(1000000), lambda a, b: a + list_sum(range(b))::BIGINT)",
        ]
    ),
)
def test_a_call_that_does_not_hear_is_ended(tmp_path, sql):
    command = [sys.executable, "-c", DEAF, str(tmp_path), sql]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")
    assert not list(tmp_path.iterdir())


def test_a_pipe_that_nobody_writes(folder):
    os.mkfifo("pipe")
    (folder / "spill").mkdir()
    inputs = ("phones=pipe", "words=alpha.wrd", "fragments=alpha.class", "--temp-dir", "spill")
    command = [sys.executable, "-m", "scorespec", "score", "zerospeech2017", *inputs]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 30
    writer = None
    while writer is None and time.monotonic() < deadline:
        try:  # it can be opened for writing once somebody reads; nothing is written then
            writer = os.open("pipe", os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    os.close(writer)
    assert (running.returncode, out, err) == (130, "", "interrupted\n")
    assert not list((folder / "spill").iterdir())


def test_a_process_of_the_users_own_is_not_touched(score):
    before = signal.getsignal(signal.SIGINT)  # a shell starts background jobs with the signal ignored
    score("--metric", "ned").scored()
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.set_wakeup_fd(-1) == -1
