"""Runs the command line as a user would and takes its time and memory; writes tables into docs/performance.md."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
MACHINE = f"Python {platform.python_version()}, {os.cpu_count()} cores"


@dataclass(frozen=True)
class Spent:
    """Wall seconds of a whole process and its peak resident megabytes."""

    seconds: float
    peak_mb: float


def spend(command: list[str], told: Path | None = None) -> Spent:
    """Run a process to its end; what it says on standard error goes to the file ``told``. Exits when it fails."""
    with told.open("w") if told else nullcontext() as stderr:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    return Spent(time.perf_counter() - start, usage.ru_maxrss / 1000)


def score(suite: str, inputs: dict[str, Path], *options: str, told: Path | None = None) -> Spent:
    """Run ``scorespec score`` on inputs by name."""
    given = [f"{name}={path}" for name, path in inputs.items()]
    return spend([str(Path(sys.executable).parent / "scorespec"), "score", suite, *given, "--quiet", *options], told)


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
