"""Prints runs, rows and definitions on standard output: as tables for people, JSON or CSV for programs."""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import count, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorespec.core.result_tables import ENDS, IDENTITY, NUMBERS, SCORE_COLUMNS, SPREAD
from scorespec.core.score_text import (
    FOR_PROGRAMS,
    PRINTED,
    Part,
    Row,
    count_text,
    finite,
    number_text,
    part_text,
    parts_of_whole,
    slice_text,
)
from scorespec.core.terminal import (
    Place,
    complain,
    in_columns,
    is_output_lost,
    latex_table,
    markdown_table,
    print_grid,
    print_shortened,
    say,
    say_wrapped,
    visible,
)
from scorespec.errors import ScorespecError, SpecError, UsageError, failure_of, unknown

if TYPE_CHECKING:
    import pyarrow as pa

    from scorespec.app.batch import Batch
    from scorespec.app.runs import Run
    from scorespec.app.validate import Validation
    from scorespec.core.events import StepCost

VALUE_FORMATS = ("text", "json", "yaml")  # of values of parameters
ALWAYS_SHOWN = ("metric", "component", "value")  # columns of scores, even if they are empty
SUBMISSION = "submission"  # the column with the name of one of many submissions
SYSTEM = ("name", "corpus")  # instead of this column, for programs
POINT = "reference_point"  # the column with the name of the reference point


def check_format(name: str, known: Sequence[str] = PRINTED) -> None:
    """Raise UsageError for an unknown output format."""
    if name not in known:
        raise unknown(f"--format {name!r}", name, known)


def print_table(
    rows: Iterable[Mapping[str, str]],
    columns: Sequence[str],
    numbers: Collection[str],
    needed: Collection[str],
    format: str = "table",
    notes: Sequence[str] = (),
    bold: Collection[Place] = (),
) -> None:
    """Print rows of text with notes below: as a grid, which may leave out columns, or all columns as a table of markup.

    In markup, some cells are ``bold``. The other arguments are those of :func:`~scorespec.core.terminal.print_grid`.
    """
    if format not in ("markdown", "latex"):
        print_grid(rows, columns, numbers, needed)
        for note in notes:
            say_wrapped(note)
        return
    words = [name for name in columns if name not in numbers]
    markup = markdown_table if format == "markdown" else latex_table
    say(markup([{name: row[name] for name in columns} for row in rows], words, bold, [*filter(None, notes)]))


# -- runs and rows -----------------------------------------------------------------------------------


def print_run(run: Run, format: str, signature: bool = False) -> None:
    """The scores of a run; JSON has the run and its warnings too.

    The short signature is below a table, or with ``signature`` the one that has every parameter. If the template of
    a layout is at fault, the scores are printed as a table before the error is raised.
    """
    if format not in PRINTED or format in run.layouts:
        try:
            say(run.layout(format).rstrip("\n"))
            for name, point in run.reference_points.items():
                say(f"\nreference point {visible(name)}\n\n" + point.layout(format).rstrip("\n"))
        except SpecError:
            print_run(run, "table", signature)
            raise
    elif format == "json":
        print_json(run.to_dict())
    elif format == "csv":
        columns = [*run.columns, POINT] if run.reference_points else run.columns
        _print_csv(_with_names({"": run, **run.reference_points}, POINT), columns)
    else:
        shown, repeated = _numbered(run.shown_rows())
        kept = [name for name in SCORE_COLUMNS if name in ALWAYS_SHOWN or any(row[name] for row in shown)]
        _print_beside(shown, kept, run.reference_points, format, [*repeated, *_notes(run, signature)])


def _numbered(rows: Sequence[dict[str, str]]) -> tuple[Sequence[dict[str, str]], list[str]]:
    """Footnotes: a note of more than two rows is replaced by a number. Returns the rows, and the numbered notes."""
    times = Counter(row["note"] for row in rows)
    repeated = {
        note: f"[{number}]" for number, note in enumerate((each for each in times if each and times[each] > 2), 1)
    }
    return [{**row, "note": repeated.get(row["note"], row["note"])} for row in rows], [
        f"{number} {note}" for note, number in repeated.items()
    ]


