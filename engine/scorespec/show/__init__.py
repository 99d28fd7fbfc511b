"""Shows what a name means: everything that a user meets under it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorespec.catalog.json_schema import DOCUMENT
from scorespec.catalog.lookup import SECTIONS, Catalog, DefinitionKey, Namespace
from scorespec.catalog.model import Definition, Metric, Relation, Suite, Table
from scorespec.core.result_tables import ABOUT, COLUMNS, EVIDENCE
from scorespec.core.terminal import first_sentence, in_columns
from scorespec.errors import Code, UsageError, nearest_only
from scorespec.plan.needs import components_of, expanded, namespaces_of
from scorespec.plan.parameters import show_value
from scorespec.show.definitions import (
    column_text,
    component_blocks,
    definition_lines,
    keys_of_section,
    statistic_blocks,
    values_by_suite,
)
from scorespec.show.first_screen import first_screen
from scorespec.show.paragraphs import headed, singular
from scorespec.show.plugged import format_lines, function_lines

# What is shown first when several things have a name.
ORDER = ("suites", "metrics", "reference_points", "figures", "relations", "tables", "parameters", "columns", "macros",
         "publications", "kinds")  # fmt: skip
Blocks = Iterator[str]
Owners = list[tuple[DefinitionKey, Namespace]]  # definitions, each with the namespace in which it is shown


def show(catalog: Catalog, name: str, brief: bool = False) -> str:
    """Everything that has a name, as text; ``brief`` is a screen for a metric, and a suite with few parameters.

    That is a name as documents have it, or as results do: ``suite.name``, ``metric.component``, ``table.column``,
    a metric with parameters, a table of evidence. If nothing has exactly this name, case, hyphens and blanks make no
    difference. Raises UsageError with the nearest name.
    """
    asked, parameters, _ = name.partition("(")
    asked = asked.strip()
    if parameters and any(key.section == "metrics" for key, _ in _meant(catalog, asked)):
        return "\n\n".join(_definitions(catalog, asked, ("metrics",)))
    metrics = [
        (metric, names) for key, names in _meant(catalog, asked) if isinstance(metric := names.built(key), Metric)
    ]
    if brief and (seen := [each for each in metrics if values_by_suite(*each)]):
        return first_screen(catalog, seen)
    found = list(_blocks(catalog, asked, brief))
    if not found:
        known = _every_name(catalog)
        alike = [each for each in sorted(known) if _folded(each) == _folded(asked)]
        found = [block for each in alike for block in _blocks(catalog, each, brief)]
        if not found:
            hint = nearest_only(name, known) or "documents of your own are read with --specs"
            raise UsageError(f"nothing is called {name!r}; {hint}", Code.UNKNOWN_NAME)
    return "\n\n".join(dict.fromkeys(found))


def bibtex(catalog: Catalog, name: str) -> str:
    """The entries that the definitions of a name cite, as BibTeX. Raises UsageError if there are none."""
    meant = [(names.built(key), names) for key, names in _meant(catalog, name)]
    cites = ((getattr(definition, "cites", [definition.name]), names) for definition, names in meant)
    cited = (names.publication(each) for listed, names in cites for each in listed)
    if not (found := dict.fromkeys(publication.bibtex for publication in cited if publication)):
        raise UsageError(f"{name!r} cites no entry of `publications`")
    return "\n\n".join(found)


def _folded(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_")


def _blocks(catalog: Catalog, name: str, brief: bool) -> Blocks:
    """A block of text for each thing that has exactly this name."""
    yield from _definitions(catalog, name, ORDER, brief)
    owner, _, part = name.rpartition(".")
    owners = _meant(catalog, owner) if owner else []
    declared = [(key, names) for key, names in _meant(catalog, name) if key.section == "components"]
    metrics = owners if owner else _homes(catalog, "metrics")
    of_a_metric = any(key.section == "metrics" for key, _ in owners)  # and not of all metrics of a suite
    yield from component_blocks(declared, metrics if of_a_metric or not declared else _homes(catalog, "metrics"), part)
    yield from statistic_blocks(metrics, part)
    yield from _columns(_homes(catalog, "tables", "relations") if not owner else owners, part)
    if not owner:
        if keys := keys_of_section(name):
            yield headed(f"section {name} of documents, with the keys", in_columns(keys.items()))
        yield from _domains(catalog, name)
        yield from _slices(catalog, name)
    yield from _evidence(catalog, name)
    yield from _stored(name)
    for format_ in catalog.plugins.formats.values():
        if name == format_.name or name in format_.suffixes:
            yield "\n".join(format_lines(format_, catalog))
    if name in catalog.plugins.functions:
        yield "\n".join(function_lines(catalog.plugins.functions[name], catalog))


# -- finding -----------------------------------------------------------------------------------------


def _definitions(catalog: Catalog, name: str, sections: Sequence[str], brief: bool = False) -> Blocks:
    """The definitions of a name, in the order of the sections."""
    meant = _meant(catalog, name)
    for section in sections:
        for key, names in meant:
            if key.section == section:
                yield "\n".join(definition_lines(names.built(key), names, brief))


def _meant(catalog: Catalog, name: str) -> Owners:
    """The definitions of a name, or of ``suite.name``, which may be inherited from the domain, and who sees them."""
    found = [(key, names) for key in catalog.entries if name in (key.name, str(key)) for names in _views(catalog, key)]
    suite, dot, bare = name.rpartition(".")
    for domain in [key.domain for key in catalog.keys("suites") if key.name == suite] if dot else []:
        names = catalog.namespace(domain, suite)
        inherited = [key for section in SECTIONS if (key := names.key(section, bare))]
        found += [(key, names) for key in inherited if (key, names) not in found]
    return found


def _views(catalog: Catalog, key: DefinitionKey) -> list[Namespace]:
    """The namespaces in which a definition is shown.

    A metric of a domain that extends metrics of suites, or reads their relations, is another in each suite.
    """
    if key.section != "metrics":
        return [catalog.home(key)]
    found, innermost = namespaces_of(catalog, key), catalog.namespace(key.domain, key.suite)
    return [innermost] if innermost in found else found


def _homes(catalog: Catalog, *sections: str) -> Owners:
    return [(key, catalog.home(key)) for section in sections for key in catalog.keys(section)]


def _columns(owners: Owners, name: str) -> Blocks:
    """The tables and relations that have a column of this name, by its meaning."""
    found: dict[str, list[str]] = {}
    for key, names in owners:
        definition = names.built(key)
        columns = definition.columns if isinstance(definition, Table | Relation) else ()
        for each in columns:
            if each.name == name:
                found.setdefault(column_text(each), []).append(f"{singular(key.section)} {key}")
    if found:
        yield headed(
            f"column {name}, in", (f"{', '.join(owners)}: {text}".rstrip(": ") for text, owners in found.items())
        )


def _suites(catalog: Catalog) -> list[Suite]:
    return [catalog.suite(name) for name in catalog.names("suites")]


def _domains(catalog: Catalog, name: str) -> Blocks:
    """A domain with its suites."""
    suites = [f"{each.name}  {first_sentence(each.about)}" for each in _suites(catalog) if each.domain == name]
    if suites:
        yield headed(f"domain {name}, with the suites", suites)


def _slices(catalog: Catalog, name: str) -> Blocks:
    """The suites that have slices of this name, which may be another than that of their parameter."""
    for suite in _suites(catalog):
        for parameter, vary in suite.vary.items():
            if (vary.slice or parameter) == name:
                values = ", ".join(map(show_value, vary.values))
                head = f"slice {name} of suite {suite.name}  ({suite.origin.place('vary', parameter, key=True)})"
                yield headed(head, [f"one for each value of the parameter {parameter}: {values}"])


def _evidence(catalog: Catalog, name: str) -> Blocks:
    """The suites that keep evidence of this name, which may be another than that of the relation."""
    kept: dict[tuple[str, str, str], list[Suite]] = {}
    rows: dict[tuple[str, str, str], list[str]] = {}
    for suite in _suites(catalog):
        names = catalog.of_suite(suite)
        for alias, relation in suite.keep.items():
            written = (EVIDENCE + alias, alias, f"{suite.name}.{alias}", f"{suite.name}.{EVIDENCE}{alias}")
            if name in written and (found := names.table_or_relation(relation)):
                noun = "input" if isinstance(found, Table) else "relation"
                key = alias, f"{noun} {found.full_name}", suite.domain
                kept.setdefault(key, []).append(suite)
                is_shown = name.rpartition(".")[2] == relation  # as a definition of that name
                rows[key] = [] if is_shown else list(definition_lines(found, names))
    for key, suites in kept.items():
        alias, source, _ = key
        head = f"table {EVIDENCE}{alias} of the results database, suite {', '.join(each.name for each in suites)}"
        yield headed(head, [f"rows of the {source}", *rows[key]])


def _stored(name: str) -> Blocks:
    """What the results database has by a name: a table, a column, or ``table.column``."""
    if name in COLUMNS:
        width = max(map(len, COLUMNS[name]))
        listed = [f"    {column:<{width}}  {stored.about}" for column, stored in COLUMNS[name].items()]
        yield "\n".join([f"table {name} of the results database", f"  {ABOUT[name]}", "  columns:", *listed])
    for table, columns in COLUMNS.items():
        for column, stored in columns.items():
            if name in (column, f"{table}.{column}"):
                yield f"column {table}.{column} of the results database\n  {stored.about}"


def _every_name(catalog: Catalog) -> set[str]:
    """Every name under which something is found, apart from those of parts of others (``metric.component``)."""
    names = {text for key in catalog.entries for text in (key.name, str(key), key.domain) if text}
    names |= set(filter(keys_of_section, DOCUMENT))
    names |= catalog.plugins.formats.keys() | catalog.plugins.functions.keys() | COLUMNS.keys()
    names |= {name for columns in COLUMNS.values() for name in columns}
    for suite in _suites(catalog):
        names |= {text for kept in suite.keep for text in (kept, EVIDENCE + kept)}
        names |= {vary.slice or parameter for parameter, vary in suite.vary.items()}
    for key, home in _homes(catalog, "metrics", "tables", "relations"):
        names |= _parts(home.built(key), home)
    return names


def _parts(definition: Definition, names: Namespace) -> set[str]:
    """The names of the components and statistics of a metric, of the columns of a table or relation."""
    if isinstance(definition, Metric):
        body = expanded(definition, names.kinds[definition.kind])
        return {*components_of(body), *body.get("statistics", {})}
    return {each.name for each in definition.columns} if isinstance(definition, Table | Relation) else set()
