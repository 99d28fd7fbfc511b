"""articubench and articulation against what the program computed of the fixtures, each fault of an input included."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import scorespec
from marks import first, some
from scorespec.functions.spectrograms import MelSettings, resample, spectrogram_of
from scorespec.functions.trajectories import pchip

DATA = Path(__file__).parents[1] / "data" / "articulation"
RECORDS: dict[str, dict[str, Any]] = {
    record["case"]: record for record in json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
}
TASKS = [name for name in RECORDS if name.startswith("synth/") and name.count("/") == 2]
TOLERANCE = 1e-10
NAMES = {"distance": "semantic_distance", "rank": "semantic_rank", "semdist": "semantic_distance"}
INPUTS = {
    "tokens": DATA / "tokens.parquet",
    "labels": DATA / "labels.parquet",
    "baseline": DATA / "submission_baseline.parquet",
}


def score(suite: str, **options: Any) -> scorespec.Run:
    """A run without evidence, which takes half of the time."""
    return scorespec.score(suite, keep_evidence=False, **options)


@cache
def scored(suite: str, submission: str, metrics: tuple[str, ...] = (), **params: str) -> scorespec.Run:
    path = DATA / f"submission_{submission}.parquet"
    return scorespec.score(suite, submission=path, metrics=metrics, params=params, **INPUTS)


def near(value: float | None) -> Any:
    return value if value is None else pytest.approx(value, abs=TOLERANCE, rel=0)


# -- the program's numbers ---------------------------------------------------------------------------


Pairs = Iterator[tuple[str, Any, float | None]]  # what is compared, the recorded value, and ours


@pytest.mark.parametrize("case", first(TASKS, 2))
def test_scores(case: str) -> None:
    for name, value, found in some(of_program(case)):
        assert found == near(value), name


def of_program(case: str) -> Pairs:
    """What the program recorded of a task, with our values."""
    _, submission, task = case.split("/")
    run, expected = scored("articubench", submission), RECORDS[case]["values"]
    for name, value in expected["scores"].items():
        if name != "total_from_groups":
            yield name, value, run.value(NAMES.get(name, name), task=task)
    for name, value in expected["baselines"].items():
        metric = name.removeprefix("BASELINE_").lower()
        yield name, value, run.value(NAMES.get(metric, metric), "baseline_error", task=task)


@pytest.mark.parametrize("case", first(TASKS, 2))
def test_errors_of_each_token(case: str) -> None:
    for name, error, found in some(of_program_by_token(case)):
        assert found == near(error), name


def of_program_by_token(case: str) -> Pairs:
    """What the program recorded of each token of a task, with our errors."""
    _, submission, task = case.split("/")
    rows = scored("articubench", submission).sql(f"SELECT * FROM evidence_tokens WHERE task = '{task}'").to_pylist()
    found = {(row["token"], row["subscore"]): row for row in rows}
    for token in RECORDS[case]["values"]["per_token"]:
        ema = [token["err_ema_TT"], token["err_ema_TB"]]
        expected = {
            "tongue_height": token["err_tongue_height"],
            "ema": None if None in ema else sum(ema),
            "loudness": token["err_loudness"],
            "spectrogram": token["err_spectrogram"],
            "semantic_distance": token["err_semdist"],
            "semantic_rank": token["rank"] - 1,
            "velocity_jerk": float(np.log1p([token["q999_vel"], token["q999_jerk"]]).sum() / np.log(151)),
        }
        for subscore, error in expected.items():
            row = found[token["token"], subscore]
            assert (row["left_out"] is None) == (error is not None)
            yield f"{token['token']} {subscore}", error, row["error"]


@pytest.mark.parametrize("case", first(TASKS, 1))
def test_variants_and_sizes(case: str) -> None:
    for name, value, found in some(of_independent(case)):
        assert found == near(value), name
    record = RECORDS[f"{case}/independent"]["values"]
    program = scored("articubench", case.split("/")[1])
    for name, count in record["n_tokens_used"].items():
        assert program.value(NAMES.get(name, name), "tokens", task=case.split("/")[2]) == count


def of_independent(case: str) -> Pairs:
    """What an independent implementation recorded of a task, with the values of the suite `articulation`."""
    _, submission, task = case.split("/")
    record = RECORDS[f"{case}/independent"]["values"]
    names = ("ema(ema_form=axes)", "ema(ema_form=document)", "velocity_jerk", "semantic_rank")
    run = scored("articulation", submission, names, unusable="leave_out", denominator="all_tokens")
    expected = [record["variants"][name] for name in (
        "ema_six_axis_1_minus", "ema_seed_document_literal_4_minus", "velocity_jerk_absolute", "rank_over_N_minus_1"
    )]  # fmt: skip
    yield from ((name, value, run.value(name, task=task)) for name, value in zip(names, expected, strict=True))
    run = scored("articulation", submission, ("tongue_height", "ema", "loudness", "spectrogram"), unusable="leave_out")
    for name, value in record["variants"]["same_tokens_baseline"].items():
        yield name, value, run.value(name, task=task)


def test_several_submissions_at_once() -> None:
    paths = [DATA / "submission_A.parquet", DATA / "submission_B.parquet"]
    run = score("articubench", submission=paths, **INPUTS)
    for name in "AB":
        alone = scored("articubench", name)
        for row in some(alone.table()):
            named = {} if row["slice"]["task"] == "baseline" else {"submission": f"submission_{name}"}
            assert run.value(row["metric"], row["component"], **row["slice"], **named) == row["value"]


# -- faults ------------------------------------------------------------------------------------------


def test_what_is_left_out_is_told() -> None:
    assert scored("articubench", "B").warnings == [
        f"note: ema: 1 of 40 rows {UNUSABLE}: t10",
        f"note: loudness: 1 of 40 rows {UNUSABLE}: t14",
        f"note: spectrogram: 1 of 40 rows {UNUSABLE}: t14",
    ]
    with pytest.raises(scorespec.InputError) as caught:
        scored("articulation", "B")
    assert str(caught.value).splitlines() == [
        "ema_errors: token t10, task copy-synthesis: ema_TT: frame 4 holds nan",
        "loudness_errors: token t14, task copy-synthesis: loudness: frame 3 holds nan",
        "spectrogram_errors: token t14, task copy-synthesis: log_mel: frame 3 holds nan",
    ]


UNUSABLE = "are left out because a sequence is missing or has a number that is not finite"
NO_ROW = "there is no row; add a row, or set unusable=leave_out"
MISSING = [f"expected_rows: token t{at:02}, task copy-synthesis: {NO_ROW}" for at in (6, 8, 9)]
MISSING += ["expected_rows: and 10 more problems"]  # t10 to t19
MISMATCHES = [
    "tongue_height_errors: token t02, task copy-synthesis: tongue_height is 8, reference_tongue_height is 9",
    "loudness_errors: token t01, task copy-synthesis: loudness is 32, target_loudness is 31",
    "spectrogram_errors: token t01, task copy-synthesis: log_mel is 32 x 60, target_log_mel is 31 x 60",
    "semantic_rank_errors: token t04, task copy-synthesis: semantic_vector: frame 7 holds nan",
]


def test_what_the_mended_suite_refuses() -> None:
    with pytest.raises(scorespec.InputError) as caught:
        scored("articulation", "C_broken")
    assert sorted(str(caught.value).splitlines()) == sorted([
        *MISSING,
        *MISMATCHES,
        "ema_errors: token t05, task copy-synthesis: ema_TT: frame 3 holds nan",
        "semantic_distance_errors: token t04, task copy-synthesis: semantic_vector: frame 7 holds nan",
    ])  # fmt: skip


def test_only_what_is_asked_for_can_refuse() -> None:
    """Though the evidence stands on all."""
    with pytest.raises(scorespec.InputError) as caught:
        scored("articulation", "C_broken", ("spectrogram",))
    spectral = [line for line in MISMATCHES if line.startswith("spectrogram_errors")]
    assert sorted(str(caught.value).splitlines()) == sorted([*MISSING, *spectral])


def test_where_the_program_ends_in_an_error() -> None:
    with pytest.raises(scorespec.InputError) as caught:
        scored("articubench", "C_broken")
    assert sorted(str(caught.value).splitlines()) == sorted(MISMATCHES)


def test_where_the_program_has_a_number() -> None:
    run = scored("articubench", "C_broken", ("ema", "semantic_distance"))
    assert run.value("semantic_distance", "tokens", task="copy-synthesis") == 6
    assert run.warnings == [
        "13 of 40 rows are missing and left out: t06, t08, t09, t10, t11, t12, t13, t14, t15, t16, t17, t18, t19",
        f"note: ema: 1 of 40 rows {UNUSABLE}: t05",
        f"note: semantic_distance: 1 of 40 rows {UNUSABLE}: t04",
    ]
    errors = run.sql("SELECT token, subscore FROM evidence_tokens WHERE task = 'copy-synthesis' AND error IS NULL")
    assert {("t04", "semantic_distance"), ("t05", "ema")} <= {tuple(row.values()) for row in errors.to_pylist()}


def test_a_nan_raises_the_score_of_the_program() -> None:
    record = RECORDS["exploit/nan_drop"]
    rows = pq.read_table(DATA / "submission_B.parquet").to_pylist()
    for row in rows:
        if row["token"] in record["inputs"]["tokens"]:
            row["log_mel"][0][0] = float("nan")
    edited = pa.Table.from_pylist(rows, pq.read_schema(DATA / "submission_B.parquet"))
    run = score("articubench", submission=edited, **INPUTS)
    for name, value in record["values"]["after"].items():
        assert run.value(name, task="copy-synthesis") == near(value)
    assert any(f": {', '.join(sorted([*record['inputs']['tokens'], 't14']))}" in warning for warning in run.warnings)


FOUR = [[0.0], [1.0], [2.0], [3.0]]


def one_token(**changed: Any) -> dict[str, Any]:
    """A task of one token and its baseline; rows by table, a column of them changed by ``table__column``."""
    made = {"cps": FOUR, "tongue_height": [1.0], "semantic_vector": [0.0]}
    rows: dict[str, dict[str, Any]] = {
        "tokens": {"token": "t", "label": "w", "reference_tongue_height": [0.0], "target_semantic_vector": [1.0]},
        "labels": {"label": "w", "vector": [0.0]},
        "submission": {"token": "t", "task": "copy-synthesis", **made},
        "baseline": {"token": "t", **made},
    }
    for name, value in changed.items():
        table, _, column = name.partition("__")
        rows[table][column] = value
    return {name: pa.Table.from_pylist([row]) for name, row in rows.items()}


METRICS = ["tongue_height", "velocity_jerk", "semantic_distance", "semantic_rank"]


@pytest.mark.slow
@pytest.mark.parametrize("suite", first(["articulation", "articubench"]))
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"submission__token": "u"}, "<submission>:1: unknown token u: it is not one of the tokens"),
        ({"baseline__token": "u"}, "<baseline>:1: unknown token u: it is not one of the tokens"),
        ({"tokens__label": "v"}, "<tokens>:1: token t: its label v is not among the labels"),
        ({"submission__task": "baseline"}, "<submission>:1: token t: the task name 'baseline' is reserved"),
        ({"labels__vector": [float("nan")]}, "<labels>:1: the vector of w has a number that is not finite"),
        ({"submission__cps": FOUR[:3]}, "token t, task copy-synthesis: cps are 3 x 1: there must be 4 frames or more"),
        ({"submission__semantic_vector": [0.0, 0.0]}, "semantic_vector is 2, the vectors of the labels are 1"),
        ({"submission__cps": [[0.0], [float("nan")], [1.0]]},
         "token t, task copy-synthesis: cps are 3 x 1: there must be 4 frames"),
        ({"submission__cps": [*FOUR, [0.0, 0.0]]},
         "token t, task copy-synthesis: cps: frame 4 has 2 channels, frame 0 has 1"),
        ({"submission__tongue_height": [1.0, 1.0, 1.0], "tokens__reference_tongue_height": [1.0, 1.0]},
         "token t, task copy-synthesis: tongue_height is 3, reference_tongue_height is 2"),
        ({"submission__tongue_height": [1.0, float("nan"), 1.0], "tokens__reference_tongue_height": [1.0, 1.0]},
         "token t, task copy-synthesis: tongue_height is 3 (frame 1 holds nan), reference_tongue_height is 2"),
        ({"submission__rate": 44.1}, "<submission>:1: token t: rate is 44.1; it must be 1000 to 1000000 Hz"),
        ({"tokens__target_signal": [0.0], "tokens__target_rate": 0.0}, "target_signal, but its target_rate is 0.0; it"),
    ],
)  # fmt: skip
def test_what_both_suites_refuse(suite: str, changed: dict[str, Any], said: str) -> None:
    with pytest.raises(scorespec.InputError) as caught:
        score(suite, metrics=METRICS, inputs=one_token(**changed))
    assert said in str(caught.value)


def test_a_parameter_that_falls_by_1_has_no_logarithm() -> None:
    inputs = one_token(submission__cps=[[0.0], [-1.0], [-2.0], [-3.0]])
    said = "token t, task copy-synthesis: the quantiles -1.0 of velocity and 0.0 of jerk have no logarithm"
    with pytest.raises(scorespec.InputError, match=said):
        score("articulation", metrics=["velocity_jerk"], inputs=inputs, params={"quantile_of": "signed"})


NAN = float("nan")
REST = [[0.0, 0.0, 0.0]]


def sensors(suite: str, one: list[list[float]], reference: list[list[float]]) -> scorespec.Run:
    """The score of a token with this sensor TT, the other at rest."""
    rest = {"submission__ema_TB": REST * 3, "tokens__reference_ema_TB": REST * 3, "baseline__ema_TB": [[1.0] * 3] * 3}
    inputs = one_token(submission__ema_TT=one, tokens__reference_ema_TT=reference, baseline__ema_TT=reference, **rest)
    return score(suite, metrics=["ema"], inputs=inputs)


@pytest.mark.parametrize("suite", first(["articulation", "articubench"]))
@pytest.mark.parametrize(
    ("one", "said"),
    [
        (REST, "ema_TT is 1 x 3, reference_ema_TT is 3 x 3"),
        ([[NAN] * 3, *REST], "ema_TT is 2 x 3 (frame 0 holds nan), reference_ema_TT is 3 x 3"),
    ],
)
def test_what_cannot_be_resampled(suite: str, one: list[list[float]], said: str) -> None:
    with pytest.raises(scorespec.InputError) as caught:
        sensors(suite, one, REST * 3)
    assert str(caught.value) == f"ema_errors: token t, task copy-synthesis: {said}"


def test_a_nan_in_what_is_not_resampled() -> None:
    assert sensors("articubench", [[NAN] * 3, *REST * 4], REST * 3).value("ema", "tokens", task="copy-synthesis") == 0
    with pytest.raises(scorespec.InputError, match="token t, task copy-synthesis: ema_TT: frame 0 holds nan"):
        sensors("articulation", [[NAN] * 3, *REST * 4], REST * 3)


def test_a_single_frame_against_several() -> None:
    tables = one_token(tokens__reference_tongue_height=[0.0, 2.0], baseline__tongue_height=[4.0, 4.0])
    run = score("articubench", metrics=["tongue_height"], inputs=tables)
    assert run.value("tongue_height", "mean_error", task="copy-synthesis") == 1
    assert run.warnings == ["tongue_height: in 1 of 2 rows a single frame or channel is compared with several: t"]
    with pytest.raises(
        scorespec.InputError, match="task copy-synthesis: tongue_height is 1, reference_tongue_height is 2"
    ):
        score("articulation", metrics=["tongue_height"], inputs=tables)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"submission__tongue_height": [1e200]}, "tongue_height: the error is too large to be squared"),
        ({"submission__cps": [[1e308], [-1e308]] * 2}, "cps: the differences are too large"),
    ],
)
def test_numbers_that_are_too_large_are_not_dropped(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(scorespec.InputError, match=f"token t, task copy-synthesis: {said}"):
        score("articulation", metrics=METRICS, inputs=one_token(**changed))
    assert len(score("articubench", metrics=METRICS, inputs=one_token(**changed)).warnings) == 1


def test_sequences_without_frames() -> None:
    tables = one_token()
    empty = pa.array([[]], pa.list_(pa.float64()))
    for name, column in (("tokens", "reference_tongue_height"), ("submission", "tongue_height"),
                         ("baseline", "tongue_height")):  # fmt: skip
        tables[name] = tables[name].set_column(tables[name].column_names.index(column), column, empty)
    with pytest.raises(scorespec.InputError, match="token t, task copy-synthesis: tongue_height: there are no numbers"):
        score("articulation", metrics=["tongue_height"], inputs=tables)
    run = score("articubench", metrics=["tongue_height"], inputs=tables)
    assert run.value("tongue_height", "tokens", task="copy-synthesis") == 0
    assert len(run.warnings) == 1


def test_a_nan_in_a_signal_is_told_with_its_frame() -> None:
    sound = [0.1, -0.1] * 1000
    signals = {"tokens__target_signal": sound, "tokens__target_rate": 44100.0, "baseline__signal": sound}
    tables = one_token(**signals, submission__signal=[*sound[:1500], NAN, *sound[1501:]])
    with pytest.raises(scorespec.InputError, match="token t, task copy-synthesis: log_mel: frame 5 holds nan"):
        score("articulation", metrics=["spectrogram"], inputs=tables)


@pytest.mark.parametrize(
    ("name", "value"),
    [("quantile", 1.5), ("movement_constant", 0), ("rank_span", -1), ("baseline_tongue_height", -1)],
)
def test_values_that_a_parameter_cannot_have(name: str, value: float) -> None:
    with pytest.raises(scorespec.UsageError, match=f"parameter '{name}' is {value}"):
        score("articulation", metrics=METRICS, params={name: value}, inputs=one_token())


@pytest.mark.parametrize("name", first(["rate", "window", "hop", "bands", "full_scale", "floor"], 3))
def test_spectrograms_that_cannot_be(name: str) -> None:
    with pytest.raises(scorespec.UsageError, match=f"parameter 'mel_{name}' is 0"):
        score("articulation", metrics=["spectrogram"], params={f"mel_{name}": 0}, inputs=one_token())


def test_rows_that_are_there_twice() -> None:
    tables = one_token()
    for name in ("tokens", "submission", "baseline"):
        twice = {**tables, name: pa.concat_tables([tables[name]] * 2)}
        with pytest.raises(scorespec.InputError, match=f"<{name}>:2: repeats an earlier line: .*token t"):
            score("articubench", metrics=METRICS, inputs=twice)
    labels = {**tables, "labels": pa.table({"label": ["w", "w"], "vector": [[0.0], [9.0]]})}
    run = score("articubench", metrics=METRICS, inputs=labels)
    assert run.value("semantic_rank", task="copy-synthesis") == 100
    assert run.warnings == ["the labels of 2 of 2 rows occur more than once, and the first occurrence counts: t"]
    with pytest.raises(scorespec.InputError, match="<labels>:2: repeats an earlier line: label w"):
        score("articulation", metrics=METRICS, inputs=labels)


def test_a_token_that_the_baseline_lacks() -> None:
    tables = one_token()
    tables["tokens"] = pa.Table.from_pylist([{**tables["tokens"].to_pylist()[0], "token": name} for name in "tu"])
    tables["submission"] = pa.Table.from_pylist(
        [{**tables["submission"].to_pylist()[0], "token": name} for name in "tu"]
    )
    with pytest.raises(scorespec.InputError) as caught:
        score("articulation", metrics=METRICS, inputs=tables)
    assert str(caught.value) == f"expected_rows: token u, task baseline: {NO_ROW}"
    run = score("articubench", metrics=METRICS, inputs=tables)
    assert run.warnings == ["1 of 4 rows are missing and left out: u"]
    assert run.value("tongue_height", "tokens", task="copy-synthesis") == 2


def test_without_a_baseline() -> None:
    tables = {name: rows for name, rows in one_token().items() if name != "baseline"}
    with pytest.raises(scorespec.InputError) as caught:
        score("articulation", metrics=METRICS, inputs=tables)
    assert str(caught.value).splitlines() == [
        f"{name}_errors: there is no baseline: give the input baseline, or the parameter baseline_{name}"
        for name in ("tongue_height", "semantic_distance")
    ]
    params = {"baseline_tongue_height": 4, "baseline_semantic_distance": 2}
    run = score("articulation", metrics=METRICS, inputs=tables, params=params)
    assert [run.value(name, task="copy-synthesis") for name in ("tongue_height", "semantic_distance")] == [75, 50]


@pytest.mark.parametrize(
    ("suite", "note", "of_all"),
    [("articulation", "undefined: baseline_sum = 0", "undefined"), ("articubench", "minus infinite", "minus infinite")],
)
def test_a_baseline_without_error(suite: str, note: str, of_all: str) -> None:
    asked = ["tongue_height", "total"]
    params = {f"baseline_{name}": 1 for name in ("ema", "loudness", "spectrogram")}
    run = score(suite, metrics=asked, params=params, inputs=one_token(baseline__tongue_height=[0.0]))
    notes = {
        row["metric"]: row["note"]
        for row in run.table()
        if row["component"] == "value" and row["slice"]["task"] == "copy-synthesis"
    }
    assert notes["tongue_height"] == note
    assert notes["total"].startswith(of_all)


def test_a_baseline_without_error_has_no_worst_trajectories() -> None:
    """If each baseline has an error, tests/cli/test_report.py has the trajectories."""

    def kept(baseline: float) -> int:
        given = one_token(baseline__tongue_height=[baseline])
        run = scorespec.score("articubench", metrics=["tongue_height"], inputs=given)
        return run.sql("FROM evidence_trajectories").num_rows

    assert (kept(1), kept(0)) == (2, 0)


# -- the parts ---------------------------------------------------------------------------------------


def test_interpolation() -> None:
    aligned = RECORDS["align_ema/9x3_vs_6x3"]
    found = pchip(np.array(aligned["inputs"]["reference"]), 9)
    assert found == pytest.approx(np.array(aligned["values"]["reference_resampled"]), abs=1e-14)
    line = RECORDS["interpolate/2x2_to_5"]
    assert pchip(np.array(line["inputs"]["array"]), line["inputs"]["length"]).tolist() == line["values"]["value"]


def moving(cps: Any) -> scorespec.Run:
    """A task of one token that moves so."""
    tables = {
        "tokens": pa.table({"token": ["t"], "label": ["w"]}),
        "labels": pa.table({"label": ["w"], "vector": [[0.0]]}),
        "submission": pa.table({"token": ["t"], "task": ["copy-synthesis"], "cps": [cps]}),
    }
    return scorespec.score("articubench", metrics=["velocity_jerk", "total"], inputs=tables, keep_evidence=False,
                           params={f"baseline_{name}": 1 for name in ("tongue_height", "ema", "loudness", "spectrogram",
                                                                      "semantic_distance")})  # fmt: skip


@pytest.mark.parametrize("case", first([name for name in RECORDS if name.startswith("vel_jerk/ramp")], 2))
def test_the_movement_of_ramps(case: str) -> None:
    record = RECORDS[case]
    frames, parameters = record["inputs"]["shape"]
    ramp = (np.arange(frames)[:, None] * np.full(parameters, record["inputs"]["slope_per_frame"])).tolist()
    run = moving(ramp)
    assert run.value("velocity_jerk", task="copy-synthesis") == near(record["values"]["score"])
    if record["values"]["score"] is None:
        assert run.warnings[0].startswith("velocity_jerk: 1 of 1 rows")


def test_the_movement_of_few_frames() -> None:
    record = RECORDS["vel_jerk/6x30"]
    assert moving(record["inputs"]["cps"]).value("velocity_jerk", task="copy-synthesis") == near(
        record["values"]["score"]
    )


def test_ranks_among_ties() -> None:
    record = RECORDS["sem_rank/ties"]
    names = list(record["inputs"]["labels"])
    tables = {
        "tokens": pa.table({"token": names, "label": names}),
        "labels": pa.table({"label": names, "vector": record["inputs"]["table"]}),
        "submission": pa.table({
            "token": names,
            "task": ["copy-synthesis"] * 6,
            "semantic_vector": [list(map(float, record["inputs"]["query"]))] * 6,
        }),
    }  # fmt: skip
    run = scorespec.score("articubench", metrics=["semantic_rank"], inputs=tables)
    rows = run.sql("SELECT token, error + 1 AS rank FROM evidence_tokens WHERE subscore = 'semantic_rank'").to_pylist()
    assert {row["token"]: row["rank"] for row in rows} == record["values"]


MEL = MelSettings(44100.0, 1024, 220, 60, 10.0, 12000.0, 0.15, 1e-5, 80.0)


def signal(name: str) -> Any:
    if name == "click":
        click = np.zeros(4410)
        click[2205] = 0.5
        return click
    return {
        "zeros5000": np.zeros(5000),
        "sine440_amp0.1_1s": 0.1 * np.sin(2 * np.pi * 440 * np.arange(44100) / 44100),
        "noise_seed0_sd0.05_22001": np.random.default_rng(0).normal(0, 0.05, 22001),
        "sine440_48k_0.1": 0.1 * np.sin(2 * np.pi * 440 * np.arange(4800) / 48000),
    }[name]


@pytest.mark.parametrize("case", first([name for name in RECORDS if name.startswith("melspec/")], 2))
def test_spectrograms_of_signals(case: str) -> None:
    record = RECORDS[case]
    expected = record["values"]
    found = spectrogram_of(signal(record["inputs"]["signal"]), record["inputs"]["sr"], MEL)
    assert list(found.shape) == expected["shape"]
    assert found.mean() == near(expected["norm_mean"])
    assert found.mean(axis=1)[:5].tolist() == [near(each) for each in expected["loudness_first5"]]
    middle = found[len(found) // 2][: len(expected["row_mid"])]
    assert middle.tolist() == [near(each) for each in expected["row_mid"]]


def test_a_rate_that_is_the_same_changes_nothing() -> None:
    tone = signal("sine440_48k_0.1")
    assert resample(tone, 48000, 48000) is tone
    assert len(resample(tone, 48000, 44100)) == 4410
    with pytest.raises(ValueError, match="above 0"):
        resample(tone, 0, 44100)
