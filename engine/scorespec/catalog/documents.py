"""Documents: where they are, and how YAML becomes plain data with the place of each value."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from yaml.cyaml import CParser
from yaml.error import MarkedYAMLError, YAMLError
from yaml.events import CollectionEndEvent, CollectionStartEvent, Event
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.resolver import BaseResolver

from scorespec.errors import Place, SpecError
from scorespec.version import __version__

DOCUMENT_SUFFIXES = (".yaml", ".yml")
MOST_CHARACTERS = 10_000_000  # of a document
MOST_VALUES = 200_000  # with aliases expanded; a document with more is refused
DEEPEST = 100  # levels of nested lists and mappings; libyaml crashes at tens of thousands
LONGEST_CHAIN = 100  # of definitions that refer to each other; the compiler follows a chain by recursion
KeyPath = tuple[str | int, ...]
FORMAT = 1  # of documents; version N of scorespec reads the formats up to N, and 0 reads format 1
_PACKAGE = Path(__file__).resolve().parents[1]
_TAG = "tag:yaml.org,2002:"
_TEXT = _TAG + "str"
_PART = re.compile(r"^---[ \t]*\n", re.MULTILINE)

# -- files -----------------------------------------------------------------------------------------------------------


@cache
def shipped(folder: str) -> Path:
    """The folder ``specs`` or ``sql``: inside the installed package (of a wheel), or at the top of the checkout."""
    installed = _PACKAGE / folder
    return installed if installed.is_dir() else _PACKAGE.parents[1] / folder


def file_below(folder: Path, name: str, *, links: bool = False) -> Path | None:
    """The file with this name below a folder; None if there is none, or if the name leads out of the folder.

    A symbolic link may lead out of the folder only with ``links``: installers may link the files that ship.
    """
    path = folder / name
    try:
        if ".." in path.parts or not path.is_relative_to(folder) or not path.is_file():
            return None
        return path if links or path.resolve().is_relative_to(folder.resolve()) else None
    except (OSError, ValueError, RuntimeError):  # too long, with a zero byte, or links that go round in circles
        return None


def document_files(path: Path) -> list[Path]:
    """The documents at ``path``: the file itself, or all ``.yaml`` files below a folder, in order of their names."""
    if not os.path.isdir(path):  # unlike Path.is_dir, it accepts a name that is too long
        return [path]
    return sorted(each for each in path.rglob("*") if each.suffix in DOCUMENT_SUFFIXES)


# -- documents and their definitions ---------------------------------------------------------------------------------


@dataclass
class Document:
    """One YAML file: its data and, for every path into it, the place of the key and of the value.

    ``shown`` is the name of the file in messages; relative paths in the document start from ``folder``. ``nodes`` are
    those of its text: of its definitions and, if it was read, of its cases.
    """

    shown: str
    folder: Path
    data: dict[str, Any]
    lines: list[str] = field(default_factory=list, repr=False)
    nodes: list[Node] = field(default_factory=list, repr=False)

    @cached_property
    def path(self) -> Path:
        """The absolute path of the file, without links."""
        return (self.folder / Path(self.shown).name).resolve()

    def add(self, below: Document) -> None:
        """Add another part of the same file. Raises SpecError for a section that both parts have."""
        for section in below.data:
            if section in self.data:
                raise SpecError(f"{section!r} is already defined above the line ---", below.place((section,), key=True))
        self.data |= below.data
        self.lines += below.lines[len(self.lines) :]
        self.nodes += below.nodes

    def source(self, path: KeyPath) -> str:
        """The lines of the file at ``path``, with the key, without the indentation of the key."""
        place = self.place(path, key=True)
        first, indent = place.line - 1, place.column - 1
        last = first + 1
        while last < len(self.lines) and not self.lines[last][: indent + 1].strip():
            last += 1
        return "\n".join(line[indent:] for line in self.lines[first:last]).rstrip()

    def place(self, path: KeyPath, *, key: bool = False) -> Place:
        """The place of ``path``, or of the innermost enclosing value that this document has."""
        while (found := self.found(path)) is None:
            if not path:
                return Place(self.shown, 1, 1)
            path = path[:-1]
        return place_of(self.shown, found[0] if key else found[1])

    def found(self, path: KeyPath) -> tuple[Node, Node] | None:
        """The nodes of the key and of the value at ``path``; None if this document has no such value."""
        found = [(node, node) for node in self.nodes]
        for part in path:
            found = [each for _, node in found for each in _below(node, part)]
        return found[0] if found else None


def _below(node: Node, part: str | int) -> Iterator[tuple[Node, Node]]:
    """The key and the value of a part of a value."""
    if isinstance(node, MappingNode):
        yield from ((key, value) for key, value in node.value if key.value == part)
    elif isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
        yield node.value[part], node.value[part]


def place_of(shown: str, node: Node | Event) -> Place:
    """The place at which something begins in a file."""
    return Place(shown, node.start_mark.line + 1, node.start_mark.column + 1)


@dataclass
class WrittenDefinition:
    """A definition as written, and the one it extends: the origin of what is built from it."""

    section: str
    name: str
    suite: str  # to which the definition belongs; '' if it belongs to the whole domain, as suites themselves do
    document: Document
    data: Any
    parent: WrittenDefinition | None = None
    generation: int = 0  # length of the chain of definitions that it extends

    @property
    def source(self) -> str:
        """The text of the definition in its document."""
        return self.document.source((self.section, self.name))

    def place(self, *path: str | int, key: bool = False) -> Place:
        """The place of a part: in this definition, or in the one from which it is inherited."""
        full: KeyPath = (self.section, self.name, *path)
        if self.parent is None or self.document.found(full):
            return self.document.place(full, key=key or not path)
        return self.parent.place(*path, key=key)

    def writer(self, *path: str) -> WrittenDefinition:
        """The definition in which a part is written: this one, or one that it extends."""
        holder = self
        while holder.parent is not None and not holder.document.found((holder.section, holder.name, *path)):
            holder = holder.parent
        return holder


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with the values of ``over``: mappings are merged key by key, everything else is replaced."""
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        both = isinstance(below, Mapping) and isinstance(value, Mapping)
        merged[key] = merge(below, value) if both else value  # type: ignore[arg-type]
    return merged


