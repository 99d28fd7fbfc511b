"""Adds the steps of a metric to a plan."""

from __future__ import annotations

from scorespec.catalog.model import Metric
from scorespec.errors import Place, SpecError
from scorespec.plan.kinds.context import Context
from scorespec.plan.relations import Relations
from scorespec.plan.rendering.templates import Reference, quoted
from scorespec.plan.scored import Setup


class Steps:
    """The steps of one metric in one setup; they are added to ``relations``."""

    def __init__(self, relations: Relations, metric: Metric, setup: Setup) -> None:
        self.relations, self.metric, self.setup = relations, metric, setup

    def add(self, context: Context, part: str, suffix: str = "", view: bool = False) -> Reference:
        """Add the step of a template. Its table has the metric's name and a suffix; ``part`` says what is in it.

        A ``view`` is computed where it is read, which is only one step.
        """
        sql, splits = context.sql(self.place), self.relations.splits
        read, made = reads(context, sql), frozenset(context.key_columns)
        by_columns = splits.by_columns(context.split_by, read, made, self.setup.values)
        rows = context.split_rows
        step = self.relations.add(
            self.metric.name + suffix,
            sql,
            "metric",
            self.relations.prefix + self.metric.name,
            part,
            str(self.place),
            self.metric.about,
            read,
            view=view,
            explained=context.explained(),
            values=self.setup.values,
            scope=self.setup.scope,
            splits=(*([splits.by_rows(rows.physical, read, made)] if rows else []), *by_columns),
            sums=context.added,
            keys=context.added_by,
        )
        splits.columns[step.physical] = made
        return Reference(step.physical)

    @property
    def place(self) -> Place:
        """Where the metric is defined."""
        return self.metric.origin.place()

    def fault(self, message: str, *path: str) -> SpecError:
        """A fault of the metric's document, at the value with this path."""
        return SpecError(message, self.metric.origin.place(*path))


def reads(context: Context, sql: str) -> list[str]:
    """The names of the tables that the SQL of a template reads; a template may leave a table of its context out."""
    return [each.physical for each in context.tables() if quoted(each.physical) in sql]
