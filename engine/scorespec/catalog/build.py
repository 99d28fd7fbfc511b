"""Builds the dataclasses of the catalog from documents whose ``extends`` has been resolved."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import is_dataclass, replace
from functools import cache, partial
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Protocol, TypeVar, Union, get_args, get_origin

from scorespec.catalog.documents import WrittenDefinition, file_below, shipped
from scorespec.catalog.keys import Short, all_keys, own_keys
from scorespec.catalog.model import (
    PUBLICATION_NAME,
    REQUIRED,
    Check,
    Column,
    ColumnMeaning,
    ComponentMeaning,
    Definition,
    Figure,
    FunctionCall,
    FunctionInput,
    Kind,
    Macro,
    Metric,
    Parameter,
    Publication,
    ReferencePoint,
    Relation,
    Resample,
    ScoreLayout,
    SqlTemplate,
    Suite,
    Table,
)
from scorespec.catalog.template_names import fault_at_line, names_read
from scorespec.errors import Place, SpecError, nearest
from scorespec.formats import Format
from scorespec.functions.function import RelationFunction

Defined = TypeVar("Defined", bound=Definition)
Shape = TypeVar("Shape")


def read_keys(kind: type, written: Mapping[str, Any]) -> dict[str, Any]:
    """The values of those fields of a dataclass that are written, by field. Keys of others are left out."""
    keys = own_keys(kind)
    return {keys[name].field.name: reader(keys[name].type)(each) for name, each in written.items() if name in keys}


def read_as(kind: type[Shape], written: Mapping[str, Any]) -> Shape:
    """A dataclass, all of whose fields are keys, out of a mapping that its schema accepts."""
    return kind(**read_keys(kind, written))


@cache
def reader(kind: Any) -> Callable[[Any], Any]:
    """The function that turns plain data into a value of a type: lists into tuples, mappings into dataclasses."""
    outer, inner = get_origin(kind), get_args(kind)
    if outer is Annotated:
        plain, shorts = reader(inner[0]), [each for each in kind.__metadata__ if isinstance(each, Short)]
        return partial(_read_short, inner[0], plain, shorts[0].long) if shorts else plain
    if outer in (Union, UnionType):
        return partial(_read_either, inner)
    if outer is tuple:
        item = reader(inner[0])
        return lambda written: tuple(map(item, written))
    if outer is Mapping:
        value = reader(inner[1])
        return lambda written: {name: value(each) for name, each in written.items()}
    if isinstance(kind, type) and is_dataclass(kind):
        return partial(read_as, kind)
    return str if kind is str else lambda written: written


def _read_short(kind: Any, plain: Callable[[Any], Any], long: Callable[[Any], Any], written: Any) -> Any:
    return plain(written if _fits(kind, written) else long(written))


def _read_either(kinds: Iterable[Any], written: Any) -> Any:
    if not isinstance(written, list | dict):
        return written
    return reader(next(each for each in kinds if _fits(each, written)))(written)


def _fits(kind: Any, written: Any) -> bool:
    """Whether a list or a mapping can be a value of a type; False for other values."""
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    if isinstance(written, list):
        return get_origin(bare) is tuple
    return isinstance(written, dict) and (get_origin(bare) is Mapping or is_dataclass(bare))


class KnownNames(Protocol):
    """The names to which a definition can refer, such as a :class:`~scorespec.catalog.lookup.Namespace`."""

    domain: str

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """Every kind by name."""

    @property
    def formats(self) -> Mapping[str, Format]:
        """Every file format by name."""

    @property
    def functions(self) -> Mapping[str, RelationFunction]:
        """Every Python function over rows by name."""

    def names(self, *sections: str) -> tuple[str, ...]:
        """The names of some sections that can be used here."""

    def names_within(self, suite: str, *sections: str) -> tuple[str, ...]:
        """The names of some sections that can be used in a suite of the domain, or in the domain itself."""

    def parameter(self, name: str) -> Parameter | None:
        """A parameter by name."""

    @property
    def columns(self) -> Mapping[str, ColumnMeaning]:
        """What the names of columns mean."""

    @property
    def macros(self) -> Collection[str]:
        """The names of all SQL macros."""

    def written(self, name: str, key: str) -> Any:
        """What the document of a table or relation has under a key; empty without the key."""

    def reference_point(self, name: str) -> ReferencePoint | None:
        """A reference point by name."""


def _built(kind: type[Defined], entry: WrittenDefinition, known: KnownNames, **computed: Any) -> Defined:
    """A definition, from its keys as they are written and the fields that are ``computed`` from them."""
    data = entry.data if isinstance(entry.data, Mapping) else {"about": entry.data}
    about = _one_line(str(data.get("about", "")))
    named = {"name": entry.name, "domain": known.domain, "suite": entry.suite, "about": about, "origin": entry}
    return kind(**{**read_keys(kind, data), **named, **computed})


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _as_written(kind: type[Defined]) -> Callable[[WrittenDefinition, KnownNames], Defined]:
    """The builder of definitions whose fields are all as they are written."""
    return partial(_built, kind)


def _columns(written: Mapping[str, Column], known: KnownNames) -> tuple[Column, ...]:
    """Columns by name. One that does not say what it means has the meaning and the unit of its name in the domain."""
    meanings = known.columns
    return tuple(_column(name, column, meanings.get(name)) for name, column in written.items())


def _column(name: str, column: Column, meaning: ColumnMeaning | None) -> Column:
    if meaning is None:
        return replace(column, name=name)
    named = replace(column, name=name)
    if column.about:
        return named
    return replace(named, about=meaning.about, unit=meaning.unit if column.unit is None else column.unit)


def _known(
    entry: WrittenDefinition,
    names: Iterable[str | None] | Mapping[str, str | None],
    known: Iterable[str],
    what: str,
    *path: str | int,
) -> None:
    """Raise SpecError for a name that is not ``known``, at its place in a list or mapping of the document."""
    for key, name in names.items() if isinstance(names, Mapping) else enumerate(names):
        if name is not None and name not in known:
            raise SpecError(f"unknown {what} {name!r}; {nearest(name, known)}", entry.place(*path, key))


def _defined(
    entry: WrittenDefinition,
    names: Iterable[str | None] | Mapping[str, str | None],
    known: KnownNames,
    section: str,
    *path: str | int,
) -> None:
    """Raise SpecError for a name that no definition of a section has."""
    if names:
        _known(entry, names, known.names(section), section[:-1].replace("_", " "), *path)


def build_parameter(entry: WrittenDefinition, known: KnownNames) -> Parameter:
    """A parameter. Raises SpecError for an unknown one that its values set."""
    parameter = _built(Parameter, entry, known)
    for value, others in parameter.sets.items():
        _defined(entry, {name: name for name in others}, known, "parameters", "sets", value)
    return parameter


def build_table(entry: WrittenDefinition, known: KnownNames) -> Table:
    """A table, its columns and the key that identifies a row. Raises SpecError for an unknown name."""
    columns = _columns(read_as(Table.Written, entry.data).columns, known)
    table = _built(Table, entry, known, columns=columns)
    _known(entry, table.key, table.column_names, "column", "key")
    _known(entry, {name: name for name in table.written_as}, table.column_names, "column", "written_as")
    _known(entry, table.formats, known.formats, "format", "formats")
    _defined(entry, {name: name for name in table.also_in}, known, "tables", "also_in")
    _defined(entry, {"in_place_of": table.in_place_of}, known, "tables")
    _known(entry, table.also_in, known.formats, "format", "also_in")
    table = replace(table, checks=tuple(_check(table, index, known) for index in range(len(table.checks))))
    if table.part_column and table.part_column not in table.column_names:
        said = f"unknown column {table.part_column!r}; {nearest(table.part_column, table.column_names)}"
        raise SpecError(said, entry.place("part_column"))
    if table.describes:
        table = _describing(table, table.describes, entry)
    return table if table.key else replace(table, key=table.column_names)


def _check(table: Table, index: int, known: KnownNames) -> Check:
    """A check of a table, with the tables that it names. Raises SpecError for an unknown one."""
    check, tables = table.checks[index], known.names("tables")
    _defined(table.origin, check.needs, known, "tables", "checks", index, "needs")
    used = names_read(SqlTemplate("", check.sql, table.origin.document.folder))
    for name, line in used.items():
        if name not in tables:
            hint = _hint(name, [table.name, *check.needs], known, "tables")
            place = table.origin.place("checks", index, "sql")
            raise fault_at_line(f"{name!r} is undefined", "", line, place, hint)
    return replace(check, needs=tuple(dict.fromkeys((*check.needs, *used))))


def _describing(table: Table, column: str, entry: WrittenDefinition) -> Table:
    """A table whose rows describe the values of a column: it has one row for each of them, and any further columns."""
    _known(entry, {"describes": column}, table.column_names, "column")
    if table.key not in ((), (column,)) or table.duplicates == "keep":
        said = f"a table that describes {column!r} has one row for each value of it: leave out `key` and `duplicates`"
        raise SpecError(said, entry.place("describes"))
    return replace(table, key=(column,), other_columns=True)


def build_relation(entry: WrittenDefinition, known: KnownNames) -> Relation:
    """A relation, its parameters and the text of its SQL. Raises SpecError for an unknown name."""
    written = read_as(Relation.Written, entry.data)
    relation = _built(
        Relation,
        entry,
        known,
        needs=written.needs,
        params=(),
        columns=_columns(written.columns, known),
        template=_template(entry, "sql"),
        function_input=_function_input(entry, written, known) if written.function else None,
    )
    needs, params = _names_read(relation, written, known)
    relation = replace(relation, needs=needs, params=params)
    _known(entry, relation.slices or (), needs, "need", "slices")
    _known(entry, relation.begins, relation.column_names, "column", "begins")
    _known(entry, relation.sums, relation.column_names, "column", "sums")
    further = [name for name in needs if known.written(name, "other_columns") or known.written(name, "describes")]
    _known(entry, {name: name for name in relation.other_columns}, further, "input with other columns", "other_columns")
    for index, warning in enumerate(relation.warnings):
        _defined(entry, warning.without, known, "tables", "warnings", index, "without")
    for index, error in enumerate(relation.errors):
        inputs = [*known.names("tables"), *relation.needs]
        _known(entry, {"input": error.input}, inputs, "table", "errors", index)
        _defined(entry, error.without, known, "tables", "errors", index, "without")
    return relation


def _names_read(
    relation: Relation, written: Relation.Written, known: KnownNames
) -> tuple[tuple[str, ...], tuple[Parameter, ...]]:
    """The tables and relations that a relation reads, and its parameters. Raises SpecError for an unknown name.

    These are the names that its document lists, then those in its templates, then the settings of its functions.
    """
    entry, templates = relation.origin, relation.templates
    rows, parameters = {*known.names("tables", "relations")}, {*known.names("parameters")}
    _known(entry, written.needs, rows, "table or relation", "needs")
    _known(entry, written.params, parameters, "parameter", "params")
    # A table or relation of a suite does not change what the name of a parameter means in relations of the domain.
    rows -= parameters.difference(known.names_within(entry.suite, "tables", "relations"))
    listed, result = {*written.needs, *written.params}, ("sql", "rows") if relation.function_input else ()
    used = [(key, *each) for key, template in templates.items() for each in names_read(template).items()]
    used = [each for each in used if each[1] not in listed and each[:2] != result]
    needs = [*written.needs, *(name for _, name, _ in used if name in rows)]
    params = [*written.params, *(name for _, name, _ in used if name in parameters), *relation.settings]
    for key, name, line in used:
        at, place = templates[key].at(line), entry.place(key)
        if name in rows and name in parameters:
            said = f"{name!r} is a parameter, and a table or relation"
            raise fault_at_line(said, at, line, place, "list it in `needs` or in `params` of the relation")
        if line and name not in rows and name not in parameters:
            hint = _hint(name, needs, known, "tables", "relations", "parameters")
            raise fault_at_line(f"{name!r} is undefined", at, line, place, hint)
    found = (known.parameter(name) for name in dict.fromkeys(params))
    return tuple(dict.fromkeys(needs)), tuple(each for each in found if each)


def _hint(name: str, read: Iterable[str], known: KnownNames, *sections: str) -> str:
    """What to do about an unknown name in SQL that reads some tables and relations."""
    if owner := next((each for each in read if name in known.written(each, "columns")), None):
        return f"it is a column of {owner}: write it without {{{{ }}}}"
    if name in known.macros:
        return "it is an SQL macro: write it without {{ }}"
    return nearest(name, known.names(*sections))


def _function_input(entry: WrittenDefinition, written: Relation.Written, known: KnownNames) -> FunctionInput:
    """The Python functions of a relation. Raises SpecError for an unknown function or argument."""
    names, mapped = written.function, written.with_
    _known(entry, names, known.functions, "function", "function")
    functions = [known.functions[name] for name in names]
    _defined(entry, mapped, known, "parameters", "with")
    settings = {name for each in functions for name in each.settings}
    for name in mapped:
        if name not in settings:
            said = f"unknown setting of the function {name!r}; {nearest(name, settings)}"
            raise SpecError(said, entry.place("with", name, key=True))
    calls = []
    for function in functions:
        arguments = {setting: mapped.get(setting, setting) for setting in function.settings}
        if lacking := [name for name, read in arguments.items() if read not in known.names("parameters")]:
            said = f"function {function.name} has the setting {lacking[0]!r}: name a parameter for it in `with`"
            raise SpecError(said, entry.place("function"))
        calls.append(FunctionCall(function, arguments))
    return FunctionInput(tuple(calls), _template(entry, "input"))


def _template(entry: WrittenDefinition, key: str) -> SqlTemplate:
    """A relation's SQL: a ``.sql`` file next to the document or among those that ship, or text in the document itself.

    The folders of ``sql/`` mirror those of ``specs/``.
    """
    written = str(entry.data[key])
    document = entry.writer(key).document
    home = document.folder
    if not written.endswith(".sql") or len(written.split()) > 1:
        place = entry.place(key)
        # The lines of `sql: |` are those of the document; other forms of text in YAML are folded.
        literal = document.lines[place.line - 1].startswith("|", place.column - 1)
        return SqlTemplate("", written, home, *((document.shown, place.line) if literal else ()))
    path, shown = file_below(home, written), Path(document.shown).parent / written
    if home.is_relative_to(shipped("specs")):
        path = path or file_below(shipped("sql") / home.relative_to(shipped("specs")), written, links=True)
    path = path or file_below(shipped("sql"), written, links=True)
    if path and path.is_relative_to(shipped("sql")):
        shown = Path("sql") / path.relative_to(shipped("sql"))
    if path is None:
        said = f"no SQL file {written!r} beside this document or below it, nor among those shipped"
        raise SpecError(said, entry.place(key))
    return SqlTemplate(written, _text(path, f"SQL file {written!r}", entry.place(key)), home, shown.as_posix())


def _text(path: Path, what: str, place: Place) -> str:
    """The text of a file that a document names."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise SpecError(f"cannot read the {what}: {reason}", place) from None


