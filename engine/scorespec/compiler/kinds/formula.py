"""The kind ``formula``: expressions over the components of other metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorespec.compiler.kinds.context import Context, Expressions
from scorespec.compiler.kinds.steps import Steps
from scorespec.compiler.relations import scope_column
from scorespec.compiler.scopes import Scope
from scorespec.compiler.scored import Scored
from scorespec.compiler.templates import Reference


@dataclass(frozen=True)
class Operand:
    """The scores of a metric that the formula reads, under a short name."""

    name: str
    table: Reference
    sliced: bool


@dataclass(frozen=True)
class Scores(Context, template="formula/scores.sql"):
    """The components in the slices of the ``first`` metric; ``by`` are the columns of the scope."""

    first: Operand
    others: tuple[Operand, ...]
    by: Scope
    components: Expressions


def scored(steps: Steps, operands: Sequence[tuple[str, Scored]], components: Expressions) -> Scored:
    """The steps of a metric of this kind; ``operands`` are the scores of other metrics, each with its short name."""
    first, *others = (Operand(name, other.wide, bool(other.slices)) for name, other in operands)
    by = tuple(map(scope_column, steps.setup.scope))
    wide = steps.add(Scores(first, tuple(others), by, components), "scores")
    _, sliced = operands[0]
    return Scored(wide, tuple(components), sliced.slices, overall=sliced.overall)
