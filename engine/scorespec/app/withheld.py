"""Problems of the gold in the messages of runs that withhold something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from scorespec.errors import InputError, Problems
from scorespec.plan.plan import Plan
from scorespec.run.inputs.sources import Source


@contextmanager
def hiding_gold(plan: Plan, sources: Iterable[Source]) -> Iterator[None]:
    """If a run withholds something, its errors have of problems of the gold only their number."""
    try:
        yield
    except InputError as error:
        raise without_gold(error, plan, sources) if plan.withheld else error from None


def without_gold(error: InputError, plan: Plan, sources: Iterable[Source]) -> InputError:
    """The error of a run that withholds something: of the gold it has only the number of problems."""
    submitted = {each.shown for one in sources if one.input in plan.submitted for each in (one, *one.each)}
    shown = []
    for each in error.of_inputs:
        if not {each.source, *(file for _, file in each.files)} <= submitted:
            hidden = Problems("the gold")
            said = f"what is wrong is withheld (problems: {each.total:,}); score without --withhold to see it"
            hidden.add(None, said)
            each = hidden
        shown.append(each)
    return InputError(shown)
