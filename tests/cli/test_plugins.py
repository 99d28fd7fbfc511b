"""Plugins: formats, functions and documents that others bring."""

from __future__ import annotations

import json
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random

import numpy as np
import pytest
from command_line import Command, Result
from scipy.stats import kendalltau, spearmanr

import scorespec
from scorespec.errors import UsageError
from scorespec.functions import RELATION_FUNCTIONS

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "mos"
PACKAGE = str(EXAMPLE / "scorespec_mos")
INPUTS = (f"ratings={EXAMPLE / 'example' / 'ratings.csv'}", f"predictions={EXAMPLE / 'example' / 'answer.txt'}")
# Worked out by hand. The means of the ratings are 4.5, 4, 3.5, 3, 2.5 and 1.5, of the systems 4.25, 3.25 and 2. In this
# order, the predictions are 4.25, 3.75, 2.5, 3, 3.25 and 2.75, of the systems 4, 2.75 and 3.
BY_HAND = {
    ("mse", "utterance"): (0.25**2 + 0.25**2 + 1 + 0.75**2 + 1.25**2) / 6,
    ("mse", "system"): (0.25**2 + 0.5**2 + 1) / 3,
    ("lcc", "system"): 1.0625 / (61 / 24 * 0.875) ** 0.5,
    ("srcc", "utterance"): 1 - 6 * (3**2 + 2**2 + 1) / (6 * 35),
    ("srcc", "system"): 1 - 6 * 2 / (3 * 8),
    ("ktau", "utterance"): (11 - 4) / 15,
    ("ktau", "system"): (2 - 1) / 3,
}


def values(printed: str) -> dict[tuple[str, str], float]:
    rows = json.loads(printed)["scores"]
    return {(row["metric"], row["slice"]["level"]): row["value"] for row in rows if [*row["slice"]] == ["level"]}


def test_the_scores_of_the_example_are_what_is_worked_out_by_hand(cli: Command) -> None:
    found = values(cli("score", "mos", "--plugin", PACKAGE, *INPUTS, "--format", "json").scored())
    assert {each: found[each] for each in BY_HAND} == pytest.approx(BY_HAND, rel=1e-12)


def in_python(
    ratings: Iterable[tuple[str, str, int]], predictions: Mapping[str, float]
) -> dict[tuple[str, str], float]:
    """The scores of ratings (utterance, system, score), as the script of the challenge computes them."""
    rated, systems = defaultdict(list), defaultdict(list)
    for utterance, _, score in ratings:
        rated[utterance].append(score)
    for utterance, system in sorted({(utterance, system) for utterance, system, _ in ratings}):
        systems[system].append((np.mean(rated[utterance]), predictions[utterance]))
    found = {}
    for level, pairs in (
        ("utterance", chain(*systems.values())),
        ("system", map(partial(np.mean, axis=0), systems.values())),
    ):
        x, y = np.array([*pairs]).T
        found["mse", level] = np.mean((x - y) ** 2)
        found["lcc", level] = np.corrcoef(x, y)[0, 1]
        found["srcc", level], found["ktau", level] = spearmanr(x, y).statistic, kendalltau(x, y).statistic
    return found


def test_the_example_scores_as_the_script_of_the_challenge(cli: Command, write: Callable[[str, str], str]) -> None:
    random = Random(1)
    names = [(f"{system}-{number}", system) for system in "abcdefgh" for number in range(5)]
    ratings = [(*name, listener, random.randint(1, 5)) for name in names for listener in ("ann", "bob", "cem")]
    predictions = {utterance: random.randint(4, 20) / 4 for utterance, _ in names}
    write(
        "ratings.csv", "utterance,system,listener,score\n" + "".join(f"{u},{s},{who},{n}\n" for u, s, who, n in ratings)
    )
    write("answer.txt", "".join(f"{utterance}.wav,{score}\n" for utterance, score in predictions.items()))
    inputs = ("ratings=ratings.csv", "predictions=answer.txt")
    scored = cli("score", "mos", "--plugin", PACKAGE, *inputs, "--by", "listener", "--format", "json").scored()
    expected = in_python([(u, s, score) for u, s, _, score in ratings], predictions)
    assert values(scored) == pytest.approx(expected, rel=1e-9)
    for listener in ("ann", "bob", "cem"):
        mine = [each for each in json.loads(scored)["scores"] if each["slice"].pop("listener", None) == listener]
        expected = in_python([(u, s, score) for u, s, who, score in ratings if who == listener], predictions)
        assert values(json.dumps({"scores": mine})) == pytest.approx(expected, rel=1e-9)


