"""Opens results databases to read them: their runs, and the answers to queries.

An answer has its rows in batches, its values as text, and what is wrong with the SQL.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.result_tables import INTERVAL, PERCENTILE, SCORE_COLUMNS, TABLES, InputRecord, RunRecord
from scorespec.errors import RunError, SpecError, UsageError, nearest_only, unknown
from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.results.saving import Outcome
from scorespec.results.schema import ResultTables
from scorespec.run.attaching import attach, opened, reason, shut
from scorespec.run.folders import using
from scorespec.run.limits import Limits

ROWS_OF_A_BATCH = 2048  # as DuckDB makes them; the first are printed while it looks for the others

UNKNOWN_COLUMN = re.compile(r'Referenced column "([^"]*)" not found')

# Types whose values Arrow, Python and JSON can all represent. Dates are not among them: `infinity` is a date.
REPRESENTABLE = {
    *("boolean", "tinyint", "smallint", "integer", "bigint", "hugeint", "utinyint", "usmallint", "uinteger", "ubigint"),
    *("float", "double", "decimal", "varchar", "enum", "null", '"null"'),
}
NESTED = {"list", "array", "struct", "tuple", "map"}


@contextmanager
def answer(connection: Any, sql: str, as_text: bool) -> Iterator[pa.RecordBatchReader]:
    """The rows of a query on a connection to a results database; see :meth:`.StoredRuns.stream`."""
    with _faults_of(sql):
        if not connection.extract_statements(sql):
            raise UsageError("the query has no SQL statement")
        found = connection.sql(sql)
        if found is None:  # a statement without rows
            yield pa.table({}).to_reader()
            return
        batches = (_as_text(found) if as_text else found).to_arrow_reader(ROWS_OF_A_BATCH)
    yield pa.RecordBatchReader.from_batches(batches.schema, _checked(batches, sql))


def _checked(batches: pa.RecordBatchReader, sql: str) -> Iterator[pa.RecordBatch]:
    """Batches of rows; a fault of the SQL that shows only now is a SpecError."""
    while True:
        with _faults_of(sql):
            try:
                batch = batches.read_next_batch()
            except StopIteration:
                return
        yield batch


@contextmanager
def _faults_of(sql: str) -> Iterator[None]:
    """Raise SpecError for an error of a query; Arrow makes an OSError of those that show while rows are read."""
    try:
        yield
    except (duckdb.Error, OSError) as error:
        text = _CATALOG_OF_DUCKDB.sub("", str(error).strip())
        raise SpecError(f"{text}{_hint(sql, text)}") from None


def _as_text(found: Any) -> Any:
    shown = [_text_type(kind) for kind in found.types]
    if not any(shown):
        return found
    # By number, because several columns may have one name.
    columns = (
        f"CAST(#{number} AS {kind}) AS {quoted(name)}" if kind else f"#{number} AS {quoted(name)}"
        for number, (name, kind) in enumerate(zip(found.columns, shown, strict=True), start=1)
    )
    return found.project(", ".join(columns))


def _text_type(kind: Any) -> str | None:
    """The type to cast a column to, with text for values that cannot be represented; None if all can."""
    if _is_representable(kind):
        return None
    if kind.id in ("list", "array"):
        return f"{_text_type(kind.children[0][1])}[]"
    if kind.id == "struct":
        fields = (f"{quoted(name)} {_text_type(each) or each}" for name, each in kind.children)
        return f"STRUCT({', '.join(fields)})"
    return "VARCHAR"


def _is_representable(kind: Any) -> bool:
    if kind.id not in NESTED:
        return kind.id in REPRESENTABLE
    inner = [
        each for name, each in kind.children if not isinstance(each, int)
    ]  # the children of an array include its size
    if kind.id == "map" and inner[0].id in ("float", "double"):
        return False  # a key may be NaN, which is not equal to itself
    return all(map(_is_representable, inner))


_CATALOG_OF_DUCKDB = re.compile(r'\nDid you mean "(?:pg|sqlite|duckdb)_[^\n]*')  # tables that users do not mean


def _hint(sql: str, said: str) -> str:
    """A hint for errors that users of results often meet."""
    if said.startswith("Permission Error"):
        return "\nhint: `--allow-files` (in Python `allow_files=True`) lets a query read and write files"
    if said.startswith("Catalog Error: Table with name") and "evidence_" not in said:
        return "\nhint: the rows that explain scores are in tables `evidence_…`; SHOW TABLES lists them"
    if re.search(r'(?<!")\boffset\b(?!")', sql, re.IGNORECASE):
        return '\nhint: `offset` is a word of SQL; the column is "offset", in quotation marks'
    if (name := UNKNOWN_COLUMN.search(said)) and f'"{name[1]}"' in sql:
        return f"\nhint: SQL puts text in single quotes, names in double quotes: '{name[1]}'"
    return ""


OLDER = "left out, because the latest run has other gold: "  # then the names of runs


def gold_of(digests: Mapping[str, Sequence[int]], of_slices: Collection[str]) -> str:
    """A hash of each input of the gold as JSON, from the ``digests`` of their rows.

    Under `slices` is that on which only the scores of breakdowns depend: the inputs ``of_slices``, inputs whose first
    digest is 0, and other columns.
    """
    whole = {name: _hash(str(digest[0])) for name, digest in digests.items() if digest[0] and name not in of_slices}
    others = {f"{name} with other columns": digest for name, digest in digests.items() if digest[1:] and name in whole}
    slices = {name: digest for name, digest in digests.items() if name not in whole} | others
    hashed = {name: _hash(str(digest[-1])) for name, digest in slices.items()}
    return json.dumps({"whole": whole, "slices": hashed}, sort_keys=True)


def named_gold(signature: str, gold: str) -> str:
    """A signature with the name of the gold: a short hash of the inputs on which scores of the whole depend."""
    settings, _, version = signature.rpartition("|")
    return f"{settings}|gold:{_hash(json.dumps(gold_inputs(gold), sort_keys=True))[:8]}|{version}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def gold_inputs(gold: str, slices: bool = False) -> dict[str, str]:
    """The hash of each input of a gold on which scores of the whole depend, or, with ``slices``, any scores."""
    found = json.loads(gold)
    return {**found["whole"], **(found["slices"] if slices else {})}


def with_older_gold(runs: Mapping[int, RunRecord]) -> list[int]:
    """The numbers of runs that have another version of an input than the last added run of their suite and corpus."""
    golds, latest = dict[int, dict[str, str]](), dict[tuple[str, str | None], int]()
    for number, run in sorted(runs.items()):
        golds[number], latest[run.suite, run.corpus] = gold_inputs(run.gold), number
    newest = {number: golds[latest[runs[number].suite, runs[number].corpus]] for number in golds}
    return [at for at, gold in golds.items() if any(newest[at].get(name, each) != each for name, each in gold.items())]


MOST_RUNS = 20  # that a message lists
LISTED = ("id", "time", "name", "corpus", "suite", "reference_point", "superseded_by")  # columns of `runs`
RUN = {each.name: each.type for each in fields(RunRecord) if each.init}


# -- opening ---------------------------------------------------------------------------------------


class _Once(threading.local):
    """The databases of a thread in blocks of :func:`opened_once`, by path and schema."""

    databases: Mapping[tuple[Path, str], StoredRuns] = {}


_once = _Once()


@contextmanager
def stored_runs(path: Path, schema: str, allow_files: bool = False) -> Iterator[StoredRuns]:
    """A results database, whose tables are in ``schema``, and which is open inside the block.

    Its SQL cannot change settings, and can open other files only with ``allow_files``. Raises RunError if the file
    cannot be opened.
    """
    if not allow_files and (path, schema) in _once.databases:
        yield _once.databases[path, schema]
        return
    if not os.path.isfile(path):
        raise RunError(f"{path}: no such results database")
    with opened(Limits()) as connection, using(_spill_folder(connection)):
        try:
            attach(connection, path, "results", read_only=True)
        except RunError as error:
            raise RunError(f"{path}: cannot be opened: {error}") from None
        _enter(connection, path, schema, allow_files)
        if allow_files:
            connection.execute("SET lock_configuration = true")
        else:
            shut(connection)
        tables = ResultTables(connection, schema)
        try:
            tables.check()
        except (RunError, duckdb.Error) as error:
            raise RunError(f"{path}: cannot be read: {reason(error, path)}") from None
        yield StoredRuns(path, tables)


@contextmanager
def stream(
    path: Path, schema: str, sql: str, allow_files: bool = False, as_text: bool = False
) -> Iterator[pa.RecordBatchReader]:
    """The rows of a query over a results database; see :func:`stored_runs` and :meth:`.StoredRuns.stream`."""
    with stored_runs(path, schema, allow_files) as stored, stored.stream(sql, as_text) as rows:
        yield rows


@contextmanager
def opened_once(path: Path, schema: str) -> Iterator[None]:
    """Inside the block, this thread opens a database once: opening it takes longer than most queries."""
    with stored_runs(path, schema) as stored:
        outer = _once.databases
        _once.databases = {**outer, (path, schema): stored}
        try:
            yield
        finally:
            _once.databases = outer


def _spill_folder(connection: Any) -> Path:
    return Path(connection.execute("SELECT current_setting('temp_directory')").fetchone()[0])


def _enter(connection: Any, path: Path, schema: str, allow_files: bool) -> None:
    """Look up bare names in a schema of the database. Unless files are allowed, no macro there replaces a function."""
    asked = "SELECT schema_name FROM duckdb_schemas() WHERE database_name = 'results' "
    known = [name for (name,) in connection.execute(asked).fetchall()]
    if schema not in known:
        raise unknown(f"{path} has no schema {schema!r}", schema, known)
    places = ["system.main"] * (not allow_files) + [f"results.{quoted(schema)}"]  # EXPORT takes the first
    connection.execute(f"SET search_path = {text_literal(','.join(places))}")


@contextmanager
def reading_table(results: Path, table: str) -> Iterator[None]:
    """Raise RunError with the file and the table for an error that rows have which scorespec did not write."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        said: str = f"{type(error).__name__}: {error}"
    except (duckdb.Error, pa.ArrowException, SpecError) as error:
        said = str(error)
    else:
        return
    (line, *_) = said.splitlines()
    raise RunError(f"{results}: its table {table} is damaged ({line}); restore the file, or score again")