def cited_name(cite: str) -> str | None:
    """The entry that a citation names first; None for a citation in words."""
    found = re.match(rf"({PUBLICATION_NAME})(, |$)", cite)
    return found[1] if found else None


def build_metric(entry: WrittenDefinition, known: KnownNames) -> Metric:
    """A metric; the keys of its kind stay in ``body``. Raises SpecError for an unknown name."""
    data = entry.data
    if data.get("kind") not in known.kinds:
        written = str(data.get("kind"))
        raise SpecError(f"unknown kind {written!r}; {nearest(written, known.kinds)}", entry.place("kind"))
    common = all_keys(Metric)
    _refuse_other_rows(entry)
    metric = _built(Metric, entry, known, body={key: value for key, value in data.items() if key not in common})
    _known(entry, {name: name for name in metric.only if name}, known.names("tables"), "input", "only")
    _defined(entry, map(cited_name, metric.cites), known, "publications", "cites")
    _check_resample(entry, metric.resample, known)
    return metric


# Keys that decide which rows a metric counts and how; and keys whose relations must have the same rows.
ROW_KEYS = ("from", "where", "score", "statistics", "unit")
SAME_ROWS = (("summed",), ("given",), ("units",), ("resample", "rows"))


def _refuse_other_rows(entry: WrittenDefinition) -> None:
    """Raise SpecError if a metric changes the rows of the metric that it extends, but inherits other rows from it."""
    for key in ROW_KEYS if entry.parent else ():
        of_key = entry.writer(key)
        tied = [path for path in SAME_ROWS if key in of_key.data and _inherited(entry, path, of_key.generation)]
        if tied:
            *firsts, last = (f"`{'.'.join(path)}`" for path in tied)
            names, rows = " and ".join(filter(None, (", ".join(firsts), last))), entry.data.get("from")
            ways = {"summed": f"summed: {rows}", "resample": f"resample: {{rows: {rows}}}"}
            stated = ", ".join(ways.get(path[0], f"{path[0]}: …") for path in tied)
            said = f"`{key}` changes the rows that are counted, but not those of the inherited {names}"
            part = "for a part of the data, write its condition on inputs as `only: …` instead; otherwise"
            raise SpecError(f"{said}; {part} state here, too: {stated}", of_key.place(key, key=True))


