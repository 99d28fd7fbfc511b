"""The page on the agreement of suites with other programs, from the records in the documents."""

from __future__ import annotations

from collections.abc import Iterator

from reference.markdown import Lines, cell, table, title
from scorespec.catalog.lookup import Catalog, load_catalog
from scorespec.catalog.model import Agreement, Suite

INTRODUCTION = """\
# Agreement with other programs

Find out whether a suite has the numbers of the program that you know. For each suite, this page names the program
with its version, the data on which scores were compared, and the numbers of scores that were compared and that are
equal. Two scores are equal if they differ by at most the tolerance. Each difference has its reason.

`make agreement` makes the comparisons again, as far as their data and programs are on the machine, and says what it
skipped. Data of others are not part of this project: the column *source* says where they come from. Environment
variables name folders with copies: `SCTK_TESTDATA` (`src/sclite/testdata` of SCTK), `MDEVAL_TESTDATA`
(`src/md-eval/test` of SCTK), `DSCORE_TESTDATA` (`scorelib/tests` of dscore), `PYANNOTE_TESTDATA` (`tests` of
pyannote.metrics) and `MEETEVAL` (the whole repository); `pip install jiwer` brings jiwer. The numbers are in the
documents `specs/DOMAIN/SUITE/agreement.yaml`, from which this page is generated. `scorespec show SUITE` and reports
have the sums.

In addition, the tests compare all suites with oracles that enumerate, on random inputs. [What the documents
define](what-the-documents-define.md) has the numbers that are printed in publications."""


def agreement_page() -> Iterator[str]:
    catalog = load_catalog()
    yield from INTRODUCTION.splitlines()
    suites = [catalog.suite(name) for name in catalog.names("suites")]
    for domain in sorted({suite.domain for suite in suites}):
        yield from ("", f"## {title(domain)}")
        for suite in suites:
            if suite.domain == domain:
                yield from _suite(suite, catalog)
    yield ""


def _suite(suite: Suite, catalog: Catalog) -> Lines:
    yield from ("", f"### {suite.name}", "")
    if not suite.conforms_to:
        yield "No program has these scores. The suite is compared with its definitions by the tests alone."
        return
    yield f"Equals {', and '.join(f'**{cell(tool)}**' for tool in suite.conforms_to)}."
    records = catalog.agreement(suite)
    heads = ("program", "data", "size", "source", "compared", "equal", "tolerance")
    found = [*table(heads, map(_row, records))][:-1]
    yield from found
    if reasons := [reason for each in records for reason in each.differs]:
        yield from ("", "Differences, each with the number of scores:", "", *(f"* {cell(each)}" for each in reasons))


def _row(each: Agreement) -> list[str]:
    counts = (f"{each.compared:,}", f"{each.equal:,}", f"{each.tolerance:g}" if each.tolerance else "none")
    return [*map(cell, (each.conforms_to, each.data, each.size, each.source)), *counts]
