"""`scorespec describe`: what a corpus has, without a submission, counted here a second time."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pyarrow as pa
import pytest
from command_line import DATA, OWN_SUITE, Command

import scorespec
from scorespec.catalog.lookup import load_catalog

DETECTION, ENTITIES = DATA.parent / "term_detection", DATA.parent / "named_entities"
GOLD = {"phones": DATA / "alpha.phn", "words": DATA / "alpha.wrd"}
Write = Callable[[str, str], str]


def labels(path: Path) -> list[tuple[str, float, float, str]]:
    rows = [line.split() for line in path.read_text().splitlines()]
    return [(file, float(onset), float(offset), label) for file, onset, offset, label in rows]


def test_every_suite_describes_its_corpus() -> None:
    catalog = load_catalog()
    suites = [catalog.suite(key.name) for key in catalog.keys("suites")]
    assert suites
    assert [each.name for each in suites if not each.describe] == []


@pytest.mark.parametrize("suite", ["zerospeech2015", "zerospeech2017", "tde2015"])
def test_term_discovery(suite: str) -> None:
    run = scorespec.describe(suite, inputs=GOLD, params={"speaker_pattern": "_(..)"}, keep_evidence=False)
    phones, words = labels(GOLD["phones"]), labels(GOLD["words"])
    counted = Counter(label for *_, label in phones)
    seconds = math.fsum(offset - onset for _, onset, offset, _ in phones)
    assert run["recording_statistics"].recordings == len({file for file, *_ in phones})
    assert run["recording_statistics"].hours == pytest.approx(seconds / 3600, rel=1e-9)
    assert run["speaker_statistics"].speakers == len({file.split("_")[1][:2] for file, *_ in phones})
    assert (run["phone_statistics"].tokens, run["phone_statistics"].types) == (len(phones), len(counted))
    by_label = {each["label"]: run.value("phone_statistics", "tokens", **each) for each in _slices(run, "label")}
    assert by_label == counted
    assert run["word_statistics"].tokens == len(words)
    assert run["word_statistics"].types == len({label for *_, label in words})
    assert {row["folds"] for row in run.table()} == {None}


def test_a_corpus_has_no_folds() -> None:
    with pytest.raises(scorespec.UsageError, match=r"^--folds: a corpus is described as a whole$"):
        scorespec.describe("zerospeech2015", inputs=GOLD, folds=True)


def _slices(run: scorespec.Run, column: str) -> list[dict[str, str]]:
    rows = run["phone_statistics" if column == "label" else "query_statistics"].table()
    return [dict(each) for each in {tuple(row["slice"].items()) for row in rows if column in row["slice"]}]


def test_term_detection() -> None:
    folder = DETECTION / "multiword"
    found = {path.name: path for path in folder.iterdir()}
    gold = {"queries": found["kwlist.xml"], "audio": found["ecf.xml"], "references": found["ref.rttm"]}
    run = scorespec.describe("std2006", inputs=gold, keep_evidence=False)
    texts = [str(each.findtext("kwtext")).split() for each in ElementTree.parse(gold["queries"]).getroot()]
    excerpts = list(ElementTree.parse(gold["audio"]).getroot().iter("excerpt"))
    tokens = [line.split() for line in gold["references"].read_text().splitlines() if line.startswith("LEXEME")]
    words = [token.lower() for _, _, _, _, _, token, subtype, *_ in tokens if subtype not in ("fp", "frag")]
    assert (run["word_statistics"].tokens, run["word_statistics"].types) == (len(words), len(set(words)))
    assert run["audio_statistics"].seconds == sum(float(each.get("dur", "")) for each in excerpts)
    assert run["query_lengths"].queries == len(texts)
    for length, number in Counter(map(len, texts)).items():
        assert run.value("query_lengths", "queries", length=length) == number
    inputs = {**gold, "detections": found["kwslist.xml"]}
    scored = scorespec.score("std2006", inputs=inputs, metrics="counts", keep_evidence=False)
    assert run["query_statistics"].occurrences == scored["counts"].targets
    assert run["query_statistics"].queries_with_occurrences == scored["counts"].queries
    rows = [row for row in run["query_statistics"].table() if row["slice"] and row["component"] == "queries"]
    assert sum(row["value"] for row in rows) == len(texts)


def test_named_entities() -> None:
    path = ENTITIES / "noisy200.ref.sgml"
    run = scorespec.describe("speech_ne", reference=path, by="document", keep_evidence=False)
    text = path.read_text()
    tagged = re.findall(r'<[A-Z]+EX TYPE="(\w+)">(.*?)</', text, re.DOTALL)
    assert tagged
    assert run["entity_statistics"].entities == len(tagged)
    for kind, number in Counter(kind for kind, _ in tagged).items():
        assert run.value("entity_statistics", "entities", type=kind) == number
    inputs = {"reference": path, "hypothesis": ENTITIES / "noisy200.hyp.sgml"}
    scored = scorespec.score("wer", inputs=inputs, metrics="wer", keep_evidence=False)
    assert run["word_statistics"].tokens == scored["wer"].words
    assert run.value("entity_statistics", "entities", document="noisy200") == len(tagged)
    assert run["entity_statistics"].entity_words == scored["wer"].at(region="inside").words


def test_resources() -> None:
    import pyarrow as pa

    examples = pa.table({"query": ["a", "a", "b"], "example": ["1", "2", "1"], "dur": [1.0, 2.0, 4.0]})
    audio = pa.table({"doc": ["d"], "channel": ["1"], "tbeg": [0.0], "dur": [30.0]})
    run = scorespec.describe("resources", query_examples=examples, audio=audio)
    assert [run["query_example_statistics"][name] for name in ("queries", "examples", "seconds")] == [2, 3, 7]
    assert run["audio_statistics"].seconds == 30


def test_articulation() -> None:
    folder = DATA.parent / "articulation"
    gold = {"tokens": folder / "tokens.parquet", "labels": folder / "labels.parquet"}
    run = scorespec.describe("articulation", inputs=gold)
    import pyarrow.parquet as pq

    tokens = pq.read_table(gold["tokens"]).to_pylist()
    assert run["token_statistics"].tokens == len(tokens)
    assert run["token_statistics"].labels == len({each["label"] for each in tokens})
    assert run["token_statistics"].with_ema == sum(each["reference_ema_TT"] is not None for each in tokens)
    assert run["label_statistics"].dimensions == len(pq.read_table(gold["labels"]).to_pylist()[0]["vector"])


# -- from the command line -------------------------------------------------------------------------


def test_every_output(cli: Command, folder: Path) -> None:
    call = ("describe", "zerospeech2015", "phones=alpha.phn", "words=alpha.wrd", "--metric", "word_statistics")
    table = cli(*call, "-o", "r.duckdb")
    assert table.err == ""
    assert re.search(r"^word_statistics +tokens +774$", table.out, re.MULTILINE), table.out
    rows = json.loads(cli(*call, "--format", "json").out)["scores"]
    written = list(csv.DictReader(io.StringIO(cli(*call, "--format", "csv").out)))
    assert [(row["component"], row["value"]) for row in rows][:2] == [("tokens", 774), ("types", 55)]
    assert [row["value"] for row in written][:2] == ["774", "55"]
    asked = "SELECT value FROM scores WHERE component = 'tokens'"
    assert scorespec.open_results("r.duckdb").sql(asked).to_pylist() == [{"value": 774}]


def test_broken_down(cli: Command, folder: Path) -> None:
    call = ("describe", "zerospeech2015", "words=alpha.wrd", "--metric", "word_statistics", "--by", "file")
    out = cli(*call, "--format", "json").out
    by_file = {
        row["slice"]["file"]: row["value"]
        for row in json.loads(out)["scores"]
        if row["slice"] and row["component"] == "tokens"
    }
    assert by_file == Counter(file for file, *_ in labels(GOLD["words"]))


def test_slices_are_in_the_order_of_their_numbers() -> None:
    folder = DETECTION / "medium_small"
    gold = {"queries": folder / "kwlist.xml", "audio": folder / "ecf.xml", "references": folder / "ref.rttm"}
    rows = scorespec.describe("std2006", inputs=gold, metrics=["query_statistics"])["query_statistics"].table()
    frequencies = [row["slice"]["frequency"] for row in rows if row["slice"] and row["component"] == "queries"]
    assert frequencies == sorted(frequencies)
    assert frequencies != sorted(frequencies, key=str), "as text, 10 comes before 2"


def test_a_submission_is_not_read(cli: Command, folder: Path) -> None:
    call = ("describe", "zerospeech2015", "phones=alpha.phn", "words=alpha.wrd")
    assert cli(*call, "fragments=there_is_none.class") == cli(*call)


def test_what_is_missing_is_said(cli: Command, folder: Path) -> None:
    cli("describe", "zerospeech2015", "phones=alpha.phn").refused(
        "error: missing input 'words': One row per word token of the corpus (F_goldLex).\n"
        "  formats: phn, textgrid_labels, eaf_labels, csv, tsv, parquet\n  give it as words=PATH",
        code=2,
    )


def test_a_metric_of_submissions_is_refused(cli: Command, folder: Path) -> None:
    said = "error: metric 'token' does not describe the corpus; known: "
    known = "phone_statistics, recording_statistics, speaker_statistics, word_statistics"
    call = ("describe", "zerospeech2015", "phones=alpha.phn", "words=alpha.wrd", "--metric", "token")
    cli(*call).refused(said + known, code=2)


def test_a_suite_of_a_user(cli: Command, folder: Path, write: Write) -> None:
    call = ("describe", "mine", "phones=alpha.phn", "words=alpha.wrd", "--specs", "mine.yaml")
    write("mine.yaml", OWN_SUITE)
    cli(*call).refused("error: suite 'mine' describes no corpus; list metrics under its key `describe`", code=2)
    write("mine.yaml", OWN_SUITE + "    describe: [word_statistics]\n")
    assert re.search(r"^word_statistics +tokens +774$", cli(*call).out, re.MULTILINE)
    write("mine.yaml", OWN_SUITE + "    describe: [ned, word_statistic]\n")
    for command in (call, ("check", "mine.yaml")):
        cli(*command).refused("mine.yaml:8:21: unknown metric 'word_statistic'; did you mean 'word_statistics'?")
    write("mine.yaml", OWN_SUITE + "    describe: []\n")
    cli(*call).refused("mine.yaml:8:15: suites.mine.describe: [] should be non-empty")


def test_the_gold_in_the_table_of_a_submission() -> None:
    """Of a suite whose submission may hold the gold, that table is described; without any gold, nothing is."""
    rows = pa.table({"label": [1, 0, 0], "score": [0.5, 0.7, -1.0]})
    both = scorespec.describe("verification", inputs={"scores": rows}, keep_evidence=False)
    gold = scorespec.describe("verification", inputs={"trials": rows}, keep_evidence=False)
    assert (both["trial_statistics"].targets, both["trial_statistics"].nontargets) == (1, 2)
    assert both.signature == gold.signature
    with pytest.raises(scorespec.UsageError, match=r"^missing input 'trials'"):
        scorespec.describe("verification", inputs={})
