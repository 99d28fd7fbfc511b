"""What deserves a look in documents without faults: untried metrics, unused definitions, columns that stay empty."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from scorespec.catalog.lookup import Catalog, DefinitionKey, Namespace
from scorespec.catalog.model import Definition, Deprecable, Metric, ReferencePoint, Relation, Suite, Table
from scorespec.catalog.template_names import names_read
from scorespec.core.score_text import counted
from scorespec.errors import SpecError
from scorespec.plan.needs import components_of, expanded, templates_of, texts_in
from scorespec.plan.relations import columns_read, conditions_of
from scorespec.plan.rendering.macros import macros_used
from scorespec.plan.rendering.templates import with_imports

USED = ("tables", "relations", "parameters", "columns", "components", "macros", "reference_points", "figures")
ANY = ""  # the section of a name in a definition that may name others in any of its keys


def notices(
    catalog: Catalog,
    own: Sequence[DefinitionKey],
    tried: Collection[DefinitionKey | None],
) -> Iterator[str]:
    """A line for each kind of notice about some definitions.

    ``tried`` are the metrics that have a case.
    """
    yield from _listed("no case for", "metric", (key for key in own if key.section == "metrics" and key not in tried))
    domains = {key.domain for key in own}
    used = {each for key in catalog.entries if key.domain in domains for each in _uses(catalog, key)}
    for section in USED:
        idle = (key for key in own if key.section == section and not used & {(section, key.name), (ANY, key.name)})
        by_hand = {"sets", "manifest"}  # a user names these parameters and tables
        unused = (key for key in idle if not by_hand.intersection(catalog.home(key).entry(key).data))
        yield from _listed("nothing uses", section.removesuffix("s").replace("_", " "), unused)
    for key in own:
        if isinstance(definition := _built(catalog, key), Relation):
            yield from _superfluous(definition, catalog.home(key))
        elif isinstance(definition, Metric):
            yield from _undeclared(definition, catalog.home(key))
    yield from _deprecated(catalog, own)
    tables = [found for key in own if isinstance(found := _built(catalog, key), Table)]
    yield from _listed("a format lacks", "column", (each for table in tables for each in _empty(table, catalog)))


def _listed(said: str, what: str, found: Iterable[object]) -> Iterator[str]:
    if listed := list(map(str, found)):
        yield f"{said} {counted(len(listed), what)}: {', '.join(listed)}"


def _uses(catalog: Catalog, key: DefinitionKey) -> Iterator[tuple[str, str]]:
    """The section and the name of what a definition uses."""
    names, definition = catalog.home(key), _built(catalog, key)
    texts = [text for _, text in texts_in(names.entry(key).data)]
    if isinstance(definition, Metric | ReferencePoint | Suite):
        yield from ((ANY, text) for text in texts)
    if isinstance(definition, Metric):
        yield from (("parameters", name) for _, template in templates_of(definition) for name in names_read(template))
        yield from (("components", name) for name in components_of(expanded(definition, names.kinds[definition.kind])))
    if isinstance(definition, Table | Relation):
        yield from (("columns", name) for name in definition.column_names)
    if isinstance(definition, Table):
        yield from (("tables", need) for check in definition.checks for need in check.needs)
    if isinstance(definition, Relation):
        yield from ((section, need) for section in ("tables", "relations") for need in definition.needs)
        yield from (("parameters", each.name) for each in definition.params)
        texts += (text for template in definition.templates.values() for text in with_imports(template))
    yield from (("macros", macro.name) for macro in macros_used(names, texts))


def _built(catalog: Catalog, key: DefinitionKey) -> Definition | None:
    """A definition; None if it is at fault, because it is not among those that are checked."""
    try:
        return catalog.definition(key)
    except SpecError:
        return None


def _deprecated(catalog: Catalog, own: Sequence[DefinitionKey]) -> Iterator[str]:
    """The definitions that some definitions use and that should not be used any more."""
    found = {key: each for key in catalog.entries if isinstance(each := _built(catalog, key), Deprecable)}
    for key in own:
        data = catalog.entries[key].data
        more = [data.get("extends"), *(data.get("params") or ())] if isinstance(data, Mapping) else []
        used = {*_uses(catalog, key), *((ANY, name) for name in more)}
        for old, each in found.items():
            named = {(old.section, old.name), (ANY, old.name)} & used
            if named and old.domain == key.domain and each.deprecated:
                yield f"{catalog.origin(key)}: {old.section.removesuffix('s')} {old} is {each.deprecated}"


def _superfluous(relation: Relation, names: Namespace) -> Iterator[str]:
    """The lists `needs` and `params` of a relation whose names are all in its templates anyway."""
    read = {name for template in relation.templates.values() for name in names_read(template)}
    unclear = {*names.names("tables", "relations")}.intersection(names.names("parameters"))
    for key in ("needs", "params"):
        seen = read.difference(unclear).union(relation.settings if key == "params" else ())
        if seen.issuperset(relation.origin.data.get(key, [None])):
            yield f"{relation.origin.place(key, key=True)}: `{key}` can go: the SQL has these names"


def _undeclared(metric: Metric, names: Namespace) -> Iterator[str]:
    """The columns in `only` of a metric that no input declares: a misspelt name, or a column of the user's files."""
    known = {column for name in names.names("tables") for column in names.written(name, "columns")}
    for _, sql, place in conditions_of(metric):
        if unknown := [column for column in columns_read(sql, place) if column not in known]:
            yield f"{place}: no input declares {', '.join(unknown)}: a run needs a file with this column"


def _empty(table: Table, catalog: Catalog) -> Iterator[str]:
    """The columns that a format leaves empty although a value is required, or that every format leaves empty."""
    formats = [catalog.plugins.formats[name] for name in dict.fromkeys((*table.formats, *table.also_in.values()))]
    for column in table.columns:
        lacking = [each.name for each in formats if each.leaves_empty(column.name)]
        if column.name != table.part_column and lacking and (not column.nullable or len(lacking) == len(formats)):
            yield f"{table.full_name}.{column.name} ({', '.join(lacking)})"