# -- reading ---------------------------------------------------------------------------------------


def run_names(records: Sequence[RunRecord], numbers: Sequence[int]) -> list[str]:
    """What runs are called: by their names, and also by their numbers if several of these runs have one name."""
    names = [record.name or f"run {number}" for record, number in zip(records, numbers, strict=True)]
    times = Counter(names)
    return [f"{name} (run {number})" if times[name] > 1 else name for name, number in zip(names, numbers, strict=True)]


class StoredRuns:
    """The runs of a results database.

    Use :func:`stored_runs`. The methods about runs raise UsageError if the database is not one of results, and RunError
    if a table is damaged.
    """

    def __init__(self, path: Path, tables: ResultTables) -> None:
        self._path, self._tables = path, tables

    @property
    def tables(self) -> Collection[str]:
        """The names of the tables, without views."""
        return self._tables.columns.keys()

    def stream(self, sql: str, as_text: bool = False) -> AbstractContextManager[pa.RecordBatchReader]:
        """The rows of a query, batch by batch as they are found.

        With ``as_text``, values that Python or JSON cannot represent, such as intervals and the date `infinity`, become
        text as DuckDB writes it. Raises UsageError for a query without a statement, SpecError when the SQL is at fault,
        also while rows are read.
        """
        return answer(self._tables.connection, sql, as_text)

    def ask(self, sql: str, as_text: bool = False) -> pa.Table:
        """All rows of a query; see :meth:`stream`."""
        with self.stream(sql, as_text) as rows:
            return rows.read_all()

    # -- runs ------------------------------------------------------------------------------------

    def list(self) -> pa.Table:
        """A row for each run, with the columns :data:`LISTED`."""
        return self._read(f"SELECT {', '.join(LISTED)} FROM runs ORDER BY id")

    def current(self) -> Sequence[Mapping[str, Any]]:
        """The rows of :meth:`list` of the runs that no other supersedes."""
        return [row for row in self.list().to_pylist() if row["superseded_by"] is None]

    def submissions(self) -> Sequence[Mapping[str, Any]]:
        """The rows of :meth:`list` of the submissions that no other run supersedes."""
        return [row for row in self.current() if row["reference_point"] is None]

    def find(self, run: int | str) -> int:
        """The number of a run, given by its number or its name; a name means the run that no other supersedes.

        Raises UsageError if there is no such run, or several.
        """
        named = self.named(run)
        if len(named) > 1:
            corpora = {each["id"]: each["corpus"] for each in self.list().to_pylist()}
            listed = (f"{number} ({corpora[number]})" if corpora[number] else str(number) for number in named)
            said = f"several runs of {self._path} are called {run!r}"
            raise UsageError(f"{said}; name one by its number: {', '.join(listed)}")
        return named[0]

    def named(self, run: int | str) -> Sequence[int]:
        """The numbers of the current runs of a name, or the number of a run.

        Raises UsageError if there is none, and for a text that is the number of one run and the name of another.
        """
        runs = self.list().to_pylist()
        names = {each["id"]: each["name"] for each in runs}
        named = [each["id"] for each in runs if each["name"] == run and each["superseded_by"] is None]
        if str(run) in map(str, names):
            for other in named if isinstance(run, str) else ():
                if other != int(run):
                    said = f"run {other} of {self._path} is called {run!r}, which is also the number of a run"
                    raise UsageError(f"{said}; write {other}, or {names[int(run)]!r} for run {run}")
            return [int(run)]
        if not named:
            near = nearest_only(str(run), filter(None, names.values()))
            raise UsageError(f"there is no run {run} of {self._path}; {near or _what_runs(names)}")
        return named

    def record(self, number: int) -> RunRecord:
        """The row of a run in `runs`."""
        (record,) = self.records([number])
        return record

    def records(self, numbers: Sequence[int]) -> Sequence[RunRecord]:
        """The rows of some runs in `runs`."""
        with reading_table(self._path, "runs"):
            return [_record(*row.to_pylist()) for row in self._by_run("runs", "id", [*RUN], numbers)]

    def scores(self, number: int) -> pa.Table:
        """The rows of a run in `scores`."""
        (scores,) = self.scores_of([number])
        return scores

    def scores_of(self, numbers: Sequence[int]) -> Sequence[pa.Table]:
        """The rows of some runs in `scores`, run by run."""
        with reading_table(self._path, "scores"):
            return [_scores(found) for found in self._by_run("scores", "run", SCORE_COLUMNS, numbers)]

    def outcome(self, number: int) -> Outcome:
        """A run as it was scored."""
        return Outcome(self.record(number), self.scores(number), [*self.inputs(number)])

    def inputs(self, number: int) -> Sequence[InputRecord]:
        """The rows of a run in `inputs`, with the number of rows that the run dropped."""
        (rows,) = self._by_run("inputs", "run", [name for name in TABLES["inputs"] if name != "run"], [number])
        counted = f"SELECT input, path, count(*) AS rows FROM dropped_rows WHERE run = {number} GROUP BY ALL"
        dropped = Counter({(each["input"], each["path"]): each["rows"] for each in self._read(counted).to_pylist()})
        return [InputRecord(**each, dropped=dropped[each["name"], each["path"]]) for each in rows.to_pylist()]

    def _by_run(self, table: str, run: str, names: Sequence[str], numbers: Sequence[int]) -> Iterator[pa.Table]:
        """Some columns of the rows of each of some runs in a table; JSON and times are text.

        The column ``run`` has the number of the run.
        """
        types = TABLES[table]
        kinds = {name: "VARCHAR" if types[name][:4] in ("JSON", "TIME") else types[name] for name in (*names, run)}
        columns = ", ".join(f"{quoted(name)}::{kind} AS {quoted(name)}" for name, kind in kinds.items())
        listed = ", ".join(map(str, numbers))
        found = self._read(f"SELECT {columns} FROM {table} WHERE {run} IN ({listed}) ORDER BY rowid")
        for number in numbers:
            yield found.filter(pc.equal(found[run], number)).select([*names])

    def _read(self, sql: str) -> pa.Table:
        try:
            return self.ask(sql)
        except SpecError as error:
            said = str(error).splitlines()[0].rpartition("Error: ")[2]
            raise UsageError(f"{self._path} is not a results database of scorespec: {said}") from None


