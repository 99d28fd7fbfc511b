"""Formats and functions as text: what documents can name, although Python defines it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import pyarrow as pa

from scorespec.catalog.lookup import Catalog
from scorespec.catalog.model import Relation, Table
from scorespec.catalog.plugins import Plugins
from scorespec.core.terminal import first_sentence, in_columns
from scorespec.formats.format import Format
from scorespec.functions.function import ARROW_TYPES, FunctionSetting, InputColumn, RelationFunction, sql_type
from scorespec.plan.parameters import show_value
from scorespec.show.paragraphs import INDENT, Lines, block

NO_LIMIT = 1e6  # a limit from here on only guards the arithmetic, and is not shown
PROMISED = "promised: documents of others may use it; its name, columns and rows stay"
INTERNAL = "internal: it serves the relations that ship, and may change with them"


def format_lines(known: Format, catalog: Catalog) -> Lines:
    """A format, the columns that it fills, and the tables that can be read from it."""
    yield f"format {known.name}  ({', '.join(known.suffixes)})"
    yield f"{INDENT}{known.about}"
    if filled := [*known.fills, *filter(None, [known.others])]:
        yield f"{INDENT}fills the columns: {', '.join(filled)}"
    keys = sorted(catalog.keys("tables"))
    tables = [(key, catalog.definition(key)) for key in keys]
    accepted = [
        (key.domain, str(key)) for key, each in tables if isinstance(each, Table) and known.name in each.formats
    ]
    for domain, group in groupby(accepted, key=lambda each: each[0]):
        yield f"{INDENT}tables of {domain}: {', '.join(name for _, name in group)}"


def function_lines(function: RelationFunction, catalog: Catalog) -> Lines:
    """A function: its columns, settings and result, an example, and the relations whose rows it computes."""
    yield f"function {function.name}"
    yield f"{INDENT}{function.about}"
    yield f"{INDENT}{standing(function, catalog.plugins)}"
    rows, columns = _sample(function)
    yield from block("reads the columns", in_columns((each.name, _accepted(each.kinds, each)) for each in columns))
    if rows is not None:
        names = {each.name for each in columns}
        others = [name for name in rows.schema.names if name not in names]
        use = "name a group, whose rows are adjacent, and are returned" if function.grouped else "are returned"
        yield f"{INDENT}all other columns {use}"
        added = [(each.name, sql_type(each.type)) for each in function.schema(rows.schema) if each.name not in others]
        yield from block("returns the columns", in_columns(added))
    settings = ((name, _accepted([each.kind], each)) for name, each in function.settings.items())
    yield from block("settings, filled by parameters", in_columns(settings))
    yield from _example(function)
    yield from block("computes the rows of", [", ".join(users)] if (users := list(_users(function, catalog))) else [])


def standing(function: RelationFunction, plugins: Plugins) -> str:
    """Who may use a function."""
    if function.name in plugins.origins:
        return f"from the plugin {plugins.origins[function.name]}"
    return PROMISED if function.promised else INTERNAL


def _sample(function: RelationFunction) -> tuple[pa.Table | None, Sequence[InputColumn]]:
    """Rows that a function can read, those of its example if it has one, and the columns that it reads.

    There are none if the function says only for given rows which columns it reads, and has no example.
    """
    if function.example:
        rows = pa.table(dict(function.example.columns))
        return rows, function.columns(rows.schema) if callable(function.columns) else function.columns
    if callable(function.columns):
        return None, ()
    return pa.table({c.name: pa.array([], ARROW_TYPES[c.kinds[0]]) for c in function.columns}), function.columns


def _accepted(kinds: Sequence[str], value: InputColumn | FunctionSetting) -> str:
    """The types and limits of a column or setting."""
    said = [f"at least {value.least:g}"] if value.least > -NO_LIMIT else []
    said += [f"at most {value.most:g}"] if value.most < NO_LIMIT else []
    said += ["may be NULL"] if value.nullable else []
    said += ["may be missing"] if isinstance(value, InputColumn) and value.optional else []
    return ", ".join([" or ".join(kinds), *said])


def _example(function: RelationFunction) -> Lines:
    """The rows of the example of a function, and the rows that it returns for them."""
    rows, _ = _sample(function)
    if function.example is None or rows is None:
        return
    settings = function.example.settings
    given = ", ".join(f"{name} = {show_value(value)}" for name, value in settings.items())
    found = function.call(iter(rows.to_batches()), rows.schema, **settings)
    result = pa.Table.from_batches(found, function.schema(rows.schema))
    heading = "example" + (f", with {given}" if given else "")
    yield from block(heading, [*_grid(rows), "becomes", *_grid(result)])


def _grid(rows: pa.Table) -> list[str]:
    cells = ([*map(show_value, row.values())] for row in rows.to_pylist())
    return [f"{INDENT}{line}" for line in in_columns([rows.schema.names, *cells])]


def _users(function: RelationFunction, catalog: Catalog) -> Iterator[str]:
    """The relations whose rows a function computes."""
    for key in catalog.keys("relations"):
        found = catalog.definition(key)
        calls = found.function_input.calls if isinstance(found, Relation) and found.function_input else ()
        if function in [call.function for call in calls]:
            yield str(key)


# -- lists -------------------------------------------------------------------------------------------


def list_formats(catalog: Catalog) -> str:
    """A line for each format."""
    formats = catalog.plugins.formats.values()
    return "\n".join(in_columns((each.name, ", ".join(each.suffixes), first_sentence(each.about)) for each in formats))


def list_functions(catalog: Catalog) -> str:
    """A line for each function, by who may use it."""
    functions = sorted(catalog.plugins.functions.values(), key=lambda each: not each.promised)
    blocks = []
    for head, group in groupby(functions, key=lambda each: standing(each, catalog.plugins)):
        lines = in_columns((each.name, first_sentence(each.about)) for each in group)
        blocks.append("\n".join([head, *(f"{INDENT}{line}" for line in lines)]))
    return "\n\n".join(blocks)
