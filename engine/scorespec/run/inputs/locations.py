"""What a user writes for an input: a path, a pattern or a folder, with a format and its options."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path
from typing import NoReturn
from urllib.parse import unquote

from scorespec.errors import Code, UsageError, bad_input
from scorespec.formats import Format, format_of_suffix
from scorespec.plan.parameters import read_metric_text
from scorespec.run.inputs.files import STDIN, shown_path, unreadable

PATTERN = re.compile(r"[*?]|\[.[^\]]*\]")  # a bracket that is never closed is a character
NO_VALUE = "__HIVE_DEFAULT_PARTITION__"  # the value of a key in the name of a folder whose rows have no value
_RECORDINGS = {".txt": "text", ".json": "JSON"}  # suffixes of files with a recording each, and what they are
TABULAR = (
    "parquet",
    "csv",
    "tsv",
    "jsonl",
    "sre",
)  # formats of tables with named columns; a folder is searched for these first


@dataclass(frozen=True)
class Location:
    """``path::format(name=value,…)`` in its parts; format and options may be absent."""

    path: str
    format: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Found:
    """A file of an input, with the keys of its folders: the file ``lang=en/a.csv`` has the key ``lang``.

    ``format`` is not empty if the folder tells the format.
    """

    path: str
    keys: Mapping[str, str | None] = field(default_factory=dict)
    format: str = ""


def read_location(text: str) -> Location:
    """The parts of a location. Raises UsageError for options that are not written as those of metrics."""
    path, _, rest = text.partition("::")
    return Location(path, *read_metric_text(rest, what="a format", form="option"))


def find_files(path: str, format_name: str, formats: Mapping[str, Format], among: Collection[str] = ()) -> list[Found]:
    """The files that a path names: itself, those that match its pattern, or those in its folder and below.

    A path where something exists is no pattern, whatever characters it has. Raises UsageError if there is no file.
    """
    if path == STDIN or os.path.lexists(path) or not PATTERN.search(path):
        if not os.path.isdir(path):
            return [Found(path)]
        if not format_name and os.path.isfile(text := os.path.join(path, "text")):  # a data folder of Kaldi or ESPnet
            return [Found(text, format="kaldi")]
        return [Found(each, keys_of(each)) for each in _files_below(path, format_name, formats, among)]
    found = sorted(each for each in glob(path, recursive=True) if not os.path.isdir(each))
    if not found:
        hint = "; ~ is not expanded here, write the whole path" if path.startswith("~") else ""
        said = f"{shown_path(path)}: no file matches this pattern in {shown_path(os.getcwd())}{hint}"
        raise UsageError(said, Code.NO_FILE)
    return [Found(each, keys_of(each)) for each in found]


def _files_below(folder: str, format_name: str, formats: Mapping[str, Format], among: Collection[str]) -> list[str]:
    """The files of a format below a folder. Without a name, the first that there are of tables, recordings, others.

    The others have the suffix of a format ``among`` these names. Hidden files and those whose name begins with `_` are
    left out. Raises InputError for a link that leads out of the folder, which somebody else may have made.
    """
    every: dict[str, list[str]] = {}
    choices: Sequence[Collection[str]] = [[format_name]] if format_name else [TABULAR, _RECORDINGS.values(), among]
    wanted = [label for choice in choices for label in choice]
    for parent, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = [each for each in folders if _is_shown(each)]
        for name in filter(_is_shown, names):
            format_ = format_of_suffix(name, wanted, formats)
            recording = "" if format_name else _RECORDINGS.get(Path(name.removesuffix(".gz")).suffix)
            label = recording or (format_.name if format_ else "")
            if label in wanted:
                every.setdefault(label, []).append(os.path.join(parent, name))
    of_choices = ({label: every[label] for label in choice if label in every} for choice in choices)
    found = next(filter(None, of_choices), {})
    for path in (path for paths in found.values() for path in paths):
        if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
            raise bad_input(shown_path(path), "is a link that leads out of the folder; write the path itself")
    shown = shown_path(folder)
    if not found:
        said = (
            f"{shown}: there is no {format_name or 'Parquet, CSV, TSV or JSON lines'} file in this folder or below it"
        )
        raise UsageError(said, Code.NO_FILE)
    if len(found) > 1:
        counts = ", ".join(f"{len(paths):,} {name}" for name, paths in sorted(found.items()))
        name = max(found, key=lambda each: len(found[each]))
        raise UsageError(f"{shown}: the folder has files of several formats ({counts}); choose one: {shown}::{name}")
    (paths,) = found.values()
    return sorted(paths)


def _refuse(error: OSError) -> NoReturn:
    raise unreadable(error.filename, error)


def _is_shown(name: str) -> bool:
    return not name.startswith((".", "_"))


def keys_of(path: str) -> dict[str, str | None]:
    """The keys and values in the names of the folders of a path, such as ``lang=en``; the innermost counts."""
    pairs = (each.partition("=") for each in Path(shown_path(path)).parts[:-1])
    return {
        unquote(key): None if value == NO_VALUE else unquote(value) for key, equals, value in pairs if key and equals
    }


def check_distinct(name: str, files: Iterable[tuple[Path, str]]) -> None:
    """Refuse an input that is given one file twice, because its rows would be double-counted."""
    seen: dict[str, str] = {}
    for path, shown in files:
        real = os.path.realpath(path)
        if real in seen:
            also = "" if seen[real] == shown else f", also as {seen[real]}"
            raise UsageError(f"input {name!r} is given the file {shown} twice{also}")
        seen[real] = shown
