"""The commands about results databases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scorespec.cli.options import Format, Schema
from scorespec.terminal import say


def query(
    results: Annotated[Path, typer.Argument(help="a results database")],
    sql: Annotated[str, typer.Argument(help="the question")],
    format: Format = "table",
    schema: Schema = "main",
    allow_files: Annotated[
        bool, typer.Option("--allow-files", help="let the SQL read and write files, for COPY and EXPORT")
    ] = False,
) -> None:
    """Ask a results database a question in SQL."""
    from scorespec import api, display

    display.check_format(format)
    rows = api.open_results(results, schema).sql(sql, allow_files=allow_files, as_text=True)
    display.print_rows(rows, format)


def add(
    results: Annotated[Path, typer.Argument(help="a results database")],
    others: Annotated[list[Path], typer.Argument(metavar="OTHER...", help="results databases with the runs to append")],
    schema: Schema = "main",
) -> None:
    """Append the runs of other results databases, such as a pending one; they get new numbers."""
    from scorespec import api

    for other, ids in api.add_runs(results, *others, schema=schema).items():
        say(f"{other}: " + ", ".join(f"run {number}" for number in ids))
