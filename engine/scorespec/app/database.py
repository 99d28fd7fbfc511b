"""The Python interface to results databases: query, list, add, remove and compare their runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorespec.app.job import Paths, breakdowns, listed_paths
from scorespec.app.runs import Run
from scorespec.core.terminal import aligned, html_table, visible
from scorespec.errors import UsageError, unknown
from scorespec.plan.request import read_confidence
from scorespec.results import adding
from scorespec.results.reading import opened_once, stored_runs, stream
from scorespec.run.limits import Limits

if TYPE_CHECKING:
    import pyarrow as pa

    from scorespec.comparison.compared_runs import ComparedRun
    from scorespec.comparison.comparison_tables import Comparisons, Leaderboard
    from scorespec.comparison.gate import Gate
    from scorespec.report.report_page import Page, Picture


RUN_WORDS = ("id", "name", "corpus", "suite")  # the columns of runs in notebooks


class Results:
    """A results database on disk; made by :func:`open_results`."""

    def __init__(self, path: Path, schema: str = "main") -> None:
        self.path, self.schema = path, schema

    def sql(self, query: str, *, allow_files: bool = False, as_text: bool = False) -> pa.Table:
        """The rows of a query, as an Arrow table.

        The query can read and write files only with ``allow_files``. With ``as_text``, values that Python or JSON
        cannot hold, such as intervals and the date `infinity`, are text.
        """
        with self.stream(query, allow_files=allow_files, as_text=as_text) as rows:
            return rows.read_all()

    def __repr__(self) -> str:
        return f"results database {self.path}\n" + aligned(self._shown_runs(), RUN_WORDS)

    def _repr_html_(self) -> str:
        return html_table(self._shown_runs(), caption=str(self.path))

    def _shown_runs(self) -> list[dict[str, str]]:
        """The runs as text, with the columns that people tell them apart by."""
        columns = self.runs().select(RUN_WORDS).to_pylist()
        return [{name: visible("" if row[name] is None else row[name]) for name in RUN_WORDS} for row in columns]

    def runs(self) -> pa.Table:
        """A row for each run: its number, time, name, corpus, suite, and the run that superseded it."""
        with stored_runs(self.path, self.schema) as runs:
            return runs.list()

    def run(self, run: int | str, *, specs: Paths = (), plugins: Paths = ()) -> Run:
        """A run as it was scored, given by its number or its name; a name means the run that no other supersedes.

        ``specs`` and ``plugins`` are needed for layouts of a suite that does not ship. Raises UsageError for a run that
        there is not, and for a name of several runs.
        """
        from scorespec.catalog.lookup import documents_of

        with stored_runs(self.path, self.schema) as runs:
            number = runs.find(run)
            found = runs.outcome(number)
        suite, _ = documents_of(found.record.suite, listed_paths(specs), listed_paths(plugins))
        stored = Run(found, suite.layouts if suite else {}, self.path, self.schema)
        stored.number = number
        return stored

    def report(
        self, *runs: int | str, targets: str | Path | None = None, specs: Paths = (), plugins: Paths = ()
    ) -> Page:
        """One HTML page about some runs, given by number or name; by default all current runs.

        The runs must be of one suite. Each corpus has a section of its own. Values that miss ``targets``, a document as
        for :func:`gate`, are marked; targets for a drop are ignored. ``specs`` and ``plugins`` are needed for a suite
        that does not ship. Raises UsageError for other runs, SpecError for a figure at fault.
        """
        from scorespec.comparison.targets import read_targets
        from scorespec.report.report_page import report

        read = read_targets(targets) if targets else None
        return report(self.path, self.schema, runs, listed_paths(specs), listed_paths(plugins), read)

    def plot(
        self,
        figure: str,
        *runs: int | str,
        width: str | None = None,
        by: str | None = None,
        specs: Paths = (),
        plugins: Paths = (),
    ) -> Picture:
        """One figure of the reports of a suite, or a score such as `wer`; other arguments are those of :meth:`report`.

        ``width`` is a length such as `3.3in`, for papers. With ``by``, a column of a breakdown, the figure shows the
        slices of the runs. Raises UsageError for a figure that cannot be drawn.
        """
        from scorespec.report.report_page import plot

        return plot(self.path, self.schema, runs, figure, width, by, listed_paths(specs), listed_paths(plugins))

    def stream(
        self, query: str, *, allow_files: bool = False, as_text: bool = False
    ) -> AbstractContextManager[pa.RecordBatchReader]:
        """The rows of a query batch by batch, for ``with``; arguments are those of :meth:`sql`."""
        return stream(self.path, self.schema, query, allow_files, as_text)


def open_results(path: str | Path, schema: str = "main") -> Results:
    """Open a results database to ask it questions in SQL. Raises RunError when there is none.

    ``schema`` is the schema of its tables.
    """
    results = Results(Path(path), schema)
    results.sql("SELECT 1")
    return results


def add_runs(results: str | Path, *others: str | Path, schema: str = "main") -> dict[Path, list[int]]:
    """Append the runs of other results databases to one; the ids that the runs of each have there.

    All runs of a file are appended, or none. A file with a run that could not be added by :func:`score` is removed
    afterwards, others stay. Raises RunError.
    """
    return {Path(other): adding.add_file(Path(results), Path(other), schema) for other in others}


def remove_runs(results: str | Path, *runs: int | str, schema: str = "main") -> list[int]:
    """Remove runs, given by number or name, with all their rows; returns their numbers.

    A name means the run that no other supersedes. A run that was superseded by a removed one becomes current again.
    Raises UsageError for a run that there is not, RunError if the database cannot be written.
    """
    with stored_runs(Path(results), schema) as stored:
        ids = [stored.find(each) for each in runs]
    for each, number in zip(map(str, runs), ids, strict=True):
        if each.isdecimal() and int(each) != number:  # a run of this number may have been removed already
            raise UsageError(
                f"{results} has no run {each}; run {number} is called {each!r}: write {number} to remove it"
            )
    adding.remove_runs(Path(results), ids, schema)
    return ids


def calibrate(
    results: str | Path,
    run: int | str,
    parameters: str | Iterable[str] = (),
    *,
    specs: Paths = (),
    plugins: Paths = (),
    schema: str = "main",
) -> dict[str, float]:
    """The values that the scores of a run give to parameters of its suite, such as a best threshold.

    They are values for ``params`` of :func:`score`, to score other data with what is best on these. The key
    `calibration` of the suite says which component sets which parameter; without ``parameters`` all of them are found.
    Raises UsageError if there is no such run, or if it lacks a value.
    """
    from scorespec.app.calibrate import parameters_of, read_run, value_of
    from scorespec.catalog.lookup import load_catalog

    found = read_run(Path(results), run, schema)
    suite = load_catalog(*listed_paths(specs), suite=found.suite, plugins=listed_paths(plugins)).suite(found.suite)
    names = parameters_of(suite, [parameters] if isinstance(parameters, str) else [*parameters])
    instead = f"name the parameters that you need of {', '.join(suite.calibration)}"
    return {name: value_of(suite, found, name, instead) for name in names}


# -- comparison ------------------------------------------------------------------------------------


def compare(
    a: Run | int | str | Path,
    b: Run | int | str,
    *others: Run | int | str,
    results: str | Path | None = None,
    schema: str = "main",
    metrics: str | Iterable[str] = (),
    slices: bool = False,
    by: str | Sequence[str | Sequence[str]] = (),
    confidence: float | str = 95,
    correction: str = "holm",
    percent: bool = False,
    memory_limit: str | None = None,
    threads: int | None = None,
    temp_dir: str | Path | None = None,
) -> Comparisons:
    """Compare systems that were scored on the same data: each pair, in each score that has a direction.

    ``a``, ``b`` and ``others`` are runs, or numbers or names of runs in the results database ``results``, which may
    also be the first argument: ``compare("results.duckdb", "first", "second")``. ``metrics`` are names of metrics, or
    of components as ``metric.component``; without them, all scores but counts are compared.
    Each of ``by`` is a column by which the runs were broken down, or several crossed: the scores of these slices are
    compared as well, and with ``slices`` those of all slices. ``confidence`` is the level of the intervals in percent.
    ``correction`` of p for the number of comparisons is "holm", "bh" (Benjamini and Hochberg) or "maxt". With
    ``percent``, rates are shown as percent. See docs/statistics.md. Raises UsageError for runs that cannot be compared
    or share no score with a direction, and for a metric or a breakdown that they do not have.
    """
    from scorespec.comparison.compared_runs import why_no_scores
    from scorespec.comparison.comparison_tables import Comparisons
    from scorespec.comparison.paired import compare_runs

    asked: list[Any] = [a, b, *others]
    if results is None and isinstance(a, str | Path):
        results, *asked = asked
    if len(asked) < 2:
        raise UsageError("a comparison needs two runs at least: compare(RESULTS, RUN, RUN)")
    runs = [_stored(run, results, schema) for run in asked]
    limits = Limits(memory_limit, threads, temp_dir)
    level = _level(confidence)
    found, pairs = compare_runs(
        runs, _names(metrics), slices=slices, by=breakdowns(by), level=level, correction=correction, limits=limits
    )
    if not found and not pairs:
        raise UsageError(why_no_scores(runs))
    older = [each for run in runs for each in run.older]
    record = runs[0].record
    rates = record.rates if percent else ()
    return Comparisons(found, level, pairs, older, rates, record.parameters.get("blocks"), record.counts)


def leaderboard(
    results: str | Path,
    *runs: int | str,
    schema: str = "main",
    suite: str | None = None,
    metrics: str | Iterable[str] = (),
    by: str | Sequence[str | Sequence[str]] = (),
    by_corpus: bool = False,
    confidence: float | str = 95,
    percent: bool | None = None,
    intervals: str = "ends",
    targets: str | Path | None = None,
    memory_limit: str | None = None,
    threads: int | None = None,
    temp_dir: str | Path | None = None,
) -> Leaderboard:
    """The systems of a results database by their scores, each with its interval and rank interval.

    ``runs`` are numbers or names of runs; without them, all current runs of submissions with the newest gold of their
    corpus are ranked. If several suites scored them, ``suite`` names one. ``metrics`` are as for :func:`compare`;
    without them, the primary scores of the suite. Systems are in the order of the first of these scores. If the runs
    have several corpora, scores are means over corpora; ``by_corpus`` adds those of each corpus. Each of ``by`` is a
    column by which the runs were broken down, or several crossed: the scores of these slices are added. Scores with
    a name for percent in their documents are shown in percent, with ``percent`` all rates, with ``percent=False`` none.
    ``intervals`` are shown by their "ends", as "plus-minus" half their width,
    or "none"; a single score without intervals has a column for each slice. Values that miss ``targets``, a document as
    for :func:`gate`, are marked; targets for a drop are ignored. Raises UsageError if there are no runs, if they cannot
    be compared, or if they lack a breakdown.
    """
    from scorespec.comparison.compared_runs import why_no_scores
    from scorespec.comparison.comparison_tables import INTERVALS, Leaderboard
    from scorespec.comparison.leaderboard import board_runs, leaderboard_of
    from scorespec.comparison.targets import read_targets

    if intervals not in INTERVALS:
        raise unknown(f"--intervals {intervals!r}", intervals, INTERVALS)
    limits, level = Limits(memory_limit, threads, temp_dir), _level(confidence)
    found, older = board_runs(Path(results), schema, runs, suite)
    parts = breakdowns(by)
    read = read_targets(targets) if targets else None
    entries = leaderboard_of(
        found, _names(metrics), by=parts, by_corpus=by_corpus, level=level, limits=limits, targets=read
    )
    if not entries:
        raise UsageError(why_no_scores(found))
    record, columns = found[0].record, list(dict.fromkeys(column for each in parts for column in each))
    if intervals == "none" and len({(each.metric, each.component) for each in entries}) == 1:
        columns = []  # slices are columns, as papers print them
    percent_names, blocks = record.percent_names, record.parameters.get("blocks")
    rates = {*percent_names, *(record.rates if percent else ())} if percent is not False else ()
    return Leaderboard(
        entries, level, older, rates, intervals, record.suite, columns, blocks, record.counts, percent_names
    )


def gate(
    run: Run | int | str,
    targets: str | Path,
    *,
    baseline: Run | int | str | None = None,
    results: str | Path | None = None,
    schema: str = "main",
    undecided: str = "hold",
    memory_limit: str | None = None,
    threads: int | None = None,
    temp_dir: str | Path | None = None,
) -> Gate:
    """Whether the scores of a run reach their targets; print the result to see the verdict on each.

    ``targets`` is the path of a document that says what scores must reach (docs/gate.md). ``run`` and ``baseline`` are
    runs, or numbers or names of runs in the results database ``results``. Targets with `max_drop` need a baseline that
    was scored on the same data. If ``baseline`` is the name of ``run``, it means the run that this run superseded. A
    target with `confidence` is undecided if the interval contains the limit; ``undecided`` says what it then counts as:
    "hold" or "fail". ``verdict`` of the result is "fails" if a target fails, else "not judged" if a target cannot be
    judged, else "holds". A note says why a target cannot be judged, for example because the run lacks the score. Raises
    UsageError for an unknown run or a run as its own baseline, SpecError for a document at fault.

    In a test: ``found = gate("new", "targets.yaml", results="runs.duckdb")``, then
    ``assert found.verdict == "holds", str(found)``.
    """
    from scorespec.comparison.compared_runs import run_before
    from scorespec.comparison.gate import Gate, judge
    from scorespec.comparison.targets import FAILS, UNDECIDED, read_targets

    if undecided not in ("hold", "fail"):
        raise unknown(f"--undecided {undecided!r}", undecided, ("hold", "fail"))
    read, judged = read_targets(targets), _stored(run, results, schema)
    with opened_once(judged.results, judged.schema):
        other = None if baseline is None else _stored(baseline, results, schema)
        note = None
        if other and other.place == judged.place:
            if baseline != judged.name:
                raise UsageError("the baseline is the run itself; name an earlier run by its number")
            if before := run_before(judged):
                note = f"the baseline is {before.name} (run {before.number}), which run {judged.number} superseded"
            other = before or other
        rows = judge(judged, read, other, Limits(memory_limit, threads, temp_dir))
    if undecided == "fail":
        rows = [replace(row, verdict=FAILS, note=UNDECIDED) if row.verdict == UNDECIDED else row for row in rows]
    return Gate(judged.name, rows, note)


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
