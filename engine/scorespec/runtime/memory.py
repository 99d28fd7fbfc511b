"""The memory of this process."""

from __future__ import annotations

import os
import resource
from pathlib import Path

from scorespec.errors import RunError

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
