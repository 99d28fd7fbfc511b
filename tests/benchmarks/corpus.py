"""Writes a term-discovery corpus and submission of any size, the same for the same seed, file by file.

    python tests/benchmarks/corpus.py PHONES FOLDER [FRAGMENTS_PER_PHONE]

70,000 phones make 28,000 fragments, about the size of the largest submission to the ZeroSpeech Challenge 2017;
more phones make proportionally more recordings. Phones have over 200 labels, as those of tone languages do.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

LABELS = np.array([f"p{i}" for i in range(210)])
PHONES_PER_FILE = 2000
FILES_AT_ONCE = 100  # clusters are made of the fragments of so many files


def write_corpus(phones: int, folder: Path, per_phone: float = 0.4, seed: int = 1) -> dict[str, Path]:
    """Write corpus.phn, corpus.wrd and corpus.class into ``folder``; the inputs of a suite by name."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {"phones": "corpus.phn", "words": "corpus.wrd", "fragments": "corpus.class"}
    inputs = {name: folder / file for name, file in paths.items()}
    rng = np.random.default_rng(seed)
    files = max(phones // PHONES_PER_FILE, 1)
    held: list[tuple[str, float, float]] = []
    cluster = 0
    with inputs["phones"].open("w") as phn, inputs["words"].open("w") as wrd, inputs["fragments"].open("w") as out:
        for number in range(files):
            held += _write_file(rng, f"f{number:06d}", phones // files, per_phone, phn, wrd)
            if (number + 1) % FILES_AT_ONCE == 0 or number + 1 == files:
                cluster = _write_clusters(rng, held, cluster, out)
                held = []
    return inputs


def _write_file(rng, name: str, phones: int, per_phone: float, phn, wrd) -> list[tuple[str, float, float]]:
    """One recording: its phones and words are written, its fragments returned."""
    durations = rng.integers(30, 200, phones) / 1000
    times = np.round(np.concatenate([[0], np.cumsum(durations)]), 3)
    labels = LABELS[np.minimum(rng.zipf(1.3, phones), len(LABELS)) - 1]
    phn.writelines(f"{name} {a:.3f} {b:.3f} {label}\n" for a, b, label in zip(times, times[1:], labels, strict=False))
    ends = np.unique(np.minimum(np.cumsum(rng.integers(1, 6, phones)), phones))
    starts = np.concatenate([[0], ends[:-1]])
    wrd.writelines(
        f"{name} {times[i]:.3f} {times[j]:.3f} {'-'.join(labels[i:j])}\n" for i, j in zip(starts, ends, strict=True)
    )
    count = int(phones * per_phone)
    lengths = rng.integers(3, 13, count)
    first = rng.integers(0, phones - 13, count)
    onsets = np.maximum(times[first] + rng.normal(0, 0.02, count), 0)
    offsets = times[first + lengths] + rng.normal(0, 0.02, count)
    return [(name, float(a), float(b)) for a, b in zip(onsets, offsets, strict=True)]


def _write_clusters(rng, fragments: list[tuple[str, float, float]], cluster: int, out) -> int:
    """Clusters of 2 to 60 fragments taken at random, most of them small; the number of the next cluster."""
    order = rng.permutation(len(fragments))
    at = 0
    while at < len(order):
        size = min(2 + int(rng.pareto(1.0) * 2), 60)
        members = order[at : at + size]
        out.write(f"Class {cluster}\n")
        out.writelines(f"{f} {a:.4f} {b:.4f}\n" for f, a, b in (fragments[m] for m in members))
        out.write("\n")
        at, cluster = at + size, cluster + 1
    return cluster


if __name__ == "__main__":
    write_corpus(int(sys.argv[1]), Path(sys.argv[2]), *map(float, sys.argv[3:]))
