"""Writes a QUESST task of any size, the same for the same seed: queries, documents, occurrences, all trials.

python tests/benchmarks/trials.py QUERIES DOCUMENTS FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

TARGETS = 20  # documents that hold a query, in the mean


def write_trials(queries: int, documents: int, folder: Path, seed: int = 1) -> dict[str, Path]:
    """Write the inputs of quesst2015 into ``folder``, by name; the trials as ``detections`` and as ``stdlist``."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    ids = np.array([f"quesst2015_eval_{number:04d}" for number in range(queries)])
    docs = np.array([f"quesst2015_{number:05d}" for number in range(documents)])
    target = rng.random((queries, documents)) < TARGETS / documents
    score = np.round(rng.normal(np.where(target, 1.5, -2.5), 1.6), 6)
    query, doc = (each.ravel() for each in np.meshgrid(np.arange(queries), np.arange(documents), indexing="ij"))
    holds = np.flatnonzero(target)
    place = {"channel": "1", "tbeg": 0.0, "dur": 10.0}
    tables = {
        "queries": {"query": ids},
        "audio": {"doc": docs} | {name: np.full(documents, value) for name, value in place.items()},
        "occurrences": {"query": ids[query[holds]], "doc": docs[doc[holds]]}
        | {name: np.full(len(holds), value) for name, value in place.items()},
        "detections": {
            "query": ids[query],
            "doc": docs[doc],
            "score": score.ravel(),
            "decision": np.where(score.ravel() > 2.6, "YES", "NO"),
        },
    }
    inputs = {name: folder / f"{name}.parquet" for name in tables}
    for name, columns in tables.items():
        pq.write_table(pa.table(columns), inputs[name])
    return inputs | {"stdlist": _write_stdlist(ids, docs, score, folder / "stdlist.xml")}


def _write_stdlist(ids: np.ndarray, docs: np.ndarray, score: np.ndarray, path: Path) -> Path:
    """The trials as the XML of the campaign, an element on a line."""
    with path.open("w", encoding="utf-8") as out:
        out.write(
            '<stdlist termlist_filename="tlist.xml" indexing_time="1" language="multi" index_size="1" system_id="s">\n'
        )
        for query, scores in zip(ids, score, strict=True):
            out.write(f'<detected_termlist termid="{query}" term_search_time="1.0" oov_term_count="0">\n')
            out.writelines(
                f'<term file="{doc}" channel="1" tbeg="0.00" dur="10.00" score="{value:.6f}" '
                f'decision="{"YES" if value > 2.6 else "NO"}"/>\n'
                for doc, value in zip(docs, scores, strict=True)
            )
            out.write("</detected_termlist>\n")
        out.write("</stdlist>\n")
    return path


if __name__ == "__main__":
    write_trials(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
