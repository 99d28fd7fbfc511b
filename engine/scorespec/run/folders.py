"""Temporary folders that are removed when the process ends, however it ends."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
from pathlib import Path

from scorespec.errors import RunError


class TemporaryFolder:
    """A new folder in ``parent`` (None: the system's folder for temporary files) that exists until it is closed.

    Work databases may have gigabytes, and a process that is killed cannot remove them. So a guard process waits for the
    end of a pipe that this process holds open, and then removes the folder. Raises RunError if no folder can be made.
    """

    def __init__(self, prefix: str, parent: str | Path | None) -> None:
        place = parent or tempfile.gettempdir()
        # An absolute path: DuckDB would read `~` at its beginning as the home folder.
        self.path = Path(place).absolute() / f"{prefix}{secrets.token_hex(8)}"
        self._owner = os.getpid()
        # Before the folder is made: a process that is killed in between would leave it.
        self._guard = _guard(self.path)
        try:
            self.path.mkdir(mode=0o700)
        except OSError as error:
            self._end_guard()
            raise RunError(f"cannot make a temporary folder in {place}: {error.strerror}") from None

    def close(self) -> None:
        """Remove the folder. In a forked child, do nothing: the folder belongs to the parent."""
        if os.getpid() != self._owner:
            return
        shutil.rmtree(self.path, ignore_errors=True)
        self._end_guard()

    def _end_guard(self) -> None:
        if self._guard is not None:
            # The pipe may not end: a forked child that is still alive holds it open, too.
            self._guard.kill()
            self._guard.communicate()
            self._guard = None


def _guard(folder: Path) -> subprocess.Popen[bytes] | None:
    """The guard process; None if there is no shell, or if no process can be started."""
    # `read` is built into the shell. Another program that waits, such as `cat`, might fail to start; then the shell
    # would remove a folder that is in use.
    command = ["/bin/sh", "-c", 'read -r end; rm -rf -- "$1"', "sh", str(folder.absolute())]
    try:
        # In a session of its own, so that a signal to the group of this process does not end the guard.
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None
