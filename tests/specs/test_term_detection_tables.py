"""The tables of term detection refuse what they should, in XML as in TSV, each row at its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from marks import first, only
from scorespec.catalog.lookup import load_catalog
from scorespec.errors import InputError
from scorespec.run.inputs.checking import check_table
from scorespec.run.inputs.loading import load
from scorespec.run.inputs.sources import find_source
from scorespec.run.limits import Limits
from scorespec.run.session import open_session

DATA = Path(__file__).parents[1] / "data" / "term_detection"


def problems_of(suite="", **inputs):
    """What is told of the inputs, without their folders."""
    names = load_catalog().namespace("term_detection", suite)
    with open_session(Limits("500MB", 1)) as session:
        tables = {name: names.table(name) for name in inputs}
        loaded = [load(session, find_source(tables[name], path)) for name, path in inputs.items()]
        for each in loaded:
            check_table(session, each, inputs)
        messages = str(InputError(each.problems for each in loaded))
        return "\n".join(line.rpartition("/")[2] for line in messages.splitlines())


def folder(case, detections="kwslist.xml"):
    here = DATA / case
    return {"queries": here / "kwlist.xml", "audio": here / "ecf.xml", "detections": here / detections}


@pytest.mark.parametrize(
    "case",
    only(
        ["probe_dupkw", "small_unknown_query"],
        sorted(each.parent.name for each in DATA.glob("*/dets.tsv")),
    ),
)
def test_fixtures(case):
    messages = {
        "probe_dupkw": ("kwslist.xml:25: kwid 'Q1' is listed a second time; it was at line 2", "", ""),
        "small_nan": tuple(
            f"{name}: score is not a number (nan)" for name in ("kwslist.xml:9", "stdlist.xml:10", "dets.tsv:8")
        ),
        "small_unknown_query": tuple(
            f"{name}: unknown query QZ: it is not one of the queries"
            for name in ("kwslist.xml:30", "stdlist.xml:31", "dets.tsv:19")
        ),
    }.get(case, ("", "", ""))
    for name, expected in zip(("kwslist.xml", "stdlist.xml", "dets.tsv"), messages, strict=True):
        assert problems_of(**folder(case, name)) == expected
    here = DATA / case
    assert not problems_of(queries=here / "tlist.xml", references=here / "ref.rttm", speech=here / "ref.rttm")
    assert not problems_of(queries=here / "queries.tsv", references=here / "refs.tsv", audio=here / "docs.tsv")


@pytest.mark.parametrize("case", first(sorted(each.parent.name for each in DATA.glob("*/trials.tsv")), 2))
def test_trials(case):
    here = DATA / case
    assert not problems_of(
        queries=here / "tlist.xml", audio=here / "ecf.xml", detections=here / "stdlist.xml", suite="quesst2015"
    )


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('score="0.9"', 'score="1.5"', "3: score 1.5 is above max_score 1.0"),
        ('score="0.9"', 'score="-1"', "3: score -1 is below min_score 0.0"),
        ('decision="YES"', 'decision="yes"', "3: decision yes is neither YES nor NO"),
        ('dur="1.000"', 'dur="-1.0"', "3: dur -1.0 is negative"),
    ],
)
def test_values_of_a_list(tmp_path, old, new, problem):
    path = tmp_path / "a.xml"
    path.write_text((DATA / "small_minmax" / "kwslist.xml").read_text().replace(old, new, 1))
    assert problems_of(**{**folder("small_minmax"), "detections": path}) == f"a.xml:{problem}"


def test_detections_that_are_all_in_unknown_documents(tmp_path):
    """As if the detections name the files of the recordings, which the audio names without suffix."""
    header = "query\tdoc\tchannel\ttbeg\tdur\tscore\tdecision"
    audio, queries, detections = (tmp_path / f"{name}.tsv" for name in ("audio", "queries", "detections"))
    audio.write_text("doc\tchannel\ttbeg\tdur\nf1\t1\t0\t60\n")
    queries.write_text("query\ttext\nA\ta\n")
    detections.write_text(f"{header}\nA\tf1.wav\t1\t1\t1\t0.8\tYES\n")
    given = {"queries": queries, "audio": audio, "detections": detections}
    said = "document f1.wav is not in the audio, and no other of the detections is; name documents as the audio does"
    assert problems_of(**given) == f"detections.tsv:2: {said}"
    detections.write_text(f"{detections.read_text()}A\tf1\t1\t1\t1\t0.8\tNO\n")
    assert problems_of(**given) == ""


def test_trials_of_a_document_once(tmp_path):
    here = DATA / "quesst_complete"
    lines = (here / "stdlist.xml").read_text().splitlines(keepends=True)
    path = tmp_path / "a.xml"
    path.write_text("".join([*lines[:5], lines[4], lines[5].replace('file="', 'file="x'), *lines[6:]]))
    assert problems_of(queries=here / "tlist.xml", audio=here / "ecf.xml", detections=path, suite="quesst2015") == (
        "a.xml:6: repeats an earlier line: query q000, doc u0001\n"
        "a.xml:7: unknown document xu0002: it is not in the audio"
    )


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("index,2,,,1", ""),
        ("search,,3,16,1", ""),
        ("index,2,3,16,1", "give cpu_hours, or wall_hours with cores, and not both"),
        ("index,,,,1", "give cpu_hours, or wall_hours with cores, and not both"),
        ("index,,3,,1", "give wall_hours and cores together"),
        ("run,2,,,1", "phase run is neither index nor search"),
        ("index,-2,,,1", "cpu_hours or wall_hours is negative"),
        ("index,,2,0,1", "cores 0 is not at least 1"),
        ("index,2,,,-1", "peak_gb -1 is negative"),
    ],
)
def test_measurements(tmp_path, row, problem):
    path = tmp_path / "a.csv"
    path.write_text(f"phase,cpu_hours,wall_hours,cores,peak_gb\n{row}\n")
    assert problems_of(measurements=path) == (problem and f"a.csv:2: {problem}")
