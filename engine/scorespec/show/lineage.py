"""What there is, what it depends on, and what depends on it: lists and trees of definitions."""

from __future__ import annotations

from collections.abc import Iterator

from scorespec.catalog.lookup import Catalog, DefinitionKey, Namespace
from scorespec.catalog.model import Metric, ReferencePoint, Relation, Suite, Table
from scorespec.core.groups import grouped
from scorespec.core.terminal import first_sentence, in_columns
from scorespec.errors import SpecError, unknown
from scorespec.plan.compile import Request, compile_suite
from scorespec.plan.metrics import Metrics, direct_references, namespaces_of
from scorespec.plan.parameters import read_metric_text
from scorespec.plan.relations import Relations
from scorespec.show.paragraphs import INDENT, Lines, block, singular

Edges = dict[DefinitionKey, list[DefinitionKey]]  # of a graph: what each definition refers to, or what refers to it

READERS = ("relations", "metrics", "reference_points", "suites")
READ = ("tables", *READERS)
BRANCH, LAST = ("├─ ", "│  "), ("└─ ", "   ")  # before a line of a tree, and before what is below it


class Lineage:
    """Which tables, relations, metrics, reference points and suites of a catalog refer to which.

    Every suite sees a definition of its domain in its own way: what the definition refers to may be the suite's own. So
    there is a graph for each suite, and one for definitions that no suite uses, as the domain sees them.
    """

    def __init__(self, catalog: Catalog) -> None:
        suites = catalog.keys("suites")
        self._views = [dependencies(key, catalog.of_suite(catalog.suite(key.name))) for key in suites]
        for section in READERS:
            for key in catalog.keys(section):
                if not any(key in view for view in self._views):
                    self._views.append(dependencies(key, catalog.home(key)))

    def needs(self, key: DefinitionKey) -> Edges:
        """What a definition, and everything that it depends on, refers to in all suites that use the definition."""
        found: Edges = {}
        for view in self._views:
            for each in _reached(key, view) if key in view else ():
                known = found.setdefault(each, [])
                known += [need for need in view[each] if need not in known]
        return found

    def readers(self, key: DefinitionKey) -> Edges:
        """What refers to a definition, and to everything that depends on it, in all suites."""
        found: Edges = {}
        for view in self._views:
            readers = grouped((need, each) for each, needs in view.items() for need in needs)
            for each in _reached(key, readers):
                known = found.setdefault(each, [])
                known += [reader for reader in readers.get(each, ()) if reader not in known]
        return found


def _reached(key: DefinitionKey, edges: Edges) -> list[DefinitionKey]:
    """A definition and all that edges lead to, directly or not."""
    found = [key]
    for each in found:
        found += [other for other in edges.get(each, ()) if other not in found]
    return found


def dependencies(key: DefinitionKey, names: Namespace) -> Edges:
    """What a definition, and everything that it depends on, refers to, as a namespace sees them."""
    found: Edges = {}
    waiting = [key]
    for each in waiting:
        found[each] = list(dict.fromkeys(_referred(each, names)))
        waiting += [need for need in found[each] if need not in waiting]
    return found


def _referred(key: DefinitionKey, names: Namespace) -> Iterator[DefinitionKey]:
    try:
        definition = names.built(key)
    except SpecError:  # it refers to names that other suites have
        return
    match definition:
        case Relation():
            referred = [(section, name) for name in definition.needs for section in ("tables", "relations")]
        case Metric():
            referred = list(direct_references(definition, names.kinds[definition.kind]))
        case Suite():
            referred = [("metrics", read_metric_text(text)[0]) for text in (*definition.metrics, *definition.describe)]
            referred += [(section, kept) for kept in definition.keep.values() for section in ("tables", "relations")]
            referred += [("reference_points", point) for point in definition.reference_points]
        case ReferencePoint():
            referred = [("relations", made) for made in definition.inputs.values() if made]
        case _:
            return
    yield from (found for section, name in referred if (found := names.key(section, name)))


def lineage_text(catalog: Catalog, name: str) -> str:
    """What the definitions of a name depend on, and what depends on them, as two trees for each definition.

    Raises UsageError for a name that none of these has, SpecError for a definition at fault.
    """
    lineage, keys = Lineage(catalog), find_keys(catalog, name)
    for key in keys:
        _check(catalog, key)
    return "\n\n".join("\n".join(_blocks(catalog, lineage, key)) for key in keys)


