"""The commands that prepare challenges on platforms."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scorespec.cli.options import Inputs, MetricNames, Params, Specs, Suite, Withhold, named_inputs, pairs
from scorespec.core.terminal import say


def codabench(
    suite: Suite,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FOLDER", help="the folder of the bundle")],
    inputs: Inputs = None,
    title: Annotated[str | None, typer.Option("--title", help="the title of the challenge")] = None,
    image: Annotated[
        str | None, typer.Option("--image", metavar="NAME:TAG", help="the Docker image in which submissions are scored")
    ] = None,
    column: Annotated[
        list[str] | None, typer.Option("--column", metavar="KEY", help="a column of the leaderboard; may be repeated")
    ] = None,
    specs: Specs = None,
    param: Params = None,
    metric: MetricNames = None,
    withhold: Withhold = None,
) -> None:
    """Write the bundle of a challenge on Codabench; the inputs are the reference data."""
    from scorespec.challenges.codabench import Challenge, write_bundle

    challenge = Challenge(
        suite,
        inputs=named_inputs(inputs),
        specs=specs or (),
        params=pairs(param, "--param"),
        metrics=metric or (),
        withhold=withhold or (),
        title=title,
        image=image,
        columns=column or (),
    )
    write_bundle(challenge, output)
    say(f"{output / 'README.md'} says what to do next")
