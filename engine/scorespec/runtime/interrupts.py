"""Ends the process on Ctrl-C when nothing in it can hear."""

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

from scorespec.terminal import complain

PATIENCE = 0.8  # seconds
INTERRUPTED = 130  # the exit code
_in_use: list[Path] = []  # the folders of the sessions that are open


@contextmanager
def using(folder: Path) -> Iterator[None]:
    """Inside the block the process may be where it does not hear, and nothing is lost when it ends."""
    _in_use.append(folder)
    try:
        yield
    finally:
        _in_use.remove(folder)


def end_when_not_heard() -> None:
    """From now on Ctrl-C ends the process within seconds, whatever it is doing.

    Python looks for signals between two of its instructions, DuckDB between two pieces of its work, and one piece may
    take hours: one call of `levenshtein`, or a pipe that nobody writes. So a thread waits for the signal, where the
    system leaves it, and ends the process when a session is still open a second later. For a program of its own only:
    the process of somebody who calls the Python interface is not ours to end.
    """
    incoming, outgoing = os.pipe()
    os.set_blocking(outgoing, False)
    signal.set_wakeup_fd(outgoing, warn_on_full_buffer=False)
    Thread(target=_end_when_not_heard, args=(incoming,), daemon=True).start()


def _end_when_not_heard(incoming: int) -> None:
    while signals := os.read(incoming, 1):
        if signals[0] != signal.SIGINT:
            continue
        time.sleep(PATIENCE)
        if _in_use:
            complain("interrupted")
            sys.stderr.flush()
            for folder in _in_use:
                shutil.rmtree(folder, ignore_errors=True)
            os._exit(INTERRUPTED)
