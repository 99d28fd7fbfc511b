"""Both suites against the oracle on small random tasks, and what may not change a score."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from marks import first, slow, some
from oracles.articulation import PROGRAM, SUBSCORES, Rules, scores

NESTED = pa.list_(pa.list_(pa.float64()))
FLAT = pa.list_(pa.float64())
MADE = {"cps": NESTED, "tongue_height": FLAT, "ema_TT": NESTED, "ema_TB": NESTED, "log_mel": NESTED, "loudness": FLAT,
        "semantic_vector": FLAT}  # fmt: skip
SCHEMAS = {
    "tokens": {"token": pa.string(), "label": pa.string(), "target_semantic_vector": FLAT, "target_log_mel": NESTED,
               "target_loudness": FLAT, "reference_tongue_height": FLAT, "reference_ema_TT": NESTED,
               "reference_ema_TB": NESTED},
    "labels": {"label": pa.string(), "vector": FLAT},
    "submission": {"token": pa.string(), "task": pa.string(), **MADE},
    "baseline": {"token": pa.string(), **MADE},
}  # fmt: skip
Tables = dict[str, list[dict[str, Any]]]
BROKEN = {"cps", "tongue_height", "ema_TT", "ema_TB", "log_mel", "loudness"}


def frames(rng: random.Random, count: int, channels: int, scale: float = 1.0) -> list[list[float]]:
    return [[round(rng.gauss(0, scale), 3) for _ in range(channels)] for _ in range(count)]


def flat(rng: random.Random, count: int) -> list[float]:
    return [each for frame in frames(rng, count, 1) for each in frame]


def made(rng: random.Random, sizes: dict[str, int], labels: Any, faulty: bool) -> dict[str, Any]:
    """The columns of a row; with ``faulty`` some are missing, or hold a nan in a sequence that is not resampled."""
    row: dict[str, Any] = {
        "cps": frames(rng, sizes["cps"], 3, rng.choice([0.1, 5])),
        "tongue_height": flat(rng, sizes["tongue_height"]),
        "ema_TT": frames(rng, rng.randint(2, 9), 3),
        "ema_TB": frames(rng, rng.randint(2, 9), 3),
        "log_mel": frames(rng, sizes["log_mel"], 4),
        "loudness": flat(rng, sizes["log_mel"]) if rng.random() < 0.3 else None,
        "semantic_vector": flat(rng, 2) if rng.random() < 0.6 else list(rng.choice(labels)["vector"]),
    }
    if faulty and rng.random() < 0.4:
        row[rng.choice(sorted(BROKEN))] = None
    if faulty and rng.random() < 0.4 and row["log_mel"]:
        row["log_mel"][0][1] = float("nan")
    return row


def task(seed: int, faulty: bool) -> Tables:
    rng = random.Random(seed)
    labels = [{"label": f"w{at}", "vector": [rng.randint(-1, 1) * 1.0, rng.randint(-1, 1) * 1.0]} for at in range(7)]
    sizes = [
        {"cps": rng.randint(4, 9), "tongue_height": rng.randint(1, 4), "log_mel": rng.randint(1, 5)} for _ in range(6)
    ]
    tokens = []
    for at, size in enumerate(sizes):
        token = {
            "token": f"t{at}",
            "label": rng.choice(labels)["label"],
            "target_semantic_vector": flat(rng, 2),
            "target_log_mel": frames(rng, size["log_mel"], 4),
            "target_loudness": flat(rng, size["log_mel"]) if rng.random() < 0.3 else None,
            "reference_tongue_height": flat(rng, size["tongue_height"]) if rng.random() < 0.8 else None,
            "reference_ema_TT": frames(rng, rng.randint(2, 9), 3) if rng.random() < 0.8 else None,
            "reference_ema_TB": frames(rng, rng.randint(2, 9), 3) if rng.random() < 0.9 else None,
        }
        tokens.append(token)
    names = [token["token"] for token in tokens]
    pairs = list(zip(names, sizes, strict=True))
    submission = [
        {"token": name, "task": each, **made(rng, size, labels, faulty)}
        for each in ("copy-synthesis", "semantic-only")
        for name, size in pairs
    ]
    baseline = [{"token": name, **made(rng, size, labels, faulty)} for name, size in pairs]
    if faulty:
        submission.pop(rng.randrange(6))
    return {"tokens": tokens, "labels": labels, "submission": submission, "baseline": baseline}


def as_arrow(tables: Tables, seed: int = 0) -> dict[str, pa.Table]:
    """The tables, their rows in another order; that of labels counts."""
    mixed = random.Random(seed)
    return {
        name: pa.Table.from_pylist(
            rows if name == "labels" else mixed.sample(rows, len(rows)), pa.schema(SCHEMAS[name])
        )
        for name, rows in tables.items()
    }


def compare(run: scorespec.Run, tables: Tables, rules: Rules) -> None:
    inputs = (tables[name] for name in ("tokens", "labels", "submission", "baseline"))
    for name, expected in scores(*inputs, rules).items():
        for metric, value in expected.items():
            found = run.value(metric, task=name)
            assert found == (value if value is None else pytest.approx(value, rel=1e-9, abs=1e-9)), (name, metric)


@pytest.mark.parametrize("seed", first(range(6), 1))
@pytest.mark.parametrize("faulty", [False, True])
def test_the_program(seed: int, faulty: bool) -> None:
    tables = task(seed, faulty)
    compare(scorespec.score("articubench", keep_evidence=False, inputs=as_arrow(tables)), tables, PROGRAM)


CHANGES: list[dict[str, Any]] = [
    {},
    {"ema_form": "axes"},
    {"ema_form": "document"},
    {"normalise": "baseline"},
    {"normalise": "baseline", "quantile_of": "signed", "rank_ties": "table_order"},
]


@pytest.mark.parametrize("seed", first(range(3)))
@pytest.mark.parametrize("changed", first(CHANGES, 2), ids=str)
def test_the_mended_benchmark(seed: int, changed: dict[str, Any]) -> None:
    tables = task(seed, faulty=False)
    run = scorespec.score("articulation", params=changed, keep_evidence=False, inputs=as_arrow(tables))
    compare(run, tables, Rules(**changed))


@pytest.mark.parametrize("denominator", first(["same_tokens", "all_tokens"]))
@pytest.mark.parametrize("seed", first(range(3)))
def test_the_mended_benchmark_where_tokens_are_left_out(seed: int, denominator: str) -> None:
    tables = task(seed, faulty=True)
    changed = {"unusable": "leave_out", "denominator": denominator}
    run = scorespec.score("articulation", params=changed, keep_evidence=False, inputs=as_arrow(tables))
    compare(run, tables, Rules(**changed))


@slow
def test_order_of_rows_threads_and_memory_change_nothing() -> None:
    tables = task(1, faulty=True)
    runs = [
        scorespec.score("articubench", inputs=as_arrow(tables, seed), threads=threads, memory_limit=limit).scores
        for seed, threads, limit in ((0, 1, "200MB"), (1, 2, "200MB"), (2, 2, None))
    ]
    assert runs[0].equals(runs[1])
    assert runs[0].equals(runs[2])


@slow
def test_by_label_is_the_score_of_the_tokens_of_a_label() -> None:
    tables = task(2, faulty=False)
    whole = scorespec.score("articulation", by=["label", "task"], keep_evidence=False, inputs=as_arrow(tables))
    for label in some({token["label"] for token in tables["tokens"]}):
        names = {token["token"] for token in tables["tokens"] if token["label"] == label}
        part = {
            name: rows if name == "labels" else [row for row in rows if row["token"] in names]
            for name, rows in tables.items()
        }
        alone = scorespec.score("articulation", keep_evidence=False, inputs=as_arrow(part))
        for metric in some((*SUBSCORES, "articulatory", "total")):
            for name in ("copy-synthesis", "baseline"):
                assert whole.value(metric, task=name, label=label) == alone.value(metric, task=name)
