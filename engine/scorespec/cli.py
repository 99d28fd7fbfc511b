"""The command line: each command is a few lines over the API."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from scorespec.errors import InputError, ScorespecError, UsageError, nearest
from scorespec.process import INTERRUPTED, run
from scorespec.runtime.interrupts import end_on_interrupt
from scorespec.runtime.memory import check_addresses
from scorespec.terminal import complain, say, say_wrapped, visible

LONGEST_ECHO = 1000  # characters of a wrong call in a message
PLACE = re.compile(r"\S.*?:\d+(:\d+)?: ")
# The base of what typer raises for a wrong call; it comes from click, which newer versions of typer contain.
WrongCall: type[Exception] = typer.BadParameter.__mro__[1]


class Guarded(TyperGroup):
    """Turns an error that a user can mend into one message and an exit code."""

    def main(self, args: Any = None, *rest: Any, **options: Any) -> NoReturn:
        """Run the command that the arguments name, and exit; without arguments, print the help."""
        given = list(sys.argv[1:] if args is None else args)
        try:
            check_addresses()  # before libraries are loaded
            _check_encoding(given)
            code = super().main(given or ["--help"], *rest, **{**options, "standalone_mode": False})
        except ScorespecError as error:
            complain(_message(error))
            raise SystemExit(error.exit_code) from None
        except WrongCall as error:
            complain(_wrong_call(error))
            raise SystemExit(UsageError.exit_code) from None
        if code == INTERRUPTED:  # what typer returns for a KeyboardInterrupt
            complain("interrupted")
        raise SystemExit(code)


def _check_encoding(arguments: Iterable[str]) -> None:
    """Refuse bytes that are no UTF-8: Python keeps them as surrogates, which neither SQL nor a database can hold."""
    for each in arguments:
        try:
            each.encode()
        except UnicodeEncodeError:
            raise UsageError(f"the argument {visible(each)} is not UTF-8; rename the file, or link to it") from None


def _wrong_call(error: Any) -> str:
    """A message of typer, in the form of ours."""
    said = visible(error.format_message()).rstrip(".")
    said = said if len(said) <= LONGEST_ECHO else f"{said[:LONGEST_ECHO]}…"
    command = error.ctx.command_path if error.ctx else "scorespec"
    return f"error: {said[:1].lower()}{said[1:]}; `{command} --help` lists what it takes"


app = typer.Typer(
    cls=Guarded,
    name="scorespec",
    help="Score speech technology from YAML specs through SQL.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from scorespec.version import __version__

        say(f"scorespec {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="print the version and exit")
    ] = False,
) -> None:
    """Score speech technology from YAML specs through SQL."""


runs = typer.Typer(name="runs", help="Manage the runs in a results database.", no_args_is_help=True)
app.add_typer(runs)

Suite = Annotated[str, typer.Argument(help="the suite (`scorespec list suites` names them)")]
Inputs = Annotated[list[str] | None, typer.Argument(metavar="NAME=PATH[::FORMAT]...", help="the inputs of the suite")]
Specs = Annotated[list[Path] | None, typer.Option("--specs", help="a document or folder of your own")]
Plugins = Annotated[
    list[str] | None, typer.Option("--plugin", metavar="MODULE", help="a Python module, or its path, with plugins")
]
Params = Annotated[list[str] | None, typer.Option("--param", metavar="NAME=VALUE", help="set a parameter")]
MetricNames = Annotated[
    list[str] | None,
    typer.Option("--metric", metavar="NAME", help='only this metric; "token(edge_time=0.02)"'),
]
By = Annotated[list[str] | None, typer.Option("--by", metavar="COLUMN", help="also for each value; a,b crosses")]
Format = Annotated[str, typer.Option("--format", metavar="table|json|csv", help="how results are printed")]
Output = Annotated[Path | None, typer.Option("-o", "--output", help="append the run to this results database")]
Schema = Annotated[
    str, typer.Option("--schema", metavar="NAME", help="the schema of the tables in the results database")
]
Memory = Annotated[str | None, typer.Option("--memory-limit", metavar="2GB", help="what DuckDB may use")]
Threads = Annotated[int | None, typer.Option("--threads", min=1, help="number of threads")]
Folder = Annotated[Path | None, typer.Option("--temp-dir", metavar="DIR", help="where the work is spilled")]
Quiet = Annotated[bool, typer.Option("--quiet", help="no progress bar, no warnings")]
Signature = Annotated[bool, typer.Option("--signature", help="print the value of every parameter below the table")]
Profile = Annotated[bool, typer.Option("--profile", help="print the seconds, rows and spilled bytes of each step")]


@app.command()
def score(
    suite: Suite,
    inputs: Inputs = None,
    specs: Specs = None,
    plugin: Plugins = None,
    param: Params = None,
    metric: MetricNames = None,
    by: By = None,
    output: Output = None,
    schema: Schema = "main",
    format: Format = "table",
    memory_limit: Memory = None,
    threads: Threads = None,
    temp_dir: Folder = None,
    quiet: Quiet = False,
    profile: Profile = False,
    signature: Signature = False,
) -> None:
    """Score a submission: check the inputs, run the suite, print the scores."""
    from scorespec import api, display

    display.check_format(format)

    def tell(run: api.Run) -> None:
        if not quiet:
            _tell(run.warnings)
        if profile:
            display.print_costs(run.costs)
        display.print_run(run, format, signature)

    api.score(
        suite,
        specs=specs or (),
        plugins=plugin or (),
        params=_pairs(param, "--param"),
        metrics=metric or (),
        by=by or (),
        output=output,
        schema=schema,
        memory_limit=memory_limit,
        threads=threads,
        temp_dir=temp_dir,
        keep_evidence=output is not None,
        quiet=quiet,
        profile=profile,
        before_saving=tell,  # scores are seen even if they cannot be saved
        inputs=_named_inputs(inputs),
    )


def _short(path: Path) -> str:
    """A path from the working folder where it lies below that."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