def _record(row: Mapping[str, Any]) -> RunRecord:
    """A row of `runs`. Raises an error of Python for one that scorespec has not written."""
    given = {name: text for name, text in row.items() if text is not None}
    known = {
        name: _value_of(json.loads(each), RUN[name]) if TABLES["runs"][name] == "JSON" else each
        for name, each in given.items()
    }
    if pairs := known.get("matched_pairs"):
        ", ".join([pairs["errors"], *pairs["sentence"]])
    record = RunRecord(**{**known, "time": datetime.fromisoformat(known["time"])})
    gold_inputs(record.gold, slices=True)
    return record


def _value_of(value: Any, kind: Any) -> Any:
    """A value of JSON as a field of a type has it."""
    outer, inner = get_origin(kind), get_args(kind)
    if outer is Annotated:
        return _value_of(value, inner[0])
    if outer is Mapping:
        return dict(value.items())
    if outer is not None and issubclass(outer, Collection):
        if type(value) is not list:
            raise ValueError(f"{value} is no list")
        if outer is not tuple or inner[-1] is ...:
            return (tuple if outer is tuple else list)(_value_of(each, inner[0]) for each in value)
        return tuple(_value_of(*each) for each in zip(value, inner, strict=True))
    if not (isinstance(value, str) if kind is str else value is None or type(value) in (int, float)):
        raise ValueError(f"{value} is of another type")
    return value


def _scores(found: pa.Table) -> pa.Table:
    """The rows of a run in `scores`, without the columns of options that the run did not have or that gave nothing."""
    for columns in (INTERVAL, PERCENTILE):
        if all(found[name].null_count == found.num_rows for name in columns):
            found = found.drop_columns([*columns])
    if found["metric"].null_count or found["component"].null_count:
        raise ValueError("a score without a name")
    for text in found["slice"].to_pylist():
        json.loads(text).items()
    return found


def _what_runs(names: Mapping[int, str | None]) -> str:
    """Which runs a results database has, by number."""
    if len(names) > MOST_RUNS:
        return f"it has {len(names):,} runs, {min(names)} to {max(names)}"
    shown = (str(number) if name in (None, f"run {number}") else f"{number} {name}" for number, name in names.items())
    return f"its runs: {', '.join(shown) or 'none'}"
