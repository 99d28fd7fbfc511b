"""The limits of a run: memory, threads, and the folder to spill into."""

from __future__ import annotations

import os
import resource
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path

from scorespec.errors import RunError, UsageError

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


ADDRESSES = 3 * 2**29  # bytes of address space that libraries and threads need without any data


def resident() -> int | None:
    """The resident memory of this process in bytes; None if the system does not report it."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def most() -> int:
    """The bytes of memory that this process can have: of the machine, or of a limited address space."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return machine if limit == resource.RLIM_INFINITY else min(machine, limit)


def check_addresses() -> None:
    """Raise RunError if the address space is too small: a library would end the process without a message."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < ADDRESSES:
        raise RunError(
            f"the address space of this process is limited to {limit >> 20:,} MiB (ulimit -v); "
            f"scoring takes at least {ADDRESSES >> 20:,} MiB of it, use --memory-limit to limit memory"
        )
