"""A DuckDB connection to a temporary database, with limits of memory and threads, and a lock; what a step does there.

The rows of readers and Python functions are streamed into the database.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from traceback import extract_tb
from types import CodeType
from typing import Any

import duckdb
import pyarrow as pa

from scorespec.catalog.model import Macro
from scorespec.core.terminal import NOTE
from scorespec.errors import SHOWN_PROBLEMS, Code, Place, Problems, RunError, ScorespecError, SpecError, UsageError
from scorespec.plan.parameters import text_literal
from scorespec.plan.plan import Count, Refused, Step
from scorespec.plan.rendering.macros import create_macro, macro_body
from scorespec.plan.rendering.templates import fill_message, quoted
from scorespec.plan.resampling.interval_sql import ASIDE
from scorespec.run.folders import TemporaryFolder, using
from scorespec.run.limits import Limits, check_addresses, resident
from scorespec.run.statements import asked, statements_of

PACKAGE = Path(__file__).parents[1]
SMALL_SHARE = 0.05  # of the rows: a warning about so few is a note


class ErrorKeepingBatches:
    """Record batches that keep the exception which ends them: DuckDB turns every exception into one of its own."""

    def __init__(self, batches: Iterator[Any]) -> None:
        self._batches = batches
        self.error: BaseException | None = None

    def __iter__(self) -> Iterator[Any]:
        try:
            yield from self._batches
        except BaseException as error:
            self.error = error
            raise

    @contextmanager
    def raising_error(self) -> Iterator[None]:
        """Raise the exception that the batches raised, instead of DuckDB's error about it."""
        try:
            yield
        except duckdb.Error:
            if self.error is not None and not isinstance(self.error, GeneratorExit):
                raise self.error from None
            raise


def batches_of(reader: Iterable[Any]) -> Iterator[Any]:
    """Record batches of a user's object; raises KeyboardInterrupt and SystemExit where the user's code did.

    Arrow's streams turn every exception into one of Arrow's, whose last line names the original.
    """
    try:
        yield from reader
    except pa.ArrowException as error:
        name, _, said = str(error).strip().rpartition("\n")[2].partition(": ")
        for ending in (KeyboardInterrupt, SystemExit):
            if name == ending.__name__ and "Python exception" in str(error):
                raise ending(*[said] if said else []) from None
        raise


def run_step(session: Session, step: Step) -> int:
    """Make the table of a step; returns its number of rows (0 for a view).

    A step that runs out of memory is run again with one thread.

    Raises SpecError that names the step and its document, or RunError.
    """
    with error_context(session, step.label, step.place):
        try:
            return _make(session, step)
        except duckdb.OutOfMemoryException:
            if session.limits.threads == 1:
                raise
            with session.one_thread():
                return _make(session, step)


def _make(session: Session, step: Step) -> int:
    with _function_rows(session, step):
        return session.make(step.physical, step.sql, step.place, view=step.view)


def explain_step(session: Session, step: Step) -> str:
    """DuckDB's plan of a step, with the rows and seconds of each operator. The step is run; its rows are not kept."""
    with error_context(session, step.label, step.place), _function_rows(session, step):
        return session.explained(step.sql, step.place)


def counted(session: Session, count: Count) -> tuple[Any, ...]:
    """The numbers of counted rows and of all rows, and the values of each column of a warning."""
    with error_context(session, "a warning", count.place):
        return session.row(count.sql)


def count_message(count: Count, numbers: Sequence[Any]) -> str | None:
    """What a warning says of the rows that it :func:`counted`: a note if they are few; None when there are none."""
    found, rows, *listed = numbers
    label = NOTE if found <= SMALL_SHARE * rows and "{count}" in count.says else ""  # otherwise the count is withheld
    said = {"count": f"{found:,}", "rows": f"{rows:,}"}
    said |= {name: _listed(values or ()) for name, values in zip(count.columns, listed, strict=True)}
    return label + fill_message(count.says, said) if found else None