# -- reading YAML ----------------------------------------------------------------------------------------------------


def _integer(text: str) -> int:
    """A whole number. Raises ValueError for more than 64 bits."""
    number = int(text, 0 if text[:2] in ("0o", "0x") else 10)
    if number.bit_length() > 63:
        raise ValueError
    return number


# The core schema of YAML 1.2, in which yes, no, on, off and dates are text: tag, first characters, pattern, value.
_SCALARS: tuple[tuple[str, Sequence[str], str, Callable[[str], Any]], ...] = (
    ("null", ["~", "n", "N", ""], r"~|null|Null|NULL|", lambda text: None),
    ("bool", "tTfF", r"true|True|TRUE|false|False|FALSE", lambda text: text.lower() == "true"),
    ("int", "-+0123456789", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", _integer),
    (
        "float",
        "-+.0123456789",
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
        lambda text: float(text.lower().replace(".inf", "inf").replace(".nan", "nan")),
    ),
)
_VALUES = {_TAG + name: (re.compile(pattern), value) for name, _, pattern, value in _SCALARS}
_WORDS = {"null": "null", "bool": "true or false", "int": "a whole number of at most 64 bits", "float": "a number"}


class _Resolver(BaseResolver):  # type: ignore[misc]
    """Decides the type of a plain scalar."""


for _name, _first, _pattern, _ in _SCALARS:
    _Resolver.add_implicit_resolver(_TAG + _name, re.compile(f"^(?:{_pattern})$"), list(_first))


class _Composer(CParser, _Resolver):  # type: ignore[misc]
    """Nodes from libyaml, which is twenty times as fast as the parser in Python."""

    def __init__(self, text: str) -> None:
        CParser.__init__(self, text)
        _Resolver.__init__(self)


def read_document(
    path: Path, shown: str, cases: bool = True, ships: bool = False, keys: str = "domain: …, metrics: …"
) -> Document:
    """Read one YAML file: its definitions, then its cases, which may follow a line ``---``.

    Only `check` needs cases: without ``cases``, the text after that line is not parsed. A file that ``ships`` is known
    not to be nested too deeply, which takes a third of the time to find out. The message about a file
    without keys names the ``keys`` that it should have.

    Raises SpecError with file, line and column for a syntax error, a duplicate key, a tag, or data that is not a
    mapping.
    """
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(MOST_CHARACTERS + 1)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise SpecError(f"cannot read this document: {reason}", shown) from error
    if len(text) > MOST_CHARACTERS:
        said = f"it has more than {MOST_CHARACTERS:,} characters"
        raise SpecError(f"cannot read this document: {said}", shown)
    definitions, line, below = _divided(text)
    document = parse_document(definitions, shown, path.parent, ships, keys)
    if cases and below.strip():
        document.add(parse_document("\n" * line + below, shown, path.parent, ships))
    return document


def _divided(text: str) -> tuple[str, int, str]:
    """The text before a line ``---`` that is not the first, the number of that line, and the text after it."""
    found = _PART.search(text)
    if found is None or not text[: found.start()].strip():
        return text, 0, ""
    return text[: found.start()], text.count("\n", 0, found.end()), text[found.end() :]


def parse_document(
    text: str, shown: str, folder: Path, ships: bool = False, keys: str = "domain: …, metrics: …"
) -> Document:
    """Parse the text of one document; see :func:`read_document`."""
    document = Document(shown, folder, {}, text.splitlines())
    try:
        if not ships:
            _refuse_depth(text, shown)
        node = _Composer(text).get_single_node()
        if isinstance(node, MappingNode):
            document.data = _Reader(shown).value(node)
            document.nodes = [node]
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(shown, mark.line + 1, mark.column + 1) if mark else shown
        problem = str(error.problem or error.context)
        too_deep = "nesting depth" in problem  # PyYAML 6.0.4 refuses it before the events are counted
        raise SpecError(
            f"nested more than {DEEPEST} deep" if too_deep else f"not valid YAML: {problem}", place
        ) from None
    except YAMLError as error:
        raise SpecError(f"not valid YAML: {error}", shown) from None
    if node is not None and not isinstance(node, MappingNode):
        raise SpecError(f"a document is a mapping ({keys})", place_of(shown, node))
    if isinstance(written := document.data.get("format"), int) and written > FORMAT:
        said = f"format {written} of documents needs scorespec {written}.0 or later; this is {__version__}"
        raise SpecError(said, document.place(("format",)))
    return document


def _refuse_depth(text: str, shown: str) -> None:
    """Raise SpecError for a text that is nested too deeply, before libyaml recurses into it."""
    events, depth = _Composer(text), 0
    while (event := events.get_event()) is not None:
        depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
        if depth > DEEPEST:
            raise SpecError(f"nested more than {DEEPEST} deep", place_of(shown, event))


def _scalar(node: ScalarNode, place: Place) -> Any:
    """The value of a scalar other than text: number, boolean or null. Raises SpecError if it does not fit its tag."""
    if node.tag not in _VALUES:
        raise _bad_tag(node, place)
    pattern, value = _VALUES[node.tag]
    try:
        if pattern.fullmatch(node.value):
            return value(node.value)
    except ValueError:
        pass
    shown = node.value if len(node.value) <= 20 else f"{node.value[:20]}…"
    raise SpecError(f"{shown} is not {_WORDS[node.tag.removeprefix(_TAG)]}", place)


def _bad_tag(node: Node, place: Place) -> SpecError:
    return SpecError(f"tags are not allowed in a document: {node.tag}", place)


class _Reader:
    """Turns nodes into plain data."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        self._seen = 0
        self._inside: list[Node] = []

    def value(self, node: Node) -> Any:
        self._seen += 1
        if self._seen > MOST_VALUES:
            raise self._error(f"more than {MOST_VALUES:,} values in one document", node)
        if isinstance(node, ScalarNode):
            return node.value if node.tag == _TEXT else _scalar(node, place_of(self._shown, node))
        if node in self._inside:
            raise self._error("an alias is inside of the value that it names", node)
        if len(self._inside) > DEEPEST:  # aliases may nest more deeply than the text
            raise self._error(f"nested more than {DEEPEST} deep", node)
        if node.tag != _TAG + ("seq" if isinstance(node, SequenceNode) else "map"):
            raise _bad_tag(node, place_of(self._shown, node))
        self._inside.append(node)
        try:
            return self._mapping(node) if isinstance(node, MappingNode) else [self.value(item) for item in node.value]
        finally:
            self._inside.pop()

    def _mapping(self, node: MappingNode) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, ScalarNode):
                raise self._error("a key is a plain name", key_node)
            key = str(key_node.value)
            if key in mapping:
                first = next(each for each, _ in node.value if each.value == key)
                said = f"duplicate key {key!r}: it is already at line {first.start_mark.line + 1}"
                raise self._error(said, key_node)
            mapping[key] = self.value(value_node)
        return mapping

    def _error(self, said: str, node: Node) -> SpecError:
        return SpecError(said, place_of(self._shown, node))
