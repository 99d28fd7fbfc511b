"""Compiles a suite, its parameters and breakdowns into a plan."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from scorespec.catalog.model import Folds, Relation, Suite, Table, Value
from scorespec.catalog.namespaces import Namespace
from scorespec.compiler.breakdowns import Breakdowns
from scorespec.compiler.macros import create_macros, macros_used
from scorespec.compiler.metrics import Call, Metrics
from scorespec.compiler.parameters import (
    Values,
    literal,
    read_metric_text,
    read_value,
    show_value,
    stable_json,
    text_literal,
    unknown_parameter,
)
from scorespec.compiler.plan import Count, Curve, Evidence, Plan, Refused
from scorespec.compiler.relations import Relations, Warned, scope_column
from scorespec.compiler.scopes import Scope
from scorespec.compiler.scored import Scored, Setup, Units
from scorespec.compiler.templates import Reference, indented, quoted, render, shipped_sql
from scorespec.errors import SHOWN_PROBLEMS, SpecError, UsageError
from scorespec.version import __version__

MANY_SLICES = 10_000  # more than these are said in a warning
LONGEST_SHOWN = 80  # characters of a value in a signature


@dataclass(frozen=True)
class Request:
    """What a run is asked for, beside the suite.

    ``params`` hold values as text or typed; ``metrics`` are metric strings (empty: the suite's own);
    ``by`` are breakdowns, each one column or several crossed; ``given`` are the tables at hand (None: those
    that the suite requires); without ``evidence`` the relations that the suite keeps are not made. ``others`` are the
    columns of each input's file that no document declares, to be named when ``by`` names an unknown one.
    """

    params: Mapping[str, Any]
    metrics: Sequence[str] = ()
    by: Sequence[Scope] = ()
    given: Collection[str] | None = None
    evidence: bool = True
    others: Mapping[str, Collection[str]] = field(default_factory=dict)


def compile_suite(names: Namespace, suite: Suite, request: Request) -> Plan:
    """The plan of a run; ``names`` is the namespace of the suite.

    Raises UsageError for an unknown metric, parameter or column, and SpecError for documents at fault.
    """
    return _SuiteCompiler(names, suite, request).plan()


class _SuiteCompiler:
    def __init__(self, names: Namespace, suite: Suite, request: Request) -> None:
        self.names, self.suite, self.request = names, suite, request
        self.given = frozenset(suite.inputs if request.given is None else request.given)
        # A table that the suite does not name is as absent as an optional one that was not given.
        absent = {*self.names.names("tables")} - {*suite.inputs} - self.given
        self.relations = Relations(self.names, frozenset(absent))
        self.metrics = Metrics(self.names, self.relations)
        asked = [self.metrics.call(text) for text in request.metrics]
        self.calls = list({call.text: call for call in asked or self._suite_calls()}.values())
        self.sources = [name for call in self.calls for name in self.metrics.relations_of(call.metric)]
        at_hand = {name: kept for name, kept in suite.keep.items() if self._at_hand(kept)}
        self.keep = at_hand if request.evidence else {}
        self.declared = self.relations.parameters([*self.sources, *self.keep.values()])
        self.values = self._values()
        self.varied = self._varied()
        self.slices = {name: vary.slice or name for name, vary in suite.vary.items()}
        self.warnings: list[str] = []

    # -- parameters ------------------------------------------------------------------------------

    def _values(self) -> dict[str, Value]:
        """Every parameter's value for the run: --param before the suite before the default."""
        values = {name: parameter.default for name, parameter in self.declared.items()}
        for name, written in self.suite.params.items():
            value = self._suite_value(name, written, "params", name)
            if name in self.declared:
                values[name] = value
        for name, written in self.request.params.items():
            if name not in self.declared:
                raise UsageError(unknown_parameter(name, self.declared, f"suite {self.suite.name!r}"))
            values[name] = read_value(self.declared[name], written)
        return values

    def _varied(self) -> dict[str, tuple[Value, ...]]:
        """The values of each varied parameter that this run reads; --param leaves one of them."""
        varied = {}
        for name, vary in self.suite.vary.items():
            values = [self._suite_value(name, each, "vary", name, at) for at, each in enumerate(vary.values)]
            if name in self.declared:
                always = vary.input is None and vary.param is None
                more = always or vary.input in self.given or bool(self.values.get(vary.param or ""))
                asked = (self.values[name],) if name in self.request.params else tuple(values)
                varied[name] = asked if more else asked[:1]
        return varied

    def _suite_value(self, name: str, written: Any, *path: str | int) -> Value:
        """A parameter's value as the suite writes it at ``path``, whether this run reads it or not."""
        parameter = self.declared.get(name) or self.relations.declaration(name)
        if parameter is None:
            place = self.suite.origin.place(path[0], name, key=True)
            raise SpecError(unknown_parameter(name, self.declared, f"suite {self.suite.name!r}"), place)
        return read_value(parameter, written, lambda m: SpecError(m, self.suite.origin.place(*path)))

    def _all_sources(self) -> list[str]:
        """The relations of every metric of the suite, whether asked for or not, and what it keeps."""
        calls = self._suite_calls()
        return [n for call in calls for n in self.metrics.relations_of(call.metric)] + list(self.suite.keep.values())

    def _suite_calls(self) -> list[Call]:
        return [self._suite_call(index, text) for index, text in enumerate(self.suite.metrics)]

    def _suite_call(self, index: int, text: str) -> Call:
        try:
            return self.metrics.call(text)
        except UsageError as error:
            place = self.suite.origin.place("metrics", index)
            raise SpecError(str(error), place) from None

    # -- scopes ----------------------------------------------------------------------------------

    def _setups(self) -> Iterator[Setup]:
        """Each setup that the metrics are scored in: per varied value, overall and for each --by."""
        fold = self._fold()
        for values in product(*self.varied.values()):
            varied = dict(zip(self.varied, values, strict=True))
            for by in dict.fromkeys(((), *map(tuple, self.request.by))):
                yield Setup({**self.values, **varied}, by, fold.column if fold else None, varied, self.slices)

    def _fold(self) -> Folds | None:
        """The suite's folds, where this run has them."""
        folds = self.suite.folds
        if folds is None:
            return None
        counted = folds.count is not None and float(str(self.values.get(folds.count, 0))) > 0
        always = folds.input is None and folds.count is None
        return folds if always or counted or folds.input in self.given else None

    def _check_columns(self) -> None:
        apart = {
            self.slices[name]: f"suite {self.suite.name!r} has a slice for each of its values" for name in self.varied
        }
        if fold := self._fold():
            apart[fold.column] = f"suite {self.suite.name!r} averages over it"
        counted = [self.metrics.relations_of(call.metric, counted=True) for call in self.calls]
        breakdowns = Breakdowns(self.suite, self.relations, self.sources, counted, self.request.others)
        breakdowns.check(map(tuple, self.request.by), apart)

    # -- the plan --------------------------------------------------------------------------------

    def plan(self) -> Plan:
        self._check_columns()
        rows, scored = self._rows()
        evidence = self._evidence()
        scores = "SELECT metric, component, slice, value, std, folds, note\nFROM (\n"
        scores += indented("\nUNION ALL\n".join(rows))
        scores += "\n)\nORDER BY position, variant, breakdown, slice::VARCHAR, place"
        tables = self._tables()
        plan = Plan(
            suite=self.suite.name,
            about=self.suite.about,
            metrics=tuple(call.text for call in self.calls),
            signature=self._signature(),
            parameters=dict(sorted(self.values.items())),
            tables=tables,
            required=self._required(tables),
            macros="",
            steps=tuple(self.relations.steps.values()),
            scores=scores,
            scores_read=frozenset(each.wide for _, _, each in scored),
            unit_statistics=tuple(
                self._unit_statistics(call, setup, each, units) for call, setup, each in scored for units in each.units
            ),
            curves=tuple(self._curves(scored)),
            evidence=tuple(evidence),
            counts=tuple(self._counts()),
            refused=tuple(self._refused()),
            warnings=tuple(self.warnings),
        )
        plan = plan.with_needed_steps()
        return replace(plan, macros=create_macros(macros_used(self.names, plan.texts())))

    def _rows(self) -> tuple[list[str], list[tuple[Call, Setup, Scored]]]:
        """The SQL of the rows that each metric adds in each setup."""
        setups = list(self._setups())
        rows, scored = [], []
        for position, call in enumerate(self.calls):
            for variant, setup in enumerate(self.metrics.setups_of(call, setups)):
                lacking = self.metrics.lacks(call.metric, setup)
                if setup.fold and setup.fold in lacking:
                    said = f"metric {call.text} has no column {setup.fold!r} to be averaged over"
                    raise SpecError(said, self.suite.origin.place("folds", "column"))
                if lacking:
                    reason = f"it has no column {lacking[0]!r} ({self.metrics.why_lacking(call.metric, lacking[0])})"
                    self._warn(f"no rows of {call.text} by {', '.join(setup.by)}: {reason}")
                    continue
                each = self.metrics.scored(call.metric, call.arguments, setup)
                if setup.by and each.stands(setup.by):
                    continue
                rows.append(self._rows_of(position, variant, call, setup, each))
                scored.append((call, setup, each))
        return rows, scored

    def _rows_of(self, position: int, variant: int, call: Call, setup: Setup, each: Scored) -> str:
        folds = self.suite.folds
        context = {
            "position": position,
            "variant": variant,
            "metric": call.text,
            "wide": each.wide,
            "components": each.components,
            "remarked": each.remarked,
            "fold": setup.fold and scope_column(setup.fold),
            "fold_columns": [scope_column(setup.fold)] if setup.fold else [],
            "jointly": bool(setup.fold and folds and folds.undefined == "jointly"),
            "none_left": {name: self._none_left(call, name) for name in each.components},
            "standing": set(setup.by) in map(set, each.slices),
            "overall": None if setup.by else _json((n, literal(v)) for n, v in setup.fixed.items()),
        }
        return render(shipped_sql("kinds/rows.sql"), context, self.suite.origin.place())

    def _none_left(self, call: Call, component: str) -> str:
        """What a component is when no fold of it is left, as SQL."""
        folds = self.suite.folds
        value = folds.value_of_none(read_metric_text(call.text)[0], component) if folds else None
        return "NULL::DOUBLE" if value is None else literal(float(value))

    def _warn(self, message: str) -> None:
        if message not in self.warnings:
            self.warnings.append(message)

    def _unit_statistics(self, call: Call, setup: Setup, each: Scored, units: Units) -> tuple[str, str]:
        """The table of a metric's units, and the query that brings it into `unit_statistics`."""
        scope = [(column, quoted(scope_column(column))) for column in setup.scope]
        slices = [(column, quoted(column)) for column in units.slice_columns]
        varied = [(name, literal(value)) for name, value in setup.fixed.items()]
        sql = (
            f"SELECT {text_literal(call.text)} AS metric, {_json((n, quoted(n)) for n in units.unit)} AS unit, "
            f"{_json([*varied, *slices, *scope])} AS slice, {_json((n, quoted(n)) for n in each.statistics)} "
            f"AS statistics\nFROM {quoted(units.table)}{f' WHERE {units.where}' if units.where else ''}"
        )
        return units.table, sql

    def _curves(self, scored: Iterable[tuple[Call, Setup, Scored]]) -> Iterator[Curve]:
        """The points of the curves, where someone can read them."""
        for call, _, each in scored:
            if each.curve and self.request.evidence:
                columns = ", ".join(map(quoted, each.curve.columns))
                sql = (
                    f"SELECT {text_literal(call.text)} AS metric, slice, rank, threshold, mark, {columns}\n"
                    f"FROM (\n{indented(each.curve.sql)}\n)"
                )
                yield Curve(call.text, sql, each.curve.reads, str(call.metric.origin.place()))

    def _evidence(self) -> list[Evidence]:
        kept: dict[tuple[str, str], Evidence] = {}
        for setup in self._setups():
            for name, relation in self.keep.items() if not setup.by else ():
                made = self.relations.reference(relation, setup.values, setup.scope)
                sql = self._evidence_rows(relation, made, setup.scope)
                kept.setdefault((name, made.physical), Evidence(name, made.physical, sql, setup.fixed))
        return list(kept.values())

    def _evidence_rows(self, name: str, made: Reference, scope: Scope) -> str:
        """The query of a kept relation's rows, scope columns first and by their own names."""
        found = self.relations.find(name)
        carried = [column for column in scope if scope_column(column) in made.scope]
        own = [column for column in carried if found and column not in found.column_names]
        named = "".join(f"{quoted(scope_column(column))} AS {quoted(column)}, " for column in own)
        without = f" EXCLUDE ({', '.join(quoted(scope_column(column)) for column in carried)})" if carried else ""
        return f"SELECT {named}*{without} FROM {made}"

    def _at_hand(self, name: str) -> bool:
        """Whether the inputs that a kept relation stands on were given, as far as the suite requires them."""
        lacking = {*self.suite.inputs} - self.given
        return not any(found.name in lacking for found in self.relations.upstream([name]))

    def _counts(self) -> Iterator[Count]:
        """Warnings of the relations as they are over the whole input, with each set of parameters."""
        for physical, each in self._told():
            other = self._other_values(each.relation, each.values)
            for at, warning in enumerate(each.relation.warnings):
                columns = tuple(name for name in _named_in(warning.says) if name not in ("count", "rows"))
                where = f"FILTER (WHERE {warning.sql})"
                texts = [f"{quoted(column)}::VARCHAR" for column in columns]
                listed = "".join(f", list(DISTINCT {text} ORDER BY {text}) {where}" for text in texts)
                sql = f"SELECT count(*) {where}, count(*){listed} FROM {quoted(physical)}"
                place = str(each.relation.origin.place("warnings", at, "sql"))
                yield Count(physical, sql, columns, warning.says + other, place)
        for by, physical in self.relations.slices.items() if self.request.by else ():
            sql = f"SELECT if(count(*) > {MANY_SLICES}, count(*), 0), count(*) FROM {quoted(physical)}"
            says = f"--by {','.join(by)} makes {{count}} slices, each with rows of every metric"
            yield Count(physical, sql, (), says, str(self.suite.origin.place()))

    def _refused(self) -> Iterator[Refused]:
        """Errors of the relations as they are over the whole input, with each set of parameters."""
        for physical, each in self._told():
            other = self._other_values(each.relation, each.values)
            for at, error in enumerate(each.relation.errors):
                columns = _named_in(error.says)
                shown = "".join(f"{quoted(column)}::VARCHAR, " for column in columns)
                line = "line" if error.input else "NULL"
                sql = (
                    f"SELECT {line}, {shown}count(*) OVER () AS rows\nFROM {quoted(physical)}\nWHERE {error.sql}\n"
                    f"ORDER BY ALL LIMIT {SHOWN_PROBLEMS}"
                )
                place = str(each.relation.origin.place("errors", at, "sql"))
                yield Refused(physical, each.relation.name, sql, columns, error.says + other, place, error.input)

    def _told(self) -> Iterator[tuple[str, Warned]]:
        """The relations with warnings or errors that scores are made from, where they are over the whole input."""
        fold = self._fold()
        scored = self.relations.upstream(self.sources)
        for physical, each in self.relations.warned.items():
            if each.relation in scored and set(each.scope) <= ({fold.column} if fold else set()):
                yield physical, each

    def _other_values(self, relation: Relation, values: Values) -> str:
        """The parameters of a relation that are not those of the run, to be told with its warnings."""
        declared = self.relations.parameters([relation.name])
        other = [f"{n}={show_value(values[n])}" for n in sorted(declared) if values[n] != self.values[n]]
        return f" ({', '.join(other)})" if other else ""

    def _tables(self) -> tuple[Table, ...]:
        """The suite's inputs that were given or are read, in the suite's order."""
        upstream = {found.name for found in self.relations.upstream([*self.sources, *self.keep.values()])}
        names = [n for n in (*self.suite.inputs, *self.suite.optional) if n in self.given or n in upstream]
        found = [self.names.table(name) for name in names]
        return tuple(table for table in found if table)

    def _required(self, tables: Iterable[Table]) -> tuple[str, ...]:
        upstream = {found.name for found in self.relations.upstream(self.sources)}
        return tuple(t.name for t in tables if t.name in upstream and t.name not in self.suite.optional)

    def _signature(self) -> str:
        """What pins a run: suite, parameters, documents with their SQL, version."""
        used: list[Any] = [self.suite.origin.data, shipped_sql("kinds/rows.sql")]
        for call in (*self.calls, *self._suite_calls()):
            used += self.metrics.documents(call.metric)
        for found in self.relations.upstream(self._all_sources() + self.sources):
            used.append([found.origin.data, *self.relations.templates(found)])
        written = list(map(stable_json, used))
        unique = sorted({*written, *(f"{each.name}: {each.sql}" for each in macros_used(self.names, written))})
        digest = hashlib.sha256("\n".join(unique).encode()).hexdigest()[:8]
        shown = {name: show_value(value) for name, value in self.values.items()}
        shown |= {name: "+".join(map(show_value, values)) for name, values in self.varied.items()}
        settings = [f"{name}:{_short(value)}" for name, value in sorted(shown.items())]
        return "|".join([self.suite.name, *settings, f"spec:{digest}", f"scorespec:{__version__}"])


def _named_in(says: str) -> tuple[str, ...]:
    """What a message names in braces."""
    return tuple(dict.fromkeys(re.findall(r"\{(\w+)\}", says)))


def _short(value: str) -> str:
    """A value as the signature has it: a long one, such as a table of names, by its hash."""
    return value if len(value) <= LONGEST_SHOWN else f"#{hashlib.sha256(value.encode()).hexdigest()[:8]}"


def _json(pairs: Iterable[tuple[str, str]]) -> str:
    return f"json_object({', '.join(f'{text_literal(name)}, {sql}' for name, sql in pairs)})"