@app.command()
def demo(suite: Annotated[str | None, typer.Argument(help="the suite to show (default: the first)")] = None) -> None:
    """Score the bundled example, print the table, say what to try next."""
    from scorespec import api, display
    from scorespec.examples import find_example

    example = find_example(suite)
    inputs: dict[str, Any] = {name: _short(path) for name, path in example.inputs.items()}
    say(f'$ INPUTS="{" ".join(f"{name}={path}" for name, path in inputs.items())}"')
    say(f"$ scorespec score {example.suite} $INPUTS\n")
    run = api.score(example.suite, keep_evidence=False, **inputs)
    _tell(run.warnings)
    display.print_run(run, "table")
    say(f"\n{example.what_next}".rstrip("\n"))


@app.command("list")
def list_(
    what: Annotated[str, typer.Argument(metavar="[suites|metrics|relations|tables|parameters|…]")] = "suites",
    specs: Specs = None,
    plugin: Plugins = None,
) -> None:
    """List what is defined."""
    from scorespec.catalog.lookup import SECTIONS, load_catalog
    from scorespec.show import list_definitions

    if what not in SECTIONS:
        raise UsageError(f"cannot list {what!r}; {nearest(what, SECTIONS)}")
    say_wrapped(list_definitions(load_catalog(*(specs or ()), plugins=plugin or ()), what))


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="a name, or suite.name, of anything that is defined")],
    specs: Specs = None,
    plugin: Plugins = None,
) -> None:
    """Show what a name means: definition, parameters, cases, what it stands on, SQL."""
    from scorespec.catalog.lookup import load_catalog
    from scorespec.show import show

    say_wrapped(show(load_catalog(*(specs or ()), plugins=plugin or ()), name))


@app.command("compile")
def compile_(
    suite: Suite,
    inputs: Inputs = None,
    specs: Specs = None,
    plugin: Plugins = None,
    param: Params = None,
    metric: MetricNames = None,
    by: By = None,
    html: Annotated[
        bool, typer.Option("--html", help="a page for the browser: the graph of steps and their SQL")
    ] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="with --html, the file of the page")] = None,
    schema: Annotated[str, typer.Option("--schema", hidden=True)] = "main",
    format: Annotated[str, typer.Option("--format", hidden=True)] = "table",
    memory_limit: Annotated[str | None, typer.Option("--memory-limit", hidden=True)] = None,
    threads: Annotated[int | None, typer.Option("--threads", hidden=True)] = None,
    temp_dir: Annotated[Path | None, typer.Option("--temp-dir", hidden=True)] = None,
    quiet: Annotated[bool, typer.Option("--quiet", hidden=True)] = False,
) -> None:
    """Print the whole plan as one commented SQL script; takes the options of `score`, inputs are optional."""
    from scorespec import api, display

    if html:
        display.check_page(output)
    given = list(_named_inputs(inputs)) or None
    plan = api.compile(
        suite,
        specs=specs or (),
        plugins=plugin or (),
        params=_pairs(param, "--param"),
        metrics=metric or (),
        by=by or (),
        inputs=given,
        keep_evidence=output is not None and not html,
    )
    if html:
        display.write_page(plan.html(), output)
    else:
        display.print_script(plan.script())
    _tell(plan.warnings)