def test_the_format_of_the_example_reports_all_bad_lines(cli: Command, write: Callable[[str, str], str]) -> None:
    write("answer.txt", "utterance,score\n\na-1 4\na-1,4\nd-1,4\n")
    cli("score", "mos", "--plugin", PACKAGE, INPUTS[0], "predictions=answer.txt").refused(
        "answer.txt:1: score is not a number: 'score'\n"
        "answer.txt:3: expected utterance,score: 'a-1 4'\n"
        "answer.txt:5: unknown utterance d-1"
    )


def test_the_cases_of_the_example_hold(cli: Command) -> None:
    found = cli("check", f"{PACKAGE}/mos.yaml", "--plugin", PACKAGE).scored()
    assert found == "1 document, 4 metrics, 7 cases: all well\n"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example as if it were installed: its package and the entry point of its distribution are on Python's path."""
    shutil.copytree(EXAMPLE / "scorespec_mos", tmp_path / "scorespec_mos")
    info = tmp_path / "scorespec_mos-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: scorespec-mos\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[scorespec.plugins]\nmos = scorespec_mos\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in [each for each in sys.modules if each.startswith("scorespec_mos")]:
        monkeypatch.delitem(sys.modules, name)
    return tmp_path


def test_an_installed_plugin_is_found(cli: Command, installed: Path) -> None:
    assert "\nspeech_quality\n  mos " in cli("list").scored()
    found = values(cli("score", "mos", *INPUTS, "--format", "json").scored())
    assert {each: found[each] for each in BY_HAND} == pytest.approx(BY_HAND)
    assert "\n  tables of speech_quality: predictions\n" in cli("show", "voicemos").scored()
    # To name it once more changes nothing.
    assert cli("list", "--plugin", "scorespec_mos").scored() == cli("list").scored()


def test_plugins_are_recorded(cli: Command, installed: Path) -> None:
    cli("score", "mos", *INPUTS, "-o", "results.duckdb").scored()
    versions = scorespec.open_results("results.duckdb").sql("SELECT versions, signature FROM runs").to_pylist()[0]
    assert json.loads(versions["versions"])["mos"] == "1.0"
    assert "|mos:1.0|" in versions["signature"]
    plain = scorespec.compile("wer")
    assert "mos" not in plain.signature  # of suites that use nothing of it


def test_a_plugin_from_python() -> None:
    inputs = dict(each.split("=", 1) for each in INPUTS)
    run = scorespec.score("mos", plugins=[PACKAGE], inputs=inputs)
    assert run.value("ktau", level="system") == pytest.approx(1 / 3)
    assert run.sql("SELECT better, worse FROM evidence_misranked").to_pylist() == [{"better": "b", "worse": "c"}]
    with pytest.raises(UsageError, match="unknown suite 'mos'"):
        scorespec.score("mos", inputs=inputs)  # what one call was given, another does not have


def test_a_plugin_may_be_older_than_a_name_that_ships(cli: Command, folder: Path) -> None:
    package = folder / "older"
    shutil.copytree(PACKAGE, package)
    renamed = {
        "speech_quality": "verification",
        "  mos:\n    about": "  verification:\n    about",
        "voicemos": "seglst",
    }
    for file in [*package.glob("*.py"), *package.glob("*.yaml")]:
        text = file.read_text()
        for old, new in renamed.items():
            text = text.replace(f'"{old}"', f'"{new}"') if file.suffix == ".py" else text.replace(old, new)
        file.write_text(text)
    asked = ("score", "verification", "--plugin", "older", *INPUTS, "--format", "json")
    run = cli(*asked)
    assert values(run.out) == values(cli("score", "mos", "--plugin", PACKAGE, *INPUTS, "--format", "json").scored())
    assert "the format 'seglst' is that of the plugin 'older', not the one that ships with scorespec" in run.err
    assert "the domain 'verification' is that of the plugin 'older', not the one that ships with scorespec" in run.err
    assert "|older:" in json.loads(run.out)["run"]["signature"]


