"""Processing resources (section 4.3, Eqs 46-48). All times are hours."""

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from .occurrences import duration
from .rows import Excerpt


class Measurement(NamedTuple):
    """One node in one phase: CPU hours, or wall hours on some cores; peak memory."""

    phase: str
    node: str
    cpu_hours: Fraction | None = None
    wall_hours: Fraction | None = None
    cores: int | None = None
    peak_gb: Fraction = Fraction(0)


def cpu_hours(m: Measurement) -> Fraction:
    """As if on a single core."""
    if m.cpu_hours is not None:
        return m.cpu_hours
    if m.wall_hours is None or m.cores is None:
        raise ValueError(f"{m.node}: neither cpu_hours nor wall_hours with cores")
    return m.wall_hours * m.cores


def resources(
    measurements: Iterable[Measurement],
    examples: Iterable[Decimal],
    audio: Iterable[Excerpt],
    weight: Fraction = Fraction(1, 10),
) -> dict[str, Fraction]:
    """ISF, SSF, both peaks and the processing load; `examples` are the durations of all examples of all queries.

    CPU hours are summed over nodes, peaks are maximised. SSF has the unit 1/hour.
    """
    if not 0 <= weight <= 1:
        raise ValueError(f"the weight {weight} is not in [0, 1]")
    measurements = list(measurements)
    hours = {p: sum(cpu_hours(m) for m in measurements if m.phase == p) for p in ("index", "search")}
    peak = {p: max(m.peak_gb for m in measurements if m.phase == p) for p in ("index", "search")}
    t_audio = duration(audio) / 3600
    t_queries = sum((Fraction(d) for d in examples), Fraction(0)) / 3600
    isf = hours["index"] / t_audio
    ssf = hours["search"] / (t_queries * t_audio)
    return {
        "isf": isf,
        "ssf": ssf,
        "pmu_index": peak["index"],
        "pmu_search": peak["search"],
        "processing_load": weight * isf * peak["index"] + (1 - weight) * ssf * peak["search"],
    }
