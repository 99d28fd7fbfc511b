"""An engine: the workers of a Dask scheduler."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from distributed import Client, as_completed
from distributed.scheduler import KilledWorker

from scorespec.parts.engines.protocol import Engine, Function, lost


class Dask(Engine):
    """Runs tasks on the workers of a Dask scheduler, which repeats the tasks of workers that end."""

    processes = None

    def __init__(self, on: str) -> None:
        self._client = Client(on.replace("dask://", "tcp://"), set_as_default=False)

    @property
    def workers(self) -> int:
        return sum(self._client.nthreads().values())

    def map(self, function: Function, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        futures = {self._client.submit(function, task, pure=False): number for number, task in enumerate(tasks)}
        for future in as_completed(list(futures), loop=self._client.loop):
            error = future.exception()
            is_lost = isinstance(error, KilledWorker)
            yield futures.pop(future), lost(f"{error.last_worker}") if is_lost else future.result()

    def close(self) -> None:
        self._client.close()


def connect(on: str, tasks: int | None) -> Engine:
    """The engine of a Dask scheduler at an address."""
    return Dask(on)
