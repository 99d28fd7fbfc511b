"""The commands that score, those that show how a suite is scored, and one that prepares a challenge."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import scorespec
from scorespec.cli import printing
from scorespec.cli.options import EVERY, PLANNED, SCORED, Format, Signature, Typed, submissions, with_options
from scorespec.core.groups import grouped
from scorespec.core.score_text import counted
from scorespec.core.terminal import NOTE, complain, print_grid, print_warnings, say, say_wrapped, visible

if TYPE_CHECKING:
    from scorespec.api import Batch, Run, Validation
    from scorespec.app.validate import SkippedCheck
    from scorespec.errors import ScorespecError


def _each(doing: str) -> Any:
    about = f"{doing} each of many submissions; or RUNS.csv, a list of runs"
    return typer.Option("--each", metavar="INPUT=PATTERN", help=about)


@with_options(EVERY)
def score(
    *,
    each: Annotated[list[str] | None, _each("score")] = None,
    given: Typed,
    signature: Signature = False,
) -> None:
    """Score a submission, or many with --each: check the inputs, run the suite, print the scores."""
    if each:
        _score_each(given, each, signature)
        return
    format, profile = given.arguments["format"], given.arguments["profile"]

    def tell(run: scorespec.Run) -> None:
        printing.print_run(run, format, signature)
        given.warn([*run.warnings, *_warnings_of("reference point", run.reference_points, run.warnings)])
        if profile:
            printing.print_costs(run.costs)

    scorespec.score(**given.arguments, before_saving=tell)  # scores are seen even if they cannot be saved


def _score_each(given: Typed, each: list[str], signature: bool) -> None:
    """Score many submissions and print their scores; exit with the code of the worst error."""
    batch = scorespec.score_each(**given.arguments, each=submissions(each))
    printing.print_batch(batch, given.arguments["format"], signature)
    given.warn(_warnings_of("submission", batch.runs))
    if given.arguments["profile"]:
        for name, run in batch.runs.items():
            complain(f"submission {visible(name)}")
            printing.print_costs(run.costs)
    _print_failures(batch, batch.failed)


def _print_failures(batch: Batch[Any], failed: Mapping[str, ScorespecError]) -> None:
    """Print the errors of submissions, if there are any, and exit with the code of the worst.

    If all submissions have one and the same error, such as a fault of the gold, that is raised.
    """
    names = batch.runs.keys() | batch.failed.keys()
    if names == failed.keys() and len({str(error) for error in failed.values()}) == 1:
        raise next(iter(failed.values()))
    if failed:
        printing.print_failures(failed, len(names))
        raise typer.Exit(max(error.exit_code for error in failed.values()))


@with_options(SCORED)
def describe(*, given: Typed, format: Format = "table", signature: Signature = False) -> None:
    """Describe a corpus: its size, and the size of its parts; needs no submission."""
    printing.check_format(format)

    def tell(run: scorespec.Run) -> None:
        printing.print_run(run, format, signature)
        given.warn(run.warnings)

    scorespec.describe(**given.arguments, before_saving=tell)


@with_options(f"{SCORED} folds")
def reference_points(*, given: Typed, format: Format = "table", signature: Signature = False) -> None:
    """Score reference points: submissions computed from the gold, such as the gold itself, for comparison."""
    printing.check_format(format)
    points = scorespec.reference_points(**given.arguments)
    printing.print_reference_points(points, format, signature)
    given.warn(_warnings_of("reference point", points))


@with_options(f"{PLANNED} folds confidence confidence_groups blocks")
def compile_(
    *,
    given: Typed,
    output: Annotated[Path | None, typer.Option("-o", "--output", hidden=True)] = None,
    format: Annotated[str, typer.Option("--format", hidden=True)] = "table",
) -> None:
    """Print the SQL of a run as one commented script; takes the options of `score`, inputs are optional."""
    arguments = {**given.arguments, "inputs": given.arguments["inputs"] or None}
    plan = scorespec.compile(**arguments, keep_evidence=output is not None)
    printing.print_script(plan.script())
    print_warnings(plan.notices.warnings)


@with_options(PLANNED)
def explain(*, given: Typed, step: Annotated[str, typer.Argument(help="a relation or metric of the run")]) -> None:
    """Run up to a step, and show how DuckDB computes it: operators, rows, seconds."""
    for label, text in scorespec.explain(step=step, **given.arguments).items():
        say(f"{label}\n{text}")


def _warnings_of(noun: str, runs: Mapping[str, Run | Validation], known: Collection[str] = ()) -> Iterator[str]:
    """Each warning once, with the names of the runs that have it. ``known`` warnings are not repeated."""
    names_by_warning = grouped((warning, name) for name, run in runs.items() for warning in run.warnings)
    for warning, names in names_by_warning.items():
        if warning not in known:
            note = NOTE if warning.startswith(NOTE) else ""
            yield f"{note}{noun}{'s' if len(names) > 1 else ''} {', '.join(names)}: {warning.removeprefix(NOTE)}"


MANIFEST = "manifest"  # what a validation calls the table of --manifest


@with_options(PLANNED)
def validate(
    *,
    given: Typed,
    manifest: Annotated[
        str | None,
        typer.Option("--manifest", metavar="PATH[::FORMAT]", help="recordings and durations, instead of the gold"),
    ] = None,
    format: Annotated[str, typer.Option("--format", metavar="table|json", help="how the result is printed")] = "table",
    skipped: Annotated[bool, typer.Option("--skipped", help="list the checks that need other inputs")] = False,
    each: Annotated[list[str] | None, _each("check")] = None,
) -> None:
    """Check inputs without scoring them: a submission without the gold, many with --each, or the gold by itself."""
    printing.check_format(format, ("table", "json"))
    if each:
        _validate_each(given, each, manifest, format, skipped)
        return
    found = scorespec.validate(**given.arguments, manifest=manifest)
    if format == "json":
        printing.print_json(found.to_dict())
    else:
        _print(found, skipped)
    given.warn(found.warnings)
    if found.error:
        raise found.error


def _validate_each(given: Typed, each: list[str], manifest: str | None, format: str, list_skipped: bool) -> None:
    """Check many submissions: a row for each, then their problems; exit with the code of the worst error."""
    batch = scorespec.validate_each(**given.arguments, each=submissions(each), manifest=manifest)
    printing.print_validations(batch, format)
    if format == "table":
        skipped = dict.fromkeys(each for found in batch.runs.values() for each in found.skipped)
        (_list_skipped if list_skipped else _count_skipped)([*skipped])
    given.warn(_warnings_of("submission", batch.runs))
    _print_failures(batch, batch.failed | {name: found.error for name, found in batch.runs.items() if found.error})


def _print(found: Validation, list_skipped: bool) -> None:
    """The inputs, the checks that were skipped, whether all other checks are passed, and the number of warnings."""
    if not found.inputs:  # a file could not be read
        return
    columns = ["input", "format", "rows"]
    rows = [dict(zip(columns, (each.name, each.format, f"{each.rows:,}"), strict=True)) for each in found.inputs]
    print_grid(rows, columns, ["rows"], columns)
    (_list_skipped if list_skipped else _count_skipped)(found.skipped)
    if found.valid:
        warned = f", with {counted(len(found.warnings), 'warning')}" if found.warnings else ""
        say(f"\nvalid{', as far as it was checked' if found.skipped else ''}{warned}")


def _count_skipped(skipped: Sequence[SkippedCheck]) -> None:
    """The number of skipped checks, with the inputs that they need, the manifest last."""
    lacks = dict.fromkeys(name for each in skipped for name in each.lacks)
    needed = [_called(name) for name in sorted(lacks, key=lambda name: name == MANIFEST)]
    waiting = sum(not each.lacks for each in skipped)
    if needed:
        say_wrapped(
            f"\n{counted(len(skipped) - waiting, 'check')} not made for lack of {', '.join(needed)} (see --skipped)"
        )
    if waiting:
        say(f"\n{counted(waiting, 'check')} not made until the problems are mended")


def _list_skipped(skipped: Sequence[SkippedCheck]) -> None:
    """Each skipped check, below the reason for which it was skipped."""
    from scorespec.core.disclosure import ELLIPSIS, PARTS, Disclosure

    for lacks in dict.fromkeys(each.lacks for each in skipped):
        say(f"\n{_reason(lacks)}:")
        for each in skipped:
            if each.lacks == lacks:
                text = Disclosure(PARTS).message(each.says)  # a skipped check has no rows
                say_wrapped(f"  {each.about}" if text == ELLIPSIS else f"  {each.about}: {text}")


def _reason(lacks: Sequence[str]) -> str:
    """Why checks were skipped."""
    if not lacks:
        return "skipped until the problems are mended"
    return f"skipped without {' and '.join(map(_called, lacks))}"


def _called(name: str) -> str:
    """What a user gives for an input that a check lacks."""
    return "--manifest" if name == MANIFEST else name


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
    each: Annotated[
        list[str] | None,
        typer.Option(
            "--each", metavar="CORPORA.csv", help="several corpora: a list with the columns corpus and gold inputs"
        ),
    ] = None,
    given: Typed,
) -> None:
    """Write the bundle of a challenge on Codabench; the inputs are the reference data."""
    from scorespec.app.job import Job
    from scorespec.challenges.codabench import write_bundle

    write_bundle(
        Job(**given.arguments, keep_evidence=False),
        output,
        title,
        image,
        column or (),
        submissions(each) if each else None,
    )
    say(f"{output / 'README.md'} says what to do next")
