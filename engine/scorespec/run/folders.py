"""Temporary folders that are removed when the process ends, however it ends."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from scorespec.errors import RunError

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
    with suppress(OSError):  # also if somebody has killed the guard
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
