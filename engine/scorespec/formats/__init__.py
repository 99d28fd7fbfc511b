"""Input files as streams of Arrow record batches: one module for each format, found by name or suffix."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from scorespec.errors import unknown
from scorespec.formats.aligned import SCLITE
from scorespec.formats.base import Columns, Format, Quote, Reader
from scorespec.formats.clusters import CLASS, CLASS_MERGE
from scorespec.formats.conll import CONLL
from scorespec.formats.delimited import CSV, TSV
from scorespec.formats.excerpts import ECF
from scorespec.formats.hits import KWSLIST
from scorespec.formats.intervals import INTERVALS
from scorespec.formats.labels import PHN
from scorespec.formats.mapping_rules import GLM
from scorespec.formats.pronouncing import CMUDICT
from scorespec.formats.rttm import RTTM, RTTM_SPEAKER
from scorespec.formats.searches import KWSLIST_SEARCHES
from scorespec.formats.tagged import SGML
from scorespec.formats.terms import KWLIST
from scorespec.formats.timed import CTM
from scorespec.formats.utterances import STM, TRN

__all__ = ["DUCKDB", "FORMATS", "PARQUET", "Columns", "Format", "Quote", "Reader", "format_by_name", "format_of_suffix"]

PARQUET = Format(
    name="parquet",
    about="a Parquet file with the columns of the table; read by DuckDB itself",
    suffixes=(".parquet",),
    read=None,
    quote=None,
)

DUCKDB = Format(
    name="duckdb",
    about="a table or view of a DuckDB file, with the columns of the table; wherever parquet is read",
    suffixes=(".duckdb",),
    read=None,
    quote=None,
)

_ALL = (
    PHN,
    CLASS,
    CLASS_MERGE,
    INTERVALS,
    RTTM,
    RTTM_SPEAKER,
    KWLIST,
    ECF,
    KWSLIST,
    KWSLIST_SEARCHES,
    SGML,
    TRN,
    STM,
    CTM,
    CONLL,
    SCLITE,
    CMUDICT,
    GLM,
    CSV,
    TSV,
    PARQUET,
    DUCKDB,
)
FORMATS: dict[str, Format] = {known.name: known for known in _ALL}


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
    return next((each for each in found if each.name in among), found[0] if found else None)