def _inherited(entry: WrittenDefinition, path: tuple[str, ...], generation: int) -> bool:
    """Whether a key is written in a definition of an earlier generation."""
    below = entry.data
    for part in path:
        below = below.get(part) if isinstance(below, Mapping) else None
    return below is not None and entry.writer(*path).generation < generation


def _check_resample(entry: WrittenDefinition, resample: Resample | None, known: KnownNames) -> None:
    """Raise SpecError if nothing names the blocks, or for an unknown relation."""
    if resample and not resample.blocks:
        raise SpecError(
            "`resample` has no key `blocks`; list the columns that name independent units", entry.place("resample")
        )
    if resample:
        named = {"from": resample.from_, "rows": resample.rows}
        _defined(entry, named, known, "relations", "resample")


def build_reference_point(entry: WrittenDefinition, known: KnownNames) -> ReferencePoint:
    """A reference point. Raises SpecError for an unknown input or relation."""
    point, tables = _built(ReferencePoint, entry, known), known.names("tables")
    _known(entry, {"input": point.input}, tables, "input")
    for name in point.inputs:
        if name not in tables:
            raise SpecError(f"unknown input {name!r}; {nearest(name, tables)}", entry.place("inputs", name, key=True))
    computed = {name: relation for name, relation in point.inputs.items() if relation is not None}
    _defined(entry, computed, known, "relations", "inputs")
    return point


