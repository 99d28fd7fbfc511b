"""Turns metrics into steps: statistics per unit, then components per slice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from scorespec.catalog.model import Metric, Resample, Table
from scorespec.plan.kinds import fit, formula, overlap, statistics, sweep
from scorespec.plan.kinds.counting import Counting, RowsOf
from scorespec.plan.kinds.steps import ScoredMetric, Setup, Steps
from scorespec.plan.needs import Call, expanded, hint_for_metric
from scorespec.plan.relations import Relations, filters_of
from scorespec.plan.rendering.render import render_value
from scorespec.plan.rendering.templates import Reference, Setting

# The kinds that count rows, and the rows of those that do not count the rows of a relation.
COUNTING: Mapping[str, Callable[[Counting], ScoredMetric]] = {
    "statistics": statistics.scored,
    "sweep": sweep.scored,
    "fit": fit.scored,
}
ROWS: Mapping[str, RowsOf] = {"overlap": overlap.rows}


class Metrics:
    """Compiles the metrics of a namespace into steps that it adds to ``relations``.

    ``usual`` says how metrics are resampled that do not say so themselves; with ``replicates``, the steps of
    resampling are added. ``blocks`` are the columns that name the blocks of all metrics, if documents do not. If the
    inputs of a run are only ``assumed``, each table may be one.
    """

    def __init__(
        self, relations: Relations, usual: Resample | None, replicates: bool, blocks: str | None, assumed: bool
    ) -> None:
        self._needs, self._kinds = relations.needs, relations.needs.names.kinds
        self._relations, self._assumed = relations, assumed
        self._usual, self._replicates, self._blocks = usual, replicates, blocks

    # -- what a metric can be scored in ----------------------------------------------------------

    def resamples(self, metric: Metric) -> list[Resample]:
        """How a metric is resampled in this run; of a formula, how its metrics are."""
        found = self._needs.resamples(metric, self._usual or (Resample() if self._blocks else None))
        return [replace(each, blocks=(self._blocks,)) for each in found] if self._blocks else found

    def setups_of(self, call: Call, setups: Iterable[Setup]) -> list[Setup]:
        """The setups of a metric. A metric that sets a varied parameter is scored only with its own value."""
        of_call = [setup.of(call.layers) for setup in setups]
        return [*{(setup.by, *setup.fixed.items()): setup for setup in of_call}.values()]

    def lacks(self, metric: Metric, setup: Setup) -> list[str]:
        """The columns of the scope that some counted relation of the metric does not have."""
        counted = self._needs.relations_of(metric, counted=True)
        return [c for c in setup.scope if not all(self._relations.scopes.carries(name, c) for name in counted)]

    def why_lacking(self, metric: Metric, column: str) -> str:
        """Why a metric cannot be broken down by a column."""
        scopes = self._relations.scopes
        counted = self._needs.relations_of(metric, counted=True)
        return scopes.why_not(next(name for name in counted if not scopes.carries(name, column)), column)

    def idle(self, call: Call, setups: Sequence[Setup]) -> list[str]:
        """The parameters that a call or its metric sets, and that change nothing of the scores in these setups.

        Those that set others are left out: the call or the metric may also set each of the others.
        """
        declared = self._needs.parameters_of([call.metric])
        names = {**call.metric.params, **call.arguments}
        return [name for name in names if not declared[name].sets and self._is_idle(name, call.metric, setups)]

    def _is_idle(self, name: str, metric: Metric, setups: Sequence[Setup]) -> bool:
        return all(
            name not in setup.varied
            and setup.values[name] != (without := setup.without(name)).values[name]
            and self.scored(metric, setup).wide == self.scored(metric, without).wide
            for setup in setups
        )

    # -- the steps -------------------------------------------------------------------------------

    def relations_over(self, metric: Metric, relations: Relations | None = None) -> Relations:
        """Relations, those of this namespace or others, over the part of the inputs that a metric is computed from."""
        relations = relations or self._relations
        if not metric.only:
            return relations
        behind = self._needs.upstream(self._needs.relations_of(metric))
        given = behind if self._assumed else relations.scopes.tables
        read = [each for each in behind if isinstance(each, Table) and each in given]
        return relations.filtered(filters_of(metric, read, None if self._assumed else relations.scopes))

    def rows_left(self, metric: Metric, within: Relations | None = None) -> Iterator[Mapping[Table, Reference]]:
        """The numbers of rows that the key `only` of a metric leaves, and of each metric to which it refers."""
        relations = self.relations_over(metric, within)
        tables = [table for name in relations.filters if isinstance(table := self._needs.find(name), Table)]
        if metric.only and tables:
            yield {table: relations.number_of_rows(table) for table in tables}
        for _, operand in self._needs.operands(metric).values():
            yield from self.rows_left(operand, relations)

    def scored(self, metric: Metric, setup: Setup, within: Relations | None = None) -> ScoredMetric:
        """The steps of a metric in one setup; ``within`` are the relations of the formula that it is part of."""
        relations, kind = self.relations_over(metric, within), self._kinds[metric.kind]
        if kind.metrics:
            return self._formula(metric, setup, relations)
        body = self._rendered(metric, setup, expanded(metric, kind))
        resample = next(iter(self.resamples(metric)), None)
        replicated = self._replicates and resample is not None and resample.method == "bootstrap"
        counting = Counting(relations, metric, setup, kind, body, ROWS.get(kind.name), resample, replicated)
        return COUNTING[kind.short_for or kind.name](counting)

    def _formula(self, metric: Metric, setup: Setup, relations: Relations) -> ScoredMetric:
        calls = {alias: self._needs.call(text) for alias, (text, _) in self._needs.operands(metric).items()}
        scored = [(alias, self.scored(call.metric, setup.of(call.layers), relations)) for alias, call in calls.items()]
        components = self._rendered(metric, setup, metric.body["components"], "components")
        return formula.scored(Steps(relations, metric, setup), scored, components)

    def _rendered(self, metric: Metric, setup: Setup, written: Mapping[str, Any], *path: str) -> Mapping[str, Any]:
        """The keys of a metric below ``path``, with the values of parameters in their texts."""
        context = {name: Setting(setup.values[name]) for name in self._needs.parameters_of([metric])}
        hint = partial(hint_for_metric, self._needs.relations_of(metric), self._needs.names)
        rendered: Mapping[str, Any] = render_value(written, context, metric.origin.place, *path, hint=hint)
        return rendered
