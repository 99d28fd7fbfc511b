"""Divides every step of a plan in each of its ways, and compares the results of the parts with that of the whole.

This is the proof of plan/division.py, and of `split_by` in documents. Rows are compared as multisets,
in the types that the step makes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scorespec.catalog.model import ROWS as WRITTEN_ROWS
from scorespec.check.case_proofs import renamed
from scorespec.plan.division import with_splits
from scorespec.plan.plan import ROWS, Plan, Split, Step, part_of, totals
from scorespec.plan.rendering.templates import quoted
from scorespec.run.inputs.sources import find_source
from scorespec.run.limits import Limits
from scorespec.run.progress import Silent
from scorespec.run.runner import Runner
from scorespec.run.session import Session, open_session, run_step

PARTS = 2


@dataclass
class Proof:
    """What is wrong with the ways to divide the steps of a plan; declared ways that leave all rows in one part."""

    faults: list[str] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)


def prove(plan: Plan, inputs: Mapping[str, Any]) -> Proof:
    """Try each way to divide each step of a plan."""
    plan = with_splits(plan)
    with open_session(Limits("1GB", 1)) as session:
        loaded(plan, inputs, session)
        divided = _Divided(session, plan)
        found = Proof()
        for step in plan.steps:
            run_step(session, step)
            for split in step.splits:
                found.faults += divided.faults_of(step, split)
            if step.split_by and not any(map(divided.divides, step.splits)):
                found.idle += [divided.said(step, split) for split in step.splits]
        return found


def loaded(plan: Plan, inputs: Mapping[str, Any], session: Session) -> Runner:
    """A runner of a plan that has loaded the inputs."""
    runner = Runner(plan, session, Silent())
    runner.load([find_source(each, inputs[each.name]) for each in plan.tables if each.name in inputs], hashed=False)
    return runner


class _Divided:
    """The tables of a session in parts."""

    def __init__(self, session: Session, plan: Plan) -> None:
        self._session = session
        self._types: dict[str, dict[str, str]] = {}
        self._parts: dict[str, int] = {}  # the number of rows of each part of a table
        self._contents: dict[str, tuple[int, int, int]] = {}
        self._names = {table.name: table.name for table in plan.tables} | {s.physical: s.label for s in plan.steps}
        self._keys = {key for step in plan.steps for each in step.splits for key in each.reads.values()}

    def said(self, step: Step, split: Split) -> str:
        """A way to divide a step in words."""
        divided = {self._names[t]: WRITTEN_ROWS if key == ROWS else key for t, key in split.reads.items() if key}
        return f"{step.label} by {dict(sorted(divided.items()))}"

    def divides(self, split: Split) -> bool:
        """Whether at least two parts have rows of the same table."""
        divided = ([self._part(t, key, number) for number in range(PARTS)] for t, key in split.reads.items() if key)
        return any(sum(self._parts[part] > 0 for part in parts) > 1 for parts in divided)

    def faults_of(self, step: Step, split: Split) -> Iterator[str]:
        """What is wrong with a way to divide a step."""
        said = self.said(step, split)
        if {*split.reads} != step.reads:
            yield f"{said}: it reads {sorted(step.reads)}, not {sorted(split.reads)}"
            return
        unknown = [key for t, key in split.reads.items() if key not in (None, ROWS) and key not in self.types(t)]
        unknown += sorted(split.result - self.types(step.physical).keys())
        if unknown:
            yield f"{said}: there is no column {unknown[0]}"
            return
        rows = next((table for table, key in split.reads.items() if key == ROWS), None)
        yield from self._faults(step, split.reads, frozenset() if rows else split.result, said)
        if rows:  # if the table is divided by a column that is kept, so is the result
            for key in sorted(split.result & self._keys):
                yield from self._faults(step, {**split.reads, rows: key}, frozenset({key}), f"{said} divided by {key}")

    def types(self, table: str) -> dict[str, str]:
        """The columns of a table, with their types."""
        if table not in self._types:
            found = self._session.connection.execute(f"DESCRIBE FROM {quoted(table)}").fetchall()
            self._types[table] = {row[0]: row[1] for row in found}
        return self._types[table]

    def _faults(self, step: Step, reads: Mapping[str, str | None], result: frozenset[str], said: str) -> Iterator[str]:
        parts = [f"{step.physical}_{number}" for number in range(PARTS)]
        types, rows, hashes = self.types(step.physical), 0, 0
        for number, part in enumerate(parts):
            names = {table: self._part(table, key, number) for table, key in reads.items() if key}
            self._run(step, part, names)
            misplaced = " OR ".join(f"{part_of(name, types[name], PARTS)} <> {number}" for name in sorted(result))
            found, sum_, wrong = self._content(part, misplaced or "false")
            rows, hashes = rows + found, hashes + sum_
            if wrong:
                yield f"{said}: rows are not in the part of their {' and '.join(sorted(result))}"
        if step.physical not in self._contents:
            self._contents[step.physical] = self._content(step.physical)
        whole, union = f"FROM {quoted(step.physical)}", " UNION ALL ".join(f"FROM {quoted(part)}" for part in parts)
        if step.sums:
            parts.append(f"{step.physical}_total")
            self._session.create(parts[-1], totals(step.sums, f"({union})"))
            rows, hashes, _ = self._content(parts[-1])
            union = f"FROM {quoted(parts[-1])}"
        if (rows, hashes) != self._contents[step.physical][:2]:
            more, less = self._count(f"({union}) EXCEPT ALL ({whole})"), self._count(f"({whole}) EXCEPT ALL ({union})")
            yield f"{said}: the parts have {more} rows that the whole has not, and lack {less}"
        self._session.drop(*parts)

    def _run(self, step: Step, part: str, names: Mapping[str, str]) -> None:
        """Make a table by the SQL of a step, with other tables in place of those that it reads."""
        sql, function_rows = _renamed(step.sql, names), step.function_rows
        if function_rows:
            function_rows = replace(function_rows, sql=_renamed(function_rows.sql, names))
            run_step(self._session, replace(step, physical=part, sql=sql, function_rows=function_rows))
        else:
            self._session.create(part, f"FROM ({sql})")  # without the check of the SQL, which the step has passed

    def _content(self, table: str, wrong: str = "false") -> tuple[int, int, int]:
        """The number of rows of a table, the sum of their hashes, and the number of rows that meet a condition."""
        rows = f"count(*), coalesce(sum(hash(row_)::HUGEINT), 0), count_if({wrong})"
        (found,) = self._session.connection.execute(f"SELECT {rows} FROM {quoted(table)} AS row_").fetchall()
        return found

    def _part(self, table: str, key: str, number: int) -> str:
        """A table with a part of the rows of another table, divided by a column or, with ROWS, by their numbers."""
        name = f"{table}_{key}_{number}"
        if name not in self._parts:
            if key == ROWS:
                condition = f"QUALIFY row_number() OVER () % {PARTS} = {number}"
            else:
                condition = f"WHERE {part_of(key, self.types(table)[key], PARTS)} = {number}"
            self._session.create(name, f"SELECT * FROM {quoted(table)} {condition}")
            self._parts[name] = self._count(f"FROM {quoted(name)}")
        return name

    def _count(self, sql: str) -> int:
        ((count,),) = self._session.connection.execute(f"SELECT count(*) FROM ({sql})").fetchall()
        return int(count)


def _renamed(sql: str, names: Mapping[str, str]) -> str:
    for table, name in names.items():
        sql = renamed(sql, table, name)
    return sql
