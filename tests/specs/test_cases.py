"""Every shipped document is valid, every metric has cases, and the cases hold (and would tell if they did not)."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorespec.catalog.lookup import load_catalog, shipped_documents
from scorespec.errors import SpecError
from scorespec.runtime.verifying import verify


def test_what_ships_is_well() -> None:
    report = verify()
    assert report.metrics == len(load_catalog().keys("metrics"))
    assert report.cases > 0


def test_every_metric_and_every_parameter_has_a_case() -> None:
    catalog = load_catalog()
    cases = {
        (document.data["domain"], document.data.get("suite", ""), name): each
        for document in shipped_documents()
        for name, each in (document.data.get("cases") or {}).items()
    }
    assert set(cases) == {(key.domain, key.suite, key.name) for key in catalog.keys("metrics")}
    switched = {name for each in cases.values() for case in each for name in case.get("params", {})}
    declared = set(catalog.names("parameters"))
    # tests/conformance has those of folds, which belong to suites, and those of the edge rule of zerospeech2015.
    assert switched == declared - {"n_folds", "fold_set", "edge_cover_time", "edge_cover_fraction"}


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("expect: {value: 1/2}", "value is 0.75, expected 0.5"),
        ("expect: {value: null}", "value is 0.75, expected None"),
        ("expect: {valve: 0.75}", "there is no component 'valve'; did you mean 'value'?"),
        ("oracle: SELECT 0.5 AS value", "value is 0.75, expected 0.5"),
        ("oracle: SELECT nothing", "the oracle: Binder Error"),
    ],
)
def test_a_case_that_does_not_hold_is_told(tmp_path: Path, case: str, said: str) -> None:
    document = tmp_path / "cases.yaml"
    document.write_text(
        f"domain: term_discovery\ncases:\n  ned:\n    - {{about: three quarters, example: tiny, {case}}}\n"
    )
    with pytest.raises(SpecError) as raised:
        verify(document)
    assert str(raised.value).startswith(f"{document}:4:7: ned: {said}")
