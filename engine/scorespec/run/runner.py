"""Loads the inputs of a plan, runs its steps, and tells what happens: the part that all runs have in common.

A :class:`Runner` keeps the books: events, warnings, costs, rows that refuse the run. An :class:`InProcess` does the
work. Supplies have what need not be done.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

import pyarrow as pa

from scorespec.core.disclosure import ELLIPSIS
from scorespec.core.events import InputRead, StepBegun, StepCost, StepDone, Warned
from scorespec.core.groups import grouped
from scorespec.core.score_text import counted, score_name
from scorespec.errors import Code, InputError, Problems, ScorespecError
from scorespec.formats import tell_format
from scorespec.plan.plan import Plan, Refused, Step
from scorespec.run.folders import TemporaryFolder
from scorespec.run.inputs.checking import check_descriptions, check_table, dropped_warnings
from scorespec.run.inputs.loading import Loaded, empty_table
from scorespec.run.inputs.nested import stays_in_place
from scorespec.run.inputs.several import check_whole, digest_of, load_input, unite
from scorespec.run.inputs.sources import Source
from scorespec.run.limits import Limits
from scorespec.run.loop import Done, Supply, Todo, run_steps, schedule
from scorespec.run.progress import Listener
from scorespec.run.session import (
    Session,
    count_message,
    error_context,
    explain_step,
    loaded_name,
    open_session,
    problems_of_rows,
    run_step,
)
from scorespec.run.statements import judge

ROUNDING = 1e-9  # values beyond the range of a component by less than this are within it


class InProcess:
    """Loads and checks inputs, and makes steps; ``make_step`` makes the table of a step in another way.

    With ``copied``, inputs are copied into the work database, so that other databases can read them; with ``measured``,
    the bytes that each step spills are known.
    """

    def __init__(
        self,
        session: Session,
        copied: bool = False,
        measured: bool = False,
        make_step: Callable[[Session, Step], int] | None = None,
    ) -> None:
        self._session, self._copied, self._measured, self._make_step = session, copied, measured, make_step

    def begin(self, plan: Plan, hashed: bool) -> None:
        """Learn what is to be loaded; with ``hashed``, files are also hashed."""
        self._plan, self._hashed = plan, hashed

    def load(self, source: Source, in_place: bool) -> Loaded:
        """Load an input. Its problems are in the result; raises InputError for a file that cannot be read."""
        begun, dropping = time.perf_counter(), source.input in self._plan.inputs.droppable
        view = in_place or (not (dropping or self._copied) and stays_in_place(source))
        loaded = load_input(self._session, source, self._hashed, dropping, view)
        loaded.seconds = time.perf_counter() - begun
        loaded.spilled = self._session.spilled() if self._measured else None
        return loaded

    def examine(self, loaded: Sequence[Loaded]) -> None:
        """Prepare the checks of the inputs that were loaded, after the session is locked."""
        for each in loaded:
            unite(self._session, each)
            if gold := self._plan.inputs.gold_in(each.source.input, each.source.table):
                each.digest = digest_of(self._session, gold)

    def check(self, loaded: Loaded, shown: Mapping[str, str], checked: Collection[str]) -> None:
        """Add the faults of an input to its problems. ``shown`` names the source of each input by its table.

        Inputs that were ``checked`` are only compared with others.
        """
        check_whole(self._session, loaded)
        check_table(self._session, loaded, shown, checked)
        for describing in self._plan.describing():
            if describing.name in shown:
                check_descriptions(self._session, loaded, describing, shown[describing.name])

    def make(self, todo: Todo, books: Runner) -> Iterator[Done]:
        """Make the steps, and tell ``books`` of each. The records are given in the order of the plan."""
        steps = run_steps(self._session, todo, lambda step: books.begin(step.label), self._make_step, self._measured)
        for done in steps:
            if done.step not in todo.settled:
                books.done(done.rows, done.spilled)
            yield done


class Runner:
    """Loads inputs and runs the steps of a plan in a session; ``tell`` is called with each event.

    The first of the ``supplies`` that has an input or a step supplies it. Without an ``executor``, all is done in this
    process.
    """

    def __init__(
        self,
        plan: Plan,
        session: Session,
        tell: Listener,
        supplies: Sequence[Supply] = (),
        executor: InProcess | None = None,
        copied: bool = False,
    ) -> None:
        self.plan, self.session, self.tell, self.supplies = plan, session, tell, supplies
        self._executor = executor or InProcess(session, copied)
        self._warned: dict[str, bool] = {}  # the warnings, and whether each is about lines that a format leaves out
        self.todo = Todo((), {}, {}, {})  # what is to be done, once the inputs are loaded
        self.steps_done: dict[str, Done] = {}  # by the physical name of the step, with what its warnings say
        self.loaded: list[Loaded] = []
        self.costs: list[StepCost] = []
        self.number = self.total = 0  # of the current step, and of all
        self._doing, self._begun = "", 0.0
        for warning in plan.notices.warnings:
            self.warn(warning)

    @property
    def warnings(self) -> list[str]:
        """The warnings of the run, each once: those about what is scored, then those about formats."""
        return sorted(self._warned, key=self._warned.__getitem__)

    def warn(self, warning: str, of_format: bool = False) -> None:
        """Add a warning to those of the run, unless it has the same one."""
        if warning not in self._warned:
            self._warned[warning] = of_format
            self.tell(Warned(warning))

    def begin(self, doing: str) -> None:
        """Report that a step begins, such as the reading of scores."""
        self.number += 1
        self._doing, self._begun = doing, time.perf_counter()
        self.tell(StepBegun(doing, self.number, self.total, self.session.folder))

    def done(self, rows: int, spilled: int | None = None) -> None:
        """Report that the current step is done."""
        seconds = time.perf_counter() - self._begun
        self.tell(StepDone(self._doing, self.number, self.total, rows, seconds, spilled))

    def further_step(self, doing: str, left: int) -> None:
        """Report that the current step is done, and that the first of ``left`` steps begins that were not foreseen."""
        self.total = self.number + left
        self.done(0)
        self.begin(doing)

    # -- inputs ----------------------------------------------------------------------------------

    def load(self, sources: Sequence[Source], hashed: bool) -> None:
        """Load and check every input, and raise one InputError for all problems of all inputs."""
        self.todo = schedule(self.plan, self.supplies)
        supplied = {source.input for source in sources if self._supply_of(source)}
        lasts = 1 if self.plan.asked.confidence is None else 2  # reading the scores, then intervals
        self.total = len(sources) - len(supplied) + len(self.todo.make) + lasts
        self._executor.begin(self.plan, hashed)
        self.loaded = [self._load(source) for source in sources]
        self.session.lock()  # what follows is SQL of documents
        self.session.make_macros(self.plan.macros)
        self._executor.examine([each for each in self.loaded if each.source.input not in supplied])
        # Where nothing of an input can be read, that is the fault, and not what other inputs then seem to lack.
        shown = {each.source.table.name: each.source.shown for each in self.loaded if each.rows or not each.problems}
        checked = {name for supply in self.supplies for name in supply.inputs}
        for each in self.loaded:
            if not any(supply.is_checked(each) for supply in self.supplies):
                self._executor.check(each, shown, checked)
            self._warn_of(each)
        if any(each.problems for each in self.loaded):
            raise self._error([each.problems for each in self.loaded])
        for table in self.plan.tables:
            if table.name not in shown:  # an optional input that was not given
                self.session.run(empty_table(table))

    def _supply_of(self, source: Source) -> Supply | None:
        return next((supply for supply in self.supplies if supply.has_input(source)), None)

    def _load(self, source: Source) -> Loaded:
        if supply := self._supply_of(source):
            return supply.show_input(source)
        self.begin(f"loading {source.table.name}")
        loaded = self._executor.load(source, any(supply.in_place(source) for supply in self.supplies))
        self.tell(InputRead(source.input, source.shown, self.number, self.total, loaded.rows, loaded.seconds))
        self.costs.append(StepCost(f"load {source.table.name}", loaded.seconds, loaded.rows, loaded.spilled))
        return loaded

    def _warn_of(self, loaded: Loaded) -> None:
        for warning, of_format in self._warnings_of(loaded).items():
            self.warn(warning, of_format)

    def _warnings_of(self, loaded: Loaded) -> dict[str, bool]:
        """The warnings about rows that are left out or counted once, and whether a format leaves them out."""
        source = loaded.source
        found = dict.fromkeys(loaded.warnings, True) | dict.fromkeys(dropped_warnings(self.session, loaded), False)
        if loaded.merged:
            verb = "is" if loaded.merged == 1 else "are"
            found[f"{counted(loaded.merged, 'repeated row')} of {source.shown} {verb} counted once"] = False
        if self.plan.disclosure.allows("problems of the gold") or not found:
            return found
        if source.input not in self.plan.inputs.submitted:
            return {f"{source.input}: some rows are left out or counted once ({ELLIPSIS})": False}
        folders = sorted({f"{Path(each.source.shown).parent}/" for each in (loaded, *loaded.each)}, key=len)
        for folder in reversed(folders):
            found = {warning.replace(folder, ""): of_format for warning, of_format in found.items()}
        return found

    def check_unchanged(self) -> None:
        """Raise InputError if a file that steps read in place has changed in the meantime."""
        for file in (file for each in self.loaded for file in each.each):
            if file.stamp is not None:
                file.stamp.check(file.source.shown)

    # -- steps -----------------------------------------------------------------------------------

    def run_steps(self, todo: Todo | None = None) -> None:
        """Run the steps; ``todo`` leaves some out.

        The run stops after the last step that can refuse rows, so that one error reports the rows of all steps.
        """
        judge(self.plan.selects())
        self.todo = todo or self.todo
        refused: list[Problems] = []
        unchecked = {*self.todo.refused}
        pieces = {each.source.table.name: [file.source.table.name for file in each.pieces] for each in self.loaded}
        steps, sources = {step.physical: step for step in self.plan.steps}, self.plan.sources_of()
        try:
            for done in self._executor.make(self.todo, self):
                settled = done.step in self.todo.settled
                refused += self._take(steps[done.step], done, () if settled else sources[done.step])
                unread = self.todo.drop_after.get(done.step, ())
                self.session.drop_large(*(table for name in unread for table in pieces.get(name, ())))
                unchecked.discard(done.step)
                if any(refused) and not unchecked:
                    break
        except ScorespecError:
            self.check_unchanged()  # otherwise the error may be a consequence of a file that is read in place
            if not any(refused):  # otherwise the error may be a consequence of the refused rows
                raise
        for each in self.loaded:
            each.merged += sum(supply.merged(each.source) for supply in self.supplies)
            self._warn_of(each)
        if any(refused):
            raise self._error(refused)

    def _error(self, found: Sequence[Problems]) -> InputError:
        """The error about inputs; it also says which files look as if they had another format."""
        for problems in found:
            for file in (file.source for each in self.loaded for file in each.each if file.source.format):
                tell_format(problems, file.input, file.shown, file.path, file.kind, file.table.formats)
                faults = [each.code for each in problems.kept if each.file == file.shown]
                if file.format and file.others and Code.MISSING_COLUMN in faults:
                    said = f"read as {file.format.name}, because neither suffix nor content tells another format"
                    written = f"{file.input}={file.shown}::FORMAT, one of {file.others}"
                    problems.add(None, f"{said}: write {written}", Code.WRONG_FORMAT)
        return InputError(found)

    def _take(self, step: Step, done: Done, sources: tuple[str, ...]) -> list[Problems]:
        """Take note of a step that has rows, with its warnings; returns the rows that refuse the run."""
        refused = list[Problems]()
        if done.said is None:
            for each, rows in zip(self.todo.refused.get(done.step, ()), done.refused, strict=True):
                refused += problems_of_rows(each, rows, self._problems_of(each))
            counts = zip(self.todo.counts.get(done.step, ()), done.counted, strict=True)
            said = (count_message(count, numbers) for count, numbers in counts)
            done = replace(done, said=tuple(filter(None, said)))
        for warning in done.said or ():
            self.warn(warning)
        self.steps_done[done.step] = done
        if done.listed and not step.view:
            self.costs.append(StepCost(step.label, done.seconds, done.rows, done.spilled, sources))
        return refused

    def _problems_of(self, refused: Refused) -> Problems:
        """The problems, none so far, of the input whose rows a step may refuse; or of the step's relation."""
        having = (each for each in self.loaded if each.source.table.name == refused.input)
        of_input = (Problems(each.source.shown, files=each.problems.files) for each in having)
        return next(of_input, Problems(refused.input or refused.relation))

    def scores(self) -> pa.Table:
        """The scores as an Arrow table: metric, component, slice (JSON), value, std, folds, note."""
        self.begin("scores")
        with error_context(self.session, "scores"):
            scores = self.session.table(self.plan.scores.sql)
        for warning in _out_of_range(self.plan, scores):
            self.warn(warning)
        return scores


