"""Tiny corpora and submissions for ``scorespec demo``: one folder per suite, one file per input."""

from __future__ import annotations

from pathlib import Path

from scorespec.errors import UsageError, nearest

HERE = Path(__file__).parent


def example_inputs(suite: str) -> dict[str, Path]:
    """The example files of a suite by input: ``<folder of the suite>/<input>.<suffix>``.

    Raises UsageError for a suite without an example.
    """
    folders = {folder.name: folder for folder in HERE.iterdir() if folder.is_dir() and folder.name[0] != "_"}
    if suite not in folders:
        raise UsageError(f"no example for suite {suite!r}; {nearest(suite, folders)}")
    return {path.name.partition(".")[0]: path for path in sorted(folders[suite].iterdir())}
