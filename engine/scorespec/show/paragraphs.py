"""Lines of text below headings."""

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
