"""The command `scorespec`, also as `python -m scorespec`."""

from __future__ import annotations

from typing import NoReturn

from scorespec.process import run


def main() -> NoReturn:
    """Run the command line. Its modules are imported inside of `run`, which handles Ctrl-C."""
    run(_command_line)


def _command_line() -> None:
    from scorespec.runtime.interrupts import end_on_interrupt

    end_on_interrupt()
    from scorespec.cli import app

    app(prog_name="scorespec")


if __name__ == "__main__":
    main()
