"""A process that has imported the command line, and forks a child for each run: a run without half a second of imports.

Reads a call from each line of standard input, and answers each with a line: `start` answers with the process id of the
child, `wait` with its exit code, which is negative if a signal ended it.
"""

from __future__ import annotations

import json
import os
import sys
from typing import NoReturn

import scorespec
from scorespec.cli import app
from scorespec.core.process import run
from scorespec.results import saving  # noqa: F401  # a run imports it late
from scorespec.run import runner  # noqa: F401


def child(arguments: list[str], err: str) -> NoReturn:
    """Run a command as a process does, with standard error in a file."""
    code = 1
    try:
        for number, path in enumerate((os.devnull, os.devnull, err)):
            os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
        run(lambda: app(arguments, prog_name="scorespec"))
    except SystemExit as ended:
        code = int(ended.code or 0)
    finally:
        sys.stdout.flush()
        os._exit(code)


def main() -> None:
    scorespec.compile("zerospeech2017")  # reads the documents and the templates; no database is open at a fork
    for line in sys.stdin:
        call = json.loads(line)
        if "start" in call:
            answer = os.fork() or child(call["start"], call["err"])
        else:
            answer = os.waitstatus_to_exitcode(os.waitpid(call["wait"], 0)[1])
        print(answer, flush=True)


if __name__ == "__main__":
    main()
