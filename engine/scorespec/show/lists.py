"""What there is: lists of definitions."""

from __future__ import annotations

from scorespec.catalog.lookup import Catalog, DefinitionKey
from scorespec.catalog.model import Relation, Table
from scorespec.core.terminal import first_sentence, in_columns
from scorespec.errors import unknown
from scorespec.show.paragraphs import INDENT


def list_definitions(catalog: Catalog, section: str, domain: str | None = None, column: str | None = None) -> str:
    """A line for each definition of a section, by domain and suite.

    ``domain`` and ``column`` leave only definitions of a domain, and those that have a column. Raises UsageError for a
    name that nothing has.
    """
    keys = _selected(catalog, section, domain, column)
    homes = sorted({(key.domain, key.suite) for key in keys})
    listed = in_columns((key.name, first_sentence(catalog.definition(key).about)) for key in keys)
    lines = dict(zip(keys, listed, strict=True))
    blocks = []
    for domain_, suite in homes:
        head = [f"{domain_}, suite {suite}" if suite else domain_] if domain_ else []
        here = [line for key, line in lines.items() if (key.domain, key.suite) == (domain_, suite)]
        blocks.append("\n".join([*head, *(f"{INDENT if head else ''}{line}" for line in here)]))
    return "\n\n".join(blocks)


def _selected(catalog: Catalog, section: str, domain: str | None, column: str | None) -> list[DefinitionKey]:
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
    return keys


def _columns(catalog: Catalog, key: DefinitionKey) -> tuple[str, ...]:
    definition = catalog.definition(key)
    return definition.column_names if isinstance(definition, Table | Relation) else ()
