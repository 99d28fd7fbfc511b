"""What befalls a worker at one task of a run in parts: the file `victim` in the shared folder has the name of the task.

Engines run these functions in place of `run_task`. Workers import this module.
"""

from __future__ import annotations

import os
import resource
import signal
from pathlib import Path
from typing import Any

from scorespec.parts.worker_tasks import PartTask

from scorespec.parts.engines.protocol import run_task, unpack

FEW = 2_000  # bytes of a file, at most


def part_of(asked: Any) -> PartTask | None:
    """The task that a worker is asked to run; None if it does not run steps, but reads inputs."""
    _, packed = asked
    task = unpack(packed)
    return task if isinstance(task, PartTask) else None


def _victim(asked: Any) -> Path | None:
    """The file with the name of the victim, if this is its task."""
    task = part_of(asked)
    file = task.workplace.folder.parent / "victim" if task else None
    return file if task and file and file.exists() and file.read_text() == task.name else None


def killed_once(asked: Any) -> Any:
    """The worker is killed when it has written its files, before it returns their names; once."""
    result = run_task(asked)
    if file := _victim(asked):
        file.unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return result


def without_disk(asked: Any) -> Any:
    """The worker cannot write files of more than some bytes, as on a full disk."""
    if not _victim(asked):
        return run_task(asked)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (FEW, limits[1]))  # Python ignores the signal that comes with it
    try:
        return run_task(asked)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def elsewhere(asked: Any) -> Any:
    """The worker is in another folder. A path that begins with /proc/self/cwd leads it to other files."""
    before = Path.cwd()
    os.chdir("/")
    try:
        return run_task(asked)
    finally:
        os.chdir(before)
