"""The gold that several runs of one call share: it is prepared once, when the first of them needs it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from scorespec.app.job import Job
from scorespec.app.score import planned
from scorespec.errors import ScorespecError
from scorespec.plan.plan import Plan, Step
from scorespec.run.folders import TemporaryFolder
from scorespec.run.inputs.loading import Loaded
from scorespec.run.inputs.sources import Source
from scorespec.run.limits import Limits
from scorespec.run.progress import Listener
from scorespec.run.session import Session, open_session
from scorespec.run.supply import Done, Supply


class Gold:
    """The prepared gold of some jobs, which exists until the ``stack`` is closed; ``shared`` says which is prepared."""

    def __init__(self, shared: Collection[Hashable], stack: ExitStack) -> None:
        self._shared, self._stack = shared, stack
        self._prepared: dict[Hashable, Prepared | ScorespecError] = {}

    def prepared(self, job: Job) -> Prepared | None:
        """The gold of a job; None if no other job has the same. Raises the error that prevents it, every time."""
        key = _key(job)
        if key not in self._shared:
            return None
        if key not in self._prepared:
            from scorespec.reuse.kept_steps import opened_reuse
            from scorespec.run.progress import shown
            from scorespec.run.withheld_problems import without_gold

            plan, sources = planned(job)  # may fail because of this submission
            try:
                with opened_reuse(job.reusing) as supply, shown(job.progress) as tell:
                    gold = prepared_gold(plan, sources, job.limits, tell, job.is_stored, supply)
                    self._prepared[key] = self._stack.enter_context(gold)
            except ScorespecError as error:
                self._prepared[key] = without_gold(error, plan, sources)
        found = self._prepared[key]
        if isinstance(found, ScorespecError):
            raise found
        return found


def shared_gold(jobs: Iterable[Job]) -> frozenset[Hashable]:
    """What :class:`Gold` prepares for these jobs: the gold that several of them have."""
    return frozenset(key for key, times in Counter(map(_key, jobs)).items() if times > 1)


def _key(job: Job) -> Hashable:
    """A key that is equal for jobs that can share prepared gold."""
    submitted = job.catalog().suite(job.suite).submitted
    gold = tuple((name, _identity(job.inputs[name])) for name in sorted(job.inputs.keys() - submitted))
    return (job.suite, str(job.specs), str(job.plugins), str(job.request.by), gold)


def _identity(value: Any) -> Hashable:
    """A key of an input: equal for equal paths; different objects have different keys."""
    if isinstance(value, list | tuple):
        return tuple(map(_identity, value))
    if isinstance(value, Mapping):
        return tuple((name, _identity(each)) for name, each in value.items())
    return str(value) if isinstance(value, str | Path) else id(value)


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
    from scorespec.run.runner import Runner

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
