"""Runs a call in a process of its own, under limits, and judges what it left."""

from __future__ import annotations

import atexit
import json
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path

from scorespec.core.process import run

CODES = (0, 1, 2)
CPU_SECONDS = 40
WALL_SECONDS = 180
ADDRESS_SPACE = 6 << 30
RESIDENT_MB = 900
LONGEST_LINE = 5000
# What no user has to read: the words of programs about themselves.
# Beside a result: warnings, the lines of --profile, and the progress of a run that takes long.
EXPECTED = re.compile(r"(warning|note): | +[0-9.]+ s  |\d+:\d\d:\d\d \d+/\d+ ")
INSIDE = re.compile(
    r"Traceback|Internal Error|INTERNAL|nanobind|AssertionError|fault of scorespec|Python exception|std::|"
    r"<class |object at 0x|not enough memory|site-packages"
)
PLACED = re.compile(r"\S.*?: \S")

Make = Callable[[Path], list[str]]
"""Writes files into a folder; the arguments of the call."""


@dataclass
class Outcome:
    """What a call left."""

    arguments: list[str]
    code: int
    out: str
    err: str
    made: set[str]
    """Files in the working folder that were not there before."""
    left: set[str]
    """Files in the folder for temporary files."""
    faults: list[str] = field(default_factory=list)


def attempt(make: Make, more: Collection[str] = ()) -> Outcome:
    """Make the files of a call in a new folder, run it there with ``more`` arguments, look at what is left."""
    place = Path(tempfile.mkdtemp(prefix="fuzz-"))
    try:
        for name in ("work", "temp"):
            (place / name).mkdir()
        child = os.fork()
        if child == 0:
            _run_child(place, make, more)
        code, faults = _wait(child)
        if not (place / "call.json").exists():
            raise RuntimeError((place / "err").read_text(errors="replace"))
        arguments, before = json.loads((place / "call.json").read_text())
        deadline = time.monotonic() + 5
        while os.listdir(place / "temp") and time.monotonic() < deadline:
            time.sleep(0.02)  # a run that was killed is cleaned up after by its guard
        outcome = Outcome(
            arguments,
            code,
            (place / "out").read_text(errors="replace"),
            (place / "err").read_text(errors="replace"),
            _names(place / "work") - set(before),
            _names(place / "temp"),
            faults,
        )
        outcome.faults += _faults(outcome)
        return outcome
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _names(folder: Path) -> set[str]:
    return {each.relative_to(folder).as_posix() for each in folder.rglob("*")}


def _run_child(place: Path, make: Make, more: Collection[str]) -> None:
    """Run the call and end this process."""
    code = 1
    try:
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(place / name, os.O_WRONLY | os.O_CREAT), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.chdir(place / "work")
        os.environ["TMPDIR"] = tempfile.tempdir = str(place / "temp")
        arguments = [*make(Path()), *more]
        (place / "call.json").write_text(json.dumps([arguments, sorted(_names(Path()))]))
        from scorespec.cli import app

        run(lambda: app(arguments, prog_name="scorespec"))
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    except BaseException:  # of the fuzzer's own making: there is no call.json
        import traceback

        traceback.print_exc()
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(code)


def _wait(child: int) -> tuple[int, list[str]]:
    """The exit code of a child, and which bounds it passed."""
    deadline = time.monotonic() + WALL_SECONDS
    while True:
        ended, status, used = os.wait4(child, os.WNOHANG)
        if ended:
            break
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.wait4(child, 0)
            return -signal.SIGKILL, [f"ran for more than {WALL_SECONDS} s"]
        time.sleep(0.005)
    code = os.waitstatus_to_exitcode(status)
    faults = [] if code >= 0 else [f"ended by {signal.Signals(-code).name}"]
    if used.ru_maxrss > RESIDENT_MB * 1000:
        faults.append(f"took {used.ru_maxrss // 1000:,} MB")
    return code, faults


def _is_error_in_json(outcome: Outcome) -> bool:
    """Whether standard output has the error, and nothing else, as a call with `--format json` asks for."""
    try:
        return "json" in outcome.arguments and list(json.loads(outcome.out)) == ["error"]
    except ValueError:  # something stands before or behind it
        return False


def _faults(outcome: Outcome) -> list[str]:
    """What is wrong with any call, whatever it was made of."""
    faults = []
    if outcome.code not in CODES and outcome.code >= 0:
        faults.append(f"exit code {outcome.code}")
    if found := INSIDE.search(outcome.err) or INSIDE.search(outcome.out if outcome.code else ""):
        faults.append(f"says {found[0]!r}")
    if outcome.code != 0 and outcome.out and not _is_error_in_json(outcome):
        faults.append("refused, with something on standard output")
    if outcome.code != 0 and not PLACED.match(outcome.err) and outcome.code >= 0:
        faults.append("refused without a message that begins with a place, a file or 'error: '")
    if outcome.code == 0 and any(not EXPECTED.match(each) for each in outcome.err.splitlines()):
        faults.append("went well, with something other than warnings on standard error")
    if any(len(each) > LONGEST_LINE for each in outcome.err.splitlines()):
        faults.append(f"a message of more than {LONGEST_LINE:,} characters")
    if outcome.left:
        faults.append(f"left {sorted(outcome.left)} in the folder for temporary files")
    return faults
