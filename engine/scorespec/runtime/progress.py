"""Tells on a terminal how far a run has come; says nothing anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Progress(Protocol):
    """Told of each piece of work when it begins."""

    def begin(self, doing: str, number: int, total: int) -> None:
        """Step ``number`` of ``total`` begins."""


class Silent:
    """Tells nobody."""

    def begin(self, doing: str, number: int, total: int) -> None:
        pass


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Progress]:
    """A bar on standard error when that is a terminal and ``quiet`` is off."""
    if quiet or not sys.stderr.isatty():
        yield Silent()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description:<32}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        yield _Bar(bar)


class _Bar:
    def __init__(self, bar: object) -> None:
        self._bar: object = bar
        self._task: object = None

    def begin(self, doing: str, number: int, total: int) -> None:
        from rich.progress import Progress as Bar

        assert isinstance(self._bar, Bar)
        if self._task is None:
            self._task = self._bar.add_task(doing, total=total)
        self._bar.update(self._task, description=doing, completed=number - 1, total=total)  # type: ignore[arg-type]