def _notes(run: Run, whole: bool) -> list[str]:
    """What is below a table: the signature of the run, and what the run leaves out."""
    return [run.signature if whole else run.short_signature, *filter(None, [run.withheld_text])]


def print_reference_points(points: Mapping[str, Run], format: str, signature: bool = False) -> None:
    """The scores of reference points: a table with a column for each, or one row for each score of each of them."""
    first = next(iter(points.values()))
    if format == "json":
        print_json({"reference_points": {name: run.to_dict() for name, run in points.items()}})
    elif format == "csv":
        _print_csv(_with_names(points, POINT), [*first.columns, POINT])
    else:
        rows = {_identity(row): row for run in points.values() for row in run.shown_rows()}
        kept = [name for name in IDENTITY if name in ALWAYS_SHOWN or any(row[name] for row in rows.values())]
        _print_beside(list(rows.values()), kept, points, format, _notes(first, signature))


def print_batch(batch: Batch[Run], format: str, signature: bool = False) -> None:
    """The scores of many submissions: a table with a row for each, or one row for each score of each of them."""
    if format == "json":
        print_json({"runs": [run.to_dict() for run in batch.runs.values()], "failed": _failed(batch)})
    elif format == "csv":
        columns = next(
            (run.columns for run in batch.runs.values()), [name for name in SCORE_COLUMNS if name not in ENDS]
        )
        _print_csv(_with_names(batch.runs, SUBMISSION), [*SYSTEM, *columns])
    elif format not in PRINTED or any(format in run.layouts for run in batch.runs.values()):
        for name, run in batch.runs.items():
            say(f"submission {visible(name)}\n\n{run.layout(format)}")
    elif batch.runs:
        found = {name: _values_of_parts(run) for name, run in batch.runs.items()}
        parts = dict.fromkeys(part for values in found.values() for part in values)
        rows = [
            {**dict(part), SUBMISSION: visible(name), **values[part]}
            for part in parts
            for name, values in found.items()
            if part in values
        ]
        columns = list(dict.fromkeys(name for row in rows for name in row))
        filled = [{name: row.get(name, "") for name in columns} for row in rows]
        words = columns[: columns.index(SUBMISSION) + 1]
        notes = {visible(name): _notes(run, signature) for name, run in batch.runs.items()}
        shared, *others = dict.fromkeys(map(tuple, notes.values()))
        own = [f"{name}: {text}" for name, texts in notes.items() for text in texts]  # such as calibrations of systems
        print_table(filled, columns, columns[len(words) :], words, format, own if others else shared)


def _values_of_parts(run: Run) -> dict[Part, dict[str, str]]:
    """The scores of the whole submission, with their intervals, then those of its parts by the columns of breakdowns.

    If several slices of a metric stand for the whole, such as `speakers=all`, the names of its scores have the slice.
    """
    by = dict.fromkeys(column for columns in run.breakdowns for column in columns)
    keys = list(zip(*(run.scores[name].to_pylist() for name in ("metric", "slice")), strict=True))
    parts = {name: parts_of_whole(slice_ for metric, slice_ in keys if metric == name) for name in run.metrics}
    asked = [frozenset(), *map(frozenset, run.breakdowns)]
    several = {name for name, each in parts.items() if [*each.values()].count(frozenset()) > 1}
    found: dict[Part, dict[str, str]] = {}
    for (metric, text), row in zip(keys, run.shown_rows(), strict=True):
        if parts[metric][text] in asked:
            slice_ = json.loads(text)
            own = slice_text({name: value for name, value in slice_.items() if name not in by and metric in several})
            values = found.setdefault(part_text(slice_, by, (SUBMISSION,)), {})
            score = row["metric"] if row["component"] == "value" else f"{row['metric']}.{row['component']}"
            ends = f" ({row['low'].removesuffix(' %')}–{row['high']})" if row["low"] and row["high"] else ""
            values[f"{visible(score)} {own}".rstrip()] = row["value"] + ends
    return found


