"""Documents as plain data, with the place of each value. `parsing.py` reads them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from scorespec.errors import Place, SpecError

DOCUMENT_SUFFIXES = (".yaml", ".yml")
KeyPath = tuple[str | int, ...]


@dataclass
class Document:
    """One YAML file: its data and, for every path into it, the place of the key and of the value.

    ``shown`` is the name of the file in messages; relative paths in the document start from ``folder``.
    """

    shown: str
    folder: Path
    data: dict[str, Any]
    lines: list[str] = field(default_factory=list, repr=False)
    values: dict[KeyPath, Place] = field(default_factory=dict)
    keys: dict[KeyPath, Place] = field(default_factory=dict)

    @cached_property
    def path(self) -> Path:
        """The absolute path of the file, without links."""
        return (self.folder / Path(self.shown).name).resolve()

    def add(self, below: Document) -> None:
        """Add another part of the same file. Raises SpecError for a section that both parts have."""
        for section in below.data:
            if section in self.data:
                raise SpecError(f"{section!r} is already defined above the line ---", below.keys[(section,)])
        self.data |= below.data
        self.lines += below.lines[len(self.lines) :]
        self.values |= below.values
        self.keys |= below.keys

    def source(self, path: KeyPath) -> str:
        """The lines of the file at ``path``, with the key, without the indentation of the key."""
        place = self.keys[path]
        first, indent = place.line - 1, place.column - 1
        last = first + 1
        while last < len(self.lines) and (not self.lines[last].strip() or _indentation(self.lines[last]) > indent):
            last += 1
        return "\n".join(line[indent:] for line in self.lines[first:last]).rstrip()

    def place(self, path: KeyPath, *, key: bool = False) -> Place:
        """The place of ``path``, or of the innermost enclosing value that this document has."""
        table = self.keys if key else self.values
        while path and path not in table:
            path = path[:-1]
        return table.get(path, Place(self.shown, 1, 1))


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def document_files(path: Path) -> Iterator[Path]:
    """The documents at ``path``: the file itself, or all ``.yaml`` files below a folder, in order of their names."""
    if os.path.isdir(path):  # unlike Path.is_dir, it accepts a name that is too long
        yield from sorted(each for each in path.rglob("*") if each.suffix in DOCUMENT_SUFFIXES)
    else:
        yield path


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with the values of ``over``: mappings are merged key by key, everything else is replaced."""
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        both = isinstance(below, Mapping) and isinstance(value, Mapping)
        merged[key] = merge(below, value) if both else value  # type: ignore[arg-type]
    return merged