def _out_of_range(plan: Plan, scores: pa.Table) -> Iterator[str]:
    """A warning for each component with values outside of its declared range: a formula or the range is wrong."""
    names = zip(scores["metric"].to_pylist(), scores["component"].to_pylist(), strict=True)
    values = grouped(zip(names, scores["value"].to_pylist(), strict=True))
    for (metric, component), each in {(each.metric, each.component): each for each in plan.meanings.reported}.items():
        low, high = (None if end is None else float(end) for end in each.bounds)
        above, below = -inf if low is None else low - ROUNDING, inf if high is None else high + ROUNDING
        found = [value for value in values.get((metric, component), ()) if value is not None]
        if beyond := [value for value in found if not above <= value <= below]:
            bounds = f"from {'any' if low is None else f'{low:g}'} to {'any' if high is None else f'{high:g}'}"
            more = f" (and {len(beyond) - 1:,} more)" if beyond[1:] else ""
            said = f"{score_name(metric, component)} is {beyond[0]:.6g}{more}, outside of its range {bounds}"
            yield f"{each.place}: {said}: the definition of the metric does not fit these data, or its range is wrong"


def explain_steps(plan: Plan, sources: Sequence[Source], limits: Limits, tell: Listener, name: str) -> dict[str, str]:
    """DuckDB's plan of each step of a relation or metric, with the rows and seconds of each operator, by label.

    Raises the errors of :func:`.score`.
    """
    wanted = [step for step in plan.steps if step.name == name and not step.view]
    with open_session(limits) as session:
        explained: dict[str, str] = {}

        def explain(session: Session, step: Step) -> int:
            if step in wanted:
                explained[step.label] = explain_step(session, step)
            return run_step(session, step)

        runner = Runner(plan, session, tell, executor=InProcess(session, make_step=explain))
        runner.load(sources, hashed=False)
        steps = runner.todo.steps
        last = max(map(steps.index, wanted))
        runner.run_steps(replace(runner.todo, steps=steps[:last]))
        explained[steps[last].label] = explain_step(session, steps[last])
        return explained


