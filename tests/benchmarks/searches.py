"""Writes a spoken-term-detection task of any size, the same for the same seed: audio, queries, references, detections.

python tests/benchmarks/searches.py DETECTIONS QUERIES HOURS FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

MINUTES_PER_DOC = 5
TOKENS_PER_SECOND = 2.8
VOCABULARY = 20_000


def write_search(detections: int, queries: int, hours: float, folder: Path, seed: int = 1) -> dict[str, Path]:
    """Write the four tables as TSV into ``folder``; the inputs of a suite by name.

    A tenth of the queries has two words; most detections are false alarms, as where systems list all they find.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    docs = max(int(hours * 60 / MINUTES_PER_DOC), 1)
    length = MINUTES_PER_DOC * 60.0
    names = np.array([f"doc{number:05d}" for number in range(docs)])

    count = int(docs * length * TOKENS_PER_SECOND)
    doc = np.sort(rng.integers(0, docs, count))
    tbeg = np.round(rng.uniform(0, length - 1, count), 2)
    order = np.lexsort((tbeg, doc))
    tbeg, dur = tbeg[order], np.round(rng.uniform(0.1, 0.6, count), 2)
    word = np.minimum(rng.zipf(1.2, count), VOCABULARY) - 1
    words = np.array([f"w{number}" for number in range(VOCABULARY)])

    chosen = 20 + rng.permutation(VOCABULARY // 10)[:queries]
    paired = rng.random(queries) < 0.1
    follow = rng.integers(0, 50, queries)
    texts = [
        f"{words[a]} {words[b]}" if two else str(words[a]) for a, b, two in zip(chosen, follow, paired, strict=True)
    ]
    ids = np.array([f"KW-{number:05d}" for number in range(queries)])

    place = np.full(VOCABULARY, -1)
    place[chosen[~paired]] = np.flatnonzero(~paired)
    real = np.flatnonzero((place[word] >= 0) & (rng.random(count) < 0.7))
    real = rng.permutation(np.concatenate([real, real[: len(real) // 5]]))[: detections // 2]
    rest = detections - len(real)
    found = {
        "query": np.concatenate([place[word[real]], rng.integers(0, queries, rest)]),
        "doc": np.concatenate([doc[real], rng.integers(0, docs, rest)]),
        "tbeg": np.concatenate([tbeg[real] + rng.normal(0, 0.1, len(real)), rng.uniform(0, length - 1, rest)]),
        "score": np.concatenate([rng.normal(1, 1, len(real)), rng.normal(-1, 1, rest)]),
    }
    mixed = rng.permutation(detections)
    score = np.round(found["score"][mixed], 6)
    tables = {
        "audio": {
            "doc": names,
            "channel": np.repeat("1", docs),
            "tbeg": np.zeros(docs),
            "dur": np.repeat(length, docs),
            "source_type": np.array(["bnews", "cts"])[np.arange(docs) % 2],
        },
        "queries": {"query": ids, "text": np.array(texts), "words": np.array([len(t.split()) for t in texts])},
        "references": {
            "doc": names[doc],
            "channel": np.repeat("1", count),
            "tbeg": tbeg,
            "dur": dur,
            "token": words[word],
            "speaker": np.repeat("s1", count),
        },
        "detections": {
            "query": ids[found["query"][mixed]],
            "doc": names[found["doc"][mixed]],
            "channel": np.repeat("1", detections),
            "tbeg": np.round(np.maximum(found["tbeg"][mixed], 0), 2),
            "dur": np.round(rng.uniform(0.1, 0.6, detections), 2),
            "score": score,
            "decision": np.where(score > 0, "YES", "NO"),
        },
    }
    inputs = {name: folder / f"{name}.tsv" for name in tables}
    for name, columns in tables.items():
        written = pa.csv.WriteOptions(include_header=False, delimiter="\t", quoting_style="none")
        with inputs[name].open("wb") as file:
            file.write(("\t".join(columns) + "\n").encode())
            pa.csv.write_csv(pa.table(columns), file, written)
    return inputs


if __name__ == "__main__":
    write_search(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4]))
