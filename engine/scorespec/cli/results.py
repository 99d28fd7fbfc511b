"""The commands about results databases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scorespec.cli.options import Format, Plugins, Schema, Specs
from scorespec.errors import UsageError
from scorespec.terminal import say


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
    from scorespec import api, display

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


def add(
    results: Annotated[Path, typer.Argument(help="a results database")],
    others: Annotated[list[Path], typer.Argument(metavar="OTHER...", help="results databases with the runs to append")],
    schema: Schema = "main",
) -> None:
    """Append the runs of other results databases, such as a pending one; they get new numbers."""
    from scorespec import api

    for other, ids in api.add_runs(results, *others, schema=schema).items():
        say(f"{other}: " + ", ".join(f"run {number}" for number in ids))


def calibrate(
    results: Annotated[Path, typer.Argument(help="a results database")],
    run: Annotated[int, typer.Argument(help="the number of a run, such as that of a development set")],
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
    from scorespec import api, display

    display.check_format(format, display.VALUE_FORMATS)
    values = api.calibrate(results, run, parameters or (), specs=specs or (), plugins=plugin or (), schema=schema)
    display.print_values(values, format)
