"""What a function over rows is: its name, the columns and settings that it takes, and the columns of its result.

A function may read its rows in groups: rows that are adjacent, and agree in the columns that name the group.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from inspect import unwrap
from itertools import chain, pairwise
from types import CodeType
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from scorespec.core.arrays import (
    Ints,
    arrow_floats,
    arrow_ints,
    arrow_mask,
    arrow_texts,
    numpy_floats,
    numpy_ints,
    numpy_mask,
)
from scorespec.errors import RunError

TEXT, WHOLE, NUMBER, TRUTH = "VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN"
SEQUENCE, CHANNELS = "DOUBLE[]", "DOUBLE[][]"
ARROW_TYPES = {
    TEXT: pa.string(),
    WHOLE: pa.int64(),
    NUMBER: pa.float64(),
    TRUTH: pa.bool_(),
    SEQUENCE: pa.list_(pa.float64()),
    CHANNELS: pa.list_(pa.list_(pa.float64())),
}
FINITE = float(np.finfo(np.float64).max)
AMPLE = 2**62
SUMMED = 2**53  # whole numbers up to this are exact as DOUBLE, and can be summed


class InputColumn(NamedTuple):
    """A column of the input of a function: the types that it may have (``kinds``), and the limits of its numbers.

    An input may lack an ``optional`` column.
    """

    name: str
    kinds: tuple[str, ...]
    nullable: bool = False
    least: float = -np.inf
    most: float = np.inf
    optional: bool = False


class FunctionSetting(NamedTuple):
    """A setting of a function: its type, the limits of its numbers, and whether it may be None."""

    kind: str = NUMBER
    least: float = -np.inf
    most: float = np.inf
    nullable: bool = False


class FunctionExample(NamedTuple):
    """Rows to show what a function does: the values of each column, and those of the settings."""

    columns: Mapping[str, Sequence[Any]]
    settings: Mapping[str, Any] = {}


FunctionSettings = Mapping[str, FunctionSetting]
_PYTHON: Mapping[str, tuple[type, ...]] = {
    WHOLE: (int,),
    NUMBER: (int, float),
    TRUTH: (bool,),
    TEXT: (str,),
    "VARCHAR[]": (tuple, list),
}


@dataclass(frozen=True)
class RelationFunction:
    """A function over the rows of a query, whose result is rows again.

    ``rows(batches, schema, **settings)`` is a generator: it takes an iterator of Arrow record batches and their schema,
    and yields record batches. Its name is the name of the function in documents. ``result(schema)`` is the schema of
    what ``rows`` yields. ``columns`` are the columns that the input must have. ``settings`` are the keyword arguments
    of ``rows``, which relations fill from their parameters.

    With ``grouped``, all other columns of the input name groups: the rows of a group stand together, and ``rows`` is
    also given ``room``, the bytes of memory that the rows of one group may take.

    A function that ships is ``promised`` if documents of others may use it: its name, columns and rows stay. Every
    other one serves the relations that ship, and changes with them.
    """

    about: str
    rows: Callable[..., Iterator[Any]]
    result: Callable[[Any], Any]
    columns: Sequence[InputColumn] | Callable[[Any], Sequence[InputColumn]]
    settings: FunctionSettings = field(default_factory=dict)
    grouped: bool = True
    promised: bool = False
    example: FunctionExample | None = None

    @property
    def name(self) -> str:
        """The name of the function in documents."""
        return self.rows.__name__

    @property
    def code(self) -> CodeType:
        """The code of the function that its author wrote."""
        return cast(CodeType, unwrap(self.rows).__code__)

    def schema(self, input_schema: Any) -> Any:
        """The columns of the result for an input with these columns. Raises ValueError where they do not fit."""
        return self.result(self._checked(input_schema)[1])

    def call(self, batches: Iterator[Any], input_schema: Any, *, room: int = AMPLE, **settings: Any) -> Iterator[Any]:
        """The rows of the result; ``room`` is how many bytes of memory the rows of a group may take.

        Raises ValueError for columns, values or parameters that do not fit, RunError for a group that is too large.
        """
        self._check_settings(settings)
        columns, schema = self._checked(input_schema)
        given = {"room": room} if self.grouped else {}
        return _quiet(self.rows(self._checked_rows(columns, batches, schema), schema, **settings, **given))

    def _check_settings(self, values: Mapping[str, Any]) -> None:
        """Raise ValueError for a value that a setting cannot have."""
        for name, setting in self.settings.items():
            value = values[name]
            if value is None and setting.nullable:
                continue
            if not isinstance(value, _PYTHON[setting.kind]) or isinstance(value, bool) != (setting.kind == TRUTH):
                raise ValueError(f"function {self.name} takes {name!r} as {setting.kind}; it is {value!r}")
            if isinstance(value, int | float) and not setting.least <= value <= setting.most:
                limits = f"between {setting.least:g} and {setting.most:g}"
                raise ValueError(f"function {self.name} takes {name!r} {limits}; it is {value!r}")

    def _checked(self, input_schema: pa.Schema) -> tuple[Sequence[InputColumn], pa.Schema]:
        """The columns that the input must have, and its schema after they are cast to the types that they must have.

        Raises ValueError for a column that is missing, there twice, or of another type. With ``grouped``, the other
        columns are those of the group; their values must be comparable.
        """
        it = f"the input of {self.name} has"
        for name in input_schema.names:
            if input_schema.names.count(name) > 1:
                raise ValueError(f"{it} more than one column {name!r}")
        try:
            columns = self.columns(input_schema) if callable(self.columns) else self.columns
        except ValueError as error:
            raise ValueError(f"{it} {error}") from None
        columns = [column for column in columns if not column.optional or column.name in input_schema.names]
        known = {column.name: column for column in columns}
        if missing := [name for name in known if name not in input_schema.names]:
            raise ValueError(f"{it} no column {missing[0]!r}")
        fields = []
        for given in input_schema:
            column = known.get(given.name)
            kind = given.type if column is None else _kind(column, given.type)
            if kind is None or (column is None and self.grouped and not _can_be_compared(kind)):
                wanted = (
                    " or ".join(column.kinds) if column else "of a type that can be compared, as a column of the group"
                )
                raise ValueError(f"{it} {given.name!r} as {sql_type(given.type)}; it must be {wanted}")
            fields.append(pa.field(given.name, kind))
        return columns, pa.schema(fields)

    def _checked_rows(
        self, columns: Sequence[InputColumn], batches: Iterator[pa.RecordBatch], schema: pa.Schema
    ) -> Iterator[pa.RecordBatch]:
        """The rows, cast to the schema that :meth:`_checked` returned.

        Raises ValueError for a value that the function cannot take: NULL, NaN, or one beyond the limits of its column.
        """
        row = 1
        for batch in batches:
            arrays = dict(zip(schema.names, batch.columns, strict=True))
            for column in columns:
                kind = schema.field(column.name).type
                try:
                    arrays[column.name] = values = arrays[column.name].cast(kind)
                except pa.ArrowInvalid as error:
                    reason = f"has a value in column {column.name!r} that does not fit into {sql_type(kind)}"
                    raise ValueError(f"the input of {self.name} {reason}: {str(error).lower()}") from None
                if found := _fault(column, values):
                    at, value, wanted = found
                    raise ValueError(
                        f"the input of {self.name} has {value} in column {column.name!r} (row {row + at:,}){wanted}"
                    )
            yield pa.RecordBatch.from_arrays(list(arrays.values()), schema=schema)
            row += batch.num_rows


def _quiet(rows: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The rows, without numpy's warnings about numbers that are too large: functions report these as faults of rows."""
    while True:
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            batch = next(rows, None)
        if batch is None:
            return
        yield batch


