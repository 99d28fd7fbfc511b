"""Finds what ships beside the code: ``specs/`` and ``sql/``, in a wheel and in a checkout alike."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def shipped(folder: str) -> Path:
    """The folder ``specs`` or ``sql``: inside the installed package, or at the top of the checkout."""
    installed = _PACKAGE / folder
    return installed if installed.is_dir() else _PACKAGE.parents[1] / folder
