"""The loop over the steps of a run: :func:`schedule` says what is to be done, as data, and :func:`run_steps` does it.

Every run of steps goes through this loop: a whole run, a part of one on a worker, a run without a group of blocks, a
case, a trial over empty tables, and `explain`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from scorespec.core.groups import grouped
from scorespec.plan.plan import Count, Plan, Refused, Step, last_reads
from scorespec.run.inputs.loading import Loaded
from scorespec.run.inputs.sources import Source
from scorespec.run.session import Session, counted, first_refused, run_step

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Done:
    """The only record that a step has rows: their number, and the ``seconds`` that it took to make them.

    ``spilled`` are bytes, None if not measured. ``counted`` has the numbers of each warning of the step, ``refused``
    the rows at fault of each of its errors. ``said`` are the warnings of a step whose outcome was known before this
    run; None for another step. ``listed`` says whether a profile lists the step.
    """

    step: str
    rows: int = 0
    seconds: float = 0.0
    spilled: int | None = None
    counted: tuple[Row, ...] = ()
    refused: tuple[list[Row], ...] = ()
    said: tuple[str, ...] | None = None
    listed: bool = True


class Supply:
    """Something that has rows, such as the gold of a batch.

    This one has nothing. Others override what they do otherwise. The loop asks for steps, the runner for inputs.
    ``inputs`` are the names of the inputs that were loaded and checked for several runs.
    """

    inputs: Collection[str] = ()

    # -- steps -----------------------------------------------------------------------------------

    def has(self, step: Step) -> bool:
        """Whether the step need not be made."""
        return False

    def settles(self, step: Step) -> bool:
        """Whether the outcome of the warnings and errors of the step is known, too."""
        return self.has(step)

    def show(self, step: Step) -> Done:
        """Let SQL read the rows of a step that this supply has, if they are needed."""
        raise NotImplementedError

    # -- inputs ----------------------------------------------------------------------------------

    def has_input(self, source: Source) -> bool:
        """Whether the input need not be loaded."""
        return False

    def show_input(self, source: Source) -> Loaded:
        """Let SQL read the rows of an input that this supply has, if they are needed; the input as it was loaded."""
        raise NotImplementedError

    def in_place(self, source: Source) -> bool:
        """Whether steps can read the file of an input, which need not be loaded."""
        return False

    def is_checked(self, loaded: Loaded) -> bool:
        """Whether the checks of an input were made before, with the same outcome."""
        return False

    def merged(self, source: Source) -> int:
        """The number of repeated rows of an input that were counted once in other processes; known after all steps."""
        return 0


@dataclass(frozen=True)
class MadeSteps(Supply):
    """Supplies the steps whose tables the session has, by physical name; ``settled`` if their warnings are known."""

    steps: Set[str]
    settled: bool = True

    def has(self, step: Step) -> bool:
        return step.physical in self.steps

    def settles(self, step: Step) -> bool:
        return self.settled

    def show(self, step: Step) -> Done:
        return Done(step.physical, said=() if self.settled else None)


@dataclass(frozen=True)
class Todo:
    """What is to be done: the ``steps`` in order, and which of them are ``supplied``, by physical name.

    ``settled`` are the supplied steps whose warnings and errors are known. ``drop_after`` has the tables that no step
    reads any more after a step, ``counts`` and ``refused`` the warnings and errors of each step.
    """

    steps: tuple[Step, ...]
    drop_after: Mapping[str, Sequence[str]]
    counts: Mapping[str, Sequence[Count]]
    refused: Mapping[str, Sequence[Refused]]
    supplied: Mapping[str, Supply] = field(default_factory=dict)
    settled: Set[str] = frozenset()

    @property
    def make(self) -> tuple[Step, ...]:
        """The steps about which something is to be found out: rows, warnings or errors."""
        return tuple(step for step in self.steps if step.physical not in self.settled)


Notice = TypeVar("Notice", Count, Refused)


def schedule(plan: Plan, supplies: Sequence[Supply] = (), kept: Set[str] | None = None) -> Todo:
    """What is to be done for a plan. The first of the ``supplies`` that has a step supplies it.

    Steps that can refuse rows, and what they read, come first, so that a fault is found before the work is done.
    The tables that the results of the plan read are never dropped, or else those that are ``kept``.
    """
    supplied = {step.physical: each for step in plan.steps for each in reversed(supplies) if each.has(step)}
    settled = frozenset(
        step.physical for step in plan.steps if (supply := supplied.get(step.physical)) and supply.settles(step)
    )
    checks = plan.behind_errors()
    steps = tuple(sorted(plan.steps, key=lambda step: step.physical not in checks))
    todo = Todo(steps, {}, _by_step(plan.notices.counts), _by_step(plan.notices.refused), supplied, settled)
    return replace(todo, drop_after=last_reads(todo.make, plan.finals() if kept is None else kept))


def _by_step(notices: Sequence[Notice]) -> dict[str, list[Notice]]:
    return grouped((each.physical, each) for each in notices)


def run_steps(
    session: Session,
    todo: Todo,
    begin: Callable[[Step], None] = lambda step: None,
    make: Callable[[Session, Step], int] | None = None,
    measured: bool = False,
) -> Iterator[Done]:
    """Do what is to be done; yields the record of each step. With ``measured``, it has the bytes that were spilled.

    ``begin`` is called before each step that is not settled. ``make`` makes the table of a step in another way. Tables
    are dropped when the next record is asked for.
    """
    for step in todo.steps:
        name, begun = step.physical, time.perf_counter()
        if name not in todo.settled:
            begin(step)
        supply = todo.supplied.get(name)
        done = supply.show(step) if supply else Done(name, (make or run_step)(session, step))
        if name in todo.settled:
            yield done
            continue
        spilled = session.spilled() if measured else None
        refused = tuple(first_refused(session, each) for each in todo.refused.get(name, ()))
        numbers = tuple(counted(session, each) for each in todo.counts.get(name, ()))
        seconds = time.perf_counter() - begun
        yield replace(done, seconds=seconds, spilled=spilled, refused=refused, counted=numbers)
        if todo.drop_after:  # a trial over empty tables, and cases, drop nothing and need no memory
            session.drop_large(*todo.drop_after.get(name, ()))
            session.give_back()
