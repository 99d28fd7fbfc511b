"""Builds the dataclasses of the catalog from documents whose ``extends`` has been resolved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from scorespec.catalog.data import file_below, shipped
from scorespec.catalog.entry import Entry
from scorespec.catalog.model import (
    Check,
    Column,
    ColumnMeaning,
    ComponentMeaning,
    CountedWarning,
    Folds,
    FunctionCall,
    FunctionInput,
    Kind,
    Macro,
    Metric,
    Parameter,
    ReferencePoint,
    Refusal,
    Relation,
    ScoreLayout,
    SqlTemplate,
    Suite,
    Table,
    Value,
    Vary,
)
from scorespec.errors import Place, SpecError, nearest
from scorespec.formats import Format
from scorespec.functions.base import RelationFunction

MEANING_KEYS = ("better", "range", "unit")  # of components
COMMON_METRIC_KEYS = frozenset(
    {"about", "cites", "kind", "params", "extends", "depends_on_row_order", "meanings", "better", "range"}
)
MAIN_COMPONENT = "value"


class Known(Protocol):
    """The names to which a definition can refer, such as a :class:`~scorespec.catalog.namespaces.Namespace`."""

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

    def names(self, section: str) -> list[str]:
        """The names of a section that can be used here."""

    def parameter(self, name: str) -> Parameter | None:
        """A parameter by name."""

    def column(self, name: str) -> ColumnMeaning | None:
        """What a column name means."""


def _about(entry: Entry) -> str:
    return " ".join(str(entry.data.get("about", "")).split())


def _columns(written: Mapping[str, Any] | None, known: Known) -> tuple[Column, ...]:
    """Columns as ``name: about`` or ``name: {type, unit, about, nullable, infinite, booleans}``.

    A column without an `about` has the meaning and the unit that the domain declares for its name.
    """
    return tuple(_column(name, body, known.column(name)) for name, body in (written or {}).items())


def _column(name: str, body: Any, meaning: ColumnMeaning | None) -> Column:
    keys: dict[str, Any] = {"about": str(body or "")}
    if isinstance(body, Mapping):
        keys = {key: _value(value) for key, value in body.items()}
    if meaning and not keys.get("about"):
        keys = {"unit": meaning.unit, **keys, "about": meaning.about}
    return Column(name, **keys)


def _value(written: Any) -> Value:
    return tuple(map(str, written)) if isinstance(written, list) else written


def _known(entry: Entry, names: Iterable[str] | Mapping[str, str], known: Iterable[str], what: str, *path: str) -> None:
    """Raise SpecError for a name that is not ``known``, at its place in a list or mapping of the document."""
    known = list(known)
    for key, name in names.items() if isinstance(names, Mapping) else enumerate(names):
        if name not in known:
            raise SpecError(f"unknown {what} {name!r}; {nearest(name, known)}", entry.place(*path, key))


def build_parameter(entry: Entry, known: Known) -> Parameter:
    """A parameter. Raises SpecError where its default is not a value of its type."""
    data = entry.data
    limits: dict[str, Any] = {limit: data.get(limit) for limit in ("at_least", "above", "at_most", "below")}
    for value, others in data.get("sets", {}).items():
        _known(entry, {name: name for name in others}, known.names("parameters"), "parameter", "sets", value)
    return Parameter(
        entry.name,
        known.domain,
        entry.suite,
        _about(entry),
        entry,
        type=data["type"],
        default=_value(data["default"]),
        unit=data.get("unit"),
        one_of=tuple(data.get("one_of", ())),
        nullable=data.get("nullable", False),
        infinite=data.get("infinite", False),
        **limits,
        sets=data.get("sets", {}),
    )


def build_column(entry: Entry, known: Known) -> ColumnMeaning:
    """What a column name means in a domain: ``name: about`` or ``name: {about, unit}``."""
    data = entry.data if isinstance(entry.data, Mapping) else {"about": entry.data}
    about = " ".join(str(data.get("about", "")).split())
    return ColumnMeaning(entry.name, known.domain, entry.suite, about, entry, data.get("unit"))


def build_macro(entry: Entry, known: Known) -> Macro:
    """An SQL macro."""
    domain = str(entry.document.data.get("domain", ""))
    named = (entry.name, domain, entry.suite, _about(entry), entry)
    return Macro(*named, tuple(entry.data.get("params", ())), str(entry.data["sql"]))


def build_component(entry: Entry, known: Known) -> ComponentMeaning:
    """What the name of a component means in a domain."""
    named = (entry.name, known.domain, entry.suite, _about(entry), entry)
    return ComponentMeaning(*named, **_meaning(entry.data))


def _meaning(written: Mapping[str, Any]) -> dict[str, Any]:
    """Direction, range and unit of a component, as far as they are written."""
    found = {key: written[key] for key in MEANING_KEYS if key in written}
    return found | ({"range": tuple(found["range"])} if "range" in found else {})


def build_table(entry: Entry, known: Known) -> Table:
    """A table, its columns and the key that names a row. Raises SpecError for an unknown name."""
    data = entry.data
    columns = _columns(data["columns"], known)
    names = [column.name for column in columns]
    key = tuple(data.get("key", names))
    _known(entry, key, names, "column", "key")
    _known(entry, data.get("formats", ()), known.formats, "format", "formats")
    if "part_column" in data and data["part_column"] not in names:
        raise SpecError(
            f"unknown column {data['part_column']!r}; {nearest(data['part_column'], names)}", entry.place("part_column")
        )
    checks = tuple(
        Check(check["sql"], check["says"], tuple(check.get("needs", ()))) for check in data.get("checks", ())
    )
    return Table(
        entry.name,
        known.domain,
        entry.suite,
        _about(entry),
        entry,
        columns=columns,
        key=key,
        duplicates=data.get("duplicates", "error"),
        checks=checks,
        formats=tuple(data.get("formats", ())),
        min_rows=data.get("min_rows", 0),
        other_columns=data.get("other_columns", False),
        part_column=data.get("part_column"),
    )


def build_relation(entry: Entry, known: Known) -> Relation:
    """A relation, its parameters and the text of its SQL. Raises SpecError for an unknown name."""
    data = entry.data
    needs = tuple(data.get("needs", ()))
    _known(entry, needs, known.names("tables") + known.names("relations"), "table or relation", "needs")
    params = tuple(_parameter(entry, index, name, known) for index, name in enumerate(data.get("params", ())))
    for key in ("scope_of", "scope_of_any"):
        _known(entry, data.get(key, ()), needs, "need", key)
    template = _template(entry, "sql")
    for index, error in enumerate(data.get("errors", ())):
        inputs = [*known.names("tables"), *needs]
        _known(entry, [error["input"]] if "input" in error else [], inputs, "table", "errors", str(index))
    return Relation(
        entry.name,
        known.domain,
        entry.suite,
        _about(entry),
        entry,
        symbol=data.get("symbol"),
        needs=needs,
        params=params,
        columns=_columns(data.get("columns"), known),
        template=template,
        function_input=_function_input(entry, params, known) if "function" in data else None,
        warnings=tuple(CountedWarning(each["sql"], each["says"]) for each in data.get("warnings", ())),
        errors=tuple(Refusal(each["sql"], each["says"], each.get("input")) for each in data.get("errors", ())),
        scoped=data.get("scoped", True),
        scope_of=tuple(data.get("scope_of", ())),
        scope_of_any=tuple(data["scope_of_any"]) if "scope_of_any" in data else None,
    )


def _parameter(entry: Entry, index: int, name: str, known: Known) -> Parameter:
    """A parameter that a relation reads, as its domain declares it."""
    found = known.parameter(name)
    if found is None:
        said = f"unknown parameter {name!r}; {nearest(name, known.names('parameters'))}"
        raise SpecError(said, entry.place("params", index))
    return found


def _function_input(entry: Entry, params: Sequence[Parameter], known: Known) -> FunctionInput:
    """The Python functions of a relation. Raises SpecError for an unknown function or argument."""
    written = entry.data["function"]
    names = (written,) if isinstance(written, str) else tuple(written)
    _known(entry, names, known.functions, "function", "function")
    functions = [known.functions[name] for name in names]
    mapped = entry.data.get("with", {})
    _known(entry, mapped, [each.name for each in params], "parameter of this relation", "with")
    settings = {name for each in functions for name in each.settings}
    for name in mapped:
        if name not in settings:
            said = f"unknown setting of the function {name!r}; {nearest(name, settings)}"
            raise SpecError(said, entry.place("with", name, key=True))
    calls = []
    for function in functions:
        arguments = {setting: mapped.get(setting, setting) for setting in function.settings}
        if lacking := [name for name, read in arguments.items() if read not in {each.name for each in params}]:
            said = f"function {function.name} has the setting {lacking[0]!r}: name a parameter for it in `with`"
            raise SpecError(f"{said}, and list the parameter in `params`", entry.place("function"))
        calls.append(FunctionCall(function, arguments))
    return FunctionInput(tuple(calls), _template(entry, "input"))


def _template(entry: Entry, key: str) -> SqlTemplate:
    """A relation's SQL: a ``.sql`` file beside the document or among those that ship, or text in the document itself.

    The folders of ``sql/`` mirror those of ``specs/``.
    """
    written = str(entry.data[key])
    document = _writer(entry, key).document
    home = document.folder
    if not written.endswith(".sql") or len(written.split()) > 1:
        return SqlTemplate(f"{entry.name} (inline)", written, home)
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


def _writer(entry: Entry, *path: str) -> Entry:
    """The definition in which a key, or a key inside of another one, is written: this one, or one that it extends."""
    holder = entry
    while holder.parent is not None and (holder.section, holder.name, *path) not in holder.document.keys:
        holder = holder.parent
    return holder


def build_metric(entry: Entry, known: Known) -> Metric:
    """A metric; the keys of its kind stay in ``body``. Raises SpecError for an unknown name."""
    data = entry.data
    if data.get("kind") not in known.kinds:
        written = str(data.get("kind"))
        raise SpecError(f"unknown kind {written!r}; {nearest(written, known.kinds)}", entry.place("kind"))
    cites = data.get("cites", ())
    main = {key: data[key] for key in ("better", "range") if key in data}
    meanings = {name: {**each, **_meaning(each)} for name, each in data.get("meanings", {}).items()}
    return Metric(
        entry.name,
        known.domain,
        entry.suite,
        _about(entry),
        entry,
        kind=data["kind"],
        body={key: value for key, value in data.items() if key not in COMMON_METRIC_KEYS},
        params=data.get("params", {}),
        cites=(cites,) if isinstance(cites, str) else tuple(cites),
        depends_on_row_order=data.get("depends_on_row_order", False),
        meanings={name: dict(each) for name, each in {MAIN_COMPONENT: _meaning(main), **meanings}.items() if each},
    )


def _vary(written: Any) -> Vary:
    """A varied parameter, written as a list of values, or as a mapping with ``values`` and a condition."""
    if isinstance(written, Mapping):
        others = (written.get(key) for key in ("input", "param", "slice"))
        return Vary(tuple(map(_value, written["values"])), *others)
    return Vary(tuple(map(_value, written)))


def _layout(entry: Entry, name: str) -> ScoreLayout:
    """A layout, with the text of its template, which lies beside the document or below it."""
    data, place = entry.data["layouts"][name], entry.place("layouts", name, "template")
    written, document = data["template"], _writer(entry, "layouts", name, "template").document
    path, shown = file_below(document.folder, written), Path(document.shown).parent / written
    if path is None:
        raise SpecError(f"no file {written!r} beside this document or below it", place)
    template = SqlTemplate(written, _text(path, f"file {written!r}", place), document.folder, shown.as_posix())
    return ScoreLayout(" ".join(data["about"].split()), template, tuple(data["metrics"]))


def build_suite(entry: Entry, known: Known) -> Suite:
    """A suite, with its varied parameters and its folds. Raises SpecError for an unknown name."""
    data = entry.data
    tables = known.names("tables")
    for part in ("inputs", "optional"):
        _known(entry, data.get(part, ()), tables, "table", part)
    for choice in data.get("one_of", ()):
        _known(entry, choice, data.get("optional", ()), "optional input", "one_of")
    keep = data.get("keep", ())
    _known(entry, keep, known.names("relations"), "relation", "keep")
    _known(entry, data.get("only_with", {}), known.names("parameters"), "parameter", "only_with")
    calibration = data.get("calibration", {})
    _known(entry, {name: name for name in calibration}, known.names("parameters"), "parameter", "calibration")
    metrics = {name: source.partition(".")[0] for name, source in calibration.items()}
    _known(entry, metrics, known.names("metrics"), "metric", "calibration")
    folds = data.get("folds")
    cites = data.get("cites", ())
    return Suite(
        entry.name,
        known.domain,
        entry.suite,
        _about(entry),
        entry,
        inputs=tuple(data["inputs"]),
        optional=tuple(data.get("optional", ())),
        metrics=tuple(data["metrics"]),
        params=data.get("params", {}),
        keep=keep if isinstance(keep, Mapping) else {relation: relation for relation in keep},
        vary={name: _vary(written) for name, written in data.get("vary", {}).items()},
        folds=folds
        and Folds(
            folds["column"],
            folds.get("input"),
            folds.get("count"),
            folds.get("undefined", "each"),
            folds.get("none_left"),
        ),
        cites=(cites,) if isinstance(cites, str) else tuple(cites),
        one_of=tuple(map(tuple, data.get("one_of", ()))),
        based_on=data.get("based_on"),
        page=data.get("page"),
        only_with=data.get("only_with", {}),
        calibration=data.get("calibration", {}),
        layouts={name: _layout(entry, name) for name in data.get("layouts", {})},
        describe=tuple(data.get("describe", ())),
        reference_points=_reference_points(entry, known),
    )


def _reference_points(entry: Entry, known: Known) -> dict[str, ReferencePoint]:
    """The reference points of a suite. Raises SpecError for an unknown input or relation."""
    inputs = [*entry.data["inputs"], *entry.data.get("optional", ())]
    points = {}
    for name, written in entry.data.get("reference_points", {}).items():
        _known(
            entry,
            {key: written[key] for key in ("input",) if key in written},
            inputs,
            "input",
            "reference_points",
            name,
        )
        for each, relation in written["inputs"].items():
            path = ("reference_points", name, "inputs", each)
            if each not in inputs:
                raise SpecError(f"unknown input {each!r}; {nearest(each, inputs)}", entry.place(*path, key=True))
            if relation is not None and relation not in known.names("relations"):
                said = f"unknown relation {relation!r}; {nearest(relation, known.names('relations'))}"
                raise SpecError(said, entry.place(*path))
        about = " ".join(written["about"].split())
        points[name] = ReferencePoint(about, dict(written["inputs"]), written.get("input"))
    return points


def build_kind(entry: Entry, known: Known) -> Kind:
    """A kind, with the schema of its keys, and the kind that it is a short form of."""
    data = entry.data
    return Kind(
        entry.name,
        known.domain,
        entry.suite,
        _about(entry),
        entry,
        short_for=data.get("short_for"),
        relations=tuple(data.get("relations", ())),
        metrics=tuple(data.get("metrics", ())),
        body=data.get("body", {}),
        schema=data["schema"],
    )


BUILDERS = {
    "parameters": build_parameter,
    "macros": build_macro,
    "columns": build_column,
    "components": build_component,
    "tables": build_table,
    "relations": build_relation,
    "metrics": build_metric,
    "suites": build_suite,
    "kinds": build_kind,
}
