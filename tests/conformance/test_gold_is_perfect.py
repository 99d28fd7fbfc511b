"""The gold scored against itself is perfect, whatever the value of one parameter; otherwise the run says why not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import isclose
from pathlib import Path
from typing import Any

import pytest

import scorespec
from examples import CATALOG, SUITES, inputs_of, suite_of
from marks import only
from scorespec.app import score as app_score
from scorespec.catalog.model import Parameter
from scorespec.errors import ScorespecError
from scorespec.plan.compile import compile_suite
from scorespec.plan.request import Request
from scorespec.plan.scored_suites import ScoredSuite

TRN = "The cat's well-known hat uh (s-1)\n看中 new york (s-2)\nnew york CITY, U.S. (s-3)\n"
STM = "m 1 ann 0 2 new york\nm 1 bob 1 3 the cat's hat\nm 1 ann 4 6 new york city\n"
SGML = """<DOC>
<DOCNO> d </DOCNO>
<Segment ID="s1">the <ENAMEX TYPE="ORGANIZATION">Giants</ENAMEX> won on <TIMEX TYPE="DATE">May 2</TIMEX></Segment>
<Segment ID="s2">in <ENAMEX TYPE="LOCATION">New York</ENAMEX> for <NUMEX TYPE="MONEY">ten euros</NUMEX></Segment>
</DOC>
"""
TEXTS = {
    "wer": TRN,
    "cer": TRN,
    "mixed": TRN,
    "formatting": TRN,
    "meeting": STM,
    "speech_ne": SGML,
    "muc_ne": SGML,
    "wordlists": TRN,
}
SUFFIXES = {TRN: ".trn", STM: ".stm", SGML: ".sgml"}
IMPERFECT = {  # parameters with values under which the gold is not perfect, and the run does not say so
    "score_scale": "a calibration moves the scores of the gold, too",
    "score_offset": "a calibration moves the scores of the gold, too",
    "zerospeech2015.self_pairs": "the pair of a fragment with itself is found with kept, and is never gold",
    "zerospeech2015.pause": "a long pause joins all phone boundaries of a recording",
    "zerospeech2015.boundary_tolerance": "a boundary must be less than the tolerance away, so with 0 none counts",
    "speech_ne.normalize": "entities whose words the normaliser changes have no partner: a fault",
    "muc_ne.normalize": "entities whose words the normaliser changes have no partner: a fault",
}
WITHOUT_DATA = {"tde2015"}  # the example has no fragment in an utterance


def values_of(parameter: Parameter, usual: Any) -> list[Any]:
    """The other values of a parameter: all that are listed; of a number, its limits and some near the usual value."""
    if parameter.type == "BOOLEAN":
        found: list[Any] = [True, False]
    elif parameter.one_of:
        found = [[each] for each in parameter.one_of] if parameter.type == "VARCHAR[]" else [*parameter.one_of]
    elif parameter.type in ("DOUBLE", "BIGINT"):
        limits = (parameter.at_least, parameter.at_most)
        near = [] if usual is None else [usual * 2, usual // 2 if parameter.type == "BIGINT" else usual / 2]
        found = [each for each in (*limits, *near) if each is not None and _allowed(parameter, each)]
    else:
        found = []
    return [each for at, each in enumerate(found) if each != usual and each not in found[:at]]


def _allowed(parameter: Parameter, value: float) -> bool:
    least, most, above, below = parameter.at_least, parameter.at_most, parameter.above, parameter.below
    return (
        (least is None or value >= least)
        and (most is None or value <= most)
        and (above is None or value > above)
        and (below is None or value < below)
    )


@cache
def ends(suite: str) -> dict[tuple[str, str], float]:
    """The best value of each component whose range has one."""
    found = suite_of(suite)
    plan = compile_suite(CATALOG.of_suite(found), found, Request({}, tuple(found.metrics)))
    bounds = {
        (each.metric, each.component): each.bounds[each.meaning.better == "higher"]
        for each in plan.meanings.reported
        if each.meaning.better in ("lower", "higher")
    }
    return {key: bound for key, bound in bounds.items() if bound is not None}


def best(run: scorespec.Run) -> Iterator[tuple[tuple[str, str, str], float | None, str]]:
    """The components with a best value: their key, their distance from it (None: undefined), and their note."""
    found = ends(run.suite)
    for row in run.scores.to_pylist():
        end = found.get((row["metric"], row["component"]))
        if end is not None:
            distance = None if row["value"] is None else abs(row["value"] - end)
            yield (row["metric"], row["component"], row["slice"]), distance, row["note"] or ""


@pytest.fixture
def gold_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the reference points, only the gold is scored."""
    whole = app_score._suite_with_points

    def with_gold(*arguments: Any) -> Any:
        suite = whole(*arguments)
        return replace(suite, reference_points={"gold": suite.reference_points["gold"]})

    monkeypatch.setattr(app_score, "_suite_with_points", with_gold)


@pytest.mark.parametrize(
    "suite",
    only(
        ["der_pyannote"],
        [each for each in SUITES if "gold" in suite_of(each).reference_points and each not in WITHOUT_DATA],
    ),
)
@pytest.mark.usefixtures("gold_alone")
def test_the_gold_is_perfect_under_each_value_of_each_parameter(suite: str, tmp_path: Path) -> None:
    inputs: dict[str, Any] = inputs_of(suite)
    if text := TEXTS.get(suite):
        path = tmp_path / f"reference{SUFFIXES[text]}"
        path.write_text(text, encoding="utf-8")
        inputs = {name: rows for name, rows in inputs.items() if name == "lists"} | {"reference": path}

    def gold(**params: Any) -> scorespec.Run:
        return scorespec.reference_points(suite, inputs=inputs, params=params, keep_evidence=False)["gold"]

    found = suite_of(suite)
    scored = ScoredSuite(CATALOG.of_suite(found), found, Request({}, tuple(found.metrics)))
    usual = gold()
    perfect = {key for key, distance, _ in best(usual) if distance is not None and isclose(distance, 0, abs_tol=1e-9)}
    assert perfect
    silent = []
    for name, parameter in scored.declared.items():
        excused = IMPERFECT.keys() & {name, f"{suite}.{name}"}
        for value in values_of(parameter, scored.values[name]) if not excused else ():
            try:
                run = gold(**{name: value})
            except ScorespecError:  # the run is refused, and says why
                continue
            explained = {*run.warnings} - {*usual.warnings}
            for key, distance, note in best(run):
                if key in perfect and (distance is None or distance > 1e-9) and not explained and not note:
                    silent.append(f"{name}={json.dumps(value)}: {key} is {distance} from the best value")
    assert not silent
