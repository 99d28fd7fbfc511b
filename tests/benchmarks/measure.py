"""Runs the command line as a user would and takes its time and memory; writes rows into docs/performance.md."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self, TypeVar

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
Made = TypeVar("Made")
SCORESPEC = str(Path(sys.executable).parent / "scorespec")


@dataclass(frozen=True)
class Spent:
    """Wall seconds of a whole process, its peak resident megabytes, and the most megabytes in its folder."""

    seconds: float
    peak_mb: float
    disk_mb: float = 0


def spend(
    command: list[str], stdout: Path | None = None, stderr: Path | None = None, folder: Path | None = None
) -> Spent:
    """Run a process to its end. Standard output and standard error go to files; exits when the process fails."""
    with ExitStack() as opened:
        out, err = (opened.enter_context(path.open("w")) if path else None for path in (stdout, stderr))
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out or subprocess.DEVNULL, stderr=err)
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


class Named(Protocol):
    """What is measured has a suite and a size, which are the first columns of its row."""

    @property
    def suite(self) -> str: ...
    @property
    def size(self) -> str: ...


Measured = TypeVar("Measured", bound=Named)


def only(tasks: Iterable[Measured]) -> list[Measured]:
    """Those of which suite and size hold what ``--only`` says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="measure those of which suite and size hold this")
    wanted = parser.parse_args().only
    return [each for each in tasks if wanted in f"{each.suite} {each.size}"]


def add_row(block: str, row: list[str], keys: int) -> None:
    """Put a row into the table of a block of the page, in place of the one that is equal in the first columns."""
    begin, end = f"<!-- {block}: begin -->\n", f"<!-- {block}: end -->"
    before, rest = PAGE.read_text(encoding="utf-8").split(begin)
    held, after = rest.split(end)
    lines, written = held.splitlines(), [f"| {' | '.join(each)} |" for each in (row[:keys], row)]
    place = next((at for at, line in enumerate(lines) if line.startswith(written[0])), len(lines))
    lines[place : place + 1] = written[1:]
    print(written[1], flush=True)
    PAGE.write_text(before + begin + "\n".join([*lines, end]) + after, encoding="utf-8")
