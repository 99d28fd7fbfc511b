"""The limits of a run: memory, threads, and the folder to spill into."""

from __future__ import annotations

import os
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path

from scorespec.errors import UsageError
from scorespec.runtime.memory import most

MOST_THREADS = 1024  # DuckDB starts all of them at once, and a system without free threads hangs


@dataclass(frozen=True)
class Limits:
    """The limits of a run: memory such as ``2GB`` (default: half of the machine's), threads, folder to spill into."""

    memory: str | None = None
    threads: int | None = None
    folder: str | Path | None = None

    def __post_init__(self) -> None:
        if not (self.threads is None or (isinstance(self.threads, Integral) and 1 <= self.threads <= MOST_THREADS)):
            raise UsageError(f"--threads {self.threads!r}: it must be a whole number between 1 and {MOST_THREADS:,}")

    def or_else(self, other: Limits) -> Limits:
        """These limits, with those of ``other`` where these are not set."""
        return Limits(self.memory or other.memory, self.threads or other.threads, self.folder or other.folder)

    def shared_by(self, processes: int) -> Limits:
        """The limits of each of some processes on this machine: what the user did not limit is divided among them."""
        memory = f"{most() // 2**21 // processes}MiB"
        return self.or_else(Limits(memory, max((os.cpu_count() or 1) // processes, 1)))

    @property
    def memory_limit(self) -> str:
        if self.memory:
            return self.memory
        return f"{most() // 2**21}MiB"
