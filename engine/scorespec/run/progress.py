"""Shows the events of a run on standard error: as a bar, as lines, or as JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any

from scorespec.core.events import (
    Event,
    InputRead,
    ProblemFound,
    RunEnded,
    RunsEstimated,
    RunStarted,
    StepBegun,
    StepDone,
)
from scorespec.core.terminal import complain, visible
from scorespec.errors import Failure, failure_of, unknown
from scorespec.run.limits import resident

Listener = Callable[[Event], None]

# Widths of the parts of the bar. Where a terminal is too narrow, the bar goes first, then the time that is left, then
# the end of the name of a step; the numbers stay.
LONGEST_NAME, SHORTEST_NAME = 32, 8
BAR = 20
REST = 13  # `rest 0:00:00`
NUMBERS = 62  # `12/37 0:00:00 123,456,789 rows 1,234 MB, 12,345 MB on disk`
PAUSE = 10.0  # seconds between two lines, at least, so that short runs print none and long runs do not flood a log


@contextmanager
def watched(progress: str | Listener, start: RunStarted, spent: float = 0.0) -> Iterator[Listener]:
    """The listener for events inside the block. It gets the start of the run, the problems that end it, and its end.

    ``spent`` are the seconds that the run has already taken.
    """
    begun = time.perf_counter() - spent
    with shown(progress) as tell:
        tell(start)
        try:
            yield tell
        except BaseException as error:
            tell_failure(tell, failure_of(error), time.perf_counter() - begun)
            raise
        tell(RunEnded(time.perf_counter() - begun))


def tell_failure(tell: Listener, failure: Failure, seconds: float) -> None:
    """Tell the problems that end a run, and its end."""
    for problem in failure.problems:
        tell(ProblemFound(**asdict(problem)))
    tell(RunEnded(seconds, failure.kind, failure.total))


@contextmanager
def shown(progress: str | Listener) -> Iterator[Listener]:
    """The listener that ``progress`` names: a bar, lines, JSON, nothing, or a function of the user.

    `auto` is a bar if standard error is a terminal, otherwise lines. Raises UsageError for another word.
    """
    if not isinstance(progress, str):
        yield _Callback(progress)
        return
    if progress not in SHOWN:
        raise unknown(f"progress={progress!r}", progress, SHOWN)
    if sys.stderr is None:
        progress = "none"
    elif progress == "auto":
        progress = "bar" if sys.stderr.isatty() else "lines"
    listener = SHOWN[progress]()
    try:
        yield listener
    finally:
        if isinstance(listener, Bar):
            listener.close()


class _Callback:
    """Calls a function of the user with each event.

    An exception of the function ends the run. The function is not called again with the problem and the end.
    """

    def __init__(self, function: Listener) -> None:
        self._function: Listener | None = function

    def __call__(self, event: Event) -> None:
        function, self._function = self._function, None
        if function is not None:
            function(event)
            self._function = function


class Silent:
    """Shows nothing."""

    def __call__(self, event: Event) -> None:
        pass


class JsonLines:
    """Prints each event as a line of JSON."""

    def __call__(self, event: Event) -> None:
        sys.stderr.write(json.dumps(event.to_dict()) + "\n")  # at once, so that threads do not mix their lines


class Lines:
    """Prints a line when a step is done, if the last such line is at least ``PAUSE`` seconds ago.

    After such a line, it also prints a line when the next step begins.
    """

    def __init__(self) -> None:
        self._begun = self._last = time.monotonic()
        self._next_too = False
        self._run = ""

    def __call__(self, event: Event) -> None:
        now = time.monotonic()
        if isinstance(event, RunStarted):
            self._run = _which_run(event)
        elif isinstance(event, InputRead | StepDone):
            self._next_too = now - self._last >= PAUSE
            if self._next_too:
                self._last = now
                doing = f"loading {event.input}" if isinstance(event, InputRead) else event.step
                self._print(now, event, f"{doing}: {event.rows:,} rows in {event.seconds:.1f} s")
        elif isinstance(event, StepBegun) and self._next_too:
            self._next_too = False
            self._print(now, event, f"{event.step} …")
        elif isinstance(event, RunsEstimated) and event.seconds >= PAUSE:
            complain(visible(self._run + event.message))

    def _print(self, now: float, event: StepBegun | InputRead | StepDone, text: str) -> None:
        elapsed = timedelta(seconds=int(now - self._begun))
        complain(f"{elapsed} {visible(self._run)}{event.number}/{event.total} {visible(text)}")


def _which_run(start: RunStarted) -> str:
    """The beginning of a line that names one of several runs: `run 2/30 team: `, `gold: `; '' for a single run."""
    number = f"run {start.number}/{start.total}" if start.total > 1 else ""
    name = start.name if number else start.reference_point
    return f"{' '.join(each for each in (number, name) if each)}: " if number or name else ""


class Bar:
    """Shows a bar of rich from the first step to the last. Memory and disk use are read each time it is drawn."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._task: Any = None
        self._rows = 0
        self._run = ""

    def __call__(self, event: Event) -> None:
        if isinstance(event, RunStarted):
            self._run = _which_run(event)
        elif isinstance(event, StepBegun):
            if self._bar is None:
                self._bar = _new_bar()
                self._bar.start()
                self._task = self._bar.add_task("", total=event.total, rows=0, used=_Used(event.folder))
            self._bar.update(
                self._task, description=visible(self._run + event.step), completed=event.number - 1, total=event.total
            )
        elif isinstance(event, InputRead | StepDone) and self._bar is not None:
            self._rows += event.rows
            self._bar.update(self._task, rows=self._rows)
            if event.number == event.total:
                self.close()
        elif isinstance(event, RunsEstimated) and self._bar is not None and event.seconds >= PAUSE:
            self._bar.console.print(visible(self._run + event.message), markup=False, highlight=False)
        elif isinstance(event, RunEnded):
            self.close()

    def close(self) -> None:
        """Remove the bar: what follows may be printed on the same terminal."""
        if self._bar is not None:
            self._bar.stop()
        self._bar, self._rows = None, 0


SHOWN: dict[str, Callable[[], Listener]] = {
    "auto": Silent,  # is replaced by one of the others
    "bar": Bar,
    "lines": Lines,
    "json": JsonLines,
    "none": Silent,
}


def _new_bar() -> Any:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True, force_jupyter=False)  # in a notebook it would need ipywidgets
    doing = min(LONGEST_NAME, max(SHORTEST_NAME, console.width - NUMBERS))
    columns: list[ProgressColumn] = [TextColumn(f"{{task.description:<{doing}.{doing}}}", markup=False)]
    if console.width >= LONGEST_NAME + REST + NUMBERS + BAR:
        columns.append(BarColumn(bar_width=BAR))
    columns += [MofNCompleteColumn(), TimeElapsedColumn()]
    if console.width >= LONGEST_NAME + REST + NUMBERS:
        columns += [TextColumn("rest"), TimeRemainingColumn()]
    columns += [TextColumn("{task.fields[rows]:,} rows"), TextColumn("{task.fields[used]}")]
    return Progress(*columns, console=console, transient=True)


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
