"""Finds the columns of a source by name, and casts them to the types of a table; reports values that do not fit."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from glob import escape
from pathlib import Path

import pyarrow as pa

from scorespec.catalog.model import Column, Table
from scorespec.core.groups import grouped
from scorespec.errors import SHOWN_PROBLEMS, Code, InputError, Problems, bad_input
from scorespec.formats.format import TRUTH, TRUTH_VALUES, convert
from scorespec.plan.parameters import literal, text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.sources import Source
from scorespec.run.session import Session

ARROW_TYPES = {
    "VARCHAR": pa.string(),
    "DOUBLE": pa.float64(),
    "BIGINT": pa.int64(),
    "INTEGER": pa.int64(),
    "BOOLEAN": pa.bool_(),
}


def named(source: Source, found: Iterable[str]) -> list[tuple[str, str]]:
    """The columns of a source: the name of each in the table, and its name in the source.

    A column whose name is given to another column is left out. Raises InputError if a column that the user maps is
    absent, or if a column that folders fill is also in the file.
    """
    names = list(found)
    problems = Problems(source.shown)
    for ours, theirs in source.columns.items():
        if theirs not in names:
            said = f"no column {theirs!r} to be read as {ours!r} (it has: {', '.join(names)})"
            problems.add(None, said, Code.MISSING_COLUMN, ours)
    for key in source.filled:
        if any(name.lower() == key.lower() for name in names):
            said = f"{key!r} is a column of the file and also a key of its folder; remove one of them"
            problems.add(None, said, Code.REPEATED_COLUMN, key)
    if problems:
        raise InputError([problems])
    taken = {name.lower() for name in source.columns}
    mapped = {theirs: ours for ours, theirs in source.columns.items()}
    return [(mapped.get(name, name), name) for name in names if name in mapped or name.lower() not in taken]


def arranged(source: Source, rows: str, found: Iterable[str], *kept: str) -> str:
    """The SQL of ``rows`` with the names of the table, the columns that folders fill, and the columns ``kept``."""
    if not source.columns and not source.filled:
        return rows
    selected = [f"{quoted(theirs)} AS {quoted(ours)}" for ours, theirs in named(source, found)]
    selected += [f"{value} AS {quoted(key)}" for key, value in key_values(source).items()]
    return f"(SELECT {', '.join((*kept, *selected))} FROM {rows})"


def key_values(source: Source) -> dict[str, str]:
    """The SQL of the value of each column that folders fill. Raises InputError for a value of another type."""
    return {name: _key_value(source, name, text) for name, text in source.filled.items()}


def _key_value(source: Source, name: str, text: str | None) -> str:
    kind = next(column.type for column in source.table.columns if column.name == name)
    if text is None:
        return f"NULL::{kind}"
    if kind not in ARROW_TYPES:
        raise bad_input(
            source.shown, f"column {name!r} is {kind}; no name of a folder can fill it", code=Code.WRONG_TYPE
        )
    values, bad = convert(pa.array([text]), ARROW_TYPES[kind])
    if bad is not None:
        said = f"column {name!r} is {kind}, and the name of the folder has {text!r}"
        raise bad_input(source.shown, said, code=Code.WRONG_TYPE)
    return f"{literal(values[0].as_py())}::{kind}"


NUMBERS = ("DOUBLE", "FLOAT", "DECIMAL", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT",
           "USMALLINT", "UINTEGER", "UBIGINT")  # fmt: skip
WHOLE = tuple(name for name in NUMBERS if name not in ("DOUBLE", "FLOAT"))
LONG = ("BIGINT", "UBIGINT", "HUGEINT")  # types of whole numbers that other types of numbers may not hold
LARGEST = {"DOUBLE": 2**53, "BIGINT": 2**63 - 1, "INTEGER": 2**31 - 1}  # up to this, the type holds all whole numbers
FROM_FLOAT = "::VARCHAR::DOUBLE"  # how a number of single precision is read
NULLS = '"NULL"'  # the type of a column without values


def check_names(shown: str, table: Table, names: Iterable[str]) -> None:
    """Raise InputError if two columns of the source have the name of one column of the table, in whatever case."""
    written = grouped((name.lower(), name) for name in names)
    problems = Problems(shown)
    for column in table.columns:
        found = written.get(column.name.lower(), [])
        if len(found) > 1:
            exact = Counter(found).most_common(1)[0]
            twice = f"there is more than one column {exact[0]!r}"
            cases = f"the columns {' and '.join(map(repr, found))} differ only in case"
            problems.add(None, twice if exact[1] > 1 else cases, Code.REPEATED_COLUMN, column.name)
    if problems:
        raise InputError([problems])


def parquet_types(session: Session, source: Source, scan: str, path: Path) -> tuple[dict[str, str], str]:
    """The columns of a Parquet file with the types that DuckDB gives them, and the SQL that reads these columns.

    Columns have the names of the table. Raises InputError if two have one name: DuckDB would number them.
    """
    file = text_literal(escape(str(path)))
    names = list(_top(session.rows(f"SELECT name, num_children FROM parquet_schema({file})")))
    columns = named(source, names)
    check_names(source.shown, source.table, [ours for ours, _ in columns])
    scan = arranged(source, scan, names, "file_row_number")
    types = {str(name): str(kind) for name, kind, *_ in session.rows(f"DESCRIBE FROM {scan}")}
    types.pop("file_row_number", None)
    # Parquet has no durations: DuckDB reads the whole numbers that stand for them.
    for (kept,) in session.rows(f"SELECT value FROM parquet_kv_metadata({file}) WHERE key = 'ARROW:schema'"):
        schema = pa.ipc.read_schema(pa.BufferReader(base64.b64decode(kept)))
        durations = {field.name: str(field.type).upper() for field in schema if pa.types.is_duration(field.type)}
        types |= {ours: durations[theirs] for ours, theirs in columns if theirs in durations}
    return types, scan


def _top(elements: list[tuple[str, int | None]]) -> Iterator[str]:
    """The names of the top-level columns. The elements of a Parquet schema list each column before its children."""
    inside = 0
    for name, children in elements[1:]:
        if not inside:
            yield name
        inside += (children or 0) - (1 if inside else 0)


def cast_columns(shown: str, columns: Iterable[Column], types: Mapping[str, str]) -> str:
    """The SQL that casts the columns of a source to those of a table. Raises InputError for types that do not fit.

    A value that would lose digits, or is neither true nor false, becomes NULL. :func:`leave_out_misfits` finds the
    original in a column next to it.
    """
    problems = Problems(shown)
    selected, missing, columns = [], [], [*columns]
    for column in columns:
        name, found = quoted(column.name), types.get(column.name)
        if found is None:
            if not column.nullable:
                missing.append(column.name)
            selected.append(f"NULL::{column.type} AS {name}")
        elif column.booleans and found == "BOOLEAN":
            yes, no = map(text_literal, column.booleans)
            selected.append(f"CASE {name} WHEN true THEN {yes} WHEN false THEN {no} END AS {name}")
        elif column.undeclared and found in NUMBERS:
            selected.append(f"{name}::VARCHAR AS {name}")
        elif not (_fits(found, column.type) or (found == NULLS and column.nullable)):
            said = f"column {column.name!r} is {found}; it must be {column.type}"
            problems.add(None, said, Code.WRONG_TYPE, column.name)
        elif found == "FLOAT" and column.type == "DOUBLE":
            # Single precision holds 0.03 as 0.0299999993, another number, which could decide ties of times. So it is
            # read as the shortest decimal that it stands for, as it would be from text.
            selected.append(f"{name}{FROM_FLOAT} AS {name}")
        elif may_misfit(found, column.type):
            selected += [f"{_fitting(name, found, column.type)} AS {name}", f"{name} AS {_given(column)}"]
        else:
            selected.append(f"{name}::{column.type} AS {name}")
    problems.lack_columns(None, missing, types, [column.name for column in columns])
    if problems:
        raise InputError([problems])
    return ", ".join(selected)


def _fits(found: str, wanted: str) -> bool:
    """Whether values of one type can be read as another, apart from numbers that are too large or have decimals."""
    base = found.partition("(")[0]
    match wanted:
        case "VARCHAR":
            return "[" not in found and base not in ("STRUCT", "MAP", "BLOB", "DOUBLE", "FLOAT")
        case "DOUBLE":
            return base in NUMBERS and "[" not in found
        case "BIGINT" | "INTEGER":
            return base in WHOLE and "[" not in found
        case "BOOLEAN":
            return base in ("BOOLEAN", "VARCHAR", "ENUM", "DOUBLE", "FLOAT", *WHOLE) and "[" not in found
        case _:
            lists = 0 if base.startswith("DURATION[") else found.count("[")  # there the brackets have a unit
            return found == wanted or lists == wanted.count("[") > 0


def may_misfit(found: str, wanted: str) -> bool:
    """Whether a type has values that another has not: larger numbers, decimals, texts other than truth values."""
    if wanted == "BOOLEAN":
        return found not in (wanted, NULLS)
    base, _, digits = found.partition("(")
    is_whole = base in LONG or (base == "DECIMAL" and (digits.endswith(",0)") or wanted != "DOUBLE"))
    return is_whole and wanted in LARGEST and found != wanted


def _fitting(name: str, found: str, wanted: str) -> str:
    """The SQL of a value in another type; NULL if it does not fit."""
    if wanted == "BOOLEAN":
        cases = (
            f"WHEN lower({name}::VARCHAR) IN ({', '.join(map(text_literal, texts))}) THEN {value}"
            for value, texts in TRUTH_VALUES.items()
        )
        return f"CASE {' '.join(cases)} END"
    return f"if({_bounded(name, found, wanted)}, {name}, NULL)::{wanted}"


def _bounded(name: str, found: str, wanted: str) -> str:
    most = LARGEST[wanted]
    bounds = f"BETWEEN {-most - (wanted != 'DOUBLE')} AND {most}"
    if found.startswith("DECIMAL") and not found.endswith(",0)"):
        return f"trunc({name})::HUGEINT {bounds} AND {name} = trunc({name})"
    return f"{name} {bounds}"


def _given(column: Column) -> str:
    """The name of the column with the original values."""
    return quoted(f"{column.name} as given")


def misfits_of(columns: Iterable[Column], types: Mapping[str, str]) -> list[Column]:
    """The columns in which a value may not fit."""
    return [each for each in columns if each.name in types and may_misfit(types[each.name], each.type)]


def report_misfits(session: Session, rows: str, columns: Collection[Column], problems: Problems) -> None:
    """Add a problem for each value among ``rows`` (SQL) that does not fit its column."""
    reasons = {"DOUBLE": "has more digits than DOUBLE keeps", "BOOLEAN": f"is not {TRUTH}"}
    for column in columns:
        given, name = _given(column), quoted(column.name)
        wrong = f"FROM {rows} WHERE {name} IS NULL AND {given} IS NOT NULL"
        found = session.rows(f"SELECT line, {given}::VARCHAR {wrong} ORDER BY line LIMIT {SHOWN_PROBLEMS}")
        reason = reasons.get(column.type, f"does not fit into {column.type}")
        messages = [(line, f"{column.name} {reason}: {value}") for line, value in found]
        total = int(session.row(f"SELECT count(*) {wrong}")[0]) if found else 0
        code = Code.NOT_A_BOOLEAN if column.type == "BOOLEAN" else Code.OUT_OF_RANGE
        problems.add_all(messages, total, code, column.name)


def leave_out_misfits(session: Session, table: str, columns: Collection[Column], problems: Problems) -> None:
    """Report the values of a table that do not fit; drop their rows, and the columns with original values."""
    report_misfits(session, quoted(table), columns, problems)
    for column in columns:
        given = _given(column)
        session.run(f"DELETE FROM {quoted(table)} WHERE {quoted(column.name)} IS NULL AND {given} IS NOT NULL")
        session.run(f"ALTER TABLE {quoted(table)} DROP COLUMN {given}")
