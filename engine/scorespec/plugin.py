"""What a plugin imports: the parts of a file format, and of a Python function over rows.

A plugin is a Python module that defines one or more of

* ``FORMATS``: a list of :class:`Format`, the file formats that inputs can have;
* ``FUNCTIONS``: a mapping of names to :class:`RelationFunction`, the functions that relations can name;
* ``SPECS``: the path of its documents, with their templates next to them.

It is found when its distribution has an entry point in the group ``scorespec.plugins``, or when it is given with
``--plugin MODULE`` or ``plugins=[…]``. The names below are stable: a version that changes one says so in the changelog.
"""

from __future__ import annotations

from scorespec.errors import Code, InputError, Problems, bad_input
from scorespec.formats.format import (
    Block,
    Columns,
    Fields,
    Format,
    Quote,
    Reader,
    quote_fields,
    read_blocks,
    read_fields,
    record_batch,
)
from scorespec.functions.function import NUMBER, TEXT, TRUTH, WHOLE, RelationFunction, group_function
from scorespec.functions.function import FunctionExample as Example
from scorespec.functions.function import FunctionSetting as Setting
from scorespec.functions.function import InputColumn as Column

__all__ = [
    "NUMBER",
    "TEXT",
    "TRUTH",
    "WHOLE",
    "Block",
    "Code",
    "Column",
    "Columns",
    "Example",
    "Fields",
    "Format",
    "InputError",
    "Problems",
    "Quote",
    "Reader",
    "RelationFunction",
    "Setting",
    "bad_input",
    "group_function",
    "quote_fields",
    "read_blocks",
    "read_fields",
    "record_batch",
]
