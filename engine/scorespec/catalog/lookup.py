"""The catalog: every document that is known, and the names by which its definitions are found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from scorespec.catalog import build
from scorespec.catalog.documents import (
    LONGEST_CHAIN,
    Document,
    WrittenDefinition,
    document_files,
    merge,
    read_document,
    shipped,
)
from scorespec.catalog.model import (
    Agreement,
    ColumnMeaning,
    ComponentMeaning,
    Definition,
    Figure,
    Kind,
    Macro,
    Metric,
    Parameter,
    Publication,
    ReferencePoint,
    Relation,
    Suite,
    Table,
)
from scorespec.catalog.plugins import Plugins, load_plugins
from scorespec.catalog.validation import validate_document, validate_extended, validate_metric
from scorespec.errors import Code, Place, SpecError, UsageError, nearest, unknown
from scorespec.formats import Format
from scorespec.functions.function import RelationFunction

SUITE_FILE = "suite.yaml"  # the document that defines the suite of its folder
KINDS = "kinds"  # the folder with a document for each kind of metric
OLD_KEYS = {"slices": "groups"}  # keys of metrics that have another name now
SECTIONS = ("macros", "parameters", "columns", "components", "tables", "relations", "metrics", "reference_points",
            "figures", "suites", "publications", "kinds")  # fmt: skip
Defined = TypeVar("Defined", bound=Definition)


class DefinitionKey(NamedTuple):
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
        self._names: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._built: dict[tuple[str, str], Definition | None] = {}
        self._of_key: dict[DefinitionKey, Definition] = {}
        self._resolved: dict[DefinitionKey, WrittenDefinition] = {}
        self.derived: dict[str, Any] = {}  # what other packages derive from the definitions alone, kept for all runs
        self.replaced: Mapping[str, Table] = {}  # the tables that are not as their documents have them

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

    def key(self, section: str, name: str) -> DefinitionKey | None:
        """The key of the definition of a name; ``suite.name`` is looked up in that suite of the domain."""
        suite, dot, bare = name.rpartition(".")
        if dot:
            known = suite in self.catalog.suites(self.domain)
            return self.catalog.namespace(self.domain, suite).key(section, bare) if known else None
        keys = [DefinitionKey(section, self.domain, each, bare) for each in self._searched]
        keys.append(DefinitionKey(section, "", "", bare))  # macros and publications may belong to no domain
        return next((key for key in keys if key in self.catalog.entries), None)

    def names(self, *sections: str) -> tuple[str, ...]:
        """The names of some sections that can be used here, in the order of the documents."""
        if sections not in self._names:
            keys = (key for each in sections for key in self.catalog.keys(each) if key.domain in (self.domain, ""))
            self._names[sections] = tuple(dict.fromkeys(key.name for key in keys if key.suite in self._searched))
        return self._names[sections]

    def names_within(self, suite: str, *sections: str) -> tuple[str, ...]:
        """The names of some sections that can be used in a suite of the domain, or in the domain itself."""
        return self.catalog.namespace(self.domain, suite).names(*sections)

    # -- extends ---------------------------------------------------------------------------------

    def entry(self, key: DefinitionKey, above: tuple[DefinitionKey, ...] = ()) -> WrittenDefinition:
        """A definition as it is written, with everything that it inherits by ``extends``."""
        if key in self._resolved:
            return self._resolved[key]
        if key.suite not in ("", self.suite):  # what a definition of a suite extends is looked up in that suite
            return self.catalog.namespace(self.domain, key.suite).entry(key, above)
        entry = self.catalog.entries[key]
        base = entry.data.get("extends") if isinstance(entry.data, Mapping) else None
        if base is not None:
            parent = self._parent(key, entry, str(base), (*above, key))
            changes = {name: value for name, value in entry.data.items() if name != "extends"}
            _refuse_chain(entry, parent.generation + 1)
            data = merge(parent.data, changes)
            entry = replace(entry, data=data, parent=parent, generation=parent.generation + 1)
        self._resolved[key] = entry
        return entry

    def _parent(
        self, key: DefinitionKey, entry: WrittenDefinition, base: str, above: tuple[DefinitionKey, ...]
    ) -> WrittenDefinition:
        place = entry.document.place((entry.section, entry.name, "extends"))
        parent = self.key(key.section, base)
        if parent == key and key.suite:  # a definition of the suite extends one of the same name in the domain
            outer = self._searched[self._searched.index(key.suite) + 1 :]
            keys = (DefinitionKey(key.section, key.domain, each, base) for each in outer)
            parent = next((each for each in keys if each in self.catalog.entries), None)
        if parent in above:
            raise SpecError(f"{' extends '.join(map(str, (*above, parent)))}: a cycle", place)
        _refuse_chain(entry, len(above))
        if parent is None or parent not in self.catalog.entries:
            raise SpecError(self._unknown_base(key, base), place)
        return self.entry(parent, above)

    def _unknown_base(self, key: DefinitionKey, base: str) -> str:
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

    def built(self, key: DefinitionKey) -> Definition:
        """A definition as this namespace sees it: what it refers to is looked up here."""
        if key not in self._of_key:
            self._of_key[key] = build.BUILDERS[key.section](self.entry(key), self)
        return self._of_key[key]

    def _get(self, section: str, name: str, kind: type[Defined]) -> Defined | None:
        found = self.definition(section, name)
        return found if isinstance(found, kind) else None

    def table(self, name: str) -> Table | None:
        return self._get("tables", name, Table)

    def table_or_relation(self, name: str) -> Table | Relation | None:
        return self.table(name) or self.relation(name)

    def written(self, name: str, key: str) -> Any:
        """What the document of a table or relation has under a key; empty without the key."""
        found = self.key("tables", name) or self.key("relations", name)
        return self.entry(found).data.get(key) or () if found else ()

    def parameter(self, name: str) -> Parameter | None:
        return self._get("parameters", name, Parameter)

    @cached_property
    def columns(self) -> Mapping[str, ColumnMeaning]:
        """What the names of columns mean."""
        found = ((name, self._get("columns", name, ColumnMeaning)) for name in self.names("columns"))
        return {name: meaning for name, meaning in found if meaning}

    def macro(self, name: str) -> Macro | None:
        """An SQL macro: of the suite, of the domain, or of no domain."""
        return self._get("macros", name, Macro)

    @cached_property
    def macros(self) -> frozenset[str]:
        """The names of all SQL macros that can be used here."""
        return frozenset(self.names("macros"))

    def components(self, metric: Metric, names: Iterable[str]) -> dict[str, ComponentMeaning]:
        """The meanings of some components of a metric."""
        return {name: self.component(metric, name) for name in names}

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
        return others if full_names else self.of_component(name) or nearest(name, self.names("metrics"))

    def of_component(self, name: str) -> str:
        """The hint after ``[suite.]metric.component``, where only a metric can be named; '' after another name."""
        metric = name.rpartition(".")[0]
        said = f"a metric is scored with all its components: write {metric} (compare and leaderboard take {name})"
        return said if metric and self._get("metrics", metric, Metric) else ""

    def reference_point(self, name: str) -> ReferencePoint | None:
        return self._get("reference_points", name, ReferencePoint)

    def publication(self, cite: str) -> Publication | None:
        """The publication that a citation names."""
        return self._get("publications", build.cited_name(cite) or "", Publication)

    def cited(self, cite: str, brief: bool = False) -> str:
        """A citation with all that is known of the publication; the ``brief`` form has authors, year and title."""
        found = self.publication(cite)
        return found.cited(cite.partition(", ")[2], brief) if found else cite

    def figure(self, name: str) -> Figure | None:
        return self._get("figures", name, Figure)

    def suite_of(self, name: str) -> Suite | None:
        return self._get("suites", name, Suite)

    def with_tables(self, tables: Iterable[Table]) -> Namespace:
        """The namespace with other versions of some tables, such as with the columns of a user's file."""
        other = copy(self)
        other.replaced = {**self.replaced, **{table.name: table for table in tables}}
        other._built = self._built | {("tables", name): table for name, table in other.replaced.items()}
        other.derived = {}
        return other


