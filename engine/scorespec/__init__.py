"""scorespec: scores for speech technology, from specs through SQL."""

from scorespec.api import Results, Run, compile, load_catalog, open_results, score
from scorespec.errors import InputError, RunError, ScorespecError, SpecError, UsageError
from scorespec.version import __version__

__all__ = [
    "InputError",
    "Results",
    "Run",
    "RunError",
    "ScorespecError",
    "SpecError",
    "UsageError",
    "__version__",
    "compile",
    "load_catalog",
    "open_results",
    "score",
]
