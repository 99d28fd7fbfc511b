"""The values from which jackknife intervals are made, against runs of files that lack the blocks of a group."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import scorespec
from marks import only
from scorespec.plan import request
from scorespec.statistics import block_groups

GROUPS = 2
DATA = Path(__file__).parents[1] / "data"
Tables = Mapping[str, pa.Table]
Place = tuple[str, str, frozenset[tuple[str, Any]]]


def table(rows: list[tuple[Any, ...]], *names: str) -> pa.Table:
    return pa.table({name: [row[at] for row in rows] for at, name in enumerate(names)})


def discovery(files: int = 10, speakers: int = 8) -> Tables:
    """Words of few phones, said again and again; clusters of words of one label, with wrong members and edges."""
    chance = random.Random(3)
    lexicon = {"one": "wan", "two": "tu", "three": "tri", "tree": "tri", "four": "for"}
    phones, words, fragments = [], [], []
    for number in range(files):
        file, now = f"f{number}", 0.0
        for _ in range(7):
            label = chance.choice([*lexicon])
            begin = now
            for phone in lexicon[label]:
                phones.append((file, round(now, 3), round(now + 0.1, 3), phone))
                now += 0.1
            words.append((file, round(begin, 3), round(now, 3), label))
            if chance.random() < 0.8:
                cluster = label if chance.random() < 0.9 else "two"
                edge = chance.choice((0, 0, 0.06))
                fragments.append((cluster, file, round(begin + edge, 3), round(now + edge, 3)))
            if chance.random() < 0.3:
                phones.append((file, round(now, 3), round(now + 0.2, 3), "SIL"))
                now += 0.2
    interval = ("file", "onset", "offset")
    return {
        "phones": table(phones, *interval, "label"),
        "words": table(words, *interval, "label"),
        "fragments": table(fragments, "cluster", *interval),
        "speakers": table([(f"f{number}", f"t{number % speakers}") for number in range(files)], "file", "speaker"),
    }


def tde() -> Tables:
    """The same without speakers, with two folds."""
    found = files()
    spans = [(f"f{number}", 0.0, 60.0) for number in range(10)]
    folds = [(number // 8, *span) for number, span in enumerate(spans)]
    times = ("file", "onset", "offset")
    intervals = {"utterances": table(spans, *times)}
    return {**found, **intervals, **dict.fromkeys(("folds_total", "folds_within"), table(folds, "fold", *times))}


def detection(queries: int = 8) -> Tables:
    """Occurrences in three documents, found with scores that say little, and false alarms."""
    chance = random.Random(4)
    occurrences, detections = [], []
    for query in range(queries):
        for doc in "abc":
            at = 5.0 * query
            if chance.random() < 0.7:
                occurrences.append((f"q{query}", doc, "1", at, 1.0))
            if chance.random() < 0.7:
                score = round(chance.random(), 2)
                detections.append((f"q{query}", doc, "1", at, 1.0, score, "YES" if score > 0.4 else "NO"))
    where = ("query", "doc", "channel", "tbeg", "dur")
    names = [f"q{query}" for query in range(queries)]
    return {
        "queries": table([(name, name) for name in names], "query", "text"),
        "audio": table([(doc, "1", 0.0, 50.0) for doc in "abc"], *where[1:]),
        "occurrences": table(occurrences, *where),
        "detections": table(detections, *where, "score", "decision"),
    }


def trials(queries: int = 8) -> Tables:
    """A score and a decision for each pair of a query and a document."""
    chance = random.Random(5)
    pairs = [(f"q{query}", doc) for query in range(queries) for doc in "abcd"]
    where = ("query", "doc", "channel", "tbeg", "dur")
    spans = [(query, doc, "1", 0.0, 8.0) for query, doc in pairs]
    scores = [(chance.gauss(0.0, 1.0), doc == "a" or (doc != "b" and chance.random() < 0.5)) for _, doc in pairs]
    return {
        "queries": table([(f"q{query}",) for query in range(queries)], "query"),
        "audio": table([(doc, "1", 0.0, 8.0) for doc in "abcd"], *where[1:]),
        "occurrences": table([span for span, (_, is_said) in zip(spans, scores, strict=True) if is_said], *where),
        "detections": table(
            [
                (*span, score + is_said, "YES" if score + is_said > 0.5 else "NO")
                for span, (score, is_said) in zip(spans, scores, strict=True)
            ],
            *(*where, "score", "decision"),
        ),
    }


def transcripts() -> Tables:
    """Segments of ten speakers in two documents, with entities; the hypothesis names neither speakers nor all words."""
    chance = random.Random(6)
    reference, hypothesis = [], []
    for number in range(20):
        document, segment = f"d{number % 2}", f"s{number}"
        for position in range(4):
            word = chance.choice("abcd")
            entity = (number, "PER") if position == 1 else (None, None)
            reference.append((document, segment, word, *entity, f"t{number % 10}"))
            heard = word if chance.random() < 0.8 else "x"
            hypothesis.append((document, segment, heard, *(entity if chance.random() < 0.8 else (None, None)), None))
    columns = ("document", "segment", "token", "entity", "tag", "speaker")
    return {"reference": table(reference, *columns), "hypothesis": table(hypothesis, *columns)}


def synthesis() -> Tables:
    folder = DATA / "articulation"
    names = {"submission": "submission_A", "baseline": "submission_baseline"}
    tables = {name: pq.read_table(folder / f"{names.get(name, name)}.parquet") for name in ("tokens", "labels", *names)}
    return {
        name: found.drop_columns([c for c in ("len_cp",) if c in found.schema.names]) for name, found in tables.items()
    }


def files() -> Tables:
    """Without speakers, so that the files are the blocks."""
    return {name: found for name, found in discovery().items() if name != "speakers"}


def file(row: Mapping[str, Any]) -> dict[str, str]:
    return {"file": row["file"]}


def speaker_of_file(row: Mapping[str, Any]) -> dict[str, str]:
    return {"speaker": f"t{int(row['file'][1:]) % 8}"}


def query(row: Mapping[str, Any]) -> dict[str, str]:
    return {"query": row["query"]}


def speaker_of_segment(row: Mapping[str, Any]) -> dict[str, str]:
    return {"speaker": f"t{int(row['segment'][1:]) % 10}"}


def token(row: Mapping[str, Any]) -> dict[str, str]:
    return {"token": row["token"]}


# Suites whose metrics have other intervals, with the jackknife for all of their metrics.
JACKKNIFED = """
domain: {domain}
suites:
  jackknifed:
    extends: {suite}
    resample: {{blocks: [{blocks}], method: jackknife{more}}}
