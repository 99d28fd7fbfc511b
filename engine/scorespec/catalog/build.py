"""Builds the dataclasses of the catalog from documents whose ``extends`` has been resolved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from scorespec.catalog.data import file_below, shipped
from scorespec.catalog.entry import Entry
from scorespec.catalog.model import (
    Check,
    Column,
    CountedWarning,
    Folds,
    FunctionInput,
    Kind,
    Metric,
    Parameter,
    Refusal,
    Relation,
    Suite,
    Table,
    Value,
    Vary,
)
from scorespec.errors import SpecError, nearest

COMMON_METRIC_KEYS = frozenset({"about", "cites", "kind", "params", "extends", "depends_on_row_order"})


class Known(Protocol):
    """What else is defined; a Catalog is one."""

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """Every kind by name."""

    def names(self, section: str, domain: str | None = None) -> list[str]:
        """The names of a section, of one domain or of all."""


def _about(entry: Entry) -> str:
    return " ".join(str(entry.data.get("about", "")).split())


def _columns(written: Mapping[str, Any] | None) -> tuple[Column, ...]:
    """Columns as ``name: about`` or ``name: {type, unit, about, nullable, infinite}``."""
    return tuple(
        Column(name, **body) if isinstance(body, Mapping) else Column(name, about=str(body or ""))
        for name, body in (written or {}).items()
    )


def _value(written: Any) -> Value:
    return tuple(map(str, written)) if isinstance(written, list) else written


def _known(entry: Entry, names: Iterable[str] | Mapping[str, str], known: Iterable[str], what: str, *path: str) -> None:
    """Refuse a name that is not ``known``, at its place in the document: in a list, or as a value by some key."""
    known = list(known)
    for key, name in names.items() if isinstance(names, Mapping) else enumerate(names):
        if name not in known:
            raise SpecError(f"unknown {what} {name!r}; {nearest(name, known)}", entry.place(*path, key))


def build_table(entry: Entry, domain: str, catalog: Known) -> Table:
    """A table, its columns and the key that names a row. Raises SpecError for an unknown name."""
    data = entry.data
    columns = _columns(data["columns"])
    names = [column.name for column in columns]
    key = tuple(data.get("key", names))
    _known(entry, key, names, "column", "key")
    if "several" in data and data["several"] not in names:
        raise SpecError(
            f"unknown column {data['several']!r}; {nearest(data['several'], names)}", entry.place("several")
        )
    checks = tuple(
        Check(check["sql"], check["says"], tuple(check.get("needs", ()))) for check in data.get("checks", ())
    )
    return Table(
        entry.name,
        domain,
        _about(entry),
        entry,
        columns=columns,
        key=key,
        duplicates=data.get("duplicates", "error"),
        checks=checks,
        formats=tuple(data.get("formats", ())),
        min_rows=data.get("min_rows", 0),
        other_columns=data.get("other_columns", False),
        several=data.get("several"),
    )


def build_relation(entry: Entry, domain: str, catalog: Known) -> Relation:
    """A relation, its parameters and the text of its SQL. Raises SpecError for an unknown name."""
    data = entry.data
    needs = tuple(data.get("needs", ()))
    known = catalog.names("tables", domain) + catalog.names("relations", domain)
    _known(entry, needs, known, "table or relation", "needs")
    params = tuple(
        Parameter(
            name,
            body["type"],
            _value(body["default"]),
            " ".join(body["about"].split()),
            body.get("unit"),
            tuple(body.get("one_of", ())),
            body.get("nullable", False),
            body.get("infinite", False),
            *(body.get(limit) for limit in ("at_least", "above", "at_most", "below")),
        )
        for name, body in data.get("params", {}).items()
    )
    for key in ("scope_of", "scope_of_any"):
        _known(entry, data.get(key, ()), needs, "need", key)
    template_name, template = _template(entry, "sql")
    for index, error in enumerate(data.get("errors", ())):
        tables = catalog.names("tables", domain)
        _known(entry, [error["input"]] if "input" in error else [], tables, "table", "errors", str(index))
    functions = data.get("function", ())
    functions = (functions,) if isinstance(functions, str) else tuple(functions)
    fed = FunctionInput(functions, _template(entry, "input")[1]) if functions else None
    return Relation(
        entry.name,
        domain,
        _about(entry),
        entry,
        symbol=data.get("symbol"),
        needs=needs,
        params=params,
        columns=_columns(data.get("columns")),
        template=template,
        template_name=template_name,
        fed=fed,
        warnings=tuple(CountedWarning(each["sql"], each["says"]) for each in data.get("warnings", ())),
        errors=tuple(Refusal(each["sql"], each["says"], each.get("input")) for each in data.get("errors", ())),
        scoped=data.get("scoped", True),
        scope_of=tuple(data.get("scope_of", ())),
        scope_of_any=tuple(data["scope_of_any"]) if "scope_of_any" in data else None,
    )


def _template(entry: Entry, key: str) -> tuple[str, str]:
    """The name and text of a relation's SQL: a ``.sql`` file beside the document or shipped, or inline."""
    written = str(entry.data[key])
    if not written.endswith(".sql") or len(written.split()) > 1:
        return f"{entry.name} (inline)", written
    path = file_below(_home(entry, key), written) or file_below(shipped("sql"), written, links=True)
    if path is None:
        said = f"no SQL file {written!r} beside this document or below it, nor among those shipped"
        raise SpecError(said, entry.place(key))
    try:
        return written, path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise SpecError(f"cannot read the SQL file {written!r}: {reason}", entry.place(key)) from None


