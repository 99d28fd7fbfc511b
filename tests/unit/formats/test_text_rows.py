"""Inputs with a text a row, in every form: the scores are those of the same texts as plain lines."""

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from marks import first
from scorespec import InputError, UsageError, score

TEXTS = {"a-1": ("good  morning all", "good morning al"), "a-2": ("", "hm"), "b-1": ("see\tyou soon", "see you soon")}
WER = 2 / 6  # of six words, one is substituted, and one is inserted


def rows(side: int) -> list[dict[str, str]]:
    return [{"utt": name, "text": texts[side], "noise": "8 dB"} for name, texts in TEXTS.items()]


def lines(table: list[dict[str, str]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in table)


def csv(table: list[dict[str, str]], delimiter: str = ",") -> str:
    return pandas.DataFrame(table).replace("\t", " ", regex=True).to_csv(index=False, sep=delimiter)


def parquet(path: Path, table: list[dict[str, str]]) -> Path:
    pq.write_table(pa.Table.from_pylist(table), path)
    return path


def stored(path: Path, table: list[dict[str, str]]) -> str:
    with duckdb.connect(str(path)) as connection:
        connection.register("texts", pa.Table.from_pylist(table))
        connection.execute("CREATE TABLE utterances AS FROM texts")
    return f"{path}::duckdb(table=utterances)"


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


class HubDataset:
    """What is used of a `Dataset` or `IterableDataset` of Hugging Face; `features` of streams may be None."""

    features = None

    def __init__(self, table: list[dict[str, str]]) -> None:
        self.table = pa.Table.from_pylist([{**row, "audio": {"bytes": b"", "path": "a.wav"}} for row in table])

    def select_columns(self, names: list[str]) -> "HubDataset":
        self.table = self.table.select(names)
        return self

    def with_format(self, kind: str) -> "HubDataset":
        assert kind == "arrow"
        return self

    def iter(self, size: int) -> Iterator[pa.Table]:
        return (self.table.slice(at, size) for at in range(0, self.table.num_rows, size))


def hub(table: list[dict[str, str]], streamed: bool) -> Any:
    datasets = pytest.importorskip("datasets")
    found = datasets.Dataset.from_list(table)
    return found.to_iterable_dataset() if streamed else found.select(range(len(table)))


FORMS: dict[str, Callable[[Path, list[dict[str, str]]], Any]] = {
    "csv": lambda path, table: written(path.with_suffix(".csv"), csv(table)),
    "tsv": lambda path, table: written(path.with_suffix(".tsv"), csv(table, "\t")),
    "json lines": lambda path, table: written(path.with_suffix(".jsonl"), lines(table)),
    "json list": lambda path, table: f"{written(path, json.dumps(table, indent=1))}::jsonl",
    "parquet": lambda path, table: parquet(path.with_suffix(".parquet"), table),
    "duckdb": lambda path, table: stored(path.with_suffix(".duckdb"), table),
    "arrow": lambda _, table: pa.Table.from_pylist(table),
    "reader": lambda _, table: pa.Table.from_pylist(table).to_reader(),
    "pandas": lambda _, table: pandas.DataFrame(table),
    "polars": lambda _, table: polars.DataFrame(table),
    "lazy": lambda _, table: polars.LazyFrame(table),
    "relation": lambda _, table: duckdb.connect().from_arrow(pa.Table.from_pylist(table)),
    "like datasets": lambda _, table: HubDataset(table),
    "datasets": lambda _, table: hub(table, streamed=False),
    "streamed datasets": lambda _, table: hub(table, streamed=True),
    "two files": lambda path, table: [
        written(path.with_suffix(f".{at}.jsonl"), lines(some)) for at, some in enumerate((table[:2], table[2:]))
    ],
}


def wer(reference: Any, hypothesis: Any) -> dict[str, float]:
    return {
        row["component"]: row["value"]
        for row in score("wer", reference=reference, hypothesis=hypothesis).scores.to_pylist()
    }


@pytest.mark.parametrize("form", first(FORMS, 5))
def test_each_form_of_a_text_a_row(tmp_path: Path, form: str) -> None:
    found = wer(FORMS[form](tmp_path / "ref", rows(0)), FORMS[form](tmp_path / "hyp", rows(1)))
    assert (found["value"], found["words"], found["insertions"]) == (pytest.approx(WER), 6, 1)


def test_kaldi_and_json_pair_by_the_names_of_utterances(tmp_path: Path) -> None:
    kaldi = "".join(f"{name} {text}\n" for name, (text, _) in TEXTS.items())
    reference = written(tmp_path / "ref.kaldi", kaldi)
    assert wer(reference, pa.Table.from_pylist(rows(1)[::-1]))["value"] == pytest.approx(WER)


def test_supervisions_of_lhotse_are_segments_and_turns(tmp_path: Path) -> None:
    lines = (
        '{"id": "a-1", "recording_id": "rec1", "start": 0.5, "duration": 1.5, "channel": 0, "text": "good morning", '
        '"speaker": "ann", "alignment": {"word": [["good", 0.5, 0.5, null]]}}\n'
        '{"id": "a-2", "recording_id": "rec1", "start": 2.0, "duration": 0.5, "channel": 0, "text": "yes", '
        '"speaker": "bob"}\n'
    )
    path = tmp_path / "supervisions.jsonl.gz"
    path.write_bytes(gzip.compress(lines.encode()))
    words = written(tmp_path / "hyp.ctm", "rec1 0 0.6 0.2 good\nrec1 0 1 0.5 morning\nrec1 0 2.1 0.2 no\n")
    assert wer(path, words)["value"] == pytest.approx(1 / 3)
    turns = f"{path}::(doc=recording_id,tbeg=start,dur=duration)"
    rttm = "SPEAKER rec1 1 0.5 1.5 <NA> <NA> x <NA> <NA>\nSPEAKER rec1 1 2 0.5 <NA> <NA> y <NA> <NA>\n"
    hypothesis = written(tmp_path / "hyp.rttm", rttm)
    assert score("der_pyannote", reference=turns, hypothesis=hypothesis).value("der") == 0


def test_rows_of_a_document_keep_their_order_in_an_alignment_of_documents(tmp_path: Path) -> None:
    texts = pa.table({"document": ["d", "d"], "text": ["a b", "c e"]})
    reference = written(tmp_path / "ref.stm", "d 1 x 0 1 a b\nd 1 x 1 2 c e\n")
    run = score("wer", reference=reference, hypothesis=texts, params={"align_within": "document", "anchor_words": 0})
    assert run.value("wer") == 0


def test_rows_without_names_are_numbered_within_documents() -> None:
    texts = [("x", "one"), ("y", "two"), ("x", "three")]
    reference = pa.table({"path": [name for name, _ in texts], "sentence": [text for _, text in texts]})
    hypothesis = pa.table({"path": ["x", "x", "y"], "prediction": ["one", "three", "two"]})
    assert wer(reference, hypothesis)["value"] == 0


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            {"id": ["a"], "ref": ["x"], "sentence": ["y"]},
            r"which column has the texts\?.*\(text=COLUMN\).*id, ref, sentence",
        ),
        ({"document": ["a"], "words": ["x"]}, "which column has the texts"),
    ],
)
def test_unclear_texts_are_refused(table: dict[str, list[str]], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        wer(pa.table(table), pa.table({"text": ["x"]}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"id": "a", "text": "x"}\n{"id": "b"}\n', r"ref.jsonl:2: the object has no text"),
        ('{"id": "a", "text": "x"}\n\nthis\n', r"ref.jsonl:3: not JSON: expecting value: 'this'"),
        ('{"id": "a", "text": "x"}\n{"id": 5, "text": 5}\n', r"ref.jsonl:2: text is not text: '5'"),
        ('{"id": "a", "text": "x"} {"id": "b", "text": "x"}\n', r"ref.jsonl:1: not JSON: extra data"),
        ('{"id": "a", "text": "x\\u0000"}\n', r"ref.jsonl:1: text has the character U\+0000"),
        ('{"id": "a", "text": "x"}\n{"id": null, "text": "y"}\n', r"ref.jsonl:2: segment is missing"),
        ('{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}\n', r"ref.jsonl:2: segment a is repeated"),
        ('[{"id": "a", "text": "x"},\n 7]', r"ref.jsonl:2: not an object"),
        ('[{"id": "a", "text": "x"},\n {"id": "b", "text": 0.5}]', r"ref.jsonl:2: text is not text: '0.5'"),
    ],
)
def test_rows_at_fault_have_their_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        wer(written(tmp_path / "ref.jsonl", text), pa.table({"id": ["a"], "text": ["x"]}))