"""


@dataclass(frozen=True)
class Case:
    """The inputs of a suite, the block of a row, the metrics (empty: all), and a document of a suite that is scored."""

    inputs: Callable[[], Tables]
    block_of: Callable[[Mapping[str, Any]], dict[str, str]]
    metrics: tuple[str, ...] = ()
    document: str = ""


CASES = {
    "zerospeech2015": Case(files, file, ("ned", "type")),
    "zerospeech2017": Case(discovery, speaker_of_file, ("ned", "grouping", "type", "sizes")),
    "tde2015": Case(tde, file, ("ned", "matching", "type")),
    "openkws13": Case(detection, query, ("mtwv", "calibration_loss", "counts")),
    "std2006": Case(detection, query),
    "sws2012": Case(detection, query, ("upper_bound_twv", "prior")),
    "sws2013": Case(detection, query, ("min_cnxe", "counts")),
    "quesst2015": Case(trials, query),
    "speech_ne": Case(
        transcripts,
        speaker_of_segment,
        document=JACKKNIFED.format(
            domain="transcripts",
            suite="speech_ne",
            blocks="speaker, document, segment",
            more=", from: segment_speakers",
        ),
    ),
    "articulation": Case(
        synthesis,
        token,
        ("semantic_distance", "semantic_rank", "loudness"),
        JACKKNIFED.format(domain="articulation", suite="articulation", blocks="token", more=""),
    ),
}


def named(block: dict[str, str]) -> str:
    return json.dumps(block, separators=(",", ":"))


def scores_of(run: scorespec.Run) -> dict[Place, float | None]:
    return {(row["metric"], row["component"], frozenset(row["slice"].items())): row["value"] for row in run.table()}


@pytest.mark.parametrize("suite", only(["zerospeech2017"], CASES))
def test_a_value_without_a_group_is_that_of_files_without_its_blocks(
    suite: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request, "FEWEST_GROUPS", GROUPS)  # two groups, so that few runs are needed
    case = CASES[suite]
    inputs, asked = case.inputs(), {"threads": 1, "metrics": case.metrics}
    if case.document:
        (tmp_path / "jackknifed.yaml").write_text(case.document, encoding="utf-8")
        suite, asked["specs"] = "jackknifed", tmp_path / "jackknifed.yaml"
    run = scorespec.score(suite, inputs=inputs, confidence=95, confidence_groups=GROUPS, **asked)
    rows = run.sql(
        "SELECT metric, component, slice::VARCHAR AS slice, groups, scores FROM replicates AS kept "
        "WHERE method = 'jackknife' "
        "AND NOT EXISTS (FROM replicates WHERE metric = kept.metric AND method = 'bootstrap')"
    ).to_pylist()  # the bootstrap of a best threshold also keeps values without each block
    assert rows
    first = next(iter(inputs.values()))
    blocks = sorted({named(case.block_of(row)) for row in first.to_pylist()})
    dealt = block_groups(0, len(blocks), GROUPS)
    left_out = {blocks[at] for at in range(len(blocks)) if dealt[at] == 1}
    divided = {*inputs} - {"audio", "labels"}
    remaining = {
        name: found.filter(pa.array([named(case.block_of(row)) not in left_out for row in found.to_pylist()]))
        if name in divided
        else found
        for name, found in inputs.items()
    }
    alone = scores_of(scorespec.score(suite, inputs=remaining, **asked))
    for row in rows:
        assert len(row["scores"]) == len(row["groups"]) == GROUPS
        assert sum(row["groups"]) == len(blocks)
        place = (row["metric"], row["component"], frozenset(json.loads(row["slice"]).items()))
        value = row["scores"][1]
        assert alone[place] == (None if math.isnan(value) else value), place
