"""The commands that score, and those that show how a suite is scored."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scorespec.cli.options import (
    Confidence,
    ConfidenceGroups,
    EachSubmission,
    Folds,
    Format,
    On,
    Parts,
    Percentile,
    PlanOptions,
    Profile,
    RunOptions,
    ScoreFormat,
    Shared,
    named_inputs,
    submissions,
    with_options,
)
from scorespec.terminal import complain, print_warnings, say, visible

if TYPE_CHECKING:
    from scorespec.api import Run


@with_options
def score(
    options: RunOptions,
    each: EachSubmission = None,
    folds: Folds = False,
    confidence: Confidence = None,
    confidence_groups: ConfidenceGroups = None,
    percentile: Percentile = False,
    format: ScoreFormat = "table",
    profile: Profile = False,
    on: On = None,
    shared: Shared = None,
    parts: Parts = None,
    with_reference_points: Annotated[
        bool, typer.Option("--with-reference-points", help="also the scores of reference points, such as the gold")
    ] = False,
) -> None:
    """Score a submission, or many with --each: check the inputs, run the suite, print the scores."""
    from scorespec import api, display

    arguments = {
        **options.arguments(),
        "folds": folds,
        "confidence": confidence,
        "confidence_groups": confidence_groups,
        "percentile": percentile,
        "profile": profile,
        "format": format,
        "with_reference_points": with_reference_points,
        "on": on,
        "shared": shared,
        "parts": parts,
    }
    if each:
        _score_each(options, arguments, each)
        return

    def tell(run: api.Run) -> None:
        if options.warns:
            print_warnings(run.warnings)
            _print_warnings_of_several("reference point", run.reference_points, run.warnings)
        if profile and options.log == "text":
            display.print_costs(run.costs)
        display.print_run(run, format, options.signature)

    api.score(**arguments, before_saving=tell)  # scores are seen even if they cannot be saved


def _score_each(options: RunOptions, arguments: dict[str, Any], each: list[str]) -> None:
    """Score many submissions and print their scores; exit with the code of the worst error."""
    from scorespec import api, display

    batch = api.score_each(**arguments, each=submissions(each))
    if options.warns:
        _print_warnings_of_several("submission", batch.runs)
    if arguments["profile"] and options.log == "text":
        for name, run in batch.runs.items():
            complain(f"submission {visible(name)}")
            display.print_costs(run.costs)
    display.print_batch(batch, arguments["format"], options.signature)
    if batch.failed:
        display.print_failures(batch)
        raise typer.Exit(max(error.exit_code for error in batch.failed.values()))


@with_options
def describe(options: RunOptions, format: Format = "table") -> None:
    """Describe a corpus: its size, and the size of its parts; needs no submission."""
    from scorespec import api, display

    display.check_format(format)

    def tell(run: api.Run) -> None:
        if options.warns:
            print_warnings(run.warnings)
        display.print_run(run, format, options.signature)

    api.describe(**options.arguments(), before_saving=tell)


@with_options
def reference_points(options: RunOptions, folds: Folds = False, format: Format = "table") -> None:
    """Score reference points: submissions computed from the gold, such as the gold itself, for comparison."""
    from scorespec import api, display

    display.check_format(format)
    points = api.reference_points(**options.arguments(), folds=folds)
    if options.warns:
        _print_warnings_of_several("reference point", points)
    display.print_reference_points(points, format, options.signature)


@with_options
def compile_(
    options: PlanOptions,
    folds: Folds = False,
    confidence: Confidence = None,
    confidence_groups: ConfidenceGroups = None,
    html: Annotated[
        bool, typer.Option("--html", help="a page for the browser: the graph of steps and their SQL")
    ] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="with --html, the file of the page")] = None,
    format: Annotated[str, typer.Option("--format", hidden=True)] = "table",
) -> None:
    """Print the SQL of a run as one commented script; takes the options of `score`, inputs are optional."""
    from scorespec import api, display

    if html:
        display.check_page(output)
    plan = api.compile(
        **options.plan_arguments(),
        folds=folds,
        confidence=confidence,
        confidence_groups=confidence_groups,
        inputs=list(named_inputs(options.inputs)) or None,
        keep_evidence=output is not None and not html,
    )
    if html:
        display.write_page(plan.html(), output)
    else:
        display.print_script(plan.script())
    print_warnings(plan.warnings)


@with_options
def explain(options: PlanOptions, step: Annotated[str, typer.Argument(help="a relation or metric of the run")]) -> None:
    """Run up to a step, and show how DuckDB computes it: operators, rows, seconds."""
    from scorespec import api

    for label, text in api.explain(step=step, **options.arguments()).items():
        say(f"{label}\n{text}")


def _print_warnings_of_several(noun: str, runs: Mapping[str, Run], printed: Collection[str] = ()) -> None:
    """Each warning once, with the names of the runs that have it. Warnings that were ``printed`` are not repeated."""
    names_by_warning: dict[str, list[str]] = {}
    for name, run in runs.items():
        for warning in run.warnings:
            names_by_warning.setdefault(warning, []).append(name)
    print_warnings(
        f"{noun}{'s' if len(names) > 1 else ''} {', '.join(names)}: {warning}"
        for warning, names in names_by_warning.items()
        if warning not in printed
    )
