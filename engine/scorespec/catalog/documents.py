"""Documents as plain data, with the place of each value. `parsing.py` reads them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from yaml.events import Event
from yaml.nodes import MappingNode, Node, SequenceNode

from scorespec.errors import Place, SpecError

DOCUMENT_SUFFIXES = (".yaml", ".yml")
KeyPath = tuple[str | int, ...]


@dataclass
class Document:
    """One YAML file: its data and, for every path into it, the place of the key and of the value.

    ``shown`` is the name of the file in messages; relative paths in the document start from ``folder``. ``nodes`` are
    those of its text: of its definitions and, if it was read, of its cases.
    """

    shown: str
    folder: Path
    data: dict[str, Any]
    lines: list[str] = field(default_factory=list, repr=False)
    nodes: list[Node] = field(default_factory=list, repr=False)

    @cached_property
    def path(self) -> Path:
        """The absolute path of the file, without links."""
        return (self.folder / Path(self.shown).name).resolve()

    def add(self, below: Document) -> None:
        """Add another part of the same file. Raises SpecError for a section that both parts have."""
        for section in below.data:
            if section in self.data:
                raise SpecError(f"{section!r} is already defined above the line ---", below.place((section,), key=True))
        self.data |= below.data
        self.lines += below.lines[len(self.lines) :]
        self.nodes += below.nodes

    def source(self, path: KeyPath) -> str:
        """The lines of the file at ``path``, with the key, without the indentation of the key."""
        place = self.place(path, key=True)
        first, indent = place.line - 1, place.column - 1
        last = first + 1
        while last < len(self.lines) and (not self.lines[last].strip() or _indentation(self.lines[last]) > indent):
            last += 1
        return "\n".join(line[indent:] for line in self.lines[first:last]).rstrip()

    def place(self, path: KeyPath, *, key: bool = False) -> Place:
        """The place of ``path``, or of the innermost enclosing value that this document has."""
        while (found := self.found(path)) is None:
            if not path:
                return Place(self.shown, 1, 1)
            path = path[:-1]
        return place_of(self.shown, found[0] if key else found[1])

    def found(self, path: KeyPath) -> tuple[Node, Node] | None:
        """The nodes of the key and of the value at ``path``; None if this document has no such value."""
        found = [(node, node) for node in self.nodes]
        for part in path:
            found = [each for _, node in found for each in _below(node, part)]
        return found[0] if found else None


def _below(node: Node, part: str | int) -> Iterator[tuple[Node, Node]]:
    """The key and the value of a part of a value."""
    if isinstance(node, MappingNode):
        yield from ((key, value) for key, value in node.value if key.value == part)
    elif isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
        yield node.value[part], node.value[part]


def place_of(shown: str, node: Node | Event) -> Place:
    """The place at which something begins in a file."""
    return Place(shown, node.start_mark.line + 1, node.start_mark.column + 1)


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
