"""Decides by which columns a table or relation can be broken down, and where these columns begin.

The columns of ``--by`` are checked before anything is loaded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import get_close_matches

from scorespec.catalog.model import Column, Relation, Suite, Table
from scorespec.core.groups import grouped
from scorespec.errors import Code, UsageError
from scorespec.plan.needs import Needs

Scope = tuple[str, ...]  # the columns of a breakdown: those of `--by` and of folds
NUMBERS = frozenset({"BIGINT", "INTEGER", "DOUBLE"})  # types that compare with each other


def scope_column(column: str) -> str:
    """The name of a scope column in relations, which also have the column itself."""
    return f"by_{column}"


@dataclass(frozen=True)
class Columns:
    """The columns by which a table or relation can be broken down, each by itself.

    Columns ``flow`` into it from what it reads, or are those of an input; others ``begin`` in it. By those that it
    ``gives``, relations that read it have its slices, too.
    """

    flow: frozenset[str] = frozenset()
    begin: frozenset[str] = frozenset()
    gives: frozenset[str] = frozenset()


class Scopes:
    """How the columns of breakdowns reach relations, of all that ``names`` need.

    A column begins in each input that has it, and in each relation that computes it. From an input, the column flows
    into the relations that read the input, unless their key `slices` says otherwise. From a relation, only the columns
    that its key `begins` names flow on. An undeclared column of the user begins only in inputs: a column of that name
    in a relation has another meaning. If a table describes the values of a column, the table's other columns are joined
    where that column begins, and flow with it. ``absent`` are the inputs not given, and ``tables`` all that are.
    """

    def __init__(self, needs: Needs, names: Iterable[str], absent: Set[str] = frozenset()) -> None:
        self.find = needs.find
        self.absent = absent
        given = (needs.find(name) for name in needs.names.names("tables") if name not in absent)
        self.tables = [found for found in given if isinstance(found, Table)]
        self._undeclared = {column.name for table in self.tables for column in table.columns if column.undeclared}
        self._described = self._descriptions()
        self._columns: dict[str, Columns] = {}
        for found in needs.upstream(names):  # a relation comes after all that it needs
            columns = self._of_table(found) if isinstance(found, Table) else self._of_relation(found)
            self._columns[found.name] = columns

    def _of_table(self, table: Table) -> Columns:
        if table.name in self.absent or table.slices is not None:
            return Columns()
        present = (column for column in table.columns if not column.absent)
        own = frozenset(each.name for each in present if each.undeclared == (each.name in self._undeclared))
        return Columns(own, gives=own)

    def _of_relation(self, relation: Relation) -> Columns:
        if not relation.differs_by_slice:
            return Columns()
        arriving = [self._columns[need].gives for need in relation.slices or relation.needs]
        flow = arriving[0].intersection(*arriving) if relation.slices else frozenset[str]().union(*arriving)
        begin = frozenset(relation.column_names) - self._undeclared - flow
        return Columns(flow, begin, flow | begin & {*relation.begins})

    # -- where a column is -----------------------------------------------------------------------

    def flows(self, name: str, column: str) -> bool:
        """Whether a table or relation gets a column from its needs, or is an input with the column."""
        return self._standing_for(column) in self._columns[name].flow

    def gives(self, need: str, column: str) -> bool:
        """Whether a relation that reads a need has the slices of the need by a column.

        A column that the need computes gives no slices, unless its key `begins` says so.
        """
        return self._standing_for(column) in self._columns[need].gives

    def carries(self, name: str, column: str) -> bool:
        """Whether a table or relation can be broken down by a column: the column flows into it or begins there."""
        return self.flows(name, column) or self.begins(name, column)

    def begins(self, name: str, column: str) -> bool:
        """Whether a column begins in a relation: the relation has it, and it does not flow there."""
        return self._standing_for(column) in self._columns[name].begin

    # -- columns of tables that describe ---------------------------------------------------------

    def described(self, name: str) -> tuple[Table, Column] | None:
        """The table that describes the values of another column by a column of this name, and the column."""
        return self._described.get(name)

    def _descriptions(self) -> dict[str, tuple[Table, Column]]:
        having = grouped(
            (column.name, (table, column)) for table in self.tables if table.slices is None for column in table.columns
        )
        return {
            name: owners[0]
            for name, owners in having.items()
            if not any(table.describes in (None, name) for table, _ in owners)
        }

    def describing_tables(self) -> Iterator[Table]:
        """The given tables that describe the values of a column."""
        return (table for table in self.tables if table.describes)

    def describing(self, key: str) -> Iterator[str]:
        """The columns that describe the values of a column."""
        for table in self.tables:
            if table.describes == key:
                yield from (name for name in table.column_names if name in self._described)

    def _standing_for(self, column: str) -> str:
        """The column that decides where a column can be: that which it describes, or itself."""
        return str(self._described[column][0].describes) if column in self._described else column

    # -- where it comes from ---------------------------------------------------------------------

    def origins(self, names: Iterable[str], scope: Scope) -> list[str]:
        """The tables and relations that together have all slices of some tables and relations.

        Each is an input, or a relation in which columns of the scope begin, or in which those of several inputs meet.
        """
        found: dict[str, None] = {}
        seen: set[str] = set()
        for name in names:
            self._add_origins(name, scope, found, seen)
        return list(found)

    def _add_origins(self, name: str, scope: Scope, found: dict[str, None], seen: set[str]) -> bool:
        """Add the origins of a scope in a table or relation; returns whether it has the scope."""
        here = all(self.carries(name, column) for column in scope)
        if here and name not in seen:
            seen.add(name)
            parts = _scope_needs(self.find(name)) if all(self.flows(name, column) for column in scope) else ()
            further = [self._add_origins(part, scope, found, seen) for part in parts]
            if not any(further):
                found[name] = None
        return here

    # -- messages --------------------------------------------------------------------------------

    def why_not(self, name: str, column: str) -> str:
        """Why a table or relation cannot be broken down by a column: names the input or relation without it."""
        found = self.find(name)
        if not isinstance(found, Relation):
            return f"{name} has none"
        if not found.differs_by_slice:
            return f"{name} is the same in every slice"
        lacking = [need for need in _scope_needs(found) if not self.carries(need, column)]
        divisible = [
            need
            for need in lacking
            if need not in self.absent
            and not (isinstance(each := self.find(need), Relation) and not each.differs_by_slice)
        ]
        if not lacking:
            return f"{name} has none"
        return self.why_not(min(divisible or lacking, key=lambda need: isinstance(self.find(need), Relation)), column)

    def is_text(self, column: str) -> bool:
        """Whether the values of a column are compared as text, because its types differ between inputs."""
        types = {each.type for table in self.tables for each in table.columns if each.name == column}
        return len(types) > 1 and not types <= NUMBERS


def _scope_needs(found: Table | Relation | None) -> Iterator[str]:
    """The needs from which a relation can get the columns of its scope."""
    if isinstance(found, Relation):
        yield from found.slices or found.needs


class Breakdowns:
    """The columns by which the metrics of a run can be broken down.

    ``upstream`` are the tables and relations that the metrics depend on, ``counted`` for each metric the relations
    whose rows it counts; ``others`` are the undeclared columns of each input.
    """

    def __init__(
        self,
        suite: Suite,
        scopes: Scopes,
        upstream: Iterable[Table | Relation],
        counted: Sequence[Collection[str]],
        others: Mapping[str, Collection[str]],
    ) -> None:
        self._suite, self._scopes, self._counted, self._others = suite, scopes, counted, others
        own = [column for found in upstream for column in found.column_names]
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
            if declared.nullable and not declared.shared:
                raise UsageError(f"--by {column}: it may be missing in {table.name!r}, so a row might have no slice")

    def begins_in_inputs(self, column: str) -> bool:
        """Whether the slices of a column are rows of inputs, and not of a relation in which the column begins."""
        names = self._scopes.origins((name for names in self._counted for name in names), (column,))
        return all(isinstance(self._scopes.find(name), Table) for name in names)

    def _owners(self, column: str) -> Iterator[tuple[Table, Column]]:
        """The inputs from which metrics have a column, with the column as each declares it."""
        if described := self._scopes.described(column):
            yield described
            return
        names = self._scopes.origins((name for names in self._counted for name in names), (column,))
        for table in map(self._scopes.find, names):
            if isinstance(table, Table):
                yield table, next(each for each in table.columns if each.name == column)

    def _hint(self, column: str) -> str:
        """The hint after an unknown column: the nearest known column, or all columns with their inputs or relations."""
        for table in map(self._scopes.find, self._suite.optional):
            if isinstance(table, Table) and table.name not in self._others and column in table.column_names:
                return f"{table.name!r} has it, but is not given"
        named = {known: self._origins(known) for known in self._known}
        for name, columns in self._others.items():
            table = self._scopes.find(name)
            if isinstance(table, Table) and table.other_columns:
                named |= {each: [name] for each in columns if each not in self._known}
            elif column in columns:
                optional = map(self._scopes.find, self._suite.optional)
                may = [f"{each.name}=FILE" for each in optional if isinstance(each, Table) and each.describes]
                also = f"; give the file also as {' or '.join(may)}" if may else ""
                return f"{name!r} has it, but only its declared columns are read{also}"
        folded = {known.lower(): known for known, origins in named.items() if origins}
        if close := get_close_matches(column.lower(), folded, n=1, cutoff=0.6):
            return f"did you mean {folded[close[0]]!r}?"
        shown = [f"{known} ({', '.join(origins)})" for known, origins in sorted(named.items()) if origins]
        known = f"known: {', '.join(shown)}" if shown else "there are none"
        return known + "".join(
            f"; the input {name!r}, which is not given, can have further columns" for name in self._not_given()
        )

    def _not_given(self) -> Iterator[str]:
        """The inputs of the suite that could describe the rows of others, and are not given."""
        for name in self._suite.optional:
            table = self._scopes.find(name)
            if isinstance(table, Table) and table.describes and name not in self._others:
                yield name

    def _origins(self, column: str) -> list[str]:
        """The inputs, or else the relations, from which metrics have a column; none if no metric has it."""
        usable = [names for names in self._counted if all(self._scopes.carries(name, column) for name in names)]
        origins = self._scopes.origins((name for names in usable for name in names), (column,))
        if origins and (described := self._scopes.described(column)):
            return [described[0].name]
        tables = [name for name in origins if isinstance(self._scopes.find(name), Table)]
        return sorted(tables or origins)