def _listed(values: Sequence[str]) -> str:
    """The first values, and the number of the others."""
    more = len(values) - SHOWN_PROBLEMS
    return ", ".join(values[:SHOWN_PROBLEMS]) + (f" and {more:,} more" if more > 0 else "")


def first_refused(session: Session, refused: Refused) -> list[tuple[Any, ...]]:
    """The first rows at fault of each part of an input; see :class:`.Refused`."""
    with error_context(session, "an error", refused.place):
        return session.rows(refused.sql)


def problems_of_rows(refused: Refused, found: Iterable[tuple[Any, ...]], of_input: Problems) -> list[Problems]:
    """The rows that end the run, which :func:`first_refused` found, as problems."""
    problems = []
    for _, of_part in groupby(found, key=itemgetter(0)):
        rows = list(of_part)
        files = {of_input.place(line)[0] for _, line, *_ in rows}
        problems.append(Problems(files.pop() if len(files) == 1 else of_input.source, files=of_input.files))
        for _, line, *values, _ in rows:
            said = fill_message(refused.says, dict(zip(refused.columns, values, strict=True)))
            problems[-1].add(line, said, Code.REFUSED)
        problems[-1].add_more(int(rows[0][-1]) - len(rows))
    return problems


def queried(reader: Any) -> Iterator[Any]:
    """The rows of a query; an error of DuckDB that Arrow reduced to its text becomes an error of DuckDB again."""
    try:
        yield from reader
    except OSError as error:
        said = str(error)
        raise (duckdb.OutOfMemoryException if said.startswith("Out of Memory") else duckdb.Error)(said) from None


@contextmanager
def rows_of_all(session: Session, selects: Iterable[str]) -> Iterator[pa.RecordBatchReader]:
    """The rows of some SELECTs with the same columns, of one after another; there is at least one."""
    first, *others = selects
    with session.batches(first) as reader:

        def rows() -> Iterator[Any]:
            yield from queried(reader)
            for sql in others:
                with session.batches(sql) as next_reader:
                    yield from queried(next_reader)

        batches = ErrorKeepingBatches(rows())
        with batches.raising_error():
            yield pa.RecordBatchReader.from_batches(reader.schema, batches)


def _reporting_errors(rows: Iterator[Any], step: Step, codes: Sequence[CodeType]) -> Iterator[Any]:
    """The rows of functions; an error of Python is reported as a fault of the document that defines their input."""
    try:
        yield from rows
    except RunError as error:
        raise RunError(f"{step.label}: {error}") from None
    except (ScorespecError, MemoryError, duckdb.Error):  # of the query, or of the system
        raise
    except Exception as error:  # the code of a plugin may raise anything
        if (
            said := _said(error, [each for each in codes if not Path(each.co_filename).is_relative_to(PACKAGE)])
        ) is None:
            raise
        raise SpecError(f"{step.label}: {said}", step.place) from error


def _said(error: Exception, codes: Sequence[CodeType]) -> str | None:
    """What a function of a plugin raised, with the line of the plugin; the text of an error that the engine raised.

    ``codes`` are those of the plugins' functions. None for other errors.
    """
    text, frames = (str(error).splitlines() or [""])[0], extract_tb(error.__traceback__)
    folders = {Path(each.co_filename).parent for each in codes}
    places = [(each.co_filename, each.co_firstlineno) for each in codes[-1:]]
    places += [(each.filename, each.lineno or 0) for each in frames if Path(each.filename).parent in folders]
    if not places or (type(error) is ValueError and Path(frames[-1].filename).is_relative_to(PACKAGE)):
        known = isinstance(error, ValueError | TypeError | ArithmeticError | LookupError)
        return (text or type(error).__name__) if known else None
    file, line = places[-1]
    shown = Path(file).relative_to(Path.cwd()) if Path(file).is_relative_to(Path.cwd()) else file
    return f"{type(error).__name__}{f': {text}' if text else ''} ({shown}:{line})"


