"""Many submissions in one call: how they are found and named, what they have in common, and what a bad one does."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from command_line import DATA, PHONES, SUITE, WORDS, ask, rows_of_tables, strict

import scorespec
from marks import slow
from scorespec.app.batch import names_of
from scorespec.run import session as work
from scorespec.run.inputs import several

KINDS = ("perfect", "jitter", "overlap")
BAD = "Class 1\nx 1 2\n"
UNKNOWN = "2: unknown file x: no phone and no word is in it"


@pytest.fixture
def subs(folder: Path) -> Path:
    """A folder with three submissions."""
    (folder / "subs").mkdir()
    for kind in KINDS:
        shutil.copy(DATA / f"alpha.{kind}.class", folder / "subs" / f"{kind}.class")
    return folder / "subs"


@pytest.fixture
def each(cli, subs):
    """Scores each of the submissions of the folder by their tokens."""

    def run(*arguments, pattern="fragments=subs/*.class"):
        return cli("score", SUITE, PHONES, WORDS, "--each", pattern, "--metric", "token", "--quiet", *arguments)

    return run


# -- scores ------------------------------------------------------------------------------------------

SMALL, QUESST = (DATA.parent / "term_detection" / name for name in ("small", "quesst_complete"))
ENTITIES, SYNTHESES = DATA.parent / "named_entities", DATA.parent / "articulation"
CORPUS = {"phones": DATA / "alpha.phn", "words": DATA / "alpha.wrd"}
FOLDS = {"utterances": DATA / "alpha.split", "folds_total": DATA / "alpha.intervals.cross"}
ARTICULATED = (("tokens", "tokens"), ("labels", "labels"), ("baseline", "submission_baseline"))
GIVEN = {  # the gold of a suite, and submissions
    "zerospeech2017": (CORPUS, [{"fragments": DATA / f"alpha.{kind}.class"} for kind in ("edges", "jitter")]),
    "zerospeech2015": (CORPUS, [{"fragments": DATA / f"alpha.{kind}.class"} for kind in ("edges", "jitter")]),
    "tde2015": ({**CORPUS, **FOLDS}, [{"fragments": DATA / f"alpha.{kind}.class"} for kind in ("edges", "jitter")]),
    "std2006": (
        {"queries": SMALL / "tlist.xml", "audio": SMALL / "ecf.xml", "references": SMALL / "ref.rttm"},
        [{"detections": SMALL / "stdlist.xml"}, {"detections": SMALL / "dets.tsv"}],
    ),
    "quesst2015": (
        {"queries": QUESST / "tlist.xml", "audio": QUESST / "ecf.xml", "references": QUESST / "ref.rttm"},
        [{"detections": QUESST / "stdlist.xml"}] * 2,
    ),
    "wer": (
        {"reference": ENTITIES / "noisy200.ref.sgml"},
        [{"hypothesis": ENTITIES / "noisy200.hyp.sgml"}, {"hypothesis": ENTITIES / "noisy200.ref.sgml"}],
    ),
    "articubench": (
        {name: SYNTHESES / f"{file}.parquet" for name, file in ARTICULATED},
        [{"submission": SYNTHESES / f"submission_{name}.parquet"} for name in "AB"],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("suite", GIVEN)
def test_each_run_is_equal_to_a_run_of_its_own(suite, tmp_path):
    gold, submitted = GIVEN[suite]
    runs = [{"name": str(number), **inputs} for number, inputs in enumerate(submitted)]
    together, apart = tmp_path / "together.duckdb", tmp_path / "apart.duckdb"
    batch = scorespec.score_each(suite, runs, inputs=gold, output=together)
    assert ([*batch], batch.failed) == (["0", "1"], {})
    for number, inputs in enumerate(submitted):
        alone = scorespec.score(suite, inputs={**gold, **inputs}, output=apart, name=str(number))
        assert batch[str(number)].scores.equals(alone.scores)
        assert batch[str(number)].warnings == alone.warnings
        assert batch[str(number)].signature == alone.signature
    tables = rows_of_tables(apart)
    assert tables.keys() > {"runs", "scores", "inputs"}
    assert rows_of_tables(together) == tables


def test_gold_is_read_once_and_its_steps_are_made_once(each, monkeypatch):
    read, made = [], []
    load, run_step = several.load_input, work.run_step
    monkeypatch.setattr("scorespec.run.runner.load_input", lambda *a: (read.append(a[1].input), load(*a))[1])
    monkeypatch.setattr("scorespec.run.loop.run_step", lambda *a: (made.append(a[1].physical), run_step(*a))[1])
    assert each().code == 0
    assert sorted(read) == ["fragments", "fragments", "fragments", "phones", "words"]
    assert {made.count(name) for name in made} == {1, 3}


@slow
def test_scores_can_be_broken_down_by_other_columns_of_the_gold(tmp_path):
    gold = {"queries": SMALL / "queries.tsv", "audio": SMALL / "docs.tsv", "references": SMALL / "refs.tsv"}
    assert "source_type" in (SMALL / "docs.tsv").read_text()
    runs = [{"name": name, "detections": SMALL / "dets.tsv"} for name in "ab"]
    batch = scorespec.score_each("openkws13", runs, inputs=gold, by="source_type", metrics="atwv")
    alone = scorespec.score("openkws13", inputs=gold, detections=SMALL / "dets.tsv", by="source_type", metrics="atwv")
    assert len(alone["atwv"].slices) > 1
    assert [run.scores.equals(alone.scores) for run in batch.runs.values()] == [True, True]


@slow
def test_objects_are_gold_too(subs):
    import pyarrow.csv as pc

    options = pc.ReadOptions(column_names=["file", "onset", "offset", "label"]), pc.ParseOptions(delimiter=" ")
    phones = pc.read_csv("alpha.phn", *options)
    for given in (phones, phones.to_reader()):
        batch = scorespec.score_each(
            SUITE, {"fragments": "subs/*.class"}, phones=given, words="alpha.wrd", metrics="token"
        )
        alone = scorespec.score(SUITE, phones=phones, words="alpha.wrd", fragments="subs/jitter.class", metrics="token")
        assert len(batch) == 3
        assert batch["jitter"].scores.equals(alone.scores)


@slow
def test_transcripts_of_systems_are_their_own(tmp_path):
    """The first system has none. Runs whose gold differed could not be ranked."""
    tags = {"right": "0,ENAMEX PERSON", "mistaken": "0,ENAMEX LOCATION"}  # extent and content are right
    for name, tag in tags.items():
        (tmp_path / f"{name}.csv").write_text(f"document,token,entity,tag\nd,NEWT,{tag}\nd,SPEAKS,,\n")
    right = tmp_path / "right.csv"
    runs = [{"name": name, "hypothesis": right, "transcript": tmp_path / f"{name}.csv"} for name in tags]
    runs.insert(0, {"name": "none", "hypothesis": right})
    asked = {"metrics": "prediction", "params": {"transcript_fscore": 0.5}}
    batch = scorespec.score_each("speech_ne", runs, reference=right, **asked, output=tmp_path / "r.duckdb")
    found = {name: run["prediction"]["transcript_fscore"] for name, run in batch.runs.items()}
    assert found == {"none": 0.5, "right": 1, "mistaken": pytest.approx(2 / 3)}
    ranked = scorespec.leaderboard(tmp_path / "r.duckdb", metrics="prediction.lost_by_tagging")
    assert [each.system for each in ranked] == ["right", "mistaken", "none"]


BRINGING = """
domain: quiz
tables:
  answers: {about: x, columns: {item: {type: BIGINT, about: x}}, formats: [csv], submitted: true}
  hints: {extends: answers}
