"""Keeps compiled plans from run to run, as Python keeps compiled modules beside their sources.

Reading documents and compiling them takes longer than scoring a few rows. A plan is kept if it depends only on what
ships and on the request: neither on documents and plugins of the user nor on the columns of files.
"""

from __future__ import annotations

import copyreg
import hashlib
import io
import os
import pickle
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from scorespec.catalog.data import shipped
from scorespec.catalog.model import Suite
from scorespec.compiler.kept_files import kept_folder, write_kept
from scorespec.compiler.plan import Plan
from scorespec.compiler.request import Request
from scorespec.functions import RELATION_FUNCTIONS
from scorespec.functions.base import RelationFunction

MOST_FILES = 64  # of plans: each has some hundred kilobytes
MOST_READ = 32  # plans that a process keeps in memory
# Plans that a process writes. One that compiles more, such as a search for parameters, asks for ever other ones:
# writing them takes as long as compiling them, and they would take the place of those that commands use again.
MOST_WRITTEN = 8
SUFFIX = f".{sys.implementation.cache_tag}.plan"
_DIGEST = hashlib.sha256
_PLAIN = (str, int, float, bool, type(None))
_DISTRIBUTIONS = (".dist-info", ".egg-info")
_read: dict[str, KeptPlan] = {}
_written: set[str] = set()  # the names of the plans that this process has written


@dataclass(frozen=True)
class KeptPlan:
    """A plan, its suite, and all suites of the run: the first is the suite itself."""

    plan: Plan
    suite: Suite
    suites: tuple[Suite, ...]


def plan_name(suite: str, request: Request) -> str | None:
    """The name under which a plan is kept, a hash of everything that it depends on; None if it is not kept."""
    if request.by or request.others or request.listed_by or request.describe:
        return None
    asked = {each.name: getattr(request, each.name) for each in fields(request)}
    asked |= {name: sorted(value) for name, value in asked.items() if isinstance(value, set | frozenset)}
    if not all(map(_is_plain, asked.values())):
        return None
    return _DIGEST(f"{suite} {_state(tuple(sys.path))} {asked!r}".encode(errors="replace")).hexdigest()


def _is_plain(value: Any) -> bool:
    """Whether equal texts of ``repr`` mean equal values."""
    if type(value) is dict:
        return all(map(_is_plain, (*value, *value.values())))
    return type(value) in _PLAIN or (type(value) in (list, tuple) and all(map(_is_plain, value)))


def read_plan(name: str) -> KeptPlan | None:
    """The plan that is kept under a name; None if there is none, or if its file is damaged."""
    if name not in _read:
        with suppress(Exception):  # there is no such file, or a pickle of another version
            content = (kept_folder() / f"{name}{SUFFIX}").read_bytes()
            digest, pickled = content[: _DIGEST().digest_size], content[_DIGEST().digest_size :]
            if _DIGEST(pickled).digest() == digest:
                _remember(name, pickle.loads(pickled))
    return _read.get(name)


def keep_plan(name: str, kept: KeptPlan) -> None:
    """Keep a plan under a name, as long as this process has written few plans, unless Python may write no bytecode."""
    _remember(name, kept)
    if len(_written) >= MOST_WRITTEN:
        return
    _written.add(name)
    pickled = io.BytesIO()
    with suppress(pickle.PicklingError, AttributeError, TypeError):  # an object of a test, for example
        pickler = pickle.Pickler(pickled, pickle.HIGHEST_PROTOCOL)
        pickler.dispatch_table = _DISPATCH_TABLE
        pickler.dump(kept)
        content = pickled.getvalue()
        write_kept(kept_folder() / f"{name}{SUFFIX}", _DIGEST(content).digest() + content)
        _remove_old()


def _remember(name: str, kept: KeptPlan) -> None:
    if len(_read) == MOST_READ:
        _read.clear()
    _read[name] = kept


def _remove_old() -> None:
    """Remove the files of the plans that were written first, if there are too many."""
    with suppress(OSError):  # another process removes them, too
        files = [each for each in os.scandir(kept_folder()) if each.name.endswith(SUFFIX)]
        for each in sorted(files, key=lambda file: file.stat().st_mtime)[:-MOST_FILES]:
            os.unlink(each.path)


@cache
def _state(path: tuple[str, ...]) -> str:
    """A hash of what ships, and of the distributions on Python's ``path``: libraries, such as Jinja, and plugins.

    It depends on the names, sizes and times of change of files, as the bytecode of Python does.
    """
    package = Path(__file__).parents[1]
    folders = dict.fromkeys([package, shipped("specs"), shipped("sql")])
    found = [text for folder in folders for text in _files(str(folder))]
    found += [text for folder in path for text in _distributions(folder or os.curdir)]
    return _DIGEST("\n".join(found).encode(errors="replace")).hexdigest()


def _files(folder: str) -> Iterator[str]:
    for each in sorted(os.scandir(folder), key=lambda file: file.name):
        if each.name == "__pycache__":
            continue
        if each.is_dir():
            yield from _files(each.path)
        else:
            found = each.stat()
            yield f"{each.path} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"


def _distributions(folder: str) -> Iterator[str]:
    with suppress(OSError):  # it is a file, or there is no such folder
        for each in sorted(os.scandir(folder), key=lambda file: file.name):
            if each.name.endswith(_DISTRIBUTIONS):
                yield f"{each.path} {each.stat().st_mtime_ns}"


def _function_named(name: str) -> RelationFunction:
    return RELATION_FUNCTIONS[name]


# Of a function of relations, the name is written.
_DISPATCH_TABLE = {**copyreg.dispatch_table, RelationFunction: lambda each: (_function_named, (each.name,))}
