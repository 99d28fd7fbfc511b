"""The commands about results databases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scorespec.cli.options import (
    Format,
    Plugins,
    Reuse,
    ReuseLimit,
    RunningOptions,
    Schema,
    ScoreFormat,
    Signature,
    Specs,
    with_options,
)
from scorespec.core.terminal import print_warnings, say
from scorespec.errors import UsageError


def query(
    results: Annotated[Path, typer.Argument(help="a results database")],
    sql: Annotated[str | None, typer.Argument(help="the query")] = None,
    file: Annotated[Path | None, typer.Option("--file", metavar="FILE.sql", help="a file with the query")] = None,
    format: Format = "table",
    schema: Schema = "main",
    allow_files: Annotated[
        bool, typer.Option("--allow-files", help="let the SQL read and write files, for COPY and EXPORT")
    ] = False,
) -> None:
    """Query a results database in SQL."""
    from scorespec import api
    from scorespec.cli import printing as display

    display.check_format(format)
    question = _question(sql, file)
    with api.open_results(results, schema).stream(question, allow_files=allow_files, as_text=True) as rows:
        display.print_rows(rows, format)


def _question(sql: str | None, file: Path | None) -> str:
    """The SQL of a query, as it is written or from its file."""
    if (sql is None) == (file is None):
        raise UsageError("give the query, or --file with the file that has it")
    if file is None:
        return str(sql)
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: {getattr(error, 'strerror', None) or 'not UTF-8 text'}") from None


def list_(
    results: Annotated[Path, typer.Argument(help="a results database")],
    format: Format = "table",
    schema: Schema = "main",
) -> None:
    """List the runs of a results database; `scorespec runs RESULTS` does so, too."""
    from scorespec import api
    from scorespec.cli import printing as display

    display.check_format(format)
    display.print_runs(api.Results(results, schema).runs(), format)


def show(
    results: Annotated[Path, typer.Argument(help="a results database")],
    run: Annotated[str, typer.Argument(help="the number or the name of a run")],
    specs: Specs = None,
    plugin: Plugins = None,
    format: ScoreFormat = "table",
    signature: Signature = False,
    schema: Schema = "main",
) -> None:
    """Print a run as `score` printed it."""
    from scorespec import api
    from scorespec.cli import printing as display

    found = api.Results(results, schema).run(run, specs=specs or (), plugins=plugin or ())
    print_warnings(found.warnings)
    display.print_run(found, format, signature)


def remove(
    results: Annotated[Path, typer.Argument(help="a results database")],
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="the numbers or the names of runs")],
    schema: Schema = "main",
) -> None:
    """Remove runs with all their rows; a run that one of them superseded becomes current again."""
    from scorespec import api

    for number in api.remove_runs(results, *runs, schema=schema):
        say(f"run {number} is removed")


def add(
    results: Annotated[Path, typer.Argument(help="a results database")],
    others: Annotated[list[Path], typer.Argument(metavar="OTHER...", help="results databases with the runs to append")],
    schema: Schema = "main",
) -> None:
    """Append the runs of other results databases, such as a pending one; they get new numbers."""
    from scorespec import api

    for other, ids in api.add_runs(results, *others, schema=schema).items():
        say(f"{other}: " + ", ".join(f"run {number}" for number in ids))


@with_options
def rescore(
    options: RunningOptions,
    results: Annotated[Path, typer.Argument(help="a results database")],
    specs: Specs = None,
    plugin: Plugins = None,
    added: Annotated[bool, typer.Option("--added", help="also runs that `runs add` has added")] = False,
    format: Format = "table",
    schema: Schema = "main",
    reuse: Reuse = None,
    reuse_limit: ReuseLimit = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="old runs stay current, too, if gold, documents or parameters have changed")
    ] = False,
) -> None:
    """Score runs again whose inputs, documents or parameters have changed, and show which scores moved."""
    from scorespec import api
    from scorespec.cli import printing as display

    display.check_format(format)
    running = options.running_arguments() | {"reuse": reuse, "reuse_limit": reuse_limit}
    found = api.rescore(
        results, specs=specs or (), plugins=plugin or (), added=added, schema=schema, keep=keep, **running
    )
    display.print_rescored(found, format)
    if found.failed:
        raise typer.Exit(max(error.exit_code for error in found.failed.values()))


def export(
    results: Annotated[Path, typer.Argument(help="a results database")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="the folder of the files, new or empty")],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="replace an earlier export in the folder")] = False,
    current: Annotated[bool, typer.Option("--current", help="without the runs that others supersede")] = False,
    schema: Schema = "main",
) -> None:
    """Archive a results database: write its tables to a folder as Parquet, a file for each run."""
    from scorespec import api

    for table, rows in api.Results(results, schema).export(folder, overwrite=overwrite, current=current).items():
        say(f"{table}: {rows:,} row{'' if rows == 1 else 's'}")


def calibrate(
    results: Annotated[Path, typer.Argument(help="a results database")],
    run: Annotated[str, typer.Argument(help="the number or the name of a run, such as that of a development set")],
    parameters: Annotated[
        list[str] | None, typer.Argument(metavar="[PARAMETER]...", help="only these parameters")
    ] = None,
    specs: Specs = None,
    plugin: Plugins = None,
    schema: Schema = "main",
    format: Annotated[
        str, typer.Option("--format", metavar="text|json|yaml", help="as options, or as a mapping")
    ] = "text",
) -> None:
    """Print parameters for another run, such as the best threshold, from the scores of a run."""
    from scorespec import api
    from scorespec.cli import printing as display

    display.check_format(format, display.VALUE_FORMATS)
    values = api.calibrate(results, run, parameters or (), specs=specs or (), plugins=plugin or (), schema=schema)
    display.print_values(values, format)
