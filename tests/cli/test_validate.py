"""`scorespec validate`: inputs are checked without scoring them, without the gold, and with a manifest in its place."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from command_line import DATA, FRAGMENTS, INPUTS, PHONES, SUITE, WORDS, Command

import scorespec
from marks import first, only
from scorespec.app.validate import manifest_of
from scorespec.catalog.lookup import load_catalog
from scorespec.check.documents_checked import verify

Write = Callable[[str, str], str]
GOLD = (PHONES, WORDS)
DETECTION = DATA.parent / "term_detection"
LATE = """\
    Class 1
    alpha_sa1 1.00 2.00
    alpha_sa1 9990.00 9990.50
    alpha_sx9 1.00 2.00
    """


@pytest.fixture
def manifest(write: Write) -> str:
    """The recordings of the test corpus, each of 60 s."""
    names = sorted({line.split()[0] for line in (DATA / "alpha.phn").read_text().splitlines()})
    return "--manifest=" + write("files.csv", "recording,duration\n" + "".join(f"{name},60\n" for name in names))


def test_a_submission_is_checked_without_gold(cli: Command, folder: Path) -> None:
    result = cli("validate", SUITE, FRAGMENTS)
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        "input      format  rows\n"
        "fragments  class    774\n"
        "\n"
        "8 checks not made for lack of phones, words, --manifest (see --skipped)\n"
        "\n"
        "valid, as far as it was checked\n"
    )


def test_the_checks_that_were_skipped_are_listed(cli: Command, folder: Path) -> None:
    result = cli("validate", SUITE, FRAGMENTS, "--skipped")
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        "input      format  rows\n"
        "fragments  class    774\n"
        "\n"
        "skipped without phones and words:\n"
        "  fragments: unknown file …: no phone and no word is in it\n"
        "  word_checks: … of … words do not begin and end at a phone boundary, so that their transcriptions can have "
        "phones of their neighbours and the gold itself may not score 1: …\n"
        "  word_checks: … of … words have labels that usually mean silence, and count as words; the parameter "
        "silent_words leaves them out: …\n"
        "  corpus_checks: … of … recordings have more words than phones, and phones that contain several words; are "
        "the inputs phones and words swapped? (…)\n"
        "  corpus_checks: … of … recordings have the same times and labels for words and for phones; was one file "
        "given for both inputs? (…)\n"
        "\n"
        "skipped without --manifest:\n"
        "  fragments: unknown file …: it is not in the manifest\n"
        "  fragments: offset … is more than 0.1 s after the end of …\n"
        "\n"
        "skipped without phones:\n"
        "  fragment_spans: … of … distinct fragments have no phone in their transcription; "
        "only the metric sizes counts them\n"
        "\n"
        "valid, as far as it was checked\n"
    )


def test_a_manifest_stands_for_the_gold(cli: Command, write: Write, manifest: str) -> None:
    result = cli("validate", SUITE, f"fragments={write('late.class', LATE)}", manifest)
    assert result.code == 1
    assert result.err == (
        "late.class:3: offset 9990.50 is more than 0.1 s after the end of alpha_sa1\n"
        "late.class:4: unknown file alpha_sx9: it is not in the manifest\n"
    )
    assert result.out.startswith("input      format  rows\nfragments  class      3\nmanifest   csv        6\n")
    assert "valid" not in result.out
    assert "without --manifest" not in result.out
    well = cli("validate", SUITE, FRAGMENTS, manifest)
    assert (well.code, well.err) == (0, "")
    everything = cli("validate", SUITE, *INPUTS, manifest)
    assert (everything.code, everything.err) == (0, "")
    assert everything.out.endswith("\nmanifest   csv         6\n\nvalid\n")


def test_durations_may_be_rounded_or_missing(cli: Command, write: Write) -> None:
    write("near.class", "Class 1\na 1.00 2.00\na 59.00 60.09\nb 1.0 9990.0\n\n")
    write("files.csv", "recording,duration\na,60\nb,\n")
    assert cli("validate", SUITE, "fragments=near.class", "--manifest", "files.csv").code == 0
    write("names.csv", "recording\na\nb\n")
    assert cli("validate", SUITE, "fragments=near.class", "--manifest", "names.csv").code == 0


def test_a_manifest_is_checked_itself(cli: Command, write: Write, folder: Path) -> None:
    write("files.csv", "recording,duration\na,60\na,61\nb,-1\n")
    result = cli("validate", SUITE, FRAGMENTS, "--manifest", "files.csv")
    assert result.code == 1
    assert "files.csv:3: repeats an earlier line: recording a" in result.err
    assert "files.csv:4: duration -1 is not above 0" in result.err


@pytest.mark.parametrize(
    "rows",
    first(
        [
            "Class 1\nalpha_sa1 1 1\n",
            "Class 1\nalpha_sa1 1 x\nalpha_sa1 2 1\n",
            "alpha_sa1 1 2\n",
            "",
            "Class 1\nz 1 2\n",
        ],
        2,
    ),
)
def test_messages_are_those_of_score(cli: Command, score: Command, write: Write, rows: str) -> None:
    bad = f"fragments={write('bad.class', rows)}"
    scored, validated = score(bad), cli("validate", SUITE, *GOLD, bad)
    assert (scored.code, validated.code) == (1, 1)
    assert validated.err == scored.err
    without = cli("validate", SUITE, bad)
    assert without.err == ("" if "\nz 1" in rows else scored.err)


def test_checks_of_relations_wait_for_those_of_inputs(cli: Command, write: Write, folder: Path) -> None:
    call = ("validate", SUITE, *GOLD, f"fragments={write('bad.class', 'Class 1')}")
    assert cli(*call).out.endswith("\n6 checks not made until the problems are mended\n")
    result = cli(*call, "--skipped")
    reason = result.out.partition("skipped until the problems are mended:\n")[2]
    assert "\n  fragment_spans: … of … distinct fragments have no phone" in reason


def test_errors_of_relations_are_found(cli: Command, write: Write, folder: Path) -> None:
    text = "<DOC>\n<DOCNO>d</DOCNO>\n<ENAMEX TYPE='PLANET'>Mars</ENAMEX> is red\n</DOC>\n"
    reference, hypothesis = write("r.sgml", text.replace("PLANET", "LOCATION")), write("h.sgml", text)
    scored = cli("score", "speech_ne", f"reference={reference}", f"hypothesis={hypothesis}")
    validated = cli("validate", "speech_ne", f"hypothesis={hypothesis}", "--skipped")
    assert scored.code == validated.code == 1
    assert "h.sgml:3: unknown tag ENAMEX PLANET" in scored.err
    assert validated.err == scored.err
    reasons = validated.out.partition("skipped without reference:")[2].splitlines()
    assert "  text_checks" in reasons
    assert not [line for line in reasons if line.startswith("  tagged_entities: unknown tag")]


def test_warnings_about_a_submission_need_no_gold(cli: Command, folder: Path) -> None:
    data = DETECTION / "small_outside"
    inputs = [f"queries={data}/kwlist.xml", f"audio={data}/ecf.xml", f"detections={data}/kwslist.xml"]
    result = cli("validate", "std2006", *inputs, "--skipped")
    warning = (
        "warning: 3 detections outside the audio count as false alarms unless they are aligned with an occurrence "
        "(those with NO in metrics over all thresholds, such as mtwv); outside_audio=drop leaves them out\n"
    )
    assert (result.code, result.err) == (0, warning)
    assert "skipped without references or occurrences:\n" in result.out
    assert cli("validate", "std2006", *inputs, "--quiet").err == ""
    others = {"drop": "are left out", "error": "end the run"}
    for value, happens in others.items():
        said = cli("validate", "std2006", *inputs, "--param", f"outside_audio={value}")
        warning = f"3 detections outside the audio {happens} unless they are aligned with an occurrence\n"
        assert (said.code, said.err) == (0, f"warning: {warning}")
    whole = cli("validate", "openkws13", *inputs)
    assert whole.err == "warning: 4 detections outside the audio are left out\n"
    refused = cli("validate", "std2006", *inputs, f"references={data}/ref.rttm", "--param", "outside_audio=error")
    assert refused.code == 1
    assert refused.err.count("is outside the audio; set outside_audio=drop to leave it out") == 3


def test_a_list_alone_shows_where_it_ends(cli: Command, write: Write) -> None:
    header = "query,doc,channel,tbeg,dur,score,decision\n"
    detections = write("d.csv", header + "".join(f"q,d,1,{at},0.5,{at},YES\n" for at in range(3)))
    result = cli("validate", "sws2013", f"detections={detections}")
    assert result.code == 0
    assert result.err.startswith("warning: all 3 detections have the decision YES, so that nothing is known below the ")
    assert result.out.endswith("\nvalid, as far as it was checked, with 1 warning\n")


def test_warnings_of_a_hypothesis_need_no_reference(cli: Command, write: Write) -> None:
    hypothesis = write("h.csv", "document,token\na,cafe\u0301\n")
    result = cli("validate", "wer", f"hypothesis={hypothesis}")
    assert result.err == "warning: words that are not in the Unicode form NFC and are compared in that form: 1\n"


def test_what_depends_on_a_choice_of_inputs_is_no_fault(cli: Command, write: Write) -> None:
    write("queries.csv", "query\nq1\n")  # without text: right with the input occurrences, wrong with references
    result = cli("validate", "std2006", "queries=queries.csv", "--skipped")
    assert (result.code, result.err) == (0, "")
    assert "\n  query_words: query … has no text" in result.out
    write("ref.csv", "doc,channel,tbeg,dur,token\nd,1,0,1,a\n")
    fault = cli("validate", "std2006", "queries=queries.csv", "references=ref.csv")
    assert fault.code == 1
    assert "query q1 has no text" in fault.err


SUBMISSIONS = {
    "term_discovery": {"fragments": {"cluster": ["1"], "file": ["z"], "onset": [1.0], "offset": [2.0]}},
    "term_detection": {
        "detections": {
            "query": ["q"], "doc": ["z"], "channel": ["1"], "tbeg": [1.0], "dur": [1.0], "score": [0.5],
            "decision": ["YES"],
        }
    },
    "diarization": {"hypothesis": {"doc": ["z"], "tbeg": [1.0], "dur": [1.0], "speaker": ["a"]}},
    "transcripts": {"hypothesis": {"document": ["z"], "token": ["a"], "onset": [1.0], "duration": [0.5]}},
    "articulation": {"submission": {"token": ["z"], "task": ["copy-synthesis"]}},
}  # fmt: skip


@pytest.mark.parametrize("suite", only(["wer"], load_catalog().names("suites")))
def test_every_suite_checks_names_and_durations(suite: str) -> None:
    catalog = load_catalog(suite=suite)
    found = catalog.suite(suite)
    if manifest_of(catalog.of_suite(found), found) is None:
        # The inputs list what is scored themselves: the audio of searches, and trials, which are pairs.
        given = {"resources": "audio", "verification": "scores"}[suite]
        with pytest.raises(scorespec.UsageError, match=rf"^suite '{suite}' takes no manifest: no check of its inputs"):
            scorespec.validate(suite, inputs={given: "a.csv"}, manifest="files.csv")
        return
    inputs = {name: pa.table(rows) for name, rows in SUBMISSIONS[found.domain].items()}

    def said(recording: str, duration: float) -> list[str]:
        manifest = pa.table({"recording": [recording], "duration": [duration]})
        validation = scorespec.validate(suite, manifest=manifest, inputs=inputs)
        assert bool(validation) == validation.valid
        return str(validation.error or "").splitlines()

    assert said("z", 2.0) == []
    unknown = [line for line in said("y", 2.0) if "it is not in the manifest" in line]
    assert len(unknown) == 1
    # The length of what is synthesised is free, and quesst2015 ignores times.
    if found.domain != "articulation" and suite != "quesst2015":
        assert ["end of" in line for line in said("z", 0.5)] == [True]


def test_documents_of_ones_own_are_checked_first(cli: Command, write: Write, folder: Path) -> None:
    write("mine.yaml", "domain: term_discovery\nmetrics: {mine: {extends: token, params: {edge_time: 0.01}}}\n")
    result = cli("validate", SUITE, FRAGMENTS, "--specs", "mine.yaml", "--metric", "mine")
    assert (result.code, result.err) == (0, "")
    write("mine.yaml", "domain: term_discovery\nmetrics: {mine: {extends: tokn}}\n")
    cli("validate", SUITE, FRAGMENTS, "--specs", "mine.yaml").refused_with("mine.yaml:2:")


def test_documents_of_a_manifest_are_expected(cli: Command, write: Write) -> None:
    write("h.csv", "document,token\na,word\n")
    write("files.csv", "recording\na\nb\n")
    result = cli("validate", "wer", "hypothesis=h.csv", "--manifest", "files.csv")
    assert (result.code, result.err) == (1, "files.csv:3: document b is not in the hypothesis\n")


def test_wrong_calls(cli: Command, folder: Path) -> None:
    cli("validate", SUITE).refused(
        f"error: there is nothing to check; give an input of suite {SUITE!r}, as NAME=PATH", code=2
    )
    cli("validate", SUITE, "fragment=alpha.class").refused_with("unknown input 'fragment'", "'fragments'?", code=2)
    cli("validate", SUITE, "recordings=files.csv").refused_with("unknown input 'recordings'", code=2)
    missing = cli("validate", SUITE, "fragments=none.class")
    assert (missing.code, missing.out, missing.err) == (1, "", "none.class: no such file\n")
    gone = cli("validate", SUITE, FRAGMENTS, "--manifest", "none.csv")
    assert (gone.code, gone.err) == (1, "none.csv: no such file\n")


def test_json(cli: Command, write: Write, manifest: str) -> None:
    result = cli("validate", SUITE, f"fragments={write('late.class', LATE)}", manifest, "--format", "json")
    found = json.loads(result.out)
    assert (result.code, found["suite"], found["valid"]) == (1, SUITE, False)
    assert [(each["name"], each["format"], each["rows"]) for each in found["inputs"]] == [
        ("fragments", "class", 3),
        ("manifest", "csv", 6),
    ]
    says = "unknown file {file}: no phone and no word is in it"
    assert {"about": "fragments", "says": says, "lacks": ["phones", "words"]} in found["skipped"]
    assert [(each["file"], each["line"], each["code"]) for each in found["problems"]] == [
        ("late.class", 3, "check"),
        ("late.class", 4, "check"),
    ]
    assert found["total"] == 2


def test_python(folder: Path, write: Write, manifest: str) -> None:
    files = manifest.removeprefix("--manifest=")
    well = scorespec.validate(SUITE, fragments="alpha.class", manifest=files)
    assert well
    assert (well.error, list(well.problems), list(well.warnings)) == (None, [], [])
    assert {lack for each in well.skipped for lack in each.lacks} == {"phones", "words"}
    bad = scorespec.validate(SUITE, fragments=write("late.class", LATE), manifest=files)
    assert not bad
    assert isinstance(bad.error, scorespec.InputError)
    assert bad.problems
    assert bad.problems == bad.error.problems


def test_parameters_and_metrics_decide_what_is_checked(cli: Command, write: Write, folder: Path) -> None:
    write("h.sgml", "<DOC>\n<DOCNO>d</DOCNO>\n<ENAMEX TYPE='PLANET'>Mars</ENAMEX> is red\n</DOC>\n")
    assert "unknown tag ENAMEX PLANET" in cli("validate", "speech_ne", "hypothesis=h.sgml").err
    for options in (["--metric", "wer"], ["--param", "tags=[*=OTHER]"]):
        result = cli("validate", "speech_ne", "hypothesis=h.sgml", *options)
        assert (result.code, result.err) == (0, "")
    cli("validate", SUITE, FRAGMENTS, "--param", "edge_tim=1").refused_with("edge_time", code=2)


def test_conditions_that_refer_to_other_tables_are_verified(write: Write) -> None:
    text = """\
        domain: mine
        tables:
          rows:
            about: One row per thing.
            columns: {name: {type: VARCHAR, about: its name}}
            formats: [csv]
            checks: [{sql: "name IN (SELECT nam FROM {{ known }})", needs: [known], says: "unknown {name}"}]
          known:
            about: One row per known thing.
            manifest: true
            columns: {name: {type: VARCHAR, about: its name}}
            formats: [csv]
        """
    write("mine.yaml", text)
    with pytest.raises(scorespec.SpecError, match=r"mine\.yaml:7:\d+: checks of table 'rows'.*nam"):
        verify(Path("mine.yaml"))
    write("mine.yaml", text.replace("SELECT nam ", "SELECT name "))
    verify(Path("mine.yaml"))
    write("mine.yaml", text.replace("needs: [known]", "needs: [unknown]"))
    with pytest.raises(scorespec.SpecError, match=r"mine\.yaml:7:\d+: unknown table 'unknown'; did you mean 'known'\?"):
        verify(Path("mine.yaml"))


# -- many submissions ------------------------------------------------------------------------------------

HEAD = ["submission", "valid", "problems", "warnings"]


@pytest.fixture
def many(folder: Path) -> Path:
    """A folder with three submissions: one is good, one has a warning, one has two problems."""
    (folder / "subs").mkdir()
    for name, text in {"bad": LATE.replace("    ", "") + "y 3 2\n", "good": "Class 1\nalpha_sa1 1.00 2.00\n"}.items():
        (folder / "subs" / f"{name}.class").write_text(text)
    shutil.copy(DATA / "alpha.overlap.class", folder / "subs" / "warned.class")
    return folder


def test_many_submissions_are_checked(cli: Command, many: Path) -> None:
    result = cli("validate", SUITE, PHONES, WORDS, "--each", "fragments=subs/*.class")
    assert result.code == 1
    lines = result.out.splitlines()
    assert [line.split() for line in lines[:4]] == [
        HEAD, ["bad", "no", "2", "0"], ["good", "yes", "0", "0"], ["warned", "yes", "0", "1"],
    ]  # fmt: skip
    assert lines[4:] == [
        "",
        "2 checks not made for lack of --manifest (see --skipped)",
        "",
        "6 checks not made until the problems are mended",
    ]
    warning, failed, *problems = result.err.splitlines()
    assert warning.startswith("note: submission warned: 2 of 680 distinct fragments have no phone ")
    assert failed == "submission bad failed:"
    assert problems == [
        "subs/bad.class:4: unknown file alpha_sx9: no phone and no word is in it",
        "subs/bad.class:5: offset 2 is not after onset 3",
        "1 of 3 submissions failed:",
        "  bad  subs/bad.class:4: unknown file alpha_sx9: no phone and no word is in it",
    ]
    only_good = cli("validate", SUITE, "--each", "fragments=subs/[g-z]*.class", "--quiet", "--skipped")
    assert (only_good.code, only_good.err) == (0, "")
    assert "skipped without phones and words:" in only_good.out


def test_a_list_of_runs_is_checked(cli: Command, many: Path, write: Write, manifest: str) -> None:
    write("runs.csv", "name,corpus,fragments,meta.team\na,one,subs/good.class,A\na,two,subs/none.class,B\n")
    result = cli("validate", SUITE, "--each", "runs.csv", manifest, "--format", "json")
    found = json.loads(result.out)
    assert [(each["submission"], each["valid"], each["total"]) for each in found["validations"]] == [
        ("a (one)", True, 0),
        ("a (two)", False, 1),
    ]
    assert (found["failed"], result.code) == ([], 1)
    assert result.err.splitlines()[-1] == "  a (two)  subs/none.class: no such file"


def test_a_fault_of_the_gold_is_told_once(cli: Command, many: Path, write: Write) -> None:
    write("bad.phn", "x 0.0 y z\n")
    result = cli("validate", SUITE, "phones=bad.phn", "--each", "fragments=subs/[g-z]*.class", "--quiet")
    assert (result.code, len(result.err.splitlines())) == (1, 1)
    assert result.err.startswith("bad.phn:1: ")


def test_many_submissions_in_python(many: Path, write: Write) -> None:
    rows = [{"name": name, "fragments": f"subs/{name}.class"} for name in ("good", "bad")]
    batch = scorespec.validate_each(
        SUITE, [*rows, {**rows[0], "name": "other", "from": "none.duckdb:1"}], phones="alpha.phn"
    )
    assert {name: found.valid for name, found in batch.runs.items()} == {"good": True, "bad": False}
    assert {name: type(error) for name, error in batch.failed.items()} == {"other": scorespec.RunError}
    with pytest.raises(scorespec.UsageError, match="unknown column 'fragment'"):
        scorespec.validate_each(SUITE, [{"name": "a", "fragment": "x"}])