def _can_be_compared(kind: pa.DataType) -> bool:
    none = pa.nulls(0, kind)
    try:
        pc.not_equal(none, none)
    except pa.ArrowNotImplementedError:  # raised for lists, structs and intervals; Arrow offers no other test
        return False
    return True


def _kind(column: InputColumn, found: pa.DataType) -> pa.DataType | None:
    """The type to which a column is cast; None if it has a type that is not allowed."""
    depth = 0
    while pa.types.is_list(found):
        depth, found = depth + 1, found.value_type
    for kind in column.kinds:
        if kind.count("[]") == depth and (pa.types.is_floating(found) if depth else _is(kind, found)):
            return ARROW_TYPES[kind]
    return None


def _is(kind: str, found: pa.DataType) -> bool:
    types = pa.types
    is_whole = types.is_integer(found) or (types.is_decimal(found) and found.scale == 0)
    are = {
        TEXT: types.is_string(found) or types.is_large_string(found),
        WHOLE: is_whole,
        NUMBER: is_whole or types.is_floating(found) or types.is_decimal(found),
        TRUTH: types.is_boolean(found),
    }
    return bool(are.get(kind))


def sql_type(found: pa.DataType) -> str:
    """The type of a column as SQL names it."""
    if pa.types.is_list(found):
        return f"{sql_type(found.value_type)}[]"
    return next((name for name, kind in ARROW_TYPES.items() if kind == found), str(found).upper())


