"""zerospeech2015 against the enumerating oracle, on small corpora made to be awkward."""

from __future__ import annotations

from itertools import count, cycle, islice
from random import Random
from typing import Any

import numpy as np
import pytest

import scorespec
from marks import first, slow
from oracles import zerospeech2015 as exact
from oracles.exact_corpora import PARAMETERS, SPEAKER_PATTERN, Task, make_task
from oracles.joint_corpora import JointCorpus, Rows, numbered, table, whole

# Sizes that only the oracle tells.
NO_SIZES = {"phones", "words", "utterances", "f_all", "star_pairs", "star_all_pairs", "cover_disc_us", "cover_all_us"}
SEEDS = 6  # each a run of most of a second; more were tried
CHOICES = 5  # of parameters, as many as the one with the most values needs
TOGETHER = 12  # corpora that are scored in one run

Row = tuple[float | None, float | None, int | None]  # value, std, folds
Scores = dict[tuple[str, str, str], Row]  # by speakers, metric and component


def suite_scores(task: Task) -> Scores:
    rows = {"phones": task.phones, "words": task.words, "fragments": task.fragments, **task.inputs}
    if "folds" in rows:
        rows["folds"] = numbered(rows["folds"])
    run = scorespec.score(
        "zerospeech2015",
        inputs={name: table(name, each) for name, each in rows.items()},
        params=task.params,
        threads=1,
        keep_evidence=False,
    )
    return {
        (row["slice"]["speakers"], row["metric"], row["component"]): (row["value"], row["std"], row["folds"])
        for row in run.table()
    }


def oracle_scores(task: Task) -> Scores:
    reports = exact.score(task.phones, task.words, task.fragments, **task.inputs, **task.params)
    scores = {
        (speakers, *key): tuple(report.scores[key]) for speakers, report in reports.items() for key in report.scores
    }
    for speakers, report in reports.items():
        for name in report.sizes[0].keys() - NO_SIZES if report.sizes else ():
            values = [sizes[name] for sizes in report.sizes]
            folds = scores[speakers, "ned", "pairs"][2]
            std = float(np.std(values)) if folds is not None else None
            scores[speakers, "sizes", name] = float(np.mean(values)), std, folds
    return scores


@pytest.mark.parametrize("seed", first(range(SEEDS)))
def test_scores_are_those_of_the_oracle(seed: int) -> None:
    task = make_task(seed)
    got, expected = suite_scores(task), oracle_scores(task)
    assert got.keys() == expected.keys()
    wrong = {key: (got[key], want) for key, want in expected.items() if not is_near(got[key], want)}
    assert not wrong, task


def choices(chance: Random) -> list[dict[str, Any]]:
    """Choices of parameters: in some choice a parameter has each of its values, and in some its default.

    Whether utterances and speakers are given, and how, is chosen, too.
    """
    chosen: list[dict[str, Any]] = [{} for _ in range(CHOICES)]
    given = {"utterances": (True, False), "speakers": ("pattern", "table", "unknown")}
    for name, values in {**PARAMETERS, **given}.items():
        states = [value for at, value in enumerate(values) if value not in values[:at]]
        left_out = [None] if name in PARAMETERS else []
        drawn = [*islice(cycle([*states, *left_out]), CHOICES)]
        for choice, value in zip(chosen, chance.sample(drawn, CHOICES), strict=True):
            if value is not None:
                choice[name] = value
    return chosen


def tasks_with(utterances: bool, speakers: str, seed: int) -> list[Task]:
    """Tasks that have utterances or not, and speakers in one way."""

    def fits(task: Task) -> bool:
        of_speakers = (
            "table" if "speakers" in task.inputs else "pattern" if "speaker_pattern" in task.params else "unknown"
        )
        return ("utterances" in task.inputs, of_speakers) == (utterances, speakers)

    return [*islice(filter(fits, map(make_task, count(1000 * seed))), TOGETHER)]


@slow
@pytest.mark.parametrize("number", first(range(CHOICES)))
def test_each_fold_of_many_corpora_has_the_scores_of_the_oracle(number: int) -> None:
    assert_joint_scores(choices(Random(2015))[number], number + 1)


def assert_joint_scores(choice: dict[str, Any], seed: int) -> None:
    """Corpora that are scored in one run have the scores of the oracle. Each is one fold, or has its given folds."""
    params = {name: value for name, value in choice.items() if name not in ("utterances", "speakers")}
    params |= {"speaker_pattern": SPEAKER_PATTERN} if choice["speakers"] == "pattern" else {}
    joint = JointCorpus()
    expected: dict[int, Scores] = {}
    for task in tasks_with(choice["utterances"], choice["speakers"], seed):
        inputs = {"phones": task.phones, "words": task.words, "fragments": task.fragments, **task.inputs}
        folds: list[Rows] = inputs.pop("folds", None) or [whole_of(task)]
        for number, fold in zip(joint.add(inputs, {"folds": folds})["folds"], folds, strict=True):
            expected[number] = oracle_scores(task._replace(inputs={**task.inputs, "folds": [fold]}, params=params))
    options: dict[str, Any] = {"folds": True, "threads": 1, "keep_evidence": False}
    run = scorespec.score("zerospeech2015", inputs=joint.inputs(), params=params, **options)
    got = {
        (row["slice"]["fold"], row["slice"]["speakers"], row["metric"], row["component"]): row["value"]
        for row in run.table()
        if "fold" in row["slice"]
    }
    wrong = {}
    for number, scores in expected.items():
        for key, (want, _, _) in scores.items():
            found = got[number, *key] or 0 if key[1] == "sizes" else got[number, *key]
            if not is_near((found, None, None), (want, None, None)):
                wrong[number, *key] = (found, want)
    assert not wrong


def whole_of(task: Task) -> Rows:
    return whole(task.phones, task.words, (row[1:] for row in task.fragments))


def is_near(got: Row, want: Row) -> bool:
    """Undefined where it is undefined, and to 1e-12 otherwise."""
    return all(
        (a is None) == (b is None) and (a is None or abs(a - b) <= 1e-12) for a, b in zip(got, want, strict=True)
    )
