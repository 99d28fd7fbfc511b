"""The commands about definitions: what there is, what it means, whether it is right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scorespec.cli import printing
from scorespec.cli.options import Typed, with_options
from scorespec.core.score_text import counted, value_text
from scorespec.core.terminal import print_warnings, say, say_wrapped
from scorespec.errors import UsageError, unknown

if TYPE_CHECKING:
    from scorespec.catalog.lookup import Catalog
    from scorespec.check.documents_checked import TaggedCase

_SECTIONS = (
    "suites, metrics, relations, tables, reference_points, figures, parameters, columns, components, kinds, macros, "
    "publications, formats or functions"
)


@with_options("specs plugins")
def list_(
    *,
    what: Annotated[str, typer.Argument(metavar="SECTION", help=_SECTIONS)] = "suites",
    domain: Annotated[str | None, typer.Option("--domain", metavar="NAME", help="only those of this domain")] = None,
    with_column: Annotated[
        str | None, typer.Option("--with-column", metavar="NAME", help="only those with this column")
    ] = None,
    given: Typed,
) -> None:
    """List suites, or metrics, relations, tables, parameters and other definitions; formats and functions."""
    from scorespec.catalog.lookup import SECTIONS
    from scorespec.show.lists import list_definitions
    from scorespec.show.plugged import list_formats, list_functions

    plain = {"formats": list_formats, "functions": list_functions}
    if what not in (*SECTIONS, *plain):
        raise unknown(f"cannot list {what!r}", what, (*SECTIONS, *plain))
    catalog = _catalog(given)
    if what in plain:
        if domain or with_column:
            raise UsageError(f"--domain and --with-column choose among definitions, not among {what}")
        return say_wrapped(plain[what](catalog))
    say_wrapped(list_definitions(catalog, what, domain, with_column))


@with_options("specs plugins")
def show(
    *,
    name: Annotated[str, typer.Argument(help="a name, or suite.name, of anything that is defined")],
    bibtex: Annotated[bool, typer.Option("--bibtex", help="only print its sources, as BibTeX")] = False,
    full: Annotated[
        bool, typer.Option("--full", help="all about a metric or suite: document, dependencies, SQL, cases, parameters")
    ] = False,
    given: Typed,
) -> None:
    """Show what a name means: definition, parameters, cases, what it depends on, SQL."""
    from scorespec.show import bibtex as entries
    from scorespec.show import show

    if bibtex:
        return say(entries(_catalog(given), name))
    say_wrapped(show(_catalog(given), name, brief=not full))


def _catalog(given: Typed) -> Catalog:
    from scorespec.catalog.lookup import load_catalog

    return load_catalog(*given.arguments.pop("specs", ()), **given.arguments)


@with_options("plugins")
def check(
    *,
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH", help="documents or folders (default: every document)")
    ] = None,
    specs: Annotated[
        list[Path] | None,
        typer.Option("--specs", help="documents or folders that these need, not checked"),
    ] = None,
    tag: Annotated[
        str | None,
        typer.Option("--tag", metavar="TEXT", help='only run the cases with this text in a tag, such as "Eq 21"'),
    ] = None,
    given: Typed,
) -> None:
    """Check documents: keys, names, SQL, and the cases in them."""
    from scorespec.check.documents_checked import tagged_cases, verify

    if tag is not None:
        cases = tagged_cases(tag, *(paths or ()), specs=specs or (), **given.arguments)
        if not cases:
            raise UsageError(f"no case has a tag with the text {tag!r}")
        say_wrapped("\n".join("\n  ".join(_tagged_lines(each)) for each in cases))
        return say(f"{counted(len(cases), 'case')}: all well")
    report = verify(*(paths or ()), specs=specs or (), **given.arguments)
    counts = ((report.documents, "document"), (report.metrics, "metric"), (report.cases, "case"))
    print_warnings(report.notices)
    say(f"{', '.join(counted(*each) for each in counts)}: {'no fault' if report.notices else 'all well'}")


def _tagged_lines(tagged: TaggedCase) -> Iterator[str]:
    """The tags of a case, where it is, what it says, its published numbers next to ours, and why they differ."""
    yield "; ".join(tagged.case.tags)
    yield f"{tagged.metric}, {tagged.place.path}:{tagged.place.line}"
    yield " ".join(tagged.case.about.split())
    for name, score in tagged.scores.items():
        printed = f"printed {tagged.case.printed[name]}, ours " if name in tagged.case.printed else ""
        yield f"{name}: {printed}{value_text(score) or 'undefined'}"
    if tagged.case.differs:
        yield f"differs: {' '.join(tagged.case.differs.split())}"


def schema(
    targets: Annotated[bool, typer.Option("--targets", help="of the targets that `scorespec gate` reads")] = False,
) -> None:
    """Print the JSON Schema of documents, for editors."""
    if targets:
        from scorespec.catalog.json_schema import schema_of
        from scorespec.comparison.targets import Targets

        return printing.print_json(schema_of(Targets))
    from scorespec.catalog.json_schema import full_schema
    from scorespec.catalog.lookup import load_catalog

    printing.print_json(full_schema(load_catalog().kinds))
