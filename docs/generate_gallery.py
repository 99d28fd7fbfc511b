"""Writes the pictures of docs/gallery.md to docs/pictures/figures/: figures of the examples that ship."""

from __future__ import annotations

import tempfile
from pathlib import Path

import scorespec
from scorespec.examples import find_example

FIGURES = {
    "wer": ("speakers",),
    "sws2013": ("det", "twv_by_threshold", "queries"),
    "zerospeech2017": ("precision_recall", "cluster_sizes", "token_by_length"),
    "speech_ne": ("confusion",),
    "der_pyannote": ("recordings", "timeline"),
    "verification": ("score_densities", "cllr_parts"),
    "articulation": ("subscores", "trajectories"),
}


def generate(folder: Path) -> None:
    """Write every picture into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for suite, names in FIGURES.items():
            results, example = Path(scratch, f"{suite}.duckdb"), find_example(suite)
            for name, path in example.systems.items():
                given = {**example.inputs, example.submission: path}
                scorespec.score(suite, output=results, name=name, confidence=95, **given)
            for name in names:
                scorespec.open_results(results).plot(name).save(folder / f"{name}.svg")


if __name__ == "__main__":
    generate(Path(__file__).parent / "pictures" / "figures")
