"""The catalog: every document that is known, what a name means, and what ``extends`` comes to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

from scorespec.catalog import build
from scorespec.catalog.data import shipped
from scorespec.catalog.documents import Document, document_files, merge, read_document
from scorespec.catalog.entry import Entry
from scorespec.catalog.model import LONGEST_CHAIN, Definition, Kind, Metric, Relation, Suite, Table
from scorespec.catalog.validation import validate_document, validate_extended, validate_metric
from scorespec.errors import Place, SpecError, UsageError, nearest

SECTIONS = ("tables", "relations", "metrics", "suites", "kinds")
Defined = TypeVar("Defined", bound=Definition)
EntryKey = tuple[str, str, str]  # section, domain, name


class Catalog:
    """All definitions, by section, domain and name.

    ``documents`` are read in order; a name may be defined once. Definitions are built when first asked
    for, so that a fault in one does not hide the others.
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self._entries: dict[EntryKey, Entry] = {}
        self._built: dict[EntryKey, Definition] = {}
        self.documents = list(documents)
        for document in self.documents:
            self._register(document)
        self._resolved: set[EntryKey] = set()
        self._seen_by: str | None = None

    def _register(self, document: Document) -> None:
        domain = str(document.data.get("domain", ""))
        for section in SECTIONS:
            named = document.data.get(section)
            for name in named if isinstance(named, Mapping) else ():
                key = (section, domain, name)
                if key in self._entries:
                    place = document.place((section, name), key=True)
                    first = self._entries[key].place(key=True)
                    raise SpecError(f"{name!r} is defined at {first} already; extend it under a new name", place)
                self._entries[key] = Entry(section, name, document)

    # -- extends ---------------------------------------------------------------------------------

    def _entry(self, key: EntryKey, seen: tuple[str, ...] = ()) -> Entry:
        """The entry with its ``extends`` chain merged in."""
        entry = self._entries[key]
        if key in self._resolved:
            return entry
        section, domain, name = key
        written: Mapping[str, Any] = entry.document.data[section][name] or {}
        base = written.get("extends") if isinstance(written, Mapping) else None
        if base is None:
            entry.data = written
        else:
            entry.parent = self._parent(entry, domain, str(base), (*seen, name))
            own = {key: value for key, value in written.items() if key != "extends"}
            entry.data = merge(entry.parent.data, own)
            entry.generation = entry.parent.generation + 1
            _refuse_chain(entry, entry.generation)
        self._resolved.add(key)
        return entry

    def _parent(self, entry: Entry, domain: str, base: str, seen: tuple[str, ...]) -> Entry:
        key = (entry.section, domain, base)
        place = entry.document.place((entry.section, entry.name, "extends"))
        if base in seen:
            raise SpecError(f"{' extends '.join((*seen, base))}: a cycle", place)
        _refuse_chain(entry, len(seen))
        if key not in self._entries:
            elsewhere = [d for s, d, n in self._entries if (s, n) == (entry.section, base)]
            said = f"{base!r} is of the domain {elsewhere[0]!r}, this document of {domain!r}" if elsewhere else ""
            said = said or f"extends unknown {base!r}; {nearest(base, self.names(entry.section, domain))}"
            raise SpecError(said, place)
        return self._entry(key, seen)

    # -- lookup ----------------------------------------------------------------------------------

    def names(self, section: str, domain: str | None = None) -> list[str]:
        """The names of a section, of one domain or of all, in the order they were read."""
        return [n for s, d, n in self._entries if s == section and domain in (None, d)]

    def keys(self, section: str) -> list[EntryKey]:
        """Every (section, domain, name) of a section."""
        return [key for key in self._entries if key[0] == section]

    def definition(self, key: EntryKey) -> Definition:
        """Build one definition. Raises SpecError where it is at fault."""
        if key not in self._built:
            section, domain, _ = key
            self._built[key] = build.BUILDERS[section](self._entry(key), domain, self)
        return self._built[key]

    def of_suite(self, suite: Suite) -> Catalog:
        """The catalog as a suite sees it: its inputs are the tables that it holds them to."""
        if self._seen_by == suite.name:
            return self
        seen = copy(self)
        seen._seen_by, seen._built = suite.name, dict(self._built)
        for name, held_to in suite.tables.items():
            table = self.table(suite.domain, held_to)
            assert table  # the suite was built, so that it is known
            seen.widen(replace(table, name=name))
        return seen

    def widen(self, table: Table) -> None:
        """Let a table be known with these columns from now on."""
        self._built["tables", table.domain, table.name] = table

    def origin(self, key: EntryKey) -> Place:
        """Where a definition stands, whether it can be built or not."""
        return self._entries[key].place(key=True)

    def _get(self, section: str, domain: str, name: str, kind: type[Defined]) -> Defined | None:
        key = (section, domain, name)
        found = self.definition(key) if key in self._entries else None
        return found if isinstance(found, kind) else None

    def table(self, domain: str, name: str) -> Table | None:
        return self._get("tables", domain, name, Table)

    def relation(self, domain: str, name: str) -> Relation | None:
        return self._get("relations", domain, name, Relation)

    def metric(self, domain: str, name: str) -> Metric:
        """A metric of a domain. Raises UsageError with the nearest name."""
        found = self._get("metrics", domain, name, Metric)
        if found is None:
            raise UsageError(f"unknown metric {name!r}; {nearest(name, self.names('metrics', domain))}")
        return found

    def suite(self, name: str) -> Suite:
        """A suite by name. Raises UsageError with the nearest name."""
        for _, domain, known in self.keys("suites"):
            if known == name and (found := self._get("suites", domain, name, Suite)):
                return found
        raise UsageError(f"unknown suite {name!r}; {nearest(name, self.names('suites'))}")

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """Every kind by name; kinds belong to no domain."""
        found = [self.definition(key) for key in self.keys("kinds")]
        return {kind.name: kind for kind in found if isinstance(kind, Kind)}

    def what_is(self, name: str) -> list[Definition]:
        """Every definition of that name. Raises UsageError with the nearest name."""
        found = [key for key in self._entries if key[2] == name]
        if not found:
            raise UsageError(f"nothing is called {name!r}; {nearest(name, {n for _, _, n in self._entries})}")
        return [self.definition(key) for key in found]

    def validate(self, documents: Iterable[Document]) -> None:
        """Hold documents against the schema. Raises SpecError that lists every fault."""
        faults: list[str] = []
        for document in documents:
            faults += validate_document(document)
        if not faults:
            shown = {document.shown for document in documents}
            for key, entry in self._entries.items():
                if entry.document.shown in shown and key[0] == "metrics":
                    faults += validate_metric(self._entry(key), self.kinds)
                elif entry.document.shown in shown and self._entry(key).parent:
                    faults += validate_extended(entry)
        if faults:
            raise SpecError("\n".join(faults))


