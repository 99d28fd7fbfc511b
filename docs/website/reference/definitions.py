"""Tables, relations, and the names that are declared once for a domain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from reference.markdown import Lines, cell, columns, file, linked, names, of, table, title, value
from scorespec.catalog.build import cited_name
from scorespec.catalog.lookup import Catalog, DefinitionKey
from scorespec.catalog.model import (
    ColumnMeaning,
    ComponentMeaning,
    Macro,
    Parameter,
    ReferencePoint,
    Relation,
    Table,
)
from scorespec.show.definitions import reading


def tables_page(catalog: Catalog, domain: str) -> Lines:
    """The inputs of a domain."""
    yield from (f"# {title(domain)}: input tables", "")
    yield "The tables that the inputs of a suite fill. A file may be in each of the named [formats](formats.md)."
    for home in ("", *catalog.suites(domain)):
        for each in of(catalog, "tables", domain, home):
            yield from ("", f"## {each.name}", "", each.about, "", *([f"* of the suite `{home}`"] if home else []))
            yield from _table(each)


def _table(each: Table) -> Lines:
    yield f"* key: {names(each.key) or 'all columns'}; a repeat: {each.duplicates}"
    yield f"* formats: {', '.join(f'[`{name}`](formats.md#{name})' for name in each.formats)}"
    yield f"* at least {each.min_rows} rows"
    if each.describes:
        yield f"* describes: {names(filter(None, (each.describes, each.parts)))}; `--by` may name any other column"
    for check in each.checks:
        yield f"* refused{', or dropped with `--on-bad-row drop`' if check.droppable else ''}: “{check.says}”"
    if each.droppable:
        yield "* refused, or dropped with `--on-bad-row drop`: a row with a missing or illegal value"
    yield from columns(each.columns)


def relations_page(catalog: Catalog, domain: str, home: str) -> Lines:
    """The relations of a suite, or those that belong to the whole domain."""
    whose = f"of the suite {home}" if home else "of all suites"
    yield from (f"# {title(domain)}: relations {whose}", "")
    yield "A relation is a named step of a run: a table that the engine computes with the SQL shown."
    yield "`{{ name }}` stands for another relation, an input or a parameter."
    for each in of(catalog, "relations", domain, home):
        yield from ("", f"## {each.name}", "", each.about, "")
        yield from _relation(catalog, each, home)
    for each in of(catalog, "figures", domain, home):
        yield from ("", f"## {each.name}", "", f"*figure* {each.about}", "", "```sql", each.sql.text.rstrip(), "```")
    for each in of(catalog, "reference_points", domain, home):
        yield from ("", f"## {each.name}", "", f"*reference point* {each.about}", "")
        yield from _reference_point(each)


def _relation(catalog: Catalog, each: Relation, home: str) -> Lines:
    if each.symbol:
        yield f"* symbol: {each.symbol}"
    yield f"* needs: {', '.join(_link(catalog, each, name) for name in each.needs) or 'nothing'}"
    if each.function_input:
        functions = names(call.function.name for call in each.function_input.calls)
        yield f"* rows computed by the Python functions {functions}, in this order; `rows` is their result"
    yield from (f"* warning: {warning.says}" for warning in each.warnings)
    yield from (f"* error: {error.says}" for error in each.errors)
    yield f"* document: `{each.origin.place(key=True).path}`"
    yield from columns(each.columns)
    yield from table(
        ("parameter", "default", "meaning"),
        ((f"`{one.name}`", value(one, one.default), cell(one.about)) for one in each.params),
    )
    yield from ("", "```sql", each.template.text.strip(), "```")


def _link(catalog: Catalog, each: Relation, name: str) -> str:
    seen_from = catalog.home(DefinitionKey("relations", each.domain, each.suite, each.name))
    found = seen_from.relation(name)
    if found is None:
        return f"[`{name}`]({file(each.domain)}-tables.md#{name})"
    return f"[`{name}`]({file(each.domain)}-relations-{found.suite or 'shared'}.md#{name})"


def _reference_point(point: ReferencePoint) -> Lines:
    for name, relation in point.inputs.items():
        yield f"* {name}: {'rows of `' + relation + '`' if relation else 'left out'}"


def names_page(catalog: Catalog, domain: str) -> Lines:
    """Parameters, components, columns and macros of a domain."""
    yield from (f"# {title(domain)}: parameters, components, columns, macros", "")
    yield "Names with one meaning in all documents of the domain. A metric may give a component a meaning of its own."
    homes = ("", *catalog.suites(domain))
    for section, shown in _SECTIONS.items():
        definitions = [each for home in homes for each in of(catalog, section, domain, home)]
        if definitions:
            yield from ("", f"## {section.capitalize()}")
        for each in definitions:
            suite = f" (in the suite `{each.suite}`)" if each.suite else ""
            yield from ("", f"### {each.name}", "", f"{each.about}{suite}")
            yield from shown(each)


def _parameter(each: Parameter) -> Lines:
    bounds = f"one of {names(map(str, each.one_of))}" if each.one_of else each.limits
    yield from ("", f"{each.type}, default {value(each, each.default, whole=True)}" + (f"; {bounds}" if bounds else ""))
    if each.sets:
        yield ""
    for written, others in each.sets.items():
        yield f"* `{written}` sets {', '.join(f'`{name}` = {other}' for name, other in others.items())}"


def _meaning(each: ColumnMeaning | ComponentMeaning) -> Lines:
    yield from ("", read) if (read := reading(each)) else ()


def macro_lines(macro: Macro) -> Lines:
    """The SQL of a macro."""
    yield from ("", "```sql", f"{macro.name}({', '.join(macro.params)}) = {macro.sql}", "```")


def macros_page(catalog: Catalog) -> Lines:
    """The macros of all domains."""
    yield from ("# SQL macros for every domain", "", "Functions that the SQL of every document may call.")
    for macro in of(catalog, "macros", ""):
        yield from ("", f"## {macro.name}", "", macro.about)
        yield from macro_lines(macro)


def bibliography_page(catalog: Catalog) -> Lines:
    """The publications and programs that documents cite, with the metrics and suites that cite each."""
    yield from ("# Bibliography", "", "The sources of all metrics and suites.")
    yield "`scorespec show NAME --bibtex` prints those of a metric or suite."
    cited: dict[str | None, list[str]] = {}
    for section in ("suites", "metrics"):
        for key in catalog.keys(section):
            page = f"{file(key.domain)}.md#{key.name}" if section == "suites" else f"{file(key.domain)}/{key.name}.md"
            for cite in catalog.definition(key).cites:
                cited.setdefault(cited_name(cite), []).append(f"[`{key}`]({page})")
    for publication in sorted(of(catalog, "publications", ""), key=lambda each: each.name):
        used = f"Cited by {', '.join(dict.fromkeys(cited[publication.name]))}." if publication.name in cited else ""
        yield from ("", f"## {publication.name}", "", linked(publication.cited()), "", used, "")
        yield from ("```bibtex", publication.bibtex, "```")


_SECTIONS: Mapping[str, Callable[[Any], Lines]] = {
    "parameters": _parameter,
    "components": _meaning,
    "columns": _meaning,
    "macros": macro_lines,
}
