"""Writes the scores of every recorded submission into a folder, a file a run, to compare two states of the engine.

Run it with the folder BEFORE, change the engine, run it with the folder AFTER, and compare: ``diff -r BEFORE AFTER``.
A run that is refused has the message in place of scores. With ``--by``, small corpora of every suite are also broken
down by each column of their inputs. ``--only TEXT`` makes only the runs whose name contains the text.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
DATA = HERE / "data"
sys.path[:0] = [str(HERE)]
Run = tuple[str, str, dict[str, Any], dict[str, Any]]  # its name, its suite, inputs, other arguments


def term_discovery() -> Iterator[Run]:
    folder = DATA / "term_discovery"
    for fragments in sorted((*folder.glob("*.class"), *(folder / "stress").glob("*.class"))):
        corpus, here = fragments.name.partition(".")[0], fragments.parent
        inputs = {"phones": here / f"{corpus}.phn", "words": here / f"{corpus}.wrd", "fragments": fragments}
        yield f"{fragments.stem}.2017", "zerospeech2017", inputs, {}
        yield f"{fragments.stem}.2017.lenient", "zerospeech2017", inputs, {"params": {"edge_time": 0.01}}
        for n_folds in (0, 3):
            yield f"{fragments.stem}.2015.{n_folds}", "zerospeech2015", inputs, {"params": {"n_folds": n_folds}}
        if here != folder:
            utterances = {"utterances": here / f"{corpus}.utt"}
            yield f"{fragments.stem}.2015.utterances", "zerospeech2015", inputs | utterances, {"params": {"n_folds": 0}}
            continue
        folds = {f"folds_{ours}": here / f"{corpus}.intervals.{theirs}" for ours, theirs in FOLDS.items()}
        yield f"{fragments.stem}.tde", "tde2015", inputs | {"utterances": here / f"{corpus}.split"} | folds, {}
        for name, path in folds.items():
            yield f"{fragments.stem}.2015.{name}", "zerospeech2015", inputs | {"folds": path}, {}


FOLDS = {"total": "cross", "within": "within"}


def term_detection() -> Iterator[Run]:
    for here in sorted((DATA / "term_detection").iterdir()):
        if here.name.startswith("quesst"):
            inputs = {"queries": "tlist.xml", "audio": "ecf.xml", "references": "ref.rttm", "detections": "stdlist.xml"}
            for score in (None, -1.0):
                params = {} if score is None else {"default_score": score}
                yield f"{here.name}.{score}", "quesst2015", given(here, inputs), {"params": params}
        elif here.is_dir():
            inputs = {
                "queries": "kwlist.xml", "audio": "ecf.xml", "references": "ref.rttm", "detections": "kwslist.xml",
                "speech": "ref.rttm::rttm_speaker",
            }  # fmt: skip
            for suite in ("std2006", "sws2012", "sws2013", "openkws13"):
                yield f"{here.name}.{suite}", suite, given(here, inputs), {}
            for name, params in OPTIONS.items():
                yield f"{here.name}.openkws13.{name}", "openkws13", given(here, inputs), {"params": params}


OPTIONS: dict[str, dict[str, Any]] = {
    "all_queries": {"include_queries_without_targets": True},
    "pooled": {"pooled": True},
    "segment": {"trials": "segment"},
    "exact": {"tolerance": 0.0},
}


def given(folder: Path, inputs: dict[str, str]) -> dict[str, str]:
    return {name: str(folder / each) for name, each in inputs.items()}


def named_entities() -> Iterator[Run]:
    folder = DATA / "named_entities"
    sgml = given(folder, {"reference": "noisy200.ref.sgml", "hypothesis": "noisy200.hyp.sgml"})
    sides = {
        "sgml": sgml,
        "trn": given(folder, {"reference": "noisy200.ref.trn", "hypothesis": "noisy200.hyp.trn"}),
        "ctm": given(folder, {"reference": "noisy200.ref.stm", "hypothesis": "noisy200.hyp.ctm"}),
    }
    for name, inputs in sides.items():
        for within in ("segment", "document"):
            yield f"{name}.wer.{within}", "wer", inputs, {"params": {"align_within": within}}
    alignment = {"alignment": str(folder / "sclite" / "noisy200.sgml")}
    for suite in ("speech_ne", "muc_ne"):
        for tolerance in (0, 1, 2):
            for mapping in ("greedy", "optimal"):
                params = {"extent_tolerance": tolerance, "mapping": mapping}
                yield f"sgml.{suite}.{tolerance}.{mapping}", suite, sgml, {"params": params}
                yield f"sclite.{suite}.{tolerance}.{mapping}", suite, sgml | alignment, {"params": params}


def articulation() -> Iterator[Run]:
    folder = DATA / "articulation"
    gold = given(folder, {"tokens": "tokens.parquet", "labels": "labels.parquet"})
    baseline = {"baseline": str(folder / "submission_baseline.parquet")}
    for submission in ("A", "B", "C_broken", "baseline"):
        for suite in ("articubench", "articulation"):
            path = {"submission": str(folder / f"submission_{submission}.parquet")}
            yield f"{submission}.{suite}", suite, gold | baseline | path, {}


TASKS = {"task_names": ["copy-synthesis", "semantic-acoustic", "semantic-only"]}


def breakdowns() -> Iterator[Run]:
    """A run of the small corpora of tests/random_corpora.py for each column of each input."""
    import random_corpora as corpora

    detection, discovery = corpora.term_detection(1), corpora.term_discovery(1)
    entities, virtual = corpora.named_entities(1), corpora.without(detection, "speech")
    everybody = corpora.without(discovery, "speakers")
    segmented = corpora.without(entities, "times", "glm")
    tasks = {
        **{suite: corpora.Task(suite, virtual, {}) for suite in ("std2006", "sws2012", "sws2013", "openkws13")},
        "segment": corpora.Task("openkws13", detection, {"trials": "segment"}),
        "quesst2015": corpora.Task("quesst2015", corpora.documents_with_terms(1), {"default_score": -1}),
        "zerospeech2017": corpora.Task("zerospeech2017", everybody),
        "within": corpora.Task("zerospeech2017", discovery, {"speakers": "within"}),
        "zerospeech2015": corpora.Task("zerospeech2015", everybody, {"n_folds": 0}),
        "folded": corpora.Task("zerospeech2015", everybody, {"n_folds": 4}),
        "tde2015": corpora.Task("tde2015", corpora.with_folds(everybody, 1)),
        "speech_ne": corpora.Task("speech_ne", segmented),
        "muc_ne": corpora.Task("muc_ne", segmented),
        "wer": corpora.Task("wer", corpora.without(entities, "times")),
        "meeting": corpora.Task("meeting", corpora.meetings(1)),
        **{
            suite: corpora.Task(suite, corpora.diarization(1), {"collar": 0.25})
            for suite in ("der_pyannote", "der_mdeval", "der_dscore")
        },
        "verification": corpora.Task("verification", corpora.verification(1)),
        **{suite: corpora.Task(suite, corpora.articulation(1), TASKS) for suite in ("articulation", "articubench")},
    }
    for name, task in tasks.items():
        inputs = task.inputs
        columns = {
            column: values
            for table in inputs.values()
            for column, values in zip(table.column_names, table.columns, strict=True)
        }
        for column in sorted(name for name, values in columns.items() if values.null_count < len(values)):
            yield f"{name}.by.{column}", task.suite, inputs, {"params": dict(task.params), "by": column}


def write(folder: Path, run: Run) -> None:
    import scorespec

    name, suite, inputs, arguments = run
    try:
        rows = scorespec.score(suite, inputs=inputs, keep_evidence=False, **arguments).table()
        text = "".join(json.dumps(row, default=str) + "\n" for row in rows)
    except scorespec.ScorespecError as refused:
        text = f"refused: {refused}\n".replace(str(HERE.parent), "")
    (folder / f"{suite}.{name}.jsonl").write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--by", action="store_true", help="break down small corpora by each column, too")
    parser.add_argument("--only", default="", help="only runs whose name contains this text")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    runs = [*term_discovery(), *term_detection(), *named_entities(), *articulation()]
    runs += breakdowns() if asked.by else []
    chosen = [run for run in runs if asked.only in f"{run[1]}.{run[0]}"]
    with ProcessPoolExecutor(asked.processes) as pool:
        list(pool.map(write, [asked.folder] * len(chosen), chosen))
    print(len(chosen), "files")


if __name__ == "__main__":
    main()
