"""The enumerating oracle of zerospeech2015 against the recorded numbers and sizes."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))  # tests/, whatever pytest was started with

from marks import first, some
from oracles import zerospeech2015 as exact

DATA = Path(__file__).parents[2] / "data" / "term_discovery"
EXPECTED: dict[str, Any] = json.loads((DATA / "expected_zerospeech2015.json").read_text(encoding="utf-8"))
SPEAKER_PATTERN = r"_(s.)\d"
# A setting is scored with `all` and `within` at once. The small corpora only: alpha and beta take minutes.
SETTINGS = [
    (case, setting)
    for case, each in EXPECTED.items()
    if case.startswith(("s0.", "s1."))
    for setting in each
    if setting.startswith("speakers=all")
]


def read_rows(path: Path) -> list[tuple[Any, ...]]:
    """File, onset, offset and what follows, of each line."""
    lines = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return [(line[0], float(line[1]), float(line[2]), *line[3:]) for line in lines if line]


def read_folds(path: Path) -> list[list[tuple[Any, ...]]]:
    """Intervals; a blank line parts the folds."""
    folds: list[list[tuple[Any, ...]]] = [[]]
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            file, onset, offset = line.split()
            folds[-1].append((file, float(onset), float(offset)))
        elif folds[-1]:
            folds.append([])
    return [fold for fold in folds if fold]


def read_clusters(path: Path) -> list[exact.Clustered]:
    """Rows of a .class file."""
    rows, cluster = [], ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("Class"):
            cluster = line.split()[1]
        elif line.strip():
            file, onset, offset = line.split()
            rows.append((cluster, file, float(onset), float(offset)))
    return rows


def scored(case: str, setting: str) -> dict[str, exact.Report]:
    """A recorded case such as `s0.gold` in a setting such as `speakers=all;utterances=utt;n_folds=3`."""
    corpus = case.partition(".")[0]
    folder = DATA / "stress" if corpus.startswith("s") else DATA
    chosen = dict(part.split("=") for part in setting.split(";"))
    return exact.score(
        read_rows(folder / f"{corpus}.phn"),
        read_rows(folder / f"{corpus}.wrd"),
        read_clusters(folder / f"{case}.class"),
        utterances=read_rows(folder / f"{corpus}.utt") if "utterances" in chosen else None,
        folds=read_folds(folder / f"{corpus}.{chosen['folds']}") if "folds" in chosen else None,
        n_folds=int(chosen.get("n_folds", 0)),
        fold_order="runs",
        speaker_pattern=SPEAKER_PATTERN,
        empty_pair_distance=1,  # as recorded
    )


@pytest.mark.parametrize(("case", "setting"), first(SETTINGS, 6))
def test_recorded_numbers(case: str, setting: str) -> None:
    """Every recorded number is computed, values to 1e-12 and sizes exactly."""
    for speakers, report in some(scored(case, setting).items()):
        recorded = EXPECTED[case][setting.replace("speakers=all", f"speakers={speakers}")]
        assert as_recorded(report) == {
            name: pytest.approx(value, abs=1e-12) if isinstance(value, float) else value
            for name, value in recorded.items()
        }


def as_recorded(report: exact.Report) -> dict[str, Any]:
    """Our numbers under the recorded names; the pairs of ned are recorded as a size."""
    numbers: dict[str, Any] = {}
    for (metric, component), (value, std, folds) in report.scores.items():
        name = f"{metric}.{component}"
        if name == "ned.pairs":
            continue
        each = {name: value} if folds is None else {f"{name}.mean": value, f"{name}.std": std, f"{name}.n": folds}
        numbers |= each
    in_folds = any(name.endswith(".n") for name in numbers)
    for name in report.sizes[0]:
        sizes = [fold[name] for fold in report.sizes]
        numbers[f"size.{name}"] = sizes if in_folds else sizes[0]
    return numbers
