"""The kind ``formula``: expressions over the components of other metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scorespec.plan.kinds.context import Context, Expressions, Subquery
from scorespec.plan.kinds.replicates import REPLICATE
from scorespec.plan.kinds.steps import ScoredMetric, Steps
from scorespec.plan.rendering.templates import Reference, indented
from scorespec.plan.resampling.interval_sql import ResampledScores, ResampledSweep
from scorespec.plan.scopes import Scope, scope_column


@dataclass(frozen=True)
class Operand:
    """The scores of a metric that the formula reads, under a short name."""

    name: str
    table: Reference | Subquery
    sliced: bool


@dataclass(frozen=True)
class FormulaScores(Context, template="formula/scores.sql"):
    """The components in the slices of the ``first`` metric; ``by`` are the columns of the scope."""

    first: Operand
    others: tuple[Operand, ...]
    by: Scope
    components: Expressions


def scored(steps: Steps, operands: Sequence[tuple[str, ScoredMetric]], components: Expressions) -> ScoredMetric:
    """The steps of a metric of this kind; ``operands`` are the scores of other metrics, each with its short name."""
    first, *others = (Operand(name, other.wide, bool(other.slices)) for name, other in operands)
    by = tuple(map(scope_column, steps.setup.scope))
    context = FormulaScores(first, tuple(others), by, components)
    wide = steps.add(context, "scores")
    _, sliced = operands[0]
    replicates = _replicates(context, [other.resampled for _, other in operands], steps)
    return ScoredMetric(wide, tuple(components), sliced.slices, overall=sliced.overall, resampled=replicates)


def _replicates(
    context: FormulaScores, of: Sequence[ResampledScores | ResampledSweep | None], steps: Steps
) -> ResampledScores | None:
    """The components in each replicate, if all operands have replicates over blocks of the same columns."""
    found = [each for each in of if isinstance(each, ResampledScores)]
    sums = tuple(dict.fromkeys(one for each in found for one in each.sums))
    if len(found) < len(of) or len({each.wanted for each in sums}) > 1:
        return None
    first, *others = (
        replace(operand, table=Subquery(f"(\n{indented(each.sql)}\n)", ()))
        for operand, each in zip((context.first, *context.others), found, strict=True)
    )
    sql = replace(context, first=first, others=tuple(others), by=(*context.by, REPLICATE)).sql(steps.place)
    return ResampledScores(tuple(context.components), sql, sums, frozenset().union(*(each.reads for each in found)))
