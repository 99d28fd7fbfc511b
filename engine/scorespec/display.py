"""Prints runs, rows and definitions on standard output: as tables for people, JSON or CSV for programs."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import count
from typing import TYPE_CHECKING, Any

from scorespec.api import four_digits
from scorespec.errors import UsageError, nearest

if TYPE_CHECKING:
    import pyarrow as pa

    from scorespec.api import Run
    from scorespec.runtime.runner import StepCost

FORMATS = ("table", "json", "csv")
PIPED_WIDTH = 200


def check_format(name: str) -> None:
    """Raise UsageError for an unknown output format."""
    if name not in FORMATS:
        raise UsageError(f"--format {name!r}; {nearest(name, FORMATS)}")


# -- runs and rows -----------------------------------------------------------------------------------


def print_run(run: Run, format: str) -> None:
    """The scores of a run; JSON has the run and its warnings too."""
    if format == "json":
        print(json.dumps(run.to_dict(), indent=2, ensure_ascii=False, allow_nan=False))
    elif format == "csv":
        _print_csv(run.scores.to_pylist(), run.scores.column_names)
    else:
        rows = [{**row, "slice": " ".join(f"{k}={v}" for k, v in row["slice"].items())} for row in run.table()]
        kept = [
            c
            for c in run.scores.column_names
            if c in ("metric", "component", "value") or any(r[c] not in (None, "") for r in rows)
        ]
        _print_table(rows, kept)
        print(run.signature)


def print_rows(rows: pa.Table, format: str) -> None:
    """The rows of a query; a column whose name stands before has a number after it."""
    rows = rows.rename_columns(_distinct(rows.column_names))
    found = rows.to_pylist()
    if format == "json":
        print(json.dumps([_plain(row) for row in found], indent=2, ensure_ascii=False, default=str))
    elif format == "csv":
        _print_csv(found, rows.column_names)
    else:
        _print_table(found, rows.column_names)


def _distinct(names: Sequence[str]) -> list[str]:
    """Names of which no two are the same: ``a``, ``a_1``, ``a_2``."""
    found: list[str] = []
    for name in names:
        others = (f"{name}_{number}" for number in count(1))
        found.append(name if name not in found else next(each for each in others if each not in {*found, *names}))
    return found


def print_costs(costs: Sequence[StepCost]) -> None:
    """Seconds, rows and spilled megabytes of each step, and what it is made from, on standard error."""
    total = sum(cost.seconds for cost in costs)
    for cost in costs:
        spilled = f"{(cost.spilled or 0) / 1e6:8,.0f} MB spilled"
        made = f"  <- {', '.join(cost.sources)}" if cost.sources else ""
        print(f"{cost.seconds:9.3f} s  {cost.rows:>12,} rows  {spilled}  {cost.label}{made}", file=sys.stderr)
    print(f"{total:9.3f} s  in all", file=sys.stderr)


def _plain(value: Any) -> Any:
    """A value as JSON has it: null for NaN and infinity, a number for a decimal."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Decimal):  # such as the sum of whole numbers
        return int(value) if value == int(value) else float(value)
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def _print_csv(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> None:
    writer = csv.DictWriter(sys.stdout, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _print_table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> None:
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        numeric = any(isinstance(row[column], int | float | Decimal) for row in rows)
        grid.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(Text(_cell(row[column])) for column in columns))
    console = Console() if sys.stdout.isatty() else Console(width=PIPED_WIDTH, no_color=True)
    console.print(grid)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        whole = value == int(value) if abs(value) < 1e15 and value == value else False
        return f"{int(value):,}" if whole and abs(value) > 1 else four_digits(value)
    return str(value)
