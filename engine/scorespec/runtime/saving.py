"""Saves a finished run: into the results database that the user named, or beside it, so that it is never lost."""

from __future__ import annotations

import os
import secrets
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import duckdb

from scorespec.errors import RunError
from scorespec.runtime.adding import PENDING, add_runs, check_results, said
from scorespec.runtime.attaching import whole
from scorespec.runtime.folders import TemporaryFolder
from scorespec.runtime.results import MAIN, ResultsWriter, writing
from scorespec.runtime.session import Limits
from scorespec.terminal import complain

FOLDER = ".scorespec-run-"


class RunFile:
    """The results database of one run, in a temporary folder until it is added to the database ``results`` or closed.

    Raises RunError, before anything is scored, if runs cannot be added to ``results``.
    """

    def __init__(self, results: Path | None, schema: str, limits: Limits) -> None:
        self._results, self._schema, self._limits = results, schema, limits
        self._folders: list[TemporaryFolder] = []
        try:
            if results is not None:
                check_results(results, schema)
            # In the folder of the results, so that the file can become these.
            folder = limits.folder if results is None else Path(whole(results)).parent
            self._folders.append(TemporaryFolder(FOLDER, folder))
        except RunError as error:
            raise error if results is None else RunError(f"cannot write results to {results}: {error}") from None
        self.path: Path | None = None  # where the run is
        self._fault = ""  # why it is nowhere

    def write(self, fill: Callable[[ResultsWriter], None]) -> None:
        """Write the run; where its folder has no room, in the system's folder for temporary files.

        If both fail, :meth:`save` says so: the run has scores all the same.
        """
        try:
            self._write(fill)
        except (duckdb.Error, OSError, RunError) as error:
            self._fault = said(error, self._folders[0].path)
            self._folders.pop().close()  # half a file
            with suppress(duckdb.Error, OSError, RunError):
                self._folders.append(TemporaryFolder(FOLDER, None))
                self._write(fill)

    def _write(self, fill: Callable[[ResultsWriter], None]) -> None:
        path = self._folders[-1].path / "results.duckdb"
        with writing(path, self._schema, self._limits) as writer:
            fill(writer)
        self.path = path

    def save(self) -> None:
        """Add the run to the results, or keep it beside them. Raises RunError, which says how to add a kept run."""
        try:
            if self.path is None:
                raise RunError(self._fault)
            if self._results is not None:
                self._add(self.path, self._results)
                self.path = self._results
        except BaseException as error:
            message = self._keep(str(error) or "interrupted")
            if isinstance(error, RunError):
                raise RunError(message) from None
            complain(message)
            raise

    def _add(self, path: Path, results: Path) -> None:
        try:
            # The file appears as a whole, and never in the place of another that a process has made meanwhile.
            os.link(path, whole(results))
        except OSError:  # it is there, or its file system has no links
            add_runs(results, path, self._schema, self._limits)

    def _keep(self, fault: str) -> str:
        """Move the file beside the results, or into the system's folder for temporary files; what to say of it."""
        if self._results is None:
            return f"the evidence of the run could not be written: {fault}"
        told = f"the run could not be added to {self._results}: {fault}"
        name = f"{PENDING}{datetime.now():%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
        beside = self._results.with_name(self._results.name + name)
        self.path = self.path and _moved(self.path, [beside, Path(tempfile.gettempdir(), f"results.duckdb{name}")])
        if self.path is None:
            return f"{told}; there is no place to keep it, and only its scores are left"
        command = ["scorespec", "runs", "add", str(self._results), str(self.path)]
        command += [] if self._schema == MAIN else ["--schema", self._schema]
        return f"{told}; it is kept in {self.path}, and this adds it: {shlex.join(command)}"

    def close(self) -> None:
        """Remove what has not been added or kept."""
        for folder in self._folders:
            folder.close()


def _moved(path: Path, places: Iterable[Path]) -> Path | None:
    """Move a file to the first place that will have it; where it is then."""
    for place in places:
        try:
            shutil.move(path, place)
            return place
        except OSError:
            with suppress(OSError):
                place.unlink()  # half of the file, where a disk is full
    return None
