"""Turns errors into a message, or into JSON where that is asked for, and an exit code."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NoReturn

import typer

from scorespec.cli.values import PlainGroup
from scorespec.core.terminal import complain, is_output_begun, visible
from scorespec.errors import INTERRUPTED, ScorespecError, UsageError, failure_of
from scorespec.run.limits import check_addresses

CHECK = "\n`scorespec check`, with the document, names the key at fault and the columns that there are"
LONGEST_ECHO = 1000  # characters of a wrong call in a message
# The base of what typer raises for a wrong call; it comes from click, which newer versions of typer contain.
WrongCall: type[Exception] = typer.BadParameter.__mro__[1]


class Guarded(PlainGroup):
    """Turns an error that a user can mend into one message and an exit code."""

    def main(self, args: Any = None, *rest: Any, **options: Any) -> NoReturn:
        """Run the command that the arguments name, and exit; without arguments, print the help."""
        given = list(sys.argv[1:] if args is None else args)
        in_json = _value(given, "--format") == "json"
        try:
            check_addresses()  # before libraries are loaded
            _check_encoding(given)
            code = super().main(given or ["--help"], *rest, **{**options, "standalone_mode": False})
        except ScorespecError as error:
            _report(error, in_json, CHECK if "--specs" in given and "Binder Error" in str(error) else "")
        except WrongCall as error:
            _report(UsageError(_wrong_call(error)), in_json)
        except Exception as error:  # of the system, or a fault; scorespec.core.process prints it
            _report_to_programs(error, in_json)
            raise
        if code == INTERRUPTED:  # what typer returns for a KeyboardInterrupt
            _report(KeyboardInterrupt(), in_json)
        raise SystemExit(code)


class HelpfulGroup(PlainGroup):
    """Prints its help if no command is given."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args or ["--help"])


class RunsGroup(HelpfulGroup):
    """Lists the runs of a results database that is named instead of a command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """See click: `runs results.duckdb` means `runs list results.duckdb`."""
        is_command = not args or args[0] in self.commands or args[0].startswith("-")
        return super().parse_args(ctx, args if is_command else ["list", *args])


def _value(arguments: Sequence[str], option: str) -> str | None:
    """The last value of an option, also in a call that is wrong and so cannot be parsed."""
    values = [after for before, after in pairwise(arguments) if before == option]
    values += [each.partition("=")[2] for each in arguments if each.startswith(f"{option}=")]
    return values[-1] if values else None


def _report(error: BaseException, in_json: bool, hint: str = "") -> NoReturn:
    """Report an error, with a ``hint`` for people, and exit."""
    failure = failure_of(error)
    _report_to_programs(error, in_json)
    complain(failure.text + hint)
    raise SystemExit(failure.exit_code) from None


def _report_to_programs(error: BaseException, in_json: bool) -> None:
    """Report an error in JSON on standard output; scores that could not be saved are printed already."""
    if in_json and not is_output_begun():
        from scorespec.cli.printing import print_json

        print_json(failure_of(error).to_dict())


def _check_encoding(arguments: Iterable[str]) -> None:
    """Refuse bytes that are no UTF-8: Python keeps them as surrogates, which neither SQL nor a database can hold."""
    for each in arguments:
        try:
            each.encode()
        except UnicodeEncodeError:
            raise UsageError(f"the argument {visible(each)} is not UTF-8; rename the file, or link to it") from None


def _wrong_call(error: Any) -> str:
    """A message of typer, in the form of ours."""
    from scorespec.catalog.lookup import load_catalog

    said = visible(error.format_message()).rstrip(".")
    said = said if len(said) <= LONGEST_ECHO else f"{said[:LONGEST_ECHO]}…"
    command = error.ctx.command_path if error.ctx else "scorespec"
    name = getattr(error, "option_name", "").removeprefix("--").replace("-", "_")
    if name and name in load_catalog().names("parameters"):
        return f"no such option: --{name}; it is a parameter: write --param {name}=VALUE"
    if (command_name := re.fullmatch(r"No such command '(.*)'", said)) and command_name[1] in load_catalog().names(
        "suites"
    ):
        return f"no such command: {command_name[1]}; it is a suite: scorespec score {command_name[1]} …"
    said = f"{said[:1].lower()}{said[1:]}".replace(". Did you mean", "; did you mean")
    return f"{said}{'' if said.endswith('?') else ';'} `{command} --help` lists what it takes"
