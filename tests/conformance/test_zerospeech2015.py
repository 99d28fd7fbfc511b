"""zerospeech2015 against a brute-force computation of its definitions, value by value, over folds and talkers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import scorespec

DATA = Path(__file__).parents[1] / "data" / "term_discovery"
EXPECTED: dict[str, Any] = json.loads((DATA / "expected_zerospeech2015.json").read_text())
TALKER_PATTERN = r"_(s.)\d"
METRICS = {
    "ned": ("value",),
    "coverage": ("value",),
    **dict.fromkeys(("matching", "grouping", "type", "token", "boundary"), ("precision", "recall", "fscore")),
}
# A setting scores `all` and `within` in one run.
SETTINGS = [(case, setting) for case, each in EXPECTED.items() for setting in each if setting.startswith("talkers=all")]
# What our statistics count, and the sizes of the same meaning.
SIZES = {
    ("matching", "found"): "star_flat",
    ("matching", "gold"): "all_flat",
    ("matching", "hits"): "star_all_flat",
    ("grouping", "found"): "clus_flat",
    ("grouping", "gold"): "goldclus_flat",
    ("grouping", "hits"): "clus_goldclus_flat",
    ("coverage", "numerator"): "cover_disc_us",
    ("coverage", "denominator"): "cover_all_us",
    ("ned", "pairs"): "pairs",
    **{(m, "found"): f"{m}_disc" for m in ("type", "token", "boundary")},
    **{(m, "gold"): f"{m}_gold" for m in ("type", "token", "boundary")},
    **{(m, "both"): f"{m}_both" for m in ("type", "token", "boundary")},
}


def scored(case: str, setting: str, **options: Any) -> scorespec.Run:
    corpus = case.partition(".")[0]
    folder = DATA / "stress" if corpus.startswith("s") else DATA
    chosen = dict(part.split("=") for part in setting.split(";"))
    more = {name: folder / f"{corpus}.{chosen[name]}" for name in ("folds", "utterances") if name in chosen}
    inputs = {
        "phones": folder / f"{corpus}.phn",
        "words": folder / f"{corpus}.wrd",
        "fragments": folder / f"{case}.class",
        **more,
    }
    params = {"n_folds": chosen.get("n_folds", "0"), "talker_pattern": TALKER_PATTERN}
    return scorespec.score("zerospeech2015", inputs=inputs, params=params, **options)


def expected_row(recorded: dict[str, Any], name: str) -> tuple[float | None, float | None, int | None]:
    """Value, standard deviation and number of folds; without folds the latter two are None."""
    if f"{name}.n" not in recorded:
        return recorded.get(name), None, None
    if recorded[f"{name}.n"] == 0:
        return None, None, 0
    return recorded[f"{name}.mean"], recorded[f"{name}.std"], recorded[f"{name}.n"]


@pytest.mark.parametrize(("case", "setting"), SETTINGS)
def test_every_value(case: str, setting: str) -> None:
    rows = {
        (row["slice"]["talkers"], row["metric"], row["component"]): row
        for row in scored(case, setting, keep_evidence=False).table()
    }
    for talkers in ("all", "within"):
        recorded = EXPECTED[case][setting.replace("talkers=all", f"talkers={talkers}")]
        for metric, components in METRICS.items():
            for component in components:
                row = rows[talkers, metric, component]
                want = expected_row(recorded, f"{metric}.{component}")
                assert (row["value"], row["std"], row["folds"]) == pytest.approx(want, abs=1e-12), (talkers, metric)


@pytest.mark.parametrize("case", EXPECTED)
def test_every_size(case: str) -> None:
    run = scored(case, "talkers=all;n_folds=3")
    found: dict[tuple[str, int, str, str], int] = {}
    for row in run.sql("SELECT metric, slice, statistics FROM unit_statistics").to_pylist():
        slice_ = json.loads(row["slice"])
        for name, value in json.loads(row["statistics"]).items():
            key = (slice_["talkers"], slice_["fold"], row["metric"], name)
            found[key] = found.get(key, 0) + value
    for talkers in ("all", "within"):
        recorded = EXPECTED[case][f"talkers={talkers};n_folds=3"]
        for (metric, statistic), size in SIZES.items():
            ours = [found.get((talkers, fold, metric, statistic), 0) for fold in range(3)]
            assert ours == recorded[f"size.{size}"], (talkers, metric, statistic)


def test_a_cluster_of_50_000_equal_fragments() -> None:
    """More than a thousand million pairs, none of which is made, beside those that touch."""
    count = 50_000
    phones = np.arange(4 * count)
    words = np.arange(count)

    def intervals(numbers: np.ndarray, size: int) -> dict[str, Any]:
        first = numbers * size
        files = [f"f{number // 40_000}" for number in first]
        return {"file": files, "onset": np.round(first / 10, 1), "offset": np.round((first + size) / 10, 1)}

    gold = intervals(words, 4)
    run = scorespec.score(
        "zerospeech2015",
        phones=pa.table({**intervals(phones, 1), "label": np.array(list("abcd"))[phones % 4]}),
        words=pa.table({**gold, "label": ["w"] * count}),
        fragments=pa.table({"cluster": ["c"] * count, **gold}),
        params={"n_folds": 0},
        keep_evidence=False,
    )
    assert run.value("ned", "pairs", talkers="all") == count * (count - 1) // 2
    assert run.value("ned", talkers="all") == 0
    for metric in ("matching", "grouping", "type", "token", "boundary"):
        assert run.value(metric, "precision", talkers="all") == 1
    assert run.value("coverage", talkers="all") == 1
