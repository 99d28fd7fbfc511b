"""What a report is about: some runs of a results database, and what the documents of their suite say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from scorespec.catalog.lookup import Namespace, load_catalog
from scorespec.catalog.model import Figure, Suite
from scorespec.errors import UsageError, unknown
from scorespec.report.chosen import choose, names_of
from scorespec.report.figures import Question
from scorespec.report.meanings import Meanings
from scorespec.results.golds import OLDER
from scorespec.results.reading import StoredRuns


@dataclass(frozen=True)
class Source:
    """Where a report comes from: a results database, the runs of it that are asked for, documents that do not ship."""

    results: Path
    runs: Sequence[int | str] = ()
    schema: str = "main"
    specs: Sequence[str | Path] = ()
    plugins: Sequence[str | Path] = ()


class Subject:
    """The runs of a report, and the suite that scored them; the documents of the suite may not be at hand.

    The results database ``stored`` is open for as long as the report is made.
    """

    def __init__(self, source: Source, stored: StoredRuns) -> None:
        self.source, self._stored = source, stored
        self.runs, self.older = choose(source.results, source.runs, stored)
        self.suite_name = self.runs[0].record.suite
        self.suite, self.names = self._definitions()
        self.meanings = Meanings(self.runs, self.names)

    @property
    def warnings(self) -> list[str]:
        """What the report leaves out: runs with older gold, and all that only the documents of the suite say."""
        named = dict.fromkeys(str(each) for run in self.runs for each in run.record.call.get("specs", ()))
        scored = f", as when it was scored: --specs {' '.join(named)}" if named else ""
        lacking = f"the documents of the suite {self.suite_name} are not at hand, so that there are no figures"
        older = [OLDER + ", ".join(self.older)] if self.older else []
        return older if self.suite else [*older, f"{lacking}; name them with --specs{scored}"]

    def _definitions(self) -> tuple[Suite | None, Namespace | None]:
        source = self.source
        try:
            catalog = load_catalog(*source.specs, suite=self.suite_name, plugins=source.plugins)
            suite = catalog.suite(self.suite_name)
        except UsageError:
            return None, None
        return suite, catalog.of_suite(suite)

    @cached_property
    def figures(self) -> Sequence[Figure]:
        """The figures that the suite lists, in their order."""
        found = [self.names.figure(name) for name in self.suite.report] if self.suite and self.names else []
        return [figure for figure in found if figure]

    def figure(self, name: str) -> Figure:
        """A figure that the suite lists. Raises UsageError for another name."""
        figures = {figure.name: figure for figure in self.figures}
        if not self.suite:
            raise UsageError(self.warnings[-1])
        if name not in figures:
            raise unknown(f"the reports of the suite {self.suite_name!r} have no figure {name!r}", name, figures)
        return figures[name]

    def question(self) -> Question:
        """The source of the rows of figures."""
        ask = partial(self._stored.ask, as_text=True)
        return Question(ask, names_of(self.runs), {*self._stored.tables}, self.source.schema)
