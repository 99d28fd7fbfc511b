"""Reports of errors: lines for people, JSON for programs, an exit code for the shell."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scorespec.core.terminal import visible
from scorespec.errors import PLACED, Code, InputError, Problem, ScorespecError

INTERRUPTED = 130  # 128 + SIGINT, as in a shell
FAULT = 70  # EX_SOFTWARE of sysexits.h
TRACEBACK = "SCORESPEC_TRACEBACK"  # the variable that asks for tracebacks


@dataclass(frozen=True)
class Failure:
    """The report of an error: its ``kind`` as a word, the first of its ``total`` problems, the ``text`` for people."""

    kind: str
    exit_code: int
    message: str
    text: str
    problems: Sequence[Problem]
    total: int

    def to_dict(self) -> dict[str, Any]:
        """The error as the command line prints it with ``--format json``."""
        problems = [asdict(each) for each in self.problems]
        return {"error": {"kind": self.kind, "message": self.message, "total": self.total, "problems": problems}}


def failure_of(error: BaseException) -> Failure:
    """The report of an error of any kind, also of one that is a fault of this program."""
    if isinstance(error, ScorespecError):
        return Failure(error.kind, error.exit_code, str(error), _line(error), error.problems, error.total)
    if isinstance(error, KeyboardInterrupt):
        return _single(Code.INTERRUPTED, INTERRUPTED, "interrupted", "interrupted")
    if isinstance(error, OSError | MemoryError):
        reason = _reason(error)
        code = Code.OUT_OF_MEMORY if isinstance(error, MemoryError) else Code.SYSTEM
        return _single(code, ScorespecError.exit_code, reason, f"{_trace(error)}error: {reason}")
    reason = "a fault of scorespec, please report it: " + visible(f"{type(error).__name__}: {error}"[:300])
    return _single(Code.FAULT, FAULT, reason, f"{_trace(error)}error: {reason} ({TRACEBACK}=1 shows where)")


def mark_told(error: BaseException) -> None:
    """Remember that the listener of the run has got the events of an error."""
    error.__dict__["told"] = True


def is_told(error: BaseException) -> bool:
    """Whether the listener of the run has got the events of an error."""
    return "told" in error.__dict__


def _single(code: Code, exit_code: int, message: str, text: str) -> Failure:
    kind = Code.SYSTEM if code is Code.OUT_OF_MEMORY else code
    return Failure(kind, exit_code, message, text, [Problem(None, None, None, code, message)], 1)


def _line(error: ScorespecError) -> str:
    """The text about an error. A place, such as `my.yaml:3:5:`, stands first, as editors expect it."""
    placed = isinstance(error, InputError) or PLACED.match(str(error))
    return str(error) if placed else f"error: {error}"


def _trace(error: BaseException) -> str:
    return "".join([*traceback.format_exception(error), "\n"]) if TRACEBACK in os.environ else ""


def _reason(error: OSError | MemoryError) -> str:
    """The reason for an error of the system."""
    if isinstance(error, MemoryError):
        return f"not enough memory ({visible(error)})" if str(error) else "not enough memory"
    name = f"{visible(error.filename)}: " if error.filename is not None else ""
    return f"{name}{error.strerror or visible(error)}"