@contextmanager
def _function_rows(session: Session, step: Step) -> Iterator[None]:
    """Inside the block, SQL reads the result of the step's Python functions, whose rows stream through them."""
    chain = step.function_rows
    if chain is None:
        yield
        return
    with session.batches(chain.sql, lists=True) as reader:
        rows, schema = queried(reader), reader.schema
        for function, settings in chain.calls:
            try:
                called = function.call(rows, schema, room=session.room, **settings)
                rows, schema = called, function.schema(schema)
            except ValueError as error:
                raise SpecError(f"{step.label}: {error}", step.place) from None
        codes = [function.code for function, _ in chain.calls]
        batches = ErrorKeepingBatches(_reporting_errors(rows, step, codes))
        result = pa.RecordBatchReader.from_batches(schema, batches)
        with batches.raising_error(), session.reading(chain.name, result):
            yield


ROWS, ROWS_WITH_LISTS = 100_000, 64  # in a batch: at most 64 MB if the lists of a row have up to 1 MB
MANY_ROWS = 2**19  # of dropped tables, before a checkpoint frees their space, which takes milliseconds
FEW_ROWS = 64  # of a table that is not worth dropping, for the same reason as ROWS_WITH_LISTS
# Of a limit, DuckDB gets all bytes up to the first number, and this share of the others: with a limit of 1 GB, a
# process over 100 million rows had 1.38 GB.
FULLY_USED, SHARE_USED = 256 * 10**6, 0.8
FREED = 64 * 10**6  # bytes of freed memory that are worth reopening the work database
FULL_DISK = ("no space left", "could not write", "disk quota", "failed to offload", "max_temp_directory_size")
MAIN = "main"  # the schema of all other tables
KNOWN_TO_WORK = "64MB has been enough for small inputs, 1GB for inputs of gigabytes"


