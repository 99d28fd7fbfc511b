"""zerospeech2015 against the enumerating oracle, on small corpora made to be awkward."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import scorespec
from oracles import zerospeech2015 as exact
from oracles.exact_corpora import Task, make_task

# Sizes that only the oracle tells.
NO_SIZES = {"phones", "words", "utterances", "f_all", "star_pairs", "star_all_pairs", "cover_disc_us", "cover_all_us"}
SEEDS = 25  # more were tried; a run of the suite takes most of a second

TIMED = {"file": pa.string(), "onset": pa.float64(), "offset": pa.float64()}
COLUMNS = {
    "phones": {**TIMED, "label": pa.string()},
    "words": {**TIMED, "label": pa.string()},
    "fragments": {"cluster": pa.string(), **TIMED},
    "utterances": TIMED,
    "folds": {"fold": pa.int64(), **TIMED},
    "talkers": {"file": pa.string(), "talker": pa.string()},
}
Row = tuple[float | None, float | None, int | None]  # value, std, folds
Scores = dict[tuple[str, str, str], Row]  # by talkers, metric and component


def arrow(name: str, rows: Any) -> pa.Table:
    if name == "folds":
        rows = [(number, *row) for number, fold in enumerate(rows) for row in fold]
    types = COLUMNS[name]
    return pa.Table.from_pylist([dict(zip(types, row, strict=True)) for row in rows], pa.schema(list(types.items())))


def suite_scores(task: Task) -> Scores:
    rows = {"phones": task.phones, "words": task.words, "fragments": task.fragments, **task.inputs}
    run = scorespec.score(
        "zerospeech2015",
        inputs={name: arrow(name, each) for name, each in rows.items()},
        params=task.params,
        threads=1,
        keep_evidence=False,
    )
    return {
        (row["slice"]["talkers"], row["metric"], row["component"]): (row["value"], row["std"], row["folds"])
        for row in run.table()
    }


def oracle_scores(task: Task) -> Scores:
    reports = exact.score(task.phones, task.words, task.fragments, **task.inputs, **task.params)
    scores = {
        (talkers, *key): tuple(report.scores[key]) for talkers, report in reports.items() for key in report.scores
    }
    for talkers, report in reports.items():
        for name in report.sizes[0].keys() - NO_SIZES if report.sizes else ():
            values = [sizes[name] for sizes in report.sizes]
            folds = scores[talkers, "ned", "pairs"][2]
            std = float(np.std(values)) if folds is not None else None
            scores[talkers, "sizes", name] = float(np.mean(values)), std, folds
    return scores


@pytest.mark.parametrize("seed", range(SEEDS))
def test_scores_are_those_of_the_oracle(seed: int) -> None:
    task = make_task(seed)
    got, expected = suite_scores(task), oracle_scores(task)
    assert got.keys() == expected.keys()
    wrong = {key: (got[key], want) for key, want in expected.items() if not is_near(got[key], want)}
    assert not wrong, task


def is_near(got: Row, want: Row) -> bool:
    """Undefined where it is undefined, and to 1e-12 otherwise."""
    return all(
        (a is None) == (b is None) and (a is None or abs(a - b) <= 1e-12) for a, b in zip(got, want, strict=True)
    )
