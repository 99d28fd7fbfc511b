"""Diarization against what pyannote.metrics, md-eval and dscore printed, and against the oracle that samples time."""

from __future__ import annotations

import json
import random
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from oracles import diarization

DATA = Path(__file__).parents[1] / "data" / "diarization"
RECORDS: list[dict[str, Any]] = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
DIGITS = {"der_pyannote": 1e-9, "der_mdeval": 1e-6, "der_dscore": 1e-6}  # md-eval prints six decimals, also for dscore


def scores(run: scorespec.Run) -> dict[tuple[str, str], float | None]:
    """The scores by recording (ALL: of all recordings) and metric.component."""
    return {
        (json.loads(row["slice"]).get("doc", "ALL"), f"{row['metric']}.{row['component']}"): row["value"]
        for row in run.scores.to_pylist()
    }


@pytest.mark.parametrize(
    "record", RECORDS, ids=lambda each: f"{each['suite']}-{each['params']}-{'uem' if each['uem'] else 'extent'}"
)
def test_the_programs_have_these_scores(record: dict[str, Any]) -> None:
    inputs = {"reference": DATA / "reference.rttm", "hypothesis": DATA / "hypothesis.rttm"}
    if record["uem"]:
        inputs["uem"] = DATA / "regions.uem"
    found = scores(scorespec.score(record["suite"], **inputs, params=record["params"], by=["doc"]))
    compared = 0
    for doc, values in record["values"].items():
        for name, value in values.items():
            assert found[doc, name] == pytest.approx(value, abs=DIGITS[record["suite"]]), (doc, name)
            compared += 1
    assert compared > 30


@pytest.mark.parametrize("suite", DIGITS)
def test_seglst_has_the_scores_of_rttm(suite: str, tmp_path: Path) -> None:
    rttm = {side: DATA / f"{side}.rttm" for side in ("reference", "hypothesis")}
    for side, path in rttm.items():
        turns = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
        segments = [
            {
                "session_id": doc,
                "speaker": speaker,
                "start_time": onset,
                "end_time": str(Decimal(onset) + Decimal(duration)),
            }
            for _, doc, _, onset, duration, _, _, speaker, *_ in turns
        ]
        (tmp_path / f"{side}.json").write_text(json.dumps(segments), encoding="utf-8")
    seglst = {side: tmp_path / f"{side}.json" for side in rttm}
    found = [scores(scorespec.score(suite, **inputs, by=["doc"])) for inputs in (rttm, seglst)]
    assert found[0] == found[1]


@pytest.mark.parametrize("seed", range(20))
def test_time_that_is_sampled_has_the_same_errors(seed: int) -> None:
    """The oracle tries every mapping of the speakers, and looks at each tenth of a second."""
    r = random.Random(seed)
    reference, hypothesis = (diarization.random_turns(r, r.randint(1, 4)) for _ in range(2))
    region, collar, skip_overlap = (r.randint(0, 20), r.randint(80, 120)), r.choice((0, 2)), r.random() < 0.5
    expected = diarization.errors(reference, hypothesis, region, collar, skip_overlap)
    run = scorespec.score(
        "der_mdeval",
        reference=table(reference),
        hypothesis=table(hypothesis),
        uem=pa.table({"doc": ["d"], "onset": [region[0] / 10], "offset": [region[1] / 10]}),
        params={"collar": collar / 10, "skip_overlap": skip_overlap},
        metrics=["der"],
    )
    found = scores(run)
    for component, tenths in expected.items():
        assert found["ALL", f"der.{component}"] == pytest.approx(tenths / 10, abs=1e-9), component


def table(turns: list[diarization.Turn]) -> pa.Table:
    return pa.table(
        {
            "doc": ["d"] * len(turns),
            "tbeg": [turn.onset / 10 for turn in turns],
            "dur": [(turn.offset - turn.onset) / 10 for turn in turns],
            "speaker": [turn.speaker for turn in turns],
        }
    )
