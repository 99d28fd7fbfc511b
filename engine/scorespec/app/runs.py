"""What a run returns: its scores, as rows, as numbers by name, and as text."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorespec.core.disclosure import Disclosure
from scorespec.core.result_tables import ENDS, NUMBERS, SCORE_COLUMNS
from scorespec.core.score_text import (
    Row,
    exact,
    finite,
    score_key,
    shown,
    slice_text,
    whole_slices,
)
from scorespec.core.terminal import html_table, in_columns, visible
from scorespec.errors import RunError, UsageError, nearest, unknown

if TYPE_CHECKING:
    import pyarrow as pa

    from scorespec.catalog.model import ScoreLayout
    from scorespec.core.events import StepCost
    from scorespec.report.report_page import Page, Picture
    from scorespec.results.saving import Outcome

SHOWN_SLICES = 12  # of a message
WHOLE = "(the whole submission)"  # in messages


class Run:
    """A scored submission; ``run["token"]`` are the scores of one metric.

    ``scores`` is an Arrow table (metric, component, slice as JSON, value, low and high if intervals were asked for,
    std, folds, note). ``warnings`` say, for example, which rows conventions left out. ``signature`` pins documents,
    parameters and version. ``short_signature`` has only the parameters that the run set. ``costs`` has the seconds and
    rows of each step. ``reference_points`` has the runs of the reference points that were asked for, by name.
    ``reference_point`` is the name of the scored reference point; None for a submission. ``name`` is the name of the
    scored system, ``corpus`` the name of the data; either may be None. ``meta`` has further information that the user
    gave. ``number`` is the number of the run in its results database. ``breakdowns`` are the columns by which scores
    are broken down. ``withheld`` names the parts that the results leave out. With ``percent``, rates are shown as
    percent; ``scores`` stay as they are.
    """

    def __init__(
        self, outcome: Outcome, layouts: Mapping[str, ScoreLayout], store: Path | None, schema: str = "main"
    ) -> None:
        record = outcome.record
        self._outcome, self.layouts = outcome, layouts
        self._store, self._schema = store, schema
        self._counts = frozenset(record.counts)
        self.suite, self.metrics, self.breakdowns = record.suite, record.metrics, record.breakdowns
        self.signature, self.short_signature = record.signature, record.short_signature
        self.parameters, self.warnings = record.parameters, list(record.warnings)
        self.name, self.corpus, self.meta = record.name, record.corpus, record.meta
        self.number: int | None = None
        self.reference_point, self.withheld = record.reference_point, tuple(record.withheld)
        self.reference_points: Mapping[str, Run] = {}
        self.percent = False

    @property
    def scores(self) -> pa.Table:
        return self._outcome.scores

    @property
    def columns(self) -> list[str]:
        """The names of the columns of scores."""
        return [name for name in SCORE_COLUMNS if name in self.scores.schema.names]

    def confidence(self, metric: str) -> ScoreTable:
        """The scores of a metric with their intervals: component, slice as JSON, value, low, high, note.

        With percentile intervals, `percentile_low` and `percentile_high` stand after `high`. Raises UsageError for a
        metric that the run does not have, and for a run without intervals.
        """
        self._check_metric(metric)
        if "low" not in self.columns:
            raise UsageError("this run has no intervals; score with confidence=95")
        rows = [at for at, name in enumerate(self.scores["metric"].to_pylist()) if name == metric]
        ends = [name for name in ENDS if name in self.columns]
        named = self.scores.select(["component", "slice", "value", *ends, "note"])
        shown_rows = [row for row in self.shown_rows() if row["metric"] == visible(metric)]
        return ScoreTable(named.slice(rows[0] if rows else 0, len(rows)), shown_rows)

    @property
    def costs(self) -> list[StepCost]:
        return self._outcome.costs

    @property
    def withheld_text(self) -> str:
        """What the run leaves out, and what that means; empty if it leaves out nothing."""
        comparable = Disclosure(self.withheld).allows("block_sums")
        compared = "" if comparable else "; the run cannot be compared with others"
        return f"withheld: {', '.join(self.withheld)}{compared}" if self.withheld else ""

    def table(self) -> list[Row]:
        """The scores as one dictionary per row, the slice decoded: ``{}`` is the whole submission."""
        return [{**row, "slice": json.loads(row["slice"])} for row in self.scores.to_pylist()]

    def __getitem__(self, metric: str) -> MetricScores:
        """The scores of a metric by its name in the table. Raises UsageError for another name."""
        self._check_metric(metric)
        return self._of_metric[metric]

    @cached_property
    def _of_metric(self) -> dict[str, MetricScores]:
        rows: dict[str, list[Row]] = {metric: [] for metric in self.metrics}
        for row in self.table():
            rows[row["metric"]].append(row)
        return {metric: MetricScores(metric, found, self._counts) for metric, found in rows.items()}

    def _check_metric(self, metric: str) -> None:
        if metric not in self.metrics:
            raise unknown(f"this run has no metric {metric!r}", str(metric), self.metrics)

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def value(self, metric: str, component: str = "value", /, **slice_: Any) -> float | None:
        """One score, such as ``run.value("token", "fscore", file="a")``; None where it is undefined.

        The name can include the component: ``run.value("token.fscore")``. Without a slice it is the score of the whole
        submission, or of the only slice. Raises UsageError for a metric, component or slice that the run does not have,
        and where a slice has to be named.
        """
        owner, _, last = metric.rpartition(".")
        if component == "value" and owner in self.metrics and metric not in self.metrics:
            metric, component = owner, last
        return self[metric].value_of(component, slice_)

    def sql(self, query: str) -> pa.Table:
        """Ask the run's results database: `scores`, `unit_statistics`, `evidence_…`; an Arrow table.

        Raises SpecError when the SQL is at fault.
        """
        from scorespec.results.reading import stored_runs

        if self._store is None:
            raise UsageError("this run kept no results database")
        with stored_runs(self._store, self._schema) as stored:
            return stored.ask(query)

    def saved_in(self, path: Path | None, number: int) -> None:
        """Take note of the results database that has the run, and of its number there; None for no database."""
        self._store, self.number = path, number if path else None

    @property
    def stored(self) -> tuple[Path, str, int]:
        """The results database that has the run, the schema, and its number. Raises UsageError if there is none."""
        if self._store is None or self.number is None:
            raise UsageError("this run kept no results database")
        return self._store, self._schema, self.number

    def report(self, *, specs: Sequence[str | Path] = (), plugins: Sequence[str | Path] = ()) -> Page:
        """One HTML page about this run; notebooks show it.

        ``specs`` and ``plugins`` are needed for a suite that does not ship. Raises SpecError for a figure at fault.
        """
        from scorespec.report.report_page import report

        path, schema, number = self.stored
        return report(path, schema, [number], specs, plugins)

    def plot(
        self,
        figure: str,
        *,
        width: str | None = None,
        by: str | None = None,
        specs: Sequence[str | Path] = (),
        plugins: Sequence[str | Path] = (),
    ) -> Picture:
        """One figure of the reports of the suite, or a score such as `wer`; notebooks show it.

        ``width`` is a length such as `3.3in`. With ``by``, a column of a breakdown, the figure shows the slices of the
        run. Raises UsageError for a figure that the suite does not have, or that this run cannot show.
        """
        from scorespec.report.report_page import plot

        path, schema, number = self.stored
        return plot(path, schema, [number], figure, width, by, specs, plugins)

    def to_dict(self) -> dict[str, Any]:
        """The run as the command line prints it with ``--format json``."""
        record = self._outcome.record
        named = {name: getattr(self, name) for name in ("reference_point", "name", "corpus")}
        run: dict[str, Any] = {"suite": self.suite, **{name: each for name, each in named.items() if each is not None}}
        run |= {
            "signature": self.signature,
            "time": record.time.isoformat(),
            "meta": dict(self.meta),
            "parameters": dict(self.parameters),
            "versions": record.versions,
            "inputs": [
                {"name": i.name, "path": i.path, "format": i.format, "rows": i.rows, "dropped_rows": i.dropped}
                for i in self._outcome.inputs
            ],
        }
        found = {"run": finite(run), "scores": finite(self.exact_rows()), "warnings": self.warnings}
        if self.withheld:
            found["run"]["withheld"] = list(self.withheld)
        points = {name: point.to_dict() for name, point in self.reference_points.items()}
        return {**found, "reference_points": points} if points else found

    def layout(self, name: str) -> str:
        """The scores in a layout of the suite, as the command line prints them with ``--format NAME``.

        Control characters in labels are escapes, so that a label cannot look like a line of the layout. Raises
        UsageError for a layout that the suite does not have, SpecError for a template at fault.
        """
        if name not in self.layouts:
            raise unknown(f"suite {self.suite!r} has no layout {name!r}", name, self.layouts)
        rows = self.table()
        for row in rows:
            row["slice"] = {k: visible(v) if isinstance(v, str) else v for k, v in row["slice"].items()}
        from scorespec.results.layouts import laid_out  # slow to load

        return laid_out(self.layouts[name], rows, self.short_signature)

    def exact_rows(self) -> list[Row]:
        """The rows of :meth:`table`, for programs: counts are whole numbers."""
        return [exact(row, self._counts) for row in self.table()]

    def flat_scores(self) -> dict[str, float | int]:
        """The scores under one name each, such as ``token_fscore``, for platforms: see :func:`score_key`.

        Undefined and infinite scores are left out, since platforms accept numbers only. Raises RunError if two scores
        have one name.
        """
        flat: dict[str, float | int] = {}
        for row in self.exact_rows():
            key = score_key(row["metric"], row["component"], row["slice"])
            if key in flat:
                raise RunError(f"two scores have the name {key!r}; score fewer metrics or slices")
            if row["value"] is not None and math.isfinite(row["value"]):
                flat[key] = row["value"]
        return flat

    def shown_rows(self) -> list[dict[str, str]]:
        """The rows of :meth:`table` as text, for people."""
        in_percent = frozenset(self._outcome.record.rates if self.percent else ())
        return [shown(row, self._counts, in_percent) for row in self.table()]

    def __repr__(self) -> str:
        return "\n".join([visible(self.short_signature), *_lines(self.shown_rows())])

    def _repr_html_(self) -> str:
        return html_table(self.shown_rows(), self.columns, self.short_signature)


class ScoreTable:
    """Scores of a run as an Arrow ``table``. Notebooks show them; pyarrow, pandas and polars read them as a table."""

    def __init__(self, table: pa.Table, shown_rows: Sequence[Mapping[str, str]]) -> None:
        self.table, self._shown = table, shown_rows

    def __len__(self) -> int:
        return len(self._shown)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return "\n".join(_lines(self._shown))

    def _repr_html_(self) -> str:
        return html_table(self._shown, self.table.schema.names)


class MetricScores:
    """The scores of a metric: ``run["token"].fscore`` is a number, None where it is undefined.

    That is the score of the whole submission, or of the only slice. ``run["token"].at(file="a").fscore`` is that of
    another slice. A component is also an item: ``run["token"]["fscore"]``.
    """

    def __init__(self, metric: str, rows: Sequence[Row], counts: frozenset[tuple[str, str]]) -> None:
        self.metric = metric
        self._rows, self._counts = rows, counts

    @cached_property
    def components(self) -> tuple[str, ...]:
        """The components, in the order of the table."""
        return tuple(dict.fromkeys(row["component"] for row in self._rows))

    @cached_property
    def slices(self) -> list[Row]:
        """The slices, in the order of the table; ``{}`` is the whole submission."""
        found: list[Row] = []
        for row in self._rows:
            if row["slice"] not in found:
                found.append(row["slice"])
        return found

    def at(self, **slice_: Any) -> MetricScores:
        """The scores of one slice. Raises UsageError for a slice that the run does not have."""
        rows = [row for row in self._rows if row["slice"] == slice_]
        if not rows:
            said = f"this run has no slice {slice_text(slice_) or WHOLE} of {self.metric}"
            raise UsageError(f"{said}; known: {self._what_slices()}")
        return MetricScores(self.metric, rows, self._counts)

    def value_of(self, component: str, slice_: Mapping[str, Any]) -> float | None:
        """One score; see :meth:`Run.value`."""
        if component not in self.components:
            said = f"this run has no component {component!r} of {self.metric}"
            raise unknown(said, component, self.components)
        if not slice_ and len(self._wholes) > 1:
            raise UsageError(f"{self.metric} has several slices; name one of them: {self._what_slices()}")
        chosen = self.at(**(slice_ or json.loads(self._wholes[0])))
        value: float | None = next(row["value"] for row in chosen._rows if row["component"] == component)
        return value

    @cached_property
    def _wholes(self) -> list[str]:
        return whole_slices(json.dumps(row["slice"]) for row in self._rows)

    def _what_slices(self) -> str:
        named = [slice_text(each) or WHOLE for each in self.slices]
        return "; ".join(named[:SHOWN_SLICES]) + ("; …" if len(named) > SHOWN_SLICES else "")

    def __getitem__(self, component: str) -> float | None:
        return self.value_of(component, {})

    def __getattr__(self, name: str) -> float | None:
        if name.startswith("_") or name not in self.components:
            raise AttributeError(f"{self.metric} has no component {name!r}; {nearest(name, self.components)}")
        return self.value_of(name, {})

    def table(self) -> list[Row]:
        """The scores of the metric as one dictionary per row."""
        return [{**row, "slice": dict(row["slice"])} for row in self._rows]

    def __str__(self) -> str:
        return self.metric

    def __repr__(self) -> str:
        return "\n".join(_lines([shown(row, self._counts) for row in self._rows]))


def _lines(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """Rows of scores, a line each; columns that no row has are left out."""
    columns = [name for name in SCORE_COLUMNS if any(row[name] for row in rows)]
    right = [at for at, name in enumerate(columns) if name in NUMBERS]
    return [f"  {line}" for line in in_columns([[row[name] for name in columns] for row in rows], right)]
