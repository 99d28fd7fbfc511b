"""Writes the bundle of a challenge on Codabench, which scores each submission with a suite."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import chain
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from scorespec.app.job import Job
from scorespec.app.validate import validate
from scorespec.catalog.lookup import Namespace
from scorespec.catalog.model import COUNT, Suite
from scorespec.core.score_text import score_key
from scorespec.core.terminal import first_sentence
from scorespec.errors import RunError, UsageError, nearest
from scorespec.plan.compile import compile_suite
from scorespec.plan.plan import Plan, Reported
from scorespec.version import __version__

TEMPLATES = Path(__file__).parent / "codabench_bundle"
JINJA = ".jinja"  # ends the name of a template; other files are copied
LONGEST_KEY = 36  # characters of a column of a leaderboard
SORTING = {"higher": "desc", "lower": "asc"}
PHASE = timedelta(days=365)
IMAGE = f"your-name/scorespec:{__version__}"


Side = dict[str, tuple[str, ...]]  # the inputs that one side of a challenge gives as files: required, optional


def write_bundle(
    job: Job, folder: Path, title: str | None = None, image: str | None = None, columns: Sequence[str] = ()
) -> None:
    """Write the bundle of a challenge into a new folder; the ``job`` scores the reference data.

    ``image`` is the Docker image in which submissions are scored. ``columns`` are the keys of the leaderboard; without
    any, they are all scores that have a direction and are no counts. What the job withholds, participants do not see.

    Raises UsageError for a suite, an input, a column or a folder that does not fit, InputError for bad reference data.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder}: exists already; name a new folder")
    catalog = job.catalog()
    suite = catalog.suite(job.suite)
    submitted, reference = _sides(suite)
    gold = {name: _gold_file(name, value, submitted) for name, value in job.inputs.items()}
    documents = _documents(job.specs)
    if gold and (error := validate(job).error):
        raise error
    names = catalog.of_suite(suite)
    plan = compile_suite(names, suite, replace(job.request, given=_given(suite, gold)))
    today = date.today()
    values = {
        "suite": suite.name,
        "title": title or suite.name,
        "description": first_sentence(suite.about),
        "image": image or IMAGE,
        "version": __version__,
        "start": today.isoformat(),
        "end": (today + PHASE).isoformat(),
        "columns": [{"key": key, "sorting": way} for key, way in _columns(plan, columns).items()],
        "submitted": submitted,
        "reference": reference,
        "tables": list(_tables(names, submitted)),
        "formats": {name: format for name, (_, format) in gold.items() if format},
        "metrics": list(job.request.metrics),
        "withhold": list(job.request.withhold),
        "params": dict(job.request.params),
        "specs": [f"specs/{name}" for name in documents],
    }
    try:
        _render(folder, values)
        for name, (path, _) in gold.items():
            suffixes = path.suffixes[-2:] if path.suffix == ".gz" else path.suffixes[-1:]
            shutil.copyfile(path, folder / "reference_data" / "".join((name, *suffixes)))
        for name, path in documents.items():
            _copy(path, folder / "scoring_program" / "specs" / name)
    except OSError as error:
        raise RunError(f"{error.filename or folder}: {error.strerror or error}") from None


def _sides(suite: Suite) -> tuple[Side, Side]:
    """The inputs of a submission, and those of the organisers."""
    if not suite.submitted:
        raise UsageError(
            f"suite {suite.name!r} does not say which of its inputs belong to a submission; list them under its key "
            "`submitted`"
        )

    def side(submitted: bool) -> Side:
        lists = {"required": suite.inputs, "optional": suite.optional}
        return {key: tuple(n for n in names if (n in suite.submitted) == submitted) for key, names in lists.items()}

    return side(True), side(False)


def _gold_file(name: str, value: Any, submitted: Side) -> tuple[Path, str]:
    """The file of an input of the organisers, and its format if that is named."""
    if name in chain(*submitted.values()):
        raise UsageError(f"input {name!r} belongs to a submission; give the inputs of the organisers only")
    path, _, format = str(value).partition("::")
    if not isinstance(value, str | Path) or not Path(path).is_file():
        raise UsageError(f"input {name!r}: {path} is not a file")
    return Path(path), format


def _documents(specs: Iterable[str | Path]) -> dict[str, Path]:
    """The documents of the organisers, by their names in the bundle."""
    found: dict[str, Path] = {}
    for path in map(Path, specs):
        name = path.resolve().name
        if name in found:
            raise UsageError(f"two documents or folders are named {name}; rename one of them")
        found[name] = path
    return found


def _given(suite: Suite, gold: Iterable[str]) -> frozenset[str]:
    """The inputs of each run of the challenge, as far as they are known."""
    given = frozenset((*suite.inputs, *gold))
    return given | {choice[0] for choice in suite.one_of if given.isdisjoint(choice)}


def _columns(plan: Plan, keys: Sequence[str]) -> dict[str, str]:
    """How each column of the leaderboard is sorted, by its key. Raises UsageError for a key that no score has."""
    known = {score_key(each.metric, each.component, each.slice): each for each in plan.meanings.reported}
    if keys:
        found = {key: _sorting(key, known) for key in keys}
    else:
        found = {
            key: SORTING[each.meaning.better]
            for key, each in known.items()
            if each.meaning.better in SORTING and each.meaning.unit != COUNT and not each.by_rows
        }
    if not found:
        example = next(iter(known), "")
        raise UsageError(
            f"the scores of suite {plan.suite!r} are in slices that depend on the data; name the columns of the "
            f"leaderboard, such as --column {example}_SLICE"
        )
    for key in found:
        if len(key) > LONGEST_KEY:
            said = f"column {key!r} has more than {LONGEST_KEY} characters, the most that Codabench accepts"
            raise UsageError(f"{said}; name other columns with --column")
    return found


def _sorting(key: str, known: dict[str, Reported]) -> str:
    """How a column is sorted: as the score with this key, or with the key that a slice follows."""
    followed = [each for each in known if key == each or (known[each].by_rows and key.startswith(f"{each}_"))]
    if not followed:
        raise UsageError(f"--column {key!r}: no score has this key; {nearest(key, known)}")
    return SORTING.get(known[max(followed, key=len)].meaning.better or "", "desc")


def _tables(names: Namespace, submitted: Side) -> Iterator[dict[str, Any]]:
    """What participants are told of each file."""
    for name in chain(*submitted.values()):
        if table := names.table(name):
            yield {"name": name, "about": " ".join(table.about.split()), "formats": table.formats}


def _render(folder: Path, values: dict[str, Any]) -> None:
    """Write the files of the bundle."""
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    for path in sorted(TEMPLATES.rglob("*")):
        if path.is_dir() or path.suffix == ".pyc":
            continue
        target = folder / path.relative_to(TEMPLATES)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == JINJA:
            text = environment.from_string(path.read_text(encoding="utf-8")).render(values)
            target.with_suffix("").write_text(text, encoding="utf-8")
        else:
            shutil.copyfile(path, target)
    (folder / "reference_data").mkdir()


def _copy(path: Path, target: Path) -> None:
    if path.is_dir():
        shutil.copytree(path, target)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
