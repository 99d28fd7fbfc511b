"""An engine whose only worker is the process of the test, so that a test can look into its tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from scorespec.parts import task


class Here:
    """Runs tasks in this process, the last one first. ``tasks`` have run steps, those ``of_inputs`` read or check."""

    processes = None
    workers = 2

    def __init__(self) -> None:
        self.tasks: list[task.PartTask] = []
        self.of_inputs: list[task.Task] = []

    def map(self, function: Callable[[Any], Any], tasks: Any) -> Iterator[tuple[int, Any]]:
        for number in reversed(range(len(tasks))):
            _, (plugins, packed) = tasks[number]
            asked = task.unpack(plugins, packed)
            if isinstance(asked, task.PartTask):
                self.tasks.append(asked)
            else:
                self.of_inputs.append(asked)
            yield number, function(tasks[number])

    def close(self) -> None:
        pass
