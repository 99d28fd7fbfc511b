"""Lines of text: headings, and tables of names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Lines = Iterator[str]
INDENT = "  "


def block(heading: str, lines: Iterable[str]) -> Lines:
    """Lines below a heading; nothing when there are no lines."""
    lines = list(lines)
    if heading and lines:
        yield f"{INDENT}{heading}:"
    yield from (f"{INDENT}{INDENT if heading else ''}{line}".rstrip() for line in lines)


def headed(head: str, lines: Iterable[str]) -> str:
    """A text whose first line is ``head``, with the other lines indented."""
    return "\n".join([head, *(f"{INDENT}{line}".rstrip() for line in lines)])


def singular(section: str) -> str:
    """What one definition of a section is called: ``reference point`` of ``reference_points``."""
    return section.removesuffix("s").replace("_", " ")


def table(rows: Iterable[tuple[str, str]]) -> Lines:
    """Names and what they mean, in two columns."""
    rows = list(rows)
    width = max((len(name) for name, _ in rows), default=0)
    return (f"{name:<{width}}  {meaning}".rstrip() for name, meaning in rows)
