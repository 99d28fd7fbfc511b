"""What the elements of an XML file of rows are called, and which columns they fill."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from scorespec.arrays import Ints

Attributes = Mapping[str, str]


@dataclass(frozen=True)
class Layout:
    """The elements of one kind of file: a root, in it the rows, or groups of rows.

    A column that is named nowhere here is filled from the attribute of its name, of the row or of the
    elements around it; where a row has an element ``info``, also from a name and value in there.
    """

    root: str
    row: str
    columns: Mapping[str, str]
    """The attribute of a row that fills a column; every row must have it."""
    group: str | None = None
    group_id: tuple[str, str] | None = None
    """The column that a group fills, and the attribute that names it, once in a file."""
    unread: frozenset[str] = frozenset()
    """Attributes that the format defines, of whatever element, and that no column needs."""
    around: Mapping[str, str] = field(default_factory=dict)
    """The attribute of the root that fills a column, if it is there."""
    text: tuple[str, str] | None = None
    """The column that the text of an element inside a row fills, and that element."""
    info: str | None = None
    """The element inside a row with further attributes, as ``<attr><name>…</name><value>…</value></attr>``."""
    root_fault: Callable[[Attributes], str | None] = lambda attributes: None
    """What is wrong with the attributes of the root, if anything is."""

    @property
    def attributes(self) -> tuple[str, ...]:
        """All attributes that the format defines."""
        group = self.group_id[1:] if self.group_id else ()
        return (*self.columns.values(), *self.around.values(), *group, *self.unread)

    @property
    def inside(self) -> dict[str, tuple[str, ...]]:
        """The elements that may stand in each element."""
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
    """Some rows of a file as they are written: the line and the number of each, and its fields by column."""

    line: Ints
    element: Ints
    texts: dict[str, pa.StringArray]