FOLDER = "scorespec-gold-"


@dataclass(frozen=True)
class Prepared:
    """The gold of some submissions in a database, which runs attach and read.

    ``loaded`` has its inputs by the name of their table. ``made`` has the records of all steps that read only gold, by
    the names of the steps: each has the hash of its SQL in its name, so that another plan that has a step of this name
    means the same rows. ``kept`` are those whose rows the database still has.
    """

    database: Path
    loaded: Mapping[str, Loaded]
    made: Mapping[str, Done]
    kept: frozenset[str]


class GoldSupply(Supply):
    """Supplies prepared gold, and the steps that read nothing else, to a session that has attached its database.

    Of tables that have the ``column``, it supplies ``only`` some rows: a condition, as SQL.
    """

    def __init__(self, prepared: Prepared, session: Session, column: str = "", only: str = "") -> None:
        self._prepared, self._session = prepared, session
        self.inputs = prepared.loaded.keys()
        self._only = dict.fromkeys(session.tables_with(column, "gold"), only) if only else {}

    def _read(self, name: str, stored: str) -> None:
        self._session.read_gold(name, stored, self._only.get(stored, ""))

    def has(self, step: Step) -> bool:
        return step.physical in self._prepared.made

    def show(self, step: Step) -> Done:
        if step.physical in self._prepared.kept:
            self._read(step.physical, step.physical)
        return replace(self._prepared.made[step.physical], listed=False)

    def has_input(self, source: Source) -> bool:
        return source.table.name in self._prepared.loaded

    def show_input(self, source: Source) -> Loaded:
        name = source.table.name
        self._read(name, loaded_name(name))
        found = self._prepared.loaded[name]
        return replace(found, problems=deepcopy(found.problems))  # of this run alone


