"""The Python interface: score, compile a plan, look things up. `app/database.py` is about results databases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from inspect import Signature, getdoc, signature
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from scorespec.app.batch import Batch, Each
from scorespec.app.batch import score_each as score_batch
from scorespec.app.batch import validate_each as validate_batch
from scorespec.app.database import (
    Results,
    add_runs,
    calibrate,
    compare,
    gate,
    leaderboard,
    open_results,
    remove_runs,
)
from scorespec.app.job import Job, MetricCall, options_text, plain_type
from scorespec.app.planning import planned
from scorespec.app.runs import MetricScores, Run
from scorespec.app.score import score as score_job
from scorespec.app.score import score_beside_reference_points, score_reference_points
from scorespec.app.validate import Validation
from scorespec.app.validate import validate as validate_job
from scorespec.errors import InputError, UsageError, unknown
from scorespec.plan.plan import Plan

if TYPE_CHECKING:
    from scorespec.catalog.lookup import load_catalog

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def _takes(arguments: Callable[Arguments, Job]) -> Callable[[Callable[[Job], Result]], Callable[Arguments, Result]]:
    """Makes a function with the arguments of a job out of a function of a job."""

    def with_arguments(function: Callable[[Job], Result]) -> Callable[Arguments, Result]:
        @wraps(function)
        def call(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
            return function(arguments(*args, **kwargs))

        stated = signature(arguments)
        plain = [each.replace(annotation=plain_type(each.annotation)) for each in stated.parameters.values()]
        returned = signature(function).return_annotation
        call.__signature__ = Signature(plain, return_annotation=returned)  # type: ignore[attr-defined]
        return call

    return with_arguments


@_takes(Job)
def score(job: Job) -> Run:
    """Score a submission.

    Each input of the suite, given by its name or in ``inputs``, is a path (``path::format`` to name its format),
    a pattern such as ``dets/*.csv``, a folder, ``-`` for standard input, an Arrow table, reader or dataset, a pandas or
    Polars frame, or a DuckDB relation; or a list of these, which are one table; or a mapping by name where an input has
    parts with names. An input whose name is ``folds`` is given as such.

    ``metrics`` are metric strings such as ``token(edge_time=0.02)``, or objects such as ``metric("token",
    edge_time=0.02)`` and the metrics of a catalog (the suite's own when left out); ``zerospeech2015.token`` is a metric
    of another suite of the domain, which keeps the parameters and folds of that suite. ``from_run`` is a run of a
    development set, whose scores set parameters that ``params`` does not set: a :class:`~scorespec.app.runs.Run`, a
    results database with the number of the run, or ``"dev.duckdb:1"``. Each of ``by`` is a column, or several crossed.
    Scores of folds are in slices of their own, such as ``fold=3``, in addition to the means over the folds. Rows that
    ``on_bad_row="drop"`` leaves out are counted in a warning and listed in the table `dropped_rows`.

    With ``confidence=95``, scores have the ends of their 95 % intervals in the columns `low` and `high`
    (docs/statistics.md), and with ``percentile=True`` also in `percentile_low` and `percentile_high`. For scores that
    are not sums over blocks, such as `ned`, steps are run again without each of at most ``confidence_groups`` groups of
    blocks. Ctrl-C ends these runs, and keeps everything else. ``blocks`` is the column, or are several with commas
    between them, that name blocks instead of those of the suite.

    Without ``output`` the run has a database of its own for as long as it lives, unless ``keep_evidence`` is false.
    ``withhold`` are parts that results for others leave out: "evidence", "units" (their statistics, and curves),
    "counts" (components that are not rates). A run supersedes an older run of equal name, suite, corpus, gold,
    documents, metrics, breakdowns and parameters. ``before_saving`` is called with the run before it is appended, which
    may have to wait. A ``format`` that the suite does not have is refused before any input is read.

    ``progress`` may be a function that is called with each event (see :mod:`scorespec.core.events`) in the thread that
    scores. An exception that this function raises ends the run. ``on`` is an engine, such as ``"processes:4"`` (see
    :func:`score_each`). With ``profile`` the run's ``costs`` tell what was spilled, too. With
    ``with_reference_points``, the run's ``reference_points`` are the runs of :func:`reference_points` with the same
    arguments.

    Raises UsageError, InputError, SpecError or RunError, each with a message that says what to mend. UnsavedRunError,
    a RunError, has the scored run that could not be appended, and says in which file it is kept.
    """
    if job.dividing is None and job.with_reference_points:
        return score_beside_reference_points(job)
    return _scored(job)


score.__doc__ = f"{getdoc(score)}\n\n{options_text()}"


def _scored(job: Job) -> Run:
    if job.dividing is None:
        return score_job(job)
    from scorespec.app.on_engines import score_in_parts

    return score_in_parts(job)


def _in_one_process(job: Job) -> Job:
    """The job, which cannot run in parts. Raises UsageError if it is asked to."""
    if job.dividing is not None:
        raise UsageError("only a run that scores a submission or describes a corpus can be in parts: leave out shared")
    return job


@_takes(Job)
def describe(job: Job) -> Run:
    """Describe a corpus, without a submission: the scores of the metrics that the suite lists under `describe`.

    The arguments are those of :func:`score`. Folds are not used: the whole corpus is described.
    """
    return _scored(job.asking(describe=True))


@_takes(Job)
def reference_points(job: Job) -> dict[str, Run]:
    """Score the reference points of a suite, such as the gold itself; the run of each by its name.

    Reference points are submissions that relations compute from the other inputs. The arguments are those of
    :func:`score`. Inputs of a submission are ignored. With ``output``, each run is appended, and has the name of its
    reference point in the column ``reference_point`` of the table `runs`. Raises UsageError for a suite without
    reference points.
    """
    return score_reference_points(_in_one_process(job))


def validate(suite: str, *, manifest: Any = None, **options: Any) -> Validation:
    """Check inputs as :func:`score` does, without scoring them; checks that lack an input, such as gold, are skipped.

    A ``manifest``, a table of recordings and durations, stands for the gold in checks of names and durations. The other
    arguments are those of :func:`score`. Problems of inputs are returned, every other error is raised.
    """
    return validate_job(_in_one_process(Job(suite, **options)), manifest)


def validate_each(suite: str, each: Each, *, manifest: Any = None, **options: Any) -> Batch[Validation]:
    """Check the inputs of many submissions, which ``each`` names as for :func:`score_each`; see :func:`validate`.

    ``runs`` of the result are validations. ``failed`` has the errors that are not problems of inputs.
    """
    return validate_batch(_in_one_process(Job(suite, **options)), each, manifest)


def score_each(suite: str, each: Each, on: str | None = None, **options: Any) -> Batch[Run]:
    """Score many submissions, one after the other, or at once ``on`` an engine.

    ``each`` says which. It is a mapping of inputs to patterns, such as ``{"fragments": "subs/*.class"}``, or to lists
    of paths; or the path of a list of runs in CSV, with the columns `name`, maybe `corpus`, and one for each input; or
    such a list as mappings. Submissions that a pattern finds are called by the part of the path in which they differ.
    In a list, `from` is the ``from_run`` of a submission, and `meta.KEY` is metadata of it.

    The inputs that all have in common, and the options, are those of :func:`score`; gold is read once. Evidence is kept
    only with ``output``. An error of one submission does not stop the others, and is in ``failed`` of the result. An
    error that all of them have is raised.

    ``on`` is ``"processes:N"``, which starts N processes on this machine, ``"dask://HOST:PORT"`` or
    ``"ray://HOST:PORT"``. Inputs are files then, which the workers find at the same paths. The result is the same as
    without ``on``. ``memory_limit``, ``threads`` and ``temp_dir`` are those of each run.
    """
    if options.get("shared") is not None:
        raise UsageError("--shared is for one run in parts, and --each for many runs: leave one of them out")
    job = Job(suite, **options)
    if job.output is None:
        job = job.asking(evidence=False, curves=False)
    return score_batch(job, each, on)


def explain(suite: str, step: str, **options: Any) -> dict[str, str]:
    """How DuckDB makes a step: its plan with the rows and the time of each operator, by the label of the step.

    ``step`` is the name of a relation, or of a metric, which may have several steps; inputs and options are those of
    :func:`score`. The steps before are run, too. Raises UsageError for a step that there is not, and what
    :func:`score` raises.
    """
    from scorespec.run.progress import watched
    from scorespec.run.runner import explain_steps

    job = _in_one_process(Job(suite, **options))
    plan, sources = planned(job)
    names = {each.name for each in plan.steps if not each.view}
    if step not in names:
        raise unknown(f"no step {step!r} in this run of {suite!r}", step, sorted(names))
    with watched(job.progress, job.start) as tell:
        return explain_steps(plan, sources, job.limits, tell, step)


class CompiledPlan(Plan):
    """The plan of a run, which can be read as SQL."""

    @property
    def signature(self) -> str:
        """What pins the scores, with every parameter that they depend on."""
        return self.identity.long

    def script(self) -> str:
        """The plan as one commented SQL script."""
        from scorespec.show.script import script_of

        return script_of(self)


def compile(suite: str, *, inputs: Iterable[str] | Mapping[str, Any] | None = None, **options: Any) -> CompiledPlan:
    """The plan of a run, without running it; ``plan.script()`` is its SQL.

    ``inputs`` names the tables that would be given (those that the suite requires when left out). Only ``by`` reads
    files, if it is a mapping as in :func:`score`; the other arguments are those of :func:`score`. Without
    ``keep_evidence`` the plan makes the scores and nothing else. With ``confidence=95``, the plan has the steps of 95 %
    intervals, too, and its script ends with the queries that resample scores.
    """
    from scorespec.app.planning import compiled, with_other_columns

    job = Job(suite, **options)
    for name in job.inputs:
        raise TypeError(f"compile() got an unexpected keyword argument {name!r}")
    given = None if inputs is None else dict.fromkeys(inputs)
    catalog = job.but(inputs=given or {}).catalog()
    found = catalog.suite(suite)
    request = job.request
    if request.by and isinstance(inputs, Mapping):
        with suppress(InputError):  # files need not be there
            request = with_other_columns(job.but(inputs=inputs), catalog, [found])
    request = replace(request, given=None if given is None else frozenset(given))
    return CompiledPlan(**vars(compiled(catalog.of_suite(found), found, request, job.other)))


def metric(name: str, **parameters: Any) -> MetricCall:
    """A metric with parameters of its own, to be scored: ``metric("token", edge_time=0.02)``."""
    return MetricCall(name, parameters)


def __getattr__(name: str) -> Any:
    if name == "load_catalog":  # is slow to load, and most runs do without
        from scorespec.catalog.lookup import load_catalog

        return load_catalog
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Batch",
    "MetricCall",
    "MetricScores",
    "Results",
    "Run",
    "Validation",
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
