"""The commands that show results: a report of some runs, one figure of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scorespec.cli.options import Plugins, Schema, Specs
from scorespec.core.terminal import print_warnings, say

Database = Annotated[Path, typer.Argument(help="a results database")]
Runs = Annotated[
    list[str] | None,
    typer.Argument(metavar="[RUN]...", help="numbers or names of runs (all current runs of the one suite and corpus)"),
]


def report(
    results: Database,
    runs: Runs = None,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE.html", help="the file of the page")] = Path(
        "report.html"
    ),
    specs: Specs = None,
    plugin: Plugins = None,
    schema: Schema = "main",
) -> None:
    """Write one HTML page about one run, or several side by side: scores, figures, and what was scored."""
    from scorespec import api
    from scorespec.cli import printing as display

    display.check_page(output)
    page = api.Results(results, schema).report(*(runs or ()), specs=specs or (), plugins=plugin or ())
    print_warnings(page.warnings)
    page.save(output)
    say(str(output))


def plot(
    results: Database,
    figure: Annotated[str, typer.Argument(help="the name of a figure of the suite")],
    runs: Runs = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE.svg|FILE.pdf", help="the file (FIGURE.svg)")
    ] = None,
    width: Annotated[
        str | None, typer.Option("--width", metavar="3.3in", help="the width, for papers; the text has 8 points")
    ] = None,
    specs: Specs = None,
    plugin: Plugins = None,
    schema: Schema = "main",
) -> None:
    """Write one figure of a report as SVG or PDF."""
    from scorespec import api
    from scorespec.report.picture import check_suffix

    output = output or Path(f"{figure}.svg")
    check_suffix(output)
    arguments = {"specs": specs or (), "plugins": plugin or ()}
    api.Results(results, schema).plot(figure, *(runs or ()), width=width, **arguments).save(output)
    say(str(output))
