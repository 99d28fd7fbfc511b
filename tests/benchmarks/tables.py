"""Tables that are written part by part, so that they may be larger than memory, and put together at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

Columns = Mapping[str, np.ndarray]
AS_TEXT = pa.csv.WriteOptions(include_header=False, delimiter="\t", quoting_style="none")


def write_tables(parts: Iterator[Mapping[str, Columns]], folder: Path, suffix: str = ".tsv") -> dict[str, Path]:
    """Write what each part has of the tables, as TSV or (``suffix`` .parquet) Parquet; the path of each table."""
    folder.mkdir(parents=True, exist_ok=True)
    writers: dict[str, pq.ParquetWriter | pa.csv.CSVWriter] = {}
    with ExitStack() as opened:
        for part in parts:
            for name, columns in part.items():
                rows = pa.table(dict(columns))
                if name not in writers:
                    file = opened.enter_context((folder / f"{name}{suffix}").open("wb"))
                    writers[name] = opened.enter_context(_writer(file, rows.schema, suffix))
                writers[name].write_table(rows)
    return {name: folder / f"{name}{suffix}" for name in writers}


def _writer(file: BinaryIO, schema: pa.Schema, suffix: str) -> pq.ParquetWriter | pa.csv.CSVWriter:
    if suffix == ".parquet":
        return pq.ParquetWriter(file, schema)
    file.write(("\t".join(schema.names) + "\n").encode())
    return pa.csv.CSVWriter(file, schema, write_options=AS_TEXT)
