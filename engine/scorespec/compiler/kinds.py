"""The kinds of metric that count rows: each turns a metric into its steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scorespec.compiler.counting import Counting
from scorespec.compiler.scored import Scored


def statistics(counting: Counting) -> Scored:
    """Sums over units, and components over the sums."""
    paired = counting.units()
    wide = counting.step("scores", "", "scores", counting.sums(paired), counting.reads(paired))
    units = tuple(dict.fromkeys(units for _, units in paired))
    return Scored(wide, tuple(counting.body["components"]), counting.slices, units, tuple(counting.body["statistics"]))


MAKERS: Mapping[str, Callable[[Counting], Scored]] = {"statistics": statistics}
PARTS: Mapping[str, tuple[str, ...]] = {"statistics": ("units", "scores")}  # the templates that each is made with
