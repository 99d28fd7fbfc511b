"""An engine whose only worker is the process of the test, so that a test can look into its tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from scorespec.parts.engines import protocol
from scorespec.parts.worker_tasks import PartTask


class Here:
    """Runs tasks in this process, the last one first. ``tasks`` have run steps, those ``of_inputs`` read or check."""

    processes = None
    workers = 2

    def __init__(self) -> None:
        self.tasks: list[PartTask] = []
        self.of_inputs: list[protocol.Task] = []

    def map(self, function: Callable[[Any], Any], tasks: Any) -> Iterator[tuple[int, Any]]:
        for number in reversed(range(len(tasks))):
            _, packed = tasks[number]
            asked = protocol.unpack(packed)
            if isinstance(asked, PartTask):
                self.tasks.append(asked)
            else:
                self.of_inputs.append(asked)
            yield number, function(tasks[number])

    def close(self) -> None:
        pass
