"""Keeps results of runs in a folder, from which later runs take what has not changed: `--reuse`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from scorespec.errors import UsageError

DEFAULT_LIMIT = "20GB"
_LIMIT = re.compile(r"(\d+(?:\.\d+)?) *([kmgt]?)(i?)b", re.IGNORECASE)


@dataclass(frozen=True)
class Reusing:
    """The folder of `--reuse`, and its limit in bytes."""

    folder: Path
    limit: int


def read_reusing(folder: str | Path | None, limit: str | None) -> Reusing | None:
    """The settings ``reuse`` and ``reuse_limit`` of a run. Raises UsageError for a limit that is not a size."""
    if folder is None:
        if limit is not None:
            raise UsageError("--reuse-limit needs --reuse with the folder that it limits")
        return None
    found = _LIMIT.fullmatch((limit or DEFAULT_LIMIT).strip())
    if found is None:
        raise UsageError(f"--reuse-limit {limit!r}: write a size such as 500MB or 20GB")
    number, letter, binary = found.groups()
    power = " kmgt".index(letter.lower() or " ")
    return Reusing(Path(folder), int(float(number) * (1024 if binary else 1000) ** power))