class Session:
    """A temporary database on disk, so that all operators can spill.

    Use :func:`open_session`. Load inputs first, then :meth:`lock`, then run the SQL of documents.
    """

    def __init__(self, folder: Path, limits: Limits, attached: Path | None = None) -> None:
        self.folder = folder
        self.database = folder / "work.duckdb"
        self.limits = limits
        self._attached = attached
        self._measuring = False
        self._memory_before = resident() or 0  # of the process, before the database was opened
        self._rows: dict[str, int] = {}  # of each table that can be dropped
        self._dropped = 0  # rows of dropped tables whose space in the work database is not free yet
        self._locked = False
        self._readable: list[Path] = []
        self._path = MAIN  # the schemas in which SQL finds tables
        self._open(self.limits.threads)

    def _open(self, threads: int | None) -> None:
        config: dict[str, Any] = {
            "memory_limit": self.limits.memory_limit,
            "temp_directory": str(self.folder / "spill"),
            "preserve_insertion_order": False,
            "fsync_mode": "NONE",  # the database is not needed after a crash
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "python_enable_replacements": False,  # a name in SQL is a table, never a variable of Python
        }
        if threads:
            config["threads"] = threads
        try:
            self.connection = duckdb.connect(str(self.database), config=config)
            self.connection.execute("PRAGMA disable_checkpoint_on_shutdown")  # the file is removed
            self._leave_room()
            if self._attached is not None:
                self.connection.execute(f"ATTACH {text_literal(str(self._attached))} AS gold (READ_ONLY)")
        except duckdb.ParserException as error:
            raise UsageError(f"--memory-limit {self.limits.memory!r}: {_first_line(error)}") from None
        except duckdb.Error as error:
            resource = resource_error(error, "making the work database", self.limits)
            raise resource or RunError(f"cannot make the work database: {_first_line(error)}") from None

    @contextmanager
    def one_thread(self) -> Iterator[None]:
        """Inside the block, DuckDB has one thread, because each thread of an operator needs memory of its own.

        A locked connection cannot change its threads, so the work database is reopened.
        """
        try:
            self._reopen(1)
            yield
        finally:
            self._reopen(self.limits.threads)

    def _reopen(self, threads: int | None) -> None:
        with suppress(duckdb.Error):  # the log, which is there in any case, is slower to open
            self.connection.execute("CHECKPOINT")
        self.connection.close()
        self._open(threads)
        if self._measuring:
            self.measure()
        if self._locked:
            self._forbid_access()
        self.find_in(self._path)

    def _leave_room(self) -> None:
        """Set DuckDB's limit to a part of a large limit, because DuckDB uses more memory than it counts."""
        counted = f"least({FULLY_USED} + {SHARE_USED} * (bytes - {FULLY_USED}), bytes)::BIGINT"
        asked = f"parse_formatted_bytes({text_literal(self.limits.memory_limit)})::BIGINT"
        self._limit, least = self.row(f"SELECT bytes, {counted} FROM (SELECT {asked} AS bytes)")
        self.connection.execute(f"SET memory_limit = '{least}B'")

    @property
    def room(self) -> int:
        """The bytes of memory that a Python function may use for a group of rows, while DuckDB can spill."""
        return int(self._limit)

    @property
    def limits_beside(self) -> Limits:
        """The limits of a second database that is open at the same time: a quarter of the memory."""
        return Limits(f"{self.room // 4}B", self.limits.threads, self.limits.folder)

    def give_back(self) -> None:
        """Return freed memory to the system if the process is near its limit.

        The allocator of DuckDB keeps freed memory until the database is closed, and the next step needs its memory on
        top of that. So the database is reopened.
        """
        held = resident() if self.limits.memory is not None else None
        if held is None or held < max(self._limit / 2, self._memory_before + FREED):
            return
        ((counted,),) = self._fetch_all("SELECT sum(memory_usage_bytes)::BIGINT FROM duckdb_memory()")
        if held - counted - self._memory_before > FREED:
            self._reopen(self.limits.threads)

    def let_read(self, path: Path) -> None:
        """Allow views to read a file, and our own SQL to read and write files of a folder, also after :meth:`lock`."""
        self._readable.append(path)

    def measure(self) -> None:
        """Measure from now on what :meth:`spilled` returns; to be called before :meth:`lock`."""
        self._measuring = True
        self.connection.execute("PRAGMA enable_profiling = 'no_output'")

    def spilled(self) -> int:
        """The peak size in bytes of the temporary files of the last statement."""
        profile = json.loads(self.connection.get_profiling_information("json"))
        return int(profile.get("system", {}).get("peak_temp_dir_size", 0))

    def read_gold(self, name: str, stored: str, only: str = "") -> None:
        """Let SQL read a table or view ``stored`` of the attached database under a name; or ``only`` some rows."""
        self.run(f"CREATE VIEW {quoted(name)} AS FROM gold.{quoted(stored)}{f' WHERE {only}' if only else ''}")

    def tables_with(self, column: str, database: str = "work") -> list[str]:
        """The tables and views that have a column, of the work database, or of the attached one, `gold`."""
        having = f"database_name = {text_literal(database)} AND column_name = {text_literal(column)}"
        return [name for (name,) in self._fetch_all(f"SELECT table_name FROM duckdb_columns() WHERE {having}")]

    def lock(self) -> None:
        """Forbid all further SQL to use files, the network and extensions, for good.

        From now on, SQL reads each loaded table through a view, which cannot be written.
        """
        if self._locked:
            return
        for name in list(self._rows):  # asking DuckDB for its tables takes 7 ms, as it makes all of its own views first
            self.run(f"ALTER TABLE {quoted(name)} RENAME TO {quoted(loaded_name(name))}")
            self.run(f"CREATE VIEW {quoted(name)} AS FROM {quoted(loaded_name(name))}")
            self._rows[loaded_name(name)] = self._rows.pop(name)
        self._locked = True
        self._forbid_access()

    def _forbid_access(self) -> None:
        for setting, is_folder in (("allowed_paths", False), ("allowed_directories", True)):
            allowed = (text_literal(str(path)) for path in self._readable if path.is_dir() == is_folder)
            self.connection.execute(f"SET {setting} = [{', '.join(allowed)}]")
        self.connection.execute("SET enable_external_access = false")
        self.connection.execute("SET lock_configuration = true")

    def run(self, sql: str) -> int:
        """Run statements of our own; returns the number of rows that the last one wrote."""
        counts = self._fetch_all(sql)
        return int(counts[0][0]) if counts and isinstance(counts[0][0], int) else 0

    def drop(self, *names: str) -> None:
        """Drop tables, so that later ones can use their space; views over files need none and stay."""
        for table in (each for name in names for each in (name, loaded_name(name)) if each in self._rows):
            self.run(f"DROP TABLE {quoted(table)}")
            self._dropped += self._rows.pop(table)
        # Until a checkpoint, DuckDB goes on writing at the end of its file.
        if self._dropped > MANY_ROWS:
            self.run("CHECKPOINT")
            self._dropped = 0

    def drop_large(self, *names: str) -> None:
        """Drop the tables that no step reads any more. Small ones stay: dropping one takes as long as half a step."""
        rows = {name: self._rows.get(name, self._rows.get(loaded_name(name), 0)) for name in names}
        self.drop(*(name for name, number in rows.items() if number > FEW_ROWS))

    def create(self, name: str, sql: str) -> None:
        """Create the table of an input from a query of our own; every table that :meth:`lock` protects is made here."""
        self._rows[name] = self.run(f"CREATE TABLE {quoted(name)} AS {sql}")

    def add(self, name: str, sql: str) -> None:
        """Add the rows of a query of our own to the table of an input."""
        self._rows[name] += self.run(f"INSERT INTO {quoted(name)} {sql}")

    def make(self, name: str, sql: str, place: Place | str | None = None, *, view: bool = False) -> int:
        """Create a table or a view from a document's SQL; returns the number of rows of a table."""
        rows = self.run(f"CREATE {'VIEW' if view else 'TABLE'} {quoted(name)} AS FROM {asked(sql, place)}")
        if not view:
            self._rows[name] = rows
        return rows

    def is_stored(self, name: str) -> bool:
        """Whether the work database has the rows of an input, and does not read its file in place."""
        return loaded_name(name) in self._rows

    def is_table(self, name: str) -> bool:
        """Whether the work database has the rows of an input or a step."""
        return name in self._rows or self.is_stored(name)

    def make_macros(self, macros: Iterable[Macro]) -> None:
        """Make the SQL macros of documents, once the session is locked."""
        for each in macros:
            self.make_macro(each.name, each.params, each.sql, each.origin.place("sql"))

    def make_macro(self, name: str, params: Iterable[str], sql: str, place: Place | None = None) -> None:
        """Make an SQL macro."""
        with error_context(self, f"macro {name!r}", place):
            asked(f"SELECT {macro_body(sql)}", place)  # one expression, and nothing after it
            self.run(create_macro(name, params, sql))

    def explained(self, sql: str, place: Place | str | None = None) -> str:
        """The plan of a query, which is run, with the rows and seconds of each operator."""
        found = self.connection.execute(f"EXPLAIN ANALYZE FROM {asked(sql, place)}").fetchall()
        return "\n".join(str(row[-1]) for row in found)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """All rows of a small result. After :meth:`lock`, ``sql`` may be a document's, so only queries are allowed."""
        return self._fetch_all(f"FROM {asked(sql)}" if self._locked else sql)

    def _fetch_all(self, sql: str) -> list[tuple[Any, ...]]:
        """All rows of the last statement of our own SQL, whose result is small."""
        found: list[tuple[Any, ...]] = []
        for statement in statements_of(sql):
            found = self.connection.execute(statement).fetchall()
        return found

    def row(self, sql: str) -> tuple[Any, ...]:
        """The one row of a result."""
        return self.rows(sql)[0]

    @contextmanager
    def batches(self, sql: str, lists: bool = False) -> Iterator[Any]:
        """A result as an Arrow reader, on its own cursor; with ``lists``, batches of rows with lists are small."""
        query = f"FROM {asked(sql)}"
        cursor = self.connection.cursor()
        try:
            cursor.execute(_search_path(self._path))
            relation = cursor.sql(query)
            few = lists and any("[" in str(kind) for kind in relation.types)
            yield relation.to_arrow_reader(ROWS_WITH_LISTS if few else ROWS)
        finally:
            cursor.close()

    def table(self, sql: str) -> Any:
        """A result as an Arrow table, on the connection that :meth:`reading` gives rows to."""
        # Not by `execute`: if insertion order need not be preserved, DuckDB then returns sorted rows in another order.
        return self.connection.sql(f"FROM {asked(sql)}").to_arrow_table()

    @contextmanager
    def reading(self, name: str, batches: Any) -> Iterator[None]:
        """Inside the block, SQL can read an Arrow reader or table under a name."""
        self.connection.register(name, batches)
        try:
            yield
        finally:
            self.connection.unregister(name)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Inside the block, tables and views are made in a schema of their own, which is dropped afterwards.

        SQL finds the tables of this schema before those of equal names in the schema ``main``, which stay as they are.
        """
        rows, self._rows = self._rows, {}
        self.run(f"CREATE SCHEMA {ASIDE}")
        try:
            self.find_in(f"{ASIDE},{MAIN}")
            yield
        finally:
            self.find_in(MAIN)
            self.run(f"DROP SCHEMA {ASIDE} CASCADE")
            self._dropped += sum(self._rows.values())
            self._rows = rows
            self.drop()

    def find_in(self, path: str) -> None:
        """From now on, find tables, views and macros only in these schemas, and make new ones in the first."""
        self._path = path
        self.connection.execute(_search_path(path))

    def close(self) -> None:
        self.connection.close()


def _search_path(path: str) -> str:
    return f"SET search_path = {text_literal(path)}"


def loaded_name(table: str) -> str:
    """The name of the table behind the view through which SQL sees a loaded table."""
    return f"{table} as loaded"


@contextmanager
def open_session(limits: Limits, folder: Path | None = None, attached: Path | None = None) -> Iterator[Session]:
    """A session in a ``folder``, or in one of its own, which is always removed afterwards.

    SQL can read the database ``attached`` as `gold`. Ctrl-C during a query raises
    KeyboardInterrupt; DuckDB raises RuntimeError.
    """
    check_addresses()
    with ExitStack() as stack:
        place = folder or stack.enter_context(closing(TemporaryFolder("scorespec-", limits.folder))).path
        stack.enter_context(using(place))
        with session_errors(limits):
            session = Session(place, limits, attached)
            try:
                yield session
            finally:
                session.close()


@contextmanager
def session_errors(limits: Limits) -> Iterator[None]:
    """Turn an error of DuckDB that no :func:`error_context` saw into one of ours, an interruption into Python's."""
    try:
        yield
    except duckdb.Error as error:
        raise resource_error(error, "scoring", limits) or SpecError(str(error).strip()) from None
    except RuntimeError as error:
        if str(error) == "Query interrupted":
            raise KeyboardInterrupt from None
        raise


