"""An engine whose only worker is the process of the test, so that a test can look into its tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from scorespec.parts.engines import protocol
from scorespec.parts.partition_tasks import PartTask


class Here:
    """Runs tasks in this process, the last one first."""

    processes = None
    workers = 2

    def __init__(self) -> None:
        self.tasks: list[PartTask] = []

    def map(self, function: Callable[[Any], Any], tasks: Any) -> Iterator[tuple[int, Any]]:
        for number in reversed(range(len(tasks))):
            _, packed = tasks[number]
            self.tasks.append(protocol.unpack(packed))
            yield number, function(tasks[number])

    def close(self) -> None:
        pass
