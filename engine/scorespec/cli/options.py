"""Options of commands, made of the arguments of a run; and how what is typed is read."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from scorespec.app.job import OPTIONS, RUNNING, Argument, Option
from scorespec.core.terminal import print_warnings
from scorespec.errors import UsageError, unknown

FIRST_WARNINGS = 3  # are printed, unless all are wanted
# The options of every command that plans a run, and of every command that scores.
PLANNED = """suite inputs specs plugins params metrics from_run by on_bad_row schema memory_limit threads temp_dir
             progress"""
SCORED = f"{PLANNED} output keep_evidence withhold name corpus meta percent"
EVERY = " ".join(OPTIONS)
LIMITS = "memory_limit threads temp_dir"

Database = Annotated[Path, typer.Argument(help="a results database")]
Format = Annotated[
    str, typer.Option("--format", metavar="table|markdown|latex|json|csv", help="how results are printed")
]
Signature = Annotated[bool, typer.Option("--signature", help="print the value of every parameter below the table")]
# How progress is shown is one argument in Python, and several options here.
LOGGING = (
    ("quiet", False, Option("no warnings, and `--progress none`", panel=RUNNING)),
    ("verbose", False, Option("all warnings; otherwise the first three", panel=RUNNING)),
)


@dataclass(frozen=True)
class Typed:
    """What is given to a command: ``arguments`` of the function of ``api.py``, and how progress is shown."""

    arguments: dict[str, Any]
    quiet: bool = False
    verbose: bool = False

    def warn(self, warnings: Iterable[str]) -> None:
        """Print warnings, unless they are not wanted; all of them with ``--verbose``."""
        if not self.quiet:
            print_warnings(warnings, None if self.verbose else FIRST_WARNINGS)


def with_options(names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorates a command: its parameter ``given`` becomes the options of these arguments of a run."""
    wanted = names.split()

    def changed(command: Callable[..., None]) -> Callable[..., None]:
        parameters: list[inspect.Parameter] = []
        for own in inspect.signature(command, eval_str=True).parameters.values():
            if own.name != "given":
                parameters.append(own)
                continue
            for name in (name for name in OPTIONS if name in wanted):
                parameters.append(_typed(name, *OPTIONS[name]))
                if name == "progress":
                    parameters += [_typed(*each) for each in LOGGING]

        @wraps(command)
        def call(**typed: Any) -> None:
            given = Typed({}, **{name: typed.pop(name) for name, *_ in LOGGING if name in typed})
            given.arguments.update(_read({name: typed.pop(name) for name in wanted}, given))
            command(given=given, **typed)

        parameters.sort(key=lambda each: each.default is not each.empty)  # what must be given is before the inputs
        call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # typer reads it
        return call

    return changed


def _typed(name: str, default: Any, option: Option) -> inspect.Parameter:
    """The parameter of a command for an argument of a run."""
    if option.default is not None or default == ():
        default = option.default
    kind = option.typed or (bool if isinstance(default, bool) else str)
    shown: dict[str, Any] = {"help": option.about, "metavar": option.metavar}
    if option.complete:
        shown["autocompletion"] = _names(option.complete)
    if isinstance(option, Argument):
        made: Any = typer.Argument(**shown)
    else:
        flags = option.flags or (f"--{name.replace('_', '-')}",)
        made = typer.Option(*flags, **shown, min=option.least, rich_help_panel=option.panel)
    annotation: Any = Annotated[kind | None if default is None else kind, made]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _read(typed: dict[str, Any], given: Typed) -> dict[str, Any]:
    """What was typed as arguments of Python; options that are not given are left out."""
    readers: dict[str, Callable[[Any], Any]] = {
        "inputs": named_inputs,
        "params": lambda written: pairs(written, "--param"),
        "meta": metadata,
        "progress": lambda written: progress_of(written, given.quiet),
        "keep_evidence": lambda unwanted: typed["output"] is not None and not unwanted,
    }
    read = {name: readers[name](value) if name in readers else value for name, value in typed.items()}
    return {name: value for name, value in read.items() if value is not None}


def _names(section: str) -> Callable[[str], list[str]]:
    """Completes the names that ship of one section, such as ``suites``."""

    def complete(incomplete: str) -> list[str]:
        from scorespec.catalog.lookup import load_catalog

        return [name for name in load_catalog().names(section) if name.startswith(incomplete)]

    return complete


def progress_of(progress: str, quiet: bool) -> str:
    """How progress is shown: the argument ``progress`` of the functions of ``api.py``. Raises UsageError."""
    from scorespec.run.progress import SHOWN

    if progress not in SHOWN:
        raise unknown(f"--progress {progress!r}", progress, SHOWN)
    return "none" if quiet else progress


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
    found = {key: value for path in map(Path, files) for key, value in _mapping(path).items()}
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
        for name, path in pairs([each], "input", "NAME=PATH (`scorespec show SUITE` has the names)").items():
            if not path.partition("::")[0]:
                raise UsageError(f"input {name!r} has no path; write {name}=PATH")
            before = inputs.get(name, [])
            inputs[name] = [*([before] if isinstance(before, str) else before), path] if name in inputs else path
    return inputs
