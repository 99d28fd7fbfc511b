"""The kinds of metric that count rows: a function for each turns a metric into its steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scorespec.compiler.counting import Counting, has_overall
from scorespec.compiler.parameters import literal
from scorespec.compiler.relations import scope_column
from scorespec.compiler.scored import Points, Scored, Units
from scorespec.compiler.templates import Reference
from scorespec.errors import nearest

TIE = 1e-12  # components of a sweep that differ by less are equal, unless the metric says otherwise
CURVE_POINTS = 10_000  # kept points of a curve, besides the best point, the ends and the marks


def statistics(counting: Counting) -> Scored:
    """Sums of statistics over units, then components computed from the sums."""
    paired = counting.units()
    wide = counting.step("scores", "", "scores", counting.sums(paired), counting.reads(paired))
    units = tuple(dict.fromkeys(units for _, units in paired))
    body = counting.body
    names = tuple(body["components"]), tuple(body["statistics"])
    return Scored(wide, names[0], counting.slices, units, names[1], overall=has_overall(body))


# -- sweep -------------------------------------------------------------------------------------------


def sweep(counting: Counting) -> Scored:
    """Statistics of the rows at or above each threshold, and the components at the threshold where one is best."""
    body, paired = counting.body, counting.units()
    better, best = str(body["best"]).split()
    if best not in body["components"]:
        raise counting.fault(f"unknown component {best!r}; {nearest(best, body['components'])}", "best")
    context = {
        **counting.sums(paired),
        "rows": counting.read["from"],
        "where": body.get("where"),
        "score": body["score"],
        "kept": list(counting.unit) if counting.mean else [],
        "reject_all": body.get("reject_all", True),
        "better": better,
        "best": best,
        "tie": literal(float(body.get("tie", TIE))),
    }
    running = counting.step("sweep_sums", "_sums", "running sums", context, [counting.read["from"]])
    context["running"] = Reference(running)
    reads = [*counting.reads(paired), running]
    components, names = tuple(body["components"]), tuple(body["statistics"])
    if counting.mean:
        each = counting.step("sweep", "_best", "the best threshold of each unit", context, reads)
        wide = counting.step("means", "", "scores", {**context, "each_unit": Reference(each)}, [each, counting.scopes])
        units = tuple(_units_of(each, counting))
        return Scored(wide, components, counting.slices, units, (*names, "threshold"))
    wide = counting.step("sweep", "", "scores", context, reads)
    curve = _curve(counting, context, wide, reads) if "curve" in body else None
    units = tuple(dict.fromkeys(units for _, units in paired))
    return Scored(wide, (*components, "threshold"), counting.slices, units, names, ("threshold",), curve)


def _units_of(table: str, counting: Counting) -> list[Units]:
    """The units of each breakdown, where one table has them all."""
    return [
        Units(table, tuple(c for c in counting.unit if c not in columns), columns, f"breakdown = {number}")
        for number, columns in enumerate(counting.breakdowns)
    ]


def _curve(counting: Counting, context: Mapping[str, Any], wide: str, reads: list[object]) -> Points:
    written = counting.body["curve"]
    names = (*counting.body["components"], *written.get("columns", {}))
    asked = {
        **context,
        "label_columns": [(scope_column(column), column) for column in counting.setup.scope],
        "columns": written.get("columns", {}),
        "marks": written.get("marks", {}),
        "points": CURVE_POINTS,
        "chosen": Reference(wide),
        "all_columns": names,
    }
    tables = [wide, *reads, *([counting.read["from"]] if asked["marks"] else [])]
    return Points(counting.rendered("sweep_curve", asked), frozenset(counting.names(tables)), names)


# -- fit ---------------------------------------------------------------------------------------------


def fit(counting: Counting) -> Scored:
    """The affine map of scores to log odds of least cost (logistic regression), and components of that cost."""
    body = counting.body
    condition = f"({body['where']}) AND " if "where" in body else ""
    weights = {name: body[name] for name in ("positives", "negatives")}
    counting.body = body = {**body, "statistics": weights, "where": f"{condition}({body['score']}) IS NOT NULL"}
    paired = counting.units()
    context = {
        **counting.sums(paired),
        "rows": counting.read["from"],
        "where": body["where"],
        "score": body["score"],
        "prior": body.get("prior", "ratio(positives, positives + negatives)"),
    }
    parts = counting.step("fit_parts", "_parts", "weights per slice", context, counting.reads(paired))
    context["parts"] = Reference(parts)
    points = counting.step("fit_points", "_points", "weights per score", context, [counting.read["from"], parts])
    context["points"] = Reference(points)
    context["minimum"] = Reference(counting.step("fit_minimum", "_minimum", "the least cost", context, [points]))
    wide = counting.step("fit", "", "scores", context, [parts, context["minimum"]])
    components = tuple(body["components"])
    units = tuple(dict.fromkeys(units for _, units in paired))
    return Scored(wide, components, counting.slices, units, tuple(weights), components)


MAKERS: Mapping[str, Callable[[Counting], Scored]] = {"statistics": statistics, "sweep": sweep, "fit": fit}
PARTS: Mapping[str, tuple[str, ...]] = {  # the templates of each kind
    "statistics": ("units", "scores"),
    "sweep": ("units", "sweep_sums", "sweep", "sweep_curve", "means"),
    "fit": ("units", "fit_parts", "fit_points", "fit_minimum", "fit"),
}
