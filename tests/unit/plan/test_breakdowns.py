"""--by over every column of every suite: the scores of each slice alone, a warning, or an error before loading."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv
import pyarrow.parquet as parquet
import pytest

import scorespec
import toy
from dead_sql import dead_conditions_of_plan
from marks import first, slow, some
from scorespec.catalog.lookup import Namespace, load_catalog
from scorespec.catalog.model import Suite
from scorespec.check.binding import Binder
from scorespec.errors import InputError, SpecError, UsageError
from scorespec.plan import compile as compiling
from scorespec.plan.compile import Request, compile_suite
from scorespec.plan.plan import Plan
from scorespec.plan.scored_suites import ScoredSuite

sys.path.insert(0, str(Path(__file__).parents[2]))  # tests/, whatever pytest was started with

from unit.suites.test_oracle_tdev2 import read_case

Tables = dict[str, pa.Table]
Scores = dict[tuple[Any, ...], float | None]

# -- every pair of suite and column ------------------------------------------------------------------

REFUSED = re.compile(
    r"--by \w+: .*(has lists there|may be missing in|averages over it|a slice for each)|unknown column"
)


QUICK = {"resources", "speech_ne", "sws2013", "wer", "zerospeech2017"}


def pairs() -> Iterator[Any]:
    """Each suite with all of its inputs; a suite with folds, which an input switches on, also without optional ones."""
    catalog = load_catalog()
    for name in catalog.names("suites"):
        suite = catalog.suite(name)
        second = {each for choice in suite.one_of for each in choice[1:]}
        marks = () if name in QUICK else (slow,)
        yield pytest.param(name, {*suite.inputs, *suite.optional} - second, id=f"{name}-all", marks=marks)
        if suite.folds:
            yield pytest.param(name, {*suite.inputs}, id=f"{name}-required", marks=marks)


def all_columns(names: Namespace) -> list[str]:
    """Every column of every input and relation that a suite can name."""
    tables = [names.table(name) for name in names.names("tables")]
    relations = [names.relation(name) for name in names.names("relations")]
    return sorted({column for found in (*tables, *relations) if found for column in found.column_names})


def accepted(names: Namespace, suite: Suite, given: set[str]) -> list[str]:
    """The columns that are not refused at once; those that are, are refused in plain words."""
    columns = all_columns(names)
    scored = ScoredSuite(names, suite, Request({}, given=given))
    said = {each: refusal(scored, each) for each in columns}
    assert all(each is None or REFUSED.match(each) for each in said.values())
    with pytest.raises(UsageError, match=REFUSED):
        compile_suite(names, suite, Request({}, by=[(each,) for each in columns], given=given))
    return [each for each in columns if said[each] is None]


def refusal(scored: ScoredSuite, column: str) -> str | None:
    """What is said against a column, by itself or as the suite uses it."""
    if error := scored.refusal((column,)):
        return str(error)
    try:
        scored.check_apart((column,))
    except UsageError as error:
        return str(error)
    return None


@pytest.fixture(scope="module")
def binder() -> Iterator[Binder]:
    with Binder() as binder:
        yield binder


def alike(plan: Plan, columns: list[str]) -> list[tuple[str, ...]]:
    """The columns in groups: breakdowns by the columns of one group differ only in the name of the column."""
    steps: dict[str, set[tuple[str, frozenset[str]]]] = {column: set() for column in columns}
    for step in plan.steps:
        for column in steps.keys() & {*step.scope}:
            steps[column].add((step.label, frozenset(step.scope) - {column}))
    groups: dict[Any, list[str]] = {}
    for column in columns:
        groups.setdefault(frozenset(steps[column]), []).append(column)
    return list(map(tuple, groups.values()))


@pytest.mark.parametrize(("name", "given"), first(list(pairs()), 6))
def test_every_column_of_every_suite(name: str, given: set[str], binder: Binder) -> None:
    """All columns over empty inputs: those of a group together, so that every name is in every step where it can be.

    Some pairs of columns of any groups are in the same plan, so that equal steps are made once.
    """
    catalog = load_catalog(suite=name)
    suite = catalog.suite(name)
    names = catalog.of_suite(suite)
    columns = accepted(names, suite, given)
    alone = compile_suite(names, suite, Request({}, by=[(each,) for each in columns], given=given))
    dice = random.Random(name)
    crossed = [tuple(dice.sample(columns, 2)) for _ in range(10)]
    by = dict.fromkeys([*alike(alone, columns), *crossed])
    plan = compile_suite(names, suite, Request({}, by=[*by], given=given))
    assert [*binder.bind(plan)] == ["metric", "component", "slice", "value", "std", "folds", "note"]
    assert dead_conditions_of_plan(plan) == []


# -- a slice is the score of its rows alone ----------------------------------------------------------


def scores(suite: str, inputs: Tables, by: str | None = None, **asked: Any) -> tuple[Scores, list[str]]:
    """{(metric, component, *slice items): value}, the slice's values as text; and the warnings."""
    run = scorespec.score(suite, inputs=inputs, by=[[by]] if by else [], keep_evidence=False, **asked)
    found = {}
    for row in run.table():
        slice_ = sorted((key, str(value)) for key, value in row["slice"].items())
        found[row["metric"], row["component"], *slice_] = row["value"]
    return found, run.warnings


