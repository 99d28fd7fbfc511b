"""Turns errors into one message and an exit code."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from scorespec.errors import InputError, ScorespecError, UsageError
from scorespec.process import INTERRUPTED
from scorespec.runtime.memory import check_addresses
from scorespec.terminal import complain, visible

LONGEST_ECHO = 1000  # characters of a wrong call in a message
PLACE = re.compile(r"\S.*?:\d+(:\d+)?: ")
# The base of what typer raises for a wrong call; it comes from click, which newer versions of typer contain.
WrongCall: type[Exception] = typer.BadParameter.__mro__[1]


class Guarded(TyperGroup):
    """Turns an error that a user can mend into one message and an exit code."""

    def main(self, args: Any = None, *rest: Any, **options: Any) -> NoReturn:
        """Run the command that the arguments name, and exit; without arguments, print the help."""
        given = list(sys.argv[1:] if args is None else args)
        try:
            check_addresses()  # before libraries are loaded
            _check_encoding(given)
            code = super().main(given or ["--help"], *rest, **{**options, "standalone_mode": False})
        except ScorespecError as error:
            complain(_message(error))
            raise SystemExit(error.exit_code) from None
        except WrongCall as error:
            complain(_wrong_call(error))
            raise SystemExit(UsageError.exit_code) from None
        if code == INTERRUPTED:  # what typer returns for a KeyboardInterrupt
            complain("interrupted")
        raise SystemExit(code)


class RunsGroup(TyperGroup):
    """Lists the runs of a results database where that stands in place of a command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """See click: `runs results.duckdb` means `runs list results.duckdb`."""
        is_command = not args or args[0] in self.commands or args[0].startswith("-")
        return super().parse_args(ctx, args if is_command else ["list", *args])


def _check_encoding(arguments: Iterable[str]) -> None:
    """Refuse bytes that are no UTF-8: Python keeps them as surrogates, which neither SQL nor a database can hold."""
    for each in arguments:
        try:
            each.encode()
        except UnicodeEncodeError:
            raise UsageError(f"the argument {visible(each)} is not UTF-8; rename the file, or link to it") from None


def _wrong_call(error: Any) -> str:
    """A message of typer, in the form of ours."""
    said = visible(error.format_message()).rstrip(".")
    said = said if len(said) <= LONGEST_ECHO else f"{said[:LONGEST_ECHO]}…"
    command = error.ctx.command_path if error.ctx else "scorespec"
    return f"error: {said[:1].lower()}{said[1:]}; `{command} --help` lists what it takes"


def _message(error: ScorespecError) -> str:
    """The line to print for an error. A place, such as `my.yaml:3:5:`, stands first, as editors expect it."""
    placed = isinstance(error, InputError) or PLACE.match(str(error))
    return str(error) if placed else f"error: {error}"
