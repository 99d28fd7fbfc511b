"""Cuts a plan into stages: which steps run together in one task, and how tables are divided among tasks.

Each step that can be divided is computed in parts, each other step in one task. Steps that need no exchange of rows
between parts run in the same tasks. A task of a stage reads what tasks of earlier stages wrote.

The way in which each step is divided is chosen so that few rows are exchanged. Steps are scheduled as late as possible,
so that they run in the tasks that read their rows, which then need not be written.

Before that, steps that make sums are divided: each part makes sums of its own rows, and a further step adds up those of
all parts. So a step that cannot be divided, such as one that sorts all scores, reads one row for each distinct score.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from scorespec.core.groups import grouped
from scorespec.plan.plan import ROWS, Plan, Split, Step, totals
from scorespec.plan.rendering.templates import quoted

IN_PARTS = "_in_parts"  # ends the name of a table of sums, which is divided in any case
AS_MADE = ""  # the rows that a part reads are those that the same part of another step made
FEW_ROWS = 1_000_000  # tasks that read fewer rows are put together
MOST_SWEEPS = 5
READ, DIVIDE, WRITE = 4, 2, 1  # the costs of a row: for a step that reads it; to divide it again; to write it as it is

# How a table is divided among the tasks that read it: by a column, by ROWS, AS_MADE, or not at all (None).
Division = str | None


@dataclass
class StepGroup:
    """Steps that run in one task or, if they are ``divided``, in one task for each part.

    ``reads`` says for each table that other groups made, and for each input, how it is divided among the tasks.
    ``writes`` has the tables that other groups or the results need. Each is written once for each of its divisions;
    None stands for one file for each task that makes the table.
    """

    divided: bool
    steps: tuple[Step, ...] = ()
    reads: dict[str, Division] = field(default_factory=dict)
    writes: dict[str, tuple[Division, ...]] = field(default_factory=dict)

    def agrees(self, reads: Mapping[str, Division]) -> bool:
        """Whether each table that is also in ``reads`` is divided in the same way: a task has one table of a name."""
        return all(self.reads.get(table, division) == division for table, division in reads.items())

    def add(self, steps: Iterable[Step], reads: Mapping[str, Division]) -> None:
        """Add steps that read some tables."""
        self.steps += tuple(steps)
        self.reads |= reads


@dataclass(frozen=True)
class Stages:
    """The groups of each stage, and the divisions in which the inputs are written before the first stage."""

    inputs: Mapping[str, tuple[Division, ...]]
    stages: Sequence[Sequence[StepGroup]]


def stages_of(plan: Plan, parts: int, rows: Mapping[str, int]) -> Stages:
    """The stages of a plan for a number of parts. ``rows`` are the numbers of rows of the inputs."""
    stages = _Schedule(plan.steps, _Ways(plan, parts, rows).chosen()).stages()
    wanted: dict[str, set[Division]] = {}
    for group in (group for stage in stages for group in stage):
        for table, division in group.reads.items():
            wanted.setdefault(table, set()).add(division)
    made = {step.physical for step in plan.steps}
    for table in made & plan.finals():
        wanted.setdefault(table, set()).add(None)
    for group in (group for stage in stages for group in stage):
        names = (step.physical for step in group.steps)
        group.writes = {name: _forms(wanted[name]) for name in names if name in wanted}
    return Stages({table: _forms(divisions) for table, divisions in wanted.items() if table not in made}, stages)


def _forms(divisions: Collection[Division]) -> tuple[Division, ...]:
    """The divisions in which a table is written; all parts of a division by a column together are the whole table."""
    divided = sorted(each for each in divisions if each)
    return (*divided, *([None] if AS_MADE in divisions or not divided else []))


def packed(groups: Iterable[StepGroup], rows: Mapping[str, int]) -> list[StepGroup]:
    """The groups of a stage, with those that are not divided and read few rows as one; ``rows`` are those of tables."""
    together, others = StepGroup(False), []
    for each in groups:
        if each.divided or sum(rows[table] for table in each.reads) > FEW_ROWS:
            others.append(each)
        else:
            together.add(each.steps, each.reads)
            together.writes |= each.writes
    return [*([together] if together.steps else []), *others]


class _Chosen:
    """How each step is divided, and so how each table is.

    ``divided_by`` has the columns by which the rows of a table are divided; a table that it lacks is made as a whole.
    """

    def __init__(self, steps: Iterable[Step], ways: Mapping[str, Split | None]) -> None:
        self._ways = ways
        self.divided_by: dict[str, frozenset[str]] = {}
        for step in steps:
            way = ways[step.physical]
            if way is not None:
                by_rows = [table for table, column in way.reads.items() if column == ROWS]
                inherited = [self.divided_by.get(table, frozenset[str]()) & way.result for table in by_rows]
                self.divided_by[step.physical] = inherited[0] if inherited else way.result

    def is_divided(self, name: str) -> bool:
        """Whether a table is made in parts."""
        return name in self.divided_by

    def division(self, step: Step, table: str) -> Division:
        """How a table is divided among the tasks of a step that reads it."""
        way = self._ways[step.physical]
        column = way.reads[table] if way is not None else None
        if column is None or not self.is_divided(table):
            return column
        return AS_MADE if column == ROWS or column in self.divided_by[table] else column

    def is_near(self, step: Step, table: str, division: Division) -> bool:
        """Whether a step that reads a table in some division can run in the same tasks as the step that makes it."""
        divided = self.is_divided(table)
        return divided == self.is_divided(step.physical) and division == (AS_MADE if divided else None)


class _Ways:
    """Chooses how each step is divided."""

    def __init__(self, plan: Plan, parts: int, rows: Mapping[str, int]) -> None:
        self._steps, self._parts = plan.steps, parts
        # Rough numbers of rows: a step counts as large as the largest table that it reads.
        self._rows = {table.name: rows.get(table.name, 0) for table in plan.tables}
        self._most = max(self._rows.values(), default=0)
        for step in plan.steps:
            self._rows[step.physical] = max((self._rows.get(table, 1) for table in step.reads), default=1)
        used = {column for step in plan.steps for split in step.splits for column in split.reads.values()}
        # A condition on the number of all rows of a step is not one on the numbers of its parts.
        as_a_whole = {count.physical for count in plan.notices.counts if not count.relation}
        self._possible = {
            step.physical: [] if step.physical in as_a_whole else list(_splits_of(step, used - {None, ROWS}))
            for step in plan.steps
        }

    def chosen(self) -> _Chosen:
        """The best choice that is found: by one column wherever possible, then step by step."""
        best = {name: next(iter(found), None) for name, found in self._possible.items()}
        columns = sorted({column for found in self._possible.values() for way in found for column in _columns(way)})
        for column in columns:
            of_column = {
                name: next((way for way in found if column in _columns(way)), best[name])
                for name, found in self._possible.items()
            }
            best = min(best, of_column, key=self._cost)
        # A relation with other parameter values is divided in the same way.
        alike = grouped((step.label, step.physical) for step in self._steps)
        for _ in range(MOST_SWEEPS):
            before = best
            for names in alike.values():
                ways = zip_longest(*(self._possible[name] for name in names))
                whole = () if names[0].endswith(IN_PARTS) else ((None,) * len(names),)
                others = [{**best, **dict(zip(names, way, strict=True))} for way in (*ways, *whole)]
                best = min((best, *others), key=self._cost)
            if best == before:
                break
        return _Chosen(self._steps, best)

    def _cost(self, ways: Mapping[str, Split | None]) -> int:
        """The cost for one worker, times the number of parts; steps of the same division need no exchange.

        Each stage also costs as much as a step that reads the largest input as a whole, or FEW_ROWS of it: its tasks
        wait for those of the stage before.
        """
        chosen = _Chosen(self._steps, ways)
        read, written, stages = 0, dict[tuple[str, Division], int](), dict[str, int]()
        for step in self._steps:
            stages[step.physical] = 0
            for table in step.reads:
                rows, division, made = self._rows[table], chosen.division(step, table), chosen.is_divided(table)
                read += READ * rows * (self._parts if division is None else 1)
                near = table in stages and chosen.is_near(step, table, division)
                stages[step.physical] = max(stages[step.physical], stages.get(table, -1) + (0 if near else 1))
                if not near:
                    by = WRITE if division in (None, AS_MADE) else DIVIDE
                    written[table, division] = rows * (1 if made else self._parts) * by
        waiting = READ * self._parts * min(FEW_ROWS, self._most) * max(stages.values(), default=0)
        return read + sum(written.values()) + waiting


def _splits_of(step: Step, used: Set[str | None]) -> Iterator[Split]:
    """The ways to divide a step; a table whose rows can be divided in any way is rather divided by a useful column."""
    for split in step.splits:
        for table in (each for each, column in split.reads.items() if column == ROWS):
            for column in sorted(split.result & used):
                yield Split({**split.reads, table: column}, frozenset((column,)))
        yield split


def _columns(way: Split) -> set[str]:
    return {column for column in way.reads.values() if column not in (None, ROWS)} | way.result


class _Schedule:
    """The stage and group of each step."""

    def __init__(self, steps: Sequence[Step], ways: _Chosen) -> None:
        self._ways = ways
        self._stage_of: dict[str, int] = {}
        self._group_of: dict[str, StepGroup] = {}
        self._stages: dict[int, list[StepGroup]] = {}
        latest = self._latest_stages(steps)
        for step in steps:
            self._place(step, latest.get(step.physical, 0))
        for group in (group for stage in self._stages.values() for group in stage):
            group.steps = tuple(step for step in steps if self._group_of[step.physical] is group)

    def stages(self) -> list[list[StepGroup]]:
        """The groups of each stage."""
        return [self._stages[at] for at in sorted(self._stages)]

    def _latest_stages(self, steps: Sequence[Step]) -> dict[str, int]:
        """The stage of each step that others read: as late as these allow."""
        first: dict[str, int] = {}
        for step in steps:
            first[step.physical] = self._after(step, first)
        readers = grouped((table, step) for step in steps for table in step.reads & first.keys())
        latest: dict[str, int] = {}
        for step in reversed([step for step in steps if step.physical in readers]):
            name = step.physical
            before = {
                each.physical: latest.get(each.physical, first[each.physical]) - self._stages_between(name, each)
                for each in readers[name]
            }
            # What no step reads has no time of its own: it is made when its rows are at hand, and delays nothing else.
            fixed = [at for reader, at in before.items() if reader in readers]
            latest[name] = max(first[name], min(fixed) if fixed else max(before.values()))
        return latest

    def _stages_between(self, table: str, step: Step) -> int:
        """The number of stages between the step that makes a table and a step that reads it, at least."""
        return 0 if self._ways.is_near(step, table, self._ways.division(step, table)) else 1

    def _after(self, step: Step, stage: Mapping[str, int]) -> int:
        """The first stage in which a step can run."""
        found = (stage[table] + self._stages_between(table, step) for table in step.reads if table in stage)
        return max(found, default=0)

    def _place(self, step: Step, latest: int) -> None:
        """Put a step into a group, after those that it reads."""
        at = self._after(step, self._stage_of)
        if not any(self._stage_of.get(table) == at for table in step.reads):
            at = max(at, latest)  # no rows of this stage are at hand
        while (group := self._group_at(at, step)) is None:
            at += 1
        group.add([step], self._reads(step, at))
        self._stage_of[step.physical], self._group_of[step.physical] = at, group

    def _reads(self, step: Step, at: int) -> dict[str, Division]:
        """The tables that a step in a stage reads from other groups."""
        others = (table for table in sorted(step.reads) if self._stage_of.get(table) != at)
        return {table: self._ways.division(step, table) for table in others}

    def _group_at(self, at: int, step: Step) -> StepGroup | None:
        """The group of a stage that a step joins; None if the groups of what it reads cannot be put together."""
        reads, here, divided = self._reads(step, at), self._stages.get(at, []), self._ways.is_divided(step.physical)
        makers = [each for each in here if any(self._group_of.get(table) is each for table in step.reads)]
        if not makers:
            # Steps that are not divided, and do not read one another, run in tasks of their own.
            found = next((each for each in here if divided and each.divided and each.agrees(reads)), None)
            if found is None:
                found = StepGroup(divided)
                self._stages.setdefault(at, []).append(found)
            return found
        first, *others = makers
        if (divided and others) or not first.agrees(reads):  # divided groups are apart because they do not agree
            return None
        for group in others:
            first.add(group.steps, group.reads)
            here.remove(group)
            self._group_of |= dict.fromkeys((step.physical for step in group.steps), first)
        return first


# -- sums ----------------------------------------------------------------------------------------------


def with_partial_sums(plan: Plan) -> Plan:
    """The plan of a run in parts: a step with ``sums`` is two steps, the sums of each part and their totals.

    Sums of sums by the same column stay one step, which is divided like these. So do sums over a table that one worker
    makes as a whole.
    """
    in_parts, summed_by = {table.name for table in plan.tables}, dict[str, str]()
    steps: list[Step] = []
    for step in plan.steps:
        divided = [{table: column for table, column in way.reads.items() if column} for way in step.splits]
        same = [way for way, tables in zip(step.splits, divided, strict=True) if tables.items() <= summed_by.items()]
        if not step.sums:
            steps.append(step)
        elif same:
            steps.append(replace(step, splits=tuple(same), sums=()))
        elif any(in_parts & tables.keys() for tables in divided):
            steps += _in_two(step)
            if step.keys:
                summed_by[step.physical] = step.keys[0]
        else:
            whole = tuple(way for way in step.splits if way.result and ROWS not in way.reads.values())
            steps.append(replace(step, splits=whole, sums=()))
        if steps[-1].splits:
            in_parts.add(step.physical)
    return replace(plan, steps=tuple(steps))


def _in_two(step: Step) -> tuple[Step, Step]:
    detail, about = (
        ", ".join(filter(None, (step.detail, "in each part"))),
        "The rows of each part, whose sums are then added up.",
    )
    partial = replace(
        step, physical=f"{step.physical}{IN_PARTS}", detail=detail, about=about, view=False, sums=(), columns=()
    )
    reads = frozenset((partial.physical,))
    splits = tuple(Split({partial.physical: key}, frozenset((key,))) for key in step.keys)
    sql = totals(step.sums, quoted(partial.physical))
    return partial, replace(step, sql=sql, reads=reads, splits=splits, view=False, function_rows=None, sums=())