def _refuse_chain(entry: WrittenDefinition, length: int) -> None:
    if length > LONGEST_CHAIN:
        place = entry.document.place((entry.section, entry.name, "extends"))
        raise SpecError(f"a chain of more than {LONGEST_CHAIN} definitions, each of which extends the next", place)


class Catalog:
    """Every definition of some documents, by its key.

    ``documents`` are read in order; a name may be defined once in a suite, and once in the domain. Definitions are
    built when first asked for, so that a fault in one does not hide the others. ``user_documents`` are the documents
    that do not ship: the user's and those of plugins. ``plugins`` has the formats and functions that documents name.
    """

    def __init__(
        self, documents: Iterable[Document], user_documents: Iterable[Document] = (), plugins: Plugins | None = None
    ) -> None:
        self.plugins = plugins or Plugins()
        self.entries: dict[DefinitionKey, WrittenDefinition] = {}
        self._keys: dict[str, list[DefinitionKey]] = {}
        self.documents = list(documents)
        self.user_documents = list(user_documents)
        self._user_ids = {id(document) for document in self.user_documents}  # equal names may be different files
        self._namespaces: dict[tuple[str, str], Namespace] = {}
        self._homes: dict[DefinitionKey, Namespace] = {}
        for document in self.documents:
            self._register(document)

    def _register(self, document: Document) -> None:
        for key, entry in _entries(document):
            # A command names a suite without its domain.
            alike = (each for each in self.keys("suites") if key.section == "suites" and each.name == key.name)
            if same := key if key in self.entries else next(alike, None):
                place = document.place((key.section, key.name), key=True)
                first = self.entries[same].place(key=True)
                raise SpecError(f"{key.name!r} is defined at {first} already; extend it under a new name", place)
            self.entries[key] = entry
            self._keys.setdefault(key.section, []).append(key)

    def agreement(self, suite: Suite) -> list[Agreement]:
        """What documents have on record of the programs to which a suite conforms."""
        of_suite = [each.data for each in self.documents if each.data.get("suite") == suite.name]
        return [build.read_as(Agreement, each) for data in of_suite for each in data.get("agreement", ())]

    def claims(self, suite: Suite) -> Iterator[str]:
        """The programs to which a suite conforms, each with the numbers of equal and of compared scores."""
        for tool in suite.conforms_to:
            found = [each for each in self.agreement(suite) if each.conforms_to == tool]
            equal, compared = sum(each.equal for each in found), sum(each.compared for each in found)
            if found:  # a suite that extends this one has no records
                yield f"{tool}: {equal:,} of {compared:,} compared scores are equal"

    def copied(self, more: Sequence[Document] = (), plugins: Plugins | None = None) -> Catalog:
        """A catalog of the same documents, and ``more`` of the user, in which everything is built again."""
        found = copy(self)
        found.plugins = plugins or self.plugins
        found.entries, found._keys = {**self.entries}, {section: [*keys] for section, keys in self._keys.items()}
        found.documents, found.user_documents = [*self.documents, *more], [*self.user_documents, *more]
        found._user_ids = {*map(id, found.user_documents)}
        found._namespaces, found._homes = {}, {}
        for document in more:
            found._register(document)
        return found

    # -- names -----------------------------------------------------------------------------------

    def namespace(self, domain: str, suite: str = "") -> Namespace:
        """The namespace of a suite of a domain; without a suite, that of the domain."""
        if (domain, suite) not in self._namespaces:
            self._namespaces[domain, suite] = Namespace(self, domain, suite)
        return self._namespaces[domain, suite]

    def of_suite(self, suite: Suite) -> Namespace:
        """The namespace of a suite."""
        return self.namespace(suite.domain, suite.name)

    def keys(self, section: str) -> list[DefinitionKey]:
        """The key of every definition of a section, in the order of the documents."""
        return list(self._keys.get(section, ()))

    def names(self, section: str, domain: str | None = None) -> list[str]:
        """The names of a section: of one domain with all of its suites, or of all domains."""
        return list(dict.fromkeys(key.name for key in self.keys(section) if domain in (None, key.domain)))

    def full_names(self, section: str, domain: str, name: str) -> list[str]:
        """The definitions of a name in all suites of a domain, also in those whose documents this catalog lacks."""
        read = {document.path for document in self.documents}
        unread = (_shipped(path, False) for path in document_files(shipped("specs")) if path not in read)
        keys = {*self.entries, *(key for document in unread for key, _ in _entries(document))}
        return sorted(str(key) for key in keys if key.suite and key == DefinitionKey(section, domain, key.suite, name))

    def suites(self, domain: str) -> list[str]:
        """The suites of a domain."""
        return self.names("suites", domain)

    def bases(self, domain: str, suite: str) -> list[str]:
        """A suite, the suite that it is based on or extends, the suite that this one is based on, and so on."""
        found: list[str] = []
        while suite and suite not in found:
            found.append(suite)
            entry = self.entries.get(DefinitionKey("suites", domain, "", suite))
            suite = str((entry.data.get("based_on") or entry.data.get("extends") or "") if entry else "")
        return found

    def fold_counts(self, domain: str) -> set[str]:
        """The parameters with the number of folds, of the suites of a domain."""
        suites = [each for each in self.keys("suites") if each.domain == domain]
        folds = [self.namespace(domain, each.name).entry(each).data.get("folds") or {} for each in suites]
        return {str(each["count"]) for each in folds if "count" in each}

    def home(self, key: DefinitionKey) -> Namespace:
        """The namespace in which a definition can be built.

        For a definition of a suite, this is the namespace of the suite. Otherwise it is the first one, of the domain or
        one of its suites, that has everything to which the definition refers.
        """
        if key not in self._homes:
            self._homes[key] = self._find_home(key)
        return self._homes[key]

    def _find_home(self, key: DefinitionKey) -> Namespace:
        innermost = self.namespace(key.domain, key.name if key.section == "suites" else key.suite)
        if innermost.suite:
            return innermost
        for namespace in (innermost, *(self.namespace(key.domain, suite) for suite in self.suites(key.domain))):
            try:
                namespace.built(key)
            except SpecError:
                continue
            return namespace
        return innermost

    # -- definitions -----------------------------------------------------------------------------

    def definition(self, key: DefinitionKey) -> Definition:
        """Build one definition. Raises SpecError where it is at fault."""
        return self.home(key).built(key)

    def origin(self, key: DefinitionKey) -> Place:
        """The place of a definition, whether it can be built or not."""
        return self.entries[key].place(key=True)

    def suite(self, name: str) -> Suite:
        """A suite by name. Raises UsageError with the suites of a domain or metric of this name, or the nearest."""
        for key in self.keys("suites"):
            if key.name == name and (found := self.home(key).suite_of(name)):
                return found
        names, lower = self.names("suites"), name.lower()
        begun = (
            [each for each in names if each == lower]
            or self.suites(lower)
            or [each for each in names if each.startswith(f"{lower}_")]
        )
        domains = {key.domain for key in self.keys("metrics") if key.name == lower}
        if not begun and domains:
            suites = [self.suite(each) for domain in sorted(domains) for each in self.suites(domain)]
            having = ", ".join(suite.name for suite in suites if lower in suite.metrics)
            raise UsageError(f"unknown suite {name!r}; {lower} is a metric of: {having}", Code.UNKNOWN_NAME)
        raise unknown(f"unknown suite {name!r}", lower, begun or names)

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """Every kind by name; kinds belong to no domain."""
        found = [self.namespace("").definition("kinds", key.name) for key in self.keys("kinds")]
        return {kind.name: kind for kind in found if isinstance(kind, Kind)}

    def _ships(self, key: DefinitionKey) -> bool:
        return key in self.entries and id(self.entries[key].document) not in self._user_ids

    def _replaced(self, key: DefinitionKey) -> Iterator[str]:
        """The fault of a user's definition with the name of one that ships, if a shipped suite could use both."""
        if self._ships(key) or (key.suite and not self._ships(DefinitionKey("suites", key.domain, "", key.suite))):
            return
        suites = {*self.bases(key.domain, key.suite), ""}
        domain_ships = any(each.domain == key.domain and self._ships(each) for each in self.keys("suites"))
        domains = {key.domain, ""} if domain_ships else {key.domain}
        for other in self.keys(key.section):  # in the order of the documents
            same = other.name == key.name and other.domain in domains
            if same and self._ships(other) and (not key.suite or other.suite in suites):
                first, place = self.origin(other), self.origin(key)
                yield f"{place}: {key.name!r} is defined at {first} already; extend it under a new name"
                return

    def validate(self, documents: Iterable[Document]) -> None:
        """Check documents against the schema. Raises one SpecError for all faults."""
        faults: list[str] = []
        given = set()
        for document in documents:
            faults += validate_document(document)
            given.add(id(document))
            if "kinds" in document.data and id(document) in self._user_ids:
                place = document.place(("kinds",), key=True)
                faults.append(f"{place}: kinds of metric ship with scorespec; a document cannot define one")
            key = DefinitionKey("suites", str(document.data.get("domain", "")), "", str(document.data.get("suite", "")))
            if key.name and key not in self.entries:
                place = document.place(("suite",))
                faults.append(f"{place}: unknown suite {key.name!r}; {nearest(key.name, self.suites(key.domain))}")
        if not faults:
            for key, entry in self.entries.items():
                if id(entry.document) in given:
                    faults += self._replaced(key)
                    whole = self.home(key).entry(key)
                    if key.section == "metrics":
                        faults += validate_metric(whole, self.kinds)
                    elif whole.parent:
                        faults += validate_extended(whole)
        if faults:
            raise SpecError("\n".join(faults))