AT_FAULT = '{"id": "a", "text": "x"}\n{"id": "b"}\n{"id": "c", "text": 5}\nno\n{"id": null, "text": "y"}\n'


@pytest.mark.parametrize("form", ["json", "table", "two files"])
def test_texts_at_fault_are_dropped_on_demand(tmp_path: Path, form: str) -> None:
    reference = pa.table({"id": list("abcd"), "text": list("xxxx")})
    table = pa.table({"id": ["a", "b", None], "text": ["x", None, "y"]})
    json_lines = written(tmp_path / "hyp.jsonl", AT_FAULT)
    other = written(tmp_path / "d.kaldi", "d x\n")
    hypothesis = {"json": json_lines, "table": table, "two files": [other, json_lines]}[form]
    with pytest.raises(InputError):
        score("wer", reference=reference, hypothesis=hypothesis)
    with pytest.raises(InputError, match=r"(segment|document) b"):
        score("wer", reference=reference, hypothesis=hypothesis, on_bad_row="drop")
    run = score("wer", reference=reference, hypothesis=hypothesis, on_bad_row="drop", params={"missing": "deletions"})
    assert run.value("wer", "deletions") == (2 if form == "two files" else 3)
    dropped = [each for each in run.warnings if "dropped" in each]
    known = {"json": ("line 2", "3 of 5"), "table": ("line 2", "1 of 3"), "two files": ("jsonl:2", "3 of 6")}
    assert all(each in dropped[0] for each in known[form])
    assert "segment is missing" in dropped[1]


