"""Arguments and options that several commands have, and how their values are read."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from scorespec.core.events import Event, InputRead, RunsEstimated, StepBegun, StepDone, Warned
from scorespec.errors import UsageError, unknown

LOGS = ("text", "json")
# Options under headings of their own in the help.
result_option = partial(typer.Option, rich_help_panel="Results database")
running_option = partial(typer.Option, rich_help_panel="Progress and resources")


def _names(section: str) -> Callable[[str], list[str]]:
    """Completes the names that ship of one section, such as ``suites``."""

    def complete(incomplete: str) -> list[str]:
        from scorespec.catalog.lookup import load_catalog

        return [name for name in load_catalog().names(section) if name.startswith(incomplete)]

    return complete


Suite = Annotated[
    str, typer.Argument(help="the suite (`scorespec list suites` names them)", autocompletion=_names("suites"))
]
Inputs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="NAME=PATH[::FORMAT]...", help="the inputs of the suite: paths, quoted patterns, folders, or -"
    ),
]
Specs = Annotated[list[Path] | None, typer.Option("--specs", help="a document or folder of your own; may be repeated")]
Plugins = Annotated[
    list[str] | None, typer.Option("--plugin", metavar="MODULE", help="a Python module, or its path, with plugins")
]
Params = Annotated[
    list[str] | None, typer.Option("--param", metavar="NAME=VALUE", help="set a parameter; may be repeated")
]
MetricNames = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar="NAME",
        help='only this metric; may be repeated; also with parameters: "token(edge_time=0.02)"',
        autocompletion=_names("metrics"),
    ),
]
FromRun = Annotated[
    str | None,
    typer.Option("--from", metavar="RESULTS:RUN", help="take parameters from the scores of a run (see `calibrate`)"),
]
By = Annotated[
    list[str] | None,
    typer.Option(
        "--by", metavar="COLUMN", help="also the scores of each value of a column; a,b: of each pair of values"
    ),
]
EachSubmission = Annotated[
    list[str] | None,
    typer.Option("--each", metavar="INPUT=PATTERN", help="score each of many submissions; or RUNS.csv, a list of runs"),
]
On = Annotated[
    str | None,
    running_option(
        "--on",
        metavar="processes:N|dask://HOST:PORT|ray://HOST:PORT",
        help="with --each: score submissions at once; with --shared: score one in parts",
    ),
]
Shared = Annotated[
    Path | None,
    running_option("--shared", metavar="DIR", help="with --on: the folder in which workers exchange parts of one run"),
]
Parts = Annotated[
    int | None,
    running_option("--parts", min=1, help="with --shared: the number of parts (default: twice that of workers)"),
]
Folds = Annotated[bool, typer.Option("--folds", help="also the scores of each fold")]
Confidence = Annotated[
    str | None,
    typer.Option("--confidence", metavar="PERCENT", help="also confidence intervals of this level, such as 95"),
]
ConfidenceGroups = Annotated[
    str | None,
    typer.Option(
        "--confidence-groups",
        metavar="NUMBER",
        help="the most runs without a group of blocks, for intervals of scores that are not sums over blocks (30)",
    ),
]
Percentile = Annotated[
    bool, typer.Option("--percentile", help="with --confidence: also percentile intervals, in columns of their own")
]
Format = Annotated[str, typer.Option("--format", metavar="table|json|csv", help="how results are printed")]
ScoreFormat = Annotated[
    str, typer.Option("--format", metavar="table|json|csv|…", help="how scores are printed; `show SUITE` lists layouts")
]
OnBadRow = Annotated[
    str,
    typer.Option(
        "--on-bad-row",
        metavar="error|drop",
        help="drop: leave out rows of the submission that fail a droppable check, and list them",
    ),
]
Output = Annotated[Path | None, result_option("-o", "--output", help="append the run to this results database")]
NoEvidence = Annotated[bool, result_option("--no-evidence", help="results without tables of evidence")]
Withhold = Annotated[
    list[str] | None,
    result_option(
        "--withhold",
        metavar="evidence,units,counts",
        help="leave these out of results and scores, which can then be handed to others",
    ),
]
Schema = Annotated[
    str, result_option("--schema", metavar="NAME", help="the schema of the tables in the results database")
]
Memory = Annotated[str | None, running_option("--memory-limit", metavar="2GB", help="the memory that DuckDB may use")]
Threads = Annotated[
    int | None,
    running_option("--threads", min=1, help="number of threads; small inputs take one"),
]
Folder = Annotated[Path | None, running_option("--temp-dir", metavar="DIR", help="the folder for temporary files")]
Reuse = Annotated[
    Path | None,
    running_option(
        "--reuse", metavar="DIR", help="keep loaded inputs and results of steps in this folder, and reuse those there"
    ),
]
ReuseLimit = Annotated[
    str | None,
    running_option("--reuse-limit", metavar="20GB", help="the most that --reuse keeps; the last used results stay"),
]
Quiet = Annotated[bool, running_option("--quiet", help="no warnings, and `--progress none`")]
Progress = Annotated[
    str,
    running_option(
        "--progress",
        metavar="auto|bar|lines|json|none",
        help="how progress is shown on standard error; auto: a bar on a terminal, otherwise lines",
    ),
]
Log = Annotated[
    str, running_option("--log", metavar="text|json", help="json: standard error is a log with one JSON event a line")
]
Signature = Annotated[bool, typer.Option("--signature", help="print the value of every parameter below the table")]
Name = Annotated[
    str | None, result_option("--name", metavar="SYSTEM", help="the name of the run (default: that of the submission)")
]
Corpus = Annotated[str | None, result_option("--corpus", metavar="CORPUS", help="the name of the data")]
Meta = Annotated[
    list[str] | None,
    result_option(
        "--meta", metavar="KEY=VALUE|FILE.yaml", help="what else the results say of the run; may be repeated"
    ),
]
Profile = Annotated[bool, running_option("--profile", help="print the seconds, rows and spilled bytes of each step")]


@dataclass(frozen=True)
class ResourceOptions:
    """The options about the resources of a command."""

    memory_limit: Memory = None
    threads: Threads = None
    temp_dir: Folder = None

    def resource_arguments(self) -> dict[str, Any]:
        """These options as arguments of the functions of ``api.py``."""
        return {"memory_limit": self.memory_limit, "threads": self.threads, "temp_dir": self.temp_dir}


@dataclass(frozen=True)
class RunningOptions(ResourceOptions):
    """The options about the resources and the progress of a command."""

    progress: Progress = "auto"
    log: Log = "text"
    quiet: Quiet = False

    def running_arguments(self) -> dict[str, Any]:
        """These options as arguments of the functions of ``api.py``."""
        return {**self.resource_arguments(), "progress": progress_of(self.progress, self.log, self.quiet)}


@dataclass(frozen=True)
class _PlannedRun:
    """The suite of a run, its inputs, and how they are scored."""

    suite: Suite
    inputs: Inputs = None
    specs: Specs = None
    plugin: Plugins = None
    param: Params = None
    metric: MetricNames = None
    from_run: FromRun = None
    by: By = None
    on_bad_row: OnBadRow = "error"
    schema: Schema = "main"

    def plan_arguments(self) -> dict[str, Any]:
        """These options, without the inputs, as arguments of the functions of ``api.py``."""
        return {
            "suite": self.suite,
            "specs": self.specs or (),
            "plugins": self.plugin or (),
            "params": pairs(self.param, "--param"),
            "metrics": self.metric or (),
            "from_run": self.from_run,
            "by": self.by or (),
            "on_bad_row": self.on_bad_row,
            "schema": self.schema,
        }


@dataclass(frozen=True)
class PlanOptions(RunningOptions, _PlannedRun):  # the fields of the last base come first
    """The arguments and options of every command that plans a run, whether it scores anything or not."""

    def arguments(self) -> dict[str, Any]:
        """All arguments of the function of ``api.py`` that has the name of the command."""
        return {
            **self.plan_arguments(),
            **self.running_arguments(),
            "inputs": named_inputs(self.inputs),
        }

    @property
    def warns(self) -> bool:
        """Whether warnings are printed as text."""
        return not self.quiet and self.log == "text"


def progress_of(progress: str, log: str, quiet: bool) -> str | Callable[[Event], None]:
    """What shows the events of a run: the argument ``progress`` of the functions of ``api.py``.

    Raises UsageError for unknown words, and for progress as text in a log of JSON.
    """
    from scorespec.run.progress import SHOWN, JsonLines

    if progress not in SHOWN:
        raise unknown(f"--progress {progress!r}", progress, SHOWN)
    if log not in LOGS:
        raise unknown(f"--log {log!r}", log, LOGS)
    if log == "text":
        return "none" if quiet else progress
    if progress in ("bar", "lines"):
        raise UsageError(f"--progress {progress} prints text, and --log json is JSON only; leave one of them out")
    silent = quiet or progress == "none"
    return JsonLines(
        without=(*((StepBegun, InputRead, StepDone, RunsEstimated) if silent else ()), *((Warned,) if quiet else ()))
    )


@dataclass(frozen=True)
class RunOptions(PlanOptions):
    """The arguments and options of every command that scores something."""

    output: Output = None
    no_evidence: NoEvidence = False
    withhold: Withhold = None
    name: Name = None
    corpus: Corpus = None
    meta: Meta = None
    reuse: Reuse = None
    reuse_limit: ReuseLimit = None
    signature: Signature = False

    def arguments(self) -> dict[str, Any]:
        return {
            **super().arguments(),
            "output": self.output,
            "name": self.name,
            "corpus": self.corpus,
            "meta": metadata(self.meta),
            "reuse": self.reuse,
            "reuse_limit": self.reuse_limit,
            "keep_evidence": self.output is not None and not self.no_evidence,
            "withhold": self.withhold or (),
        }


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose first parameter is a dataclass of options, with an option for each field beside its own options.

    Arguments that must be given, such as the suite and the command's own, are before the inputs.
    """
    first, *own = inspect.signature(command, eval_str=True).parameters.values()
    shared = inspect.signature(first.annotation, eval_str=True).parameters
    together = sorted([*shared.values(), *own], key=lambda each: each.default is not each.empty)

    @wraps(command)
    def call(**given: Any) -> None:
        options = first.annotation(**{name: given.pop(name) for name in shared})
        command(options, **given)

    call.__signature__ = inspect.Signature(together)  # type: ignore[attr-defined]  # typer reads it
    return call


