"""A metric on one screen: at most 40 lines of 80 columns, with what a user needs to score it."""

import re
import shlex

import pytest

import toy
from scorespec.catalog.lookup import load_catalog
from scorespec.core.terminal import wrapped
from scorespec.show import show

CATALOG = load_catalog()
METRICS = sorted({key.name for key in CATALOG.keys("metrics")})


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_fits_on_a_screen(name):
    lines = wrapped(show(CATALOG, name, brief=True), 80).splitlines()
    assert len(lines) <= 40
    wanted = rf"  everything else(, and the suite {name})?: scorespec show (\w+\.)?{name} --full"
    assert re.fullmatch(wanted, lines[-1])


@pytest.mark.parametrize("name", METRICS)
def test_the_example_names_the_inputs_of_its_suite(name):
    example = show(CATALOG, name, brief=True).partition("  example:\n")[2]
    command = re.match(r"(    .*\\\n)*    .*", example)[0]
    program, verb, suite_name, *inputs, option, metric = shlex.split(command.replace("\\\n", " "))
    suite = CATALOG.suite(suite_name)
    assert (program, verb, option, metric) == ("scorespec", "score", "--metric", name)
    given = [each.partition("=")[0] for each in inputs]
    assert {*given} <= {*suite.inputs, *suite.optional}


def test_what_is_on_the_screen():
    text = show(CATALOG, "mtwv", brief=True)
    parts = [
        "metric mtwv, term_detection  (specs/term_detection/shared/mtwv.yaml:",
        "  Maximum term-weighted value (MTWV): ",
        "  equation:\n    MTWV = max_θ (1 − P_miss(θ) − β · P_fa(θ))\n",
        "  scores:\n    value: 0 to 1, higher is better\n",
        "    threshold: Threshold θ of the best value.\n",
        "  inputs: queries, audio, detections, references or occurrences\n",
        "  example:\n    scorespec score sws2013 queries=queries.xml audio=audio.xml \\\n",
        "  sources:\n    Luis Javier Rodriguez-Fuentes and Mikel Penagarikano (2013), section 2.3",
        "  other suites define it differently:\n    openkws13.mtwv   at least one detection is accepted",
        "    quesst2015.mtwv  trials are documents",
        "  parameters in std2006, sws2012, sws2013:\n    c_fa = 1: Cost of a false alarm\n    c_miss = 10 (std2006), ",
    ]
    assert [text.find(part) for part in parts] == sorted(text.index(part) for part in parts)


def test_parameters_and_scores_have_their_meaning():
    text = show(CATALOG, "min_dcf", brief=True)
    assert "    p_target = 0.01: Prior probability that a trial is a target, in min_dcf and act_dcf\n" in text
    assert "  scores:\n    value: at least 0, lower is better\n" in show(CATALOG, "wer", brief=True)


def test_the_suite_that_most_people_want_comes_first():
    heads = {name: show(CATALOG, name, brief=True).partition(",")[0] for name in ("ned", "jer", "total", "cnxe")}
    wanted = {"ned": "zerospeech2017.ned", "jer": "jer", "total": "articulation.total", "cnxe": "cnxe"}
    assert heads == {name: f"metric {full}" for name, full in wanted.items()}


def test_what_depends_on_the_order_of_rows_says_so():
    assert "\n  depends on the order of rows: " in show(CATALOG, "quesst2015.min_cnxe", brief=True)


def test_full_has_the_threshold_of_a_sweep():
    assert "\n    threshold  Threshold θ of the best value.\n" in show(CATALOG, "sws2013.mtwv")


def test_what_is_no_metric_and_no_suite_is_shown_whole():
    for name in ("c_miss", "alignment"):
        assert show(CATALOG, name, brief=True) == show(CATALOG, name)


def test_another_suite_has_a_line_that_says_how_it_differs():
    document = "suite: quiz\nmetrics:\n  accuracy: {extends: accuracy, about: Mine.%s}\n"
    assert show(toy.catalog(), "accuracy", brief=True).startswith("metric accuracy, toy")
    differs = show(toy.catalog(document % ", differs: ones of mine"), "accuracy", brief=True)
    assert "  other suites define it differently:\n    quiz.accuracy  ones of mine\n" in differs
    assert "    quiz.accuracy  Mine.\n" in show(toy.catalog(document % ""), "accuracy", brief=True)
