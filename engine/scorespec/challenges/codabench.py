"""Writes the bundle of a challenge on Codabench, which scores each submission with a suite."""

from __future__ import annotations

import re
import shlex
import shutil
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from jinja2 import Environment, StrictUndefined

from scorespec.app.batch import Each, find_submissions
from scorespec.app.job import Job
from scorespec.app.validate import validate
from scorespec.catalog.documents import shipped
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
WHEEL = f"scorespec-{__version__}-py3-none-any.whl"
PACKAGE = Path(__file__).parents[1]

Side = dict[str, tuple[str, ...]]  # the inputs that one side of a challenge gives as files: required, optional


def write_bundle(
    job: Job,
    folder: Path,
    title: str | None = None,
    image: str | None = None,
    columns: Sequence[str] = (),
    each: Each | None = None,
) -> None:
    """Write the bundle of a challenge into a new folder; the ``job`` scores the reference data.

    ``image`` is the Docker image in which submissions are scored. ``columns`` are the keys of the leaderboard; without
    any, they are all scores that have a direction and are not counts. What the job withholds, participants do not see.
    With several corpora, ``each`` lists them with their gold, and scores are means over corpora.

    Raises UsageError for a suite, an input, a column or a folder that does not fit, InputError for bad reference data.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder}: exists already; name a new folder")
    catalog = job.catalog()
    suite = catalog.suite(job.suite)
    names = catalog.of_suite(suite)
    submitted, reference = _sides(suite, names)
    jobs = {name: job.with_inputs({**job.inputs, **inputs}) for name, inputs in _corpora(each, suite).items()}
    corpora = {
        corpus: {name: _gold_file(name, value, reference) for name, value in of_corpus.inputs.items()}
        for corpus, of_corpus in jobs.items()
    }
    documents, wheel = _documents(job.specs), _files_of_wheel()
    for of_corpus in jobs.values():
        if of_corpus.inputs and (error := validate(of_corpus).error):
            raise error
    given = _given(suite, next(iter(corpora.values())))
    plan = compile_suite(names, suite, replace(job.request, given=given))
    today = date.today()
    several = [corpus for corpus in corpora if corpus]
    values = {
        "suite": suite.name,
        "title": title or suite.name,
        "description": first_sentence(suite.about),
        "image": image or IMAGE,
        "wheel": WHEEL,
        "start": today.isoformat(),
        "end": (today + PHASE).isoformat(),
        "columns": [{"key": key, "sorting": way} for key, way in _columns(plan, columns, several).items()],
        "corpora": several,
        "submitted": submitted,
        "reference": reference,
        "tables": list(_tables(names, submitted)),
        "formats": {
            f"{corpus}{corpus and '/'}{name}": of
            for corpus, gold in corpora.items()
            for name, (_, of) in gold.items()
            if of
        },
        "metrics": list(job.request.metrics),
        "withhold": list(job.request.disclosure.withheld),
        "params": dict(job.request.params),
        "options": shlex.join(_options(job)),
        "specs": [f"specs/{name}" for name in documents],
    }
    try:
        _render(folder, values)
        with ZipFile(folder / WHEEL, "w", ZIP_DEFLATED) as packed:
            for name, content in wheel.items():
                packed.writestr(name, content)
        for corpus, gold in corpora.items():
            for name, (path, _) in gold.items():
                suffixes = path.suffixes[-2:] if path.suffix == ".gz" else path.suffixes[-1:]
                _copy(path, folder / "reference_data" / corpus / "".join((name, *suffixes)))
        for name, path in documents.items():
            _copy(path, folder / "scoring_program" / "specs" / name)
    except OSError as error:
        raise RunError(f"{error.filename or folder}: {error.strerror or error}") from None


def _corpora(each: Each | None, suite: Suite) -> dict[str, Mapping[str, Any]]:
    """The gold of each corpus by its name; the name of an only corpus is empty."""
    if each is None:
        return {"": {}}
    found = {row.name: row.inputs for row in find_submissions(each, [*suite.inputs, *suite.optional], "corpus")}
    for name in found or ("",):  # a list may have no rows
        if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
            raise UsageError(f"corpus {name!r}: use letters, digits, hyphens and underscores, since it names a folder")
    return found


def _files_of_wheel() -> dict[str, bytes]:
    """The files of a wheel of the running version: those of the package, and the metadata of its installation.

    Raises UsageError if no installation has this version, such as a checkout that is only on the search path.
    """
    from importlib.metadata import distributions  # slow to load

    installed = [each for each in distributions(name="scorespec") if each.version == __version__]
    if not installed:
        raise UsageError(f"the bundle needs a wheel of scorespec {__version__}: install this version with pip")
    info = f"scorespec-{__version__}.dist-info"
    roots = {"scorespec": PACKAGE, **{f"scorespec/{name}": shipped(name) for name in ("specs", "sql")}}
    files = {
        f"{place}/{each.relative_to(root).as_posix()}": each.read_bytes()
        for place, root in roots.items()
        for each in sorted(root.rglob("*"))
        if each.is_file() and each.parent.name != "__pycache__"
    }
    for name in ("METADATA", "entry_points.txt"):
        files[f"{info}/{name}"] = (installed[0].read_text(name) or "").encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: scorespec\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    hashes = {name: urlsafe_b64encode(sha256(each).digest()).decode().rstrip("=") for name, each in files.items()}
    record = "".join(f"{name},sha256={hashes[name]},{len(each)}\n" for name, each in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    return files


def _sides(suite: Suite, names: Namespace) -> tuple[Side, Side]:
    """The inputs that participants give, and those of the organisers. Neither give those that are `organiser_only`."""
    if not suite.submitted:
        raise UsageError(
            f"suite {suite.name!r} does not say which of its inputs belong to a submission; list them under its key "
            "`submitted`"
        )

    tables = {name: names.table(name) for name in (*suite.inputs, *suite.optional)}
    either = {name for name, table in tables.items() if not (table and table.organiser_only)}

    def side(submitted: bool) -> Side:
        lists = {"required": suite.inputs, "optional": suite.optional}
        of_side = {name for name in either if (name in suite.submitted) == submitted}
        return {key: tuple(name for name in listed if name in of_side) for key, listed in lists.items()}

    return side(True), side(False)


def _gold_file(name: str, value: Any, reference: Side) -> tuple[Path, str]:
    """The file of an input of the organisers, and its format if that is named."""
    if name not in chain(*reference.values()):
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


def _columns(plan: Plan, keys: Sequence[str], corpora: Sequence[str]) -> dict[str, str]:
    """How each column of the leaderboard is sorted, by its key. Raises UsageError for a key that no score has."""
    known = {score_key(each.metric, each.component, each.slice): each for each in plan.meanings.reported}
    if keys:
        of_corpora = {score_key(key, corpus, {}): each for key, each in known.items() for corpus in corpora}
        found = {key: _sorting(key, known | of_corpora) for key in keys}
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


def _options(job: Job) -> Iterator[str]:
    """The options of the command line with which participants score as the challenge does."""
    for name, value in job.request.params.items():
        yield from ("--param", f"{name}={value}")
    for metric in job.request.metrics:
        yield from ("--metric", metric)
    for name in _documents(job.specs):
        yield from ("--specs", name)


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