def _entries(document: Document) -> Iterator[tuple[DefinitionKey, WrittenDefinition]]:
    """Every definition of a document, with its key."""
    domain, of_document = str(document.data.get("domain", "")), str(document.data.get("suite", ""))
    for section in SECTIONS:
        named, suite = document.data.get(section), "" if section == "suites" else of_document
        for name, data in named.items() if isinstance(named, Mapping) else ():
            if section == "metrics" and isinstance(data, Mapping):
                data = {OLD_KEYS.get(key, key): value for key, value in data.items()}
            entry = WrittenDefinition(section, name, suite, document, data or {})
            yield DefinitionKey(section, domain, suite, name), entry


def shipped_documents() -> tuple[Document, ...]:
    """Every document that ships with the package, cases included."""
    return tuple(_shipped(path, True) for path in _files_below(shipped("specs")))


def _documents_of_suite(suite: str, also: Iterable[str]) -> list[Document]:
    """The documents that ship for a suite: those of the whole domain, of the suite, and of suites that it is based on.

    Folders mirror names: ``specs/<domain>/<suite>/`` has the documents of a suite, other folders those of the whole
    domain. ``also`` names further suites. The list is empty if a suite does not ship, or is of another domain.
    """
    folders = _suite_folders()
    waiting = list(dict.fromkeys([suite, *also]))
    domains = {folders[each].parent if each in folders else None for each in waiting}
    if None in domains or len(domains) > 1:
        return []
    domain = folders[suite].parent
    found: list[Document] = []
    for each in waiting:
        if each in folders:
            read = [_shipped(path, False) for path in _files_below(folders[each])]
            found += read
            waiting += sorted({name for document in read for name in _suites_named(document)} - {*waiting})
    return [*(_shipped(path, False) for path in _shared_files(domain)), *found]


