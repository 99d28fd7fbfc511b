"""The Python interface to comparison: pairs of systems, and leaderboards."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from scorespec.app.runs import Run
from scorespec.errors import UsageError
from scorespec.plan.request import read_confidence

if TYPE_CHECKING:
    from scorespec.comparison.compared_runs import ComparedRun
    from scorespec.comparison.comparison_tables import Comparisons, Leaderboard


def compare(
    a: Run | int | str,
    b: Run | int | str,
    *others: Run | int | str,
    results: str | Path | None = None,
    schema: str = "main",
    metrics: str | Iterable[str] = (),
    slices: bool = False,
    confidence: float | str = 95,
    correction: str = "holm",
    memory_limit: str | None = None,
    threads: int | None = None,
    temp_dir: str | Path | None = None,
) -> Comparisons:
    """Compare systems that were scored on the same data: each pair, in each score that has a direction.

    ``a``, ``b`` and ``others`` are runs, or numbers or names of runs in the results database ``results``. ``metrics``
    are names of metrics, or of components as ``metric.component``; without them, all scores but counts are compared.
    With ``slices``, the scores of slices are compared as well. ``confidence`` is the level of the intervals in percent.
    ``correction`` of p for the number of comparisons is "holm", "bh" (Benjamini and Hochberg) or "maxt". See
    docs/statistics.md. Raises UsageError for runs that cannot be compared, and for a metric that they do not have.
    """
    from scorespec.comparison.comparison_tables import Comparisons
    from scorespec.comparison.paired import compare_runs
    from scorespec.run.limits import Limits

    runs = [_stored(run, results, schema) for run in (a, b, *others)]
    limits = Limits(memory_limit, threads, temp_dir)
    level = _level(confidence)
    found, pairs = compare_runs(runs, _names(metrics), slices=slices, level=level, correction=correction, limits=limits)
    return Comparisons(found, level, pairs, [each for run in runs for each in run.older])


def leaderboard(
    results: str | Path,
    *runs: int | str,
    schema: str = "main",
    suite: str | None = None,
    metrics: str | Iterable[str] = (),
    by_corpus: bool = False,
    confidence: float | str = 95,
    memory_limit: str | None = None,
    threads: int | None = None,
    temp_dir: str | Path | None = None,
) -> Leaderboard:
    """The systems of a results database by their scores, each with its interval and rank interval.

    ``runs`` are numbers or names of runs; without them, all current runs of submissions with the newest gold of their
    corpus are ranked. If several suites scored them, ``suite`` names one. ``metrics`` are as for :func:`compare`;
    without them, the primary scores of the suite. Systems are in the order of the first of these scores. If the runs
    have several corpora, scores are means over corpora; ``by_corpus`` adds those of each corpus. Raises UsageError if
    there are no runs, or if they cannot be compared.
    """
    from scorespec.comparison.comparison_tables import Leaderboard
    from scorespec.comparison.leaderboard import board_runs, leaderboard_of
    from scorespec.run.limits import Limits

    limits, level = Limits(memory_limit, threads, temp_dir), _level(confidence)
    found, older = board_runs(Path(results), schema, runs, suite)
    entries = leaderboard_of(found, _names(metrics), by_corpus=by_corpus, level=level, limits=limits)
    return Leaderboard(entries, level, older)


def _stored(run: Run | int | str, results: str | Path | None, schema: str) -> ComparedRun:
    from scorespec.comparison.compared_runs import stored_run

    if isinstance(run, Run):
        return stored_run(*run.stored)
    if results is None:
        raise UsageError(f"run {run}: name the results database that has it, with results=")
    return stored_run(Path(results), schema, run)


def _names(metrics: str | Iterable[str]) -> list[str]:
    return [metrics] if isinstance(metrics, str) else list(metrics)


def _level(confidence: float | str) -> float:
    level = read_confidence(confidence)
    return 95.0 if level is None else level
