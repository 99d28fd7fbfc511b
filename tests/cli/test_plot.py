"""`scorespec plot`: slices, named thresholds, mapped scores, and plots of one score, against scores found otherwise."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command_line import Command

import scorespec
from marks import first, slow
from scorespec.core.score_text import value_text
from scorespec.report.drawing.svg import Paper
from scorespec.report.figures import show
from scorespec.report.subject import read_subjects
from scorespec.results.reading import stored_runs

TD = Path(__file__).parents[1] / "data" / "term_detection"
SEARCH = {
    name: TD / "medium_small" / file
    for name, file in (("queries", "kwlist.xml"), ("audio", "ecf.xml"), ("references", "ref.rttm"))
}
TRIALS = {
    name: TD / "quesst_complete" / file
    for name, file in (
        *(("queries", "tlist.xml"), ("audio", "ecf.xml"), ("references", "ref.rttm")),
        ("detections", "stdlist.xml"),
    )
}
MAPPED = {"score_scale": 2.0, "score_offset": 4.0, "threshold": 1.2}
METRICS = ("atwv", "mtwv", "twv", "bayes_twv", "prior", "cnxe")


@pytest.fixture(scope="session")
def searches(tmp_path_factory: pytest.TempPathFactory) -> scorespec.Results:
    """One list of detections scored twice, the second time with a map and a threshold, both by the accent."""
    folder = tmp_path_factory.mktemp("searches")
    documents = dict.fromkeys(re.findall(r"doc\d+", SEARCH["audio"].read_text("utf-8")))
    rows = [f"{document},{'north' if at % 3 else 'south'}\n" for at, document in enumerate(documents)]
    (folder / "metadata.csv").write_text("doc,accent\n" + "".join(rows), "utf-8")
    given = {
        **SEARCH,
        "detections": TD / "medium_small" / "kwslist.xml",
        "metadata": folder / "metadata.csv",
        "output": folder / "searches.duckdb",
        "by": ["accent"],
    }
    scorespec.score("sws2013", name="raw", metrics=[each for each in METRICS if each != "twv"], **given)
    scorespec.score("sws2013", name="mapped", metrics=METRICS, params=MAPPED, confidence=95, **given)
    return scorespec.open_results(folder / "searches.duckdb")


def scores_of(results: scorespec.Results, run: str, by: str = "{}") -> Mapping[str, float]:
    """The scores of a run in a slice, by ``metric.component``."""
    sql = f"FROM scores JOIN runs ON run = id WHERE name = '{run}' AND slice = '{by}'"
    return {f"{row['metric']}.{row['component']}": row["value"] for row in results.sql(sql).to_pylist()}


def titles(svg: str) -> list[str]:
    """What markers say where the mouse points at them."""
    drawn = ElementTree.fromstring(svg)
    return [each.text or "" for each in list(drawn.iter("{http://www.w3.org/2000/svg}title"))[1:]]


def rates(p_fa: float, p_miss: float) -> str:
    """A point of a DET curve as a marker says it."""
    return f"false alarm rate {value_text(p_fa, '%')}, miss rate {value_text(p_miss, '%')}"


# -- slices -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("runs", first(map(pytest.param, [("mapped",), ("raw", "mapped")])))
def test_a_figure_shows_slices_as_if_each_were_a_run(searches: scorespec.Results, runs: tuple[str, ...]) -> None:
    svg = searches.plot("det", *runs, by="accent").svg
    said = titles(svg)
    for run in runs:
        for accent in ("north", "south"):
            scores, name = (
                scores_of(searches, run, f'{{"accent":"{accent}"}}'),
                f"{run}, {accent}" if runs[1:] else accent,
            )
            assert f"{name}, best: {rates(scores['mtwv.p_fa'], scores['mtwv.p_miss'])}" in said
    assert svg.count(" data-series=") == 2 * len(runs)
    assert all(f">TWV 0.{at}</text>" in svg for at in (4, 6, 8))  # β is not broken down
    assert svg != searches.plot("det", *runs).svg
    assert "threshold" in searches.run("mapped").plot("twv_by_threshold", by="accent").svg


def test_a_score_that_is_not_broken_down_is_that_of_the_whole(searches: scorespec.Results) -> None:
    """The operating point is of the whole set, so that the Bayes threshold of each slice has its point."""
    said = " ".join(titles(searches.plot("twv_by_threshold", "mapped", by="accent").svg))
    for accent in ("north", "south"):
        scores = scores_of(searches, "mapped", f'{{"accent":"{accent}"}}')
        assert "prior.theta_mincost" not in scores
        theta = (scores_of(searches, "mapped")["prior.theta_mincost"] - 4) / 2
        expected = f"threshold {value_text(theta)}, TWV {value_text(scores['bayes_twv.value'])}"
        assert f"{accent}, θ_mincost: {expected}" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("det", "raw", "--by", "language"),
            "error: --by language: raw has no scores by language; it has scores by accent",
        ),
        (
            ("atwv", "raw", "--by", "accent,team"),
            "error: --by accent,team: raw has no scores by accent,team; it has scores by accent",
        ),
        (
            ("queries", "--by", "accent"),
            "error: queries cannot be shown by accent: the rows of evidence_query_counts have no slices",
        ),
        (("prior", "--by", "accent"), "error: prior cannot be shown by accent: the runs have no such rows"),
        (
            ("atvw", "raw"),
            "error: the reports of the suite 'sws2013' have no figure 'atvw', and the runs have no such score; "
            "did you mean 'atwv'?",
        ),
    ],
)
def test_wrong_calls(cli: Command, searches: scorespec.Results, arguments: tuple[str, ...], message: str) -> None:
    cli("plot", str(searches.path), *arguments).refused_with(message, code=2)


def test_a_score_may_be_named_with_its_suite(searches: scorespec.Results) -> None:
    assert str(searches.plot("sws2013.atwv.value", "raw")) == str(searches.plot("atwv", "raw"))


# -- named thresholds ---------------------------------------------------------------------------------


def test_thresholds_that_are_given_have_the_points_that_twv_finds(searches: scorespec.Results) -> None:
    scores = scores_of(searches, "mapped")
    theta = (scores["prior.theta_mincost"] - 4) / 2
    given = {**SEARCH, "detections": TD / "medium_small" / "kwslist.xml"}
    at_theta = scorespec.score("sws2013", metrics="twv", params={"threshold": theta}, **given)["twv"]
    det, twv = titles(searches.plot("det", "mapped").svg), titles(searches.plot("twv_by_threshold", "mapped").svg)
    assert f"θ_mincost: {rates(at_theta.p_fa, at_theta.p_miss)}" in det
    assert f"θ_devel: {rates(scores['twv.p_fa'], scores['twv.p_miss'])}" in det
    assert f"θ_mincost: threshold {value_text(theta)}, TWV {value_text(at_theta.value)}" in twv
    assert f"θ_devel: threshold 1.2, TWV {value_text(scores['twv.value'])}" in twv
    assert not any("θ_devel" in said for said in titles(searches.plot("det", "raw").svg))


@slow
def test_the_bayes_threshold_may_lie_between_points_of_the_curve(tmp_path: Path) -> None:
    """In quesst2015 the curve has no point inside a group of trials of one kind, and twv finds the exact rates."""
    between = 0
    for at, offset in enumerate([-0.4, 0.9, 2.2]):
        given = {**TRIALS, "output": tmp_path / "trials.duckdb"}
        params, metrics = {"score_offset": offset}, ["mtwv", "bayes_twv", "prior"]
        run = scorespec.score("quesst2015", name=f"run{at}", params=params, metrics=metrics, **given)
        theta = run["prior"].theta_mincost - offset
        expected = scorespec.score("quesst2015", metrics="twv", params={"threshold": theta}, **TRIALS)["twv"]
        assert f"θ_mincost: {rates(expected.p_fa, expected.p_miss)}" in titles(run.plot("det").svg)
        points = scorespec.open_results(tmp_path / "trials.duckdb").sql("SELECT p_fa, p_miss FROM curves").to_pylist()
        known = {(round(point["p_fa"], 9), round(point["p_miss"], 9)) for point in points}
        between += (round(expected.p_fa, 9), round(expected.p_miss, 9)) not in known
    assert 0 < between < 3


# -- calibration --------------------------------------------------------------------------------------


def table(name: str) -> Iterator[dict[str, str]]:
    """The rows of a table of the corpus, without the engine."""
    with (TD / "medium_small" / f"{name}.tsv").open(encoding="utf-8") as file:
        yield from csv.DictReader(file, delimiter="\t")


def calibration(results: Path, run: str) -> list[list[float]]:
    """The rows of the figure: tenth, detections, targets, mean score and share of targets."""
    with stored_runs(results, "main") as stored:
        (subject,) = read_subjects(stored, results, "main", [run])
        figure = subject.figure("calibration")
        assert not isinstance(figure, tuple)
        shown = show(figure, subject, stored, Paper("p"))
    assert shown is not None
    assert shown.table is not None
    return [[float(cell.text.replace(",", "")) for cell in row] for row in shown.table.rows]


@pytest.mark.parametrize(("run", "scale", "offset"), first([("raw", 1, 0), ("mapped", 2, 4)]))
def test_calibration_shows_the_scores_that_cnxe_reads(
    searches: scorespec.Results, run: str, scale: float, offset: float
) -> None:
    words = {row["query"]: row["text"] for row in table("queries")}
    spoken = {row["token"] for row in table("refs")}
    read = [float(row["score"]) for row in table("dets") if words[row["query"]] in spoken]
    assert len(read) < len(list(table("dets")))  # some queries do not occur
    found = calibration(searches.path, run)
    assert sum(row[1] for row in found) == len(read)
    total = sum(scale * score + offset for score in read)
    assert sum(row[1] * row[3] for row in found) == pytest.approx(total, abs=0.0001 * len(read))


def test_calibration_of_trials_shows_mapped_scores(tmp_path: Path) -> None:
    for name, offset in (("raw", 0.0), ("mapped", 1.5)):
        given = {**TRIALS, "name": name, "params": {"score_offset": offset}, "output": tmp_path / "t.duckdb"}
        scorespec.score("quesst2015", metrics="cnxe", **given)
    raw, mapped = (calibration(tmp_path / "t.duckdb", name) for name in ("raw", "mapped"))
    means = [sum(row[1] * row[3] for row in rows) / sum(row[1] for row in rows) for rows in (raw, mapped)]
    assert means[1] - means[0] == pytest.approx(1.5, abs=1e-3)
    assert sum(row[1] for row in raw) == sum(row[1] for row in mapped)


# -- one score ----------------------------------------------------------------------------------------


def test_a_score_by_condition_and_system(searches: scorespec.Results) -> None:
    said = titles(searches.plot("atwv", by="accent").svg)
    sql = "SELECT name, slice ->> '$.accent' AS accent, value, low, high FROM scores JOIN runs ON run = id"
    rows = searches.sql(f"{sql} WHERE metric = 'atwv' AND component = 'value' AND slice <> '{{}}'").to_pylist()
    assert len(rows) == 4
    for row in rows:
        ends = f" [{value_text(row['low'])}, {value_text(row['high'])}]" if row["low"] is not None else ""
        assert f"{row['accent']}, {row['name']}: {value_text(row['value'])}{ends}" in said
    assert ("[" in " ".join(said)) == any(row["low"] is not None for row in rows)


def test_a_score_of_whole_submissions(cli: Command, searches: scorespec.Results, tmp_path: Path) -> None:
    path = str(searches.path)
    assert cli("plot", path, "mtwv.p_miss", "-o", str(tmp_path / "a.svg")).scored() == f"{tmp_path / 'a.svg'}\n"
    svg = (tmp_path / "a.svg").read_text("utf-8")
    (p_miss,) = {value_text(scores_of(searches, run)["mtwv.p_miss"]) for run in ("raw", "mapped")}
    assert titles(svg)[0] == f"raw: {p_miss}"
    assert titles(svg)[1].startswith(f"mapped: {p_miss} [")  # this run has intervals
    assert ">mtwv p_miss</text>" in svg
    assert titles(searches.plot("mtwv", "raw").svg) == [f"raw: {value_text(scores_of(searches, 'raw')['mtwv.value'])}"]
