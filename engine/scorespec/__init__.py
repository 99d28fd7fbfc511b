"""scorespec: scores for speech technology, from specs through SQL."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from scorespec.errors import InputError, RunError, ScorespecError, SpecError, UnsavedRunError, UsageError
from scorespec.version import __version__

if TYPE_CHECKING:
    from scorespec.api import (
        Batch,
        MetricCall,
        MetricScores,
        Results,
        Run,
        Validation,
        add_runs,
        calibrate,
        compare,
        compile,
        describe,
        explain,
        gate,
        leaderboard,
        load_catalog,
        metric,
        open_results,
        reference_points,
        remove_runs,
        score,
        score_each,
        validate,
        validate_each,
    )

__all__ = [
    "Batch",
    "InputError",
    "MetricCall",
    "MetricScores",
    "Results",
    "Run",
    "RunError",
    "ScorespecError",
    "SpecError",
    "UnsavedRunError",
    "UsageError",
    "Validation",
    "__version__",
    "add_runs",
    "calibrate",
    "compare",
    "compile",
    "describe",
    "explain",
    "gate",
    "leaderboard",
    "load_catalog",
    "metric",
    "open_results",
    "reference_points",
    "remove_runs",
    "score",
    "score_each",
    "validate",
    "validate_each",
]


# What is about results databases needs no documents, and is quicker to import than the rest of the API.
_OF_RESULTS = (
    "Results",
    "add_runs",
    "calibrate",
    "compare",
    "gate",
    "leaderboard",
    "open_results",
    "remove_runs",
)


def __getattr__(name: str) -> Any:
    # The API is imported when first used, so that `scorespec --help` is quick.
    if name in __all__:
        return getattr(import_module("scorespec.app.database" if name in _OF_RESULTS else "scorespec.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
