"""Scores or checks many submissions in one call: shared gold is prepared once, and a bad one stops no other."""

from __future__ import annotations

import csv
import glob
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from pathlib import Path, PurePath
from typing import Any, Generic, TypeVar, cast

from scorespec.app.job import Job, other_run, plain_meta
from scorespec.app.runs import Run
from scorespec.app.score import Gold, score, shared_gold
from scorespec.app.validate import Validation, validate
from scorespec.errors import ScorespecError, UnsavedRunError, UsageError, unknown
from scorespec.run.progress import shown

Found = TypeVar("Found")  # a run or a validation


class Batch(Generic[Found]):
    """The runs of many submissions; ``batch["team1"]`` is a run, ``batch.failed["team2"]`` the error of a submission.

    If the submissions are only checked, ``runs`` are validations.

    The key of a submission is its name, or ``name (corpus)`` if it has a corpus.
    """

    def __init__(self) -> None:
        self.runs: dict[str, Found] = {}
        self.failed: dict[str, ScorespecError] = {}

    def __getitem__(self, name: str) -> Found:
        """The run of a submission. Raises the error of one that failed, UsageError for another name."""
        if name in self.failed:
            raise self.failed[name]
        if name not in self.runs:
            raise unknown(f"no submission is called {name!r}", name, [*self.runs, *self.failed])
        return self.runs[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    def __repr__(self) -> str:
        failed = (f"{name} failed: {error}" for name, error in self.failed.items())
        return "\n".join([*(f"{name}\n{run!r}" for name, run in self.runs.items()), *failed])

    def add(self, name: str, score: Callable[[], Found]) -> None:
        """Add the run that a function returns, or the error that it raises."""
        try:
            self.runs[name] = score()
        except ScorespecError as error:
            self.failed[name] = error
            if isinstance(error, UnsavedRunError):
                self.runs[name] = cast("Found", error.run)

    def checked(self) -> Batch[Found]:
        """The batch. If all submissions failed with one error, such as a fault of the gold, that is raised."""
        if not self.runs and len({str(error) for error in self.failed.values()}) == 1:
            raise next(iter(self.failed.values()))
        return self


def score_each(job: Job, each: Each, on: str | None = None) -> Batch[Run]:
    """Score each of some submissions; ``job`` has the inputs and settings that all of them share.

    See :func:`scorespec.api.score_each`.
    """
    if job.with_reference_points:
        raise UsageError("reference points belong to the gold: score them in a call of their own, without --each")
    job = job if on else job.with_lasting_inputs()
    batch: Batch[Run] = Batch()
    with ExitStack() as stack:
        tell = stack.enter_context(shown(job.progress))  # one bar, or log, of all runs
        jobs = _jobs_of(job.but(progress=tell), each, batch)
        if on is None:
            gold = Gold(shared_gold(jobs.values()), stack)
            for label, each_job in jobs.items():
                batch.add(label, partial(lambda each: score(each.but(prepared=gold.prepared(each))), each_job))
        elif jobs:
            from scorespec.app.on_engines import score_on

            score_on(on, jobs, batch.add)
    return batch.checked()


def validate_each(job: Job, each: Each, manifest: Any = None) -> Batch[Validation]:
    """Check the inputs of each of some submissions; see :func:`scorespec.api.validate_each`."""
    batch: Batch[Validation] = Batch()
    with shown(job.progress) as tell:
        for label, each_job in _jobs_of(job.with_lasting_inputs().but(progress=tell), each, batch).items():
            batch.add(label, partial(validate, each_job, manifest))
    return batch.checked()


def _jobs_of(job: Job, each: Each, batch: Batch[Any]) -> dict[str, Job]:
    """The job of each submission by its label. One whose other run cannot be read fails in the ``batch``."""
    submissions = find_submissions(each, [name for suite in job.suites() for name in (*suite.inputs, *suite.optional)])
    for name in sorted({name for submission in submissions for name in submission.inputs} & job.inputs.keys()):
        raise UsageError(f"input {name!r} is given for each submission, and for all of them")
    jobs: dict[str, Job] = {}
    for number, submission in enumerate(submissions, 1):
        try:
            jobs[submission.label] = submission.job(job).but(number=number, total=len(submissions))
        except ScorespecError as error:
            batch.failed[submission.label] = error
    return jobs


Each = str | Path | Mapping[str, Any] | Iterable[Mapping[str, Any]]
DELIMITERS = {".csv": ",", ".tsv": "\t"}  # of lists of runs
NAMES = ("name", "corpus", "from")  # columns of a list of runs that are no inputs
META = "meta."  # before the key in the name of a column with metadata
SHOWN = 5  # names in a message


@dataclass(frozen=True)
class Submission:
    """One of many submissions: its name, the corpus, and its inputs without those that all share.

    Parameters are taken from the run ``other``. ``meta`` is what else the results say of it.
    """

    name: str
    corpus: str | None
    inputs: Mapping[str, Any]
    other: Any = None
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """What a batch calls it."""
        return f"{self.name} ({self.corpus})" if self.corpus else self.name

    def job(self, job: Job) -> Job:
        """The job of this submission; ``job`` has what all share. Raises the errors of reading the other run."""
        return job.with_inputs({**job.inputs, **self.inputs}).but(
            name=self.name,
            corpus=self.corpus or job.corpus,
            other=other_run(self.other, job.schema) or job.other,
            meta={**job.meta, **plain_meta(self.meta)},
        )


def find_submissions(each: Each, known: Sequence[str], named: str = "name") -> list[Submission]:
    """The submissions of ``each``, whose inputs are among the ``known``.

    That is a mapping of inputs to patterns or lists of paths, the path of a list of runs (CSV or TSV), or such a list
    itself: mappings with a name, maybe a corpus, a run to take parameters from (`from`) and metadata (`meta.KEY`), and
    inputs. The name is in the column ``named``. Raises UsageError.
    """
    if isinstance(each, str | Path):
        found = _listed_runs(Path(each), known, named)
    elif isinstance(each, Mapping):
        found = _matched(each)
    else:
        found = [_submission(row, known, f"run {number}: ", named) for number, row in enumerate(each, 1)]
    times = Counter(submission.label for submission in found)
    if repeated := [label for label, count in times.items() if count > 1]:
        raise UsageError(f"several submissions are called {_shown(repeated)}; each needs a name of its own")
    return found


# -- by patterns -------------------------------------------------------------------------------------


def _matched(patterns: Mapping[str, Any]) -> list[Submission]:
    """A submission for each name that the paths of all inputs have."""
    inputs = {name: _paths_by_name(name, given) for name, given in patterns.items()}
    names = sorted({name for paths in inputs.values() for name in paths})
    for input_, paths in inputs.items():
        if lacking := [name for name in names if name not in paths]:
            raise UsageError(f"no {input_} of {_shown(lacking)}; the paths of all inputs need the same names")
    return [Submission(name, None, {each: paths[name] for each, paths in inputs.items()}) for name in names]


def _paths_by_name(name: str, given: Any) -> dict[str, str]:
    """The paths of an input by the part in which they differ, each with the format that was named."""
    if isinstance(given, str | Path):
        pattern, double_colon, format_ = str(given).partition("::")
        paths = [pattern] if os.path.exists(pattern) else sorted(glob.glob(pattern, recursive=True))
        if not paths:
            raise UsageError(f"no file matches {pattern!r}, which was given for {name!r}")
        ending = double_colon + format_
    else:
        paths, ending = [str(each) for each in given], ""
    found = dict(zip(names_of(paths), (f"{path}{ending}" for path in paths), strict=True))
    if len(found) < len(paths):
        raise UsageError(f"a path of {name!r} is given twice")
    return found


def names_of(paths: Sequence[str]) -> list[str]:
    """The part of each path in which it differs from the others; of a single path, the name of its file.

    Folders that all have in common are left out, at both ends, and so is the ending of the files.
    """
    parts = [PurePath(path).parts for path in paths]
    if len(parts) == 1:
        return [PurePath(paths[0]).stem]
    head = min(_common(parts), min(map(len, parts)) - 1)
    parts = [each[head:] for each in parts]
    tail = min(_common([each[::-1] for each in parts]), min(map(len, parts)) - 1)
    names = ["/".join(each[: len(each) - tail]) for each in parts]
    endings = [PurePath(name).suffixes[::-1] for name in names]
    return [name.removesuffix("".join(endings[0][: _common(endings)][::-1])) for name in names]


def _common(lists: Sequence[Sequence[str]]) -> int:
    """The number of items at the beginning that all have in common."""
    return sum(1 for _ in takewhile(lambda items: len({*items}) == 1, zip(*lists, strict=False)))


# -- by a list of runs -------------------------------------------------------------------------------


def _listed_runs(path: Path, known: Sequence[str], named: str) -> list[Submission]:
    """The runs of a table with a header; paths are those from the folder of the table."""
    if path.suffix.lower() not in DELIMITERS:
        raise UsageError(f"--each {path}: write INPUT=PATTERN, or give a list of runs that ends in .csv or .tsv")
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, delimiter=DELIMITERS[path.suffix.lower()], strict=True)
            rows = [(reader.line_num, row) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    return [_listed_run(path, line, row, known, named) for line, row in rows]


def _listed_run(path: Path, line: int, row: Mapping[str | None, Any], known: Sequence[str], named: str) -> Submission:
    place = f"{path}:{line}: "
    if None in row or None in row.values():
        raise UsageError(f"{place}the row has not as many fields as the header")
    filled = {str(name): text.strip() for name, text in row.items() if text.strip()}
    of_files = {*known, "from"}
    paths = {name: str(path.parent / text) for name, text in filled.items() if name in of_files}
    return _submission({**filled, **paths}, known, place, named)


def _submission(row: Mapping[str, Any], known: Sequence[str], place: str, named: str) -> Submission:
    of_runs = named == "name"  # corpora have neither metadata nor other runs
    names = NAMES if of_runs else NAMES[:2]
    filled = {name: value for name, value in row.items() if value is not None}
    of_meta = [name for name in filled if of_runs and name.startswith(META)]
    meta = {name.removeprefix(META): filled.pop(name) for name in of_meta}
    inputs = {name: value for name, value in filled.items() if name not in names}
    for name in inputs:
        if name not in known:
            hint = f" ({META}{name} would be metadata)" if of_runs else ""
            raise unknown(f"{place}unknown column {name!r}{hint}", name, [*names, *known])
    if not row.get(named):
        raise UsageError(f"{place}the {'run' if of_runs else named} has no name")
    corpus = None if named == "corpus" else row.get("corpus") or None
    return Submission(str(row[named]), corpus, inputs, filled.get("from"), meta)


def _shown(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(map(repr, names[:SHOWN])) + more
