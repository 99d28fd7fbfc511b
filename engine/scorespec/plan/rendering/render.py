"""Renders SQL templates in a sandboxed Jinja environment."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path
from traceback import walk_tb
from types import CodeType
from typing import Any

import jinja2
from jinja2 import (
    Environment,
    FunctionLoader,
    Template,
    TemplateNotFound,
    TemplateRuntimeError,
    UndefinedError,
)
from jinja2.bccache import Bucket, FileSystemBytecodeCache

from scorespec.catalog.documents import shipped
from scorespec.catalog.model import SqlTemplate
from scorespec.catalog.template_names import TEMPLATES, fault_at_line, imported
from scorespec.errors import Place, SpecError
from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering import sandbox
from scorespec.plan.rendering.sandbox import Sandbox, rendered_within_limits
from scorespec.plan.rendering.templates import Reference, comma_ended, quoted

_UNNAMED = ("<template>", "<unknown>")  # what Jinja calls a template that it was given as text
_UNDEFINED = re.compile(r"'(\w+)' is undefined")  # as Jinja says it
# A value that consists of one variable keeps the type of the variable, such as a list of columns.
_ONE_VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")

MOST_KEPT, LONGEST_KEPT = 2_000, 20_000  # texts that are kept rendered; characters of one with its context
_rendered: dict[tuple[SqlTemplate, str], tuple[str, frozenset[str]]] = {}  # by template and context

Hint = Callable[[str], str]  # from a name that is not defined in a template: advice for the error message


@cache
def _environment(home: Path) -> Sandbox:
    """Jinja for the templates of the documents in a folder."""
    filters = {"name": quoted, "names": _names, "comma_ended": comma_ended, "text": text_literal}
    ships = home.is_relative_to(shipped("sql")) or home.is_relative_to(shipped("specs"))
    kept = KeptBytecode(Path(sandbox.__file__).read_bytes()) if ships else None
    return Sandbox(imports(home), {}, filters, kept)


class KeptBytecode(FileSystemBytecodeCache):
    """Compiled templates, kept in `sql/__pycache__` or below the folder that Python is given for bytecode.

    Without them, a new process spends most of the time in which it compiles a plan on compiling templates.
    A file is replaced when its template, this package's Jinja environment or Jinja changes. Where Python may not write
    bytecode, nothing is written.
    """

    def __init__(self, environment_source: bytes) -> None:
        folder = Path(cache_from_source(str(shipped("sql") / "templates.py"))).parent
        super().__init__(str(folder), f"%s.{sys.implementation.cache_tag}.pyc")
        self._made_by = hashlib.sha256(environment_source + jinja2.__version__.encode()).hexdigest()

    def get_source_checksum(self, source: str) -> str:
        """The hash of everything that the bytecode of a template depends on."""
        return hashlib.sha256(f"{self._made_by}{source}".encode()).hexdigest()

    def code(self, environment: Environment, name: str, source: str) -> CodeType:
        """The bytecode of a template without a file of its own; ``name`` is the name under which it is kept."""
        bucket = self.get_bucket(environment, name, None, source)
        if bucket.code is None:
            bucket.code = environment.compile(source)
            self.dump_bytecode(bucket)
        return bucket.code

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read the bytecode of a template, if it is kept and is that of its present source."""
        with suppress(Exception):  # there is no such folder, or the file is damaged
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the bytecode of a template, where Python may write bytecode."""
        with suppress(OSError):
            if not sys.dont_write_bytecode:
                Path(self.directory).mkdir(exist_ok=True, parents=True)
                super().dump_bytecode(bucket)


def imports(home: Path) -> FunctionLoader:
    """Loads the files that templates of the documents in a folder import."""

    def load(name: str) -> tuple[str, str, None] | None:
        path = imported(home, name)
        if path is None:
            return None
        try:
            return path.read_text(encoding="utf-8"), str(path), None
        except (OSError, UnicodeDecodeError):
            raise TemplateRuntimeError(f"cannot read {name!r} as UTF-8 text") from None

    return FunctionLoader(load)


def _names(names: Iterable[str]) -> str:
    return ", ".join(map(quoted, names))


@cache
def _compiled(template: str, home: Path, file: str) -> Template:
    environment = _environment(home)
    kept = environment.bytecode_cache
    if not isinstance(kept, KeptBytecode):
        return environment.from_string(template)
    code = kept.code(environment, file if file.endswith(".sql") else template, template)
    return Template.from_code(environment, code, environment.make_globals(None))


def render(
    template: SqlTemplate | str, context: Mapping[str, Any], place: Place | str, hint: Hint | None = None
) -> str:
    """Render a template. Raises SpecError for a fault of the template, at its file and line, or else at ``place``.

    ``hint`` says what to do about a name that ``context`` lacks.
    """
    written = template if isinstance(template, SqlTemplate) else SqlTemplate("", template, shipped("sql"))
    return render_reading(written, context, place, hint)[0]


def render_reading(
    template: SqlTemplate, context: Mapping[str, Any], place: Place | str, hint: Hint | None = None
) -> tuple[str, frozenset[str]]:
    """Render a template; also returns the physical names of the references in ``context`` that it writes.

    The text depends only on the template and on the values in ``context``, which their representations tell apart. So
    it is kept: plans have many steps in common, such as those of the same suite with other parameters.
    """
    key = template, repr(context)
    if found := _rendered.get(key):
        return found
    read: set[str] = set()
    watched = {
        name: replace(value, written=read) if isinstance(value, Reference) else value for name, value in context.items()
    }
    with template_faults(template, place, hint):
        text = rendered_within_limits(_compiled(template.text, template.home, template.file), watched)
        text.encode()  # fails for a surrogate, which cannot be encoded
    found = "\n".join(line.rstrip() for line in text.splitlines() if line.strip()), frozenset(read)
    if len(key[1]) + len(found[0]) <= LONGEST_KEPT:
        if len(_rendered) >= MOST_KEPT:
            _rendered.clear()
        _rendered[key] = found
    return found


@contextmanager
def template_faults(template: SqlTemplate, place: Place | str, hint: Hint | None = None) -> Iterator[None]:
    """Turn any error of a template into a SpecError at its file and line, or else at ``place``."""
    try:
        yield
    except Exception as error:  # a template may do anything: divide by zero, call itself, fill the memory
        raise _fault(template, error, place, hint) from None


def _fault(template: SqlTemplate, error: Exception, place: Place | str, hint: Hint | None) -> SpecError:
    """The error of a template, at the innermost line of the template or of a file that it imports."""
    reason = str(error)
    if isinstance(error, TemplateNotFound):
        reason = f"no template {error.name!r} beside this document or below it, nor among those shipped"
    at, line, imported = "", 0, False
    for frame, number in walk_tb(error.__traceback__):
        name = frame.f_code.co_filename
        if name in _UNNAMED or name.endswith(TEMPLATES):
            imported = name not in _UNNAMED
            at, line = f"{_shown(Path(name))}:{number}" if imported else template.at(number), number
    if isinstance(error, UndefinedError) and (missing := _UNDEFINED.fullmatch(reason)):
        if not imported:
            return fault_at_line(reason, at, line, place, hint(missing[1]) if hint else "")
        reason += "; a macro of an imported file sees only its own arguments: give it this one as well"
    return fault_at_line(reason, at, line, place)


def _shown(path: Path) -> str:
    """The path of a template as messages have it."""
    for folder, shown in ((shipped("sql"), Path("sql")), (Path.cwd(), Path())):
        if path.is_relative_to(folder):
            return (shown / path.relative_to(folder)).as_posix()
    return str(path)


def render_value(
    value: Any, context: Mapping[str, Any], place_of: Callable[..., Place], *path: str | int, hint: Hint | None = None
) -> Any:
    """Render every text inside a document's value; ``place_of`` gives the place of a part by its path."""
    if isinstance(value, Mapping):
        rendered = {}
        for key, each in value.items():
            name = render_value(key, context, place_of, *path, key, hint=hint)
            rendered[name] = render_value(each, context, place_of, *path, key, hint=hint)
        return {key: each for key, each in rendered.items() if key}
    if isinstance(value, list):
        return [render_value(each, context, place_of, *path, at, hint=hint) for at, each in enumerate(value)]
    if not isinstance(value, str) or "{" not in value:
        return value
    if (one := _ONE_VARIABLE.fullmatch(value)) and one[1] in context:
        return context[one[1]]
    return render(value, context, place_of(*path), hint)
