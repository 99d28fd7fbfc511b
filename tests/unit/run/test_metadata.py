"""The input metadata: a table of properties of recordings, whose columns --by can name in every domain."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
import yaml

import scorespec
from marks import first, some
from scorespec.catalog.lookup import load_catalog
from scorespec.errors import InputError, SpecError, UsageError

sys.path.insert(0, str(Path(__file__).parents[2]))  # tests/, whatever pytest was started with
sys.path.insert(0, str(Path(__file__).parents[1] / "plan"))

from test_breakdowns import corpus, searched

from oracles import entity_corpora

DATA = Path(__file__).parents[2] / "data"
FILES = ("alpha_sa1", "alpha_sa2", "alpha_sb1", "alpha_sb2")
Tables = dict[str, pa.Table]
Rows = list[dict[str, Any]]


def discovered() -> Tables:
    return corpus(*FILES)


def discovered_in_folds() -> Tables:
    """With one utterance per recording, and two folds."""
    whole = {"file": FILES, "onset": [0.0] * 4, "offset": [1e3] * 4}
    return corpus(*FILES) | {"utterances": pa.table(whole), "folds_total": pa.table({"fold": [0, 0, 1, 1], **whole})}


def tagged() -> Tables:
    r = random.Random("metadata")
    return entity_corpora.tables([entity_corpora.random_document(r) for _ in range(12)])


def untimed() -> Tables:
    """One detection per trial, and no query in every document of a group."""
    found = searched()
    listed = {(row["query"], row["doc"]): row for row in found["detections"].to_pylist()}
    occurrences = found["occurrences"].filter(pc.is_in(found["occurrences"]["doc"], pa.array(["d2", "d3"])))
    return {**found, "occurrences": occurrences, "detections": pa.Table.from_pylist([*listed.values()])}


def measured() -> Tables:
    measurements = pa.table({"phase": ["index", "search"], "cpu_hours": [1.0, 0.5], "peak_gb": [2.0, 1.0]})
    examples = pa.table({"query": ["q0"], "example": ["e"], "dur": [1.5]})
    return {"audio": searched()["audio"], "measurements": measurements, "query_examples": examples}


def synthesised() -> Tables:
    """Without the token t09, whose trajectories have a frame that is no number."""
    names = {"tokens": "tokens", "submission": "submission_A", "baseline": "submission_baseline"}
    found = {name: pq.read_table(DATA / "articulation" / f"{file}.parquet") for name, file in names.items()}
    found = {name: table.filter(pc.not_equal(table["token"], "t09")) for name, table in found.items()}
    return {**found, "labels": pq.read_table(DATA / "articulation" / "labels.parquet")}


Asked = dict[str, Any]
BY_HAND: dict[str, tuple[str, Callable[[], Tables], Asked]] = {
    "zerospeech2015": ("file", discovered, {"metrics": ["coverage", "token"]}),
    "zerospeech2017": ("file", discovered, {}),
    "tde2015": ("file", discovered_in_folds, {"metrics": ["ned", "grouping", "token"]}),
    "std2006": ("doc", searched, {"metrics": ["mtwv", "counts", "upper_bound_twv", "cost"]}),
    "openkws13": ("doc", searched, {"metrics": ["atwv", "p_fa", "bayes_twv", "cnxe"]}),
    "quesst2015": ("doc", untimed, {}),
    "articulation": ("token", synthesised, {}),
    "articubench": ("token", synthesised, {"metrics": ["total"]}),
}
ALONE = {
    "zerospeech2017": ("file", discovered, {"metrics": ["token", "ned", "coverage"]}),
    "speech_ne": ("document", tagged, {}),
    "muc_ne": ("document", tagged, {"metrics": ["slots", "muc_errors"]}),
    "wer": ("document", tagged, {}),
    "quesst2015": ("doc", untimed, {"metrics": ["atwv", "cnxe"]}),
    "articulation": ("token", synthesised, {"metrics": ["ema", "semantic_distance"]}),
}


def groups(inputs: Tables, key: str) -> dict[str, str]:
    """A group for each value of the key."""
    names = sorted({name for table in inputs.values() if key in table.column_names for name in table[key].to_pylist()})
    return {name: "few" if number % 3 == 0 else "many" for number, name in enumerate(names)}


def scores(suite: str, inputs: Tables, **asked: Any) -> Rows:
    return scorespec.score(suite, inputs=inputs, keep_evidence=False, **asked).table()


def by_metadata(suite: str, inputs: Tables, key: str, asked: Asked) -> Rows:
    of = groups(inputs, key)
    metadata = pa.table({"group_": [*of.values()], "unused": [None] * len(of), key: [*of]})
    return scores(suite, {**inputs, "metadata": metadata}, by="group_", **asked)


@pytest.mark.slow
@pytest.mark.parametrize("suite", first(BY_HAND))
def test_scores_are_those_by_the_same_column_added_by_hand(suite: str, tmp_path: Path) -> None:
    """By hand: in a suite like this one, every input with the key declares the column, and has it."""
    key, make, asked = BY_HAND[suite]
    inputs = make()
    of, tables = groups(inputs, key), {}
    for name, table in inputs.items():
        if key in table.column_names:
            tables[name] = table.append_column("group_", pa.array([of[each] for each in table[key].to_pylist()]))
    document = {
        "domain": load_catalog().suite(suite).domain,
        "suite": "own",
        "tables": {name: {"extends": name, "columns": {"group_": {"type": "VARCHAR"}}} for name in tables},
        "suites": {"own": {"extends": suite, "about": "x"}},
    }
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(document))
    expected = scores("own", inputs | tables, by="group_", specs=tmp_path / "own.yaml", **asked)
    found = by_metadata(suite, inputs, key, asked)
    assert {row["slice"].get("group_") for row in found} == {None, "few", "many"}
    assert found == expected


@pytest.mark.parametrize("suite", first(ALONE))
def test_a_slice_is_the_score_of_its_recordings_alone(suite: str) -> None:
    key, make, asked = ALONE[suite]
    inputs = make()
    of = groups(inputs, key)
    found = by_metadata(suite, inputs, key, asked)
    for group in ("few", "many"):
        named = pa.array([name for name in of if of[name] == group])
        alone = {
            name: table.filter(pc.is_in(table[key], named)) if key in table.column_names else table
            for name, table in inputs.items()
        }
        expected = {keyed(row): row["value"] for row in scores(suite, alone, **asked)}
        slices = [row for row in found if row["slice"].get("group_") == group]
        got = {keyed(row): row["value"] for row in slices}
        missing = {each for each in expected.keys() - got.keys() if expected[each]}
        assert (missing, len(got) > 2) == (set(), True)
        assert got == {each: pytest.approx(expected.get(each, got[each])) for each in got}


def keyed(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["metric"], row["component"], *sorted((*each,) for each in row["slice"].items() if each[0] != "group_")


def test_a_corpus_is_described_by_metadata() -> None:
    """The costs of a search system cannot be told apart by recording, but the audio can."""
    of = {"d0": "a", "d1": "b", "d2": "a", "d3": "a"}
    metadata = pa.table({"doc": [*of], "site": [*of.values()]})
    run = scorespec.describe("resources", inputs={**measured(), "metadata": metadata}, by="site", keep_evidence=False)
    whole = run.value("audio_statistics", "hours")
    assert run.value("audio_statistics", "hours", site="b") == pytest.approx(whole / 4)
    assert run.value("audio_statistics", "hours", site="a") == pytest.approx(whole * 3 / 4)


def test_every_suite_takes_metadata() -> None:
    catalog = load_catalog()
    for name in some(catalog.names("suites")):
        suite = catalog.suite(name)
        tables = (catalog.of_suite(suite).table(each) for each in suite.optional)
        described = [table for table in tables if table is not None and table.describes]
        assert described, name
        assert all((table.key, table.other_columns) == ((table.describes,), True) for table in described)


# -- what is refused ---------------------------------------------------------------------------------


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


ANN, BOB = "ann,f,1\n", "bob,m,2\n"
TOY = """\
domain: quiz
tables:
  answers: {about: x, columns: {file: {type: VARCHAR}, good: {type: BIGINT}}, duplicates: keep, formats: [csv]}
  metadata: {about: One row per file., columns: {file: {type: VARCHAR}}, describes: file, formats: [csv]}
