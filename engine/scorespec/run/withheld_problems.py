"""Problems of the gold in the messages of runs that withhold something."""

from __future__ import annotations

from collections.abc import Iterable

from scorespec.errors import InputError, Problems, ScorespecError
from scorespec.plan.plan import Plan
from scorespec.run.inputs.sources import Source


def without_gold(error: ScorespecError, plan: Plan, sources: Iterable[Source]) -> ScorespecError:
    """The error of a run; if the run withholds something, of the gold it has only the number of problems."""
    if not plan.withheld or not isinstance(error, InputError):
        return error
    submitted = {each.shown for one in sources if one.input in plan.submitted for each in (one, *one.each)}
    shown = []
    for each in error.of_inputs:
        if not {each.source, *(file for _, file in each.files)} <= submitted:
            hidden = Problems("the gold")
            hidden.add(
                None, f"what is wrong is withheld (problems: {each.total:,}); score without --withhold to see it"
            )
            each = hidden
        shown.append(each)
    return InputError(shown)
