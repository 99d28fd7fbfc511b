"""`scorespec challenge codabench`: the platform is played here, as its documentation describes it."""

from __future__ import annotations

import io
import json
import math
import os
import runpy
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_line import DATA, INPUTS, PHONES, SUITE, WORDS, Command, Result

import scorespec
from scorespec.catalog.lookup import load_catalog
from scorespec.core.score_text import score_key

ENGINE = Path(scorespec.__file__).parents[1]
Run = Callable[[list[str], Path], Result]


@pytest.fixture
def bundle(cli: Command, folder: Path) -> Path:
    assert cli("challenge", "codabench", SUITE, PHONES, f"{WORDS}::phn", "-o", "bundle").scored() == (
        "bundle/README.md says what to do next\n"
    )
    return folder / "bundle"


def archive(files: Mapping[str, str | bytes | Path]) -> bytes:
    """A zip archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        for name, content in files.items():
            target.writestr(name, content.read_bytes() if isinstance(content, Path) else content)
    return packed.getvalue()


def in_a_process(arguments: list[str], folder: Path) -> Result:
    """Run Python in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ENGINE)}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return Result(done.returncode, done.stdout, done.stderr)


def here(arguments: list[str], folder: Path) -> Result:
    """Run a Python file in this process."""
    code, out, err = 0, io.StringIO(), io.StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(err), pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "argv", arguments)
        try:
            runpy.run_path(arguments[0], run_name="__main__")
        except SystemExit as ended:
            code = 1
            print(ended.code, file=err)
    return Result(code, out.getvalue(), err.getvalue())


def played(bundle: Path, submission: bytes, app: Path, run: Run = here) -> tuple[Result, Any]:
    """What the platform does with a submission: what the scoring program prints, and its scores.

    The platform unpacks the reference data into /app/input/ref, the submission into /app/input/res and the scoring
    program into /app/program, runs the command of metadata.yaml there without a shell, and reads
    /app/output/scores.json. Here /app is the folder `app`.
    """
    competition = yaml.safe_load((bundle / "competition.yaml").read_text())
    task = competition["tasks"][0]
    for source, target in ((task["reference_data"], "input/ref"), (task["scoring_program"], "program")):
        zipped = shutil.make_archive(str(app / "packed"), "zip", bundle / source)
        shutil.unpack_archive(zipped, app / target)
    zipfile.ZipFile(io.BytesIO(submission)).extractall(app / "input" / "res")
    (app / "output").mkdir()
    metadata = yaml.safe_load((app / "program" / "metadata.yaml").read_text())
    python, *arguments = shlex.split(metadata["command"].replace("/app/", f"{app}/"))
    assert python == "python3"
    result = run(arguments, app / "program")
    scores = app / "output" / "scores.json"
    return result, json.loads(scores.read_text()) if scores.exists() else None


def test_a_submission_is_scored_as_on_the_platform(bundle: Path, folder: Path, tmp_path: Path) -> None:
    submission = archive({"fragments.class": DATA / "alpha.jitter.class"})
    result, scores = played(bundle, submission, tmp_path / "app", in_a_process)
    inputs = {"phones": "alpha.phn", "words": "alpha.wrd", "fragments": DATA / "alpha.jitter.class"}
    run = scorespec.score(SUITE, inputs=inputs, keep_evidence=False)
    assert (result.code, result.err) == (0, "")
    assert run.short_signature in result.out
    assert scores["token_fscore"] == run["token"].fscore
    assert scores["ned_value"] == run["ned"].value
    assert len(scores) == len(run.table())
    assert all(isinstance(value, int | float) for value in scores.values())
    columns = yaml.safe_load((bundle / "competition.yaml").read_text())["leaderboards"][0]["columns"]
    assert {column["key"] for column in columns} <= scores.keys()


def test_the_competition_is_as_codabench_documents_it(bundle: Path) -> None:
    competition = yaml.safe_load((bundle / "competition.yaml").read_text())
    assert competition["version"] == 2
    for name in (competition["image"], competition["terms"], *(page["file"] for page in competition["pages"])):
        assert (bundle / name).read_bytes()
    assert (bundle / competition["image"]).read_bytes().startswith(b"\x89PNG")
    assert competition["docker_image"] == f"your-name/scorespec:{scorespec.__version__}"
    assert f"scorespec=={scorespec.__version__}" in (bundle / "Dockerfile").read_text()
    (phase,) = competition["phases"]
    assert (phase["tasks"], phase["start"] < phase["end"]) == ([0], True)
    (board,) = competition["leaderboards"]
    sorting = {column["key"]: column["sorting"] for column in board["columns"]}
    assert [column["index"] for column in board["columns"]] == [*range(len(sorting))]
    assert (sorting["ned_value"], sorting["token_fscore"]) == ("asc", "desc")
    assert "sizes_fragments" not in sorting  # a count without a direction
    assert sorted(path.name for path in (bundle / "reference_data").iterdir()) == ["phones.phn", "words.wrd"]


