"""The sources of inputs: files in formats, tables in DuckDB files, or objects in memory; one or several of them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from scorespec.catalog.model import Suite, Table
from scorespec.core.terminal import first_sentence
from scorespec.errors import Code, UsageError, nearest_only, unknown
from scorespec.formats import DUCKDB, FORMATS, PARQUET, Format, format_by_name, format_of_content, format_of_suffix
from scorespec.formats.hub_datasets import HubDataset, is_hub_dataset
from scorespec.formats.text_rows import TEXT, may_have_texts
from scorespec.plan.parameters import metric_text
from scorespec.plan.plan import Plan
from scorespec.run.inputs.files import STDIN, Files, shown_path
from scorespec.run.inputs.locations import TABULAR, Location, check_distinct, find_files, read_location
from scorespec.run.limits import Limits

PICKLED = re.compile(r"\.(p|pkl|pickle)(\.(gz|bz2|xz|zip|zst))?$", re.IGNORECASE)
UNPICKLE = """{path}: a pickle can run any code when it is loaded, so it is not read. If you trust it, convert it once:
  import pandas
  frame = pandas.read_pickle("{path}").map(lambda cell: cell.tolist() if hasattr(cell, "tolist") else cell)
  frame.to_parquet("{parquet}")"""
SHOWN_FILES = 3  # of a list of files, in the name of the input
STORED = "table"  # the option that names the table of a DuckDB file
FEW_BYTES = 2**18  # of the inputs of a small run


@dataclass(frozen=True)
class Source:
    """The source of a table: a file in a format, or an object in memory; ``shown`` names it in messages.

    ``input`` is the name of the input. ``columns`` maps columns of the table to columns of the source that have another
    name; ``keys`` are columns whose value is in the names of folders; ``stored`` is the table of a DuckDB file.
    An input in several files has a source for each of its ``pieces``; the name of a ``part`` fills the part column.
    ``only`` is the condition of the rows that are read, as SQL over the columns of the table; '' is all rows.
    ``made`` has the SQL of columns of the table that the file has in another form.
    ``texts`` is not empty if a row has a text: `pair` if the file has both texts of each row, otherwise `text`.
    """

    table: Table
    shown: str
    path: Path | None = None
    format: Format | None = None
    value: Any = None
    input: str = ""
    part: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str | None] = field(default_factory=dict)
    stored: str = ""
    options: Mapping[str, str] = field(default_factory=dict)  # of the reader, such as a tier
    pieces: tuple[Source, ...] = ()
    only: str = ""
    made: Mapping[str, str] = field(default_factory=dict)
    texts: str = ""
    hidden: frozenset[str] = frozenset()  # columns that breakdowns and evidence do not have
    note: str = ""  # what is printed of the columns that were chosen
    others: str = ""  # the other formats of the table, if neither a name nor the file tells the format
    files: Files | None = field(default=None, repr=False)  # keeps the copy of a pipe

    @property
    def recorded(self) -> str:
        """The source as the results database records it: an absolute path, or the name of an object."""
        if self.path is None or self.shown == shown_path(STDIN):
            return self.shown
        return str(Path.cwd() / self.shown)

    @property
    def kind(self) -> str:
        """The format of the file with its options, such as `parquet(query=keyword)`; `object` for one in memory."""
        if self.format is None:
            return "object"
        options = {STORED: self.stored} if self.stored else self.options
        return metric_text(self.format.name, {**options, **self.columns, **self.made})

    @property
    def each(self) -> tuple[Source, ...]:
        """The sources of the single files: the pieces, or this one."""
        return self.pieces or (self,)

    @property
    def bytes(self) -> float:
        """The size of the files, or of an Arrow table; infinite if it is not known before rows are read."""
        if self.pieces:
            return sum(each.bytes for each in self.pieces)
        try:
            return self.path.stat().st_size if self.path else getattr(self.value, "nbytes", math.inf)
        except OSError:  # whoever opens the file reports it
            return math.inf

    def has(self, table: Table) -> bool:
        """Whether the files also have the rows of another table."""
        wanted = table.also_in.get(self.input)
        return wanted is not None and all(each.format is not None and each.format.name == wanted for each in self.each)

    @property
    def filled(self) -> dict[str, str | None]:
        """The keys of the folders that are columns of the table."""
        return {name: value for name, value in self.keys.items() if name in self.table.column_names}


def limits_for(sources: Iterable[Source], limits: Limits) -> Limits:
    """The limits of a run. A small run has one thread unless it has others: several take more time of the processor."""
    return limits.or_else(Limits(threads=1)) if sum(source.bytes for source in sources) <= FEW_BYTES else limits


def find_source(
    table: Table, value: Any, files: Files | None = None, formats: Mapping[str, Format] = FORMATS
) -> Source:
    """The source of an input that is given as a path, a pattern, a folder, or an object; or as several of them.

    A path may be followed by ``::format(options)``, one of ``formats``. A list has parts without names, a mapping has
    parts by name. The name of a part that has none is that of its file, or its path if two names are equal.
    Raises UsageError for an unknown format or an object that cannot be read, InputError if there is no file.
    """
    if isinstance(value, Source):  # of the same table, which may have got further columns
        pieces = (replace(each, table=replace(table, name=each.table.name)) for each in value.pieces)
        return replace(value, table=table, pieces=tuple(pieces))
    files = files or Files()
    several = isinstance(value, list | tuple | Mapping)
    if isinstance(value, Mapping) and table.part_column is None:
        raise UsageError(f"input {table.name!r} is a mapping, but its table has no column for names; give a list")
    values = list(value.values() if isinstance(value, Mapping) else value) if several else [value]
    if not values:
        raise UsageError(f"input {table.name!r} is an empty list")
    parts: list[tuple[str | None, Source]] = []
    for name, each in zip(value if isinstance(value, Mapping) else [None] * len(values), values, strict=True):
        parts += [(name, source) for source in _sources(table, each, files, formats)]
    check_distinct(table.name, [(each.path, each.shown) for _, each in parts if each.path and not each.stored])
    written = shown_path(read_location(str(value)).path) if isinstance(value, str | Path) else ""
    if not several and parts[0][1].shown in (written, f"<{table.name}>"):
        return parts[0][1]
    return _united(table, parts, written)


def _united(table: Table, parts: list[tuple[str | None, Source]], pattern: str) -> Source:
    """One source of several, which ``pattern`` names, or of a list."""
    names = _names([source for _, source in parts])
    pieces = []
    for number, ((name, source), own) in enumerate(zip(parts, names, strict=True), 1):
        part = (name or own) if table.part_column else None
        shown = f"<{table.name} {number}>" if source.path is None else source.shown
        pieces.append(replace(source, table=replace(table, name=f"{table.name} {number}"), shown=shown, part=part))
    if len(pieces) == 1 and table.part_column is None:
        return replace(pieces[0], table=table)
    listed = [piece.shown for piece in pieces]
    more = f" and {len(listed) - SHOWN_FILES:,} more" if len(listed) > SHOWN_FILES else ""
    return Source(table, pattern or ", ".join(listed[:SHOWN_FILES]) + more, input=table.name, pieces=tuple(pieces))


def also_in(source: Source, table: Table, formats: Mapping[str, Format]) -> Source:
    """The source of a table in the files of another input."""
    format_ = format_by_name(table.formats[0], formats) if source.path else None
    pieces = (
        also_in(each, replace(table, name=each.table.name.replace(source.input, table.name, 1)), formats)
        for each in source.pieces
    )
    return replace(source, table=table, input=table.name, format=format_, pieces=tuple(pieces))


def _names(sources: Iterable[Source]) -> Iterator[str]:
    """The name of each part: of a file its stem, or its path if two stems are equal; of an object its number."""
    paths = [source.path and Path(source.shown) for source in sources]
    times = Counter(path.stem for path in paths if path)
    for number, path in enumerate(paths, 1):
        yield str(number) if path is None else path.stem if times[path.stem] == 1 else str(path)


def _sources(table: Table, value: Any, files: Files, formats: Mapping[str, Format]) -> Iterator[Source]:
    """The sources that one value stands for: a pattern or a folder stands for several."""
    if isinstance(value, str | Path):
        location = read_location(str(value))
        every = find_files(location.path, location.format, formats, table.formats)
        for found in every:
            of_file = replace(location, path=found.path, format=location.format or found.format)
            yield _file(table, of_file, found.keys, files, formats, found.path != location.path)
    elif is_hub_dataset(value):
        yield Source(table, f"<{table.name}>", value=HubDataset(value), input=table.name)
    elif any(hasattr(value, each) for each in ("__arrow_c_stream__", "sink_parquet", "scanner")):
        yield Source(table, f"<{table.name}>", value=_with_index(value), input=table.name)
    else:
        kind = f"{type(value).__module__}.{type(value).__name__}"
        raise UsageError(
            f"input {table.name!r} is a {kind}; give a path, an Arrow table, reader or dataset, a pandas or Polars "
            "frame, a DuckDB relation, a dataset of Hugging Face, or a list of these"
        )


def _with_index(value: Any) -> Any:
    """An object; of a pandas frame whose index has a name, such as `id`, the index is a column."""
    name = getattr(getattr(value, "index", None), "name", None)
    return value.reset_index() if isinstance(name, str) and name not in value.columns else value


def _file(
    table: Table,
    location: Location,
    keys: Mapping[str, str | None],
    files: Files,
    formats: Mapping[str, Format],
    several: bool,
) -> Source:
    shown = shown_path(location.path)
    if PICKLED.search(location.path):
        raise UsageError(UNPICKLE.format(path=shown, parquet=PICKLED.sub(".parquet", shown)))
    is_stdin = location.path == STDIN
    path = files.standard_input(table.name) if is_stdin else files.find(Path(location.path))
    format_, note, others = _find_format(table, path, shown, location.format, formats, several)
    columns, stored = dict(location.options), ""
    has_names = format_.name in TABULAR or format_ is DUCKDB
    if format_ is DUCKDB:
        stored = columns.pop(STORED, "")
        if not stored:
            raise UsageError(f"input {table.name!r}: name the table, as in {shown}::duckdb({STORED}=NAME)")
    options = {name: columns.pop(name) for name in format_.options if name in columns}
    if options and format_.read:
        format_ = replace(format_, read=partial(format_.read, **options))  # type: ignore[arg-type]  # of this format
    if columns and not has_names:
        raise UsageError(f"input {table.name!r}: the columns of {format_.name} have no names that could be mapped")
    _check_columns(table, columns)
    keys = keys if has_names else {}
    return Source(
        table, shown, path, format_, None, table.name, None, columns, keys, stored,
        options=options, note=note, others=others, files=files,
    )  # fmt: skip


def _check_columns(table: Table, columns: Mapping[str, str]) -> None:
    """Refuse a mapping of columns that the table does not have, or of one column to two."""
    known = (*table.column_names, *([TEXT] if may_have_texts(table.column_names) else []))
    for name in columns:
        if name not in known and not table.other_columns:
            raise unknown(f"input {table.name!r} has no column {name!r}", name, known)
    twice = [theirs for theirs, times in Counter(columns.values()).items() if times > 1]
    if twice and not table.divided_into:
        raise UsageError(f"input {table.name!r}: the column {twice[0]!r} of the file is mapped to two columns")


def _find_format(
    table: Table, path: Path, shown: str, name: str, formats: Mapping[str, Format], several: bool
) -> tuple[Format, str, str]:
    """The format with this name; without a name, that of the suffix or the content, or the first of the table.

    The first text is printed if the content has decided although the suffix is unknown. The second one names the other
    formats of the table if nothing has decided.
    """
    allowed = (*table.formats, DUCKDB.name) if PARQUET.name in table.formats else table.formats
    by_suffix = None if name else format_of_suffix(path, allowed, formats)
    found, note = by_suffix or format_by_name(name or table.formats[0], formats), ""
    others = "" if name or by_suffix else ", ".join(table.formats[1:])
    if not name and (told := format_of_content(path, shown, allowed, by_suffix.name if by_suffix else None, several)):
        found = format_by_name(told[0], formats)
        note, others = "" if by_suffix else f"read as {found.name}: {told[1]}", ""
    if found.name not in allowed:
        raise unknown(f"input {table.name!r} cannot be read as {found.name}", found.name, table.formats)
    return found, note, others


def check_inputs(suites: Sequence[Suite], plan: Plan, given: Mapping[str, Any]) -> None:
    """Raise UsageError for an unknown input, a missing one, and inputs that exclude each other."""
    check_names(suites, plan.suite, given)
    about = {table.name: _said(table) for table in plan.tables}
    choices: list[tuple[str, ...]] = [(name,) for name in plan.inputs.required]
    choices += [each for each in _one_of(suites) if about.keys() & each]
    missing = [each for each in choices if not given.keys() & each]
    if missing:
        raise UsageError("\n".join(_missing(each, about) for each in missing), Code.MISSING_INPUT)


def check_names(suites: Sequence[Suite], suite: str, given: Mapping[str, Any]) -> None:
    """Raise UsageError for an unknown input of a suite, and for inputs that exclude each other."""
    needed = {name for each in suites for name in each.inputs}
    optional = {name for each in suites for name in each.optional} - needed
    for name in given:
        if name not in needed | optional:
            has = f"it needs {', '.join(sorted(needed))}" + f"; optional: {', '.join(sorted(optional))}" * bool(
                optional
            )
            near = nearest_only(name, needed | optional)
            hint = f"{near} {has}".strip()
            raise UsageError(f"unknown input {name!r} of suite {suite!r}; {hint}", Code.UNKNOWN_NAME)
    for choice in _one_of(suites):
        if len(given.keys() & choice) > 1:
            raise UsageError(f"give {' or '.join(choice)}, not {'both' if len(choice) == 2 else 'several of them'}")


def _one_of(suites: Sequence[Suite]) -> list[tuple[str, ...]]:
    """The lists of inputs; exactly one of each list is to be given."""
    return list(dict.fromkeys(choice for suite in suites for choice in suite.one_of))


def _said(table: Table) -> str:
    """What an input is, and its formats."""
    return f"{first_sentence(table.about)}\n  formats: {', '.join(table.formats)}"


def _missing(choice: Sequence[str], about: Mapping[str, str]) -> str:
    """The message that one of some inputs must be given."""
    said = "\n".join(f"missing input {name!r}: {about[name]}" for name in choice if name in about)
    return said + f"\n  give it as {' or '.join(f'{name}=PATH' for name in choice)}"