def _failed(batch: Batch[Any]) -> list[dict[str, Any]]:
    """The errors of submissions, for programs."""
    return [{SUBMISSION: name, **failure_of(error).to_dict()["error"]} for name, error in batch.failed.items()]


def print_validations(batch: Batch[Validation], format: str) -> None:
    """The validations of many submissions: a table with a row for each, or all of each as JSON."""
    if format == "json":
        validations = [{SUBMISSION: name, **found.to_dict()} for name, found in batch.runs.items()]
        print_json({"validations": validations, "failed": _failed(batch)})
        return
    rows = [
        {
            SUBMISSION: visible(name),
            "valid": "yes" if found.valid else "no",
            "problems": f"{found.error.total if found.error else 0:,}",
            "warnings": f"{len(found.warnings):,}",
        }
        for name, found in batch.runs.items()
    ]
    columns = [SUBMISSION, "valid", "problems", "warnings"]
    print_grid(rows, columns, columns[2:], columns)


def print_failures(failed: Mapping[str, ScorespecError], total: int) -> None:
    """The errors of submissions on standard error: those of several lines, then a table with the first line of each."""
    for name, error in failed.items():
        if "\n" in str(error):
            complain(f"submission {visible(name)} failed:\n{failure_of(error).text}")
    complain(f"{len(failed):,} of {total:,} submissions failed:")
    for line in in_columns((visible(name), str(error).splitlines()[0]) for name, error in failed.items()):
        complain(f"  {line}")


def _print_beside(
    rows: Sequence[Mapping[str, str]],
    columns: Sequence[str],
    points: Mapping[str, Run],
    format: str,
    notes: Sequence[str],
) -> None:
    """Rows of scores, with the value that each reference point has in a column of its own."""
    values = {name: {_identity(row): row["value"] for row in run.shown_rows()} for name, run in points.items()}
    beside = [{**row, **{name: values[name].get(_identity(row), "") for name in points}} for row in rows]
    needed = [name for name in columns if name not in SPREAD]  # a narrow terminal leaves out the spread first
    print_table(beside, [*columns, *points], [*NUMBERS, *points], [*needed, *points], format, notes)


def _identity(row: Mapping[str, str]) -> tuple[str, ...]:
    """What a row of scores is the score of."""
    return tuple(row[name] for name in IDENTITY)


def _with_names(runs: Mapping[str, Run], column: str) -> Iterator[Row]:
    """The rows of several runs, for programs: slices as JSON, the name of the run in a column, system and corpus."""
    for name, run in runs.items():
        for row, slice_ in zip(run.exact_rows(), run.scores["slice"].to_pylist(), strict=True):
            yield {**row, "slice": slice_, column: name, **{each: getattr(run, each) for each in SYSTEM}}


def print_runs(runs: pa.Table, format: str) -> None:
    """The runs of a results database. A table has the columns that have values, and times in UTC to the second."""
    if format in FOR_PROGRAMS:
        print_rows(runs.to_reader(), format)
        return
    filled = [name for name in runs.column_names if runs[name].null_count < len(runs)]
    columns = ([_cell(_without_zone(value)) for value in _values(runs[name])] for name in filled)
    shown = [dict(zip(filled, row, strict=True)) for row in zip(*columns, strict=True)]
    print_table(shown, filled, ("id", "superseded_by"), ("id", "name", "superseded_by"), format)


def _without_zone(value: Any) -> Any:
    if not isinstance(value, datetime):
        return value
    return f"{value.astimezone(UTC) if value.tzinfo else value:%Y-%m-%d %H:%M:%S}"


def print_rows(rows: pa.RecordBatchReader, format: str) -> None:
    """The rows of a query, as they are found. Columns of equal names are numbered: ``value``, ``value_1``."""
    names = _distinct(rows.schema.names)
    values = _values if format in ("json", "csv") else _cells
    found = (
        dict(zip(names, row, strict=True)) for batch in rows for row in zip(*map(values, batch.columns), strict=True)
    )
    wanted = takewhile(lambda _: not is_output_lost(), found)
    if format == "json":
        _print_json_rows(wanted)
    elif format == "csv":
        _print_csv(wanted, names)
    else:
        numbers = [name for name, type_ in zip(names, rows.schema.types, strict=True) if _is_number(type_)]
        if format == "table":
            print_shortened(wanted, names, numbers)
        else:
            print_table(wanted, names, numbers, names, format)


