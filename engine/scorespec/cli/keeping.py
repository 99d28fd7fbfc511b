"""The commands about results databases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import scorespec
from scorespec.cli import printing
from scorespec.cli.options import Database, Format, Signature, Typed, with_options
from scorespec.core.terminal import print_warnings, say
from scorespec.errors import UsageError


@with_options("schema")
def query(
    *,
    results: Database,
    sql: Annotated[str | None, typer.Argument(help="the query")] = None,
    file: Annotated[Path | None, typer.Option("--file", metavar="FILE.sql", help="a file with the query")] = None,
    format: Format = "table",
    given: Typed,
    allow_files: Annotated[
        bool, typer.Option("--allow-files", help="let the SQL read and write files, for COPY and EXPORT")
    ] = False,
) -> None:
    """Query a results database in SQL."""
    printing.check_format(format)
    question = _question(sql, file)
    with scorespec.open_results(results, **given.arguments).stream(
        question, allow_files=allow_files, as_text=True
    ) as rows:
        printing.print_rows(rows, format)


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


@with_options("schema")
def list_(*, results: Database, format: Format = "table", given: Typed) -> None:
    """List the runs of a results database; `scorespec runs RESULTS` does so, too."""
    printing.check_format(format)
    printing.print_runs(scorespec.Results(results, **given.arguments).runs(), format)


@with_options("specs plugins format percent schema")
def show(
    *,
    results: Database,
    run: Annotated[str, typer.Argument(help="the number or the name of a run")],
    given: Typed,
    signature: Signature = False,
) -> None:
    """Print a run as `score` printed it."""
    schema, format, percent = (given.arguments.pop(name) for name in ("schema", "format", "percent"))
    found = scorespec.Results(results, schema).run(run, **given.arguments)
    found.percent = percent
    print_warnings(found.warnings)
    printing.print_run(found, format, signature)


@with_options("schema")
def remove(
    *,
    results: Database,
    runs: Annotated[list[str], typer.Argument(metavar="RUN", help="the numbers or the names of runs")],
    given: Typed,
) -> None:
    """Remove runs with all their rows; a run that one of them superseded becomes current again."""
    for number in scorespec.remove_runs(results, *runs, **given.arguments):
        say(f"run {number} is removed")


@with_options("schema")
def add(
    *,
    results: Database,
    others: Annotated[list[Path], typer.Argument(metavar="OTHER", help="results databases with the runs to append")],
    given: Typed,
) -> None:
    """Append the runs of other results databases, such as a pending one; they get new numbers."""
    for other, ids in scorespec.add_runs(results, *others, **given.arguments).items():
        say(f"{other}: " + ", ".join(f"run {number}" for number in ids))


@with_options("specs plugins schema")
def calibrate(
    *,
    results: Database,
    run: Annotated[str, typer.Argument(help="the number or the name of a run, such as that of a development set")],
    parameters: Annotated[list[str] | None, typer.Argument(metavar="PARAMETER", help="only these parameters")] = None,
    given: Typed,
    format: Annotated[
        str, typer.Option("--format", metavar="text|json|yaml", help="as options, or as a mapping")
    ] = "text",
) -> None:
    """Print parameters for another run, such as the best threshold, from the scores of a run."""
    printing.check_format(format, printing.VALUE_FORMATS)
    values = scorespec.calibrate(results, run, parameters or (), **given.arguments)
    printing.print_values(values, format)
