"""Runs a command as a process: its streams, its exit code, and messages about interruptions and internal errors.

`docs/command-line.md` lists the exit codes.
"""

from __future__ import annotations

import errno
import io
import os
import sys
import traceback
from collections.abc import Callable
from typing import NoReturn

from scorespec.errors import ScorespecError
from scorespec.terminal import complain, visible

INTERRUPTED = 130  # 128 + SIGINT, as in a shell
BROKEN_PIPE = 141  # 128 + SIGPIPE
FAULT = 70  # EX_SOFTWARE of sysexits.h
TRACEBACK = "SCORESPEC_TRACEBACK"


class Outlet(io.FileIO):
    """A standard stream that never raises.

    The first error of a write is kept in ``lost``, and all later output is dropped. So a run continues, and its results
    are saved even if nobody reads standard output. ``closed_before`` says that the stream was closed when the process
    began.
    """

    def __init__(self, descriptor: int, closed_before: bool) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self._closed_before = closed_before
        self.lost: OSError | None = None

    def write(self, data: object) -> int:
        """Write the bytes, or drop them."""
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
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except (OSError, MemoryError) as error:
        _trace()
        complain(f"error: {_reason(error)}")
        return ScorespecError.exit_code
    except Exception as error:
        _trace()
        reason = visible(f"{type(error).__name__}: {error}"[:300])
        complain(f"error: a fault of scorespec, please report it: {reason} ({TRACEBACK}=1 shows where)")
        return FAULT
    return 0


def _trace() -> None:
    if TRACEBACK in os.environ:
        complain(traceback.format_exc())


def _reason(error: OSError | MemoryError) -> str:
    """The reason for an error of the system."""
    if isinstance(error, MemoryError):
        return f"not enough memory ({visible(error)})" if str(error) else "not enough memory"
    name = f"{visible(error.filename)}: " if error.filename is not None else ""
    return f"{name}{error.strerror or visible(error)}"
