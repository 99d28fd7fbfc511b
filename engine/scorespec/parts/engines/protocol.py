"""What an engine is, and its tasks: how any task is sent to a worker, run and answered."""

from __future__ import annotations

import io
import os
import pickle
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from scorespec.catalog.plugins import Plugins, load_plugins
from scorespec.errors import TRACEBACK, RunError, ScorespecError
from scorespec.formats import Format
from scorespec.functions.function import RelationFunction
from scorespec.parts.engines.computing import computing, difference

Function = Callable[[Any], Any]
Packed = tuple[Sequence[str], bytes]  # the plugins that an object needs, and the object


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


def lost(reason: str) -> RunError:
    """The error of a task whose worker ended without a result, each time that the task was run."""
    return RunError(
        f"each worker that scored it ended without a result ({reason}); "
        "if memory ran out, use fewer workers or --memory-limit"
    )


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


class Task(Protocol):
    """What a worker computes. ``label`` says in messages what that is; it may be empty."""

    @property
    def label(self) -> str:
        """What it computes, in a few words."""

    def run(self, answer: Answer) -> None:
        """Compute it, and put what is found into the answer, also what is found before an error."""


@dataclass
class Answer:
    """What a task has ``found``, and the error that ended it; a task that was lost has found nothing."""

    found: Any = None
    error: Exception | None = None


def answers(
    engine: Engine, on: str, tasks: Sequence[Task], plugins: Sequence[str] = ()
) -> Iterator[tuple[int, Answer]]:
    """The number of each task with its answer, in any order; ``on`` is the name of the engine.

    Raises RunError for a fault of the engine, and if a worker would compute other scores.
    """
    results = engine.map(run_task, [(computing(), pack(task, plugins)) for task in tasks])
    for _ in tasks:
        with reported(on):
            number, result = next(results)
        if isinstance(result, str):
            raise RunError(result)
        if isinstance(result, RunError):
            said = filter(None, (tasks[number].label, str(result)))
            yield number, Answer(error=RunError(": ".join(said)))
        else:
            yield number, unpack(result)


def run_task(asked: tuple[Mapping[str, str], Packed]) -> Packed | str:
    """Run a packed task; the packed :class:`Answer`, or a sentence if this worker would compute other scores.

    The versions are compared before the task is unpacked, since another version may not be able to read it.
    """
    expected, packed = asked
    if found := difference(expected):
        return found
    answer = Answer()
    try:
        unpack(packed).run(answer)
    except Exception as error:
        if TRACEBACK in os.environ and not isinstance(error, ScorespecError):
            error.add_note(traceback.format_exc())  # a traceback itself cannot be sent
        answer.error = error
    return pack(answer, packed[0])


def pack(sent: Task | Answer, plugins: Sequence[str]) -> Packed:
    """An object for another process, in which functions and formats go by their names; ``plugins`` bring some."""
    packed = io.BytesIO()
    _Pickler(packed, pickle.HIGHEST_PROTOCOL).dump(sent)
    return plugins, packed.getvalue()


def unpack(packed: Packed) -> Any:
    """The object that :func:`pack` has packed."""
    return _Unpickler(*packed).load()


class _Pickler(pickle.Pickler):
    def persistent_id(self, obj: Any) -> tuple[str, str] | None:
        if isinstance(obj, RelationFunction | Format):
            return "functions" if isinstance(obj, RelationFunction) else "formats", obj.name
        return None


class _Unpickler(pickle.Unpickler):
    def __init__(self, plugins: Sequence[str], packed: bytes) -> None:
        super().__init__(io.BytesIO(packed))
        self._plugins = plugins

    def persistent_load(self, pid: Any) -> RelationFunction | Format:
        kind, name = pid
        found: RelationFunction | Format = getattr(_loaded(tuple(self._plugins)), kind)[name]
        return found


@cache
def _loaded(plugins: tuple[str, ...]) -> Plugins:
    return load_plugins(plugins)
