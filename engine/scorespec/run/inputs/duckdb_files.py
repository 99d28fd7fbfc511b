"""Reads a table or a view of a DuckDB file that somebody else made: read-only, and without access to other files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import duckdb
import pyarrow as pa

from scorespec.errors import Code, RunError, bad_input, nearest
from scorespec.plan.rendering.templates import quoted
from scorespec.run.attaching import attach, opened, shut
from scorespec.run.inputs.sources import Source
from scorespec.run.limits import Limits
from scorespec.run.session import ROWS, ROWS_WITH_LISTS, queried

RELATIONS = """
SELECT schema_name, table_name, false FROM duckdb_tables() WHERE database_name = 'theirs'
UNION ALL SELECT schema_name, view_name, true FROM duckdb_views() WHERE database_name = 'theirs' AND NOT internal
ORDER BY ALL
"""


@contextmanager
def stored_rows(source: Source, limits: Limits) -> Iterator[Any]:
    """The rows of the table of a source, as a reader of record batches that can be used inside the block.

    Raises InputError if there is no such table, if it is a view that reads files, or if the file is not up to date.
    """
    assert source.path is not None
    log = source.path.with_name(f"{source.path.name}.wal")
    if log.exists():  # DuckDB would read it, and the hash of the file would not cover it
        said = f"has changes in {log.name} that are not in the file yet; close it in other programs, or run CHECKPOINT"
        raise bad_input(source.shown, said)
    with opened(limits) as connection:
        try:
            attach(connection, source.path, "theirs", read_only=True)
        except RunError as error:
            raise bad_input(source.shown, f"cannot be read: {error}") from None
        schema, name, view = _find(connection, source)
        if view:  # with several threads, the order of its rows might differ from run to run
            connection.execute("SET threads = 1")
        shut(connection)
        try:
            relation = connection.sql(f"FROM theirs.{quoted(schema)}.{quoted(name)}")
        except duckdb.PermissionException:
            said = f"the view {source.stored!r} reads files, which an input may not do; store its rows in a table"
            raise bad_input(source.shown, said) from None
        few = any("[" in str(kind) for kind in relation.types)
        reader = relation.to_arrow_reader(ROWS_WITH_LISTS if few else ROWS)
        yield pa.RecordBatchReader.from_batches(reader.schema, queried(reader))


def stored_names(source: Source) -> list[str]:
    """The columns of the table of a source."""
    with stored_rows(source, Limits(threads=1)) as reader:
        names: list[str] = reader.schema.names
        return names


def _find(connection: Any, source: Source) -> tuple[str, str, bool]:
    """The schema and the name of the table of a source, and whether it is a view."""
    found: list[tuple[str, str, bool]] = connection.execute(RELATIONS).fetchall()
    known = {f"{each[0]}.{each[1]}": each for each in found}
    # The name alone is enough in the schema main, or if no other schema has a table of this name.
    same = [each for each in found if each[1] == source.stored]
    chosen = known.get(source.stored) or known.get(f"main.{source.stored}") or (same[0] if len(same) == 1 else None)
    if chosen is None:
        names = [name if schema == "main" else f"{schema}.{name}" for schema, name, _ in found]
        raise bad_input(
            source.shown, f"no table {source.stored!r}; {nearest(source.stored, names)}", code=Code.UNKNOWN_NAME
        )
    return chosen
