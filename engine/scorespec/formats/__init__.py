"""Input files as streams of Arrow record batches; each module defines formats, found by name or suffix."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from scorespec.errors import unknown
from scorespec.formats import (
    aligned,
    conll,
    delimited,
    interval_files,
    json_rows,
    keyword_search,
    mapping_rules,
    nlp,
    phrase_lists,
    pronouncing,
    recordings,
    rttm,
    seglst,
    services,
    subtitles,
    tagged,
    tiers,
    timed,
    trial_lists,
    utterances,
)
from scorespec.formats.content import format_of_content
from scorespec.formats.format import DUCKDB, PARQUET, Columns, Format, Quote, Reader
from scorespec.formats.utterances import tell_format

__all__ = [
    "DUCKDB",
    "FORMATS",
    "PARQUET",
    "Columns",
    "Format",
    "Quote",
    "Reader",
    "format_by_name",
    "format_of_content",
    "format_of_suffix",
    "tell_format",
]

# If several formats have a suffix, the first one is taken.
_MODULES = (
    interval_files,
    rttm,
    keyword_search,
    tagged,
    utterances,
    timed,
    seglst,
    json_rows,
    recordings,
    services,
    subtitles,
    tiers,
    nlp,
    conll,
    aligned,
    pronouncing,
    phrase_lists,
    mapping_rules,
    delimited,
    trial_lists,
)
FORMATS: dict[str, Format] = {
    each.name: each for formats in (*(module.FORMATS for module in _MODULES), (PARQUET, DUCKDB)) for each in formats
}


def format_by_name(name: str, known: Mapping[str, Format] = FORMATS) -> Format:
    """The format of this name; raises :class:`UsageError` if there is none."""
    if name not in known:
        raise unknown(f"unknown format {name!r}", name, known)
    return known[name]


def format_of_suffix(
    path: str | Path, among: Collection[str] = (), known: Mapping[str, Format] = FORMATS
) -> Format | None:
    """The format that has the suffix of a file, if one has; a further suffix ``.gz`` is ignored.

    When several formats have the suffix, the first one ``among`` these names is preferred.
    """
    name = Path(path).name.lower()
    packed = name.endswith(".gz")
    suffix = Path(name.removesuffix(".gz")).suffix
    # A format that DuckDB reads is not unpacked here.
    found = [each for each in known.values() if suffix in each.suffixes and not (packed and each.read is None)]
    preferred = (each for name in among for each in found if each.name == name)
    return next(preferred, found[0] if found else None)
