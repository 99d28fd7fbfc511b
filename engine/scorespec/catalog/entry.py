"""A definition as it is written in a document, before it is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scorespec.catalog.documents import Document, KeyPath
from scorespec.errors import Place

LONGEST_CHAIN = 100  # of definitions that refer to each other; the compiler follows a chain by recursion


@dataclass
class Entry:
    """A definition as written, and the one it extends: the origin of what is built from it."""

    section: str
    name: str
    document: Document
    parent: Entry | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    generation: int = 0  # length of the chain of definitions that it extends

    @property
    def suite(self) -> str:
        """The suite to which the definition belongs; '' if it belongs to the whole domain, as suites themselves do."""
        return "" if self.section == "suites" else str(self.document.data.get("suite", ""))

    @property
    def source(self) -> str:
        """The text of the definition in its document."""
        return self.document.source((self.section, self.name))

    def place(self, *path: str | int, key: bool = False) -> Place:
        """The place of a part: in this definition, or in the one from which it is inherited."""
        full: KeyPath = (self.section, self.name, *path)
        if self.parent is None or self.document.found(full):
            return self.document.place(full, key=key or not path)
        return self.parent.place(*path, key=key)
