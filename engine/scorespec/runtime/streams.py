"""Runs a step; lets rows stream out of Python into DuckDB, of a reader or of a function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import duckdb
import pyarrow as pa

from scorespec.compiler.plan import Count, FedRows, Refused, Step
from scorespec.errors import SHOWN_PROBLEMS, Problems, RunError, SpecError
from scorespec.runtime.session import Session, telling


class Remembering:
    """Record batches that remember why they broke off: DuckDB turns any exception into one of its own."""

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
    def telling(self) -> Iterator[None]:
        """Raise what the batches raised in place of DuckDB's error about it."""
        try:
            yield
        except duckdb.Error:
            if self.error is not None and not isinstance(self.error, GeneratorExit):
                raise self.error from None
            raise


def batches_of(reader: Iterable[Any]) -> Iterator[Any]:
    """Record batches of a user's own; raises what ends the program where the user's code did.

    Arrow's streams turn any exception into one of Arrow's, whose last line names the first.
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
    """Make the table of a step; how many rows it has (0 for a view). What needs too much memory is done by one thread.

    Raises SpecError that names the step and its document, or RunError.
    """
    with telling(session, step.label, step.place):
        try:
            return _make(session, step)
        except duckdb.OutOfMemoryException:
            if session.limits.threads == 1:
                raise
            with session.one_thread():
                return _make(session, step)


def _make(session: Session, step: Step) -> int:
    with _fed_rows(session, step.fed, step.label, step.place) if step.fed else nullcontext():
        return session.make(step.physical, step.sql, step.place, view=step.view)


def explain_step(session: Session, step: Step) -> str:
    """How DuckDB makes the rows of a step, with what each operator took; they are made, and thrown away."""
    fed = _fed_rows(session, step.fed, step.label, step.place) if step.fed else nullcontext()
    with telling(session, step.label, step.place), fed:
        return session.explained(step.sql, step.place)


def run_count(session: Session, count: Count) -> str | None:
    """What a warning says of the rows that it counts; None when there are none."""
    with telling(session, "a warning", count.place):
        found, rows, *listed = session.row(count.sql)
    said = {"count": f"{found:,}", "rows": f"{rows:,}"}
    said |= {name: _listed(values or ()) for name, values in zip(count.columns, listed, strict=True)}
    return _filled(count.says, said) if found else None


def _listed(values: Sequence[str]) -> str:
    """Some values, and how many more there are."""
    more = len(values) - SHOWN_PROBLEMS
    return ", ".join(values[:SHOWN_PROBLEMS]) + (f" and {more:,} more" if more > 0 else "")


def _filled(says: str, values: Mapping[str, object]) -> str:
    """A message with values in place of the names in braces."""
    for name, value in values.items():
        says = says.replace(f"{{{name}}}", str(value))
    return says


def refused_rows(session: Session, refused: Refused, inputs: Mapping[str, str]) -> Problems:
    """Each row that ends the run, told as a problem; ``inputs`` are the inputs by name as messages show them."""
    with telling(session, "an error", refused.place):
        found = session.rows(refused.sql)
    problems = Problems(inputs.get(refused.input or "", refused.relation))
    for line, *values, _ in found:
        problems.add(line, _filled(refused.says, dict(zip(refused.columns, values, strict=True))))
    problems.add_all([], total=int(found[0][-1]) - len(found) if found else 0)
    return problems


def _queried(reader: Any) -> Iterator[Any]:
    """The rows of a query; an error of DuckDB that Arrow hands on as text is one of DuckDB again."""
    try:
        yield from reader
    except OSError as error:
        said = str(error)
        raise (duckdb.OutOfMemoryException if said.startswith("Out of Memory") else duckdb.Error)(said) from None


def _made_rows(rows: Iterator[Any], doing: str, place: str) -> Iterator[Any]:
    """The rows of a function; a value that it cannot work with is a fault of what the document feeds to it."""
    try:
        yield from rows
    except RunError as error:
        raise RunError(f"{doing}: {error}") from None
    except (ValueError, TypeError, ArithmeticError, LookupError) as error:
        raise SpecError(f"{doing}: {str(error).splitlines()[0] or type(error).__name__}", place) from error


@contextmanager
def _fed_rows(session: Session, fed: FedRows, doing: str, place: str) -> Iterator[None]:
    """Lets SQL read what functions make of a query's rows, while they stream through them."""
    with session.batches(fed.sql, lists=True) as reader:
        rows, schema = _queried(reader), reader.schema
        for function, settings in fed.calls:
            try:
                rows, schema = function.call(rows, schema, room=session.room, **settings), function.schema(schema)
            except ValueError as error:
                raise SpecError(f"{doing}: {error}", place) from None
        batches = Remembering(_made_rows(rows, doing, place))
        made = pa.RecordBatchReader.from_batches(schema, batches)
        with batches.telling(), session.reading(fed.name, made):
            yield
