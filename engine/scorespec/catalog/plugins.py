"""Plugins: Python modules that bring file formats, functions and documents of their own."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from scorespec.errors import UsageError
from scorespec.formats import FORMATS, Format
from scorespec.functions import RELATION_FUNCTIONS
from scorespec.functions.function import RelationFunction

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

GROUP = "scorespec.plugins"
_loading = threading.RLock()  # is held while the module of a plugin is loaded


@dataclass(frozen=True)
class Plugins:
    """The formats and functions that documents can name: those that ship, and those of plugins.

    ``specs`` are the folders and files with the documents of plugins, each with the folder that messages leave out of
    their paths. ``versions`` has the version of each plugin, ``origins`` the plugin that a function comes from.
    ``replaces`` has pairs: a plugin, and the format or domain that it
    defines although scorespec ships one of that name.
    """

    formats: Mapping[str, Format] = field(default_factory=lambda: FORMATS)
    functions: Mapping[str, RelationFunction] = field(default_factory=lambda: RELATION_FUNCTIONS)
    specs: tuple[tuple[str, Path, Path], ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)
    replaces: tuple[tuple[str, str], ...] = ()

    def with_module(self, name: str, version: str, module: ModuleType) -> Plugins:
        """These plugins and one more module. Raises UsageError for a module that is not a plugin."""
        brought = {key: getattr(module, key, None) for key in ("FORMATS", "FUNCTIONS", "SPECS")}
        if not any(brought.values()):
            raise UsageError(f"the plugin {name!r} defines none of FORMATS, FUNCTIONS and SPECS")
        if name in self.versions:
            raise UsageError(f"two plugins have the name {name!r}")
        formats = {each.name: each for each in _formats(name, brought["FORMATS"] or ())}
        functions = _functions(name, brought["FUNCTIONS"] or {})
        of_others = {each for each, format_ in self.formats.items() if format_ is not FORMATS.get(each)}
        _refuse_known(name, "format", formats, of_others)
        _refuse_known(name, "function", functions, self.functions)
        return Plugins(
            {**self.formats, **formats},
            {**self.functions, **functions},
            (*self.specs, *([(name, _specs(name, brought["SPECS"]), _root(module))] if brought["SPECS"] else [])),
            {**self.versions, name: version},
            {**self.origins, **dict.fromkeys(functions, name)},
            (*self.replaces, *((name, f"the format {each!r}") for each in formats if each in self.formats)),
        )

    def warnings(self) -> Iterator[str]:
        """That plugins replace what ships: a plugin may be older than a name that scorespec has today."""
        for plugin, what in self.replaces:
            yield f"{what} is that of the plugin {plugin!r}, not the one that ships with scorespec"


def load_plugins(given: Iterable[str | Path] = ()) -> Plugins:
    """The plugins that are installed, and those ``given`` as the name of a module, or as the path of its file.

    A plugin is installed when its distribution has an entry point in the group ``scorespec.plugins``. A path ends in
    ``.py``, or is that of a package's folder. Raises UsageError that names the plugin which cannot be loaded.
    """
    found = Plugins()
    points = _entry_points(tuple(sys.path))
    installed = {each.value for each in points}
    for point in points:
        version = point.dist.version if point.dist else "unknown"
        found = found.with_module(point.name, version, _imported(point.name, point.load))
    for each in given:
        if str(each) not in installed:
            name, version, module = _given(str(each))
            found = found.with_module(name, version, module)
    return found


@cache
def _entry_points(path: tuple[str, ...]) -> EntryPoints:
    """The entry points of plugins, which takes reading the metadata of every distribution on Python's ``path``."""
    from importlib.metadata import entry_points  # slow to load

    return entry_points(group=GROUP)


def _given(written: str) -> tuple[str, str, ModuleType]:
    """The name, version and module of a plugin that is given by its module's name or by a path."""
    path = Path(written)
    if path.suffix != ".py" and not path.is_dir() and (len(path.parts) > 1 or written.startswith(".")):
        raise UsageError(f"no plugin at {written}: there is no such file or folder")
    if path.suffix != ".py" and not path.is_dir():
        module = _imported(written, lambda: importlib.import_module(written))
        return written, str(getattr(module, "__version__", "unknown")), module
    file = path / "__init__.py" if path.is_dir() else path
    if not file.is_file():
        raise UsageError(f"no plugin at {written}: there is no file {file}")
    name = file.resolve().parent.name if file.name == "__init__.py" else file.stem
    sources = sorted(file.parent.rglob("*.py")) if file.name == "__init__.py" else [file]
    digest = hashlib.sha256(b"".join(each.read_bytes() for each in sources)).hexdigest()[:8]
    module = _imported(written, lambda: _module_of(file.resolve(), digest))
    return name, str(getattr(module, "__version__", digest)), module


def _module_of(file: Path, digest: str) -> ModuleType:
    """A module from its file; its folder is not added to Python's path.

    A file that has changed is a new module. Threads that use the old one keep it whole.
    """
    name = f"scorespec_plugin_{hashlib.sha256(f'{file} {digest}'.encode()).hexdigest()[:8]}"
    with _loading:
        if name in sys.modules:
            return sys.modules[name]
        folders = [str(file.parent)] if file.name == "__init__.py" else None
        spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=folders)
        assert spec is not None and spec.loader is not None, "a .py file has a loader"
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            for known in [each for each in sys.modules if each == name or each.startswith(f"{name}.")]:
                del sys.modules[known]
            raise
        return module


def _imported(name: str, load: Any) -> ModuleType:
    try:
        module: ModuleType = load()
    except Exception as error:  # the code of a plugin may raise anything
        said = str(error).splitlines()
        raise UsageError(
            f"the plugin {name!r} cannot be imported: {type(error).__name__}{f': {said[0]}' if said else ''}"
        ) from error
    return module


def _formats(plugin: str, written: Any) -> Iterable[Format]:
    if not isinstance(written, list | tuple) or not all(isinstance(each, Format) for each in written):
        raise UsageError(f"the plugin {plugin!r}: FORMATS must be a list of scorespec.plugin.Format")
    return written


def _functions(plugin: str, written: Any) -> Mapping[str, RelationFunction]:
    good = isinstance(written, Mapping) and all(isinstance(each, RelationFunction) for each in written.values())
    if not good:
        raise UsageError(f"the plugin {plugin!r}: FUNCTIONS must map names to scorespec.plugin.RelationFunction")
    for name, function in written.items():
        if name != function.name:
            said = f"FUNCTIONS has {function.name!r} under the name {name!r}; a function goes by its own name"
            raise UsageError(f"the plugin {plugin!r}: {said}")
    return dict(written)


def _specs(plugin: str, written: Any) -> Path:
    if not isinstance(written, str | Path) or not Path(written).exists():
        raise UsageError(f"the plugin {plugin!r}: SPECS must be the path of a document, or of a folder of documents")
    return Path(written)


def _root(module: ModuleType) -> Path:
    """The folder in which the file of a module, or its package, lies."""
    file = Path(str(module.__file__))
    return file.parents[1] if file.name == "__init__.py" else file.parent


def _refuse_known(plugin: str, what: str, brought: Iterable[str], known: Iterable[str]) -> None:
    for name in brought:
        if name in known:
            raise UsageError(f"the plugin {plugin!r} brings the {what} {name!r}, which is there already; rename it")
