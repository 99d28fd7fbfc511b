"""Claims of suites that they have the scores of other programs: each has a record, and the records are true."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import agreement
import scorespec
from agreement import COMPARISONS, Comparison
from examples import inputs_of
from marks import only, some
from scorespec.catalog.lookup import load_catalog
from scorespec.show import show

CATALOG = load_catalog()
SUITES = [CATALOG.suite(name) for name in CATALOG.names("suites")]
RECORDS = {(suite.name, each.conforms_to, each.data): each for suite in SUITES for each in CATALOG.agreement(suite)}
WITHOUT_A_PROGRAM = {"mixed", "multi_reference", "resources"}
QUICK = ("meeting",)


def test_every_claim_has_a_record() -> None:
    claims = {(suite.name, tool) for suite in SUITES for tool in suite.conforms_to}
    assert {(suite, tool) for suite, tool, _ in RECORDS} == claims
    assert {suite.name for suite in SUITES if not suite.conforms_to} == WITHOUT_A_PROGRAM


def test_a_record_explains_each_difference() -> None:
    for each in some(RECORDS.values()):
        explained = sum(int(reason.partition(":")[0]) for reason in each.differs)
        assert (each.compared > 0, each.equal + explained) == (True, each.compared), each


def test_every_record_is_of_a_comparison() -> None:
    told = {each.key: (each.size, each.source, each.tolerance) for each in COMPARISONS}
    assert {key: (each.size, each.source, each.tolerance) for key, each in RECORDS.items()} == told


@pytest.mark.parametrize(
    "comparison",
    only([each for each in COMPARISONS if each.suite in QUICK and not each.lacks][:1], COMPARISONS),
    ids=lambda each: f"{each.suite}-{each.data}",
)
def test_a_record_is_what_is_found(comparison: Comparison) -> None:
    """If it is not, `make agreement` writes it."""
    if comparison.lacks:
        pytest.skip(comparison.lacks)
    stored = RECORDS[comparison.key]
    assert comparison.record() == {**vars(stored), "differs": [*stored.differs]}


@pytest.mark.parametrize(
    ("theirs", "ours", "tolerance", "equal"),
    [
        (1, 1.0, 0, True),
        (1, 1 + 1e-9, 0, False),
        (1, 1 + 1e-9, 1e-8, True),
        (None, None, 0, True),
        (None, 0, 0, False),
        (0, None, 1, False),
        (float("nan"), None, 0, True),
        (float("inf"), float("inf"), 0, True),
        (float("inf"), 1, 1, False),
        ("Error", 0, 1, False),
    ],
)
def test_when_scores_are_equal(theirs: Any, ours: Any, tolerance: float, equal: bool) -> None:
    assert agreement.is_equal(theirs, ours, tolerance) is equal


def test_a_difference_needs_an_explanation() -> None:
    def compared(name: str) -> str:
        return "it rounds" if name == "b" else ""

    pairs = [("a", 1, 1), ("b", 2, 3), ("b", 4, 5)]
    comparison = Comparison("s", "t 1", "d", "3", "x", 0, lambda: pairs, why=lambda name, *_: compared(name))
    assert comparison.record()["differs"] == ["2: it rounds"]
    assert (comparison.record()["compared"], comparison.record()["equal"]) == (3, 1)
    pairs.append(("c", 1, 2))
    with pytest.raises(AssertionError, match="'c', 1, 2"):
        comparison.record()


# -- where the numbers are shown ---------------------------------------------------------------------


def sums(suite: str, tool: str) -> str:
    found = [each for key, each in RECORDS.items() if key[:2] == (suite, tool)]
    equal, compared = sum(each.equal for each in found), sum(each.compared for each in found)
    return f"{tool}: {equal:,} of {compared:,} compared scores are equal"


def test_show_has_the_numbers_of_each_program() -> None:
    lines = show(CATALOG, "quesst2015").splitlines()
    at = lines.index("  agrees with (differences: agreement.yaml of the suite):")
    tools = CATALOG.suite("quesst2015").conforms_to
    assert lines[at + 1 : at + 1 + len(tools)] == [f"    {sums('quesst2015', tool)}" for tool in tools]
    assert "agrees with" not in show(CATALOG, "resources")


def test_a_report_has_them(tmp_path: Path) -> None:
    run = scorespec.score("wer", inputs=inputs_of("wer"), output=tmp_path / "wer.duckdb")
    assert f"Agreement of the suite with other programs: {sums('wer', 'sclite 2.10')}." in run.report().html


def test_a_suite_of_ones_own_has_no_numbers_of_the_one_that_it_extends(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("domain: transcripts\nsuites:\n  mine: {extends: wer, params: {case: keep}}\n")
    catalog = load_catalog(tmp_path)
    assert catalog.suite("mine").conforms_to == ("sclite 2.10",)
    assert [*catalog.claims(catalog.suite("mine"))] == []


def test_neither_claims_nor_records_change_a_signature(tmp_path: Path) -> None:
    written = "domain: transcripts\nsuites:\n  mine: {extends: wer, about: x%s}\n"
    signatures = set()
    for more in ("", ", conforms_to: other 1"):
        (tmp_path / "mine.yaml").write_text(written % more)
        signatures.add(scorespec.score("mine", inputs=inputs_of("wer"), specs=tmp_path).signature)
    assert len(signatures) == 1
