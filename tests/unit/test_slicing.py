"""The query of a step for all slices at once, against the same query over the rows of one slice after another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from dividing.corpora import Task, articulation, term_detection, term_discovery, with_folds, without
from dividing.proof import loaded
from scorespec.plan.plan import Step
from scorespec.run.limits import Limits
from scorespec.run.session import Session, open_session
from scorespec.run.streams import run_step

DETECTION, ALL_TALKERS = without(term_detection(1), "speech"), without(term_discovery(1), "talkers")
TASKS = {
    "openkws13 by doc": Task("openkws13", DETECTION, by=(("doc",),)),
    "sws2013 by query": Task("sws2013", DETECTION, by=(("query",),)),
    "segments by channel": Task("openkws13", term_detection(1), {"trials": "segment"}, by=(("channel",),)),
    "zerospeech2015 by file": Task("zerospeech2015", ALL_TALKERS, {"n_folds": 0}, by=(("file",),)),
    "zerospeech2015 in folds": Task("zerospeech2015", ALL_TALKERS, {"n_folds": 4}),
    "zerospeech2017 by talker": Task("zerospeech2017", term_discovery(1), {"talkers": "within"}, by=(("talker",),)),
    "tde2015 by file, in folds": Task("tde2015", with_folds(ALL_TALKERS, 1), by=(("file",),)),
    "articulation by label": Task("articulation", articulation(1), by=(("label",),)),
}
BODY = re.compile(
    r"SELECT slice_\.\*, rows_\.\*\nFROM \(\n(.*?)\n\) AS slice_, LATERAL \(\n(.*)\n\) AS rows_$", re.DOTALL
)
MOST_SLICES = 12  # of a step


@pytest.mark.parametrize("name", TASKS)
def test_each_slice_has_the_rows_of_the_query_over_its_rows(name: str) -> None:
    task, compared = TASKS[name], 0
    plan = task.plan()
    with open_session(Limits("1GB", 1)) as session:
        loaded(plan, task.inputs, session)
        for step in plan.steps:
            run_step(session, step)
            if (parts := BODY.search(step.sql)) and not step.function_rows:
                compared += 1
                assert dict(by_slice(session, step, *parts.groups())) == {}
    assert compared


def by_slice(session: Session, step: Step, slices: str, body: str) -> Iterator[tuple[str, Counter[str]]]:
    """The slices whose rows differ from those of the query over the rows of the slice, each with the difference."""
    columns = [row[0] for row in session.rows(f"DESCRIBE {slices}")]
    for values in session.rows(f"{slices}\nORDER BY ALL\nLIMIT {MOST_SLICES}"):
        alone, same = body, []
        for column, value in zip(columns, values, strict=True):
            literal = repr(value) if value is not None else "NULL"
            alone = alone.replace(f'slice_."{column}"', literal)
            same.append(f'"{column}" = {literal}')
        excluded = ", ".join(f'"{column}"' for column in columns)
        there = f'SELECT * EXCLUDE ({excluded}) FROM "{step.physical}" WHERE {" AND ".join(same)}'
        one, other = (Counter(map(repr, session.rows(sql))) for sql in (alone, there))
        if one != other:
            yield f"{step.label}: {values}", (one - other) + (other - one)
