"""The test files of md-eval, dscore and pyannote.metrics: our scores are those that their repositories have on record.

The files are third-party data that is read in place. The environment variables MDEVAL_TESTDATA (the folder
`src/md-eval/test` of NIST's SCTK), DSCORE_TESTDATA (`scorelib/tests` of dscore) and PYANNOTE_TESTDATA (`tests` of
pyannote.metrics) name their folders.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from marks import first, some
from scorespec.errors import InputError

CASES = [f"md_test{number}" for number in (*range(1, 22), "22a", *range(23, 31), "_greg")]
CASES += [f"sd_test{number}" for number in (1, 2, 3, 4, 6)]
PRINTED = {
    "der.scored": "SCORED SPEAKER TIME",
    "der.missed": "MISSED SPEAKER TIME",
    "der.false_alarm": "FALARM SPEAKER TIME",
    "der.confusion": "SPEAKER ERROR TIME",
    "detection.speech": "SCORED SPEECH",
    "detection.missed": "MISSED SPEECH",
    "detection.false_alarm": "FALARM SPEECH",
}
# With -w, md-eval moves the turns of the hypothesis to the aligned words. Here, the aligner errs: all words are "blah".
MOVED = {"md_test7": {"der.missed", "detection.missed"}}
ROUNDED = 0.005001  # md-eval prints two decimals
Pairs = list[tuple[str, float, float]]  # what is compared, the value of the program, and ours
REFUSED = {"md_test13": "dur -6.0 is negative"}  # md-eval ends with an error, too


def scores(suite: str, **given: Any) -> dict[tuple[str, str], float]:
    """The scores by recording (ALL: of all recordings) and metric.component."""
    run = scorespec.score(suite, by=["doc"], **given)
    return {
        (json.loads(row["slice"]).get("doc", "ALL"), f"{row['metric']}.{row['component']}"): row["value"]
        for row in run.scores.to_pylist()
    }


# -- md-eval ---------------------------------------------------------------------------------------


def recorded(output: str) -> dict[tuple[str, str], float]:
    """What md-eval printed, by recording and metric.component."""
    found = {}
    for part in output.split("*** Performance analysis for Speaker Diarization for ")[1:]:
        doc = part.split(" ***")[0].removeprefix("f=")
        for name, printed in PRINTED.items():
            if value := re.search(rf"{printed} = *([\d.]+)", part):
                found[doc, name] = float(value[1])
    return found


@pytest.mark.parametrize("case", first(CASES, 8))
def test_a_case_of_md_eval(md_eval: Path, case: str) -> None:
    if case in REFUSED:
        with pytest.raises(InputError, match=REFUSED[case]):
            of_md_eval(md_eval, case)
        assert "negative metadata duration" in (md_eval / f"{case}.output.saved.log").read_text()
        return
    compared = of_md_eval(md_eval, case)
    different = {name.split()[-1] for name, theirs, ours in compared if abs(ours - theirs) > ROUNDED}
    assert different == MOVED.get(case, set())
    assert len(compared) >= 2 * len(PRINTED)


def of_md_eval(md_eval: Path, case: str) -> Pairs:
    """What md-eval printed of a case, with our values."""
    inputs = {"reference": "ref.rttm", "hypothesis": "sys.rttm", "uem": "uem"}
    params = {"skip_overlap": case.startswith("sd_")}  # the script of these tests runs md-eval -1
    ours = scores(
        "der_mdeval", inputs={name: md_eval / f"{case}.{file}" for name, file in inputs.items()}, params=params
    )
    theirs = recorded((md_eval / f"{case}.output.saved").read_text("latin-1"))
    return [(f"{case} {doc} {name}", value, ours[doc, name]) for (doc, name), value in theirs.items()]


# -- dscore ----------------------------------------------------------------------------------------


def test_the_recording_of_dscore(dscore: Path) -> None:
    for name, theirs, ours in some(of_dscore(dscore)):
        assert ours == pytest.approx(theirs, abs=5.1e-6), name


def of_dscore(dscore: Path) -> Pairs:
    """What dscore has on record of its recording, in percent, with our values."""
    values = re.search(r"'FILE1', ([\d.]+), ([\d.]+)", (dscore / "test_score.py").read_text())
    assert values
    ours = scores(
        "der_dscore",
        reference=dscore / "ref.rttm",
        hypothesis=dscore / "sys.rttm",
        uem=pa.table({"doc": ["FILE1"], "onset": [0.0], "offset": [43.0]}),
    )
    metrics = zip(("der.value", "jer.value"), map(float, values.groups()), strict=True)
    return [(metric, value, ours["FILE1", metric] * 100) for metric, value in metrics]


# -- pyannote.metrics ------------------------------------------------------------------------------

DETAILS = {
    "confusion": "der.confusion",
    "rate": "der.value",
    "false_alarm": "der.false_alarm",
    "missed_detection": "der.missed",
    "total": "der.scored",
}
SPEECH = {"false_alarm": "false_alarm", "missed_detection": "missed", "rate": "value", "total": "speech"}
WITH_OVERLAP = {"reference": "reference_with_overlap"}
# The test and its file, the names of its numbers, parameters, fixtures with another name.
TESTS: list[tuple[str, str, dict[str, str], dict[str, Any], dict[str, str]]] = [
    ("diarization", "error_rate", {"error_rate": "der.value"}, {}, {}),
    ("diarization", "detailed", DETAILS, {}, {}),
    ("diarization", "purity", {"purity": "purity.value"}, {}, {}),
    ("diarization", "coverage", {"coverage": "coverage.value"}, {}, {}),
    ("diarization", "skip_overlap", {"total": "der.scored"}, {"skip_overlap": True}, WITH_OVERLAP),
    ("diarization", "leep_overlap", {"total": "der.scored"}, {}, WITH_OVERLAP),
    ("detection", "error_rate", {"error_rate": "detection.value"}, {}, {}),
    ("detection", "detailed", {name: f"detection.{ours}" for name, ours in SPEECH.items()}, {}, {}),
]


def turns(source: str, fixture: str) -> pa.Table:
    """The turns of an annotation that a fixture of pytest makes."""
    body = source.split(f"def {fixture}():")[1].split("return")[0]
    rows = re.findall(r"\[Segment\(([\d.]+), ([\d.]+)\)\] = .(\w+)", body)
    begins, ends, speakers = zip(*rows, strict=True)
    durations = [float(end) - float(begin) for begin, end in zip(begins, ends, strict=True)]
    return pa.table(
        {"doc": ["d"] * len(rows), "tbeg": list(map(float, begins)), "dur": durations, "speaker": list(speakers)}
    )


@pytest.mark.parametrize(("file", "test", "names", "params", "fixtures"), TESTS, ids=lambda each: str(each)[:20])
def test_a_test_of_pyannote(
    pyannote: Path, file: str, test: str, names: dict[str, str], params: dict[str, Any], fixtures: dict[str, str]
) -> None:
    compared = of_pyannote(pyannote, file, test, names, params, fixtures)
    assert len(compared) == len(names)
    for name, theirs, ours, tolerance in compared:
        assert ours == pytest.approx(theirs, abs=tolerance), name


def of_pyannote(
    pyannote: Path, file: str, test: str, names: dict[str, str], params: dict[str, Any], fixtures: dict[str, str]
) -> list[tuple[str, float, float, float]]:
    """What a test of pyannote.metrics expects, with our values, and by how much they may differ."""
    source = (pyannote / f"test_{file}.py").read_text("utf-8")
    ours = scores(
        "der_pyannote",
        reference=turns(source, fixtures.get("reference", "reference")),
        hypothesis=turns(source, "hypothesis"),
        params=params,
    )
    body = source.split(f"def test_{test}(")[1].split("\ndef ")[0]
    theirs = re.findall(r"assert_almost_equal\((\w+), ([\d.]+), decimal=(\d)\)", body)
    return [
        (names[name], float(value), ours["ALL", names[name]], 10 ** -int(digits))
        for name, value, digits in theirs
        if name in names
    ]