relations:
  marks: {about: x, needs: [answers], sql: "SELECT file, good FROM {{ answers }}"}
metrics:
  share: {about: x, kind: ratio, from: marks, numerator: sum(good), denominator: count(*)}
suites:
  quiz: {about: x, inputs: [answers], optional: [metadata], metrics: [share]}
"""


def asked_of_toy(tmp_path: Path, metadata: str, key: str = "file", **asked: Any) -> Any:
    """Scores of a domain that is not ours, with a line of its document for the table of properties."""
    specs = write(tmp_path / "quiz.yaml", asked.pop("document", TOY))
    answers = write(tmp_path / "answers.csv", "file,good\nann,1\nann,0\nbob,1\n")
    inputs = {"answers": answers, "metadata": write(tmp_path / "m.csv", f"{key},gender,level\n{metadata}")}
    return scorespec.score("quiz", specs=specs, inputs=inputs, keep_evidence=False, **asked)


def test_a_domain_of_ones_own(tmp_path: Path) -> None:
    run = asked_of_toy(tmp_path, ANN + BOB, by=["gender", "level,gender"])
    assert [(row["slice"], row["value"]) for row in run.table()] == [
        ({}, 2 / 3),
        ({"gender": "f"}, 0.5),
        ({"gender": "m"}, 1.0),
        ({"level": "1", "gender": "f"}, 0.5),
        ({"level": "2", "gender": "m"}, 1.0),
    ]


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        (ANN, "answers.csv:4: metadata has no row for file bob, so it would be in no slice; add a row to {m.csv}"),
        (ANN + "bob,,2\n", "m.csv:3: gender is missing; --by gender needs it in each row"),
        (ANN + BOB + ANN, "m.csv:4: repeats an earlier line: file ann"),
    ],
)
def test_every_recording_has_one_value(tmp_path: Path, metadata: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        asked_of_toy(tmp_path, metadata, by="gender")
    assert str(caught.value) == f"{tmp_path}/{said}".replace("{m.csv}", str(tmp_path / "m.csv"))


BY_PARTS = (
    TOY.replace("good: {type: BIGINT}}", "part: {type: VARCHAR}, good: {type: BIGINT}}")
    .replace("describes: file", "describes: file, parts: part")
    .replace("SELECT file, good", "SELECT file, part, good")
)


def of_parts(tmp_path: Path, metadata: str) -> Any:
    """Scores by gender of s1_a, which is good, of s1_b and s2, which are not, and of s1_c in s3, which is good."""
    answers = write(tmp_path / "answers.csv", "file,part,good\ns1,s1_a,1\ns1,s1_b,0\ns2,,0\ns3,s1_c,1\n")
    specs, described = write(tmp_path / "quiz.yaml", BY_PARTS), write(tmp_path / "m.csv", f"file,gender\n{metadata}")
    inputs = {"answers": answers, "metadata": described}
    return scorespec.score("quiz", specs=specs, inputs=inputs, keep_evidence=False, by="gender")


def test_parts_describe_a_file_without_a_row_of_its_own(tmp_path: Path) -> None:
    described = "s1_a,f\ns1_b,m\ns1_c,f\ns2,m\n"
    run = of_parts(tmp_path, f"{described}s3,m\n")
    assert [run.value("share"), run.value("share", gender="f"), run.value("share", gender="m")] == [1 / 2, 1, 1 / 3]
    only = BY_PARTS.replace("from: marks", "from: marks, only: \"gender = 'm'\"")
    inputs = {"answers": tmp_path / "answers.csv", "metadata": tmp_path / "m.csv"}
    specs = write(tmp_path / "only.yaml", only)
    assert scorespec.score("quiz", specs=specs, inputs=inputs, keep_evidence=False).value("share") == 1 / 3
    of_file = of_parts(tmp_path, "s1,f\ns1_a,m\ns2,m\ns3,m\n")  # the row of the file decides
    assert [of_file.value("share", gender="f"), of_file.value("share", gender="m")] == [1 / 2, 1 / 2]
    with pytest.raises(InputError) as caught:
        of_parts(tmp_path, described.replace("s1_b,m\n", ""))
    assert str(caught.value) == (
        f"{tmp_path}/answers.csv:3: metadata has no row for file s1 or part s1_b, so it would be in no slice; "
        f"add a row to {tmp_path}/m.csv\n{tmp_path}/answers.csv:5: metadata has no row for file s3, so it would be "
        f"in no slice; add a row to {tmp_path}/m.csv"
    )


def test_metadata_without_its_key_is_the_only_fault(tmp_path: Path) -> None:
    """It describes no recording, but this is a consequence."""
    with pytest.raises(InputError) as caught:
        asked_of_toy(tmp_path, ANN + BOB, key="name", by="gender")
    file = f"{tmp_path}/m.csv"
    lacks = f"no column 'file' (it has: name, gender, level); write {file}::(file=COLUMN)"
    assert str(caught.value) == f"{file}:1: {lacks}"


def test_what_no_breakdown_reads_refuses_nothing(tmp_path: Path) -> None:
    assert asked_of_toy(tmp_path, ANN).value("share") == 2 / 3
    assert asked_of_toy(tmp_path, "ann,,1\nbob,m,2\n", by="level").value("share", level="1") == 0.5


@pytest.mark.slow
def test_metadata_is_kept_with_the_run(tmp_path: Path) -> None:
    """With the columns that no breakdown reads: by gender can be asked later, of the evidence."""
    rows = {"file": FILES, "gender": ["f", "f", "m", None], "age": [30, 40, 50, 60], "room": ["a", "b", "a", "b"]}
    unkept = {"run": ["x"] * 4, "Line": ["x"] * 4, "tags": [["x"]] * 4, "Size": ["x"] * 4, "size": ["x"] * 4}
    pq.write_table(pa.table(rows | unkept), tmp_path / "recordings.parquet")
    inputs = discovered() | {"metadata": tmp_path / "recordings.parquet"}
    run = scorespec.score("zerospeech2017", inputs=inputs, metrics="token", by="room")
    found = run.sql("SELECT file, gender, age, room FROM evidence_metadata ORDER BY file").to_pylist()
    ages = map(str, rows["age"])
    assert found == [
        dict(zip(("file", "gender", "age", "room"), row, strict=True))
        for row in zip(FILES, rows["gender"], ages, rows["room"], strict=True)
    ]
    kept = run.sql("FROM evidence_metadata").column_names
    assert sorted(kept) == ["age", "file", "gender", "room", "run"]
    counted = "SELECT count_if(outcome = 'hit') AS hits FROM evidence_token_outcomes"
    later = run.sql(f"{counted} JOIN evidence_metadata USING (run, file) WHERE gender = 'f'")
    alone = {name: table.filter(pc.is_in(table["file"], pa.array(FILES[:2]))) for name, table in discovered().items()}
    assert later.equals(scorespec.score("zerospeech2017", inputs=alone, metrics="token").sql(counted))
    withheld = scorespec.score("zerospeech2017", inputs=inputs, metrics="token", withhold=["evidence"])
    with pytest.raises(SpecError, match="Table with name evidence_metadata does not exist"):
        withheld.sql("FROM evidence_metadata")


def test_a_column_of_two_inputs_is_ambiguous(tmp_path: Path) -> None:
    said = rf"^--by good: both 'answers' and 'metadata' have this column; rename the column of {tmp_path}/m.csv$"
    write(tmp_path / "m.csv", "")
    with pytest.raises(UsageError, match=said):
        asked_of_toy(tmp_path, "", by="good", document=TOY.replace("columns: {file: {type: VARCHAR}}, describes",
                     "columns: {file: {type: VARCHAR}, good: {type: VARCHAR}}, describes"))  # fmt: skip


def test_the_hint_after_an_unknown_column(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^unknown column 'gendr' in --by; did you mean 'gender'\?$"):
        asked_of_toy(tmp_path, ANN + BOB, by="gendr")
    specs = write(tmp_path / "quiz.yaml", TOY)
    answers = pa.table({"file": ["ann"], "good": [1]})
    with pytest.raises(
        UsageError, match=r"in --by; known: .*; the input 'metadata', which is not given, can have further columns$"
    ):
        scorespec.score("quiz", specs=specs, answers=answers, by="gender")
    write(
        specs,
        TOY.replace("file: {type: VARCHAR}}, describes", "file: {type: VARCHAR}, room: {type: VARCHAR}}, describes"),
    )
    with pytest.raises(UsageError, match=r"^unknown column 'room' in --by; 'metadata' has it, but is not given$"):
        scorespec.score("quiz", specs=specs, answers=answers, by="room")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("describes: files", r"unknown column 'files'; did you mean 'file'\?"),
        ("describes: file, duplicates: keep", r"a table that describes 'file' has one row for each value of it"),
        ("describes: file, key: [file, gender]", r"a table that describes 'file' has one row for each value of it"),
    ],
)
def test_a_describing_table_at_fault(tmp_path: Path, written: str, said: str) -> None:
    columns = "columns: {file: {type: VARCHAR}, gender: {type: VARCHAR}}, "
    document = TOY.replace("columns: {file: {type: VARCHAR}}, describes: file", columns + written)
    with pytest.raises(SpecError, match=said):
        asked_of_toy(tmp_path, ANN, by="gender", document=document)
