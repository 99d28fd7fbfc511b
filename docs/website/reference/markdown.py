"""Parts of Markdown pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from scorespec.catalog.lookup import Catalog, Namespace
from scorespec.catalog.model import Column, Parameter
from scorespec.plan.parameters import show_value

Lines = Iterator[str]
LONG_VALUE = 60


def names(texts: Iterable[str]) -> str:
    """Names as code, separated by commas."""
    return ", ".join(f"`{text}`" for text in texts)


def pairs(written: Mapping[str, str]) -> str:
    """Names with the names to which they lead."""
    return ", ".join(f"`{name}`: `{other}`" for name, other in written.items())


def row(*cells: str) -> str:
    """A row of a table."""
    return f"| {' | '.join(cells)} |"


def table(head: Sequence[str], rows: Iterable[Iterable[str]]) -> Lines:
    """A table after a blank line, without the columns that are empty; nothing without rows."""
    found = [list(each) for each in rows]
    if found:
        kept = [index for index, _ in enumerate(head) if any(each[index] for each in found)]
        shown = ([each[index] for index in kept] for each in (list(head), ["---"] * len(found[0]), *found))
        yield from ("", *(row(*each) for each in shown), "")


def folded(summary: str, lines: Iterable[str]) -> Lines:
    """Lines that a click shows."""
    yield from ("<details>", f"<summary>{summary}</summary>", "", *lines, "", "</details>", "")


def cell(text: str) -> str:
    """Text in a cell: on one line, without the sign that ends the cell."""
    return " ".join(text.split()).replace("|", "\\|")


def first_sentence(text: str) -> str:
    """The first sentence of a definition."""
    return re.split(r"(?<=[.?!])\s+(?=[A-ZΑ-Ω`(])", " ".join(text.split()), maxsplit=1)[0]


def title(domain: str) -> str:
    """A domain in a heading."""
    return domain.replace("_", " ").capitalize()


def file(name: str) -> str:
    """The name of a page."""
    return name.replace("_", "-")


def of(catalog: Catalog, section: str, domain: str, suite: str = "") -> list[Any]:
    """The definitions of a section that belong to a suite of a domain, or to the whole domain."""
    return [catalog.definition(key) for key in catalog.keys(section) if (key.domain, key.suite) == (domain, suite)]


def columns(found: Iterable[Column]) -> Lines:
    """The columns of a table or relation."""
    yield from table(
        ("column", "type", "unit", "meaning"),
        ((f"`{each.name}`", each.type, each.unit or "", cell(each.about)) for each in found),
    )


def sources(cites: Iterable[str], names: Namespace, up: str = "") -> Lines:
    """Citations in full, with a link to the address of each."""
    for cite in cites:
        found = names.publication(cite)
        text = names.cited(cite)
        link = f" ([{found.name}]({up}bibliography.md#{found.name}))" if found else ""
        yield f"* source: {linked(text)}{link}"


def linked(text: str) -> str:
    """Text in which addresses are links."""
    return re.sub(r"https?://\S+", r"<\g<0>>", text)


def value(parameter: Parameter, found: Any, whole: bool = False) -> str:
    """A value of a parameter with its unit. Of a long list, the first entries."""
    text = show_value(tuple(found) if isinstance(found, list) else found).replace(",", ", ")
    if len(text) > LONG_VALUE and not whole:
        text = f"{text[:LONG_VALUE].rpartition(',')[0]}, … ({len(found)} entries)"
    return cell(f"{text} {parameter.unit or ''}")
