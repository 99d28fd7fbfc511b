"""The command `scorespec`, also as `python -m scorespec`."""

from __future__ import annotations

import atexit
import gc
import os
from typing import NoReturn

from scorespec.core.process import run

OBJECTS = 20_000  # that are made between two searches for unreachable objects


def main() -> NoReturn:
    """Run the command line. Its modules are imported inside of `run`, which handles Ctrl-C."""
    # Importing makes 100,000 objects, which stay. With Python's default of 700, searching them takes 50 ms.
    gc.set_threshold(OBJECTS)
    try:
        run(_command_line)
    except SystemExit as ended:
        atexit._run_exitfuncs()
        # `run` has flushed the streams. Python would free every object before it ends, which takes 70 ms.
        os._exit(ended.code if isinstance(ended.code, int) else 1)


def _command_line() -> None:
    from scorespec.run.folders import end_on_interrupt

    end_on_interrupt()
    from scorespec.cli import app

    app(prog_name="scorespec")


if __name__ == "__main__":
    main()