@app.command()
def check(
    path: Annotated[Path | None, typer.Argument(help="a document or folder (default: every document)")] = None,
    plugin: Plugins = None,
) -> None:
    """Validate documents and run their cases."""
    from scorespec.runtime.verifying import verify

    report = verify(path, plugin or ())
    counts = {"document": report.documents, "metric": report.metrics, "case": report.cases}
    say(", ".join(f"{n} {what}{'' if n == 1 else 's'}" for what, n in counts.items()) + ": all well")


@app.command()
def explain(
    suite: Suite,
    step: Annotated[str, typer.Argument(help="a relation or metric of the run")],
    inputs: Inputs = None,
    specs: Specs = None,
    plugin: Plugins = None,
    param: Params = None,
    by: By = None,
    memory_limit: Memory = None,
    threads: Threads = None,
    temp_dir: Folder = None,
    quiet: Quiet = False,
) -> None:
    """Run as far as a step, and show how DuckDB makes it: operators, rows, seconds."""
    from scorespec import api

    found = api.explain(
        suite,
        step,
        specs=specs or (),
        plugins=plugin or (),
        params=_pairs(param, "--param"),
        by=by or (),
        memory_limit=memory_limit,
        threads=threads,
        temp_dir=temp_dir,
        quiet=quiet,
        inputs=_named_inputs(inputs),
    )
    for label, text in found.items():
        say(f"{label}\n{text}")


@app.command()
def query(
    results: Annotated[Path, typer.Argument(help="a results database")],
    sql: Annotated[str, typer.Argument(help="the question")],
    format: Format = "table",
    schema: Schema = "main",
    allow_files: Annotated[
        bool, typer.Option("--allow-files", help="let the SQL read and write files, for COPY and EXPORT")
    ] = False,
) -> None:
    """Ask a results database a question in SQL."""
    from scorespec import api, display

    display.check_format(format)
    rows = api.open_results(results, schema).sql(sql, allow_files=allow_files, as_text=True)
    display.print_rows(rows, format)


@runs.command()
def add(
    results: Annotated[Path, typer.Argument(help="a results database")],
    others: Annotated[list[Path], typer.Argument(metavar="OTHER...", help="results databases with the runs to append")],
    schema: Schema = "main",
) -> None:
    """Append the runs of other results databases, such as a pending one; they get new numbers."""
    from scorespec import api

    for other, ids in api.add_runs(results, *others, schema=schema).items():
        say(f"{other}: " + ", ".join(f"run {number}" for number in ids))


@app.command()
def schema() -> None:
    """Print the JSON Schema of documents, for editors."""
    from scorespec import display
    from scorespec.catalog.lookup import load_catalog
    from scorespec.catalog.validation import full_schema

    display.print_json(full_schema(load_catalog().kinds))


def _message(error: ScorespecError) -> str:
    """The line to print for an error. A place, such as `my.yaml:3:5:`, stands first, as editors expect it."""
    placed = isinstance(error, InputError) or PLACE.match(str(error))
    return str(error) if placed else f"error: {error}"


def _pairs(written: list[str] | None, option: str, form: str = "NAME=VALUE") -> dict[str, str]:
    pairs: dict[str, str] = {}
    for each in written or ():
        name, equals, value = each.partition("=")
        if not equals or not name:
            raise UsageError(f"{option} {each!r}: write {form}")
        if name in pairs:
            raise UsageError(f"{option} {name!r} is given twice")
        pairs[name] = value
    return pairs


def _named_inputs(written: list[str] | None) -> dict[str, Any]:
    """The path of each input; a list of paths where it is given more than once."""
    inputs: dict[str, Any] = {}
    for each in written or ():
        for name, path in _pairs([each], "input", "NAME=PATH").items():
            if not path.partition("::")[0]:
                raise UsageError(f"input {name!r} has no path; write {name}=PATH")
            inputs[name] = [*_listed(inputs[name]), path] if name in inputs else path
    return inputs


def _listed(paths: str | list[str]) -> list[str]:
    return [paths] if isinstance(paths, str) else paths


def _tell(warnings: Any) -> None:
    for warning in warnings:
        complain(f"warning: {visible(warning)}")


def main() -> NoReturn:
    """Run the command line as this process."""
    run(_command)


def _command() -> None:
    end_on_interrupt()
    app()


if __name__ == "__main__":
    main()
