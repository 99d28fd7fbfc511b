"""Parameters at their limits, and numbers of inputs as large as they can be: a score, or a message about the number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from examples import CATALOG, SUITES, inputs_of, suite_of
from marks import first, only, some
from scorespec.catalog.model import Parameter
from scorespec.errors import InputError, ScorespecError, UsageError
from scorespec.plan.parameters import read_value
from scorespec.plan.scored_suites import Request, ScoredSuite


def numbers_of(name: str) -> dict[str, Parameter]:
    """The parameters of a suite that are numbers."""
    suite = suite_of(name)
    declared = ScoredSuite(CATALOG.of_suite(suite), suite, Request({})).declared
    return {key: each for key, each in declared.items() if each.type in ("DOUBLE", "BIGINT")}


def edges(parameter: Parameter) -> Iterator[float | int]:
    """The least and the largest values that a parameter lets through."""
    kind = int if parameter.type == "BIGINT" else float
    unlimited = 2**63 - 1 if kind is int else 1.7e308
    least, most = parameter.at_least, parameter.at_most
    if least is None:
        least = -unlimited if parameter.above is None else parameter.above + (1e-300 if parameter.above == 0 else 1)
    if most is None:
        most = unlimited if parameter.below is None else parameter.below - 1e-16
    yield kind(least)
    yield kind(most)


@pytest.mark.parametrize("suite", SUITES)
def test_numbers_have_limits(suite: str) -> None:
    for parameter in some(numbers_of(suite).values()):
        for written in (1e300, "-1e300", 2**200, f"-{'9' * 99}"):
            if parameter.infinite:
                continue
            with pytest.raises(UsageError, match=f"^parameter '{parameter.name}' is .*; it must be "):
                read_value(parameter, written)


# Those that other parameters or inputs limit, too; the rest are set all at once.
ALONE = ("mel_low", "mel_high", "mel_full_scale", "mel_floor", "n_tps", "c_miss", "c_fa", "p_target", "prior_decimals")
ENDS = ("least", "most")


def score(suite: str, params: dict[str, Any]) -> None:
    scorespec.score(suite, inputs=inputs_of(suite), params=params, keep_evidence=False, threads=1)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(
    "suite",
    only(
        ["quesst2015", "wer"],
        (each for each in SUITES if each not in ("sws2012", "sws2013", "muc_ne", "articubench")),
    ),
)
def test_numbers_at_their_limits(suite: str, end: str) -> None:
    numbers = {name: each for name, each in numbers_of(suite).items() if name not in ALONE}
    score(suite, {name: tuple(edges(each))[ENDS.index(end)] for name, each in numbers.items()})


NO_PRIOR = (
    "operating_point: the effective prior by c_miss, c_fa, p_target and prior_decimals must be above 0 and below 1; "
    "change them"
)
REFUSED = {
    ("mel_low", "most"): "mel_low is 1e+06; it must be below mel_high, which is 12000",
    ("mel_high", "least"): "mel_low is 10; it must be below mel_high, which is 1e-300",
    ("mel_full_scale", "least"): "mel_floor is 1e-05; it must be below mel_full_scale, which is 1e-30",
    ("mel_floor", "most"): "mel_floor is 1e+30; it must be below mel_full_scale, which is 0.15",
    ("c_miss", "least"): NO_PRIOR,
    ("c_fa", "least"): NO_PRIOR,
    ("c_fa", "most"): NO_PRIOR,
    ("p_target", "least"): NO_PRIOR,
    ("p_target", "most"): NO_PRIOR,
    ("prior_decimals", "least"): NO_PRIOR,
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("name", first(ALONE, 1))
def test_a_number_at_its_limit(name: str, end: str) -> None:
    suite = next(each for each in ("quesst2015", "std2006", "articulation") if name in numbers_of(each))
    params = {name: tuple(edges(numbers_of(suite)[name]))[ENDS.index(end)]}
    if (name, end) not in REFUSED:
        score(suite, params)
        return
    with pytest.raises(ScorespecError) as caught:
        score(suite, params)
    assert isinstance(caught.value, UsageError if name.startswith("mel_") else InputError)
    assert str(caught.value) == REFUSED[name, end]


# -- inputs ----------------------------------------------------------------------------------------

COLUMNS = [
    (suite, name, field.name)
    for suite in ("openkws13", "quesst2015", "resources", "zerospeech2017")
    for name, table in inputs_of(suite).items()
    for field in table.schema
    if pa.types.is_floating(field.type)
]


# Scores may have any size. quesst2015 does not use the times of detections.
SCORED = {("openkws13", "score"), ("quesst2015", "score"), ("quesst2015", "tbeg")}
TIMES_REFUSED = r"(tbeg|dur) -?1\.7e\+308 is (not a time in seconds|negative|not above 0)"
HOURS_REFUSED = (
    "give cpu_hours, or wall_hours with cores, and not both|cpu_hours or wall_hours is (negative|more than 1e9 hours)"
)
ORDER_REFUSED = (
    r"offset \S+ is not after onset \S+|onset \S+ and offset \S+ must be times of a recording, 0 to 10000000 s"
)
SAID = {
    "tbeg": TIMES_REFUSED,
    "dur": TIMES_REFUSED,
    "min_score": r"score 0\.\d is below min_score 1\.7e\+308",
    "max_score": r"score 0\.\d is above max_score -1\.7e\+308",
    "cpu_hours": HOURS_REFUSED,
    "wall_hours": HOURS_REFUSED,
    "peak_gb": r"peak_gb -?1\.7e\+308 is (negative|more than 1e9)",
    "onset": rf"{ORDER_REFUSED}|phone \S+ \(\S+ to \S+\) is enclosed by another phone of \S+, or encloses one",
    "offset": ORDER_REFUSED,
}


@pytest.mark.parametrize(("suite", "name", "column"), first(COLUMNS, 5))
def test_a_column_of_the_largest_numbers(suite: str, name: str, column: str) -> None:
    table = inputs_of(suite)[name]
    values = [None if value is None else (1.7e308, -1.7e308)[at % 2] for at, value in enumerate(table[column])]
    changed = table.set_column(table.column_names.index(column), column, pa.array(values, pa.float64()))
    inputs = {**inputs_of(suite), name: changed}
    if name == "detections" and (suite, column) in SCORED:
        scorespec.score(suite, inputs=inputs, keep_evidence=False, threads=1)
        return
    with pytest.raises(InputError) as caught:
        scorespec.score(suite, inputs=inputs, keep_evidence=False, threads=1)
    for line in str(caught.value).splitlines():
        place, _, said = line.partition(": ")
        more = re.fullmatch(r"and \d+ more problems", said)
        assert more or re.fullmatch(rf"<{name}>:\d+", place)
        assert more or re.fullmatch(SAID[column], said), said


@pytest.mark.parametrize("suite", first(["std2006", "openkws13"]))
def test_gains_of_scores_that_cannot_be_subtracted(suite: str) -> None:
    """Detections and occurrences that could all be aligned to each other: the larger scores are."""

    def run(scores: list[float]) -> Any:
        rows = [("A", "d", "1", 10 + 0.05 * at, 1.0, score, "YES") for at, score in enumerate(scores)]
        names = ("query", "doc", "channel", "tbeg", "dur", "score", "decision")
        detections = pa.table([pa.array(each) for each in zip(*rows, strict=True)], names=names)
        spoken = pa.table({"query": ["A"] * 2, "doc": ["d", "d"], "channel": ["1", "1"], "tbeg": [10.0, 10.1]})
        inputs = {
            "queries": pa.table({"query": ["A"], "text": ["a"]}),
            "audio": pa.table({"doc": ["d"], "channel": ["1"], "tbeg": [0.0], "dur": [100.0]}),
            "occurrences": spoken.append_column("dur", pa.array([1.0, 1.0])),
            "detections": detections,
        }
        return (
            scorespec.score(suite, inputs=inputs, metrics=["counts"], threads=1)
            .sql("SELECT * EXCLUDE (run, score) FROM evidence_alignment ORDER BY ALL")
            .to_pylist()
        )

    largest, usual = run([1.7e308, -1.7e308, 0.0, 1e308]), run([1.7, -1.7, 0.0, 1.0])
    assert largest == usual
    assert usual
