"""Tables whose columns hold lists, out of files with a row per frame.

A column ``x`` of numbers has its value of a frame in ``x``; one of lists of numbers has its channels in ``x.1``,
``x.2``, … Where a sequence has no such frame, these are empty. The other columns are the same in all frames of a row.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from scorespec.catalog.model import Column, Table
from scorespec.compiler.templates import quoted
from scorespec.errors import Problems
from scorespec.runtime.session import Session

FRAME = "frame"


@dataclass(frozen=True)
class Layout:
    """Which columns of a file with a row per frame make up each column with lists that it has."""

    table: Table
    parts: Mapping[str, list[str]]

    @property
    def flat(self) -> list[Column]:
        """The columns without lists."""
        return [column for column in self.table.columns if not column.type.endswith("]")]

    @property
    def numbers(self) -> dict[str, str]:
        """The columns that hold the numbers of a frame, and its own, with their types."""
        names = [name for parts in self.parts.values() for name in parts]
        return {FRAME: "BIGINT", **dict.fromkeys(names, "DOUBLE")}


def layout_of(table: Table, names: Collection[str]) -> Layout:
    """How a file with these columns holds the sequences of a table."""
    parts = {}
    for column in table.columns:
        if column.type.endswith("[][]"):
            channels = {int(part): name for name in names if (part := _channel(name, column.name)).isdecimal()}
            parts[column.name] = [channels[number] for number in sorted(channels)]
        elif column.type.endswith("]"):
            parts[column.name] = [column.name] if column.name in names else []
    return Layout(table, parts)


def _channel(name: str, column: str) -> str:
    """What is behind the dot, for a channel of this column."""
    before, _, behind = name.rpartition(".")
    return behind if before == column else ""


def gather_frames(session: Session, layout: Layout, frames: str, problems: Problems) -> None:
    """Make the table of a layout out of ``frames``, a table of its columns; add rows whose frames are at fault."""
    name = quoted(layout.table.name)
    flat = ", ".join(quoted(column.name) for column in layout.flat)
    lists = "".join(
        f", {_list(parts, column.type)} AS {quoted(column.name)}"
        for column in layout.table.columns
        if (parts := layout.parts.get(column.name)) is not None
    )
    for column, parts in layout.parts.items():
        if parts:
            _check_run(session, layout, frames, column, problems)
    session.run(f"CREATE TABLE {name} AS SELECT min(line) AS line, {flat}{lists} FROM {frames} GROUP BY {flat}")


def _list(parts: list[str], kind: str) -> str:
    if not parts:
        return f"NULL::{kind}"
    value = f"[{', '.join(map(quoted, parts))}]" if kind.endswith("[][]") else quoted(parts[0])
    return f"list({value} ORDER BY {FRAME}) FILTER (WHERE {_there(parts)})"


def _there(parts: list[str]) -> str:
    return " OR ".join(f"{quoted(part)} IS NOT NULL" for part in parts)


def _check_run(session: Session, layout: Layout, frames: str, column: str, problems: Problems) -> None:
    """Frames must follow one another: a gap would shift all that comes after it."""
    key = [name for name in layout.table.key if name not in layout.parts]
    listed = ", ".join(map(quoted, key))
    wrong = session.rows(
        f"SELECT min(line), {listed} FROM {frames} WHERE {_there(layout.parts[column])} GROUP BY {listed} "
        f"HAVING max({FRAME}) - min({FRAME}) + 1 <> count(*) OR count(DISTINCT {FRAME}) <> count(*) ORDER BY 1"
    )
    for line, *values in wrong:
        whose = ", ".join(f"{name} {value}" for name, value in zip(key, values, strict=True) if value is not None)
        problems.add(int(line), f"{whose}: the frames of {column} have a gap, or one is there twice")
