"""The results database: runs with their inputs, scores, statistics per unit and evidence.

A run is written to a database of its own, in one transaction, by a DuckDB instance that never runs spec SQL.
`adding.py` adds it to the database that the user named. There, a run supersedes an older one that scored the same
system in the same way, or that `rescore` scored again: the older run stays, and views such as `current_scores` leave it
out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from scorespec.core.score_text import ENDS, EVIDENCE
from scorespec.plan.plan import Plan
from scorespec.plan.rendering.templates import quoted
from scorespec.run.attaching import attach, opened
from scorespec.run.limits import Limits
from scorespec.run.runner import StepCost
from scorespec.version import __version__

TABLES = {  # the columns of each table with their types, as DuckDB names them
    "runs": {
        "id": "BIGINT",
        "time": "TIMESTAMP WITH TIME ZONE",
        **dict.fromkeys(("suite", "signature"), "VARCHAR"),
        **dict.fromkeys(("parameters", "versions"), "JSON"),
        **dict.fromkeys(("reference_point", "name", "corpus"), "VARCHAR"),
        "meta": "JSON",
        "superseded_by": "BIGINT",
        **dict.fromkeys(("gold", "documents"), "VARCHAR"),
        **dict.fromkeys(("metrics", "breakdowns"), "JSON"),
        "short_signature": "VARCHAR",
        **dict.fromkeys(("counts", "better", "primary_scores", "matched_pairs", "warnings", "withheld"), "JSON"),
        "ranges": "JSON",
        "call": "JSON",
    },
    "inputs": {
        "run": "BIGINT",
        **dict.fromkeys(("name", "path", "format"), "VARCHAR"),
        **dict.fromkeys(("rows", "bytes"), "BIGINT"),
        "sha256": "VARCHAR",
        "lines_before": "BIGINT",
    },
    "scores": {
        "run": "BIGINT",
        **dict.fromkeys(("metric", "component"), "VARCHAR"),
        "slice": "JSON",
        **dict.fromkeys(("value", "std"), "DOUBLE"),
        "folds": "BIGINT",
        "note": "VARCHAR",
        **dict.fromkeys(ENDS, "DOUBLE"),
    },
    "unit_statistics": {
        "run": "BIGINT",
        "metric": "VARCHAR",
        **dict.fromkeys(("unit", "slice", "statistics", "block"), "JSON"),
    },
    "block_sums": {
        "run": "BIGINT",
        "source": "VARCHAR",
        **dict.fromkeys(("cell", "block"), "JSON"),
        "statistics": "MAP(VARCHAR, DOUBLE)",
    },
    "resampled": {
        "run": "BIGINT",
        "metric": "VARCHAR",
        "number": "BIGINT",
        "sql": "VARCHAR",
        "definition": "JSON",
    },
    "replicates": {
        "run": "BIGINT",
        **dict.fromkeys(("metric", "component"), "VARCHAR"),
        "slice": "JSON",
        **dict.fromkeys(("method", "blocks"), "VARCHAR"),
        "groups": "BIGINT[]",
        "scores": "DOUBLE[]",
    },
    "dropped_rows": {
        "run": "BIGINT",
        **dict.fromkeys(("input", "path"), "VARCHAR"),
        "line": "BIGINT",
        **dict.fromkeys(("code", "message"), "VARCHAR"),
    },
    "curves": {
        "run": "BIGINT",
        "metric": "VARCHAR",
        "slice": "JSON",
        "rank": "BIGINT",
        "threshold": "DOUBLE",
        "mark": "VARCHAR",
        **dict.fromkeys(("low", "high"), "DOUBLE"),
    },
    "results_version": {"version": "BIGINT"},
}
VERSION = 2  # of these tables; files of version 1 have no table results_version
OF_VERSION_1 = ("id", "time", "suite", "signature", "parameters", "versions")  # the columns of `runs`
# Columns of other tables that files of earlier versions lack.
LATER_COLUMNS = {
    "inputs": {"lines_before"},
    "scores": {*ENDS},
    "unit_statistics": {"block"},
    "curves": {"low", "high"},
}
TYPES = {bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE"}  # of constants in front of rows; all others are text
CURRENT = "current_"  # so begins the name of the view of a table without the rows of superseded runs
# Of runs that are equal in all of these, the latest supersedes the others. Only the last two may be NULL.
SAME = (
    *("name", "suite", "gold", "documents", "metrics", "breakdowns", "parameters", "withheld"),
    *("corpus", "reference_point"),
)
JSON = {name for name, kind in TABLES["runs"].items() if kind == "JSON"}  # columns of `runs`
MAIN = "main"  # the schema of the tables, unless the user names another
ADDED = "added"  # marks the call of a run that another database had
ONLY_RUN = 1  # the id of a run in a database of its own


@dataclass(frozen=True)
class InputRecord:
    """A row of `inputs`: a file or an object. ``bytes`` and ``sha256`` are None for objects in memory.

    ``rows`` are those that were read, ``dropped`` those of them that were left out (see `dropped_rows`). ``format`` has
    the options of the file. The lines of an input in several files are counted on from each file to the next: its rows
    have ``lines_before`` more than in the file. A run that withholds something records less: see
    :func:`recorded_inputs`.
    """

    name: str
    path: str | None
    format: str
    rows: int | None
    bytes: int | None
    sha256: str | None
    dropped: int = 0
    lines_before: int | None = 0


@dataclass(frozen=True)
class RunRecord:
    """A row of `runs`, without its id.

    ``name`` is the name of the scored system; a run without a name is called by its id. ``gold`` is that of
    :func:`.golds.gold_of`. ``documents`` pins documents and plugins. ``counts`` are the components that count
    something, each with its metric. ``better`` has the components with a direction: metric, component, and `higher` or
    `lower`. ``ranges`` has the least and the greatest value of components: metric, component, and both values, None
    without a bound. ``primary_scores`` are the main scores, each as metric.component. ``matched_pairs`` names the
    evidence of that test. ``reference_point`` is the name of the reference point that was scored, None for a
    submission. ``withheld`` are the parts of the results that the run left out. ``call`` has the arguments with which
    the files can be scored again.
    """

    suite: str
    signature: str
    parameters: Mapping[str, Any]
    time: datetime
    versions: Mapping[str, str] = field(default_factory=dict)
    short_signature: str = ""
    documents: str = ""
    metrics: Sequence[str] = ()
    counts: Collection[tuple[str, str]] = ()
    better: Collection[tuple[str, str, str]] = ()
    primary_scores: Sequence[str] = ()
    matched_pairs: Mapping[str, Any] = field(default_factory=dict)
    breakdowns: Sequence[Sequence[str]] = ()
    name: str | None = None
    corpus: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    reference_point: str | None = None
    gold: str | None = None
    warnings: Sequence[str] = ()
    withheld: Sequence[str] = ()
    call: Mapping[str, Any] = field(default_factory=dict)
    ranges: Collection[tuple[str, str, float | None, float | None]] = ()

    def row(self) -> dict[str, Any]:
        """The row in a database of its own, with JSON as text."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        found |= {"id": ONLY_RUN, "counts": sorted(self.counts)}
        return {name: json.dumps(value, default=list) if name in JSON else value for name, value in found.items()}


