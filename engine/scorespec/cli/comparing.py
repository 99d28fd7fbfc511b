"""The commands that show runs: compared with each other, ranked, in a report, as a figure."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import scorespec
from scorespec.cli import printing
from scorespec.cli.options import LIMITS, Database, Format, Typed, with_options
from scorespec.core.score_text import PRINTED
from scorespec.core.terminal import LEAST_WIDTH, Place, print_warnings, say, say_wrapped
from scorespec.errors import ScorespecError, UsageError

if TYPE_CHECKING:
    from scorespec.comparison.comparison_tables import Comparisons, Leaderboard
    from scorespec.comparison.gate import Gate

CORPUS = "corpus"  # what a leaderboard is also broken down by
BOARD_FILES = ("html", "parquet")  # formats that are written to a file
BOARD_FORMATS = (*PRINTED, *BOARD_FILES)
GATE_FORMATS = (*PRINTED, "junit", "github")  # the last two are read by CI servers
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar="METRIC",
        help="only this metric; also SUITE.METRIC, METRIC.COMPONENT, or all three; may be repeated",
    ),
]
Level = Annotated[str, typer.Option("--confidence", metavar="PERCENT", help="the level of the intervals")]
Percent = Annotated[bool, typer.Option("--percent", help="print rates as percent, in tables")]
By = Annotated[
    list[str] | None,
    typer.Option("--by", metavar="COLUMN", help="also the scores of each value of a column that was in `score --by`"),
]
Targets = Annotated[
    Path | None, typer.Option("--targets", metavar="FILE.yaml", help="mark values that miss these targets (gate)")
]
Correction = Annotated[
    str,
    typer.Option("--correction", metavar="holm|bh|maxt", help="how p is corrected for the number of comparisons"),
]


@with_options(f"schema {LIMITS}")
def compare(
    *,
    results: Database,
    runs: Annotated[list[str], typer.Argument(metavar="RUN RUN", help="the numbers or names of two or more runs")],
    metrics: Metrics = None,
    slices: Annotated[bool, typer.Option("--slices", help="also compare the scores of all slices")] = False,
    by: By = None,
    confidence: Level = "95",
    correction: Correction = "holm",
    worst: Annotated[
        int | None,
        typer.Option(
            "--worst", min=1, metavar="N", help="also the N units in which two runs differ most, with their rows"
        ),
    ] = None,
    percent: Percent = False,
    format: Format = "table",
    given: Typed,
) -> None:
    """Compare runs: differences with intervals and p-values, and which system is better."""
    printing.check_format(format)
    if len(runs) < 2:
        raise UsageError("a comparison needs two runs at least")
    if worst is not None and (len(runs) > 2 or format != "table"):
        raise UsageError("--worst compares two runs, and prints tables")
    found = scorespec.compare(
        *runs,
        results=results,
        metrics=metrics or (),
        slices=slices,
        by=by or (),
        confidence=confidence,
        correction=correction,
        percent=percent,
        **given.arguments,
    )
    needed = {"metric", "a", "b", "difference", "low", "high", "p corrected", "note"}
    _print(found, format, needed, ["", *found.notes])
    if worst is not None:
        _print_worst(results, given.arguments["schema"], found, runs, worst)


def _print(
    found: Comparisons | Leaderboard | Gate,
    format: str,
    needed: Collection[str],
    notes: Sequence[str],
    bold: Collection[Place] = (),
) -> None:
    """Print all fields for programs, or text for people; other arguments are those of :func:`.print_table`."""
    if format == "json":
        printing.print_json(found.to_dict())
    elif format == "csv":
        printing.print_rows(found.table.to_reader(), format)
    else:
        rows = found.shown_rows()
        columns = list(rows[0]) if rows else []
        numbers = [name for name in columns if name not in found.words]
        printing.print_table(rows, columns, numbers, needed, format, notes, bold)


def _print_worst(results: Path, schema: str, found: Comparisons, runs: list[str], number: int) -> None:
    """The units in which two runs differ most: as aligned texts if the suite has them, or else with their rows."""
    from scorespec.comparison.differences import worst_queries
    from scorespec.report.worst_texts import worst_texts

    width = max(shutil.get_terminal_size().columns, LEAST_WIDTH)
    for first in found.rows[:1]:
        texts = "\n\n".join(worst_texts(results, schema, first, runs, number, width))
        if texts:
            say_wrapped(f"\nwhere {first.a} and {first.b} differ most in {first.metric}; [-] is a missing word\n")
            say_wrapped(texts)
            return
    database = scorespec.open_results(results, schema)
    statements = [*worst_queries(results, schema, found, runs, number)]
    if not statements:
        say("\n--worst: none of these scores is a sum over units")
    for query in statements:
        with database.stream(query, as_text=True) as rows:
            table = rows.read_all()
        if len(table):
            say(f"\n{query.splitlines()[0].removeprefix('-- ')}\n")
            printing.print_rows(table.to_reader(), "table")


@with_options(f"schema {LIMITS}")
def gate(
    *,
    results: Database,
    run: Annotated[str, typer.Argument(help="the number or the name of a run")],
    targets: Annotated[Path, typer.Option("--targets", metavar="FILE.yaml", help="what scores must reach")],
    baseline: Annotated[
        str | None, typer.Option("--baseline", metavar="RUN", help="the run that `max_drop` compares with")
    ] = None,
    undecided: Annotated[
        str, typer.Option("--undecided", metavar="hold|fail", help="whether undecided targets count as held or failed")
    ] = "hold",
    format: Annotated[
        str, typer.Option("--format", metavar="|".join(GATE_FORMATS), help="how the verdicts are printed")
    ] = "table",
    given: Typed,
) -> None:
    """Check the scores of a run against targets: exit code 1 if one fails, 2 if one cannot be judged."""
    printing.check_format(format, GATE_FORMATS)
    try:
        found = scorespec.gate(run, targets, baseline=baseline, results=results, undecided=undecided, **given.arguments)
    except ScorespecError as error:
        error.exit_code = UsageError.exit_code  # 1 says that a target fails
        raise
    if format in PRINTED:
        _print(found, format, found.table.column_names, ["", *found.notes])
    else:
        say(found.junit() if format == "junit" else found.github())
    raise typer.Exit({"holds": 0, "fails": 1}.get(found.verdict, UsageError.exit_code))


@with_options(f"schema {LIMITS}")
def leaderboard(
    *,
    results: Database,
    runs: Annotated[list[str] | None, typer.Argument(metavar="RUN", help="only these runs, by number or name")] = None,
    suite: Annotated[str | None, typer.Option("--suite", help="only runs of this suite")] = None,
    metrics: Metrics = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="COLUMN|corpus",
            help="also the scores of each value of a column that was in `score --by`, or of each corpus",
        ),
    ] = None,
    confidence: Level = "95",
    percent: Annotated[
        bool | None,
        typer.Option("--percent/--no-percent", help="print all rates as percent, or none (those such as WER)"),
    ] = None,
    intervals: Annotated[
        str,
        typer.Option("--intervals", metavar="ends|plus-minus|none", help="how intervals are shown, in tables"),
    ] = "ends",
    targets: Targets = None,
    format: Annotated[
        str, typer.Option("--format", metavar="|".join(BOARD_FORMATS), help="how the leaderboard is printed")
    ] = "table",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="the file of --format parquet or html")] = None,
    given: Typed,
) -> None:
    """Rank the systems of a results database, with intervals and the ranks that are possible."""
    printing.check_format(format, BOARD_FORMATS)
    if (format in BOARD_FILES) != (output is not None):
        raise UsageError("--format html and parquet write a file: name it with -o; other formats are printed")
    if format == "html":
        printing.check_page(output)
    found = scorespec.leaderboard(
        results,
        *(runs or ()),
        suite=suite,
        metrics=metrics or (),
        by=[each for each in by or () if each != CORPUS],
        by_corpus=CORPUS in (by or ()),
        confidence=confidence,
        percent=percent,
        intervals=intervals,
        targets=targets,
        **given.arguments,
    )
    if format == "latex":
        say(found.latex())
    elif output is None:
        needed = {*found.words, *list(found.names)[:1]}
        _print(found, format, needed, found.notes, found.best)
    elif format == "parquet":
        _write_parquet(found, output)
    else:
        from scorespec.report.report_page import leaderboard_page

        leaderboard_page(found).save(output)


def _write_parquet(found: Leaderboard, path: Path) -> None:
    from pyarrow.parquet import write_table

    try:
        write_table(found.table, path)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None


Runs = Annotated[
    list[str] | None,
    typer.Argument(metavar="RUN", help="numbers or names of runs (all current runs of the one suite)"),
]


@with_options("specs plugins schema")
def report(
    *,
    results: Database,
    runs: Runs = None,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE.html", help="the file of the page")] = Path(
        "report.html"
    ),
    targets: Targets = None,
    given: Typed,
) -> None:
    """Write one HTML page about one run, or several side by side: scores, figures, and what was scored.

    Runs of several corpora are shown by corpus, below a leaderboard.
    """
    printing.check_page(output)
    schema = given.arguments.pop("schema")
    page = scorespec.Results(results, schema).report(*(runs or ()), targets=targets, **given.arguments)
    print_warnings(page.warnings)
    page.save(output)
    say(str(output))


@with_options("specs plugins schema")
def plot(
    *,
    results: Database,
    figure: Annotated[str, typer.Argument(help="the name of a figure of the suite, or a score such as wer")],
    runs: Runs = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE.svg|FILE.pdf", help="the file (FIGURE.svg)")
    ] = None,
    width: Annotated[
        str | None, typer.Option("--width", metavar="3.3in", help="the width, for papers; the text has 8 points")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="COLUMN", help="a column that the runs were broken down by: show its slices"),
    ] = None,
    given: Typed,
) -> None:
    """Write one figure of a report, or a plot of one score, as SVG or PDF."""
    from scorespec.report.report_page import check_suffix

    output = output or Path(f"{figure}.svg")
    check_suffix(output)
    schema = given.arguments.pop("schema")
    scorespec.Results(results, schema).plot(figure, *(runs or ()), width=width, by=by, **given.arguments).save(output)
    say(str(output))
