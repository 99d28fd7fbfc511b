"""Wrong usage: exit code 2 and one message that names the nearest known thing."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import scorespec
from marks import first, some


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--metric", "tokn"], "unknown metric 'tokn'; did you mean 'token'?"),
        (
            ["--metric", "matching"],
            "unknown metric 'matching'; to score that of another suite, give its full name: zerospeech2015.matching",
        ),
        (
            ["--metric", "token(edge_tme=0.1)"],
            "unknown parameter 'edge_tme' of metric 'token'; did you mean 'edge_time'?",
        ),
        (
            ["--metric", "token(edge_time=0.1"],
            "'token(edge_time=0.1' is not a metric; write token(parameter=value,…)",
        ),
        (["--metric", "token(0.1)"], "'token(0.1)' is not a metric; write token(parameter=value,…)"),
        (
            ["--param", "edge_tme=1"],
            "unknown parameter 'edge_tme' of suite 'zerospeech2017'; did you mean 'edge_time'?",
        ),
        (
            ["--param", "silent_words=[]", "--metric", "ned"],
            "parameter 'silent_words' changes no metric of suite 'zerospeech2017' in this run",
        ),
        (["--param", "edge_time"], "--param 'edge_time': write NAME=VALUE"),
        (["--param", "=1"], "--param '=1': write NAME=VALUE"),
        (["--param", "edge_time=1", "--param", "edge_time=2"], "--param 'edge_time' is given twice"),
        *(
            (
                ["--confidence", level],
                f"--confidence {level}: write a level in percent, at least 50 and below 100, such as 95",
            )
            for level in ("0", "49", "100", "abc", "nan")
        ),
        (["--by", "fle"], "unknown column 'fle' in --by; did you mean 'file'?"),
        (["--format", "jsn"], "--format 'jsn'; did you mean 'json'?"),
        (["--format", "xml"], "--format 'xml'; known: csv, json, latex, markdown, table"),
        (["fragments=alpha.class::parket"], "unknown format 'parket'"),
        (["fragments=alpha.class::bar"], "unknown format 'bar'"),
        (
            ["fragments=alpha.class::phn"],
            "input 'fragments' cannot be read as phn; known: class, class_merge, csv, parquet, tsv",
        ),
        (
            ["fragmnts=alpha.class"],
            "unknown input 'fragmnts' of suite 'zerospeech2017'; did you mean 'fragments'?",
        ),
        (["threads=2"], "unknown input 'threads' of suite 'zerospeech2017'"),
        (["alpha.phn"], "input 'alpha.phn': write NAME=PATH"),
        (["=alpha.phn"], "input '=alpha.phn': write NAME=PATH"),
        (["fragments="], "input 'fragments' has no path; write fragments=PATH"),
        (["fragments=::class"], "input 'fragments' has no path; write fragments=PATH"),
        (["fragments=alpha.class", "fragments=alpha.class"], "input 'fragments' is given the file alpha.class twice"),
        (["--memory-limit", "much"], "--memory-limit 'much': "),
    ],
)
def test_wrong_usage(score, arguments, message):
    score(*arguments).refused_with(f"error: {message}", code=2)


def test_unknown_suite(cli):
    message = "error: unknown suite 'zerospeech2071'; did you mean 'zerospeech2017'?"
    cli("score", "zerospeech2071").refused(message, code=2)


@pytest.mark.parametrize("name", ["diarization", "der"])
def test_a_domain_or_the_begin_of_suites_is_no_suite(cli, name):
    message = f"error: unknown suite '{name}'; known: der_dscore, der_mdeval, der_pyannote"
    cli("score", name).refused(message, code=2)


def test_missing_input(cli, folder):
    cli("score", "zerospeech2017", "phones=alpha.phn", "words=alpha.wrd").refused(
        "error: missing input 'fragments': One row per member of a discovered cluster (C_disc).\n"
        "  formats: class, class_merge, csv, tsv, parquet\n"
        "  give it as fragments=PATH",
        code=2,
    )


def test_every_missing_input_is_told(cli):
    result = cli("score", "zerospeech2017")
    result.refused_with("give it as phones=PATH", "words=PATH", "fragments=PATH", code=2)


def test_a_choice_of_inputs_of_which_none_is_given(cli, tmp_path):
    (tmp_path / "q.tsv").write_text("query\ttext\nq\tword\n")
    (tmp_path / "a.tsv").write_text("doc\tchannel\ttbeg\tdur\nd\t1\t0\t9\n")
    (tmp_path / "d.tsv").write_text("query\tdoc\tchannel\ttbeg\tdur\tscore\tdecision\n")
    given = [
        "std2006",
        f"queries={tmp_path / 'q.tsv'}",
        f"audio={tmp_path / 'a.tsv'}",
        f"detections={tmp_path / 'd.tsv'}",
    ]
    cli("score", *given).refused(
        "error: missing input 'references': One row per token of the reference transcript, in any order.\n"
        "  formats: rttm, ctm, tsv, csv, parquet\n"
        "missing input 'occurrences': One row per occurrence of a query.\n"
        "  formats: tsv, csv, parquet\n"
        "  give it as references=PATH or occurrences=PATH",
        code=2,
    )


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        ("edge_time=x", "parameter 'edge_time' is 'x'; it must be a number"),
        ("edge_time=nan", "parameter 'edge_time' is 'nan'; it must be a number"),
        ("edge_time=inf", "parameter 'edge_time' is 'inf'; it must be a number"),
        ("edge_time=", "parameter 'edge_time' is ''; it must be a number"),
        ("same_token=maybe", "parameter 'same_token' is 'maybe'; allowed: times, span"),
    ],
)
def test_wrong_parameter_value(score, parameter, message):
    score("--param", parameter).refused_with(message, code=2)
    name, _, value = parameter.partition("=")
    metric = "grouping" if name == "same_token" else "token"
    score("--metric", f"{metric}({name}={value})").refused_with(message, code=2)


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "zerospeech2017", "--nope"],
        ["score", "zerospeech2017", "--threads", "0"],
        ["score", "zerospeech2017", "--threads", "many"],
        ["score"],
        ["nope"],
        ["query", "only.duckdb"],
        ["list", "everything"],
    ],
)
def test_what_the_parser_refuses(cli, arguments):
    cli(*arguments).refused_with(code=2)


def test_a_command_is_suggested(cli):
    said = "error: no such command 'scroe'; did you mean 'score', 'describe'? `scorespec --help` lists"
    cli("scroe").refused_with(said, code=2)


def test_a_parameter_as_an_option(cli):
    cli("score", "wer", "--collar", "1").refused_with("it is a parameter: write --param collar=VALUE", code=2)


def test_a_parameter_of_another_domain(score):
    score("--param", "skip_overlap=1").refused_with(
        "zerospeech2017'; it is a parameter of the domain diarization (der_dscore, der_mdeval, der_pyannote)", code=2
    )


def test_several_submissions_as_one(cli, tmp_path, monkeypatch):
    examples = Path(scorespec.__file__).parent / "examples" / "zerospeech2017"
    monkeypatch.chdir(examples)
    refused = cli("score", "zerospeech2017", "words=words.wrd", "phones=phones.phn", "fragments=fragments/*.class")
    assert "; all files are one submission; --each fragments=… scores each file as one\n" in refused.err
    assert len(refused.err.splitlines()) == 2


def test_usage_is_told_before_anything_is_read(score):
    score("fragments=nothere.class", "--metric", "tokn").refused_with("unknown metric", code=2)


HELP = {
    "score": [
        *("--specs", "--param", "--metric", "--from", "--by", "--output", "-o", "--format"),
        *("--memory-limit", "--threads", "--temp-dir", "--quiet"),
    ],
    "demo": ["SUITE", "--output", "-o"],
    "report": ["RESULTS", "RUN", "--output", "-o", "--specs", "--plugin", "--schema"],
    "plot": ["RESULTS", "FIGURE", "RUN", "--output", "-o", "--width", "--by", "--specs", "--plugin", "--schema"],
    "list": [
        *(
            "SECTION",
            "suites, metrics, relations, tables, reference_points, figures, "
            "parameters, columns, components, kinds, macros, ",
        ),
        *("--domain", "--with-column", "--specs"),
    ],
    "show": ["--specs"],
    "compile": ["--specs", "--param", "--metric", "--from", "--by"],
    "validate": ["--manifest", "--skipped", "--specs", "--param", "--metric", "--from", "--quiet", "table|json"],
    "check": ["PATH", "--specs", "--plugin"],
    "explain": ["SUITE", "STEP", "--param", "--metric", "--from", "--by", "--memory-limit", "--threads", "--temp-dir"],
    "query": ["--format", "--file"],
    "compare": [
        *("RESULTS", "RUN RUN...", "--metric", "--slices", "--confidence", "--correction", "--worst", "--format"),
        *("--schema", "--memory-limit", "--threads", "--temp-dir"),
    ],
    "leaderboard": ["RESULTS", "RUN", "--suite", "--metric", "--by", "--confidence", "--format", "-o", "--schema"],
    "gate": ["RESULTS", "RUN", "--targets", "--baseline", "--undecided", "hold|fail", "--format", "junit|github"],
    "calibrate": ["RESULTS", "RUN", "PARAMETER", "--specs", "--plugin", "--schema", "text|json|yaml"],
    "schema": ["--targets"],
}


@pytest.mark.parametrize("command", HELP)
def test_help_names_every_option(cli, command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERMINAL_WIDTH", "200")
    text = cli(command, "--help").scored()
    for option in some(HELP[command]):
        assert option.lower() in text.lower()


def test_a_long_argument_is_not_echoed_whole(cli):
    result = cli("x" * 10_000)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: no such command 'xxx")
    assert len(result.err) < 1100


def test_help_names_every_command(cli):
    text = cli("--help").scored()
    assert all(command in text for command in HELP)


@pytest.mark.parametrize("group", ["runs", "challenge"])
def test_a_group_without_a_command_prints_its_help(cli, group):
    result = cli(group)
    assert (result.code, result.out, result.err) == (0, cli(group, "--help").out, "")


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("scorespec que", ["query"]),
        ("scorespec score zerospeech", ["zerospeech2015", "zerospeech2017"]),
        ("scorespec score std2006 --metric mt", ["mtwv"]),
    ],
)
def test_the_shell_completes_names(process, monkeypatch, typed, completed):
    monkeypatch.setenv("_SCORESPEC_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
    assert process().out.split() == completed


def test_the_package_lists_its_public_names():
    import scorespec

    assert dir(scorespec) == sorted(scorespec.__all__)


def test_command_line_starts_without_the_heavy_libraries():
    heavy = ("duckdb", "pyarrow", "jinja2", "yaml", "numpy", "jsonschema", "pandas")
    code = f"import scorespec.cli, sys; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_texts_and_paths_of_a_command_are_read_without_pydantic(tmp_path):
    arguments = ["show", "token", "--plugin", "json", "--specs", str(tmp_path / "none")]
    code = (
        f"import sys; from scorespec.cli import app\n"
        f"try: app({arguments})\n"
        f"except SystemExit: print('pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    assert "json" in done.stderr


# One of each format that is read as text; what is looked for is whether a run pays for a library that it does not need.
RUNS = {
    "zerospeech2017": {
        "phones": "term_discovery/alpha.phn",
        "words": "term_discovery/alpha.wrd",
        "fragments": "term_discovery/alpha.jitter.class",
    },
    "std2006": {
        "queries": "term_detection/small/kwlist.xml",
        "references": "term_detection/small/ref.rttm",
        "audio": "term_detection/small/ecf.xml",
        "detections": "term_detection/small/kwslist.xml",
    },
}


@pytest.mark.parametrize("suite", first(RUNS))
def test_a_run_does_not_import_pandas(suite):
    data = Path(__file__).parents[1] / "data"
    inputs = {name: str(data / path) for name, path in RUNS[suite].items()}
    code = f"import scorespec, sys; scorespec.score({suite!r}, inputs={inputs}); print('pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def _commands(group, words=()):
    from typer.main import get_command

    from scorespec.cli import app

    for name, command in (group or get_command(app)).commands.items():
        yield " ".join((*words, name)), command
        if hasattr(command, "commands"):
            yield from _commands(command, (*words, name))


def test_each_help_begins_with_an_example_that_can_be_typed(cli):
    for name, command in some([("", None), *_commands(None)]):
        text = cli(*name.split(), "--help").scored()
        example = text.splitlines()[3].removeprefix("   $ ")
        assert example.startswith(f"scorespec {name}".rstrip())
        assert len(example) <= 75
        assert not re.search(r"<(bool|str|path|int|list)|[{}]", text), name
        if command and not hasattr(command, "commands"):
            command.make_context(name, shlex.split(example)[1 + len(name.split()) :])  # parses, or raises


def test_a_script_says_what_it_needs_and_each_explanation_once(cli):
    lines = cli("compile", "zerospeech2017").scored().splitlines()
    top = " ".join(line.removeprefix("--").strip() for line in lines[:12])
    assert "To run it in DuckDB, first fill the tables of the inputs: phones, words, fragments " in top
    assert "also the tables …_rows_…, which Python functions make" in top
    assert sum("The statistics of the metric for each unit" in line for line in lines) == 1


def test_a_metric_or_a_beginning_in_place_of_a_name(cli):
    cli("score", "eer").refused_with("unknown suite 'eer'; eer is a metric of: verification", code=2)
    cli("score", "WER").refused_with("unknown suite 'WER'; did you mean 'wer'?", code=2)
    cli("wer", "a.trn", "b.trn").refused_with("no such command: wer; it is a suite: scorespec score wer …", code=2)
    cli("score", "DER").refused_with("unknown suite 'DER'; known: der_dscore, der_mdeval, der_pyannote", code=2)
    cli("score", "wer", "ref=x.trn").refused_with(
        "unknown input 'ref' of suite 'wer'; did you mean 'reference'?", code=2
    )
    cli("score", "wer", "words=x.trn").refused_with("'words' of suite 'wer'; it needs hypothesis, reference; ", code=2)