# What ships does not change while a process runs.


@cache
def _suite_folders() -> Mapping[str, Path]:
    """The folder of each suite that ships."""
    return {path.name: path for path in shipped("specs").glob("*/*") if (path / SUITE_FILE).is_file()}


@cache
def _files_below(folder: Path) -> tuple[Path, ...]:
    return tuple(document_files(folder))


@cache
def _shared_files(domain: Path) -> list[Path]:
    """The documents that ship for a whole domain, and for all domains."""
    root, suites = shipped("specs"), _suite_folders().values()
    of_all = [path for path in _files_below(root) if path.parent in (root, root / KINDS)]
    of_domain = [path for path in _files_below(domain) if not any(map(path.is_relative_to, suites))]
    return sorted({*of_all, *of_domain})


def _suites_named(document: Document) -> Iterator[str]:
    """The suites on which the definitions of a document are based, or whose definitions they use."""
    for section in SECTIONS:
        for written in (document.data.get(section) or {}).values():
            if isinstance(written, Mapping):
                base = str(written.get("extends", ""))
                yield base if section == "suites" else base.rpartition(".")[0]
                yield str(written.get("based_on", ""))
                for text in written.get("metrics", ()) if section == "suites" else ():
                    yield str(text).partition("(")[0].rpartition(".")[0]


