"""The commands that score, and those that show how a suite is scored."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scorespec.cli.options import (
    By,
    Folder,
    Folds,
    Format,
    FromRun,
    Inputs,
    Memory,
    MetricNames,
    Params,
    Plugins,
    Profile,
    Progress,
    Quiet,
    RunOptions,
    ScoreFormat,
    Specs,
    Suite,
    Threads,
    named_inputs,
    pairs,
    with_run_options,
)
from scorespec.terminal import complain, say, visible

if TYPE_CHECKING:
    from scorespec.api import Run


@with_run_options
def score(
    options: RunOptions,
    from_run: FromRun = None,
    folds: Folds = False,
    format: ScoreFormat = "table",
    profile: Profile = False,
    with_reference_points: Annotated[
        bool, typer.Option("--with-reference-points", help="also the scores of reference points, such as the gold")
    ] = False,
) -> None:
    """Score a submission: check the inputs, run the suite, print the scores."""
    from scorespec import api, display

    def tell(run: api.Run) -> None:
        if options.warns:
            _print_warnings(run.warnings)
            _print_warnings_of_points(run.reference_points, run.warnings)
        if profile and options.log == "text":
            display.print_costs(run.costs)
        display.print_run(run, format, options.signature)

    api.score(
        **options.arguments(),
        from_run=from_run,
        folds=folds,
        profile=profile,
        format=format,
        with_reference_points=with_reference_points,
        before_saving=tell,  # scores are seen even if they cannot be saved
    )


@with_run_options
def describe(options: RunOptions, format: Format = "table") -> None:
    """Describe a corpus, without a submission: its size, and the size of its parts."""
    from scorespec import api, display

    display.check_format(format)

    def tell(run: api.Run) -> None:
        if options.warns:
            _print_warnings(run.warnings)
        display.print_run(run, format, options.signature)

    api.describe(**options.arguments(), before_saving=tell)


@with_run_options
def reference_points(options: RunOptions, folds: Folds = False, format: Format = "table") -> None:
    """Score reference points: trivial submissions, such as the gold itself, that show the range of scores."""
    from scorespec import api, display

    display.check_format(format)
    points = api.reference_points(**options.arguments(), folds=folds)
    if options.warns:
        _print_warnings_of_points(points)
    display.print_reference_points(points, format, options.signature)


def _short(path: Path) -> str:
    """A path from the working folder where it lies below that."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _command() -> str:
    """How this command is called from here: by its path where a shell would not find it."""
    beside_python = Path(sys.executable).with_name("scorespec")
    if shutil.which("scorespec") or not beside_python.exists():
        return "scorespec"
    return shlex.quote(_short(beside_python))


def demo(suite: Annotated[str | None, typer.Argument(help="the suite to show (default: the first)")] = None) -> None:
    """Score the bundled example, print the table, say what to try next."""
    from scorespec import api, display
    from scorespec.examples import find_example

    example = find_example(suite)
    inputs: dict[str, Any] = {name: _short(path) for name, path in example.inputs.items()}
    command = _command()
    say(f'$ INPUTS="{" ".join(f"{name}={path}" for name, path in inputs.items())}"')
    say(f"$ {command} score {example.suite} $INPUTS\n")
    run = api.score(example.suite, keep_evidence=False, **inputs)
    _print_warnings(run.warnings)
    display.print_run(run, "table")
    say("\n" + re.sub("^  scorespec ", f"  {command} ", example.what_next, flags=re.MULTILINE).rstrip("\n"))


def compile_(
    suite: Suite,
    inputs: Inputs = None,
    specs: Specs = None,
    plugin: Plugins = None,
    param: Params = None,
    metric: MetricNames = None,
    from_run: FromRun = None,
    by: By = None,
    folds: Folds = False,
    html: Annotated[
        bool, typer.Option("--html", help="a page for the browser: the graph of steps and their SQL")
    ] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="with --html, the file of the page")] = None,
    schema: Annotated[str, typer.Option("--schema", hidden=True)] = "main",
    format: Annotated[str, typer.Option("--format", hidden=True)] = "table",
    memory_limit: Annotated[str | None, typer.Option("--memory-limit", hidden=True)] = None,
    threads: Annotated[int | None, typer.Option("--threads", hidden=True)] = None,
    temp_dir: Annotated[Path | None, typer.Option("--temp-dir", hidden=True)] = None,
    progress: Annotated[str, typer.Option("--progress", hidden=True)] = "none",
    log: Annotated[str, typer.Option("--log", hidden=True)] = "text",
    quiet: Annotated[bool, typer.Option("--quiet", hidden=True)] = False,
) -> None:
    """Print the whole plan as one commented SQL script; takes the options of `score`, inputs are optional."""
    from scorespec import api, display

    if html:
        display.check_page(output)
    given = list(named_inputs(inputs)) or None
    plan = api.compile(
        suite,
        specs=specs or (),
        plugins=plugin or (),
        params=pairs(param, "--param"),
        metrics=metric or (),
        from_run=from_run,
        by=by or (),
        folds=folds,
        inputs=given,
        schema=schema,
        keep_evidence=output is not None and not html,
    )
    if html:
        display.write_page(plan.html(), output)
    else:
        display.print_script(plan.script())
    _print_warnings(plan.warnings)


def explain(
    suite: Suite,
    step: Annotated[str, typer.Argument(help="a relation or metric of the run")],
    inputs: Inputs = None,
    specs: Specs = None,
    plugin: Plugins = None,
    param: Params = None,
    by: By = None,
    memory_limit: Memory = None,
    threads: Threads = None,
    temp_dir: Folder = None,
    progress: Progress = "auto",
    quiet: Quiet = False,
) -> None:
    """Run as far as a step, and show how DuckDB makes it: operators, rows, seconds."""
    from scorespec import api

    found = api.explain(
        suite,
        step,
        specs=specs or (),
        plugins=plugin or (),
        params=pairs(param, "--param"),
        by=by or (),
        memory_limit=memory_limit,
        threads=threads,
        temp_dir=temp_dir,
        progress="none" if quiet else progress,
        inputs=named_inputs(inputs),
    )
    for label, text in found.items():
        say(f"{label}\n{text}")


def _print_warnings_of_points(points: Mapping[str, Run], printed: Collection[str] = ()) -> None:
    """Each warning once, with the reference points that have it. Warnings that were ``printed`` are not repeated."""
    names_by_warning: dict[str, list[str]] = {}
    for name, run in points.items():
        for warning in run.warnings:
            names_by_warning.setdefault(warning, []).append(name)
    _print_warnings(
        f"reference point{'s' if len(names) > 1 else ''} {', '.join(names)}: {warning}"
        for warning, names in names_by_warning.items()
        if warning not in printed
    )


def _print_warnings(warnings: Any) -> None:
    for warning in warnings:
        complain(f"warning: {visible(warning)}")
