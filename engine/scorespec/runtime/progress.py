"""Shows the progress of a run on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from scorespec.runtime.memory import resident
from scorespec.terminal import visible

# Widths of the parts of the bar. Where a terminal is too narrow, the bar goes first, then the time that is left, then
# the end of the name of a step; the numbers stay.
LONGEST_NAME, SHORTEST_NAME = 32, 8
BAR = 20
REST = 13  # `rest 0:00:00`
NUMBERS = 62  # `12/37 0:00:00 123,456,789 rows 1,234 MB, 12,345 MB on disk`


class Progress(Protocol):
    """Receives the beginning and the end of each step."""

    def begin(self, doing: str, number: int, total: int, folder: Path) -> None:
        """Step ``number`` of ``total`` begins; the run spills into ``folder``."""

    def add_rows(self, rows: int) -> None:
        """A step has read or made this number of rows."""


class Silent:
    """Shows nothing."""

    def begin(self, doing: str, number: int, total: int, folder: Path) -> None:
        pass

    def add_rows(self, rows: int) -> None:
        pass


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress]:
    """Progress on standard error when that is a terminal and ``quiet`` is off; without a bar if it is narrow."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield Silent()
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        ProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    doing = min(LONGEST_NAME, max(SHORTEST_NAME, console.width - NUMBERS))
    columns: list[ProgressColumn] = [TextColumn(f"{{task.description:<{doing}.{doing}}}", markup=False)]
    if console.width >= LONGEST_NAME + REST + NUMBERS + BAR:
        columns.append(BarColumn(bar_width=BAR))
    columns += [MofNCompleteColumn(), TimeElapsedColumn()]
    if console.width >= LONGEST_NAME + REST + NUMBERS:
        columns += [TextColumn("rest"), TimeRemainingColumn()]
    columns += [TextColumn("{task.fields[rows]:,} rows"), TextColumn("{task.fields[used]}")]
    with Bar(*columns, console=console, transient=True) as bar:
        yield _BarProgress(bar)


class _BarProgress:
    """Shows a bar of rich. Memory and disk use are read each time the bar is drawn."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar
        self._task: Any = None
        self._rows = 0

    def begin(self, doing: str, number: int, total: int, folder: Path) -> None:
        if self._task is None:
            self._task = self._bar.add_task("", total=total, rows=0, used=_Used(folder))
        self._bar.update(self._task, description=visible(doing), completed=number - 1, total=total)

    def add_rows(self, rows: int) -> None:
        self._rows += rows
        self._bar.update(self._task, rows=self._rows)


class _Used:
    """The memory of this process and the size of a folder, read when this object is formatted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __format__(self, _: str) -> str:
        return f"{_resident_mb():,.0f} MB, {_size_mb(self._folder):,.0f} MB on disk"


def _resident_mb() -> float:
    """The memory of this process in megabytes; its maximum so far where the system reports nothing else."""
    if (now := resident()) is not None:
        return now / 1e6
    import resource  # not on every system

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def _size_mb(folder: Path) -> float:
    size = 0
    for each in folder.rglob("*"):
        try:
            size += each.stat().st_size
        except OSError:  # removed in the meantime
            continue
    return size / 1e6
