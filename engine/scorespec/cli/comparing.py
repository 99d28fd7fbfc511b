"""The commands that compare runs: pairs of systems, and leaderboards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scorespec.cli.options import ResourceOptions, Schema, with_options
from scorespec.core.terminal import say, say_wrapped
from scorespec.errors import UsageError

if TYPE_CHECKING:
    from scorespec.comparison.comparison_tables import Comparisons, Leaderboard

COMPARISON_FORMATS = ("table", "json", "csv")
BOARD_FORMATS = (*COMPARISON_FORMATS, "markdown", "latex", "parquet")
Metrics = Annotated[
    list[str] | None,
    typer.Option("--metric", metavar="METRIC", help="only this metric, or METRIC.COMPONENT; may be repeated"),
]
Level = Annotated[str, typer.Option("--confidence", metavar="PERCENT", help="the level of the intervals")]
Correction = Annotated[
    str,
    typer.Option("--correction", metavar="holm|bh|maxt", help="how p is corrected for the number of comparisons"),
]


@with_options
def compare(
    options: ResourceOptions,
    results: Annotated[Path, typer.Argument(help="a results database")],
    runs: Annotated[list[str], typer.Argument(metavar="RUN RUN...", help="the numbers or names of two or more runs")],
    metrics: Metrics = None,
    slices: Annotated[bool, typer.Option("--slices", help="also compare the scores of slices")] = False,
    confidence: Level = "95",
    correction: Correction = "holm",
    worst: Annotated[
        int | None,
        typer.Option("--worst", min=1, metavar="N", help="also the N units and rows in which two runs differ most"),
    ] = None,
    format: Annotated[
        str, typer.Option("--format", metavar="table|json|csv", help="how results are printed")
    ] = "table",
    schema: Schema = "main",
) -> None:
    """Compare runs: differences with intervals, p, and what can be told apart."""
    from scorespec import api
    from scorespec.cli import printing as display

    display.check_format(format, COMPARISON_FORMATS)
    if len(runs) < 2:
        raise UsageError("a comparison needs two runs at least")
    if worst is not None and (len(runs) > 2 or format != "table"):
        raise UsageError("--worst compares two runs, and prints tables")
    found = api.compare(
        *runs,
        results=results,
        schema=schema,
        metrics=metrics or (),
        slices=slices,
        confidence=confidence,
        correction=correction,
        **options.resource_arguments(),
    )
    _print_comparisons(found, format)
    if worst is not None:
        _print_worst(results, schema, found, runs, worst)


def _print_comparisons(found: Comparisons, format: str) -> None:
    from scorespec.comparison.comparison_tables import COMPARISON_WORDS
    from scorespec.core.text_tables import print_grid

    if format != "table":
        _print_for_programs(found, format)
        return
    rows = found.shown_rows()
    columns = list(rows[0]) if rows else []
    needed = {"metric", "a", "b", "difference", "low", "high", "p corrected", "note"}
    print_grid(rows, columns, [name for name in columns if name not in COMPARISON_WORDS], needed)
    say("")
    for test in found.matched_pairs:
        say_wrapped(str(test))
    say_wrapped(found.verdict)


def _print_for_programs(found: Comparisons | Leaderboard, format: str) -> None:
    """Print all fields as JSON or CSV."""
    from scorespec.cli import printing as display

    if format == "json":
        display.print_json(found.to_dict())
    else:
        display.print_rows(found.table.to_reader(), format)


def _print_worst(results: Path, schema: str, found: Comparisons, runs: list[str], number: int) -> None:
    """The units and rows in which two runs differ most, each table below the SQL that made it."""
    from scorespec import api
    from scorespec.cli import printing as display
    from scorespec.comparison.worst import worst_queries

    database = api.open_results(results, schema)
    for query in worst_queries(database, found, runs, number):
        say(f"\n{query}\n")
        with database.stream(query, as_text=True) as rows:
            display.print_rows(rows, "table")


@with_options
def leaderboard(
    options: ResourceOptions,
    results: Annotated[Path, typer.Argument(help="a results database")],
    runs: Annotated[
        list[str] | None, typer.Argument(metavar="[RUN]...", help="only these runs, by number or name")
    ] = None,
    suite: Annotated[str | None, typer.Option("--suite", help="only runs of this suite")] = None,
    metrics: Metrics = None,
    by: Annotated[
        str | None, typer.Option("--by", metavar="corpus", help="also the scores of each corpus, beside their mean")
    ] = None,
    confidence: Level = "95",
    format: Annotated[
        str, typer.Option("--format", metavar="|".join(BOARD_FORMATS), help="how the leaderboard is printed")
    ] = "table",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="the file of --format parquet")] = None,
    schema: Schema = "main",
) -> None:
    """Rank the systems of a results database, with intervals and the ranks that are established."""
    from scorespec import api
    from scorespec.cli import printing as display

    display.check_format(format, BOARD_FORMATS)
    if by not in (None, "corpus"):
        raise UsageError(f"--by {by}: a leaderboard is by corpus")
    if (format == "parquet") != (output is not None):
        raise UsageError("--format parquet writes a file: name it with -o; other formats are printed")
    found = api.leaderboard(
        results,
        *(runs or ()),
        schema=schema,
        suite=suite,
        metrics=metrics or (),
        by_corpus=by is not None,
        confidence=confidence,
        **options.resource_arguments(),
    )
    if output is not None:
        _write_parquet(found, output)
    else:
        _print_board(found, format)


def _write_parquet(found: Leaderboard, path: Path) -> None:
    from pyarrow.parquet import write_table

    try:
        write_table(found.table, path)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None


def _print_board(found: Leaderboard, format: str) -> None:
    from scorespec.comparison.comparison_tables import WORDS
    from scorespec.core.text_tables import print_grid

    if format in ("markdown", "latex"):
        say(found.markdown() if format == "markdown" else found.latex())
    elif format != "table":
        _print_for_programs(found, format)
    else:
        rows = found.shown_rows()
        columns = list(rows[0]) if rows else []
        words = [name for name in columns if name in WORDS]
        print_grid(rows, columns, columns[len(words) :], columns[: len(words) + 1])
        for note in found.notes:
            say_wrapped(note)
