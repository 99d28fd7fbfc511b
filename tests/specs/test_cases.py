"""Every shipped document is valid, every metric has cases, and the cases hold (and would tell if they did not)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from marks import first, only
from scorespec.catalog.build import read_as
from scorespec.catalog.documents import Document
from scorespec.catalog.lookup import DefinitionKey, load_catalog
from scorespec.catalog.model import Case
from scorespec.check import documents_checked
from scorespec.check.binding import TRIAL, Binder
from scorespec.check.case_proofs import CaseRuns
from scorespec.check.documents_checked import (
    differences_of_case,
    tagged_cases,
    tried_metrics,
    verify,
    verify_documents,
)
from scorespec.check.notices import notices
from scorespec.errors import InputError, SpecError

CATALOG = load_catalog()
CASES = {
    DefinitionKey("metrics", document.data["domain"], document.data.get("suite", ""), metric): (document, cases)
    for document in CATALOG.documents
    for metric, cases in (document.data.get("cases") or {}).items()
}


@pytest.fixture(scope="module")
def binder() -> Iterator[Binder]:
    with Binder() as binder:
        yield binder


@pytest.fixture(scope="module")
def runs() -> Iterator[CaseRuns]:
    with CaseRuns(TRIAL) as runs:
        yield runs


FIRST_CASES = 10
DOCUMENTS = [pytest.param(document, id=document.shown) for document in CATALOG.documents]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_ships_is_well(
    document: Document, binder: Binder, runs: CaseRuns, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first cases of a document, without their proofs by slices and parts: the next test has all."""
    cases_of = documents_checked.cases_of
    monkeypatch.setattr(documents_checked, "cases_of", lambda each: islice(cases_of(each), FIRST_CASES))
    monkeypatch.setattr(documents_checked, "_proofs_of_case", lambda *_: [])
    verify_documents(CATALOG, [document], binder, runs)


@pytest.mark.parametrize("document", only([each for each in DOCUMENTS if "/wer/" in str(each.id)], DOCUMENTS))
def test_cases_hold_in_slices_and_parts(document: Document, binder: Binder, runs: CaseRuns) -> None:
    verify_documents(CATALOG, [document], binder, runs)


def test_every_metric_has_a_case() -> None:
    assert set(CASES) >= set(CATALOG.keys("metrics"))  # a suite can have cases of a metric that it shares


# What metrics of users may read, and what templates of the engine call.
UNUSED = [
    "nothing uses 4 relations: zerospeech2015.pairs_all, zerospeech2015.pairs_star, zerospeech2015.pairs_goldclus, "
    "zerospeech2015.pairs_goldlex",
    "nothing uses 3 macros: exact_mean, remark, slice_order",
]


def test_everything_that_ships_is_used() -> None:
    assert list(notices(CATALOG, list(CATALOG.entries), tried_metrics(CATALOG))) == UNUSED


# tests/conformance has those of folds, which belong to suites, and those that only refuse what is too large.
OF_SUITES = {"n_folds", "fold_order", "fold_set"}
LIMITS = {"max_path_pairs", "max_path_phones"}


@pytest.mark.parametrize("name", first(sorted(set(CATALOG.names("parameters")) - OF_SUITES - LIMITS), 8))
def test_switching_a_parameter_changes_a_score(name: str, runs: CaseRuns) -> None:
    """Some case gives the parameter a value, and with its default the case does not hold, or the input is refused."""
    for key, (document, cases) in CASES.items():
        names = CATALOG.namespace(key.domain, key.suite)
        for index, written in enumerate(cases):
            case = read_as(Case, written)
            if name in case.params:
                usual = replace(case, params=without(case.params, name))
                place = document.place(("cases", key.name, index))
                try:
                    if differences_of_case(names, key.name, usual, place, runs):
                        return
                except InputError:
                    return
    pytest.fail(f"no case shows what {name} does")


