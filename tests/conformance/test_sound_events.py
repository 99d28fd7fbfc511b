"""A domain that somebody else wrote: scores of sound events, equal to those of sed_eval 0.2.1."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import scorespec
from marks import first

FOLDER = Path(__file__).parents[1] / "data" / "sound_events"
EXPECTED = sorted(FOLDER.glob("expected.*.json"))


@pytest.mark.parametrize("path", first(EXPECTED, 2), ids=lambda path: path.stem.removeprefix("expected."))
def test_it_scores_as_it_did(path: Path) -> None:
    _, data, matching, resolution = path.stem.split(".", 3)
    run = scorespec.score(
        "sed",
        reference=FOLDER / "data" / f"{data}.ref.tsv",
        estimate=FOLDER / "data" / f"{data}.est.tsv",
        specs=FOLDER / "documents",
        by="label",
        params={"matching": matching, "time_resolution": resolution},
    )
    expected = json.loads(path.read_text())["scores"]
    found = {(row["metric"], row["component"], str(row["slice"])): row["value"] for row in run.table()}
    assert found.keys() == {(row["metric"], row["component"], str(row["slice"])) for row in expected}
    for row in expected:
        wanted = row["value"] if row["value"] is None else pytest.approx(row["value"], rel=1e-12, abs=1e-12)
        assert found[row["metric"], row["component"], str(row["slice"])] == wanted
