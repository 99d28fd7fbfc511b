"""The commands about the folder of `--reuse`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scorespec.cli.options import Format
from scorespec.core.terminal import say

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="the folder of --reuse")]


def list_(folder: Folder, format: Format = "table") -> None:
    """List the results that a folder keeps, the last used first."""
    from scorespec import api
    from scorespec.cli import printing as display

    display.check_format(format)
    display.print_rows(api.list_reuse(folder).to_reader(), format)


def clear(folder: Folder) -> None:
    """Remove all results that a folder keeps, and no other file."""
    from scorespec import api

    number, size = api.clear_reuse(folder)
    say(f"{number:,} results are removed, {size / 1e6:,.1f} MB")
