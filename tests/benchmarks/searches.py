"""Writes a spoken-term-detection task of any size, the same for the same seed: audio, queries, references, detections.

python tests/benchmarks/searches.py DETECTIONS QUERIES HOURS FOLDER [.parquet]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from tables import Columns, write_tables

MINUTES_PER_DOC = 5
LENGTH = MINUTES_PER_DOC * 60.0
DOCS_AT_ONCE = 200
TOKENS_PER_SECOND = 2.8
WORDS = np.array([f"w{number}" for number in range(20_000)])


def write_search(
    detections: int, queries: int, hours: float, folder: Path, suffix: str = ".tsv", seed: int = 1
) -> dict[str, Path]:
    """Write the four tables as TSV or Parquet into ``folder``, some hours at a time; the inputs of a suite by name.

    A tenth of the queries has two words; most detections are false alarms, as where systems list all they find.
    """
    return write_tables(_parts(detections, queries, hours, np.random.default_rng(seed)), folder, suffix)


def _parts(detections: int, queries: int, hours: float, rng: np.random.Generator) -> Iterator[dict[str, Columns]]:
    docs = max(int(hours * 60 / MINUTES_PER_DOC), 1)
    chosen = 20 + rng.permutation(len(WORDS) // 10)[:queries]
    paired = rng.random(queries) < 0.1
    second = np.where(paired, np.char.add(" ", WORDS[rng.integers(0, 50, queries)]), "")
    ids = np.array([f"KW-{number:05d}" for number in range(queries)])
    query_of_word = np.full(len(WORDS), -1)
    query_of_word[chosen[~paired]] = np.flatnonzero(~paired)
    yield {"queries": {"query": ids, "text": np.char.add(WORDS[chosen], second), "words": 1 + paired}}
    for first in range(0, docs, DOCS_AT_ONCE):
        last = min(first + DOCS_AT_ONCE, docs)
        names = np.array([f"doc{number:05d}" for number in range(first, last)])
        doc, tbeg, word = _said(last - first, rng)
        share = detections * last // docs - detections * first // docs
        yield {
            "audio": {
                "doc": names,
                "channel": np.repeat("1", len(names)),
                "tbeg": np.zeros(len(names)),
                "dur": np.repeat(LENGTH, len(names)),
                "source_type": np.array(["bnews", "cts"])[np.arange(first, last) % 2],
            },
            "references": {
                "doc": names[doc],
                "channel": np.repeat("1", len(doc)),
                "tbeg": tbeg,
                "dur": np.round(rng.uniform(0.1, 0.6, len(doc)), 2),
                "token": WORDS[word],
                "speaker": np.repeat("s1", len(doc)),
            },
            "detections": _found(share, ids, names, (doc, tbeg, query_of_word[word]), rng),
        }


def _said(docs: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Document, onset and word of the tokens of some documents, in order of time."""
    count = int(docs * LENGTH * TOKENS_PER_SECOND)
    doc = np.sort(rng.integers(0, docs, count))
    tbeg = np.round(rng.uniform(0, LENGTH - 1, count), 2)
    tbeg = tbeg[np.lexsort((tbeg, doc))]
    return doc, tbeg, np.minimum(rng.zipf(1.2, count), len(WORDS)) - 1


def _found(
    count: int,
    ids: np.ndarray,
    names: np.ndarray,
    tokens: tuple[np.ndarray, np.ndarray, np.ndarray],
    rng: np.random.Generator,
) -> Columns:
    """Detections in some documents: of most tokens that are a query, some of them twice, and false alarms."""
    doc, tbeg, query = tokens
    real = np.flatnonzero((query >= 0) & (rng.random(len(query)) < 0.7))
    real = rng.permutation(np.concatenate([real, real[: len(real) // 5]]))[: count // 2]
    rest = count - len(real)
    mixed = rng.permutation(count)
    query = np.concatenate([query[real], rng.integers(0, len(ids), rest)])[mixed]
    doc = np.concatenate([doc[real], rng.integers(0, len(names), rest)])[mixed]
    onset = np.concatenate([tbeg[real] + rng.normal(0, 0.1, len(real)), rng.uniform(0, LENGTH - 1, rest)])[mixed]
    score = np.round(np.concatenate([rng.normal(1, 1, len(real)), rng.normal(-1, 1, rest)])[mixed], 6)
    return {
        "query": ids[query],
        "doc": names[doc],
        "channel": np.repeat("1", count),
        "tbeg": np.round(np.maximum(onset, 0), 2),
        "dur": np.round(rng.uniform(0.1, 0.6, count), 2),
        "score": score,
        "decision": np.where(score > 0, "YES", "NO"),
    }


if __name__ == "__main__":
    write_search(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4]), *sys.argv[5:])