def restricted(inputs: Tables, column: str, value: str, to: Mapping[str, str]) -> Tables:
    """The rows of one slice, of each input that has the column; and of those inputs that name its rows by a key."""
    found = {
        name: table.filter(pc.equal(table[column], value))
        if column in table.column_names and pa.types.is_string(table[column].type)
        else table
        for name, table in inputs.items()
    }
    for name, key in to.items():
        found[name] = found[name].filter(pc.is_in(found[name][key], found["queries"][key].combine_chunks()))
    return found


def corpus(*files: str) -> Tables:
    read = read_case("alpha.jitter")
    names = {
        "phones": ("file", "onset", "offset", "label"),
        "words": ("file", "onset", "offset", "label"),
        "fragments": ("cluster", "file", "onset", "offset"),
    }
    rows = {
        name: [dict(zip(columns, row, strict=False)) for row in getattr(read, name)] for name, columns in names.items()
    }
    return {name: pa.Table.from_pylist([row for row in each if row["file"] in files]) for name, each in rows.items()}


def searched() -> Tables:
    """Six queries in four documents, with columns of the user's own under names that relations have, too."""
    dice = random.Random(5)
    queries, docs = [f"q{n}" for n in range(6)], [f"d{n}" for n in range(4)]
    places = [(query, doc, float(tbeg)) for query in queries for doc in docs for tbeg in dice.sample(range(45), 2)]
    spoken = [(query, doc, tbeg) for query, doc, tbeg in places if dice.random() < 0.6]
    found = [(query, doc, tbeg + dice.choice([0, 0.2, 0.6, 2])) for query, doc, tbeg in spoken]
    found += [place for place in places if dice.random() < 0.3]
    names, size = ("query", "doc", "tbeg"), {"channel": "1", "dur": 1.0}
    verdicts = [{"score": dice.randrange(10) / 10, "decision": dice.choice(["YES", "NO"])} for _ in found]
    return {
        "queries": pa.table(
            {"query": queries, "kind": list("xyxyxy"), "score": list("012012"), "words": list("ab") * 3}
        ),
        "audio": pa.table(
            {"doc": docs, "channel": ["1"] * 4, "tbeg": [0.0] * 4, "dur": [50.0] * 4, "part": list("uvuv")}
        ),
        "occurrences": pa.Table.from_pylist([dict(zip(names, row, strict=True)) | size for row in spoken]),
        "detections": pa.Table.from_pylist(
            [dict(zip(names, row, strict=True)) | size | each for row, each in zip(found, verdicts, strict=True)]
        ),
    }


SEARCH = {"metrics": ["atwv", "mtwv", "counts", "upper_bound_twv", "bayes_twv", "cost"]}
OF_QUERIES = {"detections": "query", "occurrences": "query"}
WITHIN = {"params": {"n_folds": "0"}}
CASES = [
    ("zerospeech2017", "file", "alpha_sa2", {}, set()),
    ("zerospeech2017", "cluster", "23", {}, {"coverage", "type", "token", "boundary", "sizes"}),
    ("zerospeech2015", "cluster", "23", WITHIN,
     {"coverage", "matching", "matching_pairs", "type", "token", "boundary", "sizes"}),
    ("std2006", "kind", "x", SEARCH, set()),
    ("std2006", "score", "1", SEARCH, set()),
    ("std2006", "part", "u", SEARCH | {"params": {"outside_audio": "drop"}}, set()),  # other documents are outside
    ("openkws13", "doc", "d1", SEARCH, set()),
]  # fmt: skip


