"""Namespaces: names are looked up in a suite, then in its domain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from scorespec.catalog import build
from scorespec.catalog.documents import merge
from scorespec.catalog.entry import LONGEST_CHAIN, Entry
from scorespec.catalog.model import (
    ColumnMeaning,
    ComponentMeaning,
    Definition,
    Figure,
    Kind,
    Macro,
    Metric,
    Parameter,
    ReferencePoint,
    Relation,
    Suite,
    Table,
)
from scorespec.errors import Code, SpecError, UsageError, nearest
from scorespec.formats import Format
from scorespec.functions.base import RelationFunction

if TYPE_CHECKING:
    from scorespec.catalog.lookup import Catalog

Defined = TypeVar("Defined", bound=Definition)


class Key(NamedTuple):
    """The identity of a definition. ``suite`` is '' for a definition of the whole domain; kinds have no domain."""

    section: str
    domain: str
    suite: str
    name: str

    def __str__(self) -> str:
        return f"{self.suite}.{self.name}" if self.suite else self.name


class Namespace:
    """The names that can be used in a suite of a domain, or in the domain itself (``suite`` is '').

    A name is looked up in the suite, then in the suites that it is based on, then in the domain. A definition is built
    in each namespace, because the names to which it refers are looked up in the same way.
    """

    def __init__(self, catalog: Catalog, domain: str, suite: str = "") -> None:
        self.catalog, self.domain, self.suite = catalog, domain, suite
        self._searched = (*catalog.bases(domain, suite), "")
        self._built: dict[tuple[str, str], Definition | None] = {}
        self._of_key: dict[Key, Definition] = {}
        self._resolved: dict[Key, Entry] = {}
        self._derived: dict[str, dict[Any, Any]] = {}

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """Every kind by name."""
        return self.catalog.kinds

    @property
    def formats(self) -> Mapping[str, Format]:
        """Every file format by name."""
        return self.catalog.plugins.formats

    @property
    def functions(self) -> Mapping[str, RelationFunction]:
        """Every Python function over rows by name."""
        return self.catalog.plugins.functions

    # -- names -----------------------------------------------------------------------------------

    def key(self, section: str, name: str) -> Key | None:
        """The key of the definition of a name; ``suite.name`` is looked up in that suite of the domain."""
        suite, dot, bare = name.rpartition(".")
        if dot:
            known = suite in self.catalog.suites(self.domain)
            return self.catalog.namespace(self.domain, suite).key(section, bare) if known else None
        keys = (Key(section, self.domain, each, bare) for each in self._searched)
        return next((key for key in keys if key in self.catalog.entries), None)

    def names(self, section: str) -> list[str]:
        """The names of a section that can be used here, in the order of the documents."""
        keys = self.catalog.keys(section)
        return list(dict.fromkeys(k.name for k in keys if k.domain == self.domain and k.suite in self._searched))

    # -- extends ---------------------------------------------------------------------------------

    def entry(self, key: Key, above: tuple[Key, ...] = ()) -> Entry:
        """A definition as it is written, with everything that it inherits by ``extends``."""
        if key in self._resolved:
            return self._resolved[key]
        if key.suite not in ("", self.suite):  # what a definition of a suite extends is looked up in that suite
            return self.catalog.namespace(self.domain, key.suite).entry(key, above)
        found = self.catalog.entries[key]
        written: Mapping[str, Any] = found.document.data[key.section][key.name] or {}
        base = written.get("extends") if isinstance(written, Mapping) else None
        if base is None:
            entry = Entry(key.section, key.name, found.document, None, written)
        else:
            parent = self._parent(key, found, str(base), (*above, key))
            changes = {name: value for name, value in written.items() if name != "extends"}
            entry = Entry(key.section, key.name, found.document, parent, merge(parent.data, changes))
            entry.generation = parent.generation + 1
            _refuse_chain(entry, entry.generation)
        self._resolved[key] = entry
        return entry

    def _parent(self, key: Key, entry: Entry, base: str, above: tuple[Key, ...]) -> Entry:
        place = entry.document.place((entry.section, entry.name, "extends"))
        parent = self.key(key.section, base)
        if parent == key and key.suite:  # a definition of the suite extends one of the same name in the domain
            outer = self._searched[self._searched.index(key.suite) + 1 :]
            keys = (Key(key.section, key.domain, each, base) for each in outer)
            parent = next((each for each in keys if each in self.catalog.entries), None)
        if parent in above:
            raise SpecError(f"{' extends '.join(map(str, (*above, parent)))}: a cycle", place)
        _refuse_chain(entry, len(above))
        if parent is None or parent not in self.catalog.entries:
            raise SpecError(self._unknown_base(key, base), place)
        return self.entry(parent, above)

    def _unknown_base(self, key: Key, base: str) -> str:
        others = [each.domain for each in self.catalog.keys(key.section) if each.name == base]
        if others and self.domain not in others:
            return f"{base!r} belongs to the domain {others[0]!r}, this document to {self.domain!r}"
        return f"extends unknown {base!r}; {nearest(base, self.catalog.names(key.section, self.domain))}"

    # -- definitions -----------------------------------------------------------------------------

    def definition(self, section: str, name: str) -> Definition | None:
        """The definition of a name; None if there is none. Raises SpecError if the definition is at fault."""
        if (section, name) not in self._built:
            key = self.key(section, name)
            self._built[section, name] = self.built(key) if key else None
        return self._built[section, name]

    def built(self, key: Key) -> Definition:
        """A definition as this namespace sees it: what it refers to is looked up here."""
        if key not in self._of_key:
            self._of_key[key] = build.BUILDERS[key.section](self.entry(key), self)
        return self._of_key[key]

    def _get(self, section: str, name: str, kind: type[Defined]) -> Defined | None:
        found = self.definition(section, name)
        return found if isinstance(found, kind) else None

    def table(self, name: str) -> Table | None:
        return self._get("tables", name, Table)

    def parameter(self, name: str) -> Parameter | None:
        return self._get("parameters", name, Parameter)

    def column(self, name: str) -> ColumnMeaning | None:
        return self._get("columns", name, ColumnMeaning)

    def macro(self, name: str) -> Macro | None:
        """An SQL macro: of the suite, of the domain, or of no domain."""
        found = self._get("macros", name, Macro)
        return found or (self.catalog.namespace("").macro(name) if self.domain else None)

    def component(self, metric: Metric, name: str) -> ComponentMeaning:
        """The meaning of a component: that of the metric, completed by what the domain declares for its name.

        If neither says what a sum over a column is, it is what the column means.
        """
        of_metric = {key: value for key, value in vars(metric.meaning(name)).items() if value}
        found = self._get("components", name, ComponentMeaning)
        if found is None:
            found = ComponentMeaning(name, self.domain, metric.suite, metric.origin)
        found = replace(found, **of_metric)
        return found if found.about else replace(found, about=self._meaning_of_summed_column(metric, name))

    def _meaning_of_summed_column(self, metric: Metric, name: str) -> str:
        """What the column means that a metric sums up by naming it in ``statistics``; empty if it sums up no such."""
        columns = metric.body.get("statistics")
        source = self.relation(str(metric.body.get("from"))) if isinstance(columns, list) and name in columns else None
        about = next((column.about for column in source.columns if column.name == name), "") if source else ""
        return f"{about[:1].upper()}{about[1:]}." if about else ""

    def relation(self, name: str) -> Relation | None:
        return self._get("relations", name, Relation)

    def metric(self, name: str) -> Metric:
        """A metric. Raises UsageError for an unknown one, with the suites that have it or else the nearest name."""
        found = self._get("metrics", name, Metric)
        if found is None:
            raise UsageError(f"unknown metric {name!r}; {self._where_else(name)}", Code.UNKNOWN_NAME)
        return found

    def own_metric(self, name: str) -> Metric:
        """A metric that can be scored here. Raises UsageError for an unknown one, and for one of another suite.

        A metric of another suite is scored with the parameters and folds of that suite.
        """
        found = self.metric(name)
        if name.rpartition(".")[0] not in ("", self.suite):
            raise UsageError(
                f"{name!r} is a metric of another suite, with parameters and folds of its own; "
                f"name a metric of {self.suite or self.domain} here (--metric {name} scores that one beside it)"
            )
        return found

    def _where_else(self, name: str) -> str:
        """The hint after the name of an unknown metric: the suites that have it, or else the nearest name."""
        full_names = self.catalog.full_names("metrics", self.domain, name)
        others = f"to score that of another suite, give its full name: {' or '.join(full_names)}"
        return others if full_names else nearest(name, self.names("metrics"))

    def reference_point(self, name: str) -> ReferencePoint | None:
        return self._get("reference_points", name, ReferencePoint)

    def figure(self, name: str) -> Figure | None:
        return self._get("figures", name, Figure)

    def suite_of(self, name: str) -> Suite | None:
        return self._get("suites", name, Suite)

    def replace_table(self, table: Table) -> None:
        """Use another version of a table from now on."""
        self._built["tables", table.name] = table
        for each in self._derived.values():
            each.clear()

    def derived(self, what: str) -> dict[Any, Any]:
        """A dictionary that keeps what is derived from the definitions alone, for all runs with this namespace."""
        return self._derived.setdefault(what, {})


def _refuse_chain(entry: Entry, length: int) -> None:
    if length > LONGEST_CHAIN:
        place = entry.document.place((entry.section, entry.name, "extends"))
        raise SpecError(f"a chain of more than {LONGEST_CHAIN} definitions, each of which extends the next", place)
