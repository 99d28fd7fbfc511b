"""How time and memory grow with the size of the input.

make bench-scale                                  all suites, 1x, 4x, 16x, 64x
python tests/benchmarks/scale.py --only std2006   one of them
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from corpus import write_corpus
from measure import add_row, apart, only, score
from searches import write_search
from syntheses import write_syntheses
from transcripts import write_transcripts
from trials import write_trials

TIMES = (1, 4, 16, 64)
PROSE = ("--param", "punctuation=remove", "--param", "hyphen=split")


@dataclass(frozen=True)
class Growing:
    """A suite, what 1x is, and who writes the inputs of a multiple of that."""

    suite: str
    size: str
    write: Callable[[int, Path], dict[str, Path]]
    options: tuple[str, ...] = ()


def _trials(times: int, folder: Path) -> dict[str, Path]:
    inputs = write_trials(56, 1_448 * times, folder)
    return {name: inputs[name] for name in ("queries", "audio", "occurrences", "detections")}


SUITES = (
    Growing("zerospeech2017", "70,000 phones", lambda times, folder: write_corpus(70_000 * times, folder)),
    Growing("zerospeech2015", "10,000 phones", lambda times, folder: write_corpus(10_000 * times, folder)),
    Growing("std2006", "100,000 detections", lambda times, f: write_search(100_000 * times, 200, 4 * times, f)),
    Growing("quesst2015", "81,088 trials", _trials),
    Growing("speech_ne", "20,000 words", lambda times, folder: write_transcripts(20_000 * times, folder)),
    Growing("wer", "20,000 words", lambda times, folder: write_transcripts(20_000 * times, folder), PROSE),
    Growing("articulation", "20 tokens × 3 tasks of 1 s", lambda times, folder: write_syntheses(20 * times, 3, folder)),
)


def row(growing: Growing) -> list[str]:
    spent = []
    for times in TIMES:
        with tempfile.TemporaryDirectory() as folder:
            inputs = apart(growing.write, times, Path(folder) / "inputs")
            spent.append(score(growing.suite, inputs, *growing.options))
    seconds = [f"{each.seconds:.1f}" for each in spent]
    return [f"`{growing.suite}`", growing.size, *seconds, f"{spent[-1].peak_mb:,.0f} MB"]


def main() -> None:
    for growing in only(SUITES):
        add_row("bench-scale", row(growing), keys=2)


if __name__ == "__main__":
    main()
