"""resources against the oracle of Eqs 46-48, and what it refuses."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest

import scorespec
from marks import first, some
from oracles.term_detection import resources as oracle
from oracles.term_detection.rows import Excerpt

MEASURED = [
    oracle.Measurement("index", "a", wall_hours=Fraction(14), cores=16, peak_gb=Fraction(4)),
    oracle.Measurement("index", "b", cpu_hours=Fraction("0.1"), peak_gb=Fraction("4.5")),
    oracle.Measurement("search", "a", wall_hours=Fraction(2), cores=16, peak_gb=Fraction(2)),
    oracle.Measurement("search", "b", cpu_hours=Fraction(16), peak_gb=Fraction(3)),
]
SECONDS = [("q1", "a", "400.25"), ("q1", "b", "0.75"), ("q2", "a", "499")]
AUDIO = [Excerpt("d", "1", Decimal(0), Decimal(700_000)), Excerpt("d", "2", Decimal(0), Decimal("380000.5"))]


def inputs() -> dict[str, pa.Table]:
    kinds = {"phase": str, "node": str, "cpu_hours": float, "wall_hours": float, "cores": int, "peak_gb": float}
    rows = [{n: None if v is None else kinds[n](v) for n, v in m._asdict().items()} for m in MEASURED]
    measured = pa.Table.from_pylist(rows)
    return {
        "measurements": measured.append_column("processor", pa.array(["x", "y", "x", "y"])),
        "query_examples": pa.Table.from_pylist([{"query": q, "example": e, "dur": float(d)} for q, e, d in SECONDS]),
        "audio": pa.Table.from_pylist(
            [{"doc": a.doc, "channel": a.channel, "tbeg": float(a.tbeg), "dur": float(a.dur)} for a in AUDIO]
        ),
    }


def score(**options: Any) -> scorespec.Run:
    return scorespec.score("resources", inputs=inputs(), keep_evidence=False, **options)


@pytest.mark.parametrize("weight", first(["0", "0.1", "1"]))
def test_the_equations(weight: str) -> None:
    run = score(params={"lambda": weight})
    for metric, value in some(
        oracle.resources(MEASURED, [Decimal(d) for *_, d in SECONDS], AUDIO, Fraction(weight)).items()
    ):
        assert run.value(metric) == pytest.approx(float(value), rel=1e-12), metric


def test_hardware_is_for_slices() -> None:
    run = score(by=["processor"])
    assert run.value("pmu_index", processor="x") == 4
    assert run.value("isf", processor="y") == pytest.approx(0.1 / (1_080_000.5 / 3600))


@pytest.mark.parametrize("weight", [-0.1, 1.1])
def test_a_weight_outside_of_0_to_1_is_refused(weight: float) -> None:
    with pytest.raises(scorespec.UsageError, match="it must be at least 0 and at most 1"):
        score(params={"lambda": weight})