def _home(entry: Entry, key: str) -> Path:
    """The folder of the document that wrote a key, which an extending document may have inherited."""
    holder = entry
    while holder.parent is not None and key not in holder.document.data[holder.section][holder.name]:
        holder = holder.parent
    return holder.document.folder


def build_metric(entry: Entry, domain: str, catalog: Known) -> Metric:
    """A metric; what its kind asks of it stays in ``body``. Raises SpecError for an unknown name."""
    data = entry.data
    if data.get("kind") not in catalog.kinds:
        written = str(data.get("kind"))
        raise SpecError(f"unknown kind {written!r}; {nearest(written, catalog.kinds)}", entry.place("kind"))
    cites = data.get("cites", ())
    return Metric(
        entry.name,
        domain,
        _about(entry),
        entry,
        kind=data["kind"],
        body={key: value for key, value in data.items() if key not in COMMON_METRIC_KEYS},
        params=data.get("params", {}),
        cites=(cites,) if isinstance(cites, str) else tuple(cites),
        depends_on_row_order=data.get("depends_on_row_order", False),
    )


def _vary(written: Any) -> Vary:
    """A list of values, or a mapping with ``values`` and when there are more than the first."""
    if isinstance(written, Mapping):
        others = (written.get(key) for key in ("input", "param", "slice"))
        return Vary(tuple(map(_value, written["values"])), *others)
    return Vary(tuple(map(_value, written)))


def build_suite(entry: Entry, domain: str, catalog: Known) -> Suite:
    """A suite, with what it varies and averages over. Raises SpecError for an unknown name."""
    data = entry.data
    tables = catalog.names("tables", domain)
    for part in ("inputs", "optional"):
        _known(entry, data.get(part, ()), tables, "table", part)
    _known(entry, data.get("tables", {}), tables, "table", "tables")
    for name in data.get("tables", {}):
        _known(entry, [name], [*data["inputs"], *data.get("optional", ())], "input", "tables", name)
    for choice in data.get("one_of", ()):
        _known(entry, choice, data.get("optional", ()), "optional input", "one_of")
    keep = data.get("keep", ())
    _known(entry, keep, catalog.names("relations", domain), "relation", "keep")
    folds = data.get("folds")
    cites = data.get("cites", ())
    return Suite(
        entry.name,
        domain,
        _about(entry),
        entry,
        inputs=tuple(data["inputs"]),
        optional=tuple(data.get("optional", ())),
        metrics=tuple(data["metrics"]),
        aliases=data["metrics"] if isinstance(data["metrics"], Mapping) else {},
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
        tables=data.get("tables", {}),
        one_of=tuple(map(tuple, data.get("one_of", ()))),
    )


def build_kind(entry: Entry, domain: str, catalog: Known) -> Kind:
    """A kind, with the schema of its keys and what it is short for."""
    data = entry.data
    return Kind(
        entry.name,
        domain,
        _about(entry),
        entry,
        short_for=data.get("short_for"),
        relations=tuple(data.get("relations", ())),
        metrics=tuple(data.get("metrics", ())),
        body=data.get("body", {}),
        schema=data["schema"],
    )


BUILDERS = {
    "tables": build_table,
    "relations": build_relation,
    "metrics": build_metric,
    "suites": build_suite,
    "kinds": build_kind,
}
