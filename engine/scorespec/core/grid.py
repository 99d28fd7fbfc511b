"""Prints rows in columns: each row on a line in a pipe, as many columns as fit on a terminal."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest

from scorespec.core.terminal import say, say_wrapped, visible

Row = Mapping[str, str]

BLOCK = 1000  # rows that are laid out together, so that the first lines of a long table are printed at once
GAP = "  "  # between columns
NAMED = 8  # columns that are left out and named, at most
NARROW = 24  # longer texts are wrapped if the terminal is too narrow


def print_grid(rows: Iterable[Row], columns: Sequence[str], numbers: Collection[str], needed: Collection[str]) -> None:
    """Print rows of text below the names of their columns; ``numbers`` are aligned to the right.

    On a terminal, long texts are wrapped. If that is not enough, columns that are not ``needed`` are left out, the last
    first, and a line names the first of them.
    """
    limit = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    heading = {name: visible(name) for name in columns}
    shown = list(columns)
    widths: dict[str, int] = {}
    for number, block in enumerate(_blocks(rows)):
        lines = block if number else [heading, *block]
        whole = {name: max(widths.get(name, 0), _width(row[name] for row in lines)) for name in columns}
        if limit is None:
            widths = whole
        elif not number:
            least = {name: whole[name] if name in numbers else min(whole[name], NARROW) for name in columns}
            shown = _fitting(least, needed, limit)
            widths = _widened(least, whole, shown, limit)
        for row in lines:
            say(_line(row, widths, shown, numbers))
    if hidden := [heading[name] for name in columns if name not in shown]:
        more = f" and {len(hidden) - NAMED} more" if len(hidden) > NAMED else ""
        names = ", ".join(hidden[:NAMED]) + more
        say_wrapped(f"not shown: {names} (the terminal is too narrow; --format csv has every column)")


def _blocks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """The rows in lists; one empty list if there are none."""
    rest = iter(rows)
    yield list(islice(rest, BLOCK))
    while block := list(islice(rest, BLOCK)):
        yield block


def _width(texts: Iterable[str]) -> int:
    """The width of the widest text on a terminal, where some characters take two cells."""
    return max(map(_cells, set(texts)), default=0)


def _cells(text: str) -> int:
    from rich.cells import cell_len

    return len(text) if text.isascii() else cell_len(text)


def _fitting(widths: Mapping[str, int], needed: Collection[str], limit: int) -> list[str]:
    """The columns that fit into a line: the last ones that are not needed are left out."""
    shown = list(widths)
    for name in reversed(list(widths)):
        if _total(widths, shown) > limit and name not in needed:
            shown.remove(name)
    return shown


def _widened(least: Mapping[str, int], whole: Mapping[str, int], shown: Sequence[str], limit: int) -> dict[str, int]:
    """Widths with the rest of the line given to the columns that need it, the first ones first."""
    widths = dict(least)
    for name in shown:
        widths[name] += max(0, min(whole[name] - widths[name], limit - _total(widths, shown)))
    return widths


def _total(widths: Mapping[str, int], shown: Sequence[str]) -> int:
    return sum(widths[name] for name in shown) + len(GAP) * (len(shown) - 1)


def _line(row: Row, widths: Mapping[str, int], shown: Sequence[str], numbers: Collection[str]) -> str:
    """A row in columns; of several lines if one of its texts is wrapped."""
    wrapped = [_wrapped(row[name], widths[name]) for name in shown]
    lines = (
        GAP.join(_padded(text, widths[name], name in numbers) for name, text in zip(shown, texts, strict=True))
        for texts in zip_longest(*wrapped, fillvalue="")
    )
    return "\n".join(line.rstrip() for line in lines)


def _wrapped(text: str, width: int) -> list[str]:
    """The lines of a text, at words; texts with characters of two cells, such as Japanese, are cut anywhere."""
    if _cells(text) <= width:
        return [text]
    if _cells(text) > len(text):
        from rich.cells import chop_cells

        return chop_cells(text, max(width, 2))
    return textwrap.wrap(text, max(width, 1)) or [""]


def _padded(text: str, width: int, is_number: bool) -> str:
    blanks = " " * (width - _cells(text))
    return blanks + text if is_number else text + blanks
