"""Saves a finished run in the results database that the user named, or beside it if that fails."""

from __future__ import annotations

import os
import secrets
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import duckdb

from scorespec.core.result_tables import MAIN, ONLY_RUN
from scorespec.core.terminal import complain
from scorespec.errors import RunError
from scorespec.results.adding import PENDING, add_runs, check_results
from scorespec.results.schema import check_schema
from scorespec.results.writing import ResultsWriter, writing
from scorespec.run.attaching import reason, whole
from scorespec.run.folders import TemporaryFolder
from scorespec.run.limits import Limits

FOLDER = ".scorespec-run-"
NAME = "results.duckdb"


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
            check_schema(schema)
            # In the folder of the results, so that the file can be linked under their name.
            folder = limits.folder if results is None else Path(whole(results)).parent
            self._folders.append(TemporaryFolder(FOLDER, folder))
        except RunError as error:
            raise error if results is None else RunError(f"cannot write results to {results}: {error}") from None
        self.path: Path | None = None  # of the database that has the run
        self.number = ONLY_RUN  # of the run in that database
        self._fault = ""  # why there is no such database

    def write(self, fill: Callable[[ResultsWriter], None], spill: Path) -> None:
        """Write the run to its folder or, if that has no room, to the system's folder for temporary files.

        DuckDB spills into the folder ``spill``, which is removed even if the process is killed.
        If both fail, :meth:`save` raises the error: the run still has scores to print.
        """

        def make(path: Path) -> None:
            with writing(path, self._schema, replace(self._limits, folder=spill)) as writer:
                fill(writer)

        self._make(make)

    def receive(self, database: bytes | str) -> None:
        """Take a run that another process wrote: its database, or why there is none."""
        if isinstance(database, str):
            self._fault = database
        else:
            self._make(lambda path: path.write_bytes(database))

    def handed_over(self) -> bytes | str:
        """What :meth:`receive` takes in another process."""
        return self._fault if self.path is None else self.path.read_bytes()

    def _make(self, make: Callable[[Path], object]) -> None:
        try:
            self.path = self._made(make)
        except (duckdb.Error, OSError, RunError) as error:
            self._fault = reason(error, self._folders[0].path)
            self._folders.pop().close()  # half a file
            with suppress(duckdb.Error, OSError, RunError):
                self._folders.append(TemporaryFolder(FOLDER, None))
                self.path = self._made(make)

    def _made(self, make: Callable[[Path], object]) -> Path:
        path = self._folders[-1].path / NAME
        make(path)
        return path

    def save(self) -> None:
        """Add the run to the results, or keep it beside them. A RunError says how to add a run that was kept."""
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
            # A link appears at once, and never replaces a file that another process has made in the meantime.
            os.link(path, whole(results))
        except OSError:  # the results exist, or their file system has no links
            (self.number,) = add_runs(results, path, self._schema, self._limits)

    def _keep(self, fault: str) -> str:
        """Move the file beside the results, or into the system's folder for temporary files; returns the message."""
        if self._results is None:
            return f"the evidence of the run could not be written: {fault}"
        failed = f"the run could not be added to {self._results}: {fault}"
        name = f"{PENDING}{datetime.now():%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"
        beside = self._results.with_name(self._results.name + name)
        self.path = self.path and self._moved(self.path, [beside, Path(tempfile.gettempdir(), beside.name)])
        if self.path is None:
            return f"{failed}; there is no place to keep it, and only its scores are left"
        command = ["scorespec", "runs", "add", str(self._results), str(self.path)]
        command += [] if self._schema == MAIN else ["--schema", self._schema]
        return f"{failed}; it is kept in {self.path}, and this adds it: {shlex.join(command)}"

    def _moved(self, path: Path, places: Iterable[Path]) -> Path | None:
        """Move the run to the first place where that works; returns the place, None if all fail."""
        for place in places:
            try:
                shutil.move(path, place)
                return place
            except OSError:
                with suppress(OSError):
                    place.unlink()  # half of the file, where a disk is full
        return None

    def close(self) -> None:
        """Remove the temporary folders; a run that was neither added nor kept is lost."""
        for folder in self._folders:
            folder.close()