# -- what is no plugin ---------------------------------------------------------------------------------

FORMAT = "from scorespec.plugin import Format\nFORMATS = [Format({name!r}, 'about', ('.x',), None, None)]\n"
FUNCTION = """
from scorespec.plugin import NUMBER, Column, group_function
def twice(group):
    return {"doubled": [2 * each for each in group["score"]]}
SCORE = [Column("score", (NUMBER,))]
FUNCTIONS = {NAME: group_function(twice, about="twice", columns=SCORE, result={"doubled": NUMBER})}
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the plugin 'mine' defines none of FORMATS, FUNCTIONS and SPECS"),
        ("1 / 0", "the plugin 'mine.py' cannot be imported: ZeroDivisionError: division by zero"),
        ("def", "the plugin 'mine.py' cannot be imported: SyntaxError: invalid syntax (mine.py, line 1)"),
        ("FORMATS = ['csv']", "the plugin 'mine': FORMATS must be a list of scorespec.plugin.Format"),
        ("FUNCTIONS = [len]", "the plugin 'mine': FUNCTIONS must map names to scorespec.plugin.RelationFunction"),
        ("SPECS = 'nowhere'", "the plugin 'mine': SPECS must be the path of a document, or of a folder of documents"),
        (
            "from scorespec.functions import RELATION_FUNCTIONS as FUNCTIONS",
            f"the plugin 'mine' brings the function {next(iter(RELATION_FUNCTIONS))!r}, which is there already; "
            "rename it",
        ),
        (
            FUNCTION.replace("NAME", "'double'"),
            "the plugin 'mine': FUNCTIONS has 'twice' under the name 'double'; a function goes by its own name",
        ),
    ],
)
def test_what_is_no_plugin(cli: Command, write: Callable[[str, str], str], text: str, said: str) -> None:
    write("mine.py", text)
    cli("list", "--plugin", "mine.py").refused(f"error: {said}", code=2)


def test_a_plugin_that_is_not_there(cli: Command, folder: Path) -> None:
    said = "the plugin 'nowhere' cannot be imported: ModuleNotFoundError: No module named 'nowhere'"
    cli("list", "--plugin", "nowhere").refused(f"error: {said}", code=2)
    cli("list", "--plugin", "a/b.py").refused("error: no plugin at a/b.py: there is no file a/b.py", code=2)
    for path in ("./nope", "../nope", "a/b"):
        cli("list", "--plugin", path).refused(f"error: no plugin at {path}: there is no such file or folder", code=2)


def test_two_plugins_of_one_name(cli: Command, write: Callable[[str, str], str], folder: Path) -> None:
    (folder / "other").mkdir()
    for name in ("mine.py", "other/mine.py"):
        write(name, FORMAT.format(name=name.replace("/", "_").removesuffix(".py")))
    cli("list", "--plugin", "mine.py", "--plugin", "other/mine.py").refused(
        "error: two plugins have the name 'mine'", code=2
    )


# -- documents that use them ---------------------------------------------------------------------------

DOCUMENT = """
domain: mine
parameters:
  weight: {type: DOUBLE, default: 1.0, about: x}
macros:
  half: {about: Half of a number., params: [number], sql: number / 2}
tables:
  marks:
    about: Marks.
    columns: {file: {type: VARCHAR}, score: {type: DOUBLE}}
    formats: [csv]
relations:
  halves:
    about: x
    needs: [marks]
    params: [weight]
    FROM
metrics:
  sure: {about: x, kind: mean, from: halves, value: score}
suites:
  mine: {about: x, inputs: [marks], metrics: [sure]}