def test_json_is_read_alike_fast_and_row_by_row(tmp_path: Path) -> None:
    """Numbers as names, escapes and keys in another order; an emoji, written as two halves, ends the fast reading."""
    fast = '{"id": 7, "text": "\\u00fcber all", "words": [{"w": 1}]}\n{"text": "caf\u00e9", "id": 8}\n'
    slow = fast + '{"id": 9, "text": "\\ud83d\\ude00"}\n{"id": "x", "text": "y"}\n'
    known = {"7": "\u00fcber all", "8": "caf\u00e9", "9": "\U0001f600", "x": "y"}
    for text, count in ((fast, 2), (slow, 4)):
        reference = pa.table({"id": list(known)[:count], "text": list(known.values())[:count]})
        found = wer(reference, written(tmp_path / "hyp.jsonl", text))
        assert (found["value"], found["words"]) == (0, count + 1)


def test_a_token_with_a_blank_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "ref.csv", "path,sentence\na.wav,good morning\n")
    with pytest.raises(InputError, match=r"ref.csv:2: the token good morning has a blank.*::\(text=COLUMN\)"):
        wer(f"{path}::(document=path,token=sentence)", pa.table({"document": ["a.wav"], "token": ["good"]}))


PAIRS = {
    "text": ["good morning all", "see you soon", "yes"],
    "pred_text": ["good morning al", "see soon", "yes"],
    "gender": ["f", "m", "m"],
    "speaker": ["ann", "bob", "bob"],
    "duration": [1.5, 2.0, 0.5],
}


