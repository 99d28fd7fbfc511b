"""One run on many machines: tasks on an engine score partitions of the submission, and their sums are added up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from scorespec.errors import UsageError


@dataclass(frozen=True)
class Dividing:
    """How a run is divided: the engine ``on`` which its tasks run, the folder that all workers share, the partitions.

    Without ``parts``, there are twice as many parts as workers. ``plugins`` are loaded by each worker.
    """

    on: str
    shared: Path
    parts: int | None = None
    plugins: tuple[str, ...] = ()


def read_dividing(on: str | None, shared: str | Path | None, parts: int | str | None) -> Dividing | None:
    """How a run is divided, as the user says it; None for a run in one process. Raises UsageError."""
    if on is None:
        for option, value in (("--shared", shared), ("--parts", parts)):
            if value is not None:
                raise UsageError(f"{option} is about a run on an engine, and needs --on")
        return None
    if shared is None:
        raise UsageError("--on needs --each, to score many submissions, or --shared DIR, to score one in parts")
    number = str(parts).isdecimal() and int(str(parts))
    if parts is not None and not number:
        raise UsageError(f"--parts {parts}: it must be a number from 1")
    return Dividing(on, Path(shared).absolute(), number or None)