def _fault(column: InputColumn, values: pa.Array) -> tuple[int, str, str] | None:
    """The index of the first value that a column may not have, the value, and a text that says what it must be."""
    if values.null_count and not column.nullable:
        return int(np.argmax(numpy_mask(values.is_null()))), "NULL", ""
    if not pa.types.is_integer(values.type) and not pa.types.is_floating(values.type):
        return None
    present = values.drop_null()
    numbers = numpy_ints(present) if pa.types.is_integer(values.type) else numpy_floats(present)
    good = (numbers >= column.least) & (numbers <= column.most)
    if good.all():
        return None
    at = int(np.argmin(good))
    place = int(numpy_ints(pc.indices_nonzero(values.is_valid()))[at])
    return place, str(present[at].as_py()), f"; it must be between {column.least:g} and {column.most:g}"


BATCH_ROWS = 200_000
Arrays = TypeVar("Arrays", bound=tuple[Any, ...])


def check_room(needed: float, room: int, what: str) -> None:
    """Raise RunError, before memory is taken, if ``what`` needs more bytes than a group may have."""
    if needed > room:
        raise RunError(
            f"{what} needs about {needed / 1e6:,.0f} MB at once, more than the memory limit of {room / 1e6:,.0f} MB; "
            "raise --memory-limit"
        )


def result_schema(
    input_schema: pa.Schema, columns: Collection[str], added: Iterable[tuple[str, pa.DataType]]
) -> pa.Schema:
    """The columns of the group, which are those of the input without ``columns``, then those that are ``added``."""
    group = [input_schema.field(name) for name in input_schema.names if name not in columns]
    return pa.schema([*group, *added])


def result_batch(table: pa.Table, rows: Ints, added: Iterable[pa.Array], schema: pa.Schema) -> pa.RecordBatch:
    """Rows of the result: the columns of the group from these rows of the input, then those that are ``added``."""
    arrays = list(added)
    group = table.select(schema.names[: len(schema) - len(arrays)]).take(arrow_ints(rows))
    return pa.RecordBatch.from_arrays([*(column.combine_chunks() for column in group.columns), *arrays], schema=schema)


def in_large_batches(found: Iterator[Arrays]) -> Iterator[Arrays]:
    """Tuples of arrays with a value per row, joined: a batch of few rows costs as much time as one of thousands."""
    held: list[Arrays] = []
    rows = 0
    for arrays in found:
        held.append(arrays)
        rows += len(arrays[0])
        if rows > BATCH_ROWS:
            yield _joined(held)
            held, rows = [], 0
    if held:
        yield _joined(held)


def _joined(batches: Sequence[Arrays]) -> Arrays:
    return tuple(map(np.concatenate, zip(*batches, strict=True)))  # type: ignore[return-value]  # as many arrays


def whole_groups(
    batches: Iterator[pa.RecordBatch],
    input_schema: pa.Schema,
    group: Sequence[str],
    room: int,
    row_factor: int,
    at_once: int = 1,
) -> Iterator[tuple[pa.Table, Ints]]:
    """The rows in tables of whole groups, with the index at which each group starts, and the number of rows.

    A table has at least ``at_once`` rows, if a quarter of the ``room`` is enough for it. Raises RunError for a group
    that needs more than ``room`` bytes: ``row_factor`` bytes for each byte of its rows.
    """
    held: list[pa.RecordBatch] = []
    whole = 0  # rows of the whole groups in it
    for batch in batches:
        if not batch.num_rows:
            continue
        rows, size = sum(each.num_rows for each in held), sum(each.nbytes for each in held)
        check_room(row_factor * size, room, f"a group of more than {rows:,} rows")
        held.append(batch)
        # The rows of the batch, with the row before them.
        edge = pa.Table.from_batches([*(each.slice(each.num_rows - 1) for each in held[-2:-1]), batch], input_schema)
        if len(starts := group_starts(edge, group)) > 2:
            whole = rows + batch.num_rows - edge.num_rows + int(starts[-2])
        if whole >= at_once or (whole and 4 * row_factor * (size + batch.nbytes) > room):
            table = pa.Table.from_batches(held, input_schema)
            yield table[:whole], group_starts(table[:whole], group)
            held, whole = table[whole:].to_batches(), 0
    if held:
        table = pa.Table.from_batches(held, input_schema)
        yield table, group_starts(table, group)


