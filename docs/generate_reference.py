"""Writes docs/reference/ from what is defined, and from the commands and tables of the package."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "website"))

from reference import agreement, definitions, metrics, programs, published, suites, surprises
from reference.markdown import Lines, file, first_sentence, of, table, title

from scorespec.catalog.lookup import Catalog, load_catalog

FOLDER = Path(__file__).parent / "reference"


def generate(folder: Path, computed: bool = False) -> None:
    """Write every page into ``folder``; those whose numbers must be ``computed`` only if asked for: half a minute."""
    catalog = load_catalog()
    domains = sorted({key.domain for key in catalog.keys("tables")})
    pages = {
        "index": _index(catalog, domains),
        "commands": programs.commands_page(),
        "python": programs.python_page(),
        "results": programs.results_page(),
        "formats": programs.formats_page(catalog),
        "documents": programs.documents_page(),
        "kinds": programs.kinds_page(catalog),
        "functions": programs.functions_page(catalog),
        "macros": definitions.macros_page(catalog),
        "bibliography": definitions.bibliography_page(catalog),
        "agreement": agreement.agreement_page(catalog),
        "surprises": surprises.surprises_page(),
    }
    if computed:
        pages["what-the-publications-define"] = published.published_page()
    for domain in domains:
        pages |= _domain(catalog, domain)
    for name, lines in pages.items():
        path = folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _domain(catalog: Catalog, domain: str) -> dict[str, Lines]:
    """The pages of a domain by their names."""
    name = file(domain)
    pages = {
        name: _overview(catalog, domain),
        f"{name}-names": definitions.names_page(catalog, domain),
        f"{name}-tables": definitions.tables_page(catalog, domain),
    }
    if suites.compared(catalog, [domain]):
        pages[f"{name}-suites"] = suites.differences(catalog, domain)
    for home in _homes(catalog, domain):
        pages[f"{name}-relations-{home or 'shared'}"] = definitions.relations_page(catalog, domain, home)
    return pages | {f"{name}/{metric}": lines for metric, lines in metrics.metric_pages(catalog, domain).items()}


def _homes(catalog: Catalog, domain: str) -> list[str]:
    """The suites of a domain that have relations or reference points of their own; '' is the whole domain."""
    sections = ("relations", "reference_points")
    return [
        home
        for home in ("", *catalog.suites(domain))
        if any(of(catalog, section, domain, home) for section in sections)
    ]


def _overview(catalog: Catalog, domain: str) -> Lines:
    name = file(domain)
    yield from (f"# {title(domain)}", "", "## Metrics", "", "A page for each metric, with its formula and its SQL.")
    yield from metrics.metric_list(catalog, domain)
    yield from ("## More of this domain", "")
    if suites.compared(catalog, [domain]):
        yield f"* [How the suites differ]({name}-suites.md)"
    yield f"* [Input tables]({name}-tables.md)"
    yield f"* [Parameters, components, columns, macros]({name}-names.md)"
    for home in _homes(catalog, domain):
        whose = f"the suite `{home}`" if home else "all suites"
        yield f"* [Relations of {whose}]({name}-relations-{home or 'shared'}.md)"
    yield from ("", "## Suites")
    for suite in of(catalog, "suites", domain):
        yield from ("", f"### {suite.name}", "", suite.about, "")
        yield from suites.suite_lines(suite, catalog)


def _index(catalog: Catalog, domains: Iterable[str]) -> Lines:
    yield from ("# Reference", "", "Everything that is defined. These pages are generated from the documents.", "")
    yield from ("* [Commands](commands.md)", "* [Python](python.md)", "* [Results database](results.md)")
    yield from ("* [File formats](formats.md)", "* [Documents](documents.md)", "* [Kinds of metric](kinds.md)")
    yield from ("* [Python functions over rows](functions.md)", "* [SQL macros for every domain](macros.md)")
    yield from ("* [Bibliography](bibliography.md)", "* [What they define](what-the-publications-define.md)")
    yield from ("* [Agreement with other programs](agreement.md)", "* [What surprised us in them](surprises.md)")
    for domain in domains:
        yield from ("", f"## [{title(domain)}]({file(domain)}.md)")
        yield from table(
            ("suite", "what it scores"),
            (
                (f"[`{suite.name}`]({file(domain)}.md#{suite.name})", first_sentence(suite.about))
                for suite in of(catalog, "suites", domain)
            ),
        )
        yield from metrics.metric_list(catalog, domain)


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER, computed=True)