def without(params: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {other: value for other, value in params.items() if other != name}


FALSE_CASES = {  # what is said of each
    "expect: {value: 1/2}": "value is 0.75, expected 0.5",
    "expect: {value: null}": "value is 0.75, expected None",
    "expect: {valve: 0.75}": "there is no component 'valve'; did you mean 'value'?",
    "slice: {file: a}, expect: {value: 1}": 'the metric has no group {"file": "a"} in this case; its groups: none',
    "oracle: SELECT 0.5 AS value": "value is 0.75, expected 0.5",
    "oracle: SELECT nothing": "the oracle: Binder Error",
    "expect: {value: 3/4}, tags: T, printed: {value: 0.7}": "value is 0.75, published as 0.7: `differs` can say why",
    "expect: {value: 3/4}, tags: T, printed: {value: '0.750'}, differs: x": "`differs` explains a difference, but",
    "expect: {value: 3/4}, tags: T, printed: {value: 0.8}, differs: x": "`differs` explains a difference, but",
    "expect: {value: 3/4}, tags: T, printed: {value: 1}": "value is 0.75, published as 1: `differs` can say why",
    "expect: {value: 3/4}, tags: T, printed: {valve: 1}, differs: x": "there is no component 'valve'; did you mean",
    "expect: {value: 3/4}, tags: T, printed: {value: half}": "'half' is not a number, nor a fraction such as 2/3",
}


def test_a_case_that_does_not_hold_is_told(tmp_path: Path) -> None:
    document = tmp_path / "cases.yaml"
    cases = "".join(f"    - {{about: three quarters, example: tiny, {case}}}\n" for case in FALSE_CASES)
    document.write_text(f"domain: term_discovery\nsuite: zerospeech2017\ncases:\n  ned:\n{cases}")
    with pytest.raises(SpecError) as raised:
        verify(document)
    for line, (said, told) in enumerate(zip(FALSE_CASES.values(), str(raised.value).splitlines(), strict=True), 5):
        assert told.startswith(f"{document}:{line}:7: ned: {said}")


def test_a_case_of_a_shared_metric_does_not_hold_for_the_metric_of_a_suite(tmp_path: Path) -> None:
    """The words are one query that occurs, but to quesst2015.counts, which has no trials, there is none."""
    document = tmp_path / "cases.yaml"
    document.write_text(
        "domain: term_detection\ncases:\n  counts:\n    - {about: x, example: words, expect: {queries: 0}}\n"
    )
    with pytest.raises(SpecError) as raised:
        verify(document)
    assert str(raised.value) == f"{document}:4:7: counts: queries is 1.0, expected 0.0"


def test_cases_are_found_by_whole_words_of_their_tags(tmp_path: Path) -> None:
    """A published number is a score that rounds to it; the other numbers of the case are those that it expects."""
    document = tmp_path / "cases.yaml"
    document.write_text(
        """domain: term_discovery
cases:
  ned:
    - {about: a, example: tiny, expect: {value: 3/4, pairs: 4}, tags: [Paper Eq 2, Paper Eq 3], printed: {value: 0.8}}
    - {about: b, example: tiny, expect: {value: 3/4}, tags: [Paper Eq 21], printed: {pairs: 5}, differs: counted twice}
    - {about: c, example: tiny, expect: {value: 3/4}}
"""
    )
    assert [each.case.about for each in tagged_cases("paper", document)] == ["a", "b"]
    assert [each.case.about for each in tagged_cases("", document)] == ["a", "b"]
    assert [each.case.about for each in tagged_cases("Eq 2", document)] == ["a"]
    (case,) = tagged_cases("eq 21", document)
    assert (case.metric, case.place.line, case.scores) == ("ned", 5, {"value": 0.75, "pairs": 4})
    assert tagged_cases("q 2", document) == []


def test_a_tagged_case_that_does_not_hold_is_told(tmp_path: Path) -> None:
    document = tmp_path / "cases.yaml"
    document.write_text(
        "domain: term_discovery\ncases:\n  ned:\n    - {about: a, example: tiny, expect: {value: 1}, tags: Eq 1}\n"
    )
    with pytest.raises(SpecError) as raised:
        tagged_cases("Eq 1", document)
    assert str(raised.value) == f"{document}:4:7: ned: value is 0.75, expected 1.0"
    assert tagged_cases("Eq 2", document) == []
