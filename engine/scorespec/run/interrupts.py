"""Ends the process on Ctrl-C when neither Python nor DuckDB reacts."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from scorespec.core.terminal import complain

PATIENCE = 0.8  # seconds
INTERRUPTED = 130  # the exit code
_in_use: list[Path] = []  # the folders of open sessions
_spared: list[bool] = []  # has an element if the next Ctrl-C does not end the process


@contextmanager
def using(folder: Path) -> Iterator[None]:
    """Inside the block, the process may be ended at any time; the folder is removed then."""
    _in_use.append(folder)
    try:
        yield
    finally:
        _in_use.remove(folder)


@contextmanager
def sparing_once() -> Iterator[None]:
    """Inside the block, the first Ctrl-C does not end the process: it only raises KeyboardInterrupt."""
    _spared.append(True)
    try:
        yield
    finally:
        _spared.clear()


def end_on_interrupt() -> None:
    """From now on Ctrl-C ends the process within seconds, whatever it is doing.

    Python looks for signals between two of its instructions, DuckDB between two chunks of work. One chunk may take
    hours: a call of `levenshtein`, or a read from a pipe that nobody writes. So a thread waits for the signal, and ends
    the process if a session is still open a second later. Only the command line calls this: a process that uses the
    Python interface belongs to its user.
    """
    incoming, outgoing = os.pipe()
    os.set_blocking(outgoing, False)
    signal.set_wakeup_fd(outgoing, warn_on_full_buffer=False)
    Thread(target=_wait_for_interrupt, args=(incoming,), daemon=True).start()


def _wait_for_interrupt(incoming: int) -> None:
    while signals := os.read(incoming, 1):
        if signals[0] != signal.SIGINT:
            continue
        if _spared:
            _spared.clear()
            continue
        time.sleep(PATIENCE)
        if _in_use:
            complain("interrupted")
            sys.stderr.flush()
            for folder in _in_use:
                shutil.rmtree(folder, ignore_errors=True)
            os._exit(INTERRUPTED)
