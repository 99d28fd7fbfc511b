"""Opens DuckDB files, such as results databases, and waits while another process has them open."""

from __future__ import annotations

import os
import re
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from scorespec.core.terminal import complain
from scorespec.errors import RunError
from scorespec.plan.parameters import text_literal
from scorespec.run.limits import Limits

PATIENCE = 60.0  # seconds to wait while another process or connection has the file
NOTICE = 1.0  # seconds after which a message says that this process waits
PAUSE = 0.1  # seconds between two attempts
CLOSED = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,  # a name in SQL is a table, never a variable of the program
}
HOLDER = re.compile(r"held in (?P<program>.+?) \((?P<process>PID \d+)\)")
VERSIONS = re.compile(r"storage version number (\d+), but we can only read storage versions between (\d+) and (\d+)")


class BusyError(RunError):
    """Another process or connection has the database."""


@contextmanager
def opened(limits: Limits) -> Iterator[Any]:
    """A connection to an empty database in memory, without extensions; :func:`attach` adds files."""
    config: dict[str, Any] = {
        **CLOSED,
        # Created when DuckDB spills, and removed when the connection is closed.
        "temp_directory": str(Path(limits.folder or tempfile.gettempdir()) / f"scorespec-spill-{uuid.uuid4().hex}"),
    }
    if limits.memory:
        config["memory_limit"] = limits.memory
    if limits.threads:
        config["threads"] = limits.threads
    connection = duckdb.connect(config=config)
    try:
        yield connection
    except RuntimeError as error:  # DuckDB turns Ctrl-C into it
        if str(error) == "Query interrupted":
            raise KeyboardInterrupt from None
        raise
    finally:
        connection.close()


def attach(connection: Any, path: Path, name: str, read_only: bool, patience: float | None = None) -> None:
    """Attach a database under a name, and wait up to ``patience`` seconds while another connection has it open.

    Only DuckDB opens the file: if Python opened and closed it, the locks that this process has on it would be freed,
    such as those of a user's connection. Raises RunError with only the reason, BusyError after waiting in vain.
    """
    # The whole path with its type: DuckDB reads `md:x` as a connection string, and `~` as the home folder.
    options = "READ_ONLY, TYPE duckdb" if read_only else "TYPE duckdb"
    sql = f"ATTACH {text_literal(whole(path))} AS {name} ({options})"
    begun, notified = time.monotonic(), False
    while True:
        try:
            connection.execute(sql)
            return
        except duckdb.Error as error:
            holder, waited = _holder(error), time.monotonic() - begun
            if holder is None:
                raise RunError(reason(error, path)) from None
            if waited >= (PATIENCE if patience is None else patience):
                raise BusyError(f"{holder} has it open") from None
        if waited >= NOTICE and not notified:
            complain(f"waiting for {path}: {holder} has it open")
            notified = True
        time.sleep(PAUSE)


def shut(connection: Any) -> None:
    """Forbid SQL to open files, for good: a view in another's database might read any file."""
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def whole(path: Path) -> str:
    """The absolute path of a database, without links. Raises RunError if DuckDB cannot open such a path."""
    real = os.path.realpath(path)
    try:
        real.encode()
    except UnicodeEncodeError:
        raise RunError("its name is not UTF-8, and DuckDB opens only files whose name is") from None
    return real


def _holder(error: duckdb.Error) -> str | None:
    """The process or connection that has the database open; None if opening failed for another reason."""
    if isinstance(error, duckdb.ResourceInUseException):
        return "another connection of this process"
    text = str(error)
    if "could not set lock" not in text.lower():
        return None
    found = HOLDER.search(text)
    return f"another process ({Path(found['program']).name}, {found['process']})" if found else "another process"


def reason(error: Exception, path: Path) -> str:
    """The reason for an error of DuckDB, of the system or of ours about a database, in one line."""
    text = str(error).strip()
    if not isinstance(error, duckdb.Error):
        return (isinstance(error, OSError) and error.strerror) or text
    if found := VERSIONS.search(text):
        version, first, last = found.groups()
        return (
            f"it has storage version {version}, and DuckDB {duckdb.__version__} reads {first} to {last}; "
            "archive it with the version of DuckDB that wrote it (EXPORT DATABASE)"
        )
    if "not a valid DuckDB database" in text:
        return f"it is {_kind(path)}"
    return text.splitlines()[0]


def _kind(path: Path) -> str:
    """What kind of file DuckDB has refused. No connection of DuckDB has it open, so Python may open it."""
    with path.open("rb") as file:
        head = file.read(16)
    if not head:
        return "empty, and not a DuckDB database"
    return "an SQLite database, and not one of DuckDB" if head.startswith(b"SQLite format") else "not a DuckDB database"
