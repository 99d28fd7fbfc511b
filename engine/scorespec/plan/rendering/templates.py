"""What templates contain: names, references to relations and typed literals. `render.py` renders them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from textwrap import indent

from scorespec.catalog.documents import shipped
from scorespec.catalog.model import SqlTemplate, Value
from scorespec.catalog.template_names import imported
from scorespec.plan.parameters import literal

_IMPORTED = re.compile(r"""{%-?\s*(?:import|from|include|extends)\s+["']([^"']+)""")
HEADER = re.compile(r"\A\s*\{#-?(.*?)-?#\}", re.DOTALL)
_BLANK_LINES = re.compile(r"\n\s*\n")
NAME = re.compile(r"\{(\w+)\}")  # in the message of a document: stands for a value of a row


def quoted(name: str) -> str:
    """A name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def indented(sql: str) -> str:
    """SQL that is nested in parentheses, indented. It stays as it is when a text in it may extend over lines."""
    return sql if any(line.count("'") % 2 for line in sql.splitlines()) else indent(sql, "    ")


def comma_ended(names: Sequence[str]) -> str:
    """Identifiers, each followed by a comma, for use before other columns; '' for none."""
    return "".join(f"{quoted(name)}, " for name in names)


@dataclass(frozen=True)
class Reference:
    """A table or relation in a template; its text is its physical name.

    ``scope`` are its scope columns; ``given`` is False for an optional input that is not given. ``slices`` are the
    columns of a breakdown whose values the template reads one at a time. ``written`` collects the physical names of
    the references that a template writes.
    """

    physical: str
    scope: tuple[str, ...] = ()
    given: bool = True
    slices: tuple[str, ...] = ()
    written: set[str] | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        if self.written is not None:
            self.written.add(self.physical)
        return quoted(self.physical)


@dataclass(frozen=True)
class Setting:
    """A parameter in a template; its text is a typed literal, ``value`` is its value for ``{% if %}``."""

    value: Value

    def __str__(self) -> str:
        return literal(self.value)


def header(template: str) -> str:
    """The comment ``{# … #}`` at the start of a template, with a blank line between paragraphs; '' without one."""
    found = HEADER.match(template)
    paragraphs = _BLANK_LINES.split(found[1].strip()) if found else ()
    return "\n\n".join(" ".join(each.split()) for each in paragraphs)


def with_imports(template: SqlTemplate | str) -> list[str]:
    """The texts of a template and of all files that it imports, directly or not, as far as they can be read."""
    written = template if isinstance(template, SqlTemplate) else SqlTemplate("", template, shipped("sql"))
    found = {"": written.text}
    waiting = [written.text]
    while waiting:
        for name in _IMPORTED.findall(waiting.pop()):
            path = imported(written.home, name)
            if path and name not in found:
                found[name] = path.read_text(encoding="utf-8", errors="replace")
                waiting.append(found[name])
    return [found[name] for name in sorted(found)]


@cache
def shipped_sql(name: str) -> str:
    """The text of a template that ships."""
    return (shipped("sql") / name).read_text(encoding="utf-8")


@cache
def templates_in(folder: str) -> tuple[str, ...]:
    """The texts of the templates that ship in a folder, if there is such a folder."""
    return tuple(path.read_text(encoding="utf-8") for path in sorted((shipped("sql") / folder).glob("*.sql")))


# -- messages ----------------------------------------------------------------------------------------


def names_in(says: str) -> tuple[str, ...]:
    """The names in braces in a message, each once."""
    return tuple(dict.fromkeys(NAME.findall(says)))


def fill_message(says: str, values: Mapping[str, object]) -> str:
    """The message of a document with values instead of the names in braces."""
    parts = message_parts(says, values)
    return "".join(str(values[part]) if at % 2 else part for at, part in enumerate(parts))


def message_parts(says: str, names: Collection[str]) -> list[str]:
    """The text of a message and the names in braces, in turn: `rate {rate} Hz` is `rate `, `rate` and ` Hz`.

    The message is split before it is filled, so that braces in a value stay as they are.
    """
    return re.split(f"{{({'|'.join(map(re.escape, names))})}}", says) if names else [says]
