"""The layout of XML files of rows: the names of elements, and the columns that they fill."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from scorespec.core.arrays import Ints

Attributes = Mapping[str, str]


@dataclass(frozen=True)
class Layout:
    """The elements of a file: a root with rows, or with groups of rows.

    A column that is not named here is filled from the attribute of the same name, of the row or of an element around
    it; if rows have an element ``info``, also from a name and value in that element.
    """

    root: str
    row: str
    columns: Mapping[str, str]
    """The attribute of a row that fills each column; every row must have it."""
    group: str | None = None
    group_id: tuple[str, str] | None = None
    """The column that a group fills, and the attribute with its value, which is unique in a file."""
    unread: frozenset[str] = frozenset()
    """Attributes of any element that the format defines and that fill no column."""
    around: Mapping[str, str] = field(default_factory=dict)
    """The attribute of the root that fills each column, if the root has it."""
    text: tuple[str, str] | None = None
    """A column, and the element inside a row whose text fills it."""
    info: str | None = None
    """The element inside a row with further attributes, as ``<attr><name>…</name><value>…</value></attr>``."""
    passed_over: frozenset[str] = frozenset()
    """Elements inside a row that the format defines and that are not read."""
    root_fault: Callable[[Attributes], str | None] = lambda attributes: None
    """The fault of the attributes of the root; None if there is none."""

    @property
    def attributes(self) -> tuple[str, ...]:
        """All attributes that the format defines."""
        group = self.group_id[1:] if self.group_id else ()
        return (*self.columns.values(), *self.around.values(), *group, *self.unread)

    @property
    def inside(self) -> dict[str, tuple[str, ...]]:
        """The elements that each element may contain."""
        children = {self.row: tuple(each for each in (self.text and self.text[1], self.info) if each)}
        if self.group:
            children |= {self.root: (self.group,), self.group: (self.row,)}
        else:
            children[self.root] = (self.row,)
        if self.info:
            children |= {self.info: ("attr",), "attr": ("name", "value")}
        return children


@dataclass(frozen=True)
class Rows:
    """Some rows of a file: the line and the number of each, and its fields as text, by column."""

    line: Ints
    element: Ints
    texts: dict[str, pa.StringArray]
