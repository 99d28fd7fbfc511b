"""Runs a plan: loads and checks the inputs, runs the steps, and returns scores and writes evidence."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from scorespec.app.gold import GOLD, GoldSteps, Prepared
from scorespec.core.events import InputRead, StepBegun, StepDone, Warned
from scorespec.core.score_text import EVIDENCE
from scorespec.errors import InputError, Problems, ScorespecError
from scorespec.intervals.stored_sums import write_sums
from scorespec.parts import Dividing
from scorespec.plan.plan import Curve, Plan, Refused, Step
from scorespec.plan.request import ELLIPSIS, UNITS
from scorespec.results.golds import gold_of
from scorespec.results.saving import RunFile
from scorespec.results.schema import InputRecord, ResultsWriter, RunRecord, recorded_inputs, recorded_path
from scorespec.run.inputs.checking import check_descriptions, check_table
from scorespec.run.inputs.dropping import dropped_list, dropped_warnings
from scorespec.run.inputs.loading import Loaded, empty_table
from scorespec.run.inputs.nested import stays_in_place
from scorespec.run.inputs.several import check_whole, load_input, unite
from scorespec.run.inputs.sources import Source, have_few_rows
from scorespec.run.limits import Limits
from scorespec.run.loop import Todo, run_steps, schedule
from scorespec.run.progress import Listener
from scorespec.run.session import Session, error_context, loaded_name, open_session
from scorespec.run.statements import judge
from scorespec.run.streams import count_message, problems_of_rows, rows_of_all
from scorespec.run.supply import RUN, Done, Supply

if TYPE_CHECKING:
    from scorespec.intervals.bootstrap_intervals import Intervals


@dataclass(frozen=True)
class StepCost:
    """The cost of a step: seconds, rows, and bytes that it spilled (None if not measured).

    ``sources`` are the inputs and relations that the step reads. ``note`` says if it was `reused`, `not needed`, or
    `read in place`.
    """

    label: str
    seconds: float
    rows: int
    spilled: int | None = None
    sources: tuple[str, ...] = ()
    note: str = ""


@dataclass
class Outcome:
    """The result of a run: the scores (an Arrow table), the inputs, the cost of each step."""

    record: RunRecord
    scores: pa.Table
    inputs: list[InputRecord]
    costs: list[StepCost] = field(default_factory=list)


def run_plan(
    plan: Plan,
    sources: Sequence[Source],
    record: RunRecord,
    limits: Limits,
    tell: Listener,
    file: RunFile | None,
    profile: bool = False,
    prepared: Prepared | None = None,
    supply: Supply | None = None,
    dividing: Dividing | None = None,
) -> Outcome:
    """Score the inputs. With ``profile``, also measure the bytes that each step spills; ``dividing`` runs it in parts.

    ``tell`` is called with each event. Inputs and steps that are ``prepared``, or that the ``supply`` has, are
    neither loaded nor run again.

    With ``file``, also write the run and its evidence there; if that fails, ``file.save`` raises the error later.
    Raises InputError for bad input, SpecError for SQL at fault, RunError if memory or disk is exhausted.
    """
    attached = prepared.database if prepared else None
    with ExitStack() as stack:
        session = stack.enter_context(open_session(limits, attached=attached, few_rows=have_few_rows(sources)))
        if profile:
            session.measure()
        if dividing is None:
            runner = Runner(plan, session, tell, profile, prepared, supply)
        else:
            from scorespec.parts.run_in_parts import dividing_runner  # slow to load

            runner = stack.enter_context(dividing_runner(dividing, plan, session, tell, profile))
        runner.load(sources, hashed=file is not None)
        runner.run_steps()
        scores = runner.with_intervals(runner.scores())
        runner.check_unchanged()
        record = replace(record, gold=gold_of(runner.inputs, plan.submitted, plan.of_slices), warnings=runner.warnings)
        inputs = recorded_inputs(runner.inputs, record, plan.submitted)
        if file is not None:
            file.write(lambda writer: runner.write(writer, record, inputs, scores), session.folder)
        runner.supply.keep_rest()
        runner.done(scores.num_rows)
        return Outcome(record, scores, inputs, runner.costs)


class Runner:
    """Loads inputs and runs the steps of a plan in a session; ``tell`` is called with each event."""

    def __init__(
        self,
        plan: Plan,
        session: Session,
        tell: Listener,
        profile: bool = False,
        prepared: Prepared | None = None,
        supply: Supply | None = None,
        copied: bool = False,
    ) -> None:
        self.plan, self.session, self.tell, self.profile = plan, session, tell, profile
        self.warnings: list[str] = []
        self.todo = Todo((), {}, {}, {})  # what is to be done, once the inputs are loaded
        self.steps_done: dict[str, Done] = {}  # by the physical name of the step, with what its warnings say
        self._steps = {step.physical: step for step in plan.steps}
        self._sources = plan.sources_of()
        self._prepared = prepared or Prepared()
        self.supply = supply or Supply()
        self._copied = copied
        self.inputs: list[InputRecord] = []
        self.loaded: list[Loaded] = []
        self.costs: list[StepCost] = []
        self._intervals: Intervals | None = None
        self._number = self._total = 0  # of the current step, and of all
        self._doing, self._begun = "", 0.0
        for warning in plan.warnings:
            self._warn(warning)

    def _warn(self, warning: str) -> None:
        self.warnings.append(warning)
        self.tell(Warned(warning))

    def _begin(self, doing: str) -> None:
        self._number += 1
        self._doing, self._begun = doing, time.perf_counter()
        self.tell(StepBegun(doing, self._number, self._total, self.session.folder))

    def done(self, rows: int, spilled: int | None = None) -> float:
        """Report that the current step is done; returns its seconds."""
        seconds = time.perf_counter() - self._begun
        self.tell(StepDone(self._doing, self._number, self._total, rows, seconds, spilled))
        return seconds

    # -- inputs ----------------------------------------------------------------------------------

    def load(self, sources: Sequence[Source], hashed: bool) -> None:
        """Load and check every input, and raise one InputError for all problems of all inputs."""
        prepared = {*self._prepared.loaded, *self._prepared.made}
        self.supply.begin(self.plan, self.session, sources, prepared, self._copied)
        self.todo = schedule(self.plan, (GoldSteps(self._prepared, self.session), self.supply))
        read = [each for each in sources if each.table.name not in self._prepared.loaded and self.supply.is_read(each)]
        lasts = 1 if self.plan.confidence is None else 2  # reading the scores, then intervals
        self._total = len(read) + len(self.todo.make) + lasts
        loaded = self._load_all(sources, hashed)
        self.session.lock()  # what follows is SQL of documents
        self.session.make_macros(self.plan.macros)
        shown = {each.source.table.name: each.source.shown for each in loaded}
        for each in loaded:
            if self.supply.is_read(each.source):
                self._unite(each)
        for each in loaded:
            if not self.supply.is_checked(each):
                self._check(each, shown)
            for warning in self._warnings_of(each):
                self._warn(warning)
        self.inputs = [_input_record(file) for each in loaded for file in each.each]
        if any(each.problems for each in loaded):
            raise InputError(each.problems for each in loaded)
        for each in loaded:
            self.supply.checked(each)
        self.loaded = loaded
        self._make_absent(shown)

    def _load_all(self, sources: Sequence[Source], hashed: bool) -> list[Loaded]:
        return [self._load(source, hashed) for source in sources]

    def _unite(self, loaded: Loaded) -> None:
        unite(self.session, loaded)

    def _check(self, loaded: Loaded, shown: Mapping[str, str]) -> None:
        check_whole(self.session, loaded)
        check_table(self.session, loaded, shown, self._prepared.loaded)
        for describing in self.plan.describing():
            check_descriptions(self.session, loaded, describing, shown[describing.name])

    def _load(self, source: Source, hashed: bool) -> Loaded:
        if found := self._prepared.loaded.get(source.table.name):
            self.session.read_gold(source.table.name, loaded_name(source.table.name))
            return replace(found, problems=deepcopy(found.problems))  # of this run alone
        label, note = f"load {source.table.name}", self.supply.note(source)
        if known := self.supply.loaded(source, hashed):
            self.costs.append(StepCost(label, 0.0, known.rows, note=note))
            return known
        self._begin(f"loading {source.table.name}")
        hashed_now, dropping = hashed and not self.supply.is_hashed(source), source.input in self.plan.droppable
        altered = dropping or source.table.duplicates == "merge"
        view = self.supply.is_read_in_place(source) or (not (altered or self._copied) and stays_in_place(source))
        loaded = load_input(self.session, source, hashed_now, dropping, view)
        seconds, rows = time.perf_counter() - self._begun, loaded.rows
        self.supply.read(loaded, seconds, hashed)
        self.tell(InputRead(source.input, source.shown, self._number, self._total, rows, seconds))
        self.costs.append(StepCost(label, seconds, rows, self._spilled(), note=note))
        return loaded

    def _warnings_of(self, loaded: Loaded) -> list[str]:
        """The warnings about rows of an input that are left out or count once."""
        source = loaded.source
        found = [*loaded.warnings, *dropped_warnings(self.session, loaded)]
        if loaded.merged:
            found.append(f"{loaded.merged:,} repeated rows of {source.shown} count once")
        if not self.plan.withheld or not found:
            return found
        if source.input not in self.plan.submitted:
            return [f"{source.input}: something is left out or counts once ({ELLIPSIS})"]
        folders = sorted({f"{Path(each.source.shown).parent}/" for each in (loaded, *loaded.each)}, key=len)
        for folder in reversed(folders):
            found = [warning.replace(folder, "") for warning in found]
        return found

    def check_unchanged(self) -> None:
        """Raise InputError if a file that steps read in place has changed in the meantime."""
        for file in (file for each in self.loaded for file in each.each):
            if file.stamp is not None:
                file.stamp.check(file.source.shown)

    def _make_absent(self, present: Collection[str]) -> None:
        """Create an empty table for each optional input that was not given."""
        for table in self.plan.tables:
            if table.name not in present:
                self.session.run(empty_table(table))

    # -- steps -----------------------------------------------------------------------------------

    def run_steps(self, todo: Todo | None = None, make: Callable[[Session, Step], int] | None = None) -> None:
        """Run the steps; ``todo`` leaves some out, ``make`` makes the table of a step in another way.

        Rows of a step that refuse the run do not stop it, so that one error reports the rows of all steps.
        """
        judge(self.plan.selects())
        self.todo = todo or self.todo
        refused: list[Problems] = []
        try:
            for done in self._made(make):
                refused += self._take(done)
        except ScorespecError:
            self.check_unchanged()  # otherwise the error may be a consequence of a file that is read in place
            if not any(refused):  # otherwise the error may be a consequence of the refused rows
                raise
        if any(refused):
            raise InputError(refused)

    def _made(self, make: Callable[[Session, Step], int] | None) -> Iterator[Done]:
        """The record of each step, which has rows then."""
        todo = self.todo
        pieces = {each.source.table.name: [file.source.table.name for file in each.pieces] for each in self.loaded}
        for done in run_steps(self.session, todo, lambda step: self._begin(step.label), make, self.profile):
            if done.step not in todo.settled:
                self.done(done.rows, done.spilled)
            yield done
            unread = todo.drop_after.get(done.step, ())
            self.supply.keep(unread)
            self.session.drop_large(*(table for name in unread for table in pieces.get(name, ())))

    def _take(self, done: Done) -> list[Problems]:
        """Take note of a step that has rows, with its warnings; returns the rows that refuse the run."""
        step, refused = self._steps[done.step], list[Problems]()
        if done.said is None:
            for each, rows in zip(self.todo.refused.get(done.step, ()), done.refused, strict=True):
                refused += problems_of_rows(each, rows, self._problems_of(each))
            counts = zip(self.todo.counts.get(done.step, ()), done.counted, strict=True)
            outcome = [count_message(count, numbers) for count, numbers in counts]
            if not refused:
                self.supply.made(step, done, outcome)
            done = replace(done, said=tuple(filter(None, outcome)))
        for warning in done.said or ():
            self._warn(warning)
        self.steps_done[done.step] = done
        if not step.view and done.by != GOLD:
            sources = () if done.step in self.todo.settled else self._sources[done.step]
            note = "" if done.by == RUN else done.by
            self.costs.append(StepCost(step.label, done.seconds, done.rows, done.spilled, sources, note))
        return refused

    def _problems_of(self, refused: Refused) -> Problems:
        """The problems, none so far, of the input whose rows a step may refuse; or of the step's relation."""
        of_input = [each for each in self.loaded if each.source.table.name == refused.input]
        return of_input[0].no_problems() if of_input else Problems(refused.input or refused.relation)

    def scores(self) -> pa.Table:
        """The scores as an Arrow table: metric, component, slice (JSON), value, std, folds, note."""
        self._begin("scores")
        with error_context(self.session, "scores"):
            return self.session.table(self.plan.scores)

    def with_intervals(self, scores: pa.Table) -> pa.Table:
        """The scores with the columns `low` and `high` if intervals are asked for, and with notes on them."""
        if (level := self.plan.confidence) is None:
            return scores
        # Slow to load.
        from scorespec.intervals.bootstrap_intervals import with_intervals
        from scorespec.intervals.run_intervals import intervals_of

        self.done(scores.num_rows)
        self._begin("intervals")
        self._intervals = intervals_of(self, scores, level, self._warn)
        return with_intervals(scores, self._intervals)

    def further_step(self, doing: str, left: int) -> None:
        """Report that the current step is done, and that the first of ``left`` steps begins that were not foreseen."""
        self._total = self._number + left
        self.done(0)
        self._begin(doing)

    def write(self, writer: ResultsWriter, record: RunRecord, inputs: Sequence[InputRecord], scores: pa.Table) -> None:
        """Write the run with its inputs, scores, statistics per unit, curves and evidence."""
        writer.record(record, inputs)
        writer.append("scores", scores)
        for each in self.loaded:
            if each.dropped:
                paths = [recorded_path(file.source.recorded, record) for file in each.each]
                with self.session.batches(dropped_list(each, paths)) as reader:
                    writer.append("dropped_rows", reader)
        if self.plan.unit_statistics:
            with rows_of_all(self.session, (sql for _, sql in self.plan.unit_statistics)) as reader:
                writer.append("unit_statistics", reader)
        write_sums(self.session, self.plan, writer)
        self._write_replicates(writer, scores)
        for curve in self.plan.curves:
            doing = error_context(self.session, f"the curve of {curve.metric}", curve.place)
            with doing, self.session.batches(curve.sql) as reader:
                writer.append("curves", self._with_intervals_of(curve, reader))
        for kept in self.plan.evidence:
            with self.session.batches(kept.sql) as reader:
                writer.append(f"{EVIDENCE}{kept.name}", reader, kept.varied)

    def _with_intervals_of(self, curve: Curve, points: pa.RecordBatchReader) -> pa.RecordBatchReader | pa.Table:
        """The points of a curve, with their intervals if there are some."""
        if self._intervals is None:
            return points
        from scorespec.intervals.sweep_intervals import with_curve_intervals  # slow to load

        return with_curve_intervals(points.read_all(), curve, self._intervals)

    def _write_replicates(self, writer: ResultsWriter, scores: pa.Table) -> None:
        """Write the values of scores in replicates. They tell much of single units, so that they can be withheld."""
        if self._intervals is None or UNITS in self.plan.withheld:
            return
        from scorespec.intervals.replicates import replicates_table  # slow to load

        keys = set(zip(*(scores[name].to_pylist() for name in ("metric", "component", "slice")), strict=True))
        kept = [each for each in self._intervals.replicates if (each.metric, each.component, each.slice) in keys]
        writer.append("replicates", replicates_table(kept))

    def _spilled(self) -> int | None:
        return self.session.spilled() if self.profile else None


def _input_record(loaded: Loaded) -> InputRecord:
    source, content, rows, dropped = loaded.source, loaded.content, loaded.rows, loaded.dropped
    size, digest = (content.bytes, content.sha256) if content else (None, None)
    return InputRecord(source.input, source.recorded, source.kind, rows, size, digest, dropped, loaded.before)