@cache
def _shipped(path: Path, cases: bool) -> Document:
    return read_document(path, f"specs/{path.relative_to(shipped('specs')).as_posix()}", cases, ships=True)


@cache
def _shipped_catalog(suite: str, also: tuple[str, ...]) -> Catalog | None:
    """The catalog of the documents that ship for a suite, which all runs of a process share; None if there are none.

    So each definition is built once, which takes a third of the time that it takes to compile a plan.
    """
    documents = _documents_of_suite(suite, also)
    return Catalog(documents) if documents else None


@cache
def _catalog_of_all() -> Catalog:
    return Catalog(shipped_documents())


def load_catalog(
    *specs: str | Path,
    suite: str | None = None,
    also: Iterable[str] = (),
    plugins: str | Path | Iterable[str | Path] = (),
) -> Catalog:
    """Everything that ships, the plugins, and the user's documents at ``specs`` (files or folders) on top.

    ``plugins`` are loaded as well as the installed ones: see :func:`.load_plugins`. When it is known which ``suite``
    is wanted, and which suites ``also``, only the documents that these need are read of those that ship, without their
    cases. Later calls return the same catalog, unless there are plugins or documents of the user. Raises SpecError with
    file, line and column for a fault in a document that does not ship.
    """
    loaded = load_plugins([plugins] if isinstance(plugins, str | Path) else plugins)
    of_suite = _shipped_catalog(suite, tuple(also)) if suite and not specs and not loaded.specs else None
    if of_suite is not None:
        return of_suite if not loaded.versions else of_suite.copied(plugins=loaded)
    ships = _catalog_of_all()
    if not specs and not loaded.versions:
        return ships
    root = shipped("specs").resolve()
    user_documents: dict[Path, Document] = {}  # by their resolved paths: a file is read once, even if it is given twice
    for plugin, path, folder in loaded.specs:
        brought = {file.resolve(): read_document(file, _shown(file, folder)) for file in _files(path)}
        user_documents |= brought
        for domain in _whole_domains(ships, brought.values()):
            ships = Catalog(each for each in ships.documents if each.data.get("domain") != domain)
            loaded = replace(loaded, replaces=(*loaded.replaces, (plugin, f"the domain {domain!r}")))
    for file in (file for path in map(Path, specs) for file in _files(path)):
        resolved = file.resolve()
        if resolved not in user_documents and not resolved.is_relative_to(root):
            user_documents[resolved] = read_document(file, str(file))
    catalog = ships.copied([*user_documents.values()], loaded)
    if user_documents:  # what ships is validated by the tests
        catalog.validate(user_documents.values())
    return catalog


