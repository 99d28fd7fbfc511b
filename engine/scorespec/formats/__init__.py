"""Input files as streams of Arrow record batches: one module for each format, found by name or suffix."""

from __future__ import annotations

from pathlib import Path

from scorespec.errors import UsageError, nearest
from scorespec.formats.base import Columns, Format, Quote, Reader
from scorespec.formats.clusters import CLASS
from scorespec.formats.delimited import CSV, TSV
from scorespec.formats.intervals import INTERVALS
from scorespec.formats.labels import PHN

__all__ = ["FORMATS", "Columns", "Format", "Quote", "Reader", "format_by_name", "format_of_suffix"]

PARQUET = Format(
    name="parquet",
    about="a Parquet file with the columns of the table; read by DuckDB itself",
    suffixes=(".parquet",),
    read=None,
    quote=None,
)

FORMATS: dict[str, Format] = {known.name: known for known in (PHN, CLASS, INTERVALS, CSV, TSV, PARQUET)}


def format_by_name(name: str) -> Format:
    """The format of this name; raises :class:`UsageError` if there is none."""
    if name not in FORMATS:
        raise UsageError(f"unknown format {name!r}; {nearest(name, FORMATS)}")
    return FORMATS[name]


def format_of_suffix(path: str | Path) -> Format | None:
    """The format that the name of a file tells, if it does; ``.gz`` after it is looked past."""
    name = Path(path).name.lower()
    packed = name.endswith(".gz")
    suffix = Path(name.removesuffix(".gz")).suffix
    for known in FORMATS.values():
        # What is not read here is not unpacked here either.
        if suffix in known.suffixes and not (packed and known.read is None):
            return known
    return None
