"""Reads runs from a results database: which there are, and one run with its scores."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.score_text import COLUMNS, INTERVAL, PERCENTILE
from scorespec.errors import SpecError, UsageError
from scorespec.results.golds import gold_inputs
from scorespec.results.querying import ask, reading, reading_table
from scorespec.results.schema import JSON, TABLES, InputRecord, Outcome, RunRecord

MOST_RUNS = 20  # that a message lists
LISTED = ("id", "time", "name", "corpus", "suite", "reference_point", "superseded_by")  # columns of `runs`
SCORES = {name: TABLES["scores"][name] for name in COLUMNS} | {"slice": "VARCHAR"}  # JSON as text, as a run has it
INPUTS = {name: kind for name, kind in TABLES["inputs"].items() if name != "run"}
RUN = {each.name: "VARCHAR" for each in fields(RunRecord)}  # columns of `runs`, as text
MAPPINGS = {"parameters", "versions", "meta", "matched_pairs", "call"}  # those of JSON; the others are lists
LENGTHS = {"counts": (2,), "better": (3,), "ranges": (4,), "breakdowns": range(1_000)}  # of lists in lists


def run_names(records: Sequence[RunRecord], numbers: Sequence[int]) -> list[str]:
    """What runs are called: by their names, and also by their numbers if several of these runs have one name."""
    names = [record.name or f"run {number}" for record, number in zip(records, numbers, strict=True)]
    times = Counter(names)
    return [f"{name} (run {number})" if times[name] > 1 else name for name, number in zip(names, numbers, strict=True)]


@contextmanager
def stored_runs(results: Path, schema: str) -> Iterator[StoredRuns]:
    """The runs of a results database, which is open inside the block. Raises RunError if there is no such database."""
    with reading(results, schema) as connection:
        yield StoredRuns(results, connection)


class StoredRuns:
    """The runs of a results database, whose tables may lack columns: files of earlier versions do.

    Use :func:`stored_runs`. Every method raises UsageError if the database is not one of results, and RunError if a
    table is damaged.
    """

    def __init__(self, results: Path, connection: Any) -> None:
        self._results, self._connection = results, connection

    def list(self) -> pa.Table:
        """A row for each run, with those of the columns :data:`LISTED` that there are."""
        columns = self._columns("runs")
        listed = ", ".join(name for name in LISTED if name in columns)
        return self._read(f"SELECT {listed} FROM runs WHERE id IS NOT NULL AND suite IS NOT NULL ORDER BY id")

    def current(self) -> Sequence[int]:
        """The numbers of the runs that no other supersedes."""
        return [row["id"] for row in self._current()]

    def submissions(self) -> Sequence[Mapping[str, Any]]:
        """The rows of :meth:`list` of the submissions that no other run supersedes."""
        return [row for row in self._current() if row.get("reference_point") is None]

    def _current(self) -> Sequence[Mapping[str, Any]]:
        return [row for row in self.list().to_pylist() if row.get("superseded_by") is None]

    def find(self, run: int | str) -> int:
        """The number of a run, given by its number or its name; a name means the run that no other supersedes.

        Raises UsageError if there is no such run, or several.
        """
        named = self.named(run)
        if len(named) > 1:
            said = f"several runs of {self._results} are called {run!r}"
            raise UsageError(f"{said}; name one by its number: {', '.join(map(str, named))}")
        return named[0]

    def named(self, run: int | str) -> Sequence[int]:
        """The numbers of the current runs of a name, or the number of a run.

        Raises UsageError if there is none, and for a text that is the number of one run and the name of another.
        """
        runs = self.list().to_pylist()
        ids = [each["id"] for each in runs]
        named = [each["id"] for each in runs if each.get("name") == run and each.get("superseded_by") is None]
        if str(run) in map(str, ids):
            for other in named if isinstance(run, str) else ():
                if other != int(run):
                    own = next(each.get("name") for each in runs if each["id"] == int(run))
                    said = f"run {other} of {self._results} is called {run!r}, which is also the number of a run"
                    raise UsageError(f"{said}; write {other}, or {own!r} for run {run}")
            return [int(run)]
        if not named:
            raise UsageError(f"there is no run {run} of {self._results}; {_what_runs(ids)}")
        return named

    def record(self, number: int) -> RunRecord:
        """The row of a run in `runs`."""
        (record,) = self.records([number])
        return record

    def records(self, numbers: Sequence[int]) -> Sequence[RunRecord]:
        """The rows of some runs in `runs`."""
        rows = self._by_run("runs", RUN, "id", numbers)
        return [self._record(*row.to_pylist()) for row in rows]

    def _record(self, row: Mapping[str, Any]) -> RunRecord:
        with reading_table(self._results, "runs"):
            given = {name: text for name, text in row.items() if text is not None}
            known = {name: _from_json(name, text) if name in JSON else text for name, text in given.items()}
            found = {"signature": "", "time": "1970-01-01", **known}  # which files of other programs lack
            gold_inputs(found.get("gold", ""), slices=True)  # raises an error for JSON that scorespec has not written
            return RunRecord(**{**found, "time": datetime.fromisoformat(found["time"])})

    def scores(self, number: int) -> pa.Table:
        """The rows of a run in `scores`."""
        (scores,) = self.scores_of([number])
        return scores

    def scores_of(self, numbers: Sequence[int]) -> Sequence[pa.Table]:
        """The rows of some runs in `scores`, run by run."""
        rows = self._by_run("scores", SCORES, "run", numbers)
        return [self._scores(found) for found in rows]

    def _scores(self, found: pa.Table) -> pa.Table:
        for ends in (INTERVAL, PERCENTILE):
            if all(found[end].null_count == found.num_rows for end in ends):
                found = found.drop_columns([*ends])  # no intervals were asked for, or none could be computed
        with reading_table(self._results, "scores"):
            if found["metric"].null_count or found["component"].null_count:
                raise ValueError("a score without a name")
            for text in found["slice"].to_pylist():
                json.loads(text).items()
        return found

    def outcome(self, number: int) -> Outcome:
        """A run as it was scored."""
        rows, dropped = self._rows("inputs", INPUTS, f"run = {number}").to_pylist(), self._dropped(number)
        inputs = [InputRecord(**each, dropped=dropped.get((each["name"], each["path"]), 0)) for each in rows]
        return Outcome(self.record(number), self.scores(number), inputs)

    def _dropped(self, number: int) -> dict[tuple[str, str], int]:
        """The number of rows that a run dropped of an input, by the name of the input and its path."""
        if "dropped_rows" not in self._read("SHOW TABLES")["name"].to_pylist():  # a file of version 1
            return {}
        counted = f"SELECT input, path, count(*) AS rows FROM dropped_rows WHERE run = {number} GROUP BY ALL"
        return {(each["input"], each["path"]): each["rows"] for each in self._read(counted).to_pylist()}

    def _by_run(self, table: str, types: Mapping[str, str], run: str, numbers: Sequence[int]) -> Iterator[pa.Table]:
        """The rows of each of some runs in a table; the column ``run`` has the number of the run."""
        listed = ", ".join(map(str, numbers))
        found = self._rows(table, {**types, run: "BIGINT"}, f"{run} IN ({listed})")
        for number in numbers:
            yield found.filter(pc.equal(found[run], number)).select([*types])

    def _rows(self, table: str, types: Mapping[str, str], condition: str) -> pa.Table:
        """Some rows of a table; columns that it lacks are NULL."""
        there = self._columns(table)
        columns = ", ".join(
            f'"{name}"::{kind} AS "{name}"' if name in there else f'NULL::{kind} AS "{name}"'
            for name, kind in types.items()
        )
        return self._read(f"SELECT {columns} FROM {table} WHERE {condition} ORDER BY rowid")

    def _columns(self, table: str) -> Sequence[str]:
        names: list[str] = self._read(f"FROM {table} LIMIT 0").schema.names
        return names

    def _read(self, sql: str) -> pa.Table:
        try:
            return ask(self._connection, sql)
        except SpecError as error:
            raise UsageError(f"{self._results} is not a results database: {str(error).splitlines()[0]}") from None


def _from_json(name: str, text: str) -> Any:
    """The value of a column of `runs`. Raises an error of Python for JSON that scorespec has not written."""
    value = json.loads(text)
    if name == "matched_pairs" and value:
        ", ".join([value["errors"], *value["sentence"]])
    if name in MAPPINGS:
        return dict(value.items())
    for each in value if name in LENGTHS else [[each] for each in value]:
        limits = each[2:] if name == "ranges" else []  # numbers, or None
        texts = type(each) is list and all(isinstance(text, str) for text in each[: len(each) - len(limits)])
        texts &= all(limit is None or type(limit) in (int, float) for limit in limits)
        if not texts or len(each) not in LENGTHS.get(name, (1,)):
            raise ValueError(f"{name} has {each}")
    if type(value) is not list:
        raise ValueError(f"{name} is {value}")
    return [*map(tuple, value)] if name in LENGTHS else value


def _what_runs(ids: Sequence[int]) -> str:
    """Which runs a results database has."""
    if len(ids) > MOST_RUNS:
        return f"it has {len(ids):,} runs, {ids[0]} to {ids[-1]}"
    return f"its runs: {', '.join(map(str, ids)) or 'none'}"
