"""Finds the files that ship (``specs/`` and ``sql/``), and those that a document names."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def shipped(folder: str) -> Path:
    """The folder ``specs`` or ``sql``: inside the installed package (of a wheel), or at the top of the checkout."""
    installed = _PACKAGE / folder
    return installed if installed.is_dir() else _PACKAGE.parents[1] / folder


def file_below(folder: Path, name: str, *, links: bool = False) -> Path | None:
    """The file with this name below a folder; None if there is none, or if the name leads out of the folder.

    A symbolic link may lead out of the folder only with ``links``: installers may link the files that ship.
    """
    path = folder / name
    try:
        if ".." in path.parts or not path.is_relative_to(folder) or not path.is_file():
            return None
        return path if links or path.resolve().is_relative_to(folder.resolve()) else None
    except (OSError, ValueError, RuntimeError):  # too long, with a zero byte, or links that go round in circles
        return None
