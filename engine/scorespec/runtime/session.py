"""A configured DuckDB connection over a temporary database: memory, threads, spill folder, lock-down."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from scorespec.catalog.model import Macro
from scorespec.compiler.macros import create_macro, macro_body
from scorespec.compiler.parameters import text_literal
from scorespec.compiler.templates import quoted
from scorespec.errors import Place, RunError, ScorespecError, SpecError, UsageError
from scorespec.runtime.folders import TemporaryFolder
from scorespec.runtime.interrupts import using
from scorespec.runtime.memory import check_addresses, most, resident
from scorespec.runtime.statements import asked

ROWS, ROWS_WITH_LISTS = 100_000, 64  # of a batch: 64 MB or less while the lists of a row have 1 MB
MANY_VALUES = 2**22  # of dropped tables: making their place free takes milliseconds
# As measured on 100 million rows: with 1 GB counted, the process came to 1.38 GB.
ALL_COUNTED, COUNTED = 256 * 10**6, 0.8
MOST_THREADS = 1024  # more than machines have; DuckDB makes all of them, and a system that is out of threads hangs
FREED = 64 * 10**6  # bytes that the process still has: worth opening the work database anew
FULL_DISK = ("no space left", "could not write", "disk quota", "failed to offload", "max_temp_directory_size")
# Held by tests and by docs/performance.md.
KNOWN_TO_WORK = "64MB has been enough for small inputs, 1GB for inputs of gigabytes"


@dataclass(frozen=True)
class Limits:
    """What a run may use: memory such as ``2GB`` (default: half of the machine's), threads, spill folder."""

    memory: str | None = None
    threads: int | None = None
    folder: str | Path | None = None

    def __post_init__(self) -> None:
        if self.threads is not None and not 1 <= self.threads <= MOST_THREADS:
            raise UsageError(f"--threads {self.threads}: it must be between 1 and {MOST_THREADS:,}")

    def or_else(self, other: Limits) -> Limits:
        """These limits, and another's where these name none."""
        return Limits(self.memory or other.memory, self.threads or other.threads, self.folder or other.folder)

    @property
    def memory_limit(self) -> str:
        if self.memory:
            return self.memory
        return f"{most() // 2**21}MiB"


class Session:
    """A work database on disk, so that everything spills; gone when closed.

    Use :func:`open_session`. Load inputs first, then :meth:`lock`, then run spec SQL.
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.folder = folder
        self.limits = limits
        self._measuring = False
        self._own = resident() or 0  # what the process had before there was a database
        self._dropped = 0  # values of dropped tables whose place in the work database is not free yet
        self._locked = False
        self._readable: list[str] = []
        self._open(limits.threads)

    def _open(self, threads: int | None) -> None:
        config: dict[str, Any] = {
            "memory_limit": self.limits.memory_limit,
            "temp_directory": str(self.folder / "spill"),
            "preserve_insertion_order": False,
            "fsync_mode": "NONE",  # nothing here outlives the run, let alone a crash of the machine
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "python_enable_replacements": False,  # a name in SQL is a table, never a variable of Python
        }
        if threads:
            config["threads"] = threads
        try:
            self.connection = duckdb.connect(str(self.folder / "work.duckdb"), config=config)
            self._leave_room()
        except duckdb.ParserException as error:
            raise UsageError(f"--memory-limit {self.limits.memory!r}: {_said(error)}") from None
        except duckdb.Error as error:
            told = resource_error(error, "making the work database", self.limits)
            raise told or RunError(f"cannot make the work database: {_said(error)}") from None

    @contextmanager
    def one_thread(self) -> Iterator[None]:
        """Inside the block there is one thread: each holds a part of its own of what an operator holds.

        A locked connection cannot be told, so that the work database is opened anew.
        """
        try:
            self._open_again(1)
            yield
        finally:
            self._open_again(self.limits.threads)

    def _open_again(self, threads: int | None) -> None:
        self.connection.close()
        self._open(threads)
        if self._measuring:
            self.measure()
        if self._locked:
            self._shut()

    def _leave_room(self) -> None:
        """Of a large limit DuckDB may count on a part only: it takes more than it counts."""
        counted = f"least({ALL_COUNTED} + {COUNTED} * (bytes - {ALL_COUNTED}), bytes)::BIGINT"
        asked = f"parse_formatted_bytes({text_literal(self.limits.memory_limit)})::BIGINT"
        self._limit, least = self.row(f"SELECT bytes, {counted} FROM (SELECT {asked} AS bytes)")
        self.connection.execute(f"SET memory_limit = '{least}B'")

    @property
    def room(self) -> int:
        """How many bytes of memory a function may take for a group of rows: DuckDB, which feeds it, can spill."""
        return int(self._limit)

    def give_back(self) -> None:
        """Give back memory that was freed, if the process nears its limit: what the allocator of DuckDB keeps comes on
        top of what the next step takes. It lets go of it when the database is closed.
        """
        held = resident()
        if self.limits.memory is None or held is None or held < self._limit / 2:
            return
        ((counted,),) = self._fetch_all("SELECT sum(memory_usage_bytes)::BIGINT FROM duckdb_memory()")
        if held - counted - self._own > FREED:
            self._open_again(self.limits.threads)

    def let_read(self, path: Path) -> None:
        """Let views read a file after :meth:`lock` too."""
        self._readable.append(str(path))

    def measure(self) -> None:
        """Take from now on, and before :meth:`lock`, what :meth:`spilled` tells."""
        self._measuring = True
        self.connection.execute("PRAGMA enable_profiling = 'no_output'")

    def spilled(self) -> int:
        """The most bytes that the last statement had on disk at a time, beside its tables."""
        told = json.loads(self.connection.get_profiling_information("json"))
        return int(told.get("system", {}).get("peak_temp_dir_size", 0))

    def lock(self) -> None:
        """Shut files, the network and extensions off from all SQL that follows, for good.

        From now on SQL sees each table that was loaded through a view, which cannot be written.
        """
        if self._locked:
            return
        for (name,) in self._fetch_all("SELECT table_name FROM duckdb_tables()"):
            self.run(f"ALTER TABLE {quoted(name)} RENAME TO {quoted(loaded_name(name))}")
            self.run(f"CREATE VIEW {quoted(name)} AS FROM {quoted(loaded_name(name))}")
        self._locked = True
        self._shut()

    def _shut(self) -> None:
        if self._readable:
            self.connection.execute(f"SET allowed_paths = [{', '.join(map(text_literal, self._readable))}]")
        self.connection.execute("SET enable_external_access = false")
        self.connection.execute("SET lock_configuration = true")

    def run(self, sql: str) -> int:
        """Run statements that make, change or drop; how many rows the last one made, if it made any."""
        answer = self.connection.execute(sql)
        made = answer.fetchall() if answer else ()  # no statement, no answer
        return int(made[0][0]) if made and isinstance(made[0][0], int) else 0

    def drop(self, *names: str) -> None:
        """Drop tables, so that what is made next can take their place; a view over files takes none and stays."""
        for name in names:
            either = f"{text_literal(name)}, {text_literal(loaded_name(name))}"
            size = "SELECT table_name, estimated_size * column_count FROM duckdb_tables()"
            for table, values in self._fetch_all(f"{size} WHERE table_name IN ({either})"):
                self.run(f"DROP TABLE {quoted(table)}")
                self._dropped += values
        # Until a checkpoint, DuckDB goes on writing at the end of its file.
        if self._dropped > MANY_VALUES:
            self.run("CHECKPOINT")
            self._dropped = 0

    def make(self, name: str, sql: str, place: Place | str | None = None, *, view: bool = False) -> int:
        """Make a table, or a view, of the rows of a document's SQL; how many rows a table has."""
        return self.run(f"CREATE {'VIEW' if view else 'TABLE'} {quoted(name)} AS FROM {asked(sql, place)}")

    def make_macros(self, macros: Iterable[Macro]) -> None:
        """Make the SQL macros of documents, once the session is locked."""
        for macro in macros:
            place = macro.origin.place("sql")
            with error_context(self, f"macro {macro.name!r}", place):
                asked(f"SELECT {macro_body(macro)}", place)  # one expression, and nothing behind it
                self.run(create_macro(macro))

    def explained(self, sql: str, place: Place | str | None = None) -> str:
        """The plan of a query, which is run, with the rows and seconds of each operator."""
        found = self.connection.execute(f"EXPLAIN ANALYZE FROM {asked(sql, place)}").fetchall()
        return "\n".join(str(row[-1]) for row in found)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """All rows of a small result. Once the session is locked, ``sql`` may be a document's: it may only ask."""
        return self._fetch_all(f"FROM {asked(sql)}" if self._locked else sql)

    def _fetch_all(self, sql: str) -> list[tuple[Any, ...]]:
        """All rows of a small result of our own SQL."""
        found: list[tuple[Any, ...]] = self.connection.execute(sql).fetchall()
        return found

    def row(self, sql: str) -> tuple[Any, ...]:
        """The one row of a result."""
        return self.rows(sql)[0]

    @contextmanager
    def batches(self, sql: str, lists: bool = False) -> Iterator[Any]:
        """A result as an Arrow reader, on a cursor of its own; rows with ``lists`` come few at a time."""
        query = f"FROM {asked(sql)}"
        cursor = self.connection.cursor()
        try:
            relation = cursor.sql(query)
            few = lists and any("[" in str(kind) for kind in relation.types)
            yield relation.to_arrow_reader(ROWS_WITH_LISTS if few else ROWS)
        finally:
            cursor.close()

    @contextmanager
    def reading(self, name: str, batches: Any) -> Iterator[None]:
        """Lets SQL read an Arrow reader or table under a name, inside the block."""
        self.connection.register(name, batches)
        try:
            yield
        finally:
            self.connection.unregister(name)

    def close(self) -> None:
        self.connection.close()


def loaded_name(table: str) -> str:
    """The name of the table behind the view through which SQL sees a loaded table."""
    return f"{table} as loaded"


@contextmanager
def open_session(limits: Limits) -> Iterator[Session]:
    """A session whose folder is removed afterwards, whatever happens.

    Ctrl-C during a query is a KeyboardInterrupt, not the RuntimeError that DuckDB makes of it.
    """
    check_addresses()
    folder = TemporaryFolder("scorespec-", limits.folder)
    try:
        with using(folder.path):
            session = Session(folder.path, limits)
            try:
                yield session
            except duckdb.Error as error:  # one that nobody could tell more about
                raise resource_error(error, "scoring", limits) or SpecError(str(error).strip()) from None
            except RuntimeError as error:
                if str(error) == "Query interrupted":
                    raise KeyboardInterrupt from None
                raise
            finally:
                session.close()
    finally:
        folder.close()


@contextmanager
def error_context(session: Session, doing: str, place: Place | str | None = None) -> Iterator[None]:
    """Turn an error of DuckDB into one that says what was being done, and where its SQL is written."""
    try:
        yield
    except SpecError as error:
        raise error if error.place else SpecError(f"{doing}: {error}", place) from None
    except duckdb.Error as error:
        told = resource_error(error, doing, session.limits)
        raise told or SpecError(f"{doing}: {str(error).strip()}", place) from None


def resource_error(error: BaseException, doing: str, limits: Limits) -> ScorespecError | None:
    """What to tell when DuckDB ran out of memory or disk while ``doing`` something; None for other errors."""
    text = str(error)
    if any(sign in text.lower() for sign in FULL_DISK):
        place = limits.folder or tempfile.gettempdir()
        return RunError(f"{doing}: no space to spill in {place}; name a larger folder with --temp-dir")
    if isinstance(error, duckdb.OutOfMemoryException):
        return RunError(
            f"{doing} needs more than the memory limit of {limits.memory_limit}; raise --memory-limit ({KNOWN_TO_WORK})"
        )
    return None


def _said(error: BaseException) -> str:
    """The first line of DuckDB's message, without the kind of error in front."""
    return str(error).strip().splitlines()[0].rpartition("Error: ")[2]