"""
WEIGHTED = """
from scorespec.plugin import NUMBER, Column, Setting, group_function
def weighted(group, *, factor):
    return {"score": [factor * each for each in group["score"]]}
FUNCTIONS = {"weighted": group_function(
    weighted, about="x", columns=[Column("score", (NUMBER,))], result={"score": NUMBER},
    settings={"factor": Setting(NUMBER, 0, 100)},
)}
"""


@pytest.fixture
def mine(cli: Command, write: Callable[[str, str], str], folder: Path) -> Callable[..., Result]:
    """Scores a document of one's own, whose relation is made as written, with a plugin beside it."""
    write("marks.csv", "file,score\na,1\na,3\nb,5\n")
    write("weighted.py", WEIGHTED)

    def run(made: str, *more: str) -> Result:
        (folder / "mine").mkdir(exist_ok=True)
        (folder / "mine" / "mine.yaml").write_text(DOCUMENT.replace("FROM", made))
        return cli("score", "mine", "marks=marks.csv", "--specs", "mine", "--format", "csv", *more)

    return run


CALL = "function: weighted\n    input: FROM {{ marks }} ORDER BY file\n    sql: FROM {{ rows }}"


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ('{"score": group["y"]}', "KeyError: 'y' (weighted.py:4)"),
        ('{"score": group.scores}', "AttributeError: 'dict' object has no attribute 'scores' (weighted.py:4)"),
        (
            '{"y": [1.0]}',
            "TypeError: weighted must return the columns score (DOUBLE): KeyError('score') (weighted.py:3)",
        ),
        ("int('x')", "ValueError: invalid literal for int() with base 10: 'x' (weighted.py:4)"),
        (
            '__import__("json").loads("")',
            "JSONDecodeError: Expecting value: line 1 column 1 (char 0) (weighted.py:4)",
        ),
    ],
)
def test_an_error_in_a_function_has_its_type_and_its_line(
    mine: Callable[..., Result], folder: Path, returned: str, said: str
) -> None:
    good = '{"score": [factor * each for each in group["score"]]}'
    (folder / "weighted.py").write_text(WEIGHTED.replace(good, returned))
    found = mine(f"{CALL}\n    with: {{factor: weight}}", "--plugin", "weighted.py")
    found.refused(f"mine/mine.yaml:13:3: relation halves: {said}")


def test_the_parameter_of_a_setting_is_named(mine: Callable[..., Result]) -> None:
    plugin = ("--plugin", "weighted.py")
    call = f"{CALL}\n    with: {{factor: weight}}"
    assert "sure,value,{},3.0," in mine(call, *plugin).scored()
    assert "sure,value,{},6.0," in mine(call, *plugin, "--param", "weight=2").scored()


@pytest.mark.parametrize(
    ("mapped", "said"),
    [
        (
            "",
            "17:15: function weighted has the setting 'factor': name a parameter for it in `with`",
        ),
        ("\n    with: {facto: weight}", "20:12: unknown setting of the function 'facto'; did you mean 'factor'?"),
        ("\n    with: {factor: weigh}", "20:20: unknown parameter 'weigh'; did you mean 'weight'?"),
    ],
)
def test_a_setting_without_a_parameter(mine: Callable[..., Result], mapped: str, said: str) -> None:
    mine(CALL + mapped, "--plugin", "weighted.py").refused(f"mine/mine.yaml:{said}")


def test_an_unknown_function(mine: Callable[..., Result], cli: Command) -> None:
    said = "mine/mine.yaml:17:15: unknown function 'weighted'; known: "
    mine(CALL).refused_with(said)
    cli("check", "mine").refused_with(said)


def test_an_unknown_format(cli: Command, write: Callable[[str, str], str]) -> None:
    write("mine.yaml", DOCUMENT.replace("[csv]", "[csv, cvs]").replace("FROM", "sql: FROM {{ marks }}"))
    cli("check", "mine.yaml").refused("mine.yaml:11:20: unknown format 'cvs'; did you mean 'csv'?")