def build_figure(entry: WrittenDefinition, known: KnownNames) -> Figure:
    """A figure, with the text of its SQL. Raises SpecError if a key is missing that its kind must have."""
    figure = _built(Figure, entry, known, sql=_template(entry, "sql"))
    for key in REQUIRED[figure.kind]:
        if getattr(figure, key) is None:
            raise SpecError(f"a figure of the kind {figure.kind!r} needs the key {key!r}", entry.place("kind"))
    return figure


def build_suite(entry: WrittenDefinition, known: KnownNames) -> Suite:
    """A suite, with its varied parameters and its folds. Raises SpecError for an unknown name."""
    layouts = {name: _layout(entry, name) for name in entry.data.get("layouts", {})}
    listed = entry.data.get("reference_points", ())
    _defined(entry, listed, known, "reference_points", "reference_points")
    points = {name: point for name in listed if (point := known.reference_point(name))}
    suite = _built(Suite, entry, known, layouts=layouts, reference_points=points)
    _defined(entry, map(cited_name, suite.cites), known, "publications", "cites")
    inputs = [*suite.inputs, *suite.optional]
    submitted = {*(entry.data.get("submitted") or (name for point in points.values() for name in point.inputs))}
    submitted |= {name for name in inputs if known.written(name, "submitted")}
    suite = replace(suite, submitted=frozenset(submitted))
    _defined(entry, suite.inputs, known, "tables", "inputs")
    _defined(entry, suite.optional, known, "tables", "optional")
    _check_resample(entry, suite.resample, known)
    for choice in suite.one_of:
        _known(entry, choice, suite.optional, "optional input", "one_of")
    _known(entry, entry.data.get("keep", ()), {*known.names("relations"), *known.names("tables")}, "relation", "keep")
    _known(entry, {name: name for name in suite.keep_with}, suite.keep, "kept relation", "keep_with")
    _defined(entry, suite.keep_with, known, "metrics", "keep_with")
    _defined(entry, suite.report, known, "figures", "report")
    _defined(entry, suite.only_with, known, "parameters", "only_with")
    _defined(entry, {name: name for name in suite.calibration}, known, "parameters", "calibration")
    metrics = {name: source.partition(".")[0] for name, source in suite.calibration.items()}
    _defined(entry, metrics, known, "metrics", "calibration")
    _defined(entry, [each.partition(".")[0] for each in suite.primary], known, "metrics", "primary")
    if suite.matched_pairs:
        _known(entry, {"errors": suite.matched_pairs.errors}, suite.keep, "kept relation", "matched_pairs")
    if len({*inputs}) < len(inputs):
        raise SpecError("an input is listed twice, in `inputs` or `optional`", entry.place("inputs"))
    _known(entry, entry.data.get("submitted", ()), inputs, "input", "submitted")
    _defined(entry, {"based_on": suite.based_on}, known, "suites")
    _defined(entry, {name: name for name in suite.only_with}, known, "metrics", "only_with")
    for name, vary in suite.vary.items():
        _known(entry, {"input": vary.input}, inputs, "input", "vary", name)
        _defined(entry, {"param": vary.param}, known, "parameters", "vary", name)
    if suite.folds:
        _known(entry, {"input": suite.folds.input}, inputs, "input", "folds")
        _defined(entry, {"count": suite.folds.count}, known, "parameters", "folds")
    if suite.folds and isinstance(suite.folds.none_left, Mapping):
        of_metrics = {name: name.partition(".")[0] for name in suite.folds.none_left}
        _defined(entry, of_metrics, known, "metrics", "folds", "none_left")
    for at, name in enumerate(listed):
        for each in (*points[name].inputs, *filter(None, [points[name].input])):
            if each not in inputs:
                said = f"reference point {name!r} names {each!r}, which is no input of this suite"
                raise SpecError(said, entry.place("reference_points", at))
    return suite


def _layout(entry: WrittenDefinition, name: str) -> ScoreLayout:
    """A layout, with the text of its template, which lies next to the document or below it."""
    data, place = entry.data["layouts"][name], entry.place("layouts", name, "template")
    written, document = data["template"], entry.writer("layouts", name, "template").document
    path, shown = file_below(document.folder, written), Path(document.shown).parent / written
    if path is None:
        raise SpecError(f"no file {written!r} beside this document or below it", place)
    template = SqlTemplate(written, _text(path, f"file {written!r}", place), document.folder, shown.as_posix())
    return ScoreLayout(**{**read_keys(ScoreLayout, data), "about": _one_line(data["about"]), "template": template})


BUILDERS: Mapping[str, Callable[[WrittenDefinition, KnownNames], Definition]] = {
    "macros": _as_written(Macro),
    "parameters": build_parameter,
    "columns": _as_written(ColumnMeaning),
    "components": _as_written(ComponentMeaning),
    "tables": build_table,
    "relations": build_relation,
    "metrics": build_metric,
    "reference_points": build_reference_point,
    "figures": build_figure,
    "suites": build_suite,
    "publications": _as_written(Publication),
    "kinds": _as_written(Kind),
}
