"""The command that shows what others do, with an example that ships with the package."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from scorespec.cli import printing
from scorespec.core.terminal import say
from scorespec.examples import FIRST, find_example

PAGE = Path("scorespec-demo.html")  # the report; the results database is next to it
INPUTS = '"${INPUTS[@]}"'  # an array, because zsh does not split the value of $INPUTS into words


def demo(
    ctx: typer.Context,
    suite: Annotated[str | None, typer.Argument(help=f"the suite to show ({FIRST})")] = None,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE.html", help="the file of the report")] = PAGE,
) -> None:
    """Score two systems of an example that ships with the package, compare them, and write a report."""
    from scorespec.catalog.lookup import load_catalog

    printing.check_page(output)
    example = find_example(suite)
    inputs = [f"{name}={_short(path)}" for name, path in example.inputs.items()]
    results, systems = str(output.with_suffix(".duckdb")), [*example.systems]
    say(f"$ INPUTS=({shlex.join(inputs)})")
    for name, path in example.systems.items():
        named = (f"{example.submission}={_short(path)}", "--name", name, "--corpus", "example", "--confidence", "95")
        _run(ctx, "score", example.suite, INPUTS, *named, "-o", results, inputs=inputs)
    primary = load_catalog(suite=example.suite).suite(example.suite).primary
    metrics = [word for score in primary for word in ("--metric", score)]
    _run(ctx, "compare", results, *systems, *metrics)
    _run(ctx, "report", results, *systems, "-o", str(output))
    first = f"{example.submission}={_short(example.systems[systems[0]])}"
    what_next = example.what_next.rstrip("\n")
    for name, typed in {"$INPUTS": INPUTS, "$RESULTS": shlex.quote(results), "$FIRST": shlex.quote(first)}.items():
        what_next = what_next.replace(name, typed)
    command, activation = _command()
    say("\n" + re.sub("^  scorespec ", f"  {command} ", what_next, flags=re.MULTILINE))
    if activation:
        say(f"\nTo type scorespec without its path: {activation}")
    say(f"\nThe report, for a browser: {output}")


def _run(ctx: typer.Context, name: str, *arguments: str, inputs: Sequence[str] = ()) -> None:
    """Show a command as it is typed, with the variable INPUTS instead of inputs, and run it."""
    group: Any = ctx.parent
    shown = " ".join(each if each == INPUTS else shlex.quote(each) for each in arguments)
    say(f"\n$ {_command()[0]} {name} {shown}\n")
    typed = [word for each in arguments for word in (inputs if each == INPUTS else [each])]
    command = group.command.get_command(group, name)
    with command.make_context(name, typed, parent=group) as called:
        command.invoke(called)


def _short(path: Path) -> str:
    """A path from the working folder where it lies below that."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _command() -> tuple[str, str]:
    """How this program is called from here, and what to type first so that `scorespec` alone suffices.

    That is its path where a shell would not find it, and the script that activates its environment.
    """
    beside_python = Path(sys.executable).with_name("scorespec")
    if shutil.which("scorespec") or not beside_python.exists():
        return "scorespec", ""
    activate = beside_python.with_name("activate")
    return shlex.quote(_short(beside_python)), f". {shlex.quote(_short(activate))}" if activate.exists() else ""
