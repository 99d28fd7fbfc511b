"""The suites against the paper's examples and what a reference implementation recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from marks import first, only, some
from oracles.entity_corpora import BLOCKS, Segmented, tables
from oracles.named_entities import Block, Document, Entity

DATA = Path(__file__).parents[1] / "data" / "named_entities"
EXPECTED: dict[str, list[dict[str, Any]]] = json.loads((DATA / "expected.json").read_text())
NOISY = {"reference": DATA / "noisy200.ref.sgml", "hypothesis": DATA / "noisy200.hyp.sgml"}
SCLITE = DATA / "sclite" / "noisy200.sgml"
COUNTS = {
    "correct": "cor",
    "substituted": "sub",
    "missing": "mis",
    "spurious": "spu",
    "possible": "pos",
    "actual": "act",
}
METRICS = ["slots", "entities", "whole_entities"]
RATES = {"precision": "P", "recall": "R", "fscore": "F", "slot_error_rate": "SER"}
WHOLE = {
    "mapped": "mapped",
    "correct": "all_correct",
    "missing": "missing",
    "spurious": "spurious",
    "possible": "ref",
    "actual": "hyp",
}


def inputs_of(records: list[dict[str, Any]]) -> dict[str, pa.Table]:
    """The texts of some records with the alignment that is drawn there, each a document: d0, d1, …"""
    documents = []
    for given in (record["inputs"] for record in records):
        entities = ([Entity(*each) for each in given[side]] for side in ("ref_nes", "hyp_nes"))
        documents.append(Document(given["ref"], given["hyp"], *entities, [Block(*each) for each in given["blocks"]]))
    return tables([Segmented(each, [len(each.ref)], [len(each.hyp)]) for each in documents])


def scored(
    inputs: dict[str, Any],
    mode: str = "mitre",
    tolerance: int = 0,
    by: tuple[str, ...] = (),
    evidence: bool = False,
    **params: Any,
) -> scorespec.Run:
    suite = {"mitre": "speech_ne", "muc": "muc_ne"}[mode]
    values = {"extent_tolerance": tolerance, **params}
    return scorespec.score(suite, params=values, by=by, metrics=METRICS, keep_evidence=evidence, **inputs)


def verdicts(run: scorespec.Run) -> dict[str, dict[str, bool]]:
    """Of each document with a mapped entity the verdicts on it."""
    rows = run.sql("SELECT document, type, extent, content FROM evidence_entities WHERE outcome = 'mapped'").to_pylist()
    return {row.pop("document"): {aspect: verdict == "correct" for aspect, verdict in row.items()} for row in rows}


def records(group: str) -> list[dict[str, Any]]:
    """The recorded results of a group that have an alignment."""
    return [record for record in EXPECTED[group] if "blocks" in record["inputs"]]


def named(found: list[dict[str, Any]]) -> list[Any]:
    """Records as parameters of a test."""
    return [pytest.param(each, id="-".join(map(str, (each["case"], *each["params"].values())))) for each in found]


def near(value: float) -> Any:
    """A rate as it was recorded, to nine digits."""
    return pytest.approx(value, abs=1e-9)


def as_called(metric: str, rules: dict[str, Any]) -> str:
    """The name that a metric has in a run which was asked for it with these parameters."""
    return str(scorespec.metric(metric, **rules)) if rules else metric


Pairs = Iterator[tuple[str, Any, float | None]]  # what is compared, the recorded value, and ours


def assert_slots(run: scorespec.Run, values: dict[str, Any], rules: dict[str, Any], **slice_: str) -> None:
    for name, want, found in slot_values(run, values, rules, **slice_):
        assert found == (want if want is None else near(want)), (name, slice_)


def slot_values(run: scorespec.Run, values: dict[str, Any], rules: dict[str, Any], **slice_: str) -> Pairs:
    """The slots and rates of a record, with ours."""
    slots, entities = as_called("slots", rules), as_called("entities", rules)
    yield from ((ours, values[theirs], run.value(slots, ours, **slice_)) for ours, theirs in COUNTS.items())
    defined = {
        "precision": values["act"] > 0,
        "recall": values["pos"] > 0,
        "fscore": values["act"] > 0 and values["pos"] > 0,
        "slot_error_rate": values["pos"] > 0,
    }
    for ours, theirs in RATES.items():
        want = values[theirs] if defined[ours] else None  # the record has 0 there
        yield ours, want, run.value(entities, ours, **slice_)


def assert_recorded(run: scorespec.Run, values: dict[str, Any], **rules: Any) -> None:
    for name, want, found in recorded_values(run, values, **rules):
        assert found == (want if want is None else near(want)), name


def recorded_values(run: scorespec.Run, values: dict[str, Any], **rules: Any) -> Pairs:
    """Every slot and rate of a record: overall, by aspect and by type; of metrics that were called with ``rules``."""
    yield from slot_values(run, values["overall"], rules)
    for aspect, of_aspect in values["components"].items():
        yield from slot_values(run, of_aspect, rules, aspect=aspect)
    for entity_type, of_type in values["by_ref_type"].items():
        yield from slot_values(run, of_type, rules, entity_type=entity_type)
    whole = as_called("whole_entities", rules)
    yield from ((ours, values["entities"][theirs], run.value(whole, ours)) for ours, theirs in WHOLE.items())


# -- the paper -------------------------------------------------------------------------------------------


HYPOTHESES = [record for record in records("paper-example4") if "type" in record["values"]]


@pytest.mark.parametrize("tolerance", first(range(4), 1))
def test_table_1(tolerance: int) -> None:
    run = scored(inputs_of(HYPOTHESES), tolerance=tolerance, by=("document",), evidence=True)
    keys = {"type": "type", "extent": f"extent_tol{tolerance}", "content": "content"}
    assert verdicts(run) == {
        f"d{at}": {aspect: bool(record["values"][key]) for aspect, key in keys.items()}
        for at, record in enumerate(HYPOTHESES)
    }
    for at, record in enumerate(HYPOTHESES):
        assert run.value("entities", "fscore", document=f"d{at}") == near(record["values"][f"F_tol{tolerance}"])


def test_table_1_as_the_muc_scorer_has_it() -> None:
    run = scored(inputs_of(HYPOTHESES), "muc", by=("document",))
    for at, record in some(enumerate(HYPOTHESES)):
        assert run.value("entities", "fscore", document=f"d{at}") == near(record["values"]["F_muc"])


@pytest.mark.parametrize("record", first(named(records("paper-example1")), 1))
def test_example_1(record: dict[str, Any]) -> None:
    params = record["params"]
    assert_recorded(scored(inputs_of([record]), params["mode"], params["tol"]), record["values"])


# -- one rule each ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("tolerance", first(range(4)))
@pytest.mark.parametrize("rule", first(["span", "adjacent"]))
def test_micro(tolerance: int, rule: str) -> None:
    run = scored(inputs_of(records("micro")), tolerance=tolerance, evidence=True, tolerance_rule=rule)
    assert verdicts(run) == {
        f"d{at}": {
            "type": bool(values["type"]),
            "extent": bool(values[f"extent_{rule}_tol0123"][tolerance]),
            "content": bool(values["content"]),
        }
        for at, values in enumerate(record["values"] for record in records("micro"))
        if values["mapped"]
    }


@pytest.mark.parametrize("mapping", ["greedy", "optimal"])
def test_mapping(mapping: str) -> None:
    found = [record for record in records("mapping") if record["params"]["mapping"] == mapping]
    run = scored(inputs_of(found), mapping=mapping, by=("document",))
    for at, values in enumerate(record["values"] for record in found):
        possible = values["cor"] + values["sub"] + values["mis"]
        actual = values["cor"] + values["sub"] + values["spu"]
        assert_slots(run, {**values, "pos": possible, "act": actual}, {}, document=f"d{at}")


# -- 200 utterances --------------------------------------------------------------------------------------


@cache
def truth() -> pa.Table:
    """The alignment that the texts were made with."""
    utterances = [json.loads(line) for line in (DATA / "noisy200.truth.jsonl").read_text().splitlines()]
    rows = [
        {"document": "noisy200", "segment": each["id"], **Block(*block)._asdict()}
        for each in utterances
        for block in each["blocks"]
    ]
    return pa.Table.from_pylist(rows, BLOCKS.append(pa.field("segment", pa.string())))


def rules_of(record: dict[str, Any]) -> dict[str, Any]:
    params = record["params"]
    return {"extent_tolerance": params["tol"], **{name: params[name] for name in ("tolerance_rule", "mapping")}}


@cache
def of_noisy200(alignment: str, mode: str) -> scorespec.Run:
    """One run with the rules of all records of an alignment and a scorer."""
    wanted = {"alignment": alignment, "mode": mode}
    found = [record for record in EXPECTED["noisy200"] if wanted.items() <= record["params"].items()]
    return scorespec.score(
        {"mitre": "speech_ne", "muc": "muc_ne"}[mode],
        **NOISY,
        alignment=truth() if alignment == "truth" else SCLITE,
        metrics=[scorespec.metric(name, **rules_of(record)) for record in found for name in METRICS],
        keep_evidence=False,
    )


OF_MUC = [each for each in EXPECTED["noisy200"] if each["params"]["mode"] == "muc"]  # they share two short runs


@pytest.mark.parametrize("record", only(named(OF_MUC), named(EXPECTED["noisy200"])))
def test_noisy200(record: dict[str, Any]) -> None:
    run = of_noisy200(record["params"]["alignment"], record["params"]["mode"])
    assert_recorded(run, record["values"], **rules_of(record))


def test_sclites_alignment_need_not_be_given() -> None:
    given = scored({**NOISY, "alignment": SCLITE})
    assert scored(NOISY, aligner="sclite").to_dict()["scores"] == given.to_dict()["scores"]
