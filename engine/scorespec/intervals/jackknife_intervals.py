"""Confidence intervals of scores that are not sums over blocks, from the scores without each group of blocks.

If a block is drawn twice, its copies make pairs with each other, so that scores over pairs or types are not resampled.
Instead, blocks are dealt out to groups. For each group, the steps of the plan that depend on divided inputs are run
again, over views of these inputs from which the rows of the group are left out. So a value without a group is the score
of files that lack its blocks, whatever the kind of the metric. tests/conformance/test_jackknife.py compares the two.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import Floats, Ints, Mask, arrow_texts
from scorespec.core.events import RunsEstimated
from scorespec.core.result_tables import Replicates
from scorespec.errors import ScorespecError
from scorespec.intervals.found_intervals import (
    NOTES,
    BlocksOfMetric,
    Intervals,
    Place,
    hash_of_blocks,
    named_blocks,
    too_few,
)
from scorespec.plan.plan import Plan
from scorespec.plan.rendering.templates import quoted
from scorespec.plan.resampling.interval_sql import LEFT_OUT, SEED, InputsInBlocks, JackknifedScores
from scorespec.run.folders import sparing_once
from scorespec.run.loop import Done, run_steps, schedule
from scorespec.run.progress import Listener
from scorespec.run.session import Session, session_errors
from scorespec.statistics import block_groups, effective_blocks, jackknife_interval
from scorespec.statistics.confidence import FEWEST_BLOCKS

NOT_DIVIDED = "no interval: rows of the inputs belong to several blocks, or to no known block"
UNDEFINED = "no interval: undefined without one of the groups of blocks"
Slice = str  # as JSON, with its columns in the order of their names
WHOLE: Slice = "{}"


def add_jackknifed(
    intervals: Intervals,
    session: Session,
    plan: Plan,
    scores: pa.Table,
    level: float,
    done: Mapping[str, Done],
    tell: Listener,
    begin: Callable[[str, int], None],
) -> Iterator[str]:
    """Add the intervals of the scores that are not sums over blocks, at a level in percent; yields warnings.

    ``done`` has the steps that the run has made: their seconds say what running them again costs. ``begin`` is called
    with what is done next, and with the number of steps that are left. What fails, or is interrupted by Ctrl-C, leaves
    scores without intervals. All other results are kept.
    """
    for of in plan.resampling.jackknifed:
        again, said = plan.without_blocks(of), f"there are no intervals of {', '.join(of.metrics)}"

        def left_out(division: Division, of: JackknifedScores = of, again: Plan = again) -> Iterator[Scores]:
            groups = division.number
            once = sum(done[step.physical].seconds for step in again.steps)
            tell(RunsEstimated(of.metrics, groups, groups * once))
            for group in range(groups):
                begin(f"without group {group + 1} of {groups}", groups - group)
                yield _scores_without(session, again, division, group)

        try:
            with session_errors(session.limits), sparing_once():
                _add(intervals, scores, of, _division(session, of), left_out, level / 100)
        except ScorespecError as error:
            yield f"{said}: {error}"
        except KeyboardInterrupt:
            yield f"{said}: interrupted"


@dataclass(frozen=True, eq=False)
class Division:
    """Inputs that are divided into blocks.

    ``names`` are the sorted names of all blocks, ``groups`` the group of each. ``block_rows`` has the number of rows of
    each block, in the whole and in the slices for which it is known.
    """

    inputs: InputsInBlocks
    names: list[str]
    groups: Ints
    block_rows: Mapping[Slice, Floats]

    @property
    def number(self) -> int:
        """The number of groups."""
        return int(self.groups.max()) + 1


Scores = dict[Place, float | None]


def _add(
    intervals: Intervals,
    scores: pa.Table,
    of: JackknifedScores,
    division: Division | None,
    scores_without: Callable[[Division], Iterator[Scores]],
    confidence: float,
) -> None:
    listed = zip(*(scores[name].to_pylist() for name in ("metric", "component", "slice", "value")), strict=True)
    values: dict[Place, float] = {
        (metric, component, slice_): value
        for metric, component, slice_, value in listed
        if metric in of.metrics and value is not None
    }
    if division is None:
        intervals.notes |= dict.fromkeys(values, NOT_DIVIDED)
        return
    whole = division.block_rows[WHOLE]
    block_rows = {place: division.block_rows.get(_key(place[-1]), whole) for place in values}
    enough = any(_effective(rows) >= FEWEST_BLOCKS for rows in block_rows.values())
    left_out = list(scores_without(division)) if enough else []
    said = named_blocks(division.names, of.wanted)
    intervals.blocks |= dict.fromkeys(of.metrics, BlocksOfMetric(said, len(division.names), _effective(whole)))
    # For each metric and slice, whether some component is another one without each of the groups.
    changed: dict[tuple[str, str], Mask] = {}
    for place, value in values.items():
        of_slice = changed.setdefault((place[0], place[-1]), np.zeros(len(left_out), np.bool_))
        of_slice |= np.array([each.get(place) != value for each in left_out], np.bool_)
    for place, rows in block_rows.items():
        if left_out and _key(place[-1]) not in division.block_rows:
            rows = np.where(changed[place[0], place[-1]][division.groups], whole, 0.0)
        if (effective := _effective(rows)) < FEWEST_BLOCKS:
            intervals.notes[place] = f"no interval: {too_few(effective, intervals.disclosure)}"
            continue
        inside = np.flatnonzero(rows)
        groups, numbers = np.unique(division.groups[inside], return_counts=True)
        without = np.array([left_out[group].get(place) for group in groups], np.float64)  # None is NaN
        found = intervals.found[place] = jackknife_interval(
            values[place],
            without,
            confidence,
            effective,
            blocks=numbers.astype(np.float64),
            proportion=place[:2] in of.proportions,
            count=place[:2] in of.counts,
        )
        if note := UNDEFINED if found.note == "undefined" else NOTES.get(found.note or ""):
            intervals.notes[place] = note
        if found.note != "undefined":
            hashed = hash_of_blocks([division.names[at] for at in inside])
            intervals.replicates.append(Replicates(*place, "jackknife", hashed, numbers, without))


def _effective(rows: Floats) -> float:
    """The effective number of blocks with these numbers of rows."""
    return effective_blocks(rows[rows > 0]) if rows.any() else 0.0


def _scores_without(session: Session, plan: Plan, division: Division, group: int) -> Scores:
    """The scores of a plan without a group of blocks; none if a run without the rows of these blocks is refused."""
    names = [name for name, of in zip(division.names, division.groups, strict=True) if of == group]
    with session.reading("left_out", pa.table({"unit_block": arrow_texts(names)})):
        session.run(f"CREATE OR REPLACE TABLE {quoted(LEFT_OUT)} AS FROM left_out")
    with session.aside():
        for view in division.inputs.without:
            session.run(view)
        if any(any(each.refused) for each in run_steps(session, schedule(plan))):
            return {}
        rows = session.table(plan.scores.sql)
    places = zip(*(rows[name].to_pylist() for name in ("metric", "component", "slice")), strict=True)
    return dict(zip(places, rows["value"].to_pylist(), strict=True))


def _division(session: Session, scores: JackknifedScores) -> Division | None:
    """The first way to divide inputs into blocks in which the blocks of all inputs agree; None if there is none."""
    for inputs in scores.divisions:
        for view in inputs.with_blocks:
            session.run(view)
        if any(session.row(each)[0] for each in inputs.disagreements):
            continue
        rows = session.table(inputs.block_rows)
        columns = (rows[name].to_pylist() for name in ("slice", "unit_block", "rows"))
        counted = [(_key(slice_), block, number) for slice_, block, number in zip(*columns, strict=True)]
        numbers = {name: at for at, name in enumerate(sorted({block for key, block, _ in counted if key == WHOLE}))}
        block_rows: dict[Slice, Floats] = {key: np.zeros(len(numbers)) for key, _, _ in counted}
        for key, block, number in counted:
            if block in numbers:  # another input may have rows of further blocks
                block_rows[key][numbers[block]] = number
        groups = block_groups(SEED, len(numbers), scores.groups)
        return Division(inputs, [*numbers], groups, block_rows) if numbers else None
    return None


def _key(slice_: str) -> Slice:
    return json.dumps(json.loads(slice_), sort_keys=True)