FAULTY: dict[str, tuple[dict[str, str], str]] = {
    "a bad line": (
        {"fragments.class": "Class 1\nalpha_sa1 3.45 3.20\n"},
        "res/fragments.class:2: offset 3.20 is not after onset 3.45\n",
    ),
    "another name": (
        {"results/my.class": "", ".DS_Store": "x", "__MACOSX/fragments.class": "x"},
        "the submission lacks a file named fragments.* (there: results/my.class)\n",
    ),
    "nothing": ({}, "the submission lacks a file named fragments.* (there: no files)\n"),
    "a pattern": (
        {"fragments.csv::class": ""},
        "res/fragments.csv::class: rename the file; its name has one of the characters *?[]:\n",
    ),
    "two files": (
        {"fragments.class": "", "old/fragments.csv": ""},
        "several files are named fragments.*: res/fragments.class, res/old/fragments.csv; give one\n",
    ),
}


@pytest.mark.parametrize("what", FAULTY)
def test_a_faulty_submission_ends_with_a_message(bundle: Path, tmp_path: Path, what: str) -> None:
    files, message = FAULTY[what]
    result, scores = played(bundle, archive(files), tmp_path / "app", in_a_process if what == "nothing" else here)
    assert (result.code, result.out, result.err) == (1, "", message)
    assert scores is None


def test_a_submission_cannot_replace_the_gold(bundle: Path, tmp_path: Path) -> None:
    fragments = (DATA / "alpha.jitter.class").read_bytes()
    files = {"run/fragments.class": fragments, "phones.phn": "alpha_sa1 0 1 x\n", "talkers.csv": "file,talker\n"}
    result, scores = played(bundle, archive(files), tmp_path / "app")
    assert (result.code, result.err) == (0, "")
    assert scores["sizes_fragments"] == 774


def test_missing_reference_data_is_the_organisers_fault(cli: Command, folder: Path, tmp_path: Path) -> None:
    assert cli("challenge", "codabench", SUITE, "-o", "empty").code == 0
    result, _ = played(folder / "empty", archive({"fragments.class": "Class 1\na 1 2\n"}), tmp_path / "app")
    said = "the challenge lacks a file named phones.*; please tell the organisers (there: no files)\n"
    assert (result.code, result.err) == (1, said)


def test_parameters_metrics_and_documents_are_in_the_bundle(cli: Command, folder: Path, tmp_path: Path) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "mine.yaml").write_text(
        "domain: term_discovery\nmetrics: {lenient: {extends: token, params: {edge_time: 0.01}}}\n"
    )
    options = ["--specs", "mine", "--param", "silence=[SIL]"]
    options += ["--metric", "lenient", "--metric", "token(edge_time=0.02)"]
    options += ["--column", "lenient_fscore", "--title", "Mine: a 'challenge'", "--image", "me/mine:1"]
    assert cli("challenge", "codabench", SUITE, PHONES, f"{WORDS}::phn", "-o", "mine-bundle", *options).code == 0
    shutil.rmtree(folder / "mine")
    competition = yaml.safe_load((folder / "mine-bundle" / "competition.yaml").read_text())
    assert (competition["title"], competition["docker_image"]) == ("Mine: a 'challenge'", "me/mine:1")
    assert [column["key"] for column in competition["leaderboards"][0]["columns"]] == ["lenient_fscore"]
    submission = archive({"fragments.class": folder / "alpha.class"})
    result, scores = played(folder / "mine-bundle", submission, tmp_path / "app")
    assert (result.code, result.err) == (0, "")
    assert scores.keys() == {
        f"{metric}_{component}"
        for metric in ("lenient", "token_edge_time_0_02")
        for component in ("precision", "recall", "fscore")
    }


@pytest.mark.parametrize("suite", load_catalog().names("suites"))
def test_every_suite_has_columns(cli: Command, suite: str, tmp_path: Path) -> None:
    result = cli("challenge", "codabench", suite, "-o", str(tmp_path / "bundle"))
    if suite in ("articulation", "articubench"):  # scores of tasks, whose names a submission has
        result.refused_with("name the columns of the leaderboard, such as --column tongue_height_value_SLICE", code=2)
        key = "total_value_copy-synthesis"
        assert cli("challenge", "codabench", suite, "-o", str(tmp_path / "bundle"), "--column", key).code == 0
    competition = yaml.safe_load((tmp_path / "bundle" / "competition.yaml").read_text())
    columns = competition["leaderboards"][0]["columns"]
    assert columns
    assert all(len(column["key"]) <= 36 and column["sorting"] in ("asc", "desc") for column in columns)


