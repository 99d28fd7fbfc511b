"""Prepares what many submissions have in common: loads the gold once, and makes the steps that read nothing else."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from scorespec.compiler.plan import Plan, Step
from scorespec.runtime.folders import TemporaryFolder
from scorespec.runtime.limits import Limits
from scorespec.runtime.loading import Loaded
from scorespec.runtime.progress import Listener
from scorespec.runtime.session import Session, open_session
from scorespec.runtime.sources import Source
from scorespec.runtime.supply import Done, Supply

FOLDER = "scorespec-gold-"
GOLD = "gold"  # who made the rows of a step


@dataclass(frozen=True)
class Prepared:
    """The gold of some submissions in a database, which runs attach and read.

    ``loaded`` has its inputs by the name of their table. ``made`` has the records of all steps that read only gold, by
    the names of the steps: each has the hash of its SQL in its name, so that another plan that has a step of this name
    means the same rows. ``kept`` are those whose rows the database still has.
    """

    database: Path | None = None
    loaded: Mapping[str, Loaded] = field(default_factory=dict)
    made: Mapping[str, Done] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()


@dataclass(frozen=True)
class GoldSteps(Supply):
    """Supplies the steps that read only prepared gold to a session that has attached its database."""

    prepared: Prepared
    session: Session

    def has(self, step: Step) -> bool:
        """See :class:`.Supply`."""
        return step.physical in self.prepared.made

    def show(self, step: Step) -> Done:
        """See :class:`.Supply`."""
        if step.physical in self.prepared.kept:
            self.session.read_gold(step.physical, step.physical)
        done = self.prepared.made[step.physical]
        return replace(done, by=GOLD, seconds=0.0, earlier=done.seconds + done.earlier)


@contextmanager
def prepared_gold(
    plan: Plan,
    sources: Sequence[Source],
    limits: Limits,
    tell: Listener,
    hashed: bool,
    supply: Supply,
) -> Iterator[Prepared]:
    """The gold of a plan, which exists inside the block; of ``sources``, those of a submission are not read.

    What the ``supply`` has is copied into its database.

    Raises the errors of :func:`.run_plan`.
    """
    from scorespec.runtime.runner import Runner

    submitted = {each.input for each in sources} & plan.submitted
    gold = [each for each in sources if each.input not in submitted]
    part, kept = gold_part(plan, submitted)
    folder = TemporaryFolder(FOLDER, limits.folder)
    try:
        with open_session(limits, folder.path) as session:
            runner = Runner(part, session, tell, supply=supply, copied=True)
            runner.load(gold, hashed)
            runner.run_steps()
            supply.keep_rest()
            session.run("CHECKPOINT")
            loaded = {
                each.source.table.name: each for each in runner.loaded if session.is_stored(each.source.table.name)
            }
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
        counts=tuple(each for each in plan.counts if each.physical in made),
        refused=tuple(each for each in plan.refused if each.physical in made),
        scores_read=kept | {table.name for table in plan.tables},  # so that the inputs stay, too
        warnings=(),
    )
    return part, kept
