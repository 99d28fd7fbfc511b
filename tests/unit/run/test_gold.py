"""The name of the gold: a hash of its rows, whatever their order and format, in the signature and in `runs.gold`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import scorespec
from examples import inputs_of, suite_of
from marks import only
from scorespec.errors import UsageError

ROWS = [("d", "the"), ("d", "cat"), ("e", "sat"), ("e", None)]
SAID = pa.table({"document": ["d", "d", "e"], "token": ["the", "hat", "sat"]})


def words(rows: list[tuple[str, str | None]] = ROWS) -> pa.Table:
    """Rows as a transcript."""
    document, token = zip(*rows, strict=True)
    return pa.table({"document": document, "token": pa.array(token, pa.string())})


def scored(gold: Any = None, **asked: Any) -> scorespec.Run:
    return scorespec.score("wer", reference=words() if gold is None else gold, hypothesis=SAID, **asked)


def gold_of(run: scorespec.Run) -> dict[str, dict[str, str]]:
    """The hashes of the gold in the results of a run."""
    ((gold,),) = [row.values() for row in run.sql("SELECT gold FROM runs").to_pylist()]
    return json.loads(gold)  # type: ignore[no-any-return]


def hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def name_of(run: scorespec.Run) -> str:
    """The name of the gold in the signature, which is the same in both signatures."""
    (name,) = (part[5:] for part in run.signature.split("|") if part.startswith("gold:"))
    assert f"|gold:{name}|scorespec:" in run.short_signature
    return name


def test_the_name_is_that_of_an_independent_computation() -> None:
    texts = ["\x1f".join(f"{k}={v}" for k, v in zip(("document", "token"), row, strict=True) if v) for row in ROWS]
    digest = sum(int.from_bytes(hashlib.md5(text.encode()).digest()[8:], "little") for text in texts)
    run = scored()
    assert gold_of(run) == {"whole": {"reference": hashed(str(digest))}, "slices": {}}
    assert name_of(run) == hashed(json.dumps({"reference": hashed(str(digest))}))[:8]


@pytest.mark.slow
def test_neither_order_nor_format_nor_file_changes_the_name(tmp_path: Path) -> None:
    table = words()
    pa.csv.write_csv(table, tmp_path / "a.csv")
    pa.parquet.write_table(table, tmp_path / "a.parquet")
    pa.csv.write_csv(table.slice(0, 2), tmp_path / "b1.csv")
    pa.parquet.write_table(table.slice(2), tmp_path / "b2.parquet")
    several = [tmp_path / "b1.csv", tmp_path / "b2.parquet"]
    files = [tmp_path / "a.csv", tmp_path / "a.parquet", several, table.take([2, 3, 1, 0]), table.slice(0)]
    assert {name_of(scored(each)) for each in files} == {name_of(scored())}
    assert name_of(scored(keep_evidence=False)) == name_of(scored())  # of a run that keeps no results


@pytest.mark.parametrize(
    "rows",
    [
        ROWS[:-1],
        [*ROWS, ROWS[0]],
        [("d", "the"), ("e", "cat"), ("d", "sat"), ("e", None)],
        [("d", "The"), *ROWS[1:]],
    ],
)
def test_every_change_of_a_row_changes_the_name(rows: list[tuple[str, str | None]]) -> None:
    assert name_of(scored(words(rows))) != name_of(scored())


def test_what_changes_no_score_of_the_whole_is_not_in_the_name() -> None:
    by = pa.table({"document": ["d", "e"], "room": ["x", "y"]})
    run = scored(metadata=by, by="room")
    assert name_of(run) == name_of(scored())
    assert gold_of(run)["slices"].keys() == {"metadata"}
    other = scorespec.score("wer", reference=words(), hypothesis=words())
    assert name_of(other) == name_of(run)


def test_gold_in_the_table_of_a_submission_is_named_as_in_its_own(tmp_path: Path) -> None:
    trials = pa.table({"model": ["m"] * 4, "segment": ["a", "b", "c", "d"], "target": [True, False, True, False]})
    flipped = trials.set_column(2, "target", pa.array([False, True, False, True]))
    results = tmp_path / "r.duckdb"

    def run(name: str, gold: pa.Table, score: list[float], **inputs: pa.Table) -> scorespec.Run:
        scores = (trials if inputs else gold).append_column("score", pa.array(score))
        asked = {"metrics": "eer", "name": name, "output": results}
        return scorespec.score("verification", inputs={"scores": scores, **inputs}, **asked)

    one = run("one", trials, [2.0, 1.0, 4.0, 3.0])
    other = run("other", trials.take([3, 1, 2, 0]), [1.0, 2.0, 3.0, 4.0])
    assert one.signature == other.signature
    assert name_of(one) == name_of(run("apart", trials, [2.0, 1.0, 4.0, 3.0], trials=trials))
    assert scorespec.compare("one", "other", results=results)
    for name, gold in {"flipped": flipped, "half": trials.slice(0, 2)}.items():
        assert name_of(run(name, gold, [2.0, 1.0, 4.0, 3.0][: len(gold)])) != name_of(one)
    for number in (4, 5):
        with pytest.raises(UsageError, match=r"cannot be compared: input trials, which is gold, differs$"):
            scorespec.compare(1, number, results=results)
    assert {entry.system for entry in scorespec.leaderboard(results)} == {"half"}  # the latest gold


@pytest.mark.parametrize("part", ["evidence", "units", "counts"])
def test_a_signature_names_no_secret_gold(part: str) -> None:
    run = scored(withhold=part)
    assert "|gold:" not in run.signature + run.short_signature


@pytest.mark.slow
@pytest.mark.parametrize("suite", only(["articubench"], ["articubench", "sws2013", "zerospeech2017", "wer"]))
def test_inputs_and_lists_in_files_have_their_name(suite: str, tmp_path: Path) -> None:
    files = {}
    for name, table in inputs_of(suite).items():
        pa.parquet.write_table(table, tmp_path / f"{name}.parquet")
        files[name] = tmp_path / f"{name}.parquet"
    run = scorespec.score(suite, inputs=files)
    assert gold_of(run)["whole"].keys() == {*files} - suite_of(suite).submitted
    assert name_of(run) == name_of(scorespec.score(suite, inputs=inputs_of(suite)))


@pytest.mark.slow
def test_a_changed_list_changes_the_name() -> None:
    given = inputs_of("articubench")
    name = name_of(scorespec.score("articubench", inputs=given))
    labels = given["labels"].to_pydict()
    labels["vector"][0][0] += 1e-6
    changed = {**given, "labels": pa.table(labels, given["labels"].schema)}
    assert name_of(scorespec.score("articubench", inputs=changed)) != name


@pytest.mark.slow
def test_a_comparison_names_the_input_that_differs(tmp_path: Path) -> None:
    phones, given = inputs_of("zerospeech2017")["phones"], inputs_of("zerospeech2017")
    results, few = tmp_path / "r.duckdb", phones.slice(0, len(phones) - 1)
    for name, each in {"one": phones, "same": phones.take([*reversed(range(len(phones)))]), "other": few}.items():
        scorespec.score("zerospeech2017", inputs={**given, "phones": each}, name=name, output=results, metrics="token")
    assert scorespec.compare("one", "same", results=results)
    with pytest.raises(UsageError, match=r"one and other cannot be compared: input phones, which is gold, differs$"):
        scorespec.compare(1, 3, results=results)


@pytest.mark.slow
def test_other_columns_matter_for_comparisons_of_slices_alone(tmp_path: Path) -> None:
    given, results = inputs_of("sws2013"), tmp_path / "r.duckdb"
    audio = given["audio"]
    names = {}
    for name, kinds in {"one": "xy", "other": "yx"}.items():
        described = audio.append_column("kind", pa.array([kinds[at % 2] for at in range(len(audio))]))
        inputs = {**given, "audio": described}
        run = scorespec.score("sws2013", inputs=inputs, metrics="atwv", by="kind", name=name, output=results)
        names[name] = name_of(run)
    assert names["one"] == names["other"] == name_of(scorespec.score("sws2013", inputs=given, metrics="atwv"))
    assert scorespec.compare("one", "other", results=results)
    with pytest.raises(UsageError, match=r"input audio with other columns, which is gold, differs$"):
        scorespec.compare("one", "other", results=results, slices=True)