@contextmanager
def error_context(session: Session, doing: str, place: Place | str | None = None) -> Iterator[None]:
    """Add to an error of DuckDB what was being done, and the place of its SQL."""
    try:
        yield
    except SpecError as error:
        raise error if error.place else SpecError(f"{doing}: {error}", place) from None
    except duckdb.Error as error:
        resource = resource_error(error, doing, session.limits)
        raise resource or SpecError(f"{doing}: {str(error).strip()}", place) from None


def resource_error(error: BaseException, doing: str, limits: Limits) -> ScorespecError | None:
    """The error to raise if DuckDB ran out of memory or disk while ``doing`` something; None for other errors."""
    text = str(error)
    if any(sign in text.lower() for sign in FULL_DISK):
        place = limits.folder or tempfile.gettempdir()
        return RunError(f"{doing}: no space to spill in {place}; name a larger folder with --temp-dir", Code.DISK_FULL)
    if isinstance(error, duckdb.OutOfMemoryException):
        said = f"{doing} needs more than the memory limit of {limits.memory_limit}"
        return RunError(f"{said}; raise --memory-limit ({KNOWN_TO_WORK})", Code.OUT_OF_MEMORY)
    return None


def _first_line(error: BaseException) -> str:
    """The first line of DuckDB's message, without the kind of the error."""
    return str(error).strip().splitlines()[0].rpartition("Error: ")[2]