def _check(catalog: Catalog, key: DefinitionKey) -> None:
    """Raise the error of a definition at fault, which would otherwise seem to depend on nothing."""
    names = namespaces_of(catalog, key)[0]
    match definition := names.built(key):
        case Metric():
            Metrics(names, Relations(names, frozenset())).relations_of(definition)
        case Suite():
            compile_suite(catalog.of_suite(definition), definition, Request({}))


def find_keys(catalog: Catalog, name: str) -> list[DefinitionKey]:
    """The definitions with lineage that have a name. Raises UsageError if there are none."""
    every = [key for section in READ for key in catalog.keys(section)]
    found = [key for key in every if name in (key.name, str(key))]
    if not found:
        known = sorted({text for key in every for text in (key.name, str(key))})
        raise unknown(f"no table, relation, metric, reference point or suite is called {name!r}", name, known)
    return found


def _blocks(catalog: Catalog, lineage: Lineage, key: DefinitionKey) -> Iterator[str]:
    yield f"{singular(key.section)} {key}, {key.domain}  ({catalog.origin(key)})"
    for heading, edges in (("depends on", lineage.needs(key)), ("used by", lineage.readers(key))):
        yield from list(block(heading, tree(catalog, key, edges))) or [f"{INDENT}{heading}: nothing"]


def tree(catalog: Catalog, key: DefinitionKey, edges: Edges) -> Lines:
    """What edges lead to from a definition, a line each; a definition that is above is not unfolded again."""
    unfolded = {key}

    def below(key: DefinitionKey, before: str) -> Lines:
        found = edges.get(key, ())
        suites = [each for each in found if each.section == "suites"]  # on one line: nothing is below them
        lines = [each for each in found if each not in suites[1:]]
        for number, each in enumerate(lines, 1):
            mark, after = LAST if number == len(lines) else BRANCH
            if each in suites:
                yield f"{before}{mark}{'suites' if suites[1:] else 'suite'} {', '.join(suite.name for suite in suites)}"
                continue
            again = each in unfolded and edges.get(each)
            about = "(above)" if again else first_sentence(catalog.definition(each).about)
            yield f"{before}{mark}{singular(each.section)} {each}  {about}".rstrip()
            if not again:
                unfolded.add(each)
                yield from below(each, before + after)

    return below(key, "")


# -- lists -------------------------------------------------------------------------------------------


def list_definitions(
    catalog: Catalog, section: str, domain: str | None = None, column: str | None = None, below: str | None = None
) -> str:
    """A line for each definition of a section, by domain and suite.

    ``domain``, ``column`` and ``below`` leave only definitions of a domain, those that have a column, and those that
    depend on a table, relation or metric. Raises UsageError for a name that nothing has.
    """
    keys = _selected(catalog, section, domain, column, below)
    homes = sorted({(key.domain, key.suite) for key in keys})
    listed = in_columns((key.name, first_sentence(catalog.definition(key).about)) for key in keys)
    lines = dict(zip(keys, listed, strict=True))
    blocks = []
    for domain_, suite in homes:
        head = [f"{domain_}, suite {suite}" if suite else domain_] if domain_ else []
        here = [line for key, line in lines.items() if (key.domain, key.suite) == (domain_, suite)]
        blocks.append("\n".join([*head, *(f"{INDENT if head else ''}{line}" for line in here)]))
    return "\n\n".join(blocks)


def _selected(
    catalog: Catalog, section: str, domain: str | None, column: str | None, below: str | None
) -> list[DefinitionKey]:
    keys = catalog.keys(section)
    if domain is not None:
        domains = sorted({key.domain for key in catalog.entries} - {""})
        if domain not in domains:
            raise unknown(f"no domain {domain!r}", domain, domains)
        keys = [key for key in keys if key.domain == domain]
    if column is not None:
        known = sorted(
            {name for each in ("tables", "relations") for key in catalog.keys(each) for name in _columns(catalog, key)}
        )
        if column not in known:
            raise unknown(f"no table or relation has a column {column!r}", column, known)
        keys = [key for key in keys if column in _columns(catalog, key)]
    if below is not None:
        wanted, lineage = set(find_keys(catalog, below)), Lineage(catalog)
        keys = [key for key in keys if lineage.needs(key).keys() & wanted - {key}]
    return keys


def _columns(catalog: Catalog, key: DefinitionKey) -> tuple[str, ...]:
    definition = catalog.definition(key)
    return definition.column_names if isinstance(definition, Table | Relation) else ()
