"""The command that checks inputs without scoring them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from scorespec.cli.options import PlanOptions, with_options
from scorespec.terminal import print_warnings, say, say_wrapped

if TYPE_CHECKING:
    from scorespec.api import Validation
    from scorespec.compiler.checks import SkippedCheck

FORMATS = ("table", "json")
MANIFEST = "manifest"  # what a validation calls the table of --manifest


@with_options
def validate(
    options: PlanOptions,
    manifest: Annotated[
        str | None,
        typer.Option("--manifest", metavar="PATH[::FORMAT]", help="recordings and durations, in place of the gold"),
    ] = None,
    format: Annotated[str, typer.Option("--format", metavar="table|json", help="how the result is printed")] = "table",
    skipped: Annotated[bool, typer.Option("--skipped", help="list the checks that need other inputs")] = False,
) -> None:
    """Check inputs without scoring them: a submission without the gold, or the gold by itself."""
    from scorespec import api, display

    display.check_format(format, FORMATS)
    found = api.validate(**options.arguments(), manifest=manifest)
    if options.warns:
        print_warnings(found.warnings)
    if format == "json":
        display.print_json(found.to_dict())
    else:
        _print(found, skipped)
    if found.error:
        raise found.error


def _print(found: Validation, list_skipped: bool) -> None:
    """The inputs, the checks that were skipped, and whether all other checks are passed."""
    from scorespec.grid import print_grid

    if not found.inputs:  # a file could not be read
        return
    columns = ["input", "format", "rows"]
    rows = [dict(zip(columns, (each.name, each.format, f"{each.rows:,}"), strict=True)) for each in found.inputs]
    print_grid(rows, columns, ["rows"], columns)
    if list_skipped:
        _list_skipped(found.skipped)
    else:
        _count_skipped(found.skipped)
    if found.valid:
        say("\nvalid, as far as it was checked" if found.skipped else "\nvalid")


def _count_skipped(skipped: Sequence[SkippedCheck]) -> None:
    """The number of skipped checks, with the inputs that they need, the manifest last."""
    lacks = dict.fromkeys(name for each in skipped for name in each.lacks)
    needed = [_called(name) for name in sorted(lacks, key=lambda name: name == MANIFEST)]
    waiting = sum(not each.lacks for each in skipped)
    if needed:
        say_wrapped(f"\n{_checks(len(skipped) - waiting)} not made for lack of {', '.join(needed)} (see --skipped)")
    if waiting:
        say(f"\n{_checks(waiting)} not made until the problems are mended")


def _checks(number: int) -> str:
    return "1 check" if number == 1 else f"{number} checks"


def _list_skipped(skipped: Sequence[SkippedCheck]) -> None:
    """Each skipped check, below the reason for which it was skipped."""
    from scorespec.compiler.withholding import ELLIPSIS, PARTS, message_without

    for lacks in dict.fromkeys(each.lacks for each in skipped):
        say(f"\n{_reason(lacks)}:")
        for each in skipped:
            if each.lacks == lacks:
                text = message_without(each.says, PARTS)  # a skipped check has no rows
                say_wrapped(f"  {each.about}" if text == ELLIPSIS else f"  {each.about}: {text}")


def _reason(lacks: Sequence[str]) -> str:
    """Why checks were skipped."""
    if not lacks:
        return "skipped until the problems are mended"
    return f"skipped without {' and '.join(map(_called, lacks))}"


def _called(name: str) -> str:
    """What a user gives for an input that a check lacks."""
    return "--manifest" if name == MANIFEST else name
