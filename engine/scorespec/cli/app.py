"""The command line: each command is a few lines over the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from scorespec.cli import challenge, definitions, results, scoring, validating
from scorespec.cli.guard import Guarded, RunsGroup
from scorespec.terminal import say

app = typer.Typer(
    cls=Guarded,
    name="scorespec",
    help="Score speech technology from YAML specs through SQL.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from scorespec.version import __version__

        say(f"scorespec {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="print the version and exit")
    ] = False,
) -> None:
    """Score speech technology from YAML specs through SQL."""


runs = typer.Typer(
    cls=RunsGroup, name="runs", help="List, show, add and remove the runs of a results database.", no_args_is_help=True
)
app.add_typer(runs)

COMMANDS: dict[str, Callable[..., None]] = {
    "score": scoring.score,
    "validate": validating.validate,
    "describe": scoring.describe,
    "reference-points": scoring.reference_points,
    "demo": scoring.demo,
    "list": definitions.list_,
    "show": definitions.show,
    "lineage": definitions.lineage,
    "compile": scoring.compile_,
    "check": definitions.check,
    "explain": scoring.explain,
    "query": results.query,
    "export": results.export,
    "calibrate": results.calibrate,
    "rescore": results.rescore,
    "schema": definitions.schema,
}
for name, command in COMMANDS.items():
    app.command(name)(command)
challenges = typer.Typer(name="challenge", help="Prepare challenges on platforms.", no_args_is_help=True)
challenges.command()(challenge.codabench)
app.add_typer(challenges)
runs.command("list")(results.list_)
for command in (results.show, results.add, results.remove):
    runs.command()(command)
