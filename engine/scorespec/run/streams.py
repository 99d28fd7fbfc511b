"""Runs a step; streams the rows of readers and Python functions into DuckDB."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from traceback import extract_tb
from types import CodeType
from typing import Any

import duckdb
import pyarrow as pa

from scorespec.errors import SHOWN_PROBLEMS, Code, Problems, RunError, ScorespecError, SpecError
from scorespec.plan.plan import Count, Refused, Step
from scorespec.plan.rendering.templates import fill_message
from scorespec.run.session import Session, error_context

PACKAGE = Path(__file__).parents[1]


class ErrorKeepingBatches:
    """Record batches that keep the exception which ends them: DuckDB turns every exception into one of its own."""

    def __init__(self, batches: Iterator[Any]) -> None:
        self._batches = batches
        self.error: BaseException | None = None

    def __iter__(self) -> Iterator[Any]:
        try:
            yield from self._batches
        except BaseException as error:
            self.error = error
            raise

    @contextmanager
    def raising_error(self) -> Iterator[None]:
        """Raise the exception that the batches raised, in place of DuckDB's error about it."""
        try:
            yield
        except duckdb.Error:
            if self.error is not None and not isinstance(self.error, GeneratorExit):
                raise self.error from None
            raise


def batches_of(reader: Iterable[Any]) -> Iterator[Any]:
    """Record batches of a user's object; raises KeyboardInterrupt and SystemExit where the user's code did.

    Arrow's streams turn every exception into one of Arrow's, whose last line names the original.
    """
    try:
        yield from reader
    except pa.ArrowException as error:
        name, _, said = str(error).strip().rpartition("\n")[2].partition(": ")
        for ending in (KeyboardInterrupt, SystemExit):
            if name == ending.__name__ and "Python exception" in str(error):
                raise ending(*[said] if said else []) from None
        raise


def run_step(session: Session, step: Step) -> int:
    """Make the table of a step; returns its number of rows (0 for a view).

    A step that runs out of memory is run again with one thread.

    Raises SpecError that names the step and its document, or RunError.
    """
    with error_context(session, step.label, step.place):
        try:
            return _make(session, step)
        except duckdb.OutOfMemoryException:
            if session.limits.threads == 1:
                raise
            with session.one_thread():
                return _make(session, step)


def _make(session: Session, step: Step) -> int:
    with _function_rows(session, step):
        return session.make(step.physical, step.sql, step.place, view=step.view)


def explain_step(session: Session, step: Step) -> str:
    """DuckDB's plan of a step, with the rows and seconds of each operator. The step is run; its rows are not kept."""
    with error_context(session, step.label, step.place), _function_rows(session, step):
        return session.explained(step.sql, step.place)


def counted(session: Session, count: Count) -> tuple[Any, ...]:
    """The numbers of counted rows and of all rows, and the values of each column of a warning."""
    with error_context(session, "a warning", count.place):
        return session.row(count.sql)


def count_message(count: Count, numbers: Sequence[Any]) -> str | None:
    """What a warning says of the rows that it :func:`counted`; None when there are none."""
    found, rows, *listed = numbers
    said = {"count": f"{found:,}", "rows": f"{rows:,}"}
    said |= {name: _listed(values or ()) for name, values in zip(count.columns, listed, strict=True)}
    return fill_message(count.says, said) if found else None


def _listed(values: Sequence[str]) -> str:
    """The first values, and the number of the others."""
    more = len(values) - SHOWN_PROBLEMS
    return ", ".join(values[:SHOWN_PROBLEMS]) + (f" and {more:,} more" if more > 0 else "")


def first_refused(session: Session, refused: Refused) -> list[tuple[Any, ...]]:
    """The first rows at fault of each part of an input; see :class:`.Refused`."""
    with error_context(session, "an error", refused.place):
        return session.rows(refused.sql)


