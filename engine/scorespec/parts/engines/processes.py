"""An engine of some processes on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any

from scorespec.parts.engines.protocol import Engine, Function, lost

ATTEMPTS = 2  # at a task whose worker ends
SERVE = "from scorespec.parts.engines.processes import serve; serve({descriptor})"


class Processes(Engine):
    """Runs each task in one of some processes, which are started when they are needed.

    A pool of `concurrent.futures` does not say which task a dead process had, and would make every task fail.
    """

    def __init__(self, processes: int) -> None:
        self.processes: int = processes
        self._workers: list[_Worker] = []

    @property
    def workers(self) -> int:
        return self.processes

    def map(self, function: Function, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        waiting = deque((number, 1) for number in range(len(tasks)))
        busy: dict[Connection, tuple[_Worker, int, int]] = {}
        self._workers += [_Worker() for _ in range(self.processes - len(self._workers))]
        idle = [*self._workers]
        while waiting or busy:
            while waiting and idle:
                worker, (number, attempt) = idle.pop(), waiting.popleft()
                worker.begin(function, tasks[number])
                busy[worker.pipe] = worker, number, attempt
            ready = set(wait(list(busy)))
            for pipe in [each for each in busy if each in ready]:
                worker, number, attempt = busy.pop(pipe)
                try:
                    result = worker.pipe.recv()
                except (EOFError, OSError):
                    reason = worker.end()
                    self._workers.remove(worker)
                    worker = _Worker()
                    self._workers.append(worker)
                    idle.append(worker)
                    if attempt < ATTEMPTS:
                        waiting.append((number, attempt + 1))
                    else:
                        yield number, lost(reason)
                else:
                    idle.append(worker)
                    yield number, result

    def close(self) -> None:
        while self._workers:
            self._workers.pop().end()


def connect(on: str, tasks: int | None) -> Engine:
    """The engine of some processes; of no more than there are tasks."""
    processes = int(on.partition(":")[2])
    return Processes(min(processes, tasks or processes))


class _Worker:
    """A process that runs one task at a time.

    It is started from scratch, not as a copy of this process, whose threads it would lack, and does not import the
    user's main program again. Ctrl-C does not reach it: it is in a session of its own.
    """

    def __init__(self) -> None:
        self.pipe, other_end = Pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-c", SERVE.format(descriptor=other_end.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            pass_fds=[other_end.fileno()],
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        other_end.close()

    def begin(self, function: Function, task: Any) -> None:
        """Start a task. If the process has ended, reading its result fails."""
        with suppress(OSError):
            self.pipe.send((function, task))

    def end(self) -> str:
        """End the process; returns how it ended."""
        self.pipe.close()
        self._process.kill()
        self._process.communicate()
        code = self._process.returncode
        return f"signal {-code}" if code < 0 else f"exit code {code}"


def serve(descriptor: int) -> None:
    """Run tasks from a pipe, and send their results, until the other end is closed."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    pipe = Connection(descriptor)
    while True:
        try:
            function, task = pipe.recv()
        except EOFError:
            return
        pipe.send(function(task))


def _end_with_parent() -> None:
    """End this process when standard input ends: the parent has ended, even if it was killed."""
    os.read(0, 1)
    os._exit(1)
