"""The names that templates read from outside: those of tables, relations and parameters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, nodes

from scorespec.catalog.documents import file_below, shipped
from scorespec.catalog.model import SqlTemplate
from scorespec.errors import Place, SpecError

TEMPLATES = (".sql", ".jinja")  # the suffixes of files that a template can import
# The names that mean the same in every template of a relation, and those that Jinja defines.
WORDS = frozenset({"loop", "caller", "varargs", "kwargs", "self", "super"})
_SCOPES = (nodes.Template, nodes.Macro, nodes.CallBlock, nodes.For, nodes.With)
_OUTSIDE = ""  # the part of a file that is in no macro
_JINJA = Environment(trim_blocks=True, lstrip_blocks=True)

Macros = Mapping[str, list[str]]  # what each macro of an imported file reads of the template that imports it


def imported(home: Path, name: str) -> Path | None:
    """The file that a template imports: below the folder of its document, or among those that ship."""
    if not name.endswith(TEMPLATES):
        return None
    return file_below(home, name) or file_below(shipped("sql"), name, links=True)


@cache
def names_read(template: SqlTemplate) -> Mapping[str, int]:
    """The names that a template reads and does not set, in order, each with the first line that uses it.

    Macros that are imported `with context` read names for the template that calls them; such a name has the line 0.
    There are no names if the template cannot be parsed.
    """
    lines: dict[str, int] = {}
    try:
        if "{" in template.text:
            _read(_JINJA.parse(template.text), {}, template.home, lines)
    except Exception:  # rendering the template reports whatever is wrong
        return {}
    return {name: line for name, line in lines.items() if name not in WORDS}


def _read(node: nodes.Node, local: Mapping[str, Macros], home: Path, found: dict[str, int]) -> None:
    """Add the names that a part of a template reads and that are not ``local``, each with its first line."""
    if isinstance(node, nodes.Name):
        if node.ctx == "load" and node.name not in local:
            found[node.name] = found.get(node.name) or node.lineno
    elif isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name) and local.get(node.node.name):
        _add(found, local[node.node.name], node.attr)
    elif isinstance(node, nodes.Import | nodes.FromImport | nodes.Include):
        _add(found, _imported_macros(node, home), _OUTSIDE, *(written for written, _ in _imported_names(node)))
    elif not isinstance(node, nodes.Const | nodes.TemplateData):
        inner = {**local, **_set_in(node, home)} if isinstance(node, _SCOPES) else local
        for child in node.iter_child_nodes():
            _read(child, inner, home, found)


def _add(found: dict[str, int], macros: Macros, *called: str) -> None:
    for macro in called:
        for name in macros.get(macro, ()):
            found.setdefault(name, 0)


def _set_in(scope: nodes.Node, home: Path) -> dict[str, Macros]:
    """The names that a scope sets; the name of an imported file with its macros."""
    found: dict[str, Macros] = {}
    waiting = list(scope.iter_child_nodes())
    for node in waiting:
        if isinstance(node, nodes.Assign):
            # {% set rows = rows if rows.given else others %} reads a name from outside, and then sets it.
            loaded = {each.name for each in node.find_all(nodes.Name) if each.ctx == "load"}
            found |= {each.name: {} for each in node.find_all(nodes.Name) if each.name not in loaded}
        elif isinstance(node, nodes.Macro) or (isinstance(node, nodes.Name) and node.ctx != "load"):
            found[node.name] = {}
        elif isinstance(node, nodes.Import):
            found[node.target] = _imported_macros(node, home)
        elif isinstance(node, nodes.FromImport):
            found |= {name: {} for _, name in _imported_names(node)}
        elif not isinstance(node, (*_SCOPES, nodes.Output)):
            waiting += node.iter_child_nodes()
    return found


def _imported_names(node: nodes.Node) -> list[tuple[str, str]]:
    """The names of `{% from … import … %}`, as they are in the file and in the template; none of other nodes."""
    names = node.names if isinstance(node, nodes.FromImport) else []
    return [(each, each) if isinstance(each, str) else each for each in names]


def _imported_macros(node: nodes.Import | nodes.FromImport | nodes.Include, home: Path) -> Macros:
    if not node.with_context or not isinstance(node.template, nodes.Const):
        return {}
    return _macros(home, str(node.template.value))


@cache
def _macros(home: Path, name: str) -> Macros:
    """What each macro of a file reads of the template that imports it, and what the rest of the file reads."""
    path = imported(home, name)
    tree = _JINJA.parse(path.read_text(encoding="utf-8") if path else "")
    macros = {each.name: each for each in tree.body if isinstance(each, nodes.Macro)}
    local = {name: each for name, each in _set_in(tree, home).items() if name not in macros}
    rest = nodes.Output([each for each in tree.body if each not in macros.values()])
    read: dict[str, list[str]] = {}
    for part, node in {**macros, _OUTSIDE: rest}.items():
        found: dict[str, int] = {}
        _read(node, local, home, found)
        read[part] = list(found)
    for names in read.values():
        for name in names:  # it grows: a macro that calls another one of the file reads what that one reads
            names += [each for each in read.get(name, ()) if each not in names]
    return {part: [name for name in names if name not in macros] for part, names in read.items()}


# -- faults ------------------------------------------------------------------------------------------


def fault_at_line(reason: str, at: str, line: int, place: Place | str, hint: str = "") -> SpecError:
    """The error of a template ``at`` the line of its file or, if this is not known, at its place in a document."""
    after = f"; {hint}" if hint else ""
    if at:
        return SpecError(f"template: {reason}{after}", at)
    return SpecError(f"template: {reason}" + (f" (line {line} of the template)" if line else "") + after, place)
