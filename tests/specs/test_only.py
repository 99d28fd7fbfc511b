"""`only`: a metric over a part of the data is the metric of files that have only this part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import random_corpora as corpora
import scorespec
from examples import CATALOG, SUITES, suite_of
from marks import first, only
from random_corpora import Task, without
from scorespec.catalog.lookup import Namespace, load_catalog
from scorespec.plan.needs import needs_of
from scorespec.plan.request import split_suite

DISCOVERY = without(corpora.term_discovery(1), "speakers")
ENTITIES = without(corpora.named_entities(1), "times", "glm")
LISTS = {"lists": pa.table({"list": ["words", "words"], "phrase": ["to", "too two"]})}
DETECTION = without(corpora.term_detection(1), "speech")
DIARIZATION = corpora.diarization(1)
DROP, ANY_TASK = {"outside_audio": "drop"}, {"task_names": ["*"]}
TASKS = {
    "articubench": Task("articubench", corpora.articulation(1), ANY_TASK),
    "articulation": Task("articulation", corpora.articulation(1), ANY_TASK),
    "cer": Task("cer", ENTITIES),
    "der_dscore": Task("der_dscore", DIARIZATION),
    "der_mdeval": Task("der_mdeval", corpora.in_channels(DIARIZATION)),
    "der_pyannote": Task("der_pyannote", DIARIZATION),
    "formatting": Task("formatting", ENTITIES),
    "meeting": Task("meeting", corpora.meetings(1)),
    "mixed": Task("mixed", ENTITIES),
    "muc_ne": Task("muc_ne", ENTITIES),
    "multi_reference": Task("multi_reference", ENTITIES),
    "openkws13": Task("openkws13", DETECTION),
    "quesst2015": Task("quesst2015", corpora.documents_with_terms(1), {"default_score": -1}),
    "speech_ne": Task("speech_ne", ENTITIES),
    "std2006": Task("std2006", DETECTION),
    "sws2012": Task("sws2012", DETECTION, DROP),
    "sws2013": Task("sws2013", DETECTION, DROP),
    "tde2015": Task("tde2015", corpora.with_folds(DISCOVERY, 1)),
    "verification": Task("verification", corpora.verification(1)),
    "wer": Task("wer", ENTITIES),
    "wordlists": Task("wordlists", ENTITIES | LISTS),
    "zerospeech2015": Task("zerospeech2015", DISCOVERY, {"n_folds": 0}),
    "zerospeech2017": Task("zerospeech2017", DISCOVERY),
}
UNSCORED = {  # metrics of a domain that a suite cannot score
    "quesst2015": {"supremum_twv"},
    "tde2015": {"recording_statistics", "speaker_statistics", "phone_statistics", "word_statistics"},
}
COLUMNS = ("doc", "document", "file", "model", "token")  # a part is a range of values of one of these
QUICK = ("cer", "verification")  # they count, align, sweep and fit
OPTIONS: dict[str, Any] = {"confidence": 90, "confidence_groups": 6, "keep_evidence": False}
Scores = Mapping[tuple[str, str, str], tuple[Any, ...]]


def calls_of(suite: str, column: str = "line") -> list[str]:
    """The metrics of a suite, and all others of its domain, that read an input with a column."""
    of, names = suite_of(suite), CATALOG.of_suite(suite_of(suite))
    needs = needs_of(names)
    own = [text for text in of.metrics if not split_suite(text)[0]]
    others = {*names.names("metrics")} - {text.partition("(")[0] for text in own} - UNSCORED.get(suite, set())
    read = {text: needs.upstream(needs.relations_of(needs.call(text).metric)) for text in (*own, *sorted(others))}
    given = {name: {*rows.column_names, "line"} for name, rows in TASKS[suite].inputs.items()}
    return [text for text, behind in read.items() if any(column in given.get(each.name, ()) for each in behind)]


def variants(folder: Path, suite: str, calls: Sequence[str], key: str, value: str) -> Path:
    """A document with a variant of each metric."""
    names = sorted({text.partition("(")[0] for text in calls})
    written = "".join(f"  my_{name}: {{extends: {name}, about: Mine., {key}: {value!r}}}\n" for name in names)
    path = folder / "variants.yaml"
    path.write_text(f"domain: {suite_of(suite).domain}\nsuite: {suite}\nmetrics:\n{written}")
    return path


def score(suite: str, inputs: Mapping[str, pa.Table], metrics: Sequence[str], **options: Any) -> Scores:
    """The scores by metric, component and slice: value, interval and note."""
    run = scorespec.score(suite, inputs=inputs, metrics=metrics, params=dict(TASKS[suite].params), **options)
    names = ("value", "low", "high", "note")
    return {
        (row["metric"].removeprefix("my_"), row["component"], str(row["slice"])): tuple(map(row.get, names))
        for row in run.scores.to_pylist()
    }


def part_of(rows: pa.Table, column: str, last: str) -> pa.Table:
    return rows.filter(pc.less_equal(rows[column], last)) if column in rows.column_names else rows


REFUSED = "`where` changes the rows that are counted"


def fault_of(names: Namespace, metric: str) -> str:
    try:
        names.metric(metric)
    except scorespec.SpecError as error:
        return str(error)
    return ""


def test_every_suite_that_has_recordings_is_tried() -> None:
    assert {*SUITES} - {*TASKS} == {"resources"}  # costs of phases: they have nothing to divide by


@pytest.mark.parametrize("suite", only(QUICK, TASKS))
def test_a_part_is_scored_as_files_with_only_this_part(suite: str, tmp_path: Path) -> None:
    inputs = TASKS[suite].inputs
    column = next(name for name in COLUMNS if any(name in rows.column_names for rows in inputs.values()))
    calls = calls_of(suite, column)
    found = {value for rows in inputs.values() if column in rows.column_names for value in rows[column].to_pylist()}
    values = sorted(found)
    last = values[len(values) * 2 // 3]
    path = variants(tmp_path, suite, calls, "only", f"{column} <= '{last}'")
    mine = score(suite, inputs, [f"my_{each}" for each in calls], specs=[path], **OPTIONS)
    part = {name: part_of(rows, column, last) for name, rows in inputs.items()}
    assert mine == score(suite, part, calls, **OPTIONS)
    assert mine != score(suite, inputs, calls, **OPTIONS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("suite", "column", "by"), first([("verification", "model", "segment"), ("sws2013", "doc", "query")])
)
def test_a_part_is_broken_down_as_files_with_only_this_part(suite: str, column: str, by: str, tmp_path: Path) -> None:
    inputs, calls = TASKS[suite].inputs, list(suite_of(suite).metrics)
    values = sorted(
        {each for rows in inputs.values() if column in rows.column_names for each in rows[column].to_pylist()}
    )
    last = values[len(values) // 2]
    path = variants(tmp_path, suite, calls, "only", f"{column} <= '{last}'")
    mine = score(suite, inputs, [f"my_{each}" for each in calls], specs=[path], by=[by])
    part = {name: part_of(rows, column, last) for name, rows in inputs.items()}
    assert mine == score(suite, part, calls, by=[by])


@pytest.mark.slow
@pytest.mark.parametrize("suite", only(QUICK, TASKS))
def test_a_condition_without_rows_gives_undefined_scores_with_a_note(suite: str, tmp_path: Path) -> None:
    calls = calls_of(suite)
    path = variants(tmp_path, suite, calls, "only", "false")
    for options in ({}, OPTIONS):
        found = score(suite, TASKS[suite].inputs, [f"my_{each}" for each in calls], specs=[path], **options)
        assert {key: each for key, each in found.items() if each[0] is not None} == {}
        assert all("meet `only`" in note for *_, note in found.values())


@pytest.mark.slow
@pytest.mark.parametrize("suite", only(QUICK, TASKS))
def test_a_condition_that_always_holds_is_refused_or_changes_nothing(suite: str, tmp_path: Path) -> None:
    names = CATALOG.of_suite(suite_of(suite))
    metrics = {text: names.metric(text.partition("(")[0]) for text in calls_of(suite)}
    free = [
        text
        for text, metric in metrics.items()
        if "where" in names.kinds[metric.kind].schema["properties"] and "where" not in metric.body
    ]
    path = variants(tmp_path, suite, free, "where", "true")
    mine = load_catalog(path).of_suite(suite_of(suite))
    refused = {text for text in free if (said := fault_of(mine, f"my_{text.partition('(')[0]}")) and REFUSED in said}
    accepted = [text for text in free if text not in refused]
    if accepted:
        inputs, options = TASKS[suite].inputs, {**OPTIONS, "specs": [path]}
        assert score(suite, inputs, [f"my_{each}" for each in accepted], **options) == score(
            suite, inputs, accepted, **options
        )
