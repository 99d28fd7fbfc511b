"""The memory of this process."""

from __future__ import annotations

import os
from pathlib import Path


def resident() -> int | None:
    """Bytes of memory that this process has; None where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")
