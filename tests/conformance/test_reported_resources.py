"""Resources: times that a submission reports, descriptions of computers, and the processing load beside TWV."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from xml.etree import ElementTree

import pytest

import scorespec
from marks import first
from scorespec.errors import InputError

DATA = Path(__file__).parents[1] / "data" / "term_detection"
LISTS = sorted(path for name in ("stdlist", "kwslist") for path in DATA.glob(f"*/{name}.xml"))
MEASURED = "phase,node,wall_hours,cores,peak_gb,nodes,brand,cpu_model,cpu_cores,clock_ghz,ram_gb,operating_system"
STDLIST = """<stdlist termlist_filename="t.xml" indexing_time="90" language="x" index_size="7.5" system_id="s">
<detected_termlist termid="Q1" term_search_time="2.5" oov_term_count="0">
<term file="a" channel="1" tbeg="1" dur="1" score="1" decision="YES"/>
</detected_termlist>
<detected_termlist termid="Q2" term_search_time="1.5" oov_term_count="2"/>
</stdlist>
"""


@pytest.fixture
def audio(tmp_path: Path) -> Path:
    path = tmp_path / "audio.csv"
    path.write_text("doc,channel,tbeg,dur\na,1,0,360\n")
    return path


def reported(searches: Path, audio: Path) -> dict[str, float | None]:
    run = scorespec.score("resources", searches=searches, audio=audio, metrics="reported_times")
    return {row["component"]: row["value"] for row in run.table()}


def test_the_times_of_a_list(tmp_path: Path, audio: Path) -> None:
    """Of a query without detections, too; also from a compressed file."""
    (tmp_path / "stdlist.xml").write_text(STDLIST)
    with gzip.open(tmp_path / "stdlist.xml.gz", "wt") as file:
        file.write(STDLIST)
    for name in ("stdlist.xml", "stdlist.xml.gz"):
        assert reported(tmp_path / name, audio) == {
            "indexing_time": 90,
            "index_size": 7.5,
            "isf": 0.25,
            "search_time": 4,
            "mean_search_time": 2,
            "queries": 2,
            "oov_queries": 1,
        }


@pytest.mark.parametrize("path", first(LISTS, 2), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_recorded_lists(path: Path, audio: Path) -> None:
    """Against the XML library of Python."""
    root = ElementTree.parse(path).getroot()
    names = ("termid", "term_search_time") if root.tag == "stdlist" else ("kwid", "search_time")
    if len({each.get(names[0]) for each in root}) < len(root):
        with pytest.raises(InputError, match="repeats an earlier line: query"):
            reported(path, audio)
        return
    found = reported(path, audio)
    assert found["queries"] == len(root)
    assert found["search_time"] == sum(float(each.attrib[names[1]]) for each in root)
    indexing = root.get("indexing_time") if len(root) else None
    assert found["indexing_time"] == (indexing and float(indexing))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('term_search_time="1.5"', "", "5: <detected_termlist> has no attribute 'term_search_time'"),
        ("1.5", "-1.5", "5: search_time -1.5 is negative"),
        ("1.5", "soon", "5: search_time is not a number: 'soon'"),
        ('count="2"', 'count="many"', "5: oov_count many is neither NA nor a whole number"),
        ("Q2", "Q1", "5: repeats an earlier line: query Q1"),
        ('indexing_time="90"', 'indexing_time="-90"', "2: indexing_time -90 is negative"),
    ],
)
def test_faults_of_a_list(tmp_path: Path, audio: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "stdlist.xml"
    path.write_text(STDLIST.replace(old, new))
    with pytest.raises(InputError) as raised:
        reported(path, audio)
    assert f"stdlist.xml:{said}" in str(raised.value)


def test_an_element_that_the_format_does_not_define_is_left_out_with_a_warning(tmp_path: Path, audio: Path) -> None:
    path = tmp_path / "stdlist.xml"
    path.write_text(STDLIST.replace("</detected_termlist>", "<note/></detected_termlist>"))
    run = scorespec.score("resources", searches=path, audio=audio, metrics="reported_times")
    assert any("<note> in <detected_termlist>" in each for each in run.warnings)
    path.write_text(STDLIST)
    assert not scorespec.score("resources", searches=path, audio=audio, metrics="reported_times").warnings


# -- hardware ----------------------------------------------------------------------------------------

GOOD = ["index", "big", "14", "16", "4", "2", "Acme", "X1", "8", "2.4", "16", "Linux"]
SAME = ["search", "big", "3", "16", "2", "2", "Acme", "X1", "8", "2.4", "16", "Linux"]


def measured(tmp_path: Path, audio: Path, *rows: list[str]) -> scorespec.Run:
    (tmp_path / "m.csv").write_text("\n".join([MEASURED, *map(",".join, rows)]) + "\n")
    (tmp_path / "q.csv").write_text("query,example,dur\nq,e,900\n")
    given = {"measurements": tmp_path / "m.csv", "query_examples": tmp_path / "q.csv", "audio": audio}
    return scorespec.score("resources", **given)


def test_the_description_of_the_computers_is_evidence(tmp_path: Path, audio: Path) -> None:
    run = measured(tmp_path, audio, GOOD, SAME, ["search", "small", "1", "1", "1", *[""] * 7])
    assert run.sql("SELECT * EXCLUDE (run) FROM evidence_hardware ORDER BY node").to_pylist() == [
        {
            "node": "big",
            "nodes": 2,
            "brand": "Acme",
            "cpu_model": "X1",
            "cpu_cores": 8,
            "clock_ghz": 2.4,
            "ram_gb": 16,
            "operating_system": "Linux",
        },
        {"node": "small"} | dict.fromkeys(MEASURED.split(",")[5:]),
    ]


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("cores", "17", "cores 17 is more than the computers have: cpu_cores is 8, nodes is 2 (1 if missing)"),
        ("nodes", "", "cores 16 is more than the computers have: cpu_cores is 8, nodes is"),
        ("peak_gb", "17", "peak_gb 17 is more than ram_gb 16; give both for one computer"),
        ("nodes", "0", "nodes 0 is not 1 to 1e9"),
        ("cpu_cores", "0", "cpu_cores 0 is not 1 to 1e9"),
        ("clock_ghz", "2400", "clock_ghz 2400 is not a clock speed in GHz"),
        ("ram_gb", "0", "ram_gb 0 is not above 0"),
        ("brand", "Other", "node big is described differently than in its first row"),
        ("cpu_model", "", "node big is described differently than in its first row"),
    ],
)
def test_hardware_is_checked(tmp_path: Path, audio: Path, column: str, value: str, said: str) -> None:
    changed = dict(zip(MEASURED.split(","), SAME, strict=True)) | {column: value}
    with pytest.raises(InputError) as raised:
        measured(tmp_path, audio, GOOD, list(changed.values()))
    assert f"m.csv:3: {said}" in str(raised.value)


# -- beside TWV --------------------------------------------------------------------------------------


def test_the_processing_load_stands_beside_twv(tmp_path: Path) -> None:
    here = DATA / "small"
    search = {"queries": "kwlist.xml", "references": "ref.rttm", "audio": "ecf.xml", "detections": "kwslist.xml"}
    inputs = {name: here / file for name, file in search.items()}
    (tmp_path / "m.csv").write_text("\n".join([MEASURED, ",".join(GOOD), ",".join(SAME)]) + "\n")
    (tmp_path / "q.csv").write_text("query,example,dur\nq,e,900\n")
    resources = {"measurements": tmp_path / "m.csv", "query_examples": tmp_path / "q.csv"}
    asked = ["atwv", "resources.processing_load", "resources.reported_times"]
    run = scorespec.score("sws2013", **inputs, **resources, searches=here / "stdlist.xml", metrics=asked)
    alone = scorespec.score("sws2013", **inputs, metrics="atwv")
    load = scorespec.score("resources", audio=inputs["audio"], **resources)
    assert run.value("atwv") == alone.value("atwv")
    assert run.value("resources.processing_load") == load.value("processing_load")
    with (here / "docs.tsv").open() as file:
        hours = sum(float(row["dur"]) for row in csv.DictReader(file, delimiter="\t")) / 3600
    assert run.value("resources.reported_times", "isf") == pytest.approx(1 / 3600 / hours)
