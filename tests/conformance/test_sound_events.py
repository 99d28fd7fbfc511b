"""A domain that somebody else wrote: scores of sound events, equal to those of sed_eval 0.2.1.

Its documents are its author's, except that its queries no longer write columns of slices.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import scorespec
from marks import first, slow

FOLDER = Path(__file__).parents[1] / "data" / "sound_events"
EXPECTED = sorted(FOLDER.glob("expected.*.json"))
Scores = Mapping[tuple[str, str, str], float | None]


def scores(reference: Path, estimate: Path, **more: Any) -> Scores:
    run = scorespec.score("sed", reference=reference, estimate=estimate, specs=FOLDER / "documents", **more)
    return {(row["metric"], row["component"], json.dumps(row["slice"])): row["value"] for row in run.table()}


def assert_equal(found: Scores, expected: Scores) -> None:
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        assert found[key] == (value if value is None else pytest.approx(value, rel=1e-12, abs=1e-12)), key


@pytest.mark.parametrize("path", first(EXPECTED, 1), ids=lambda path: path.stem.removeprefix("expected."))
def test_it_scores_as_it_did(path: Path) -> None:
    _, data, matching, resolution = path.stem.split(".", 3)
    files = [FOLDER / "data" / f"{data}.{side}.tsv" for side in ("ref", "est")]
    params = {"matching": matching, "time_resolution": resolution}
    rows = json.loads(path.read_text())["scores"]
    expected = {(row["metric"], row["component"], json.dumps(row["slice"])): row["value"] for row in rows}
    assert_equal(scores(*files, by="label", params=params), expected)
    whole = {key: value for key, value in scores(*files, params=params).items() if key[2] == "{}"}
    assert_equal(whole, {key: value for key, value in expected.items() if key[2] == "{}"})


@slow
def test_a_file_in_a_breakdown_has_the_scores_of_the_file_alone(tmp_path: Path) -> None:
    files = [FOLDER / "data" / f"small.{side}.tsv" for side in ("ref", "est")]
    by_file = scores(*files, by="file")
    with files[0].open() as rows:
        names = sorted({row["file"] for row in csv.DictReader(rows, delimiter="\t")})
    for name in names[:2]:
        alone = [tmp_path / file.name for file in files]
        for file, part in zip(files, alone, strict=True):
            head, *lines = file.read_text().splitlines()
            part.write_text("\n".join([head, *(line for line in lines if line.startswith(f"{name}\t")), ""]))
        label = json.dumps({"file": name})
        found = {(metric, component, "{}"): v for (metric, component, slice_), v in by_file.items() if slice_ == label}
        assert_equal(found, {key: v for key, v in scores(*alone).items() if key[2] == "{}"})
