"""Times two threads against one, and holds what they print against each other.

make bench-threads
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from corpus import write_corpus
from measure import MACHINE, apart, rewrite, score, table
from searches import write_search
from syntheses import write_syntheses
from transcripts import write_transcripts
from trials import write_trials

TASKS = (
    ("std2006", "10,000,000 detections, Parquet", lambda f: write_search(10_000_000, 500, 100, f, ".parquet")),
    ("std2006", "10,000,000 detections, TSV", lambda f: write_search(10_000_000, 500, 100, f)),
    ("quesst2015", "5,189,590 trials, Parquet", lambda f: _quesst(f)),
    ("zerospeech2017", "2,800,000 fragments on 7,000,000 phones", lambda f: write_corpus(7_000_000, f)),
    ("zerospeech2015", "800,000 fragments on 2,000,000 phones", lambda f: write_corpus(2_000_000, f)),
    ("speech_ne", "1,000,000 words", lambda f: write_transcripts(1_000_000, f)),
    ("articulation", "1,000 tokens × 3 tasks of 1 s", lambda f: write_syntheses(1_000, 3, f)),
)


def _quesst(folder: Path) -> dict[str, Path]:
    inputs = write_trials(445, 11_662, folder)
    return {name: inputs[name] for name in ("queries", "audio", "occurrences", "detections")}


def main() -> None:
    rows = []
    for suite, size, write in TASKS:
        with tempfile.TemporaryDirectory() as folder:
            inputs = apart(write, Path(folder) / "inputs")
            said = {threads: Path(folder) / f"{threads}.txt" for threads in (1, 2)}
            one, two = (
                score(suite, inputs, "--format", "csv", "--threads", str(threads), said=path)
                for threads, path in said.items()
            )
            same = said[1].read_bytes() == said[2].read_bytes()
        times = f"{one.seconds / two.seconds:.2f}"
        rows.append([
            f"`{suite}`", size, f"{one.seconds:.1f}", f"{two.seconds:.1f}", times, "the same" if same else "DIFFERENT"
        ])  # fmt: skip
        print(" | ".join(rows[-1]), flush=True)
    heads = ["suite", "size", "1 thread, s:", "2 threads, s:", "times as fast:", "what is printed"]
    rewrite("bench-threads", f"{table(heads, rows)}\n\n({MACHINE})")


if __name__ == "__main__":
    main()
