"""Gold that several runs share: its inputs are loaded, and the steps that read nothing else are made, once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path

from scorespec.plan.plan import Plan, Step
from scorespec.run.folders import TemporaryFolder
from scorespec.run.inputs.loading import Loaded
from scorespec.run.inputs.sources import Source
from scorespec.run.limits import Limits
from scorespec.run.loop import Done, Supply
from scorespec.run.progress import Listener
from scorespec.run.runner import Runner
from scorespec.run.session import Session, loaded_name, open_session

FOLDER = "scorespec-gold-"
GOLD = "gold"  # who made the rows of a step


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
    """Supplies prepared gold, and the steps that read nothing else, to a session that has attached its database."""

    def __init__(self, prepared: Prepared, session: Session) -> None:
        self._prepared, self._session = prepared, session
        self.inputs = prepared.loaded.keys()

    def names(self) -> Collection[str]:
        return {*self._prepared.loaded, *self._prepared.made}

    def has(self, step: Step) -> bool:
        return step.physical in self._prepared.made

    def show(self, step: Step) -> Done:
        if step.physical in self._prepared.kept:
            self._session.read_gold(step.physical, step.physical)
        done = self._prepared.made[step.physical]
        return replace(done, by=GOLD, seconds=0.0, earlier=done.seconds + done.earlier, listed=False)

    def has_input(self, source: Source) -> bool:
        return source.table.name in self._prepared.loaded

    def show_input(self, source: Source, hashed: bool) -> Loaded:
        name = source.table.name
        self._session.read_gold(name, loaded_name(name))
        found = self._prepared.loaded[name]
        return replace(found, problems=deepcopy(found.problems))  # of this run alone


@contextmanager
def prepared_gold(
    plan: Plan, sources: Sequence[Source], limits: Limits, tell: Listener, hashed: bool, supplies: Sequence[Supply]
) -> Iterator[Prepared]:
    """The gold of a plan, which exists inside the block; of ``sources``, those of a submission are not read.

    What the ``supplies`` have is copied into its database. Raises the errors of a run.
    """
    submitted = {each.input for each in sources} & plan.inputs.submitted
    gold = [each for each in sources if each.input not in submitted]
    part, kept = gold_part(plan, submitted)
    folder = TemporaryFolder(FOLDER, limits.folder)
    try:
        with open_session(limits, folder.path) as session:
            runner = Runner(part, session, tell, supplies, copied=True)
            runner.load(gold, hashed)
            runner.run_steps()
            runner.keep_rest()
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
