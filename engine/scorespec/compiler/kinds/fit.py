"""The kind ``fit``: the least logistic cost of a score after affine calibration."""

from __future__ import annotations

from dataclasses import dataclass

from scorespec.compiler.kinds.context import Context, Expressions, Given, Note, Slices
from scorespec.compiler.kinds.counting import Counting
from scorespec.compiler.scored import Scored
from scorespec.compiler.templates import Reference


@dataclass(frozen=True)
class Parts(Context, template="fit/parts.sql"):
    """The slices to which calibrations are fitted, each with the weights of its classes and its ``prior`` (SQL)."""

    slices: Slices
    statistics: Expressions
    given: Given | None
    prior: str


@dataclass(frozen=True)
class Points(Context, template="fit/points.sql"):
    """The weights of both classes at each score of a part, over the rows that meet the condition ``where``."""

    slices: Slices
    rows: Reference
    where: str
    score: str
    statistics: Expressions
    parts: Reference


@dataclass(frozen=True)
class Minimum(Context, template="fit/minimum.sql"):
    """The least cost of each part, with its slope and intercept; ``points`` is the table of points."""

    points: Reference


@dataclass(frozen=True)
class Scores(Context, template="fit/scores.sql"):
    """The components, computed from the least cost of each slice: the tables ``parts`` and ``minimum``."""

    slices: Slices
    components: Expressions
    notes: tuple[Note, ...]
    parts: Reference
    minimum: Reference


def scored(counting: Counting) -> Scored:
    """The steps of a metric of this kind."""
    body = counting.body
    condition = f"({body['where']}) AND " if "where" in body else ""
    weights = {name: body[name] for name in ("positives", "negatives")}
    counting.body = body = {**body, "statistics": weights, "where": f"{condition}({body['score']}) IS NOT NULL"}
    slices, prior = counting.slices(), body.get("prior", "ratio(positives, positives + negatives)")
    parts = counting.add(Parts(slices, weights, counting.given, prior), "weights per slice", "_parts")
    weighted = Points(slices, counting.read["from"], body["where"], body["score"], weights, parts)
    points = counting.add(weighted, "weights per score", "_points")
    minimum = counting.add(Minimum(points), "the least cost", "_minimum")
    components = tuple(body["components"])
    wide = counting.add(Scores(slices, body["components"], counting.notes, parts, minimum), "scores")
    return Scored(wide, components, counting.standing, counting.distinct_units, tuple(weights), components)
