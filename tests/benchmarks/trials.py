"""Writes a QUESST task of any size, the same for the same seed: queries, documents, occurrences, all trials.

python tests/benchmarks/trials.py QUERIES DOCUMENTS FOLDER
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import numpy as np
from tables import Columns, write_tables

TARGETS = 20  # documents that hold a query, in the mean


def write_trials(queries: int, documents: int, folder: Path, seed: int = 1) -> dict[str, Path]:
    """Write the inputs of quesst2015 into ``folder``, by name; the trials as ``detections`` and as ``stdlist``."""
    folder.mkdir(parents=True, exist_ok=True)
    stdlist = folder / "stdlist.xml"
    with stdlist.open("w", encoding="utf-8") as out:
        parts = _parts(queries, documents, np.random.default_rng(seed), out)
        return write_tables(parts, folder, ".parquet") | {"stdlist": stdlist}


def _parts(queries: int, documents: int, rng: np.random.Generator, out: TextIO) -> Iterator[dict[str, Columns]]:
    """Queries, each with its trials, which are written as the XML of the campaign too, an element on a line."""
    docs = np.array([f"quesst2015_{number:05d}" for number in range(documents)])
    place = {"channel": "1", "tbeg": 0.0, "dur": 10.0}
    yield {"audio": {"doc": docs} | {name: np.full(documents, value) for name, value in place.items()}}
    out.write('<stdlist termlist_filename="tlist.xml" indexing_time="1" language="multi" index_size="1" system_id="s">')
    for number in range(queries):
        query = f"quesst2015_eval_{number:04d}"
        target = rng.random(documents) < TARGETS / documents
        score = np.round(rng.normal(np.where(target, 1.5, -2.5), 1.6), 6)
        decision = np.where(score > 2.6, "YES", "NO")
        held = {"query": np.full(target.sum(), query), "doc": docs[target]}
        yield {
            "queries": {"query": np.array([query])},
            "occurrences": held | {name: np.full(target.sum(), value) for name, value in place.items()},
            "detections": {"query": np.full(documents, query), "doc": docs, "score": score, "decision": decision},
        }
        out.write(f'\n<detected_termlist termid="{query}" term_search_time="1.0" oov_term_count="0">\n')
        out.writelines(
            f'<term file="{doc}" channel="1" tbeg="0.00" dur="10.00" score="{value:.6f}" decision="{said}"/>\n'
            for doc, value, said in zip(docs, score, decision, strict=True)
        )
        out.write("</detected_termlist>")
    out.write("\n</stdlist>\n")


if __name__ == "__main__":
    write_trials(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
