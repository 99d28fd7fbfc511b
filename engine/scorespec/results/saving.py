"""Writes a finished run to a database of its own, and adds it to the one that the user named.

If it cannot be added, its database stays next to the named one.
"""

from __future__ import annotations

import json
import os
import secrets
import shlex
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from scorespec.core.disclosure import Disclosure
from scorespec.core.events import StepCost
from scorespec.core.result_tables import MAIN, ONLY_RUN, TABLES, InputRecord, RunRecord
from scorespec.core.score_text import score_name
from scorespec.core.terminal import complain
from scorespec.errors import RunError
from scorespec.plan.plan import Plan
from scorespec.plan.rendering.templates import quoted
from scorespec.results.adding import PENDING, add_runs, check_results
from scorespec.results.schema import ResultTables, check_schema
from scorespec.run.attaching import attach, opened, reason, whole
from scorespec.run.folders import TemporaryFolder
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
    reported = plan.meanings.reported
    percent = {(each.metric, each.component): each.meaning.percent for each in reported if each.meaning.percent}
    names = Counter(percent.values())  # a variant inherits the name of its metric, and both keep their full names
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
        rates=list(dict.fromkeys((each.metric, each.component) for each in reported if each.meaning.is_rate)),
        percent=[(*of, name if names[name] == 1 else score_name(*of)) for of, name in percent.items()],
        better=plan.meanings.better,
        primary_scores=plan.meanings.primary,
        matched_pairs=asdict(plan.meanings.matched_pairs) if plan.meanings.matched_pairs else {},
        withheld=plan.disclosure.withheld,
        ranges=list(dict.fromkeys((each.metric, each.component, *each.bounds) for each in reported)),
        **more,
    )


def recorded_inputs(inputs: Iterable[InputRecord], run: RunRecord, plan: Plan) -> list[InputRecord]:
    """The inputs as a run that withholds something records them.

    An input that is not submitted has no path and no size. It has one row even if it has several files, because
    the number of files may be the number of recordings. In a run of a reference point, no input counts as
    submitted, because the rows of a reference point are computed from the gold.
    """
    inputs = list(inputs)
    if plan.disclosure.allows("inputs"):
        return inputs
    files = Counter(each.name for each in inputs)
    shown = plan.inputs.submitted if run.reference_point is None else ()
    recorded = [
        replace(each, path=each.path and plan.disclosure.path(each.path))
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


class ResultsWriter:
    """Writes one run; see :func:`writing`."""

    def __init__(self, connection: Any, tables: ResultTables, disclosure: Disclosure) -> None:
        self._connection, self._tables, self._disclosure = connection, tables, disclosure

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

        A table that does not exist is created; columns that it lacks are added. Nothing is written to a table that
        may not leave the run.
        """
        if not self._disclosure.allows(table):
            return
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
def writing(path: Path, schema: str, limits: Limits, disclosure: Disclosure) -> Iterator[ResultsWriter]:
    """Create a results database of one run, inside the block. Raises duckdb.Error; the incomplete file stays."""
    with opened(limits) as connection:
        attach(connection, path, "results", read_only=False)
        connection.execute("BEGIN")
        tables = ResultTables(connection, schema)
        tables.make()
        yield ResultsWriter(connection, tables, disclosure)
        tables.finish()
        connection.execute("COMMIT")
        connection.execute("CHECKPOINT results")  # here, because closing the database would hide that the disk is full


FOLDER = ".scorespec-run-"
NAME = "results.duckdb"


class RunFile:
    """The results database of one run, in a temporary folder until it is added to the database ``results`` or closed.

    Raises RunError, before anything is scored, if runs cannot be added to ``results``.
    """

    def __init__(self, results: Path | None, schema: str, limits: Limits) -> None:
        self._results, self._schema, self._limits = results, schema, limits
        self._folders: list[TemporaryFolder] = []
        try:
            if results is not None:
                check_results(results, schema)
            check_schema(schema)
            # In the folder of the results, so that the file can be linked under their name.
            folder = limits.folder if results is None else Path(whole(results)).parent
            self._folders.append(TemporaryFolder(FOLDER, folder))
        except RunError as error:
            raise error if results is None else RunError(f"cannot write results to {results}: {error}") from None
        self.path: Path | None = None  # of the database that has the run
        self.number = ONLY_RUN  # of the run in that database
        self._fault = ""  # why there is no such database

    def attempts(self) -> Iterator[AbstractContextManager[Path]]:
        """Attempts at writing the run, each a block with the path to write to: the second if the first has failed.

        The first is in the folder of the run, the second in the system's folder for temporary files. If both fail,
        :meth:`save` raises the error: the run still has scores to print.
        """
        yield self._attempt()
        if self.path is None:
            self._folders.pop().close()  # half a file
            with suppress(RunError):
                self._folders.append(TemporaryFolder(FOLDER, None))
                yield self._attempt()

    @contextmanager
    def _attempt(self) -> Iterator[Path]:
        path = self._folders[-1].path / NAME
        try:
            yield path
            self.path = path
        except (duckdb.Error, OSError, RunError) as error:
            self._fault = self._fault or reason(error, self._folders[-1].path)

    def receive(self, database: bytes | str) -> None:
        """Take a run that another process wrote: its database, or why there is none."""
        if isinstance(database, str):
            self._fault = database
            return
        for attempt in self.attempts():
            with attempt as path:
                path.write_bytes(database)

    def handed_over(self) -> bytes | str:
        """What :meth:`receive` takes in another process."""
        return self._fault if self.path is None else self.path.read_bytes()

    def save(self) -> None:
        """Add the run to the results, or keep it next to them. A RunError says how to add a run that was kept."""
        try:
            if self.path is None:
                raise RunError(self._fault)
            if self._results is not None:
                self._add(self.path, self._results)
                self.path = self._results
        except BaseException as error:
            message = self._keep(str(error) or "interrupted")
            if isinstance(error, RunError):
                raise RunError(message) from None
            complain(message)
            raise

    def _add(self, path: Path, results: Path) -> None:
        try:
            # A link appears at once, and never replaces a file that another process has made in the meantime.
            os.link(path, whole(results))
        except OSError:  # the results exist, or their file system has no links
            (self.number,) = add_runs(results, path, self._schema, self._limits)

    def _keep(self, fault: str) -> str:
        """Move the file next to the results, or into the system's folder for temporary files; returns the message."""
        if self._results is None:
            return f"the evidence of the run could not be written: {fault}"
        failed = f"the run could not be added to {self._results}: {fault}"
        name = f"{PENDING}{datetime.now():%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
        beside = self._results.with_name(self._results.name + name)
        self.path = self.path and self._moved(self.path, [beside, Path(tempfile.gettempdir(), beside.name)])
        if self.path is None:
            return f"{failed}; there is no place to keep it, and only its scores are left"
        command = ["scorespec", "runs", "add", str(self._results), str(self.path)]
        command += [] if self._schema == MAIN else ["--schema", self._schema]
        return f"{failed}; it is kept in {self.path}, and this adds it: {shlex.join(command)}"

    def _moved(self, path: Path, places: Iterable[Path]) -> Path | None:
        """Move the run to the first place where that works; returns the place, None if all fail."""
        for place in places:
            try:
                shutil.move(path, place)
                return place
            except OSError:
                with suppress(OSError):
                    place.unlink()  # half of the file, where a disk is full
        return None

    def close(self) -> None:
        """Remove the temporary folders; a run that was neither added nor kept is lost."""
        for folder in self._folders:
            folder.close()
