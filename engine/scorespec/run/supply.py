"""What supplies a run with rows that it need not make: loaded inputs, and the tables of steps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scorespec.plan.plan import Plan, Step
from scorespec.run.inputs.loading import Loaded
from scorespec.run.inputs.sources import Source
from scorespec.run.session import Session

RUN = "run"  # what makes the rows of a step that nothing supplies
Row = tuple[Any, ...]


@dataclass(frozen=True)
class Done:
    """The only record that a step has rows: their number, and ``by`` whom they were made.

    ``seconds`` is what the step took now, ``earlier`` what it took the run that made its rows. ``spilled`` are bytes,
    None if not measured. ``counted`` has the numbers of each warning of the step, ``refused`` the rows at fault of each
    of its errors. ``said`` are the warnings of a step whose outcome was known before this run; None for another step.
    ``listed`` says whether a profile lists the step.
    """

    step: str
    rows: int = 0
    seconds: float = 0.0
    by: str = RUN
    earlier: float = 0.0
    spilled: int | None = None
    counted: tuple[Row, ...] = ()
    refused: tuple[list[Row], ...] = ()
    said: tuple[str, ...] | None = None
    listed: bool = True


@dataclass(frozen=True)
class Known:
    """What is known of an input before it is loaded.

    ``in_place``: steps can read the file itself. ``hashed``: the hash of the file is known. ``note`` is what a profile
    says of the input.
    """

    in_place: bool = False
    hashed: bool = False
    note: str = ""


class Supply:
    """Something that has rows, such as the gold of a batch, and that may keep those of this run.

    This one has nothing and keeps nothing. Others override what they do otherwise. The loop asks for steps, the runner
    for inputs. ``inputs`` are the names of the inputs that were loaded and checked for several runs.
    """

    inputs: Collection[str] = ()

    def begin(
        self, plan: Plan, session: Session, sources: Sequence[Source], had: Collection[str], copied: bool
    ) -> None:
        """Decide what to supply to a run. Supplies that are asked before this one have the inputs and steps ``had``.

        With ``copied``, rows are copied into the work database, so that other databases can read them.
        """

    def names(self) -> Collection[str]:
        """The inputs and steps that are not asked of later supplies."""
        return ()

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

    def made(self, step: Step, done: Done, said: Sequence[str | None]) -> None:
        """Take note of a step of this run that refused no rows; ``said`` has what each of its warnings says."""

    # -- inputs ----------------------------------------------------------------------------------

    def has_input(self, source: Source) -> bool:
        """Whether the input need not be loaded."""
        return False

    def show_input(self, source: Source, hashed: bool) -> Loaded:
        """Let SQL read the rows of an input that this supply has, if they are needed; the input as it was loaded."""
        raise NotImplementedError

    def known(self, source: Source) -> Known:
        """What is known of an input before it is loaded."""
        return Known()

    def is_checked(self, loaded: Loaded) -> bool:
        """Whether the checks of an input were made before, with the same outcome."""
        return False

    def read(self, loaded: Loaded, hashed: bool) -> None:
        """Take note of an input that the run has loaded, before its checks."""

    def checked(self, loaded: Loaded) -> None:
        """Take note of an input that has no faults."""

    # -- what is kept ----------------------------------------------------------------------------

    def keep(self, names: Iterable[str]) -> None:
        """Keep rows of inputs and steps of this run, which are dropped next, if they are worth it."""

    def keep_rest(self) -> None:
        """Keep rows that were not dropped in the run, if they are worth it."""
