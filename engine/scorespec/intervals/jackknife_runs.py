"""Confidence intervals of scores that are not sums over blocks, from the scores without each group of blocks.

If a block is drawn twice, its copies make pairs with each other, so that scores over pairs or types are not resampled.
Instead, blocks are dealt out to groups. For each group, the steps of the plan that depend on divided inputs are run
again, over views of these inputs from which the rows of the group are left out. So a value without a group is the score
of files that lack its blocks, whatever the kind of the metric. tests/conformance/test_jackknife.py compares the two.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Floats, Ints, Mask, arrow_ints, arrow_texts
from scorespec.core.events import RunsEstimated
from scorespec.errors import ScorespecError
from scorespec.intervals.block_sums import Place
from scorespec.intervals.bootstrap_intervals import NOTES, Blocks, Intervals, named_blocks, too_few
from scorespec.intervals.replicate_queries import SEED
from scorespec.intervals.replicates import Replicates, hash_of_blocks
from scorespec.intervals.resampled_scores import DividedInputs, JackknifedScores
from scorespec.plan.plan import Plan
from scorespec.plan.rendering.templates import Reference, quoted
from scorespec.plan.scored import Blocks as BlocksOfRows
from scorespec.plan.scored import block_name
from scorespec.run.interrupts import sparing_once
from scorespec.run.loop import run_steps, schedule
from scorespec.run.session import MAIN, Session, session_errors
from scorespec.statistics import block_groups, effective_blocks, jackknife_interval
from scorespec.statistics.confidence import FEWEST_BLOCKS

if TYPE_CHECKING:
    from scorespec.run.runner import Runner

GROUPS_OF_BLOCKS = "groups of blocks"  # the table with the group of each block
NOT_DIVIDED = "no interval: rows of the inputs belong to several blocks, or to no known block"
UNDEFINED = "no interval: undefined without one of the groups of blocks"
Key = str  # a slice as JSON, with its columns in the order of their names
WHOLE: Key = "{}"


def add_intervals(runner: Runner, scores: pa.Table, intervals: Intervals) -> Iterator[str]:
    """Add the intervals of the scores that are not sums over blocks; yields warnings.

    What fails, or is interrupted by Ctrl-C, leaves scores without intervals. All other results are kept.
    """
    for of in runner.plan.jackknifed:
        said = f"there are no intervals of {', '.join(of.metrics)}"
        try:
            with session_errors(runner.session.limits), sparing_once():
                _add_intervals(runner, scores, intervals, of)
        except ScorespecError as error:
            yield f"{said}: {error}"
        except KeyboardInterrupt:
            yield f"{said}: interrupted"


def _add_intervals(runner: Runner, scores: pa.Table, intervals: Intervals, of: JackknifedScores) -> None:
    session, confidence = runner.session, (runner.plan.confidence or 0.0) / 100
    listed = zip(*(scores[name].to_pylist() for name in ("metric", "component", "slice", "value")), strict=True)
    values: dict[Place, float] = {
        (metric, component, slice_): value
        for metric, component, slice_, value in listed
        if metric in of.metrics and value is not None
    }
    division = division_of(session, of)
    if division is None:
        intervals.notes |= dict.fromkeys(values, NOT_DIVIDED)
        return
    blocks_of = {place: division.blocks_of(place[-1]) for place in values}
    left_out = list(_values_without(runner, of, division)) if any(each.enough for each in blocks_of.values()) else []
    said = named_blocks(division.names, of.wanted)
    whole = division.blocks_of(WHOLE)
    intervals.blocks |= dict.fromkeys(of.metrics, Blocks(said, len(division.names), whole.effective))
    changed = _changed_groups(values, left_out)
    for place, blocks in blocks_of.items():
        if not division.knows(place[-1]) and left_out:
            blocks = division.of_groups(changed[place[0], place[-1]])
        if not blocks.enough:
            intervals.notes[place] = f"no interval: {too_few(blocks.effective, intervals.withheld)}"
            continue
        numbers, without = blocks.values_of([each.get(place) for each in left_out])
        found = jackknife_interval(
            values[place],
            without,
            confidence,
            blocks.effective,
            blocks=numbers,
            proportion=place[:2] in of.proportions,
            count=place[:2] in of.counts,
        )
        intervals.found[place] = found
        if note := UNDEFINED if found.note == "undefined" else NOTES.get(found.note or ""):
            intervals.notes[place] = note
        if found.note != "undefined":
            hashed = hash_of_blocks(blocks.names)
            intervals.replicates.append(Replicates(*place, "jackknife", hashed, without, numbers.astype(np.int64)))


def _changed_groups(
    values: Mapping[Place, float], left_out: Sequence[Mapping[Place, float | None]]
) -> Mapping[tuple[str, str], Mask]:
    """For each metric and slice, whether some component is another one without each of the groups."""
    changed: dict[tuple[str, str], Mask] = {}
    for place, value in values.items():
        others = np.array([each.get(place) != value for each in left_out], np.bool_)
        slice_ = place[0], place[-1]
        changed[slice_] = changed[slice_] | others if slice_ in changed else others
    return changed


def _values_without(runner: Runner, of: JackknifedScores, division: Division) -> Iterator[dict[Place, float | None]]:
    """The scores without each group of blocks, by their places. The cost is announced before the first run."""
    plan, groups = runner.plan.without_blocks(of), division.number
    once = sum(done.seconds + done.earlier for done in (runner.steps_done[step.physical] for step in plan.steps))
    runner.tell(RunsEstimated(of.metrics, groups, groups * once))
    for group in range(groups):
        runner.further_step(f"without group {group + 1} of {groups}", groups - group)
        yield values_without(runner.session, plan, division, group)


def values_without(session: Session, plan: Plan, division: Division, group: int) -> dict[Place, float | None]:
    """The scores of a plan without a group of blocks; none if a run without the rows of these blocks is refused."""
    with _left_out(session, division, group):
        if any(any(done.refused) for done in run_steps(session, schedule(plan))):
            return {}
        rows = session.table(plan.scores)
    places = zip(*(rows[name].to_pylist() for name in ("metric", "component", "slice")), strict=True)
    return dict(zip(places, rows["value"].to_pylist(), strict=True))


@contextmanager
def _left_out(session: Session, division: Division, group: int) -> Iterator[None]:
    """Inside the block, the inputs lack the rows of a group of blocks."""
    with session.aside():
        for name, blocks in division.inputs.blocks.items():
            added = ", ".join(map(quoted, blocks.added))
            session.run(
                f"CREATE VIEW {quoted(name)} AS SELECT * EXCLUDE ({added}) FROM {_with_blocks(name)} ANTI JOIN "
                f"(FROM {MAIN}.{quoted(GROUPS_OF_BLOCKS)} WHERE number = {group}) USING (unit_block)"
            )
        yield


# -- blocks ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class BlocksOfSlice:
    """The blocks of a slice: their names, the group and the number of rows of each."""

    names: Sequence[str]
    groups: Ints
    rows: Floats

    @property
    def effective(self) -> float:
        """The effective number of blocks."""
        return effective_blocks(self.rows) if len(self.rows) else 0.0

    @property
    def enough(self) -> bool:
        """Whether there are enough blocks for an interval."""
        return self.effective >= FEWEST_BLOCKS

    def values_of(self, values: Sequence[float | None]) -> tuple[Floats, Floats]:
        """The number of blocks in each group that has some, and the values of a score without these groups.

        ``values`` are those without each of all groups.
        """
        groups, blocks = np.unique(self.groups, return_counts=True)
        without = np.array([np.nan if (value := values[at]) is None else value for at in groups], np.float64)
        return blocks.astype(np.float64), without


@dataclass(frozen=True, eq=False)
class Division:
    """Inputs that are divided into blocks.

    ``names`` are the sorted names of all blocks, ``groups`` the group of each. ``block_rows`` has the number of rows of
    each block, in the whole and in the slices of which it is known.
    """

    inputs: DividedInputs
    names: list[str]
    groups: Ints
    block_rows: Mapping[Key, Floats]

    @property
    def number(self) -> int:
        """The number of groups."""
        return int(self.groups.max()) + 1

    def knows(self, slice_: str) -> bool:
        """Whether the rows of a slice are known by block."""
        return _key(slice_) in self.block_rows

    def blocks_of(self, slice_: str) -> BlocksOfSlice:
        """The blocks with rows in a slice; all blocks if its rows are not known."""
        return self._having(self.block_rows.get(_key(slice_), self.block_rows[WHOLE]))

    def of_groups(self, groups: Mask) -> BlocksOfSlice:
        """The blocks of some groups."""
        return self._having(np.where(groups[self.groups], self.block_rows[WHOLE], 0.0))

    def _having(self, rows: Floats) -> BlocksOfSlice:
        inside = np.flatnonzero(rows)
        return BlocksOfSlice([self.names[at] for at in inside], self.groups[inside], rows[inside])


def division_of(session: Session, scores: JackknifedScores) -> Division | None:
    """The first way to divide inputs into blocks in which the blocks of all inputs agree; None if there is none."""
    for inputs in scores.divisions:
        for name, blocks in inputs.blocks.items():
            session.run(f"CREATE OR REPLACE VIEW {_with_blocks(name)} AS FROM {blocks.rows(Reference(name))}")
        if not _disagree(session, inputs.blocks):
            division = _division(session, inputs, scores.groups)
            return division if division.names else None
    return None


def _division(session: Session, inputs: DividedInputs, most_groups: int) -> Division:
    rows = session.table(inputs.block_rows)
    columns = (rows[name].to_pylist() for name in ("slice", "unit_block", "rows"))
    counted = [(_key(slice_), block, number) for slice_, block, number in zip(*columns, strict=True)]
    names = sorted({block for key, block, _ in counted if key == WHOLE})
    numbers = {name: at for at, name in enumerate(names)}
    block_rows: dict[Key, Floats] = {WHOLE: np.zeros(len(names))}
    for key, block, number in counted:
        of_slice = block_rows.setdefault(key, np.zeros(len(names)))
        if block in numbers:  # another input may have rows of further blocks
            of_slice[numbers[block]] = number
    groups = block_groups(SEED, len(names), most_groups)
    with session.reading("dealt", pa.table({"unit_block": arrow_texts(names), "number": arrow_ints(groups)})):
        session.run(f"CREATE OR REPLACE TABLE {quoted(GROUPS_OF_BLOCKS)} AS FROM dealt")
    return Division(inputs, names, groups, block_rows)


def _disagree(session: Session, blocks: Mapping[str, BlocksOfRows]) -> bool:
    """Whether an input has rows that belong to several blocks of the first input, or to an unknown block.

    For example, the words of a document belong to all talkers of this document if only the first input says who speaks.
    Rows of a talker who does not occur in the first input belong to no block: they stay, and do no harm.
    """
    first, *others = blocks
    named = map(blocks[first].name, blocks[first].columns)
    parts = [f"SELECT {each}::VARCHAR FROM {_with_blocks(first)}" for each in named]
    parts += [f"SELECT {block_name(each.columns[-1], 'NULL')}::VARCHAR" for each in blocks.values()]
    return any(
        session.row(
            f"SELECT count(*) > 0 FROM (SELECT unit_block FROM {_with_blocks(other)} "
            f"EXCEPT SELECT unit_block FROM {_with_blocks(first)}) WHERE unit_block IN ({' UNION '.join(parts)})"
        )[0]
        for other in others
    )


def _with_blocks(name: str) -> str:
    """The view of all rows of an input with their blocks."""
    return f"{MAIN}.{quoted(f'{name} with blocks')}"


def _key(slice_: str) -> Key:
    return json.dumps(json.loads(slice_), sort_keys=True)
