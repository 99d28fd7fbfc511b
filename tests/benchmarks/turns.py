"""Writes a diarization task of any size, the same for the same seed: turns of a reference and of a system.

python tests/benchmarks/turns.py RECORDINGS HOURS FOLDER [.parquet]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from tables import Columns, write_tables

RECORDINGS_AT_ONCE = 100
SPEAKERS = 4
SECONDS_PER_TURN = 4.0


def write_turns(recordings: int, hours: float, folder: Path, suffix: str = ".tsv", seed: int = 1) -> dict[str, Path]:
    """Write reference and hypothesis as TSV or Parquet, some recordings at a time; the inputs of a suite by name.

    Four speakers talk in each recording, at times two at once. The system misses a tenth of the turns. It gives another
    tenth to any speaker.
    """
    return write_tables(_parts(recordings, hours * 3600, np.random.default_rng(seed)), folder, suffix)


def _parts(recordings: int, seconds: float, rng: np.random.Generator) -> Iterator[dict[str, Columns]]:
    turns = int(seconds / SECONDS_PER_TURN)
    for first in range(0, recordings, RECORDINGS_AT_ONCE):
        docs = np.arange(first, min(first + RECORDINGS_AT_ONCE, recordings))
        doc, shape = np.repeat(docs, turns), (len(docs), turns)
        steps = rng.uniform(0.5, 2 * SECONDS_PER_TURN - 0.5, shape)
        tbeg = (np.cumsum(steps, axis=1) - steps).ravel()
        dur = steps.ravel() * rng.uniform(0.7, 1.2, len(doc))
        speaker = rng.integers(0, SPEAKERS, len(doc))
        found = rng.random(len(doc)) > 0.1
        heard = np.where(rng.random(len(doc)) < 0.1, rng.integers(0, 2 * SPEAKERS, len(doc)), speaker)
        shifted = np.maximum(tbeg + rng.normal(0, 0.2, len(doc)), 0)
        yield {
            "reference": _turns(doc, tbeg, dur, speaker),
            "hypothesis": _turns(doc[found], shifted[found], dur[found], heard[found]),
        }


def _turns(doc: np.ndarray, tbeg: np.ndarray, dur: np.ndarray, speaker: np.ndarray) -> Columns:
    return {
        "doc": np.char.add("talk", np.char.zfill(doc.astype(str), 5)),
        "tbeg": np.round(tbeg, 3),
        "dur": np.round(dur, 3),
        "speaker": np.char.add("s", speaker.astype(str)),
    }


if __name__ == "__main__":
    write_turns(int(sys.argv[1]), float(sys.argv[2]), Path(sys.argv[3]), *sys.argv[4:])
