"""The commands that prepare challenges on platforms."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scorespec.cli.options import Typed, with_options
from scorespec.core.terminal import say


@with_options("suite inputs specs params metrics withhold")
def codabench(
    *,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FOLDER", help="the folder of the bundle")],
    title: Annotated[str | None, typer.Option("--title", help="the title of the challenge")] = None,
    image: Annotated[
        str | None, typer.Option("--image", metavar="NAME:TAG", help="the Docker image in which submissions are scored")
    ] = None,
    column: Annotated[
        list[str] | None, typer.Option("--column", metavar="KEY", help="a column of the leaderboard; may be repeated")
    ] = None,
    given: Typed,
) -> None:
    """Write the bundle of a challenge on Codabench; the inputs are the reference data."""
    from scorespec.app.job import Job
    from scorespec.challenges.codabench import write_bundle

    write_bundle(Job(**given.arguments, keep_evidence=False), output, title, image, column or ())
    say(f"{output / 'README.md'} says what to do next")
