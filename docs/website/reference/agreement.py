"""The page on the agreement of suites with other programs, from the records in the documents."""

from __future__ import annotations

from reference.markdown import Lines, cell, table, title
from scorespec.catalog.lookup import Catalog
from scorespec.catalog.model import Agreement, Suite

INTRODUCTION = """\
# Agreement with other programs

Does a suite have the same scores as the program that you know? For each suite, this page names the program with its
version, the data, how many scores were compared, and how many of them are equal. Two scores are equal if they differ
by at most the tolerance. Below each table is the reason for each difference.

The tests also compare all suites with programs that enumerate, on random inputs. [What the publications
define](what-the-publications-define.md) has the numbers that are printed in publications.

`make agreement` repeats the comparisons for which the data and programs are on your machine, and lists the others. Data
of others are not part of this project: the column *source* says where they come from. Environment variables name the
folders with your copies:

| variable | folder |
| --- | --- |
| `SCTK_TESTDATA` | `src/sclite/testdata` of SCTK |
| `MDEVAL_TESTDATA` | `src/md-eval/test` of SCTK |
| `DSCORE_TESTDATA` | `scorelib/tests` of dscore |
| `PYANNOTE_TESTDATA` | `tests` of pyannote.metrics |
| `MEETEVAL` | the repository of meeteval |

`pip install jiwer` installs jiwer. The numbers are in the documents `specs/DOMAIN/SUITE/agreement.yaml`, from which
this page is generated; `scorespec show SUITE` and reports print their sums."""


def agreement_page(catalog: Catalog) -> Lines:
    yield from INTRODUCTION.splitlines()
    suites = [catalog.suite(name) for name in catalog.names("suites")]
    for domain in sorted({suite.domain for suite in suites}):
        yield from ("", f"## {title(domain)}")
        for suite in suites:
            if suite.domain == domain:
                yield from _suite(suite, catalog)


def _suite(suite: Suite, catalog: Catalog) -> Lines:
    yield from ("", f"### {suite.name}", "")
    if not suite.conforms_to:
        yield "No other program computes these scores. The tests compare the suite with its definitions."
        return
    yield f"Agrees with {', '.join(f'**{cell(tool)}**' for tool in suite.conforms_to)}."
    records = catalog.agreement(suite)
    heads = ("program", "equal", "tolerance", "data", "source")
    found = [*table(heads, map(_row, records))][:-1]
    yield from found
    if reasons := [reason for each in records for reason in each.differs]:
        yield from ("", "Differences, each after its number of scores:", "", *(f"* {cell(each)}" for each in reasons))


def _row(each: Agreement) -> list[str]:
    equal = f"{each.equal:,} of {each.compared:,}".replace(" ", "&nbsp;")
    tolerance = f"{each.tolerance:g}" if each.tolerance else "none"
    return [cell(each.conforms_to), equal, tolerance, cell(f"{each.data}: {each.size}"), cell(each.source)]
