"""The kind ``overlap``, a short form of ``statistics``: its rows are the elements of two sets."""

from __future__ import annotations

from dataclasses import dataclass

from scorespec.plan.kinds.context import Context, Subquery
from scorespec.plan.kinds.counting import Counting
from scorespec.plan.rendering.templates import Reference
from scorespec.plan.scopes import Scope


@dataclass(frozen=True)
class Elements(Context, template="overlap/elements.sql"):
    """The elements of the sets ``found`` and ``gold``, which are equal if they agree in the columns ``match_on``.

    ``keys`` are the columns of scope, slice and unit. They may be NULL in both sets.
    """

    found: Reference
    gold: Reference
    match_on: Scope
    keys: Scope


def rows(counting: Counting, keys: Scope) -> Subquery:
    """The rows of a metric of this kind."""
    found, gold = counting.read["found"], counting.read["gold"]
    sql = Elements(found, gold, tuple(counting.body["match_on"]), keys).sql(counting.place)
    return Subquery(sql, (found, gold))
