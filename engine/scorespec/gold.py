"""The gold that several runs of one call share: it is prepared once, when the first of them needs it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorespec.errors import ScorespecError
from scorespec.scoring import Job, planned

if TYPE_CHECKING:
    from scorespec.runtime.prepared import Prepared


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
            from scorespec.runtime.prepared import prepared_gold
            from scorespec.runtime.progress import shown
            from scorespec.runtime.reuse import opened_reuse
            from scorespec.runtime.withheld_problems import without_gold

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