def test_what_participants_do_not_see_is_withheld(cli: Command, folder: Path, tmp_path: Path) -> None:
    options = ["-o", "bundle", "--withhold", "evidence,counts"]
    assert cli("challenge", "codabench", SUITE, PHONES, f"{WORDS}::phn", *options).code == 0
    fragments = (folder / "alpha.class").read_text() + "Class 999\nalpha_sa1 900 901\n\n"
    result, scores = played(folder / "bundle", archive({"fragments.class": fragments}), tmp_path / "app")
    assert (result.code, result.err) == (0, "")
    assert "warning: … of … distinct fragments have no phone" in result.out
    assert "token_fscore" in scores
    assert "sizes_fragments" not in scores


def test_links_in_a_submission_are_not_followed(bundle: Path, tmp_path: Path) -> None:
    app = tmp_path / "app"
    result, _ = played(bundle, archive({"a.class": "Class 1\na 1 2\n"}), app)
    (app / "input" / "res" / "fragments.class").symlink_to(app / "input" / "ref" / "phones.phn")
    result = here(["program/score.py", "input", "output"], app)
    assert (result.code, result.out, result.err) == (
        1,
        "",
        "res/fragments.class: this is a link; give the file itself\n",
    )


def test_names_in_a_submission_control_no_terminal(bundle: Path, tmp_path: Path) -> None:
    result, _ = played(bundle, archive({"\x1b[2Jx.class": "Class 1\na 1 2\n"}), tmp_path / "app")
    assert result.code == 1
    assert "\\x1b[2Jx.class" in result.err
    assert "\x1b" not in result.err


def test_a_suite_has_to_say_what_is_submitted(cli: Command, write: Callable[[str, str], str]) -> None:
    write("mine.yaml", "domain: term_discovery\nsuites: {mine: {extends: zerospeech2017, reference_points: []}}\n")
    result = cli("challenge", "codabench", "mine", "--specs", "mine.yaml", "-o", "bundle")
    said = "error: suite 'mine' does not say which of its inputs belong to a submission; list them under its key "
    result.refused(f"{said}`submitted`", code=2)


def test_wrong_calls(cli: Command, folder: Path) -> None:
    def refused(*arguments: str, code: int = 2) -> str:
        result = cli("challenge", "codabench", SUITE, "-o", "new", *arguments)
        assert (result.code, result.out) == (code, "")
        assert not (folder / "new").exists()
        return result.err

    assert "input 'fragments' belongs to a submission" in refused(*INPUTS)
    assert "input 'phones': none.phn is not a file" in refused("phones=none.phn")
    assert "--column 'token_fscor': no score has this key; did you mean 'token_fscore'?" in refused(
        "--column", "token_fscor"
    )
    (folder / "bad.phn").write_text("a 2 1 x\n")
    assert refused("phones=bad.phn", code=1) == "bad.phn:1: offset 1 is not after onset 2\n"
    (folder / "full").mkdir()
    (folder / "full" / "file").touch()
    result = cli("challenge", "codabench", SUITE, "-o", "full")
    result.refused("error: full: exists already; name a new folder", code=2)


def test_flat_scores_are_finite_and_have_one_name_each(folder: Path) -> None:
    assert score_key("token(edge_time=0.02)", "fscore", {}) == "token_edge_time_0_02_fscore"
    assert score_key("ned", "value", {"talkers": "within", "file": "a b/ä"}) == "ned_value_within_a_b"
    inputs = {"phones": "alpha.phn", "words": "alpha.wrd", "fragments": "alpha.class"}
    run = scorespec.score(SUITE, **inputs, metrics=["ned", "sizes"], by="file", keep_evidence=False)
    flat = run.flat_scores()
    assert flat["ned_value"] == run["ned"].value
    assert flat["ned_value_alpha_sa1"] == run["ned"].at(file="alpha_sa1").value
    assert isinstance(flat["sizes_fragments"], int)
    (folder / "one.class").write_text("Class 1\nalpha_sa1 1.00 2.00\n\n")
    undefined = scorespec.score(SUITE, **{**inputs, "fragments": "one.class"}, metrics="ned", keep_evidence=False)
    assert undefined["ned"].value is None
    assert "ned_value" not in undefined.flat_scores()
    assert all(math.isfinite(value) for value in undefined.flat_scores().values())


def test_two_scores_of_one_name_are_refused(folder: Path) -> None:
    (folder / "same.phn").write_text("a-b 0 1 x\na_b 0 1 x\na.b 0 1 x\n")
    (folder / "same.class").write_text("Class 1\na_b 0 1\na.b 0 1\n\n")
    inputs = {"phones": "same.phn", "words": "same.phn", "fragments": "same.class"}
    run = scorespec.score(SUITE, inputs=inputs, metrics="sizes", by="file", keep_evidence=False)
    with pytest.raises(scorespec.RunError, match=r"^two scores have the name 'sizes_\w+_a_b'; score fewer"):
        run.flat_scores()