def pairs(written: list[str] | None, option: str, form: str = "NAME=VALUE") -> dict[str, str]:
    """The values of an option that is written ``NAME=VALUE`` and may be given for several names."""
    found: dict[str, str] = {}
    for each in written or ():
        name, equals, value = each.partition("=")
        if not equals or not name:
            raise UsageError(f"{option} {each!r}: write {form}")
        if name in found:
            raise UsageError(f"{option} {name!r} is given twice")
        found[name] = value
    return found


def submissions(written: list[str]) -> str | dict[str, str]:
    """The value of ``--each``: the path of a list of runs, or patterns by the name of the input."""
    return written[0] if len(written) == 1 and "=" not in written[0] else pairs(written, "--each", "INPUT=PATTERN")


def metadata(written: list[str] | None) -> dict[str, Any]:
    """The values of ``--meta``, which is written ``KEY=VALUE`` or names a YAML file with a mapping."""
    files = [each for each in written or () if each.endswith((".yaml", ".yml")) and "=" not in each]
    found: dict[str, Any] = {}
    for path in map(Path, files):
        found |= _mapping(path)
    return {**found, **pairs([each for each in written or () if each not in files], "--meta", "KEY=VALUE or FILE.yaml")}


def _mapping(path: Path) -> dict[str, Any]:
    """The mapping of a YAML file."""
    import yaml

    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise UsageError(f"{path}{line}: {error.problem}") from None
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise UsageError(f"--meta {path}: {getattr(error, 'strerror', None) or error}") from None
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise UsageError(f"--meta {path}: write a mapping, such as `team: ours`")
    return found


def named_inputs(written: list[str] | None) -> dict[str, Any]:
    """The path of each input; a list of paths where it is given more than once."""
    inputs: dict[str, Any] = {}
    for each in written or ():
        for name, path in pairs([each], "input", "NAME=PATH").items():
            if not path.partition("::")[0]:
                raise UsageError(f"input {name!r} has no path; write {name}=PATH")
            inputs[name] = [*_listed(inputs[name]), path] if name in inputs else path
    return inputs


def _listed(paths: str | list[str]) -> list[str]:
    return [paths] if isinstance(paths, str) else paths
