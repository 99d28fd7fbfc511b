"""The command that checks inputs without scoring them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from scorespec.cli.options import PlanOptions, with_options
from scorespec.terminal import print_warnings, say, say_wrapped

if TYPE_CHECKING:
    from scorespec.api import Validation

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
        _print(found)
    if found.error:
        raise found.error


def _print(found: Validation) -> None:
    """The inputs, the checks that were skipped, and whether all other checks are passed."""
    from scorespec.compiler.withholding import ELLIPSIS, PARTS, message_without
    from scorespec.grid import print_grid

    columns = ["input", "format", "rows"]
    rows = [dict(zip(columns, (each.name, each.format, f"{each.rows:,}"), strict=True)) for each in found.inputs]
    print_grid(rows, columns, ["rows"], columns)
    for lacks in dict.fromkeys(each.lacks for each in found.skipped):
        say(f"\n{_reason(lacks)}:")
        for each in found.skipped:
            if each.lacks == lacks:
                text = message_without(each.says, PARTS)  # a skipped check has no rows
                say_wrapped(f"  {each.about}" if text == ELLIPSIS else f"  {each.about}: {text}")
    if found.valid:
        say("\nvalid, as far as it was checked" if found.skipped else "\nvalid")


def _reason(lacks: Sequence[str]) -> str:
    """Why checks were skipped."""
    if not lacks:
        return "skipped until the problems are mended"
    return f"skipped without {' and '.join('--manifest' if each == MANIFEST else each for each in lacks)}"
