"""The kind ``sweep``: components at the threshold of a score where a value is best, or where two rates cross."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scorespec.errors import nearest
from scorespec.plan.kinds.context import (
    Context,
    Expressions,
    Given,
    Note,
    Slices,
    Subquery,
    SummedRows,
    SumsOfBlocks,
)
from scorespec.plan.kinds.counting import Counting
from scorespec.plan.kinds.replicates import block_sums, replicated, rows_of_blocks, totals_of_blocks, with_blocks
from scorespec.plan.kinds.steps import CurvePoints, ScoredMetric, Units, reads
from scorespec.plan.parameters import literal, text_literal
from scorespec.plan.rendering.templates import Reference, quoted
from scorespec.plan.resampling.interval_sql import ResampledScores, ResampledSweep

TIE = 1e-12  # components of a sweep that differ by less are equal, unless the metric says otherwise
CROSSINGS = ("nearest", "linear", "hull")
# Columns of points that are not components; no column of a document has a space in its name.
OPTIMISED, FALLING, RISING = "optimised value", "falling rate", "rising rate"
CURVE_POINTS = 10_000  # kept points of a curve, besides the best point, the ends and the marks


@dataclass(frozen=True)
class ScoreSums(SummedRows, Context, template="sweep/score_sums.sql"):
    """The statistics of the rows with each score, in each slice; rows must meet the condition ``where``."""

    slices: Slices
    rows: Reference
    where: str | None
    score: str
    statistics: Expressions


@dataclass(frozen=True)
class RunningSums(Context, template="sweep/running_sums.sql"):
    """The statistics of the rows at or above each score, in each slice; ``scores`` has those of each single score."""

    slices: Slices
    scores: Reference
    statistics: Expressions


@dataclass(frozen=True)
class MarkedSums(SummedRows, Context, template="sweep/marked_sums.sql"):
    """The statistics of the marked points of a curve, in each slice.

    ``marks`` are conditions by the name of the marked point, over ``rows`` that meet the condition ``where``.
    """

    slices: Slices
    rows: Reference
    where: str | None
    marks: Expressions
    statistics: Expressions


@dataclass(frozen=True)
class Sweep:
    """What the components at each threshold are computed from: what the macros of ``sweep/points.sql`` read.

    ``running`` is the table of running sums. With ``reject_all``, accepting no row is a point even if there are rows.
    """

    slices: Slices
    running: Reference | Subquery
    statistics: Expressions
    components: Expressions
    given: Given | None
    reject_all: bool


@dataclass(frozen=True)
class Best(Context, template="sweep/best.sql"):
    """The point where the column ``best`` is largest or smallest: ``better`` is max or min.

    ``best`` is a component, or computed by one of the further columns ``hidden``. Values within ``tie`` of the optimum,
    an SQL literal, are ties. ``crossing`` is linear or hull if components are interpolated where the columns FALLING
    and RISING cross; None if they are those of the point.
    """

    sweep: Sweep
    better: str
    best: str
    hidden: Expressions
    crossing: str | None
    tie: str
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class Means(Context, template="sweep/means.sql"):
    """The mean of each component over the units; ``each_unit`` is the table of the components of each unit."""

    slices: Slices
    components: Expressions
    each_unit: Reference


@dataclass(frozen=True)
class BlockRows(SummedRows, Context, template="sweep/block_rows.sql"):
    """The statistics of the rows at each of some ``points``, for each block and slice.

    ``rows`` have the column unit_block. A point is a column, as SQL with its name, and the condition of its rows.
    """

    slices: Slices
    rows: Subquery
    where: str | None
    points: tuple[tuple[str, str], ...]
    statistics: Expressions


@dataclass(frozen=True)
class Objective(Context, template="sweep/objective.sql"):
    """Some components, or the columns ``hidden``, at given points of replicates."""

    sweep: Sweep
    hidden: Expressions
    names: tuple[str, ...]


@dataclass(frozen=True)
class ReplicatedMeans(Context, template="sweep/replicated_means.sql"):
    """The mean of each component over the units of each replicate. The units of ``slices`` are sums of blocks."""

    slices: Slices
    components: tuple[str, ...]


@dataclass(frozen=True)
class KeptPoints(Context, template="sweep/curve.sql"):
    """The points that are kept; at most ``points`` of them have no meaning of their own.

    ``marks`` are the names of the marked points, and ``marked`` is the table of their sums. ``columns`` are further
    columns; ``all_columns`` are the names of the components, then of these. ``chosen`` is the table of the best points.
    """

    sweep: Sweep
    marked: Reference | None
    marks: tuple[str, ...]
    columns: Expressions
    all_columns: tuple[str, ...]
    points: int
    chosen: Reference


def scored(counting: Counting) -> ScoredMetric:
    """The steps of a metric of this kind."""
    body = counting.body
    slices = counting.slices(counting.unit if counting.mean else ())
    statistics = body["statistics"]
    rows = counting.read.get("summed", counting.read["from"])
    of_scores = ScoreSums(slices, rows, body.get("where"), body["score"], statistics)
    scores = counting.add(of_scores, "sums per score", "_scores", view=True)
    points = Sweep(
        slices,
        counting.add(RunningSums(slices, scores, statistics), "running sums", "_sums"),
        statistics,
        body["components"],
        counting.given,
        body.get("reject_all", True),
    )
    tie = literal(float(body.get("tie", TIE)))
    optimum = Best(points, *_optimised(counting), _crossing(counting), tie, counting.notes())
    components, names = tuple(body["components"]), tuple(statistics)
    if counting.mean:
        each = counting.add(optimum, "the best threshold of each unit", "_best")
        wide = counting.add(Means(slices, body["components"], each), "scores")
        return ScoredMetric(
            wide,
            components,
            counting.standing,
            _units_of(each, counting),
            (*names, "threshold"),
            resampled=_replicated_means(counting, components, each),
        )
    wide = counting.add(optimum, "scores")
    return ScoredMetric(
        wide,
        (*components, "threshold"),
        counting.standing,
        counting.distinct_units,
        names,
        remarked=("threshold",),
        resampled=_swept(counting, optimum),
        curve=_curve(counting, optimum, wide) if "curve" in body else None,
    )


def _optimised(counting: Counting) -> tuple[str, str, Expressions]:
    """The direction of the optimum, the column that is optimised, and the columns that are not components."""
    body = counting.body
    if ("best" in body) == ("cross" in body):
        raise counting.fault("write one of `best` and `cross`")
    if "best" not in body:
        falling, rising = (_value(counting, sql, "cross", at) for at, sql in enumerate(body["cross"]))
        rates = f"({falling})::DOUBLE", f"({rising})::DOUBLE"
        distance = f"abs({quoted(FALLING)} - {quoted(RISING)})"
        return "min", OPTIMISED, {**dict(zip((FALLING, RISING), rates, strict=True)), OPTIMISED: distance}
    better, best = body["best"].split(maxsplit=1)
    known = best in body["components"]
    return better, *((best, {}) if known else (OPTIMISED, {OPTIMISED: _value(counting, best, "best")}))


def _value(counting: Counting, sql: str, *path: str | int) -> str:
    """SQL over the components and sums of a point. A name alone must be that of one of these."""
    body = counting.body
    known = [*body["components"], *body["statistics"], *body.get("given", {}).get("values", ())]
    if sql.isidentifier() and sql not in known:
        raise counting.fault(f"unknown component {sql!r}; {nearest(sql, known)}", *path)
    return sql


def _crossing(counting: Counting) -> str | None:
    """Between which points of the curve two rates cross; None if the nearest point is taken."""
    crossing = str(counting.body.get("crossing", CROSSINGS[0])).strip("'")  # a parameter is an SQL literal
    if crossing not in CROSSINGS:
        raise counting.fault(f"crossing {crossing!r}; allowed: {', '.join(CROSSINGS)}", "crossing")
    return crossing if crossing != CROSSINGS[0] else None


def _swept(counting: Counting, optimum: Best) -> ResampledSweep | None:
    """How each replicate finds its own best threshold."""
    sweep, rows, totals = optimum.sweep, rows_of_blocks(counting), totals_of_blocks(counting)
    if rows is None or totals is None:
        return None
    score, marks = counting.body["score"], counting.body.get("curve", {}).get("marks", {})
    of_scores = ((f"ranked_score({score}) AS threshold", f"({score}) IS NOT NULL"),)
    by_block = BlockRows(sweep.slices, rows, counting.body.get("where"), of_scores, sweep.statistics)
    table = counting.add(by_block, "rows of blocks", "_rows")
    of_marks = tuple((f"{text_literal(mark)} AS mark", condition) for mark, condition in marks.items())
    marked = counting.add(replace(by_block, points=of_marks), "marked rows of blocks", "_marked") if marks else None
    points = f"{table.physical}_points"

    def at_points(slices: Slices) -> Best:
        running = Subquery(quoted(points), ())
        return replace(optimum, sweep=replace(sweep, slices=slices, running=running), notes=())

    banded = _banded(counting, optimum.best)
    rates = tuple(name for name in (FALLING, RISING) if name in optimum.hidden)
    objective = replicated(
        counting, lambda slices: Objective(at_points(slices).sweep, optimum.hidden, (*banded, *rates)), totals, ()
    )
    components = (*sweep.components, "threshold")
    return ResampledSweep(
        replicated(counting, at_points, totals, components),
        table.physical,
        marked.physical if marked else None,
        points,
        str(sweep.running),
        optimum.best,
        optimum.better == "max",
        float(optimum.tie),
        sweep.reject_all,
        objective.sql,
        banded,
        rates,
        optimum.crossing == "hull",
    )


def _banded(counting: Counting, best: str) -> tuple[str, ...]:
    """The components whose intervals the points of the curve have: the optimised component first."""
    known, names = counting.body["components"], counting.body.get("curve", {}).get("intervals", ())
    for name in names:
        if name not in known:
            raise counting.fault(f"unknown component {name!r}; {nearest(name, known)}", "curve", "intervals")
    return tuple(dict.fromkeys((best, *names)))


def _replicated_means(counting: Counting, components: tuple[str, ...], each_unit: Reference) -> ResampledScores | None:
    """The mean of each component over the units of each replicate, from the sums over the units of each block.

    The best threshold of a unit does not depend on other units, so that it is the same in all replicates.
    """
    rows = f"(FROM {each_unit} WHERE breakdown = "
    tables = [Subquery(f"{rows}{at})", (each_unit,)) for at in range(len(counting.breakdowns))]
    slices = with_blocks(counting, tables)
    if slices is None:
        return None
    sums = {}
    for name in components:
        value = f"{quoted(name)}::DOUBLE"
        infinite = f"sum({value}) FILTER (WHERE NOT isfinite({value}))"  # makes the sum infinite
        sums[name] = f"coalesce({infinite}, exact_sum(finite({value}))::DOUBLE, 0)"
        sums[f"{name}_defined"] = f"count({quoted(name)})"
    table = counting.add(SumsOfBlocks(slices, sums), "sums of blocks", "_blocks")
    means = block_sums(counting, table, sums)
    return replicated(counting, lambda slices: ReplicatedMeans(slices, components), means, components)


def _units_of(table: Reference, counting: Counting) -> tuple[Units, ...]:
    """The units of each breakdown, where one table has them all."""
    return tuple(
        Units(
            table,
            tuple(c for c in counting.unit if c not in columns),
            columns,
            f"breakdown = {number}",
            counting.blocks,
        )
        for number, columns in enumerate(counting.breakdowns)
    )


def _curve(counting: Counting, optimum: Best, chosen: Reference) -> CurvePoints:
    written, points = counting.body["curve"], optimum.sweep
    columns, marks = written.get("columns", {}), written.get("marks", {})
    rows, where = counting.read["from"], counting.body.get("where")
    sums = MarkedSums(points.slices, rows, where, marks, points.statistics)
    context = KeptPoints(
        points,
        counting.add(sums, "sums of marked points", "_marks") if marks else None,
        tuple(marks),
        columns,
        (*points.components, *columns),
        CURVE_POINTS,
        chosen,
    )
    sql = context.sql(counting.place)
    return CurvePoints(sql, frozenset(reads(context, sql)), context.all_columns, _banded(counting, optimum.best))