def _cells(column: Any) -> list[str]:
    """The texts of a column of a batch; a whole float, such as a count among rates, has no decimals."""
    return [count_text(value) if isinstance(value, float) else _cell(value) for value in _values(column)]


def _is_number(type_: Any) -> bool:
    import pyarrow as pa

    return any(each(type_) for each in (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal))


def _values(column: Any) -> list[Any]:
    """The values of a column; as DuckDB writes them if Python cannot represent one, such as the date `infinity`."""
    try:
        values: list[Any] = column.to_pylist()
    except OverflowError:
        import duckdb
        import pyarrow as pa

        with duckdb.connect() as connection:
            texts = connection.from_arrow(pa.table({"value": column})).project("value::VARCHAR AS value")
            values = texts.to_arrow_table()["value"].to_pylist()
    return values


def _distinct(names: Sequence[str]) -> list[str]:
    """Names, numbered if they are equal: ``a``, ``a_1``, ``a_2``."""
    found: list[str] = []
    for name in names:
        others = (f"{name}_{number}" for number in count(1))
        found.append(name if name not in found else next(each for each in others if each not in {*found, *names}))
    return found


def print_costs(costs: Sequence[StepCost]) -> None:
    """The seconds, rows, spilled megabytes and sources of each step, on standard error."""
    total = sum(cost.seconds for cost in costs)
    for cost in costs:
        spilled = f"{(cost.spilled or 0) / 1e6:8,.0f} MB spilled"
        sources = f"  <- {', '.join(cost.sources)}" if cost.sources else ""
        complain(f"{cost.seconds:9.3f} s  {cost.rows:>12,} rows  {spilled}  {cost.label}{sources}")
    complain(f"{total:9.3f} s  in all")


def print_values(values: Mapping[str, float], format: str) -> None:
    """Values of parameters with all their digits: as options of `score`, as JSON, or as YAML for a document."""
    if format == "json":
        print_json(values)
    elif format == "yaml":
        import yaml

        say(yaml.safe_dump(dict(values), sort_keys=False).rstrip("\n"))
    else:
        for name, value in values.items():
            say(f"--param {name}={value!r}")


def print_json(data: Any) -> None:
    """Strict JSON; characters that standard output cannot encode are written as escapes of JSON."""
    print(_json_text(data))


def _json_text(data: Any) -> str:
    plain = finite(data)
    text = json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False, default=str)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(plain, indent=2, allow_nan=False, default=str)
    return text


def _print_json_rows(rows: Iterable[Mapping[str, Any]]) -> None:
    """A list of objects, each printed when it is there."""
    before = "[\n"
    for row in rows:
        text = _json_text(row).replace("\n", "\n  ")
        sys.stdout.write(f"{before}  {text}")
        before = ",\n"
    print("\n]" if before == ",\n" else "[]")


def print_script(script: str) -> None:
    """SQL: with visible control characters on a terminal, otherwise unchanged, so that it can be run."""
    if sys.stdout.isatty():
        say(script)
    else:
        print(script)


def check_page(output: Path | None) -> None:
    """Raise UsageError for a file whose name is not that of a page: it may be a results database."""
    if output and output.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"-o {output}: the name of the page must end in .html")


class _Lines:
    """Rows of CSV on standard output, each ended by a line feed.

    Before Python 3.13 the csv module quotes a carriage return only if it is part of what ends a row.
    """

    end = "\r\n"

    def write(self, row: str) -> None:
        sys.stdout.write(row.removesuffix(self.end) + "\n")


def _print_csv(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> None:
    writer = csv.DictWriter(_Lines(), columns, extrasaction="ignore", lineterminator=_Lines.end)
    writer.writeheader()
    writer.writerows(rows)


def _cell(value: Any) -> str:
    return number_text(value) if value is None or isinstance(value, float) else visible(value)
