"""`scorespec challenge codabench`: the platform is played here, as its documentation describes it."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import math
import os
import re
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
from marks import first, slow
from scorespec.catalog.lookup import load_catalog
from scorespec.challenges import codabench
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
    assert (competition["enable_detailed_results"], competition["show_detailed_results_in_leaderboard"]) == (
        True,
        False,
    )
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


def test_a_faulty_submission_leaves_no_results_of_an_earlier_one(bundle: Path, tmp_path: Path) -> None:
    app = tmp_path / "app"
    result, scores = played(bundle, archive({"fragments.class": DATA / "alpha.jitter.class"}), app)
    assert (result.code, scores is None) == (0, False)
    (app / "input" / "res" / "fragments.class").write_text("Class 1\nalpha_sa1 3.45 3.20\n")
    assert here(["program/score.py", "input", "output"], app).code == 1
    assert list((app / "output").iterdir()) == []


def test_participants_see_the_options_of_the_challenge(cli: Command, bundle: Path, folder: Path) -> None:
    (folder / "mine.yaml").write_text("domain: term_discovery\nmetrics: {mine: {extends: token}}\n")
    options = "--param silence=[SIL] --metric mine --specs mine.yaml"
    assert cli("challenge", "codabench", SUITE, "-o", "changed", *options.split()).code == 0
    options = options.replace("silence=[SIL]", "'silence=[SIL]'")
    page = (folder / "changed" / "pages" / "overview.md").read_text()
    assert (
        f"`scorespec show {SUITE}` defines the scores. This challenge\nscores with the options `{options}`.\n" in page
    )
    assert f"`scorespec validate {SUITE} fragments=PATH {options}`.\n" in page
    page = (bundle / "pages" / "overview.md").read_text()
    assert f"`scorespec show {SUITE}` defines the scores.\n" in page
    assert f"`scorespec validate {SUITE} fragments=PATH`.\n" in page


@pytest.fixture
def corpora(cli: Command, folder: Path) -> Path:
    """A bundle with the corpora `alpha` and `beta`, whose leaderboard has a mean and a score of one corpus."""
    for corpus, name in (("alpha", "phn"), ("beta", "phn"), ("alpha", "wrd"), ("beta", "wrd")):
        shutil.copy(DATA / f"{corpus}.{name}", folder)
    (folder / "corpora.csv").write_text(
        "corpus,phones,words\nalpha,alpha.phn,alpha.wrd::phn\nbeta,beta.phn,beta.wrd::phn\n"
    )
    columns = ("--column", "token_fscore", "--column", "token_fscore_beta")
    bundle = ("challenge", "codabench", SUITE, "--each", "corpora.csv", "-o", "bundle", *columns)
    assert cli(*bundle).scored() == "bundle/README.md says what to do next\n"
    return folder / "bundle"


@slow
def test_several_corpora_have_their_scores_and_means(corpora: Path, tmp_path: Path) -> None:
    names = ("alpha", "beta")
    submission = archive({f"mine/{each}/fragments.class": DATA / f"{each}.jitter.class" for each in names})
    result, scores = played(corpora, submission, tmp_path / "app", in_a_process)
    assert (result.code, result.err) == (0, "")
    found = {}
    for each in names:
        inputs = {"phones": DATA / f"{each}.phn", "words": f"{DATA / each}.wrd::phn"}
        run = scorespec.score(SUITE, **inputs, fragments=DATA / f"{each}.jitter.class", keep_evidence=False)
        found[each] = run.flat_scores()
        assert {f"{key}_{each}": value for key, value in found[each].items()}.items() <= scores.items()
    for key, value in found["alpha"].items():
        assert scores[key] == pytest.approx((value + found["beta"][key]) / 2)
    assert len(scores) == 3 * len(found["alpha"])
    assert result.out.count(f"{SUITE}|spec:") == 1
    columns = yaml.safe_load((corpora / "competition.yaml").read_text())["leaderboards"][0]["columns"]
    assert [(each["key"], each["sorting"]) for each in columns] == [
        ("token_fscore", "desc"),
        ("token_fscore_beta", "desc"),
    ]
    page = (tmp_path / "app" / "output" / "detailed_results.html").read_text("utf-8")
    for text in ("Scores on alpha", "Scores on beta", "token fscore mean of 2 corpora"):
        assert text in page
    assert "`alpha/fragments.*`, `beta/fragments.*`" in (corpora / "README.md").read_text()


@slow
def test_a_score_that_a_corpus_lacks_has_no_mean(corpora: Path, tmp_path: Path) -> None:
    one = "Class 1\nbeta_sa1 1.00 2.00\n\n"
    name = (corpora / "reference_data" / "beta" / "phones.phn").read_text().split()[0]
    files = {
        "alpha/fragments.class": DATA / "alpha.jitter.class",
        "beta/fragments.class": one.replace("beta_sa1", name),
    }
    result, scores = played(corpora, archive(files), tmp_path / "app")
    assert (result.code, result.err) == (0, "")
    assert "ned_value_alpha" in scores
    assert not {"ned_value", "ned_value_beta"} & scores.keys()


def test_each_corpus_needs_its_files(corpora: Path, tmp_path: Path) -> None:
    files = {"alpha/fragments.class": DATA / "alpha.jitter.class", "fragments.class": DATA / "beta.jitter.class"}
    result, scores = played(corpora, archive(files), tmp_path / "app")
    said = "the submission lacks a file named fragments.* in a folder beta"
    assert (result.code, scores) == (1, None)
    assert result.err == f"{said} (there: alpha/fragments.class, fragments.class)\n"


def test_wrong_lists_of_corpora(cli: Command, folder: Path) -> None:
    def refused(rows: str) -> str:
        (folder / "corpora.csv").write_text(f"corpus,phones,words\n{rows}")
        result = cli("challenge", "codabench", SUITE, "--each", "corpora.csv", "-o", "new")
        assert (result.code, result.out, (folder / "new").exists()) == (2, "", False)
        return result.err

    letters = "use letters, digits, hyphens and underscores, since it names a folder"
    assert refused("../a,alpha.phn,alpha.wrd\n") == f"error: corpus '../a': {letters}\n"
    assert refused("") == f"error: corpus '': {letters}\n"
    assert refused(",alpha.phn,alpha.wrd\n") == "corpora.csv:2: the corpus has no name\n"
    assert refused("a,none.phn,alpha.wrd\n") == "error: input 'phones': none.phn is not a file\n"
    assert refused("a,alpha.phn,alpha.wrd\na,alpha.phn,alpha.wrd\n").startswith(
        "error: several submissions are called 'a'"
    )


def test_the_report_of_a_submission_shows_no_gold_unless_it_is_asked_to(bundle: Path, tmp_path: Path) -> None:
    submission = archive({"fragments.class": DATA / "alpha.jitter.class"})
    pages = []
    for evidence in ("false", "true"):
        program = bundle / "scoring_program" / "challenge.yaml"
        program.write_text(re.sub(r"^evidence: \w+", f"evidence: {evidence}", program.read_text(), flags=re.MULTILINE))
        result, _ = played(bundle, submission, tmp_path / evidence)
        assert (result.code, result.err) == (0, "")
        pages.append((tmp_path / evidence / "output" / "detailed_results.html").read_text("utf-8"))
    assert "the results database has no table evidence_" in pages[0]
    assert "the results database has no table evidence_" not in pages[1]
    assert all("token" in page and "submission" in page for page in pages)


def test_the_bundle_has_the_wheel_that_its_image_installs(bundle: Path) -> None:
    (path,) = bundle.glob("*.whl")
    lines = (bundle / "Dockerfile").read_text().splitlines()
    assert lines[1:] == [f"COPY {path.name} /tmp/", f"RUN pip install --no-cache-dir /tmp/{path.name}"]
    wheel = zipfile.ZipFile(path)
    (info,) = {name.partition("/")[0] for name in wheel.namelist()} - {"scorespec"}
    record = {
        name: (kind, int(size or 0))
        for name, kind, size in csv.reader(wheel.read(f"{info}/RECORD").decode().splitlines())
    }
    assert record.keys() == {*wheel.namelist()}
    for name in wheel.namelist():
        if name != f"{info}/RECORD":
            content = wheel.read(name)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert record[name] == (f"sha256={digest}", len(content))
    held = {
        path.relative_to(ENGINE).as_posix() for path in (ENGINE / "scorespec").rglob("*.*") if path.suffix != ".pyc"
    }
    held |= {
        f"scorespec/{path.relative_to(ENGINE.parent).as_posix()}" for path in (ENGINE.parent / "specs").rglob("*.yaml")
    }
    assert held <= record.keys()
    assert not [name for name in record if "__pycache__" in name]


@slow
def test_the_wheel_scores_away_from_the_checkout(bundle: Path, tmp_path: Path) -> None:
    (path,) = bundle.glob("*.whl")
    installed = tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile", "--target"]
    subprocess.run([*pip, installed, path], check=True)
    submission = archive({"fragments.class": DATA / "alpha.jitter.class"})

    def run(arguments: list[str], folder: Path) -> Result:
        code = (
            "import runpy, sys, scorespec; print(scorespec.__file__); runpy.run_path(sys.argv[0], run_name='__main__')"
        )
        command = [sys.executable, "-c", f"import sys; sys.argv = {arguments!r}; {code}"]
        environment = {**os.environ, "PYTHONPATH": str(installed)}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        return Result(done.returncode, done.stdout, done.stderr)

    result, scores = played(bundle, submission, tmp_path / "app", run)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(str(installed))
    assert scores["token_fscore"] == pytest.approx(0.69140625)


def test_a_version_that_is_not_installed_makes_no_bundle(
    cli: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codabench, "__version__", "0.0.7")
    said = "error: the bundle needs a wheel of scorespec 0.0.7: install this version with pip"
    cli("challenge", "codabench", SUITE, "-o", "new").refused(said, code=2)
    assert not (folder / "new").exists()


def test_a_submission_cannot_replace_the_gold(bundle: Path, tmp_path: Path) -> None:
    fragments = (DATA / "alpha.jitter.class").read_bytes()
    files = {"run/fragments.class": fragments, "phones.phn": "alpha_sa1 0 1 x\n", "speakers.csv": "file,speaker\n"}
    result, scores = played(bundle, archive(files), tmp_path / "app")
    assert (result.code, result.err) == (0, "")
    assert scores["sizes_fragments"] == 774


def test_missing_reference_data_is_the_organisers_fault(cli: Command, folder: Path, tmp_path: Path) -> None:
    assert cli("challenge", "codabench", SUITE, "-o", "empty").code == 0
    result, _ = played(folder / "empty", archive({"fragments.class": "Class 1\na 1 2\n"}), tmp_path / "app")
    said = "the challenge lacks a file named phones.*; please tell the organisers (there: no files)\n"
    assert (result.code, result.err) == (1, said)


@pytest.mark.slow
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


@pytest.mark.parametrize("suite", first(load_catalog().names("suites"), 6))
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


OF_PARTICIPANTS = {  # everything else changes how a submission is scored
    "transcripts": {"hypothesis", "transcript"},
    "diarization": {"hypothesis"},
    "verification": {"scores"},
    "term_discovery": {"fragments"},
    "term_detection": {"detections", "measurements", "searches"},
    "articulation": {"submission"},
}


@pytest.mark.parametrize("suite", first(sorted(load_catalog().names("suites")), 4))
def test_participants_give_nothing_that_changes_how_they_are_scored(suite: str) -> None:
    catalog = load_catalog()
    names = catalog.of_suite(catalog.suite(suite))
    submitted, reference = codabench._sides(catalog.suite(suite), names)
    given = {*submitted["required"], *submitted["optional"]}
    assert given <= OF_PARTICIPANTS[names.domain]
    assert not given & {*reference["required"], *reference["optional"]}


def test_an_alignment_of_a_participant_is_not_read(cli: Command, folder: Path, tmp_path: Path) -> None:
    assert folder == Path.cwd()
    Path("ref.csv").write_text("document,token\nd,a\nd,b\n", "utf-8")
    cli("challenge", "codabench", "wer", "reference=ref.csv", "-o", "bundle").scored()
    aligned = "document,ref_begin,ref_end,hyp_begin,hyp_end\nd,0,1,0,0\nd,1,2,0,2\n"
    files = {"hypothesis.csv": "document,token\nd,a\nd,b\n", "alignment.csv": aligned}
    _, scores = played(Path("bundle"), archive(files), tmp_path / "app")
    assert scores["wer_value"] == 0  # 1 by this alignment


def test_the_signature_names_the_optional_inputs_that_are_given(folder: Path) -> None:
    text, own = "document,token\nd,a\n", "document,ref_begin,ref_end,hyp_begin,hyp_end\nd,0,1,0,1\n"
    for name, content in (("r", text), ("a", own), ("p", "word,phones\na,AH\n")):
        (folder / f"{name}.csv").write_text(content, "utf-8")
    inputs = {"reference": "r.csv", "hypothesis": "r.csv"}
    plain = scorespec.score("wer", inputs=inputs)
    more = scorespec.score("wer", inputs={**inputs, "pronunciations": "p.csv", "alignment": "a.csv"})
    assert plain.short_signature.startswith("wer|spec:")
    assert more.short_signature.startswith("wer|with:alignment+pronunciations|spec:")
    assert "|with:alignment+pronunciations|" in more.signature


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
    write(
        "mine.yaml",
        "domain: term_discovery\nsuite: mine\nsuites: {mine: {extends: zerospeech2017, reference_points: []}}\n"
        "tables: {fragments: {extends: fragments, submitted: false}}\n",
    )
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
    assert score_key("ned", "value", {"speakers": "within", "file": "a b/ä"}) == "ned_value_within_a_b"
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