@dataclass
class Outcome:
    """A run that has scores: its record, the scores (an Arrow table), the inputs, the cost of each step."""

    record: RunRecord
    scores: pa.Table
    inputs: list[InputRecord]
    costs: list[StepCost] = field(default_factory=list)


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


def record_of(plan: Plan, **more: Any) -> RunRecord:
    """The record of a run of a plan that begins now. ``more`` are fields of the record that the plan does not have."""
    return RunRecord(
        plan.suite,
        plan.signature,
        plan.parameters,
        datetime.now(UTC).replace(microsecond=0),
        {"scorespec": __version__, "duckdb": duckdb.__version__, **plan.plugins},
        plan.short_signature,
        plan.documents,
        plan.metrics,
        plan.count_components,
        plan.better,
        plan.primary,
        asdict(plan.matched_pairs) if plan.matched_pairs else {},
        withheld=plan.withheld,
        ranges=list(dict.fromkeys((each.metric, each.component, *each.bounds) for each in plan.reported)),
        **more,
    )


class ResultsWriter:
    """Writes one run; see :func:`writing`."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.tables = [*TABLES]
        self._there: set[tuple[str, ...]] = set()  # tables, each with names of columns that it has

    def record(self, run: RunRecord, inputs: Sequence[InputRecord]) -> None:
        """The rows of `runs` and `inputs`."""
        values = run.row()
        places = ", ".join("?" * len(values))
        self._connection.execute(f"INSERT INTO runs ({', '.join(values)}) VALUES ({places})", [*values.values()])
        columns = [name for name in TABLES["inputs"] if name != "run"]
        listed = [[getattr(each, name) for each in inputs] for name in columns]
        places = ", ".join(["unnest(?)"] * len(columns))
        self._connection.execute(f"INSERT INTO inputs SELECT {ONLY_RUN}, {places}", listed)

    def append(self, table: str, rows: Any, constants: Mapping[str, Any] | None = None) -> None:
        """Rows of an Arrow table or reader, each with the run's id and ``constants`` in front.

        A table that does not exist is created; columns that it lacks are added.
        """
        added = {"run": ONLY_RUN, **(constants or {})}
        self._connection.register("incoming", rows)
        try:
            fixed = "".join(f"? AS {quoted(name)}, " for name in added)
            source = f"SELECT {fixed}* FROM incoming"
            self._make_room(table, rows.schema, added)
            self._connection.execute(f"INSERT INTO {quoted(table)} BY NAME {source}", list(added.values()))
        finally:
            self._connection.unregister("incoming")

    def _make_room(self, table: str, schema: pa.Schema, added: Mapping[str, Any]) -> None:
        """Make the table, or the columns that it lacks."""
        names = (table, *added, *schema.names)
        if names in self._there:
            return
        self._there.add(names)
        if {*names[1:]} <= TABLES.get(table, {}).keys():
            return
        shape = self._connection.from_arrow(pa.RecordBatchReader.from_batches(schema, []))
        columns = dict(zip(shape.columns, map(str, shape.types), strict=True))
        columns = {
            **{name: TYPES.get(type(value), "VARCHAR") for name, value in added.items()},
            **columns,
        }
        if table.lower() not in map(str.lower, self.tables):  # as DuckDB compares names
            self.tables.append(table)
            listed = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns.items())
            self._connection.execute(f"CREATE TABLE {quoted(table)} ({listed})")
            return
        for name, kind in columns.items():
            self._connection.execute(f"ALTER TABLE {quoted(table)} ADD COLUMN IF NOT EXISTS {quoted(name)} {kind}")


@contextmanager
def writing(path: Path, schema: str, limits: Limits) -> Iterator[ResultsWriter]:
    """Create a results database of one run. Raises duckdb.Error if that fails; the incomplete file stays."""
    with opened(limits) as connection:
        attach(connection, path, "results", read_only=False)
        connection.execute("BEGIN")
        make_tables(connection, "results", schema)
        connection.execute(f"USE results.{quoted(schema)}")
        writer = ResultsWriter(connection)
        yield writer
        finish(connection, "results", schema, writer.tables)
        connection.execute("COMMIT")
        connection.execute("CHECKPOINT")  # here, because closing the database would hide that the disk is full


def make_tables(connection: Any, database: str, schema: str) -> None:
    """Create the tables that every results database has, unless they exist."""
    place = f"{database}.{quoted(schema)}"
    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {place}")
    for name, columns in TABLES.items():
        listed = ", ".join(f"{quoted(column)} {kind}" for column, kind in columns.items())
        key = ", PRIMARY KEY (id)" if name == "runs" else ""
        connection.execute(f"CREATE TABLE IF NOT EXISTS {place}.{name} ({listed}{key})")
    version = f"{place}.results_version"
    connection.execute(f"INSERT INTO {version} SELECT {VERSION} WHERE NOT EXISTS (FROM {version})")


def run_column(table: str) -> str | None:
    """The column of a table of results that has the number of a run; None for a table that is not about runs."""
    if table in TABLES:
        return {"runs": "id", "results_version": None}.get(table, "run")
    return "run" if table.startswith(EVIDENCE) else None


def finish(connection: Any, database: str, schema: str, tables: Collection[str]) -> None:
    """Name the runs that have no name, mark the runs that are superseded, and create the views.

    ``tables`` are those of the schema.
    """
    runs = f"{database}.{quoted(schema)}.runs"
    connection.execute(f"UPDATE {runs} SET name = 'run ' || id WHERE name IS NULL")
    connection.execute(f"UPDATE {runs} SET meta = '{{}}' WHERE meta IS NULL")
    known = " AND ".join(f"{name} IS NOT NULL" for name in SAME[:-2])
    later = f"lead(id) OVER (PARTITION BY {', '.join(SAME)} ORDER BY time, id)"
    told = f"CASE WHEN superseded_by IN (SELECT id FROM {runs}) THEN superseded_by END"  # by `rescore`
    connection.execute(
        f"UPDATE {runs} AS run SET superseded_by = found.later "
        f"FROM (SELECT id, coalesce(CASE WHEN {known} THEN {later} END, {told}) AS later FROM {runs}) AS found "
        "WHERE found.id = run.id AND run.superseded_by IS DISTINCT FROM found.later"
    )
    _make_views(connection, database, schema, sorted(tables))


def _make_views(connection: Any, database: str, schema: str, tables: Collection[str]) -> None:
    """Create the views without superseded runs, anew: their tables may have more columns than before.

    Where a table of the user has the name of a view, the view is left out.
    """
    inside = quoted(schema)  # a view finds tables in its own database
    for table in tables:
        view, column = f"{CURRENT}{table}", run_column(table)
        if column and view not in tables:
            connection.execute(
                f"CREATE OR REPLACE VIEW {database}.{inside}.{quoted(view)} AS SELECT * FROM {inside}.{quoted(table)} "
                f"WHERE {column} IN (SELECT id FROM {inside}.runs WHERE superseded_by IS NULL)"
            )
