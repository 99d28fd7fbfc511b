"""Runs tasks on an engine that exists already: processes of this machine, Dask or Ray.

The engine schedules tasks, and repeats a task whose worker ended. An adapter translates this to one small protocol. It
is imported only when its engine is named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from scorespec.errors import RunError, ScorespecError, UsageError

FORMS = "processes:N, dask://HOST:PORT or ray://HOST:PORT"
PROCESSES = re.compile(r"processes:([1-9][0-9]{0,3})")
REMOTE = re.compile(r"(dask|ray)://[^/]+:[0-9]+")

Function = Callable[[Any], Any]


class Engine(Protocol):
    """Runs tasks on workers. ``processes`` is the number of workers that it starts on this machine, None elsewhere."""

    processes: int | None

    @property
    def workers(self) -> int:
        """The number of tasks that it runs at once now; more workers may come."""
        ...

    def map(self, function: Function, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """The number of each task with the result of the function, as soon as it is there, in any order.

        If the worker of a task ended, also after a repetition, its result is the error of :func:`lost`.
        """
        ...

    def close(self) -> None:
        """Stop what still runs, and leave the engine."""
        ...


def connect(on: str, tasks: int | None = None) -> Engine:
    """The engine ``on`` which tasks are to run, of which there may be a known number.

    Raises UsageError if the engine is not known or not installed.
    """
    if found := PROCESSES.fullmatch(on):
        from scorespec.parts.engines.processes import Processes

        return Processes(min(int(found[1]), tasks or int(found[1])))
    if not (found := REMOTE.fullmatch(on)):
        raise UsageError(f"--on {on!r}: write {FORMS}")
    try:
        return _remote(found[1], on)
    except ImportError as error:
        said = f"--on {on} needs a package that is not installed ({error.name}); pip install 'scorespec[{found[1]}]'"
        raise UsageError(said) from None


def _remote(engine: str, on: str) -> Engine:
    if engine == "ray":
        from scorespec.parts.engines.ray import Ray

        return Ray(on)
    from scorespec.parts.engines.dask import Dask

    return Dask(on)


@contextmanager
def reported(on: str) -> Iterator[None]:
    """Inside the block, an error of an engine becomes a RunError that names the engine."""
    try:
        yield
    except ScorespecError:
        raise
    except Exception as error:
        said = [*str(error).strip().splitlines(), type(error).__name__]
        raise RunError(f"the engine {on} reports: {said[0]}") from error


def lost(reason: str) -> RunError:
    """The error of a task whose worker ended without a result, each time that the task was run."""
    return RunError(
        f"each worker that scored it ended without a result ({reason}); "
        "if memory ran out, use fewer workers or --memory-limit"
    )