@pytest.mark.parametrize(
    ("also_in", "said"), [("{mark: csv}", "unknown table 'mark'"), ("{marks: cvs}", "unknown format 'cvs'")]
)
def test_an_input_in_the_file_of_an_unknown_one(
    cli: Command, write: Callable[[str, str], str], also_in: str, said: str
) -> None:
    also = DOCUMENT.replace("[csv]", f"[csv]\n    also_in: {also_in}").replace("FROM", "sql: FROM {{ marks }}")
    write("mine.yaml", also)
    cli("check", "mine.yaml").refused_with(said)


def test_an_input_in_place_of_an_unknown_one(cli: Command, write: Callable[[str, str], str]) -> None:
    instead = DOCUMENT.replace("[csv]", "[csv]\n    in_place_of: mark").replace("FROM", "sql: FROM {{ marks }}")
    write("mine.yaml", instead)
    cli("check", "mine.yaml").refused_with("unknown table 'mark'")


def test_a_macro_of_a_document(mine: Callable[..., Result]) -> None:
    assert "sure,value,{},1.5," in mine("sql: SELECT file, half(score) AS score FROM {{ marks }}").scored()


def test_a_relation_is_broken_down(mine: Callable[..., Result]) -> None:
    printed = mine("sql: SELECT score / 2 AS score FROM {{ marks }}", "--by", "file").scored()
    assert 'sure,value,"{""file"":""b""}",2.5,' in printed


def test_a_template_imports_what_is_beside_its_document(mine: Callable[..., Result], folder: Path) -> None:
    (folder / "mine" / "sub").mkdir(parents=True)
    (folder / "mine" / "sub" / "parts.jinja").write_text("{% macro third(x) %}{{ x }} / 3{% endmacro %}\n")
    (folder / "mine" / "thirds.sql").write_text(
        '{% import "sub/parts.jinja" as parts %}\nSELECT file, {{ parts.third("score") }} AS score FROM {{ marks }}\n'
    )
    assert "sure,value,{},1.0," in mine("sql: thirds.sql").scored()
    before = mine("sql: thirds.sql", "--format", "json").scored()
    (folder / "mine" / "sub" / "parts.jinja").write_text("{% macro third(x) %}{{ x }} / 3.0{% endmacro %}\n")
    signatures = [
        json.loads(each)["run"]["signature"] for each in (before, mine("sql: thirds.sql", "--format", "json").scored())
    ]
    assert signatures[0] != signatures[1]  # what is imported is a part of the definition


ABSENT = "beside this document or below it, nor among those shipped\n"


@pytest.mark.parametrize(
    ("template", "imported", "place", "said"),
    [
        ("\n{{ nothing }}", "", "thirds.sql:2", "template: 'nothing' is undefined"),
        ("{% if %}", "", "thirds.sql:1", "template: Expected an expression, got 'end of statement block'"),
        ('{% import "a.jinja" as a %}', "\n\n{% if %}", "a.jinja:3", "template: Expected an expression, got"),
        ('{% import "a.jinja" as a %}{{ a.m() }}', "{% macro m() %}\n{{ 1 / 0 }}{% endmacro %}", "a.jinja:2",
         "template: division by zero"),
        ('\n{% import "../b.jinja" as b %}', "", "thirds.sql:2", f"template: no template '../b.jinja' {ABSENT}"),
        ('\n{% import "secret.txt" as b %}', "", "thirds.sql:2", f"template: no template 'secret.txt' {ABSENT}"),
    ],
)  # fmt: skip
def test_a_fault_of_a_template_is_told_once_with_its_line(
    mine: Callable[..., Result], folder: Path, template: str, imported: str, place: str, said: str
) -> None:
    (folder / "b.jinja").write_text("geheim")
    (folder / "mine").mkdir()
    (folder / "mine" / "secret.txt").write_text("geheim")
    (folder / "mine" / "thirds.sql").write_text(template)
    (folder / "mine" / "a.jinja").write_text(imported)
    result = mine("sql: thirds.sql")
    result.refused_with(f"mine/{place}: {said}")
    assert len(result.err.splitlines()) == 1
    assert result.err.count("thirds.sql") + result.err.count("a.jinja") == 1
