"""Writes figures and reports of the examples that ship, for docs/gallery.md.

The figures go to docs/pictures/figures/, the reports to docs/reference/extra/reports/, which the site has as reports/.
"""

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
REPORTS = ("wer", "der_pyannote", "verification")


def generate(folder: Path, reports: Path | None = None) -> None:
    """Write every picture into ``folder``, and some reports into the folder ``reports``."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for suite, names in FIGURES.items():
            results, example = Path(scratch, f"{suite}.duckdb"), find_example(suite)
            for name, path in example.systems.items():
                given = {**example.inputs, example.submission: path}
                scorespec.score(suite, output=results, name=name, confidence=95, **given)
            for name in names:
                scorespec.open_results(results).plot(name).save(folder / f"{name}.svg")
            if reports and suite in REPORTS:
                reports.mkdir(parents=True, exist_ok=True)
                scorespec.open_results(results).report().save(reports / f"{suite}.html")


if __name__ == "__main__":
    here = Path(__file__).parent
    generate(here / "pictures" / "figures", here / "reference" / "extra" / "reports")
