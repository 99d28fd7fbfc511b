"""Temporary folders that are removed when the process ends, however it ends; and the end by Ctrl-C."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

from scorespec.core.terminal import complain
from scorespec.errors import RunError

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


# Reads the names of folders until the process that wrote them ends, and removes the folders that are still there.
# All but `rm` is built into the shell. A program that waits, such as `cat`, might fail to start; then the shell would
# remove folders that are in use.
GUARD = """
while IFS= read -r folder; do set -- "$@" "$folder"; done
for folder; do [ ! -d "$folder" ] || rm -rf -- "$folder"; done
"""

_guards: list[subprocess.Popen[bytes]] = []  # the guard of this process, once it has made a folder


class TemporaryFolder:
    """A new folder in ``parent`` (None: the system's folder for temporary files) that exists until it is closed.

    Work databases may have gigabytes, and a process that is killed cannot remove them. So the guard of the process
    does that. Raises RunError if no folder can be made.
    """

    def __init__(self, prefix: str, parent: str | Path | None) -> None:
        place = parent or tempfile.gettempdir()
        # An absolute path: DuckDB would read `~` at its beginning as the home folder.
        self.path = Path(place).absolute() / f"{prefix}{secrets.token_hex(8)}"
        self._owner = os.getpid()
        # Before the folder is made: a process that is killed in between would leave it.
        _guard(self.path)
        try:
            self.path.mkdir(mode=0o700)
        except OSError as error:
            raise RunError(f"cannot make a temporary folder in {place}: {error.strerror}") from None

    def close(self) -> None:
        """Remove the folder. In a forked child, do nothing: the folder belongs to the parent."""
        if os.getpid() == self._owner:
            shutil.rmtree(self.path, ignore_errors=True)


def _guard(folder: Path) -> None:
    """Let the guard of this process remove a folder. There is none if there is no shell, or no further process."""
    name = os.fsencode(folder)
    with suppress(OSError):  # even if somebody has killed the guard
        if not _guards:
            # In a session of its own, so that a signal to the group of this process does not end the guard.
            command, nothing = ["/bin/sh", "-c", GUARD], subprocess.DEVNULL
            started = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=nothing, stderr=nothing, start_new_session=True
            )
            _guards.append(started)
        if _guards[0].stdin and b"\n" not in name:
            os.write(_guards[0].stdin.fileno(), name + b"\n")


def _leave_guard() -> None:
    """In a forked child, close the pipe of the parent's guard, which would wait for the child."""
    for guard in _guards:
        if guard.stdin:
            guard.stdin.close()
    _guards.clear()


os.register_at_fork(after_in_child=_leave_guard)
