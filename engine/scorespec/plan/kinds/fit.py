"""The kind ``fit``: the least logistic cost of a score after affine calibration."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scorespec.plan.kinds.context import (
    Context,
    Expressions,
    Given,
    Note,
    Slices,
    Subquery,
    SummedRows,
)
from scorespec.plan.kinds.counting import Counting
from scorespec.plan.kinds.replicates import block_sums, replicated, rows_of_blocks
from scorespec.plan.kinds.steps import ScoredMetric
from scorespec.plan.rendering.templates import Reference
from scorespec.plan.resampling.interval_sql import ResampledScores


@dataclass(frozen=True)
class Parts(Context, template="fit/parts.sql"):
    """The slices to which calibrations are fitted, each with the weights of its classes and its ``prior`` (SQL)."""

    slices: Slices
    statistics: Expressions
    given: Given | None
    prior: str


@dataclass(frozen=True)
class ScoreWeights(SummedRows, Context, template="fit/weights.sql"):
    """The weights of both classes at each score of a slice, over the rows that meet the condition ``where``."""

    slices: Slices
    rows: Reference
    where: str
    score: str
    statistics: Expressions


@dataclass(frozen=True)
class Points(Context, template="fit/points.sql"):
    """The weights of both classes at each score of a part, as shares of all; ``weights`` has those of ``parts``."""

    slices: Slices
    weights: Reference
    parts: Reference


@dataclass(frozen=True)
class Minimum(Context, template="fit/minimum.sql"):
    """The least cost of each part, with its slope and intercept; ``points`` is the table of points."""

    points: Reference


@dataclass(frozen=True)
class FitScores(Context, template="fit/scores.sql"):
    """The components, computed from the least cost of each slice: the tables ``parts`` and ``minimum``."""

    slices: Slices
    components: Expressions
    notes: tuple[Note, ...]
    parts: Reference
    minimum: Reference


@dataclass(frozen=True)
class BlockCosts(Context, template="fit/block_costs.sql"):
    """The ``sums`` of the costs of each block by the calibration of its slice, and of their derivatives.

    ``rows`` have the column unit_block.
    """

    sums: tuple[str, ...]
    slices: Slices
    rows: Subquery
    where: str
    score: str
    statistics: Expressions
    parts: Reference
    minimum: Reference


@dataclass(frozen=True)
class ReplicatedScores(Context, template="fit/replicates.sql"):
    """The components, computed from the sums of blocks and from the calibration of each slice of ``fitted``.

    ``prior`` is SQL.
    """

    slices: Slices
    block_sums: tuple[str, ...]
    derivatives: tuple[str, ...]
    components: Expressions
    given: Given | None
    prior: str
    fitted: Slices
    parts: Reference
    minimum: Reference


DERIVATIVES = (  # of the costs of rows by intercept and slope
    *("gradient_0", "gradient_1"),
    *("curvature_0", "curvature_1", "curvature_2"),
    *("third_0", "third_1", "third_2", "third_3"),
)
SUMS = tuple(
    name
    for of in ("positive", "negative")
    for name in (f"{of}s", f"{of}_bits", *(f"{of}_{each}" for each in DERIVATIVES))
)


def scored(counting: Counting) -> ScoredMetric:
    """The steps of a metric of this kind."""
    body = counting.body
    condition = f"({body['where']}) AND " if "where" in body else ""
    weights = {name: body[name] for name in ("positives", "negatives")}
    counting = counting.with_keys(statistics=weights, where=f"{condition}({body['score']}) IS NOT NULL")
    body = counting.body
    slices, prior = counting.slices(), body.get("prior", "ratio(positives, positives + negatives)")
    parts = counting.add(Parts(slices, weights, counting.given, prior), "weights per slice", "_parts")
    weighted = ScoreWeights(slices, counting.read["from"], body["where"], body["score"], weights)
    of_scores = counting.add(weighted, "weights per score", "_weights", view=True)
    points = counting.add(Points(slices, of_scores, parts), "points", "_points")
    minimum = counting.add(Minimum(points), "the least cost", "_minimum")
    components = tuple(body["components"])
    wide = counting.add(FitScores(slices, body["components"], counting.notes(), parts, minimum), "scores")
    return ScoredMetric(
        wide,
        components,
        counting.standing,
        counting.distinct_units,
        tuple(weights),
        components,
        resampled=_replicates(counting, slices, parts, minimum, prior),
    )


def _replicates(
    counting: Counting, slices: Slices, parts: Reference, minimum: Reference, prior: str
) -> ResampledScores | None:
    """The components in each replicate, which starts from the calibration of all rows."""
    body, rows = counting.body, rows_of_blocks(counting)
    if rows is None:
        return None
    costs = BlockCosts(SUMS, slices, rows, body["where"], body["score"], body["statistics"], parts, minimum)
    sums = block_sums(counting, counting.add(costs, "costs of blocks", "_blocks"), SUMS, fitted=True)
    scores = ReplicatedScores(
        slices, SUMS, DERIVATIVES, body["components"], counting.given, prior, slices, parts, minimum
    )
    return replicated(counting, lambda slices: replace(scores, slices=slices), sums, tuple(body["components"]))
