"""Temporary folders that are gone when the process is, however it ends."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from scorespec.errors import RunError


class TemporaryFolder:
    """A new folder below ``parent`` (the system's folder for temporary files when None), until it is closed.

    A child waits for the end of a pipe that this process holds, and then removes the folder: work databases may have
    gigabytes, and nothing that is killed can clean up after itself. Raises RunError when there can be no folder.
    """

    def __init__(self, prefix: str, parent: str | Path | None) -> None:
        try:
            # Absolute, as DuckDB would take a `~` in front for the home folder.
            self.path = Path(tempfile.mkdtemp(prefix=prefix, dir=parent and Path(parent).absolute()))
        except OSError as error:
            place = parent or tempfile.gettempdir()
            raise RunError(f"cannot make a temporary folder in {place}: {error.strerror}") from None
        self._guard = _guard(self.path)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._guard is not None:
            self._guard.communicate()
            self._guard = None


def _guard(folder: Path) -> subprocess.Popen[bytes] | None:
    """The child; None where there is no shell, or no room for one more process."""
    command = ["/bin/sh", "-c", 'cat >/dev/null; rm -rf -- "$1"', "sh", str(folder.absolute())]
    try:
        # In a session of its own, so that what ends the group of this process does not end it.
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None
