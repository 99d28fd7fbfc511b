"""The results database of one run, and what the run records in it.

The run is written in one transaction, by a DuckDB instance that never runs spec SQL. `adding.py` adds it to the
database that the user named.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from scorespec.core.events import StepCost
from scorespec.core.result_tables import ONLY_RUN, TABLES, InputRecord, RunRecord
from scorespec.plan.plan import Plan
from scorespec.plan.rendering.templates import quoted
from scorespec.results.schema import ResultTables
from scorespec.run.attaching import attach, opened
from scorespec.run.limits import Limits
from scorespec.version import __version__

TYPES = {bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE"}  # of constants in front of rows; all others are text


@dataclass
class Outcome:
    """A run that has scores: its record, the scores (an Arrow table), the inputs, the cost of each step."""

    record: RunRecord
    scores: pa.Table
    inputs: list[InputRecord]
    costs: list[StepCost] = field(default_factory=list)


def record_of(plan: Plan, **more: Any) -> RunRecord:
    """The record of a run of a plan that begins now. ``more`` are fields of the record that the plan does not have."""
    return RunRecord(
        time=datetime.now(UTC).replace(microsecond=0),
        suite=plan.suite,
        signature=plan.identity.long,
        parameters=plan.parameters,
        versions={"scorespec": __version__, "duckdb": duckdb.__version__, **plan.identity.plugins},
        short_signature=plan.identity.short,
        documents=plan.identity.documents,
        metrics=plan.metrics,
        counts=plan.meanings.counted,
        better=plan.meanings.better,
        primary_scores=plan.meanings.primary,
        matched_pairs=asdict(plan.meanings.matched_pairs) if plan.meanings.matched_pairs else {},
        withheld=plan.withheld,
        ranges=list(dict.fromkeys((each.metric, each.component, *each.bounds) for each in plan.meanings.reported)),
        **more,
    )


def recorded_inputs(inputs: Iterable[InputRecord], run: RunRecord, submitted: Collection[str]) -> list[InputRecord]:
    """The inputs as a run that withholds something records them.

    An input that is not ``submitted`` has no path and no size. It has one row even if it has several files, because
    the number of files may be the number of recordings. In a run of a reference point, no input counts as
    submitted, because the rows of a reference point are computed from the gold.
    """
    inputs = list(inputs)
    if not run.withheld:
        return inputs
    files = Counter(each.name for each in inputs)
    shown = submitted if run.reference_point is None else ()
    recorded = [
        replace(each, path=each.path and recorded_path(each.path, run))
        if each.name in shown
        else replace(
            each,
            path=None,
            rows=None,
            bytes=None,
            sha256=each.sha256 if files[each.name] == 1 else None,
            lines_before=None,
        )
        for each in inputs
    ]
    return list(dict.fromkeys(recorded))


def recorded_path(path: str, run: RunRecord) -> str:
    """The path of a submitted file as a run records it: only its name if the run withholds something."""
    return Path(path).name if run.withheld else path


class ResultsWriter:
    """Writes one run; see :func:`writing`."""

    def __init__(self, connection: Any, tables: ResultTables) -> None:
        self._connection, self._tables = connection, tables

    def record(self, run: RunRecord, inputs: Sequence[InputRecord]) -> None:
        """The rows of `runs` and `inputs`."""
        self._insert("runs", [replace(run, counts=sorted(run.counts))])
        self._insert("inputs", inputs)

    def _insert(self, table: str, rows: Sequence[RunRecord | InputRecord]) -> None:
        """Rows of a table in one statement, with JSON as text."""
        columns = TABLES[table]
        values = [[_written(getattr(row, name, ONLY_RUN), kind) for row in rows] for name, kind in columns.items()]
        places = ", ".join(["unnest(?)"] * len(columns))
        listed = ", ".join(map(quoted, columns))
        self._connection.execute(f"INSERT INTO {self._tables.sql(table)} ({listed}) SELECT {places}", values)

    def append(self, table: str, rows: Any, constants: Mapping[str, Any] | None = None) -> None:
        """Rows of an Arrow table or reader, each with the run's id and ``constants`` in front.

        A table that does not exist is created; columns that it lacks are added.
        """
        added = {"run": ONLY_RUN, **(constants or {})}
        self._connection.register("incoming", rows)
        try:
            if not {*added, *rows.schema.names} <= self._tables.columns.get(table.lower(), {}).keys():
                shape = self._connection.from_arrow(pa.RecordBatchReader.from_batches(rows.schema, []))
                types = {name: TYPES.get(type(value), "VARCHAR") for name, value in added.items()}
                types |= zip(shape.columns, map(str, shape.types), strict=True)
                self._tables.make_room(table, types)
            fixed = "".join(f"? AS {quoted(name)}, " for name in added)
            target = self._tables.sql(table)
            self._connection.execute(f"INSERT INTO {target} BY NAME SELECT {fixed}* FROM incoming", [*added.values()])
        finally:
            self._connection.unregister("incoming")


def _written(value: Any, kind: str) -> Any:
    """A value of a record, as DuckDB takes it: JSON is text."""
    return json.dumps(value, default=list) if kind == "JSON" else value


@contextmanager
def writing(path: Path, schema: str, limits: Limits) -> Iterator[ResultsWriter]:
    """Create a results database of one run. Raises duckdb.Error if that fails; the incomplete file stays."""
    with opened(limits) as connection:
        attach(connection, path, "results", read_only=False)
        connection.execute("BEGIN")
        tables = ResultTables(connection, schema)
        tables.make()
        yield ResultsWriter(connection, tables)
        tables.finish()
        connection.execute("COMMIT")
        connection.execute("CHECKPOINT results")  # here, because closing the database would hide that the disk is full