def _whole_domains(ships: Catalog, brought: Iterable[Document]) -> set[str]:
    """The domains of a plugin that have the name of one that ships, and do not build on it.

    Such a domain has tables and suites of its own, and defines a name again.
    """
    keys = {key for document in brought for key, _ in _entries(document)}
    again = {key.domain for key in keys if key in ships.entries}
    return {each for each in again if {"tables", "suites"} <= {key.section for key in keys if key.domain == each}}


def documents_of(
    suite: str, specs: Sequence[str | Path] = (), plugins: Sequence[str | Path] = ()
) -> tuple[Suite | None, Namespace | None]:
    """A suite and the names of its documents; None if they are not at hand."""
    try:
        catalog = load_catalog(*specs, suite=suite, plugins=plugins)
        found = catalog.suite(suite)
    except UsageError:
        return None, None
    return found, catalog.of_suite(found)


def _shown(file: Path, root: Path) -> str:
    """A document of a plugin in messages: its path from the working folder, or else from the folder of the plugin."""
    for folder in (Path.cwd(), root):
        if file.is_relative_to(folder):
            return file.relative_to(folder).as_posix()
    return str(file)


def _files(path: Path) -> list[Path]:
    """The documents in a file or folder. Raises SpecError for a folder without one."""
    files = list(document_files(path))
    if not files:
        raise SpecError("no .yaml document in this folder", str(path))
    return files
