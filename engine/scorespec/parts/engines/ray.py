"""An engine: a Ray cluster."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any

import ray
from ray.exceptions import NodeDiedError, OutOfMemoryError, RayTaskError, WorkerCrashedError

from scorespec.parts.engines.protocol import Engine, Function, lost


class Ray(Engine):
    """Runs tasks on the processors of a Ray cluster; a task whose worker ends is repeated once."""

    processes = None

    def __init__(self, on: str) -> None:
        logging.getLogger("ray.client_builder").setLevel(logging.WARNING)  # it repeats the arguments
        # Ray would print logs of workers among the scores.
        self._cluster = ray.init(on, allow_multiple=True, log_to_driver=False)
        self._pending: dict[Any, int] = {}

    @property
    def workers(self) -> int:
        with self._cluster:
            return int(ray.cluster_resources().get("CPU", 0))

    def map(self, function: Function, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        with self._cluster:
            remote = ray.remote(max_retries=1)(function)
            self._pending = {remote.remote(task): number for number, task in enumerate(tasks)}
        while self._pending:
            with self._cluster:
                (done,), _ = ray.wait(list(self._pending), num_returns=1)
                result = _result(done)
            yield self._pending.pop(done), result

    def close(self) -> None:
        with self._cluster:
            for task in self._pending:
                ray.cancel(task, force=True)
        self._cluster.disconnect()


def connect(on: str, tasks: int | None) -> Engine:
    """The engine of a Ray cluster at an address."""
    return Ray(on)


def _result(done: Any) -> Any:
    try:
        return ray.get(done)
    except (WorkerCrashedError, NodeDiedError, OutOfMemoryError) as error:
        return lost(type(error).__name__)
    except RayTaskError as error:
        raise error.cause from None
