"""The command line: each command is a few lines over the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from scorespec.cli import comparing, defining, demo, keeping, scoring
from scorespec.cli.guard import Guarded, HelpfulGroup, RunsGroup
from scorespec.cli.values import PlainCommand
from scorespec.core.terminal import say

app = typer.Typer(
    cls=Guarded,
    name="scorespec",
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
    """Score the output of speech-technology systems, and explain the scores."""


# The commands in the order in which a user meets them, under the headings of the help.
SCORE, RESULTS, READ, WRITE = "Score", "Results databases", "Read definitions", "Write definitions"
COMMANDS: dict[str, dict[str, Callable[..., None]]] = {
    SCORE: {
        "demo": demo.demo,
        "validate": scoring.validate,
        "score": scoring.score,
        "reference-points": scoring.reference_points,
        "describe": scoring.describe,
    },
    RESULTS: {
        "report": comparing.report,
        "plot": comparing.plot,
        "query": keeping.query,
        "compare": comparing.compare,
        "leaderboard": comparing.leaderboard,
        "gate": comparing.gate,
        "calibrate": keeping.calibrate,
    },
    READ: {"list": defining.list_, "show": defining.show},
    WRITE: {
        "check": defining.check,
        "compile": scoring.compile_,
        "explain": scoring.explain,
        "schema": defining.schema,
    },
}
for heading, commands in COMMANDS.items():
    for name, command in commands.items():
        app.command(name, cls=PlainCommand, rich_help_panel=heading)(command)

runs = typer.Typer(cls=RunsGroup, name="runs", help="List, show, add and remove the runs of a results database.")
runs.command("list", cls=PlainCommand)(keeping.list_)
for command in (keeping.show, keeping.add, keeping.remove):
    runs.command(cls=PlainCommand)(command)
app.add_typer(runs, rich_help_panel=RESULTS)

challenges = typer.Typer(cls=HelpfulGroup, name="challenge", help="Prepare a challenge for a platform.")
challenges.command(cls=PlainCommand)(scoring.codabench)
app.add_typer(challenges, rich_help_panel=SCORE)