@pytest.mark.parametrize("form", first(FORMS, 4))
def test_one_table_with_both_texts(tmp_path: Path, form: str) -> None:
    pairs = FORMS[form](tmp_path / "pairs", pa.table(PAIRS).to_pylist())
    if form == "two files":
        with pytest.raises(InputError, match=r"document '1' is also in .*pairs.0.jsonl; give it in one file"):
            score("wer", pairs=pairs)
        return
    run = score("wer", pairs=pairs, by="gender")
    assert run.value("wer") == pytest.approx(2 / 7)
    assert (run.value("wer", gender="f"), run.value("wer", gender="m")) == (pytest.approx(1 / 3), 1 / 4)
    assert any("'text' as reference and 'pred_text' as hypothesis" in each for each in run.warnings)


@pytest.mark.parametrize(("suite", "value"), first([("wer", 2 / 7), ("cer", 5 / 31), ("mixed", 2 / 7)]))
def test_suites_of_pairs_by_speakers(tmp_path: Path, suite: str, value: float) -> None:
    run = score(suite, pairs=pa.table(PAIRS), by="speaker", blocks="speaker", output=tmp_path / "runs.duckdb")
    assert run.value(suite) == pytest.approx(value)
    assert run.value(suite, speaker="ann") > 0
    found = run.sql("SELECT * EXCLUDE (run) FROM evidence_metadata ORDER BY document").to_pylist()
    assert {name: value for name, value in found[0].items() if value is not None} == {
        "document": "1",
        "gender": "f",
        "speaker": "ann",
        "duration": "1.5",
    }


def test_documents_of_pairs_have_several_segments() -> None:
    table = pa.table({**PAIRS, "recording": ["a", "b", "b"], "city": ["X", "Y", "Z"]})
    run = score("wer", pairs=table, by="gender")
    assert run.value("wer", gender="m") == 1 / 4
    with pytest.raises(InputError, match="city is missing"):
        score("wer", pairs=table, by="city")


@pytest.mark.parametrize("wanted", [{"by": "accent"}, {"blocks": "site"}])
def test_pairs_with_names_are_scored_as_two_tables(wanted: dict[str, str]) -> None:
    """The names tell the speakers, which the blocks of intervals are, and what is known of each utterance."""
    rows = [(f"s{speaker:02}_u{each}", speaker, each) for speaker in range(14) for each in range(3)]
    names = [name for name, _, _ in rows]
    texts = [f"a b c {'d' if speaker % 4 or each else 'x'}" for _, speaker, each in rows]
    known = {"accent": [f"{each % 2}" for _, _, each in rows], "site": [f"{speaker // 2}" for _, speaker, _ in rows]}
    pairs = pa.table({"id": names, "reference": ["a b c d"] * len(rows), "prediction": texts, **known})
    files = {"reference": ["id", "reference"], "hypothesis": ["id", "prediction"], "metadata": ["id", *known]}
    together = score("wer", pairs=pairs, confidence=95, **wanted)
    apart = score("wer", **{name: pairs.select(columns) for name, columns in files.items()}, confidence=95, **wanted)
    assert together.sql("FROM scores ORDER BY ALL") == apart.sql("FROM scores ORDER BY ALL")
    assert together.signature == apart.signature
    by, number = ("site", 7) if "blocks" in wanted else ("speaker", 14)
    assert any(f"{number} by {by}" in each for each in together.warnings)


def test_columns_of_pairs_are_found_or_asked_for() -> None:
    table = pa.table({"ref": ["a b"], "sentence": ["a c"], "hyp": ["a c"]})
    with pytest.raises(UsageError, match=r"which columns are the two texts.*\(reference=…,hypothesis=…\).*sentence"):
        score("wer", pairs=table)
    with pytest.raises(UsageError, match="give pairs or hypothesis and reference, not both"):
        score("wer", pairs=table, reference=table, hypothesis=table)
    with pytest.raises(UsageError, match="give pairs or metadata, not both; add the columns of metadata to pairs"):
        score("wer", pairs=table, metadata=table)


def test_columns_of_pairs_that_the_user_names(tmp_path: Path) -> None:
    path = written(tmp_path / "pairs.csv", "ref,sentence,hyp\na b,a c,a c\n")
    run = score("wer", pairs=f"{path}::(reference=sentence,hypothesis=hyp)")
    assert (run.value("wer"), run.warnings) == (0, [])