metrics:
  hinted: {about: x, kind: statistics, from: hints, statistics: {value: count(*)}}
suites:
  quiz: {about: x, inputs: [answers], optional: [hints], metrics: [hinted]}
"""


def test_what_the_first_system_lacks_is_not_gold(tmp_path):
    for name, text in {"quiz.yaml": BRINGING, "one.csv": "item\n1\n"}.items():
        (tmp_path / name).write_text(text)
    one = tmp_path / "one.csv"
    runs = [{"name": "without", "answers": one}, {"name": "with", "answers": one, "hints": one}]
    batch = scorespec.score_each("quiz", runs, specs=tmp_path / "quiz.yaml")
    assert {name: run["hinted"].value for name, run in batch.runs.items()} == {"without": 0, "with": 1}


# -- how submissions are found -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["s/a.class", "s/b.class"], ["a", "b"]),
        (["s/a/x.class", "s/b/x.class"], ["a", "b"]),
        (["A/r1.class", "A/r2.class", "B/r1.class"], ["A/r1", "A/r2", "B/r1"]),
        (["x/team.v1.class", "x/team.v2.class"], ["team.v1", "team.v2"]),
        (["s/a.class"], ["a"]),
        (["a.tsv", "b.xml"], ["a.tsv", "b.xml"]),
        (["a", "b/c"], ["a", "b/c"]),
        (["/r/a/b/c", "/r/a"], ["a/b/c", "a"]),
    ],
)
def test_a_name_is_the_part_in_which_a_path_differs(paths, names):
    assert names_of(paths) == names


def test_a_list_of_runs(cli, subs, write):
    """Its paths are those from its own folder. Inputs of all runs may stand in it, too."""
    (subs / "beta.phn").write_text((subs.parent / "alpha.phn").read_text())
    write(
        "subs/runs.csv", "name,corpus,fragments,phones\na,one,jitter.class,../alpha.phn\na,two,jitter.class,beta.phn\n"
    )
    printed = cli("score", SUITE, WORDS, "--each", "subs/runs.csv", "--metric", "token", "--quiet", "-o", "r.duckdb")
    assert [line.split("  ")[0] for line in printed.scored().splitlines()[:-1]] == ["submission", "a (one)", "a (two)"]
    assert ask("SELECT name, corpus FROM runs ORDER BY id") == [("a", "one"), ("a", "two")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,fragments\na,x\na,y\n", "error: several submissions are called 'a'; each needs a name of its own"),
        (
            "name,fragment\na,x\n",
            "runs.csv:2: unknown column 'fragment' (meta.fragment would be metadata); did you mean 'fragments'?",
        ),
        ("name,fragments\n,x\n", "runs.csv:2: the run has no name"),
        ("name,fragments\na\n", "runs.csv:2: the row has not as many fields as the header"),
        ("name,fragments\na,b,c\n", "runs.csv:2: the row has not as many fields as the header"),
        ("name,fragments,phones\na,b,c\n", "error: input 'phones' is given for each submission, and for all of them"),
    ],
)
def test_a_wrong_list_of_runs(cli, write, text, said):
    write("runs.csv", text)
    cli("score", SUITE, PHONES, WORDS, "--each", "runs.csv").refused(said, code=2)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["fragments=none/*.class"], "no file matches 'none/*.class', which was given for 'fragments'"),
        (["none.csv"], "none.csv: No such file or directory"),
        (["runs"], "--each runs: write INPUT=PATTERN, or give a list of runs that ends in .csv or .tsv"),
        (
            ["fragments=subs/*.class", "speakers=subs/[jp]*.class"],
            "no speakers of 'overlap'; the paths of all inputs need the same names",
        ),
        (["phones=subs/*.class"], "input 'phones' is given for each submission, and for all of them"),
        (
            ["fragments=subs/*.class", "--with-reference-points"],
            "reference points belong to the gold: score them in a call of their own, without --each",
        ),
    ],
)
def test_a_wrong_call(cli, subs, given, said):
    options = [option for each in given for option in ([each] if each.startswith("--") else ["--each", each])]
    cli("score", SUITE, PHONES, WORDS, *options).refused_with(said, code=2)


# -- a bad submission --------------------------------------------------------------------------------


def test_a_bad_submission_stops_no_other(each, subs):
    (subs / "bad.class").write_text(BAD)
    result = each("-o", "r.duckdb")
    assert result.code == 1
    assert result.err.splitlines() == [
        "1 of 4 submissions failed:",
        f"  bad  subs/bad.class:{UNKNOWN}",
    ]
    assert [line.split()[0] for line in result.out.splitlines()[1:-1]] == sorted(KINDS)
    assert ask("SELECT name FROM runs ORDER BY id") == [(name,) for name in sorted(KINDS)]


def test_all_problems_of_a_bad_submission_are_listed(each, subs):
    (subs / "bad.class").write_text(BAD + "x 3 2\n")
    assert each().err.splitlines() == [
        "submission bad failed:",
        f"subs/bad.class:{UNKNOWN}",
        "subs/bad.class:3: offset 2 is not after onset 3",
        "1 of 4 submissions failed:",
        f"  bad  subs/bad.class:{UNKNOWN}",
    ]


def test_the_first_may_be_bad(each, subs):
    (subs / "a.class").write_text(BAD)
    (subs / "b.class").symlink_to("missing")
    result = each()
    assert (result.code, len(result.out.splitlines())) == (1, 5)
    assert result.err.splitlines()[-2:] == [f"  a  subs/a.class:{UNKNOWN}", "  b  subs/b.class: no such file"]


def test_bad_gold_is_reported_once(cli, subs, write):
    write("bad.phn", "x 0.0 y z\n")
    result = cli("score", SUITE, "phones=bad.phn", WORDS, "--each", "fragments=subs/*.class")
    result.refused_with("bad.phn:1: ", code=1)
    assert len(result.err.splitlines()) == 1


def test_bad_gold_of_one_corpus(cli, subs, write):
    write("bad.phn", "x 0.0 y z\n")
    gold = ["alpha.phn", "alpha.phn", "bad.phn", "bad.phn"]
    listed = "".join(f"{name},subs/jitter.class,{path}\n" for name, path in zip("abcd", gold, strict=True))
    write("runs.csv", "name,fragments,phones\n" + listed)
    result = cli("score", SUITE, WORDS, "--each", "runs.csv", "--metric", "token", "--quiet")
    assert (result.code, [line[:1] for line in result.out.splitlines()[1:-1]]) == (1, ["a", "b"])
    assert "2 of 4 submissions failed:" in result.err


def test_a_wrong_call_is_reported_once(each):
    each("--param", "nothing=1").refused_with("unknown parameter 'nothing'", code=2)


# -- what is printed ---------------------------------------------------------------------------------


def test_json_has_runs_and_failures(each, subs):
    (subs / "bad.class").write_text(BAD)
    found = strict(each("--format", "json").out)
    assert [run["run"]["name"] for run in found["runs"]] == sorted(KINDS)
    (failed,) = found["failed"]
    assert (failed["submission"], failed["kind"]) == ("bad", "input")
    assert failed["problems"][0]["line"] == 2


def test_intervals_are_beside_the_scores(cli, write):
    write("ref.trn", "".join(f"a b ({name}-{number})\n" for name in "abcdefghij" for number in (1, 2)))
    for run, wrong in (("one", "abc"), ("two", "abcdefgh")):
        texts = [("a x" if name in wrong else "a b", name, number) for name in "abcdefghij" for number in (1, 2)]
        write(f"run_{run}.trn", "".join(f"{text} ({name}-{number})\n" for text, name, number in texts))
    asked = ("score", "wer", "reference=ref.trn", "--confidence", "95", "--quiet")
    printed = cli(*asked, "--each", "hypothesis=run_*.trn").out
    assert re.findall(r"^run_(?:one|two) +(0\.\d{4}) \(0\.\d{4}–0\.\d{4}\)", printed, re.MULTILINE) == [
        "0.1500",
        "0.4000",
    ]


def test_csv_has_a_row_for_each_score(each, cli):
    lines = each("--format", "csv").scored().splitlines()
    alone = cli("score", SUITE, PHONES, WORDS, "fragments=subs/jitter.class", "--metric", "token", "--format", "csv")
    head, *scores = alone.out.splitlines()
    assert lines[0] == f"name,corpus,{head}"
    assert [line for line in lines if line.startswith("jitter,")] == [f"jitter,,{score}" for score in scores]


def test_csv_has_the_corpus_in_a_column_of_its_own(cli, subs, write):
    write("runs.csv", "name,corpus,fragments\na,one,subs/jitter.class\na,two,subs/overlap.class\n")
    printed = cli("score", SUITE, PHONES, WORDS, "--each", "runs.csv", "--metric", "token", "--format", "csv")
    found = {tuple(line.split(",")[:3]) for line in printed.out.splitlines()}
    assert found == {("name", "corpus", "metric"), ("a", "one", "token"), ("a", "two", "token")}


@slow
def test_metadata_of_each_submission(cli, subs, write):
    write("runs.csv", "name,meta.team,meta.hours,fragments\na,ours,3,subs/jitter.class\nb,,,subs/overlap.class\n")
    ask_for = ("score", SUITE, PHONES, WORDS, "--each", "runs.csv", "--metric", "token", "--quiet", "-o", "r.duckdb")
    cli(*ask_for, "--meta", "team=all", "--meta", "year=2026").scored()
    assert [json.loads(meta) for (meta,) in ask("SELECT meta FROM runs ORDER BY id")] == [
        {"team": "ours", "year": "2026", "hours": "3"},
        {"team": "all", "year": "2026"},
    ]
    rows = [{"name": "a", "fragments": "subs/jitter.class", "meta.hours": 3, "meta.team": None}]
    batch = scorespec.score_each(SUITE, rows, phones="alpha.phn", words="alpha.wrd", metrics="token")
    assert batch["a"].meta == {"hours": 3}


def test_the_only_slice_of_a_metric_is_not_named(cli, subs):
    given = [PHONES, WORDS, "--each", "fragments=subs/[jo]*.class", "--metric", "token", "--quiet"]
    head, *_ = cli("score", "zerospeech2015", *given).scored().splitlines()
    assert head.split() == ["submission", "token.precision", "token.recall", "token.fscore"]
    folds = cli("score", "zerospeech2015", *given, "--folds").scored().splitlines()
    assert folds[0].split() == ["fold", *head.split()]


@slow
def test_parts_have_rows_of_their_own(cli, subs, tmp_path):
    """Each value is that of a run of one submission; the slices of the metric itself are not listed again."""
    text = "file,group\n" + "".join(f"alpha_s{who}{n},{'ab'[n - 1]}\n" for who in "abc" for n in (1, 2))
    (tmp_path / "recordings.csv").write_text(text)
    given = [PHONES, WORDS, f"metadata={tmp_path / 'recordings.csv'}", "--by", "group", "--metric", "token", "--quiet"]
    lines = cli("score", SUITE, *given, "--each", "fragments=subs/[jo]*.class").scored().splitlines()
    assert lines[0].split() == ["group", "submission", "token.precision", "token.recall", "token.fscore"]
    found = {(part, name): values for part, name, *values in (line.split() for line in lines[1:-1])}
    assert [*found] == [(part, name) for part in ("all", "a", "b") for name in ("jitter", "overlap")]
    for name in ("jitter", "overlap"):
        alone = scorespec.score(SUITE, phones=DATA / "alpha.phn", words=DATA / "alpha.wrd", metrics="token", by="group",
            fragments=subs / f"{name}.class", metadata=tmp_path / "recordings.csv")  # fmt: skip
        for part, slice_ in (("all", {}), ("a", {"group": "a"}), ("b", {"group": "b"})):
            values = [alone.value("token", each, **slice_) for each in ("precision", "recall", "fscore")]
            assert found[part, name] == [f"{value:.4f}" for value in values]


def test_a_warning_has_the_names_of_its_submissions(cli, subs):
    shutil.copy(subs / "jitter.class", subs / "twin.class")
    result = cli("score", SUITE, PHONES, WORDS, "--each", "fragments=subs/*.class", "--metric", "token")
    assert "note: submissions jitter, twin: 12 of 774 distinct fragments" in result.err


def test_progress_counts_submissions(cli, subs):
    call = ("score", SUITE, PHONES, WORDS, "--each", "fragments=subs/*.class", "--metric", "token")
    lines = cli(*call, "--progress", "json").err.splitlines()
    starts = [json.loads(line) for line in lines if line[0] == "{"]
    numbered = [(each["name"], each["number"], each["total"]) for each in starts if each["event"] == "start"]
    assert numbered == [(name, number, 3) for number, name in enumerate(sorted(KINDS), 1)]


def test_a_batch_in_python(subs):
    (subs / "bad.class").write_text(BAD)
    batch = scorespec.score_each(SUITE, {"fragments": "subs/*.class"}, phones="alpha.phn", words="alpha.wrd")
    assert list(batch) == sorted(KINDS)
    assert batch["perfect"]["token"].fscore == 1
    with pytest.raises(scorespec.InputError, match="unknown file x"):
        batch["bad"]
    with pytest.raises(scorespec.UsageError, match="no submission is called 'perfekt'; did you mean 'perfect'"):
        batch["perfekt"]
    assert "bad failed: subs/bad.class:2: " in repr(batch)
