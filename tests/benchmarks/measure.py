"""Runs the command line as a user would and takes its time and memory; writes tables into docs/performance.md."""

from __future__ import annotations

import multiprocessing
import os
import platform
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TypeVar

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
Made = TypeVar("Made")
SCORESPEC = str(Path(sys.executable).parent / "scorespec")
MACHINE = f"Python {platform.python_version()}, {os.cpu_count()} cores"


@dataclass(frozen=True)
class Spent:
    """Wall seconds of a whole process, its peak resident megabytes, and the most megabytes in its folder."""

    seconds: float
    peak_mb: float
    disk_mb: float = 0


def spend(command: list[str], said: Path | None = None, told: Path | None = None, folder: Path | None = None) -> Spent:
    """Run a process to its end. Standard output and standard error go to files; exits when the process fails."""
    with ExitStack() as opened:
        stdout, stderr = (opened.enter_context(path.open("w")) if path else None for path in (said, told))
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=stdout or subprocess.DEVNULL, stderr=stderr)
        disk = opened.enter_context(_Disk(folder)) if folder else None
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    return Spent(seconds, usage.ru_maxrss * 1024 / 1e6, disk.most / 1e6 if disk else 0)


class _Disk:
    """The most bytes that a folder holds, looked at once a second."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.most = folder, 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(1):
            with suppress(FileNotFoundError):  # files come and go
                held = sum(path.lstat().st_blocks * 512 for path in self._folder.rglob("*"))
                self.most = max(self.most, held)


def apart(make: Callable[..., Made], *given: object) -> Made:
    """What a function makes in a process of its own: the peak of a process is at least that of its parent."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=lambda: sender.send(make(*given)))
    process.start()
    sender.close()
    made: Made = receiver.recv()
    process.join()
    return made


def score(suite: str, inputs: dict[str, Path], *options: str, **kept: Path) -> Spent:
    """Run ``scorespec score`` on inputs by name; ``kept`` as :func:`spend` has it, its folder the one to spill to."""
    given = [f"{name}={path}" for name, path in inputs.items()]
    spill = ["--temp-dir", str(kept["folder"])] if "folder" in kept else []
    return spend([SCORESPEC, "score", suite, *given, "--quiet", *spill, *options], **kept)


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A table of Markdown; columns of which the head ends with a colon stand right."""
    under = ["---:" if head.endswith(":") else "---" for head in heads]
    lines = [[head.removesuffix(":") for head in heads], under, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def rewrite(block: str, text: str) -> None:
    """Put a text between the marks of a block of the page."""
    begin, end = f"<!-- {block}: begin -->", f"<!-- {block}: end -->"
    head, rest = PAGE.read_text(encoding="utf-8").split(begin)
    PAGE.write_text(f"{head}{begin}\n{text}\n{end}{rest.split(end)[1]}", encoding="utf-8")


def add_row(block: str, row: list[str], keys: int) -> None:
    """Put a row into the table of a block, in place of the one that is equal in the first columns."""
    *_, held = PAGE.read_text(encoding="utf-8").split(f"<!-- {block}: begin -->\n")
    lines = held.split(f"<!-- {block}: end -->")[0].splitlines()
    begin = f"| {' | '.join(row[:keys])} |"
    written = f"| {' | '.join(row)} |"
    place = next((at for at, line in enumerate(lines) if line.startswith(begin)), len(lines))
    rewrite(block, "\n".join([*lines[:place], written, *lines[place + 1 :]]))