def _refuse_chain(entry: Entry, length: int) -> None:
    if length > LONGEST_CHAIN:
        place = entry.document.place((entry.section, entry.name, "extends"))
        raise SpecError(f"a chain of more than {LONGEST_CHAIN} definitions, each of which extends the next", place)


@cache
def shipped_documents(domains: frozenset[str] = frozenset()) -> tuple[Document, ...]:
    """The documents that ship with the package: all, or what those of some domains, and of none, define."""
    root = shipped("specs")
    files = [path for path in document_files(root) if not domains or _defines(path, domains)]
    return tuple(_shipped_document(path, f"specs/{path.relative_to(root).as_posix()}") for path in files)


@cache
def _shipped_document(path: Path, shown: str) -> Document:
    return read_document(path, shown)


@cache
def _domain(path: Path) -> str:
    """The domain of a document that ships, read without parsing it; '' where it names none."""
    found = re.search(r"^domain: *(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else ""


def _defines(path: Path, domains: frozenset[str]) -> bool:
    """Whether a document that ships defines something in some domains, or in none; cases alone are for `check`."""
    sections = re.compile(rf"^(?:{'|'.join(SECTIONS)}):", re.MULTILINE)
    return _domain(path) in {*domains, ""} and bool(sections.search(path.read_text(encoding="utf-8")))


def _domains_of(suite: str, own: Iterable[Document]) -> frozenset[str]:
    """The domains that a suite can need, so that others need not be parsed; none when it is not found."""
    named = re.compile(rf"^suites:(?:\n[ #].*|\n)*\n  {re.escape(suite)}:", re.MULTILINE)
    files = document_files(shipped("specs"))
    found = {_domain(path) for path in files if named.search(path.read_text(encoding="utf-8"))}
    of_own = {str(document.data.get("domain", "")) for document in own}
    return (
        frozenset(found | of_own) if found or any(suite in (d.data.get("suites") or ()) for d in own) else frozenset()
    )


def load_catalog(*specs: str | Path, suite: str | None = None) -> Catalog:
    """Everything that ships, and the user's documents at ``specs`` (files or folders) on top.

    When it is known which ``suite`` is wanted, only the documents of its domain are read, and the user's.
    Raises SpecError with file, line and column for a fault in a user's document.
    """
    own: list[Document] = []
    for given in map(Path, specs):
        files = list(document_files(given))
        if not files:
            raise SpecError("no .yaml document in this folder", str(given))
        own += [read_document(path, str(path)) for path in files]
    catalog = Catalog([*shipped_documents(_domains_of(suite, own) if suite else frozenset()), *own])
    # What ships is validated by the tests; a user's document is validated now.
    catalog.validate(own)
    return catalog
