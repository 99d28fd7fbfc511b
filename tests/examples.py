"""A few rows of each input of every suite that ships: those of an example of its domain's cases."""

from __future__ import annotations

from functools import cache
from typing import Any

import pyarrow as pa

from scorespec.catalog.lookup import load_catalog
from scorespec.catalog.model import Suite, Table
from scorespec.check.documents_checked import _rows_as_arrow

CATALOG = load_catalog()
SUITES = [str(CATALOG.definition(key).name) for key in CATALOG.keys("suites")]
EXAMPLES = {
    "articulation": "words",
    "diarization": "two_speakers",
    "transcripts": "giants",
    "term_detection": "search",
    "term_discovery": "tiny",
    "verification": "five",
}
OTHER = {"resources": "computers", "quesst2015": "trials", "meeting": "renamed"}
TIMES = [["s1", 0.0, 10.0]]
MORE: dict[str, dict[str, list[Any]]] = {
    "tde2015": {"utterances": TIMES, "folds_total": [[0, *TIMES[0]]], "folds_within": [[0, *TIMES[0]]]},
    "wordlists": {"lists": [["names", "Giants", None, None], ["names", "New York", None, None]]},
}


def suite_of(name: str) -> Suite:
    (found,) = (CATALOG.definition(key) for key in CATALOG.keys("suites") if key[-1] == name)
    assert isinstance(found, Suite)
    return found


@cache
def inputs_of(name: str) -> dict[str, pa.Table]:
    """The inputs of a suite."""
    suite = suite_of(name)
    examples: dict[str, Any] = {}
    for document in CATALOG.documents:
        if document.data.get("domain") == suite.domain:
            examples |= document.data.get("examples") or {}
    rows = examples[OTHER.get(name, EXAMPLES[suite.domain])] | MORE.get(name, {})
    names = CATALOG.of_suite(suite)
    tables = {each: names.table(each) for each in rows if each in (*suite.inputs, *suite.optional)}
    return {each: _rows_as_arrow(table, rows[each]) for each, table in tables.items() if isinstance(table, Table)}
