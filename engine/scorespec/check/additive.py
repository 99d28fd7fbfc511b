"""Finds statistics whose values per unit do not add up to the value over all units, such as ``avg(x)``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from scorespec.catalog.lookup import Catalog, Namespace
from scorespec.catalog.model import Metric
from scorespec.check.expressions import expressions_of, parsed_expression
from scorespec.errors import SpecError
from scorespec.plan.kinds.counting import has_overall
from scorespec.plan.plan import Plan
from scorespec.run.statements import functions_of_duckdb, parser

Node = dict[str, Any]  # a part of an expression, as DuckDB writes it in JSON

ADDITIVE = frozenset(
    ["count", "count_if", "count_star", "countif", "fsum", "kahan_sum", "regr_count", "sum", "sum_no_overflow",
     "sumkahan"])  # fmt: skip
MEANS = ("avg", "decimal_average", "favg", "mean")
MOMENTS = ("corr", "covar_pop", "covar_samp", "kurtosis", "kurtosis_pop", "regr_avgx", "regr_avgy", "regr_intercept",
           "regr_r2", "regr_slope", "regr_sxx", "regr_sxy", "regr_syy", "sem", "skewness", "stddev", "stddev_pop",
           "stddev_samp", "var_pop", "var_samp", "variance")  # fmt: skip
HINTS = {
    **dict.fromkeys(
        [f"{name}()" for name in MEANS],
        "write sum(…) and count(…) as two statistics, and their quotient as a component",
    ),
    **dict.fromkeys(
        [f"{name}()" for name in MOMENTS],
        "write sums of the values and of their products as statistics, and the formula as a component",
    ),
    "/": "write the numerator and the denominator as two statistics, and their quotient as a component",
    "DISTINCT": "a value that occurs in two units counts twice; count the rows of a relation that has each value once",
}
OTHER = "compute it in a relation, and sum its column here, or read it with `given` if it is one value for all units"


def additive_faults(metric: Metric, names: Namespace) -> list[str]:
    """The statistics of a metric that do not add up over what they are summed over, with place and hint.

    The schema of the kind says which keys are summed over units (``unit_sum``), and which over rows (``row_sum``).
    """
    columns = _summed_columns(metric.body)
    summed = {"row_sum": "rows"} | ({"unit_sum": f"units ({', '.join(sorted(columns))})"} if columns else {})
    faults = []
    for place, sql, shape in expressions_of(metric, names.kinds[metric.kind]):
        if shape in summed and (cause := _Finder(names, None if shape == "row_sum" else columns).cause(sql)):
            said = f"{sql!r} is summed over {summed[shape]}, but {cause} does not add up"
            faults.append(f"{place}: {said}; {HINTS.get(cause, OTHER)}")
    return faults


def refuse_not_additive(catalog: Catalog, plan: Plan) -> None:
    """Raise SpecError if a metric of a plan does not ship and has statistics that do not add up."""
    used = {step.place for step in plan.steps}
    user = {id(document) for document in catalog.user_documents}
    faults: list[str] = []
    for key in catalog.keys("metrics"):
        entry = catalog.entries[key]
        if id(entry.document) in user and str(entry.place()) in used:
            definition = catalog.definition(key)
            faults += additive_faults(definition, catalog.home(key)) if isinstance(definition, Metric) else []
    if faults:
        raise SpecError("\n".join(faults))


def _summed_columns(body: Mapping[str, Any]) -> frozenset[str]:
    """The columns over whose values some score of a metric sums its statistics.

    For example, unit [file] and slices [[region]] are one row of statistics per file and region: the overall score sums
    over both columns, the score of a region over files. With `then: mean`, each unit has components of its own.
    """
    unit, slices = set(body.get("unit", ())), [set(columns) for columns in body.get("groups", ())]
    each = [*([set[str]()] if has_overall(body) else []), *slices]
    shared = set() if body.get("units") else set[str]().union(*slices)
    averaged = unit if body.get("then") == "mean" else set[str]()
    return frozenset(set[str]().union(*((unit | shared) - columns - averaged for columns in each)))


@dataclass(frozen=True)
class _Found:
    """Whether a part of an expression has an aggregate, and what in it does not add up ('' if it adds up)."""

    aggregate: bool = False
    cause: str = ""


class _Finder:
    """Finds what does not add up over the values of ``columns``, or over rows if that is None.

    A macro stands for its SQL, which is read once for each kind of arguments.
    """

    def __init__(self, names: Namespace, columns: frozenset[str] | None) -> None:
        self._names, self._columns = names, columns
        self._macros: dict[tuple[object, ...], _Found] = {}

    def cause(self, sql: str) -> str:
        """The function, ``/`` or ``DISTINCT`` because of which an expression does not add up; '' if it does."""
        return self._found(parsed_expression(sql), {}).cause

    def _found(self, node: Any, given: Mapping[str, _Found]) -> _Found:
        """What is in a part of an expression. ``given`` is what is in the arguments of the macro around it."""
        if isinstance(node, list):
            return _together(self._found(each, given) for each in node)
        if not isinstance(node, dict) or node.get("class") == "SUBQUERY":  # its aggregates are over its own rows
            return _Found()
        if node.get("class") == "COLUMN_REF":
            return given.get(node["column_names"][-1], _Found())
        name = str(node.get("function_name", "")).lower()
        if node.get("class") == "FUNCTION" and (macro := self._macro(name)):
            return self._called(name, *macro, tuple(self._found(each, given) for each in node["arguments"]))
        inner = _together(self._found(each, given) for each in node.values())
        own = ""
        if node.get("class") == "WINDOW":
            own = f"{name}() OVER"
        elif name in ("/", "//") and self._found(node["arguments"][1], given).aggregate:
            own = "/"
        elif name in _aggregates():
            own = self._cause_of_aggregate(node, name)
        return _Found(inner.aggregate or name in _aggregates(), inner.cause or own)

    def _cause_of_aggregate(self, node: Node, name: str) -> str:
        if name not in ADDITIVE:
            return f"{name}()"
        # The units are disjoint in what is counted if the value tells the unit.
        told = self._columns is not None and self._columns <= _columns_in(node["arguments"])
        return "DISTINCT" if node["distinct"] and not told else ""

    def _macro(self, name: str) -> tuple[Sequence[str], str] | None:
        """The parameters and the SQL of a macro: of a document, or of DuckDB itself."""
        macro = self._names.macro(name)
        return (macro.params, macro.sql) if macro else _macros().get(name)

    def _called(self, name: str, parameters: Sequence[str], sql: str, arguments: tuple[_Found, ...]) -> _Found:
        key = (name, *arguments)
        if key not in self._macros:
            self._macros[key] = _Found()  # a macro cannot call itself; if it does, that is reported elsewhere
            given = dict(zip(parameters, arguments, strict=False))
            self._macros[key] = self._found(parsed_expression(sql), given)
        return self._macros[key]


def _together(each: Iterable[_Found]) -> _Found:
    found = list(each)
    return _Found(any(one.aggregate for one in found), next((one.cause for one in found if one.cause), ""))


def _columns_in(arguments: Iterable[Node]) -> frozenset[str]:
    """The columns that are counted as they are: of DISTINCT a, or of DISTINCT (a, b)."""
    nodes = [each["expression"] for each in arguments]
    if len(nodes) == 1 and nodes[0].get("function_name") == "row":
        nodes = [each["expression"] for each in nodes[0]["arguments"]]
    return frozenset(node["column_names"][-1] for node in nodes if node.get("class") == "COLUMN_REF")


@cache
def _aggregates() -> frozenset[str]:
    """The names of DuckDB's aggregates."""
    return functions_of_duckdb("function_type = 'aggregate'")


@cache
def _macros() -> Mapping[str, tuple[Sequence[str], str]]:
    """The parameters and the SQL of DuckDB's own macros, such as geomean."""
    known = "SELECT lower(function_name), parameters, macro_definition FROM duckdb_functions()"
    cursor = parser().cursor()
    try:
        rows = cursor.execute(f"{known} WHERE function_type = 'macro'").fetchall()
    finally:
        cursor.close()
    return {name: (parameters, sql) for name, parameters, sql in rows}
