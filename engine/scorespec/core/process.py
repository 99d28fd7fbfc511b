"""Runs a command as a process: its streams and its exit code.

`docs/command-line.md` lists the exit codes.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable
from typing import NoReturn

from scorespec.core.terminal import complain
from scorespec.errors import ScorespecError, failure_of

BROKEN_PIPE = 141  # 128 + SIGPIPE


class Outlet(io.FileIO):
    """A standard stream that never raises.

    The first error of a write is kept in ``lost``, and all later output is dropped. So a run continues, and its results
    are saved even if nobody reads standard output. ``closed_before`` says that the stream was closed when the process
    began, ``begun`` that something was written.
    """

    def __init__(self, descriptor: int, closed_before: bool) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self._closed_before = closed_before
        self.lost: OSError | None = None
        self.begun = False

    def write(self, data: object) -> int:
        """Write the bytes, or drop them."""
        self.begun = True
        if self._closed_before and self.lost is None:
            self.lost = OSError(errno.EBADF, os.strerror(errno.EBADF))
        if self.lost is None:
            try:
                return super().write(data)  # type: ignore[arg-type]
            except OSError as error:
                self.lost = error
        return memoryview(data).nbytes  # type: ignore[arg-type]


def run(command: Callable[[], object]) -> NoReturn:
    """Run a command, and end the process with its exit code."""
    _fill_descriptors()
    out, _ = _take_over("stdout", 1), _take_over("stderr", 2)
    code = _code_of(command)
    sys.stdout.flush()
    if out.lost is not None and code == 0:
        code = BROKEN_PIPE if out.lost.errno == errno.EPIPE else ScorespecError.exit_code
        if code != BROKEN_PIPE:
            complain(f"error: cannot write to standard output: {out.lost.strerror}")
    sys.stderr.flush()
    sys.exit(code)


def _fill_descriptors() -> None:
    """Open the null device for closed standard streams: otherwise a database could get their numbers and output."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _take_over(name: str, descriptor: int) -> Outlet:
    """Put an :class:`Outlet` below ``sys.stdout`` or ``sys.stderr``; characters that it cannot encode are escaped."""
    before = getattr(sys, name)  # None if it was closed when Python began
    outlet = Outlet(descriptor, closed_before=before is None)
    encoding = before.encoding if before is not None else "utf-8"
    stream = io.TextIOWrapper(
        io.BufferedWriter(outlet), encoding, "backslashreplace", line_buffering=name == "stderr" or outlet.isatty()
    )
    setattr(sys, name, stream)
    return outlet


def _code_of(command: Callable[[], object]) -> int:
    try:
        command()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    except (KeyboardInterrupt, Exception) as error:
        failure = failure_of(error)
        complain(failure.text)
        return failure.exit_code
    return 0
