"""Checks the columns of ``--by`` before anything is loaded, and lists the columns that are possible."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property

from scorespec.catalog.model import Column, Suite, Table
from scorespec.errors import Code, UsageError
from scorespec.plan.relations import Relations
from scorespec.plan.scopes import Scope


class Breakdowns:
    """The columns by which the metrics of a run can be broken down.

    ``sources`` are the relations of the metrics, ``counted`` for each metric those whose rows it counts; ``others`` are
    the undeclared columns of each input.
    """

    def __init__(
        self,
        suite: Suite,
        relations: Relations,
        sources: Iterable[str],
        counted: Sequence[Collection[str]],
        others: Mapping[str, Collection[str]],
    ) -> None:
        self._suite, self._relations, self._counted, self._others = suite, relations, counted, others
        self._upstream = relations.upstream(sources)
        scopes = relations.scopes
        own = [column for found in self._upstream for column in found.column_names]
        self._known = list(dict.fromkeys([*own, *(name for key in own for name in scopes.describing(key))]))

    def check(self, by: Scope) -> None:
        """Raise UsageError for a column that no metric can be broken down by."""
        for column in by:
            self._check_column(column)
        lowered = [column.lower() for column in by]
        if len(set(lowered)) < len(lowered):
            raise UsageError(f"--by {','.join(by)}: names that differ only in case are one column")

    def _check_column(self, column: str) -> None:
        if column not in self._known:
            raise UsageError(f"unknown column {column!r} in --by; {self._hint(column)}", Code.UNKNOWN_NAME)
        for table, declared in self._owners(column):
            if declared.type.endswith("]"):
                raise UsageError(f"--by {column}: {table.name!r} has lists there, and a slice needs a single value")
            if declared.nullable:
                raise UsageError(f"--by {column}: it may be missing in {table.name!r}, so a row might have no slice")

    def begins_in_inputs(self, column: str) -> bool:
        """Whether the slices of a column are rows of inputs, and not of a relation in which the column begins."""
        names = self._relations.scopes.origins((name for names in self._counted for name in names), (column,))
        return all(isinstance(self._relations.find(name), Table) for name in names)

    def _owners(self, column: str) -> Iterator[tuple[Table, Column]]:
        """The inputs from which metrics have a column, with the column as each declares it."""
        if described := self._relations.scopes.described(column):
            yield described
            return
        names = self._relations.scopes.origins((name for names in self._counted for name in names), (column,))
        for table in map(self._relations.find, names):
            if isinstance(table, Table):
                yield table, next(each for each in table.columns if each.name == column)

    def _hint(self, column: str) -> str:
        """The hint after an unknown column: the nearest known column, or all columns with their inputs or relations."""
        named = dict(self._origins_of_known)
        for name, columns in self._others.items():
            table = self._relations.find(name)
            if isinstance(table, Table) and table.other_columns:
                named |= {each: [name] for each in columns if each not in self._known}
            elif column in columns:
                return f"{name!r} has it, but only its declared columns are read"
        folded = {known.lower(): known for known, origins in named.items() if origins}
        if close := get_close_matches(column.lower(), folded, n=1, cutoff=0.6):
            return f"did you mean {folded[close[0]]!r}?"
        shown = [f"{known} ({', '.join(origins)})" for known, origins in sorted(named.items()) if origins]
        known = f"known: {', '.join(shown)}" if shown else "there are none"
        return known + "".join(f"; the input {name!r} can have further columns" for name in self._not_given())

    def _not_given(self) -> Iterator[str]:
        """The inputs of the suite that could describe the rows of others, and are not given."""
        for name in self._suite.optional:
            table = self._relations.find(name)
            if isinstance(table, Table) and table.describes and name not in self._others:
                yield name

    @cached_property
    def _origins_of_known(self) -> dict[str, list[str]]:
        return {known: self._origins(known) for known in self._known}

    def _origins(self, column: str) -> list[str]:
        """The inputs, or else the relations, from which metrics have a column; none if no metric has it."""
        scopes = self._relations.scopes
        usable = [names for names in self._counted if all(scopes.carries(name, column) for name in names)]
        origins = scopes.origins((name for names in usable for name in names), (column,))
        if origins and (described := scopes.described(column)):
            return [described[0].name]
        tables = [name for name in origins if isinstance(self._relations.find(name), Table)]
        return sorted(tables or origins)