@pytest.mark.parametrize(("suite", "column", "value", "asked", "without"), first(CASES, 1))
def test_a_slice_is_the_score_of_its_rows_alone(
    suite: str, column: str, value: str, asked: dict[str, Any], without: set[str]
) -> None:
    """The metrics that cannot be broken down are named in warnings, and do not stop the others."""
    search = "queries" in scorespec.load_catalog().suite(suite).inputs
    inputs = searched() if search else corpus("alpha_sa1", "alpha_sa2")
    whole, warnings = scores(suite, inputs, column, **asked)
    alone, _ = scores(suite, restricted(inputs, column, value, OF_QUERIES if search else {}), **asked)
    expected = {(*key[:2], *sorted((*key[2:], (column, value)))): got for key, got in alone.items()}
    found = {key: got for key, got in whole.items() if (column, value) in key}
    assert found == {key: pytest.approx(got) for key, got in expected.items() if key[0] not in without}
    named = {re.match(r"no rows of (\w+) by", each)[1] for each in warnings if each.startswith("no rows of")}  # type: ignore[index]
    assert named == without


def test_additive_statistics_add_up() -> None:
    """A column of the alignment, which is not made anew in each slice: its parts are those of the whole."""
    found, _ = scores("std2006", searched(), "block", **SEARCH)
    counts = ("targets", "detections", "hits", "misses", "false_alarms", "correct_rejections")
    for name in some(counts):
        parts = [value for key, value in found.items() if key[:2] == ("counts", name) and len(key) == 3]
        assert len(parts) == 6
        assert sum(each or 0 for each in parts) == found["counts", name]


# -- the user's own columns --------------------------------------------------------------------------

NAMES = ["offset", "slice", "value", "metric", "scope", "a b", 'q"x', "it's", "Upper", "by_x", "unit", "fold", "fault",
         "breakdown", "{{ x }}", "{count}", "select", "a,b", "kind", "🙂", "score", "targets"]  # fmt: skip


def sized(queries: Any, *columns: str) -> scorespec.api.Run:
    inputs = {**searched(), "queries": queries}
    return scorespec.score("std2006", inputs=inputs, metrics=["counts"], by=[[each] for each in columns])


@pytest.mark.slow
def test_columns_with_any_name() -> None:
    kinds = searched()["queries"]["kind"]
    queries = pa.table({"query": searched()["queries"]["query"], **dict.fromkeys(NAMES, kinds)})
    run = sized(queries, *NAMES)
    x, y = run.value("counts", "hits", kind="x"), run.value("counts", "hits", kind="y")
    assert x != y
    hits = {
        tuple(*row["slice"].items()): row["value"] for row in run.table() if row["slice"] and row["component"] == "hits"
    }
    assert hits == {(name, kind): value for name in NAMES for kind, value in (("x", x), ("y", y))}
    assert run.sql("SELECT count(*) AS n FROM unit_statistics").to_pylist()[0]["n"] == 6 * (1 + len(NAMES))


def test_slices_are_in_the_order_of_numbers() -> None:
    """In scores and curves, whether the column has numbers or, as one that no table declares, texts."""
    lengths = pa.array([str(number) for number in (10, 9, 100, 2, 1, 11)])
    queries = searched()["queries"].append_column("length", lengths)
    inputs = {**searched(), "queries": queries}
    run = scorespec.score("std2006", inputs=inputs, metrics=["counts", "mtwv"], by="length")
    expected = ["1", "2", "9", "10", "11", "100"]
    rows = [row["slice"]["length"] for row in run.table() if row["slice"] and row["component"] in ("hits", "value")]
    assert rows == expected * 2
    points = run.sql("SELECT slice->>'length' AS length FROM curves WHERE slice <> '{}'")["length"].to_pylist()
    assert list(dict.fromkeys(points)) == expected


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("line", "--by line: rows are numbered under that name; rename the column of <queries>"),
        (
            "Query",
            "--by Query: there is also a column 'query', and names that differ only in case are one; "
            "rename the column of <queries>",
        ),
        ("a\nb", r"--by 'a\nb': the name is empty or has a line break in it; rename the column of <queries>"),
    ],
)
def test_names_that_cannot_be(name: str, said: str) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(said)}$"):
        sized(searched()["queries"].append_column(name, searched()["queries"]["kind"]), name)