def group_starts(table: pa.Table | pa.RecordBatch, group: Sequence[str]) -> Ints:
    """The index of the first row of each group, then the number of rows."""
    starts = [np.array([0, table.num_rows])]
    for name in group:
        column = table[name]
        column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        one, other = column[1:], column[:-1]
        differ = pc.not_equal(one, other)
        if differ.null_count:  # NULL equals NULL, as in GROUP BY
            differ = pc.if_else(differ.is_null(), pc.xor(one.is_null(), other.is_null()), differ)
        starts.append(numpy_ints(pc.indices_nonzero(differ)) + 1)
    return np.unique(np.concatenate(starts))


# -- functions over one group ------------------------------------------------------------------------

ROW_FACTOR = 20  # bytes of Python objects for each byte of a row
_ARRAYS: Mapping[str, Callable[[Sequence[Any]], pa.Array]] = {
    TEXT: arrow_texts,
    WHOLE: lambda values: arrow_ints(np.array(values, np.int64)),
    NUMBER: lambda values: arrow_floats(np.array(values, np.float64), np.array([each is not None for each in values])),
    TRUTH: lambda values: arrow_mask(np.array(values, np.bool_)),
}


def group_function(
    call: Callable[..., Mapping[str, Sequence[Any]]],
    *,
    about: str,
    columns: Sequence[InputColumn],
    result: Mapping[str, str],
    settings: FunctionSettings | None = None,
    example: FunctionExample | None = None,
) -> RelationFunction:
    """A function over rows that calls ``call(group, **settings)`` once for each group of rows.

    ``group`` maps each name in ``columns`` to the list of its values in the rows of the group, in order. ``call``
    returns the values of the columns in ``result``, which maps their names to ``VARCHAR``, ``BIGINT``, ``DOUBLE`` or
    ``BOOLEAN``: any number of rows, but equally many values for each column. In a ``VARCHAR`` or ``DOUBLE``, None is
    NULL. All other columns of the input name the group. The result has the columns of the group, then those of
    ``result``.

    The function is known by the name of ``call``. `scorespec show` prints its result for the rows of ``example``. An
    error that ``call`` raises ends the run with its type, its text and the line that raised it.
    """
    names = [column.name for column in columns]

    def schema_of(input_schema: pa.Schema) -> pa.Schema:
        return result_schema(input_schema, names, [(name, ARROW_TYPES[kind]) for name, kind in result.items()])

    @wraps(call, assigned=("__name__",))
    def rows(
        batches: Iterator[pa.RecordBatch], input_schema: pa.Schema, *, room: int, **given: Any
    ) -> Iterator[pa.RecordBatch]:
        schema = schema_of(input_schema)
        group = [name for name in input_schema.names if name not in names]
        wanted = ", ".join(f"{name} ({kind})" for name, kind in result.items())
        for table, starts in whole_groups(batches, input_schema, group, room, ROW_FACTOR):
            columns = {name: table[name].to_pylist() for name in names}
            found = [
                call({name: column[start:end] for name, column in columns.items()}, **given)
                for start, end in pairwise(starts.tolist())
            ]
            try:
                arrays = [_ARRAYS[kind](list(chain(*(each[name] for each in found)))) for name, kind in result.items()]
                counts, *others = ([len(each[name]) for each in found] for name in result)
                if any(each != counts for each in others):
                    raise ValueError("the columns have different numbers of values")
            except (ValueError, TypeError, ArithmeticError, LookupError) as error:
                raise TypeError(f"{call.__name__} must return the columns {wanted}: {error!r}") from error
            yield result_batch(table, np.repeat(starts[:-1], counts), arrays, schema)

    return RelationFunction(about, rows, schema_of, columns, settings or {}, example=example)