@contextmanager
def prepared_gold(
    plan: Plan, sources: Sequence[Source], limits: Limits, tell: Listener, hashed: bool
) -> Iterator[Prepared]:
    """The gold of a plan, which exists inside the block; of ``sources``, those of a submission are not read.

    Raises the errors of a run.
    """
    submitted = plan.inputs.submitted  # also those that this submission lacks: another may have them
    gold = [each for each in sources if each.input not in submitted]
    part, kept = gold_part(plan, submitted)
    folder = TemporaryFolder(FOLDER, limits.folder)
    try:
        with open_session(limits, folder.path) as session:
            runner = Runner(part, session, tell, copied=True)
            runner.load(gold, hashed)
            runner.run_steps()
            session.run("CHECKPOINT")
            stored = (each for each in runner.loaded if session.is_stored(each.source.table.name))
            loaded = {each.source.table.name: each for each in stored}
        yield Prepared(session.database, loaded, runner.steps_done, kept)
    finally:
        folder.close()


def gold_part(plan: Plan, submitted: Collection[str]) -> tuple[Plan, frozenset[str]]:
    """The steps of a plan that read nothing of the ``submitted`` inputs; and those whose rows other steps read."""
    others = plan.made_from(submitted)
    steps = tuple(step for step in plan.steps if step.physical not in others)
    made = {step.physical for step in steps}
    read = plan.finals().union(*(step.reads for step in plan.steps if step.physical in others))
    kept = frozenset(read & made)
    part = replace(
        plan.without_results(),
        tables=tuple(table for table in plan.tables if table.name not in submitted),
        steps=steps,
        notices=replace(plan.notices.of(made), warnings=()),
        scores=replace(plan.scores, reads=kept | {table.name for table in plan.tables}),  # so that the inputs stay, too
    )
    return part, kept
