"""Finds statistics whose values per unit do not add up to the value over all units, such as ``avg(x)``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from scorespec.catalog.lookup import Catalog, Namespace
from scorespec.catalog.model import Kind, Metric, Relation, Table
from scorespec.errors import Place, ScorespecError, SpecError, nearest
from scorespec.plan.needs import has_overall, name_at, texts_in
from scorespec.plan.plan import Plan, Step
from scorespec.plan.rendering.syntax import functions_of_duckdb
from scorespec.run.statements import parsed

_NO_COLUMN = re.compile(r'Referenced column "(\w+)" not found')
_NO_TABLE = re.compile(r"Table with name (\w+) does not exist")
_VARIABLE = re.compile(r"\{\{.*?\}\}")
# The shapes of the keys of a kind that have expressions: one, or several by name (catalog/json_schema.py).
SHAPES = ("expression", "unit_sum", "row_sum")


def expression_faults(definition: Metric | Relation | Table, names: Namespace) -> list[str]:
    """The syntax errors of the SQL expressions of a definition, each with its place."""
    faults = []
    for place, sql in _expressions(definition, names):
        if isinstance(definition, Relation) and "{{" in sql:
            said = "it cannot have {{ }}; compute a column in the SQL of the relation, and use the column here"
            faults.append(f"{place}: bad SQL expression {sql!r}: {said}")
            continue
        if "{%" in sql:
            continue  # which of its branches is SQL shows when the metric is compiled
        answer = _answer(sql)
        if answer["error"]:
            faults.append(f"{place}: bad SQL expression {sql!r}: {answer['error_message']}{_quotes(sql)}")
    return faults


def _quotes(sql: str) -> str:
    """The hint at a column that has the name of an SQL keyword, if the expression can be parsed with quotes."""
    for word in dict.fromkeys(re.findall(r"\w+", sql)):
        if not _answer(re.sub(rf"\b{word}\b", f'"{word}"', sql))["error"]:
            return f'; {word} is an SQL keyword: write "{word}", in quotes, or rename the column'
    return ""


def parsed_expression(sql: str) -> Any:
    """An expression as DuckDB parses it; empty if it cannot be parsed before its template is rendered."""
    answer = _answer(sql)
    return [] if answer["error"] else answer["statements"][0]["node"]["select_list"]


def _answer(sql: str) -> Any:
    # A variable stands for a literal or a table; the parser accepts a name instead of either.
    return json.loads(parsed(f"SELECT ({_VARIABLE.sub('variable', sql)})"))


def _expressions(definition: Metric | Relation | Table, names: Namespace) -> Iterator[tuple[Place, str]]:
    if isinstance(definition, Metric):
        yield from ((place, sql) for place, sql, _ in expressions_of(definition, names.kinds[definition.kind]))
    for key in ("checks", "warnings", "errors"):
        for index, condition in enumerate(getattr(definition, key, ())):
            yield definition.origin.place(key, index, "sql"), condition.sql


def expressions_of(metric: Metric, kind: Kind) -> Iterator[tuple[Place, str, str]]:
    """The expressions among the keys of the kind of a metric, each with its place and its shape."""
    for key, schema in kind.schema["properties"].items():
        value = metric.body.get(key)
        shapes = {str(each.get("$ref", "")).rpartition("/")[2] for each in (schema, *schema.get("oneOf", ()))}
        for shape in SHAPES:
            if shape in shapes and value is not None:
                yield metric.origin.place(key), str(value), shape
            elif f"{shape}s" in shapes and isinstance(value, Mapping):
                for name, sql in value.items():
                    yield metric.origin.place(key, name), str(sql), shape


# -- names without {{ }} ------------------------------------------------------------------------------


def bare_tables(step: Step, names: Namespace) -> list[str]:
    """The faults of a step that reads an input by its bare name, so that nothing knows that it reads it."""
    read: dict[str, None] = {}
    for sql in filter(None, (step.sql, step.function_rows.sql if step.function_rows else "")):
        tree = json.loads(parsed(sql))
        with_names = {each["key"] for node in _nodes(tree) if "map" in node for each in node["map"]}
        tables = (node["table_name"] for node in _nodes(tree) if node.get("type") == "BASE_TABLE")
        read |= dict.fromkeys(name for name in tables if name not in with_names)
    bare = [name for name in read if name not in step.reads and name in names.names("tables")]
    return [f"the SQL reads {name!r} by its bare name: write {{{{ {name} }}}}" for name in bare]


def hint_for_error(error: SpecError, names: Namespace) -> str:
    """What to do about a column or table that DuckDB does not know; '' for other errors."""
    table, column = _NO_TABLE.search(str(error)), _NO_COLUMN.search(str(error))
    rows = names.names("tables", "relations")
    if table and table[1] in rows:
        return f"write {{{{ {table[1]} }}}}"
    if column and names.parameter(column[1]):
        return f"write {{{{ {column[1]} }}}}"
    owners = [each for each in rows if column and column[1] in _columns(names, each)]
    if not column or not owners:
        return ""
    shown = ", ".join(owners[:5]) + (", …" if len(owners) > 5 else "")
    return f"{column[1]} is a column of {shown}: join one of these in a relation"


def fault_of_column(error: ScorespecError, metric: Metric, names: Namespace) -> str:
    """The fault at the value of a metric that names a column that its rows lack; '' for other errors."""
    column = _NO_COLUMN.search(str(error))
    rows = [name_at(metric.body, path) for path in ("from", "summed")]
    rows += [metric.resample.rows] if metric.resample else []
    for name in filter(None, rows):
        known = _columns(names, name)
        for path, text in texts_in(metric.body) if column and known and column[1] not in known else ():
            if column and "components" not in path and re.search(rf"\b{column[1]}\b", text):
                return f"{metric.origin.place(*path)}: {name} has no column {column[1]!r}; {nearest(column[1], known)}"
    return ""


def _columns(names: Namespace, name: str) -> Sequence[str]:
    """The columns of a table or relation; none if it is at fault itself."""
    try:
        found = names.table_or_relation(name)
    except SpecError:
        return ()
    return found.column_names if found else ()


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    if isinstance(tree, list):
        for each in tree:
            yield from _nodes(each)
    if isinstance(tree, dict):
        yield tree
        for each in tree.values():
            yield from _nodes(each)


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
    "DISTINCT": "a value in two units is counted twice; count the rows of a relation that has each value once",
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
        """The function, ``/`` or ``DISTINCT`` that keeps an expression from adding up; '' if it does."""
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
    return frozenset(each.name for each in functions_of_duckdb() if each.kind == "aggregate")


@cache
def _macros() -> Mapping[str, tuple[Sequence[str], str]]:
    """The parameters and the SQL of DuckDB's own macros, such as geomean."""
    return {
        each.name: (each.parameters, each.sql) for each in functions_of_duckdb() if each.kind == "macro" and each.sql
    }
