"""Events of a run. The progress bar, the lines, the lines of JSON and functions of the user all get the same events."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

from scorespec.errors import Problem


@dataclass(frozen=True)
class Event:
    """Something that happened in a run, at a ``time``; ``event`` is its name in JSON."""

    event: ClassVar[str]
    time: datetime = field(default_factory=lambda: datetime.now(UTC), kw_only=True)

    def to_dict(self) -> dict[str, Any]:
        """The event as JSON has it."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {"event": self.event, **{name: _plain(value) for name, value in values.items()}}


def _plain(value: Any) -> Any:
    """A value of an event as JSON has it; times and seconds have milliseconds."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds")
    if isinstance(value, float):
        return round(value, 3)
    return str(value) if isinstance(value, Path) else value


@dataclass(frozen=True)
class RunStarted(Event):
    """Run ``number`` of ``total`` begins. ``reference_point`` is its name if it scores a reference point, or None."""

    event = "start"
    suite: str
    reference_point: str | None
    version: str
    name: str | None = None
    number: int = 1
    total: int = 1


@dataclass(frozen=True)
class StepBegun(Event):
    """Step ``number`` of ``total`` begins: an input is read, or a table is made. The run spills into ``folder``."""

    event = "begin"
    step: str
    number: int
    total: int
    folder: Path


@dataclass(frozen=True)
class InputRead(Event):
    """An input is read: its name, the file as it was given, the rows that could be read, and the seconds."""

    event = "input"
    input: str
    file: str
    number: int
    total: int
    rows: int
    seconds: float


@dataclass(frozen=True)
class StepDone(Event):
    """A step is done. ``rows`` is the number of rows that it made; ``spilled`` is in bytes, None if not measured."""

    event = "step"
    step: str
    number: int
    total: int
    rows: int
    seconds: float
    spilled: int | None = None


@dataclass(frozen=True)
class RunsEstimated(Event):
    """For the intervals of ``metrics``, steps are run again without each of ``runs`` groups of blocks.

    All of these runs together are estimated to take ``seconds``.
    """

    event = "estimate"
    metrics: tuple[str, ...]
    runs: int
    seconds: float

    @property
    def message(self) -> str:
        """The event in words."""
        about = timedelta(seconds=round(self.seconds))
        said = f"intervals of {', '.join(self.metrics)}: {self.runs} runs without a group of blocks, about {about}"
        return f"{said}; Ctrl-C ends these runs and keeps the scores"


@dataclass(frozen=True)
class Warned(Event):
    """A warning, such as one about rows that a convention leaves out."""

    event = "warning"
    message: str


@dataclass(frozen=True)
class ProblemFound(Problem, Event):
    """A problem that makes the run fail."""

    event = "problem"


@dataclass(frozen=True)
class RunEnded(Event):
    """A run has ended, after ``seconds``. ``error`` is the kind of error that ended it, None if all went well.

    ``problems`` is the number of all problems. Only the first problems of each input have an event.
    """

    event = "end"
    seconds: float
    error: str | None = None
    problems: int = 0


@dataclass(frozen=True)
class StepCost:
    """The cost of a step: seconds, rows, and bytes that it spilled (None if not measured).

    ``sources`` are the inputs and relations that the step reads.
    """

    label: str
    seconds: float
    rows: int
    spilled: int | None = None
    sources: tuple[str, ...] = ()