def problems_of_rows(refused: Refused, found: Iterable[tuple[Any, ...]], of_input: Problems) -> list[Problems]:
    """The rows that end the run, which :func:`first_refused` found, as problems."""
    problems = []
    for _, of_part in groupby(found, key=itemgetter(0)):
        rows = list(of_part)
        files = {of_input.place(line)[0] for _, line, *_ in rows}
        problems.append(Problems(files.pop() if len(files) == 1 else of_input.source, files=of_input.files))
        for _, line, *values, _ in rows:
            said = fill_message(refused.says, dict(zip(refused.columns, values, strict=True)))
            problems[-1].add(line, said, Code.REFUSED)
        problems[-1].add_more(int(rows[0][-1]) - len(rows))
    return problems


def queried(reader: Any) -> Iterator[Any]:
    """The rows of a query; an error of DuckDB, of which Arrow only keeps the text, becomes an error of DuckDB again."""
    try:
        yield from reader
    except OSError as error:
        said = str(error)
        raise (duckdb.OutOfMemoryException if said.startswith("Out of Memory") else duckdb.Error)(said) from None


@contextmanager
def rows_of_all(session: Session, selects: Iterable[str]) -> Iterator[pa.RecordBatchReader]:
    """The rows of some SELECTs with the same columns, of one after another; there is at least one."""
    first, *others = selects
    with session.batches(first) as reader:

        def rows() -> Iterator[Any]:
            yield from queried(reader)
            for sql in others:
                with session.batches(sql) as next_reader:
                    yield from queried(next_reader)

        batches = ErrorKeepingBatches(rows())
        with batches.raising_error():
            yield pa.RecordBatchReader.from_batches(reader.schema, batches)


def _reporting_errors(rows: Iterator[Any], step: Step, codes: Sequence[CodeType]) -> Iterator[Any]:
    """The rows of functions; an error of Python is reported as a fault of the document that defines their input."""
    try:
        yield from rows
    except RunError as error:
        raise RunError(f"{step.label}: {error}") from None
    except (ScorespecError, MemoryError, duckdb.Error):  # of the query, or of the system
        raise
    except Exception as error:  # the code of a plugin may raise anything
        if (
            said := _said(error, [each for each in codes if not Path(each.co_filename).is_relative_to(PACKAGE)])
        ) is None:
            raise
        raise SpecError(f"{step.label}: {said}", step.place) from error


def _said(error: Exception, codes: Sequence[CodeType]) -> str | None:
    """What a function of a plugin raised, with the line of the plugin; the text of an error that the engine raised.

    ``codes`` are those of the plugins' functions. None for other errors.
    """
    text, frames = (str(error).splitlines() or [""])[0], extract_tb(error.__traceback__)
    folders = {Path(each.co_filename).parent for each in codes}
    places = [(each.co_filename, each.co_firstlineno) for each in codes[-1:]]
    places += [(each.filename, each.lineno or 0) for each in frames if Path(each.filename).parent in folders]
    if not places or (type(error) is ValueError and Path(frames[-1].filename).is_relative_to(PACKAGE)):
        known = isinstance(error, ValueError | TypeError | ArithmeticError | LookupError)
        return (text or type(error).__name__) if known else None
    file, line = places[-1]
    shown = Path(file).relative_to(Path.cwd()) if Path(file).is_relative_to(Path.cwd()) else file
    return f"{type(error).__name__}{f': {text}' if text else ''} ({shown}:{line})"


@contextmanager
def _function_rows(session: Session, step: Step) -> Iterator[None]:
    """Inside the block, SQL reads the result of the step's Python functions, whose rows stream through them."""
    chain = step.function_rows
    if chain is None:
        yield
        return
    with session.batches(chain.sql, lists=True) as reader:
        rows, schema = queried(reader), reader.schema
        for function, settings in chain.calls:
            try:
                called = function.call(rows, schema, room=session.room, **settings)
                rows, schema = called, function.schema(schema)
            except ValueError as error:
                raise SpecError(f"{step.label}: {error}", step.place) from None
        codes = [function.code for function, _ in chain.calls]
        batches = ErrorKeepingBatches(_reporting_errors(rows, step, codes))
        result = pa.RecordBatchReader.from_batches(schema, batches)
        with batches.raising_error(), session.reading(chain.name, result):
            yield
