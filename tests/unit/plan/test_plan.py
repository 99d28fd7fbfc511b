"""When a table of a run is dropped, and that others take its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorespec.catalog.lookup import Catalog, shipped_documents
from scorespec.plan.compile import Request, compile_suite
from scorespec.plan.plan import Plan
from scorespec.run.limits import Limits
from scorespec.run.session import open_session

SHIPPED = Catalog(shipped_documents())
BROKEN_DOWN = {"zerospeech2017": "file", "std2006": "query", "speech_ne": "speaker"}


def plan_of(suite: str, by: str | None, evidence: bool, confidence: float | None) -> Plan:
    scopes = ((by,),) if by else ()
    found = SHIPPED.suite(suite)
    request = Request({}, by=scopes, evidence=evidence, confidence=confidence)
    return compile_suite(SHIPPED.of_suite(found), found, request)


@pytest.mark.parametrize(("evidence", "confidence"), [(False, None), (True, None), (True, 95)])
@pytest.mark.parametrize(
    ("suite", "by"), [*((name, None) for name in SHIPPED.names("suites")), *BROKEN_DOWN.items()], ids=str
)
def test_a_table_is_there_until_its_last_reader_is_done(
    suite: str, by: str | None, evidence: bool, confidence: float | None
) -> None:
    plan = plan_of(suite, by, evidence, confidence)
    done_after = plan.last_reads()
    inputs = {table.name for table in plan.tables}
    behind = {step.physical: step.reads for step in plan.steps if step.view}
    known = inputs | {step.physical for step in plan.steps}  # a table that the suite does not name is not made
    there = set(inputs)
    for step in plan.steps:
        for name in step.reads & known:
            assert {name, *behind.get(name, ())} <= there
        there.add(step.physical)
        there -= set(done_after.get(step.physical, ()))
    kept = {each.physical for each in plan.evidence} | plan.scores.reads
    kept |= {name for each in plan.unit_statistics for name in each.reads}
    kept |= {name for each in (*plan.curves, *plan.resampling.scores) for name in each.reads}
    for scores in plan.resampling.jackknifed:  # their steps are run again, and read what is not made again
        again = plan.without_blocks(scores).steps
        read = scores.reads.union(*(step.reads for step in again), *(way.reads for way in scores.divisions))
        kept |= read - ({step.physical for step in again} - scores.reads)
    kept |= {table for name in kept for table in behind.get(name, ())}
    assert kept <= there
    read = {name for step in plan.steps for name in step.reads}
    assert there & read <= kept | behind.keys()


def test_what_is_made_takes_the_place_of_what_was_dropped(tmp_path: Path) -> None:
    with open_session(Limits("500MB", folder=tmp_path)) as session:
        (work,) = tmp_path.glob("*/work.duckdb")
        sizes = []
        for number in range(5):
            session.make(f"made_{number}", "SELECT hash(i) AS noise FROM range(1_200_000) AS t(i)")
            session.drop(*([f"made_{number - 1}"] if number else []))
            sizes.append(work.stat().st_size)
    assert max(sizes) < 2.5 * sizes[0]


def test_a_view_is_not_dropped() -> None:
    with open_session(Limits()) as session:
        session.make("seen", "SELECT 1 AS x", view=True)
        session.drop("seen", "absent")
        assert session.rows("FROM seen") == [(1,)]
