"""What a user types and opens: commands, Python, file formats, functions, kinds and the results database."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import scorespec
from reference.markdown import Lines, cell, file, names, table, title
from scorespec.catalog.json_schema import document_schema
from scorespec.catalog.lookup import Catalog
from scorespec.catalog.model import Kind, Table
from scorespec.core.result_tables import ABOUT, COLUMNS, CURRENT, EVIDENCE, TABLES
from scorespec.errors import Code
from scorespec.show.definitions import keys_of, keys_of_section
from scorespec.show.plugged import function_lines


def commands() -> Iterator[tuple[str, Any]]:
    """Every command of the command line, with the words that call it."""
    from typer.main import get_command

    from scorespec.cli import app

    yield from _commands("scorespec", get_command(app))


def _commands(words: str, command: Any) -> Iterator[tuple[str, Any]]:
    for name, below in getattr(command, "commands", {}).items():
        if not below.hidden:
            if not hasattr(below, "commands"):
                yield f"{words} {name}", below
            yield from _commands(f"{words} {name}", below)


def commands_page() -> Lines:
    """The command line."""
    yield from (
        "# Commands",
        "",
        "`--help` after a command prints the same. [Command line](../command-line.md) has the",
    )
    yield "exit codes, and what is printed where."
    for words, command in commands():
        yield from ("", f"## {words}", "", _plain(command.help or ""), "")
        params = [each for each in command.params if not getattr(each, "hidden", False)]
        given = [each for each in params if each.param_type_name == "argument"]
        usage = [each.name.upper() if each.required else f"[{each.name.upper()}]" for each in given]
        yield from ("```text", " ".join([words, *usage, "[OPTIONS]"]), "```")
        yield from table(
            ("argument or option", "value", "default", "meaning"),
            ((_called(each), _values(each), _default(each), cell(_plain(each.help or ""))) for each in params),
        )
    yield from ("", "## Codes of problems", "", "Plugins may have codes of their own.", "")
    yield from table(("code", "meaning"), ((f"`{code}`", cell(code.about)) for code in Code))


def _called(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{parameter.name.upper()}`"
    return names([*parameter.opts, *parameter.secondary_opts])


def _values(parameter: Any) -> str:
    """What stands for a value in the help, such as ``table|json``."""
    return f"`{cell(parameter.metavar)}`" if parameter.metavar else ""


def _default(parameter: Any) -> str:
    default = parameter.default
    if default in (None, False, True, "", (), []) or callable(default):
        return ""
    return f"`{getattr(default, 'value', default)}`"


def _plain(text: str) -> str:
    return " ".join(inspect.cleandoc(text).split())


def python_page() -> Lines:
    """What `import scorespec` offers."""
    yield from (
        "# Python",
        "",
        "Everything that `import scorespec` offers. [The guide](../how-to/score.md#use-it-from-python)",
    )
    yield "has examples."
    for name in scorespec.__all__:
        found = getattr(scorespec, name)
        if callable(found):
            yield from ("", f"## {name}", "", "```python", _signature(name, found), "```", "", _doc(found))
            yield from _methods(found) if inspect.isclass(found) else ()


def _methods(found: type) -> Lines:
    for name, member in inspect.getmembers(found):
        if not name.startswith("_") and member.__doc__ and name in dir(found) and _is_own(found, name):
            call = _signature(name, member) if callable(member) else name
            yield from ("", f"### {found.__name__}.{name}", "", "```python", call, "```", "", _doc(member))


def _is_own(found: type, name: str) -> bool:
    """Whether a member is defined in scorespec, not inherited from Python."""
    owner = next((base for base in found.__mro__ if name in vars(base)), object)
    return owner.__module__.startswith("scorespec") and not isinstance(vars(owner)[name], str | int | tuple)


def _signature(name: str, found: Any) -> str:
    try:
        written = str(inspect.signature(found))
    except (TypeError, ValueError):
        return name
    return re.sub(r"\b(?:scorespec|collections|pathlib|typing|pyarrow\.lib)(?:\.\w+)*\.(?=\w)", "", f"{name}{written}")


def _doc(found: Any) -> str:
    text = re.sub(r":(?:\w+:)+`~?\.?([^`]+)`", r"`\1`", inspect.getdoc(found) or "")
    return re.sub(r"``([^`]+)``", r"`\1`", text)


def formats_page(catalog: Catalog) -> Lines:
    """The file formats."""
    yield from ("# File formats", "", "[The page on formats](../formats.md) says which lines are refused.")
    tables = [each for key in catalog.keys("tables") if isinstance(each := catalog.definition(key), Table)]
    for known in catalog.plugins.formats.values():
        yield from ("", f"## {known.name}", "", f"{known.about[0].upper()}{known.about[1:]}.", "")
        yield f"* suffixes: {names(known.suffixes) or f'none; name the format after the file: `FILE::{known.name}`'}"
        filled = [names(known.fills), *filter(None, [known.others])]
        yield f"* columns that it fills: {', '.join(filter(None, filled))}"
        read = (
            f"[`{each.name}`]({file(each.domain)}-tables.md#{each.name}) ({title(each.domain).lower()})"
            for each in tables
            if known.name in each.formats
        )
        yield f"* tables: {', '.join(read) or 'every table that is read from Parquet'}"


def functions_page(catalog: Catalog) -> Lines:
    """The Python functions over rows."""
    yield from ("# Python functions over rows", "")
    yield "What SQL cannot compute: a relation names a function, and reads its result as `{{ rows }}`."
    for function in catalog.plugins.functions.values():
        _, about, *lines = function_lines(function, catalog)
        yield from ("", f"## {function.name}", "", about.strip(), "", "```text", *lines, "```")


def documents_page() -> Lines:
    """The sections of documents, and the keys of their definitions."""
    yield from ("# Documents", "", "[The document language](../document-language.md) explains them, with examples.")
    for section, schema in document_schema()["properties"].items():
        yield from ("", f"## {section}", "", f"{cell(schema['description'])}.")
        if keys := keys_of_section(section):
            yield from table(("key", "meaning"), ((f"`{key}`", cell(meaning)) for key, meaning in keys.items()))


def kinds_page(catalog: Catalog) -> Lines:
    """The kinds of metric."""
    yield from ("# Kinds of metric", "", "A metric names its kind. The kind says which keys the metric has.")
    for kind in catalog.kinds.values():
        yield from ("", f"## {kind.name}", "", kind.about, "")
        if kind.short_for:
            yield from (f"A short form of `{kind.short_for}`.", "")
        yield from _keys(kind)


def _keys(kind: Kind) -> Lines:
    required = kind.schema.get("required", ())
    yield from table(
        ("key", "required", "meaning"),
        (
            (f"`{key}`", "yes" if key in required else "", cell(meaning))
            for key, meaning in keys_of(kind.schema).items()
        ),
    )


def results_page() -> Lines:
    """The tables of a results database."""
    yield from ("# Results database", "")
    yield "What `-o FILE` writes: a DuckDB file with these tables. [How to keep, merge and archive"
    yield "it](../how-to/databases.md#keep-merge-and-archive-results)."
    for name, columns in TABLES.items():
        yield from ("", f"## {name}", "", ABOUT[name])
        yield from table(
            ("column", "type", "meaning"),
            ((f"`{column}`", kind, cell(COLUMNS[name][column].about)) for column, kind in columns.items()),
        )
    yield from ("", f"## {EVIDENCE}…", "")
    yield "The rows that explain the scores of a run: a table for each relation that the suite keeps, under its name"
    yield f"after `{EVIDENCE}`. Its columns are `run` and those of the relation."
    yield from ("", f"## {CURRENT}…", "")
    yield "A view of each of these tables without the rows of superseded runs, under its name after"
    yield f"`{CURRENT}`: `{CURRENT}scores`."
