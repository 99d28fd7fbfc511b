"""Temporary folders that are gone when the process is, however it ends."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from scorespec.errors import RunError


class TemporaryFolder:
    """A new folder below ``parent`` (the system's folder for temporary files when None), until it is closed.

    A guard process waits for the end of a pipe that this process holds, and then removes the folder: work databases
    may have gigabytes, and nothing that is killed can clean up after itself. Raises RunError when there can be no
    folder.
    """

    def __init__(self, prefix: str, parent: str | Path | None) -> None:
        try:
            # Absolute, as DuckDB would take a `~` in front for the home folder.
            self.path = Path(tempfile.mkdtemp(prefix=prefix, dir=parent and Path(parent).absolute()))
        except OSError as error:
            place = parent or tempfile.gettempdir()
            raise RunError(f"cannot make a temporary folder in {place}: {error.strerror}") from None
        self._owner = os.getpid()
        self._guard = _guard(self.path)

    def close(self) -> None:
        """Remove the folder; in a forked child do nothing, because the folder is its parent's."""
        if os.getpid() != self._owner:
            return
        shutil.rmtree(self.path, ignore_errors=True)
        if self._guard is not None:
            # The end of the pipe may not come: a forked child that is still alive holds it too.
            self._guard.kill()
            self._guard.communicate()
            self._guard = None


def _guard(folder: Path) -> subprocess.Popen[bytes] | None:
    """The guard process; None where there is no shell, or no room for one more process."""
    # `read` is part of the shell. A program that waits, such as `cat`, may fail to start, and then the shell would
    # go on to remove a folder that is in use.
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
