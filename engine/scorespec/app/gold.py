"""The gold that several runs of one call share: it is prepared once, when the first of them needs it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from scorespec.app.job import Job
from scorespec.app.planning import planned
from scorespec.errors import InputError, Problems, ScorespecError
from scorespec.plan.plan import Plan
from scorespec.run.inputs.sources import Source
from scorespec.run.loop import Supply
from scorespec.run.prepared import GoldSupply, Prepared, prepared_gold
from scorespec.run.progress import shown
from scorespec.run.session import Session


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
            plan, sources = planned(job)  # may fail because of this submission
            try:
                with hiding_gold(plan, sources), kept_results(job) as kept, shown(job.progress) as tell:
                    gold = prepared_gold(plan, sources, job.limits, tell, job.is_stored, kept)
                    self._prepared[key] = self._stack.enter_context(gold)
            except ScorespecError as error:
                self._prepared[key] = error
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


@contextmanager
def kept_results(job: Job) -> Iterator[list[Supply]]:
    """The results of earlier runs, if the job has a folder of them."""
    if job.reusing is None:
        yield []
        return
    from scorespec.reuse.kept_steps import opened_reuse  # slow to load

    with opened_reuse(job.reusing) as reuse:
        yield [reuse]


@contextmanager
def supplies_of(job: Job, session: Session) -> Iterator[list[Supply]]:
    """What has rows that a run need not make: the gold of a batch, and results of earlier runs."""
    with kept_results(job) as kept:
        yield [*([GoldSupply(job.prepared, session)] if job.prepared else []), *kept]


@contextmanager
def hiding_gold(plan: Plan, sources: Iterable[Source]) -> Iterator[None]:
    """If a run withholds something, its errors have of problems of the gold only their number."""
    try:
        yield
    except InputError as error:
        raise without_gold(error, plan, sources) if plan.withheld else error from None


def without_gold(error: InputError, plan: Plan, sources: Iterable[Source]) -> InputError:
    """The error of a run that withholds something: of the gold it has only the number of problems."""
    submitted = {each.shown for one in sources if one.input in plan.inputs.submitted for each in (one, *one.each)}
    shown = []
    for each in error.of_inputs:
        if not {each.source, *(file for _, file in each.files)} <= submitted:
            hidden = Problems("the gold")
            said = f"what is wrong is withheld (problems: {each.total:,}); score without --withhold to see it"
            hidden.add(None, said)
            each = hidden
        shown.append(each)
    return InputError(shown)
