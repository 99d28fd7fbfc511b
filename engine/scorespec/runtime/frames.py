"""Builds tables of sequences from files with a row for each frame.

A column ``x`` of type DOUBLE[] has one number in each frame, in the column ``x`` of the file. A column of type
DOUBLE[][] has its channels in ``x.1``, ``x.2``, … A frame that a sequence does not have is empty there. All frames of
a row have the same values in the other columns.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from scorespec.catalog.model import Column, Table
from scorespec.compiler.templates import quoted
from scorespec.errors import Code, Problems
from scorespec.runtime.session import Session

FRAME = "frame"


@dataclass(frozen=True)
class Layout:
    """The columns of a file with a row per frame that make up each column of lists."""

    table: Table
    parts: Mapping[str, list[str]]

    @property
    def flat(self) -> list[Column]:
        """The columns without lists."""
        return [column for column in self.table.columns if not column.type.endswith("]")]

    @property
    def numbers(self) -> dict[str, str]:
        """The columns with the number of the frame and its values, with their types."""
        names = [name for parts in self.parts.values() for name in parts]
        return {FRAME: "BIGINT", **dict.fromkeys(names, "DOUBLE")}


def layout_of(table: Table, names: Collection[str]) -> Layout:
    """The layout of a file with these columns for a table."""
    parts = {}
    for column in table.columns:
        if column.type.endswith("[][]"):
            channels = {int(part): name for name in names if (part := _channel(name, column.name)).isdecimal()}
            parts[column.name] = [channels[number] for number in sorted(channels)]
        elif column.type.endswith("]"):
            parts[column.name] = [column.name] if column.name in names else []
    return Layout(table, parts)


def _channel(name: str, column: str) -> str:
    """The text after the dot if ``name`` is a channel of a column, otherwise ''."""
    before, _, behind = name.rpartition(".")
    return behind if before == column else ""


def gather_frames(session: Session, layout: Layout, frames: str, problems: Problems) -> None:
    """Create the table of a layout from ``frames``, a table of its columns; report rows whose frames are at fault."""
    flat = ", ".join(quoted(column.name) for column in layout.flat)
    lists = "".join(
        f", {_list(parts, column.type)} AS {quoted(column.name)}"
        for column in layout.table.columns
        if (parts := layout.parts.get(column.name)) is not None
    )
    for column, parts in layout.parts.items():
        if parts:
            _check_gaps(session, layout, frames, column, problems)
    session.create(layout.table.name, f"SELECT min(line) AS line, {flat}{lists} FROM {frames} GROUP BY {flat}")


def _list(parts: list[str], kind: str) -> str:
    if not parts:
        return f"NULL::{kind}"
    value = f"[{', '.join(map(quoted, parts))}]" if kind.endswith("[][]") else quoted(parts[0])
    return f"list({value} ORDER BY {FRAME}) FILTER (WHERE {_present(parts)})"


def _present(parts: list[str]) -> str:
    return " OR ".join(f"{quoted(part)} IS NOT NULL" for part in parts)


def _check_gaps(session: Session, layout: Layout, frames: str, column: str, problems: Problems) -> None:
    """Report sequences whose frames are not numbered without gaps: a gap would shift the frames after it."""
    key = [name for name in layout.table.key if name not in layout.parts]
    listed = ", ".join(map(quoted, key))
    wrong = session.rows(
        f"SELECT min(line), {listed} FROM {frames} WHERE {_present(layout.parts[column])} GROUP BY {listed} "
        f"HAVING max({FRAME}) - min({FRAME}) + 1 <> count(*) OR count(DISTINCT {FRAME}) <> count(*) ORDER BY 1"
    )
    for line, *values in wrong:
        whose = ", ".join(f"{name} {value}" for name, value in zip(key, values, strict=True) if value is not None)
        said = f"{whose}: the frames of {column} have a gap, or a frame occurs twice"
        problems.add(int(line), said, Code.FRAME_GAP, column)