@pytest.mark.parametrize("name", ["uid", "Utterance ID", "utt-id", "filepath", "index"])
def test_texts_are_paired_by_the_usual_names_in_any_spelling(name: str) -> None:
    reference = pa.table({"utt": ["a", "b"], "text": ["good morning", "yes"]})
    hypothesis = pa.table({name: ["b", "a"], "pred_str": ["yes", "good morning"]})
    if name == "filepath":
        reference = reference.rename_columns(["file", "text"])
    assert wer(reference, hypothesis)["value"] == 0


def test_the_index_of_a_frame_names_the_texts() -> None:
    reference, hypothesis = (pandas.DataFrame(rows(side)).set_index("utt") for side in (0, 1))
    assert wer(reference, hypothesis[::-1])["value"] == pytest.approx(WER)


def test_columns_that_may_be_names_or_other_texts_are_told() -> None:
    table = pa.table({"nome": ["a"], "text": ["x"]})
    run = score("wer", reference=table, hypothesis=table)
    said = "'nome' is not read; ::(text=COLUMN,segment=COLUMN) names other columns"
    assert run.warnings[0] == f"note: <reference>: the texts are paired in their order; {said}"
    named = pa.table({"id": ["a"], "text": ["x"], "whisper": ["y"], "duration": [1]})
    run = score("wer", reference=named, hypothesis=named)
    said = "'whisper' is not read; ::(text=COLUMN,segment=COLUMN) names other columns"
    assert run.warnings == [f"note: <hypothesis>: the texts are in 'text'; {said}"]
    assert (
        score("wer", reference=named.drop_columns("whisper"), hypothesis=named.drop_columns("whisper")).warnings == []
    )


def test_segments_of_a_manifest_out_of_order_are_refused(tmp_path: Path) -> None:
    segments = [
        {"audio_filepath": "a.wav", "offset": at, "duration": 1, "text": text} for at, text in ((0, "x"), (2, "y"))
    ]
    reference, hypothesis = (
        written(tmp_path / f"{name}.jsonl", lines(found))
        for name, found in (("ref", segments), ("hyp", segments[::-1]))
    )
    assert wer(reference, reference)["value"] == 0
    with pytest.raises(InputError, match=r"hyp.jsonl:2: times run backwards"):
        wer(reference, hypothesis)


def test_a_text_that_only_has_a_number_can_shift_the_others() -> None:
    with pytest.raises(InputError, match="give them names: those after a missing text are shifted"):
        wer(pa.table({"text": ["a", "b"]}), pa.table({"text": ["b"]}))


def test_csv_of_excel_has_semicolons(tmp_path: Path) -> None:
    reference = written(tmp_path / "ref.csv", 'id;text\n1;"a, b; c"\n2;d\n')
    hypothesis = written(tmp_path / "hyp.csv", "id;text\n1;a, x c\n2;d\n")
    assert wer(reference, hypothesis)["substitutions"] == 1
    with pytest.raises(InputError, match=r"ref.csv:2: expected 2 columns, found 3: '1;a;b'"):
        wer(written(reference, "id;text\n1;a;b\n"), hypothesis)


def test_pairs_with_the_index_of_pandas(tmp_path: Path) -> None:
    pandas.DataFrame(PAIRS).to_csv(tmp_path / "pairs.csv")
    assert score("wer", pairs=tmp_path / "pairs.csv").value("wer") == pytest.approx(2 / 7)


def test_a_column_names_the_annotators() -> None:
    reference = {"id": ["1", "1", "2", "2"], "annotator": list("ABAB"), "text": ["a b c", "a x c", "d e", "d f"]}
    hypothesis = pa.table({"id": ["1", "2"], "text": ["a x c", "d e"]})
    run = score("multi_reference", reference=pa.table(reference), hypothesis=hypothesis, by="annotator", metrics="wer")
    assert (run.value("wer", annotator="A"), run.value("wer", annotator="B")) == (1 / 5, 1 / 5)
    assert run.value("wer", "words") == 10
