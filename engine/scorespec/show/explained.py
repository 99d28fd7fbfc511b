"""What the engine finds out about a relation by itself, with the reason of each finding."""

from __future__ import annotations

from collections.abc import Iterable

from scorespec.catalog.lookup import Catalog, DefinitionKey
from scorespec.catalog.model import Relation, Table
from scorespec.catalog.template_names import names_read
from scorespec.check.binding import Binder
from scorespec.check.documents_checked import plan_of_relation
from scorespec.core.groups import grouped
from scorespec.core.terminal import in_columns, wrapped
from scorespec.errors import unknown
from scorespec.plan.needs import Needs, needs_of
from scorespec.plan.scopes import Scopes
from scorespec.show.paragraphs import INDENT, Lines, block

WIDTH = 80


def explained(catalog: Catalog, name: str) -> str:
    """What the relations of a name read, and how they can be computed. Raises UsageError if there are none."""
    keys = catalog.keys("relations")
    if not (meant := [key for key in keys if name in (key.name, str(key))]):
        raise unknown(f"no relation is called {name!r}", name, {text for key in keys for text in (key.name, str(key))})
    with Binder() as binder:
        return "\n\n".join(wrapped("\n".join(_lines(catalog, key, binder)), WIDTH) for key in meant)


def _lines(catalog: Catalog, key: DefinitionKey, binder: Binder) -> Lines:
    names = catalog.home(key)
    relation = names.built(key)
    assert isinstance(relation, Relation)
    plan, _ = plan_of_relation(names, relation.name)
    types, about = binder.bind(plan), {each.name: each.about for each in relation.columns}
    yield f"relation {key}, {key.domain}  ({catalog.origin(key)})"
    yield f"{INDENT}{relation.about}"
    yield from block("reads", _by_reason((need, _why(need, relation, "needs")) for need in relation.needs))
    params = (each.name for each in relation.params)
    yield from block("parameters", _by_reason((name, _why(name, relation, "params")) for name in params))
    yield from _slices(relation, needs_of(names))
    columns = ((name, type_, about.get(name, "")) for name, type_ in types.items())
    yield from block("columns, as the query has them over empty tables", in_columns(columns))


def _by_reason(found: Iterable[tuple[str, str]]) -> Lines:
    """Names, each with its reason; names with one reason are on one line."""
    names = grouped((reason, name) for name, reason in found)
    yield from (f"{', '.join(each)}: {reason}" for reason, each in names.items())


def _why(name: str, relation: Relation, listed: str) -> str:
    """Why a relation reads a table, relation or parameter."""
    for key, template in relation.templates.items():
        line = names_read(template).get(name)
        if line is not None:
            place = template.at(line) or f"line {line} of `{key}`"
            return f"named in {place}" if line else f"named in a macro that `{key}` imports"
    return "a setting of its function" if name in relation.settings else f"listed in `{listed}`"


def _slices(relation: Relation, needs: Needs) -> Lines:
    """The columns of inputs by which a relation is computed for each slice, and those that do not reach it."""
    scopes = Scopes(needs, [relation.name])
    tables = [found for found in needs.upstream([relation.name]) if isinstance(found, Table)]
    columns = dict.fromkeys(each.name for table in tables for each in table.columns if not each.type.endswith("]"))
    reached = [column for column in columns if scopes.flows(relation.name, column)]
    origins = ((column, f"of {', '.join(scopes.origins([relation.name], (column,)))}") for column in reached)
    yield from block("computed for each slice of --by", _by_reason(origins))
    others = ((each, scopes.why_not(relation.name, each)) for each in columns if each not in reached)
    yield from block("not computed for slices of --by", _by_reason(others))
    if relation.slices is not None:
        yield f"{INDENT}because of its key `slices`: {', '.join(relation.slices) or 'none'}"
    own = [each for each in relation.column_names if scopes.begins(relation.name, each)]
    yield from block("columns that it computes; --by groups its rows by them", [", ".join(own)] if own else [])