def test_names_that_differ_only_in_case() -> None:
    inputs = searched()
    inputs["audio"] = inputs["audio"].rename_columns(["doc", "channel", "tbeg", "dur", "Kind"])
    with pytest.raises(UsageError, match=r"^--by kind,Kind: names that differ only in case are one column$"):
        scorespec.score("std2006", inputs=inputs, by="kind,Kind")
    queries = inputs["queries"].append_column("Kind", inputs["queries"]["kind"])
    with pytest.raises(
        UsageError,
        match=r"^--by Kind: there is also a column 'kind', and names that differ only in case are one; rename ",
    ):
        sized(queries, "kind", "Kind")


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_column_of_a_file_is_suggested(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"queries.{suffix}"
    queries = searched()["queries"].select(["query", "kind"]).rename_columns(["query", "language"])
    (csv.write_csv if suffix == "csv" else parquet.write_table)(queries, path)
    with pytest.raises(UsageError, match=r"^unknown column 'lang' in --by; did you mean 'language'\?$"):
        sized(path, "lang")
    with pytest.raises(UsageError, match=r"unknown column '\?' in --by; known: .*, language \(queries\), "):
        sized(path, "?")
    assert sized(path, "language").value("counts", "queries", language="x") == 3


def test_a_column_of_a_table_that_reads_no_others() -> None:
    tables = corpus("alpha_sa1")
    tables["words"] = tables["words"].append_column("accent", tables["words"]["file"])
    with pytest.raises(
        UsageError, match=r"unknown column 'accent' in --by; 'words' has it, but only its declared columns are read"
    ):
        scorespec.score("zerospeech2017", inputs=tables, by="accent")


def test_the_list_of_columns_is_whole_and_says_where_each_comes_from() -> None:
    with pytest.raises(UsageError) as caught:
        scorespec.compile("zerospeech2017", by="??")
    said = str(caught.value)
    assert "…" not in said
    for each in ("file (fragments, phones, words)", "cluster (fragments)", "outcome (token_outcomes)"):
        assert each in said
    assert "credited" not in said  # of a relation that no metric counts
    assert said.count("(") > 30


# -- what may be missing, and what differs from input to input ---------------------------------------

OWN = """\
domain: own
tables:
  answers: {about: x, columns: {item: {type: VARCHAR}, level: {type: VARCHAR, nullable: true}}, duplicates: keep,
            formats: [csv]}
  items: {about: x, columns: {item: {type: VARCHAR}, level: {type: BIGINT}}, duplicates: keep, formats: [csv]}
relations:
  marks: {about: x, needs: [answers, items], sql: "SELECT item FROM {{ answers }}
          JOIN (SELECT DISTINCT * FROM {{ items }}) AS items_ USING (item)"}
metrics:
  size: {about: x, kind: statistics, from: marks, statistics: {n: count(*)}, components: {n: n}}
suites:
  mine: {about: x, inputs: [answers, items], metrics: [size]}
"""


def own_inputs(tmp_path: Path, answers: str) -> dict[str, Path]:
    for name, text in (("own.yaml", OWN), ("answers.csv", answers), ("items.csv", "item,level\na,1\nb,2\n")):
        (tmp_path / name).write_text(text)
    return {"specs": tmp_path / "own.yaml", "answers": tmp_path / "answers.csv", "items": tmp_path / "items.csv"}


def test_a_column_of_two_types_is_compared_as_text(tmp_path: Path) -> None:
    """`level` is text in one input and a number in the other; `x` is no number, and no row has it on both sides."""
    run = scorespec.score("mine", by="level", **own_inputs(tmp_path, "item,level\na,1\na,x\nb,2\nb,2\n"))
    assert toy.values(run, "size") == {("n",): 4, ("n", ("level", "1")): 1, ("n", ("level", "2")): 2,
                                       ("n", ("level", "x")): 0}  # fmt: skip


def test_a_column_that_may_be_missing_is_taken_where_no_row_lacks_it(tmp_path: Path) -> None:
    inputs = own_inputs(tmp_path, "item,level\na,1\nb,\n")
    with pytest.raises(InputError, match=r"answers\.csv:3: level is missing; --by level needs it in each row$"):
        scorespec.score("mine", by="level", **inputs)
    with pytest.raises(UsageError, match=r"--by level: it may be missing in 'answers', so a row might have no slice"):
        scorespec.compile("mine", specs=inputs["specs"], by="level")


def test_files_without_a_speaker_are_in_no_slice_of_speakers() -> None:
    inputs = corpus("alpha_sa1", "alpha_sa2", "alpha_sb1")
    speakers = {"speakers": pa.table({"file": ["alpha_sa1", "alpha_sa2"], "speaker": ["sa", "sa"]})}
    found, _ = scores("zerospeech2017", inputs | speakers, "speaker")
    alone, _ = scores("zerospeech2017", corpus("alpha_sa1", "alpha_sa2") | speakers)
    expected = {(*key, ("speaker", "sa")): pytest.approx(value) for key, value in alone.items()}
    assert {key: value for key, value in found.items() if len(key) == 3} == expected


def test_rows_without_a_value_are_a_slice_of_their_own_where_a_metric_counts_them() -> None:
    document = """
relations:
  said: {about: x, needs: [answers], columns: {word: the answer},
         sql: "SELECT said AS word FROM {{ answers }}"}
metrics:
  own: {about: x, kind: statistics, from: said, statistics: {n: count(*)}, components: {n: n}}
"""
    run = toy.score(document, metrics=["own"], by=["word", "speaker,word"])
    found = toy.values(run, "own")
    words = {key[1][1]: value for key, value in found.items() if len(key) == 2}
    assert words == {"yes": 4, "no": 1, "Dog": 1, None: 1}
    assert found["n", ("speaker", "bob"), ("word", None)] == 1


def test_a_column_of_lists_makes_no_slices() -> None:
    with pytest.raises(
        UsageError, match=r"--by target_log_mel: 'tokens' has lists there, and a slice needs a single value"
    ):
        scorespec.compile("articulation", by="target_log_mel")


# -- what else is said -------------------------------------------------------------------------------


def test_a_parameter_that_varies_is_a_slice_already() -> None:
    document = "suites:\n  own: {extends: voices, vary: {voice: {values: [any, own], slice: speaker}}}\n"
    with pytest.raises(UsageError, match=r"--by speaker: suite 'own' has a slice for each of its values"):
        toy.plan(document, "own", by=["speaker"])


def test_many_slices_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "--by file makes 3 slices, each with rows of every metric"
    assert said not in toy.score(by=["file"]).warnings
    monkeypatch.setattr(compiling, "MANY_SLICES", 2)
    assert toy.score(by=["file", "speaker"]).warnings == [said]


BEGINS = """
relations:
  sure_marks:
    about: The marks, and how sure each is; a score below 0 is refused.
    needs: [marks]
    sql: "SELECT file, score, score > 0.5 AS sure FROM {{ marks }}"
    columns: {file: name of the recording, score: how sure, sure: whether it is}
    warnings: [{sql: score = 0.1, says: "{count} of {rows} are hardly sure"}]
  paired:
    about: The marks beside the items.
    needs: [sure_marks, items]
    %s
    sql: "SELECT item FROM {{ sure_marks }}, {{ items }}"
    columns: {item: what is asked}
metrics:
  sure: {about: x, kind: statistics, from: sure_marks, statistics: {n: count(*)}, components: {n: n}}
  pairs: {extends: sure, from: paired}
"""


def test_what_a_relation_warns_of_is_told_once_where_a_column_begins() -> None:
    run = toy.score(BEGINS % "", metrics=["sure"], by=["sure"], items=toy.ITEMS)
    assert run.warnings == ["1 of 7 are hardly sure"]
    assert toy.values(run, "sure") == {("n",): 7, ("n", ("sure", True)): 4, ("n", ("sure", False)): 3}


def test_a_column_of_a_relation_flows_where_all_needs_have_it_or_the_document_says_so() -> None:
    run = toy.score(BEGINS % "", metrics=["pairs"], by=["sure", "file"], items=toy.ITEMS)
    assert run.warnings == [
        "no rows of pairs by sure: it has no column 'sure' (items has none)",
        "1 of 7 are hardly sure",
    ]
    assert toy.values(run, "pairs")["n", ("file", "ann")] == 3 * 4
    begins = BEGINS.replace("    warnings:", "    begins: [sure]\n    warnings:")
    said = toy.score(begins % "slices: [sure_marks]", metrics=["pairs"], by=["sure"], items=toy.ITEMS)
    assert toy.values(said, "pairs") == {("n",): 28, ("n", ("sure", True)): 16, ("n", ("sure", False)): 12}
    none = toy.score(BEGINS % "slices: none", metrics=["pairs"], by=["file"], items=toy.ITEMS)
    assert none.warnings[0].startswith("no rows of pairs by file: it has no column 'file'")


def test_slices_name_needs() -> None:
    with pytest.raises(SpecError, match=r"unknown need 'marks'; "):
        toy.plan(BEGINS % "slices: [marks]", metrics=["pairs"], given=["answers", "items"])
