"""The tables of a results database, each stated once: a dataclass for each table, a field for each column.

These dataclasses give the tables that DuckDB creates, what `show` says, the names that documents cannot use, and the
columns of Arrow tables of scores.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

if TYPE_CHECKING:
    from scorespec.core.arrays import Floats, Ints

VERSION = 1  # of these tables; results of another version are refused
EVIDENCE = "evidence_"  # so begin the names of tables of evidence
CURRENT = "current_"  # so begins the name of the view of a table without the rows of superseded runs
MAIN = "main"  # the schema of the tables, unless the user names another
NO_GOLD = '{"whole": {}, "slices": {}}'
ONLY_RUN = 1  # the id of a run in a database of its own


# A field is a column if its type has the SQL type and the meaning as metadata.
Text = Annotated[str, "VARCHAR"]
Json = Annotated[str, "JSON"]
Whole = Annotated[int, "BIGINT"]
Number = Annotated[float | None, "DOUBLE"]


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """One row per run.

    Of two runs with equal name, suite, corpus, gold, documents, metrics, breakdowns, parameters and withheld parts, the
    later one supersedes the other, which stays. A view such as `current_scores` has the rows of a table without those
    of superseded runs.
    """

    id: Annotated[Whole, "number of the run in this database"] = field(default=ONLY_RUN, init=False)
    time: Annotated[datetime, "TIMESTAMP WITH TIME ZONE", "time at which the run began"]
    suite: Annotated[Text, "suite that was scored"]
    signature: Annotated[
        Text, "suite, parameters that scores depend on, hashes of documents and gold, version; equal for equal scoring"
    ]
    parameters: Annotated[Mapping[str, Any], "JSON", "value of every parameter of the scores and the evidence, as JSON"]
    versions: Annotated[Mapping[str, str], "JSON", "versions of scorespec, DuckDB and plugins, as JSON"] = field(
        default_factory=dict
    )
    reference_point: Annotated[
        str | None, "VARCHAR", "name of the reference point that was scored; NULL for a submission"
    ] = None
    name: Annotated[str | None, "VARCHAR", "name of the scored system"] = None
    corpus: Annotated[str | None, "VARCHAR", "name of the data; NULL if none was given"] = None
    meta: Annotated[Mapping[str, Any], "JSON", "what else was said of the run (--meta), as JSON"] = field(
        default_factory=dict
    )
    superseded_by: Annotated[
        int | None, "BIGINT", "number of the run that superseded this one; NULL for a current run"
    ] = field(default=None, init=False)
    gold: Annotated[
        Text, "hash of the rows of each input that is not of the submission, whatever their order and format; as JSON"
    ] = NO_GOLD
    documents: Annotated[Text, "hash of the documents that define the suite, and versions of plugins"] = ""
    metrics: Annotated[Sequence[str], "JSON", "metrics that were scored, as JSON"] = ()
    breakdowns: Annotated[Sequence[tuple[str, ...]], "JSON", "columns by which scores are broken down, as JSON"] = ()
    short_signature: Annotated[Text, "signature with only those parameters that the run set"] = ""
    counts: Annotated[
        Collection[tuple[str, str]],
        "JSON",
        "components that are whole numbers, each with its metric, as JSON",
    ] = ()
    rates: Annotated[
        Collection[tuple[str, str]],
        "JSON",
        "components that are ratios without a unit, each with its metric, as JSON",
    ] = ()
    percent: Annotated[
        Collection[tuple[str, str, str]],
        "JSON",
        "components that reports and leaderboards show in percent: metric, component, name; as JSON",
    ] = ()
    better: Annotated[
        Collection[tuple[str, str, str]],
        "JSON",
        "components whose higher or lower values are better: metric, component, direction; as JSON",
    ] = ()
    primary_scores: Annotated[Sequence[str], "JSON", "main scores of the suite, each as metric.component, as JSON"] = ()
    matched_pairs: Annotated[
        Mapping[str, Any],
        "JSON",
        "the evidence of the matched-pairs test: its name, and the columns of a sentence; as JSON",
    ] = field(default_factory=dict)
    warnings: Annotated[Sequence[str], "JSON", "warnings of the run, as JSON"] = ()
    withheld: Annotated[
        Sequence[str],
        "JSON",
        "parts of the results that the run left out (--withhold), as JSON; a run without units cannot be compared",
    ] = ()
    ranges: Annotated[
        Collection[tuple[str, str, float | None, float | None]],
        "JSON",
        "least and greatest value of components: metric, component, and both values, as JSON",
    ] = ()
    calibrated: Annotated[
        Sequence[str],
        "JSON",
        "parameters that the run took from another run of its system (--from), as JSON; systems may differ in them",
    ] = ()
    call: Annotated[Mapping[str, Any], "JSON", "what it takes to score the files again, as JSON"] = field(
        default_factory=dict
    )

    @property
    def percent_names(self) -> dict[tuple[str, str], str]:
        """The scores that reports and leaderboards show in percent, each with its name there."""
        return {(metric, component): name for metric, component, name in self.percent}


@dataclass(frozen=True)
class InputRecord:
    """One row per file, or object in memory, of the inputs of a run."""

    name: Annotated[Text, "name of the input in the suite"]
    path: Annotated[
        str | None, "VARCHAR", "path of the file, or name of the object in memory; NULL if --withhold leaves it out"
    ]
    format: Annotated[Text, "format of the file, with its options; object for an object in memory"]
    rows: Annotated[int | None, "BIGINT", "number of rows that were read; NULL if --withhold leaves it out"]
    bytes: Annotated[
        int | None, "BIGINT", "size of the file; NULL for an object in memory, or if --withhold leaves it out"
    ]
    sha256: Annotated[str | None, "VARCHAR", "SHA-256 hash of the file; NULL for an object in memory"]
    dropped: int = 0  # the number of those rows that were left out, which are in `dropped_rows`
    lines_before: Annotated[
        int | None,
        "BIGINT",
        "number of lines in the earlier files of the input; `line` of a row is its line in this file plus this number",
    ] = 0


@dataclass(frozen=True)
class DroppedRow:
    """One row per row of a submission that was left out (on_bad_row=drop)."""

    input: Annotated[Text, "name of the input in the suite"]
    path: Annotated[Text, "path of the file, or name of the object in memory"]
    line: Annotated[Whole, "line of the row; number of the row in Parquet and in an object in memory"]
    code: Annotated[Text, "kind of the fault, such as check or not_a_number"]
    message: Annotated[Text, "why the row was left out"]


@dataclass(frozen=True)
class ScoreRow:
    """One row per score: a component of a metric in a slice."""

    metric: Annotated[Text, "metric with the parameters of its call; suite.metric for a metric of another suite"]
    component: Annotated[Text, "component of the metric, such as precision"]
    slice: Annotated[Json, "the values by which the score is broken down, as JSON; {} is the whole submission"]
    value: Annotated[
        Number, "the score; NULL if it is undefined. With folds, the mean of the folds in which it is defined"
    ]
    low: Annotated[
        Number,
        "lower end of the confidence interval; NULL without --confidence, or if there is no interval",
    ]
    high: Annotated[
        Number,
        "upper end of the confidence interval; NULL without --confidence, or if there is no interval",
    ]
    percentile_low: Annotated[
        Number,
        "lower end of the percentile interval; NULL without --percentile, and if the score is not bootstrapped",
    ]
    percentile_high: Annotated[Number, "upper end of the percentile interval; NULL where percentile_low is"]
    std: Annotated[Number, "population standard deviation over the folds; NULL without folds"]
    folds: Annotated[int | None, "BIGINT", "number of folds in which the score is defined; NULL without folds"]
    note: Annotated[str | None, "VARCHAR", "why the score is undefined, or what is special about it"]


@dataclass(frozen=True)
class UnitRow:
    """One row per unit of a metric, such as a file; a score is computed from the sums over units."""

    metric: Annotated[Text, "metric, as in scores"]
    unit: Annotated[Json, "the unit, as JSON"]
    slice: Annotated[Json, "the slice that the unit belongs to, as JSON"]
    statistics: Annotated[Json, "the statistics of the unit, as JSON; they add up over units"]
    block: Annotated[
        Json,
        "the block that the unit belongs to, as JSON: units that a resample draws together; NULL if the metric has no "
        "blocks",
    ]


@dataclass(frozen=True)
class BlockRow:
    """One row per block of units and cell: the sums of statistics from which scores are resampled.

    A cell is a slice, or a fold of a slice. A block is a set of units that a resample draws together.
    """

    source: Annotated[Text, "name of the table of sums, as `resampled.sql` reads it"]
    cell: Annotated[Json, "the slice, and the fold if there are folds, as JSON"]
    block: Annotated[Json, "the block, as JSON; NULL in a row for a cell that may have no units"]
    statistics: Annotated[
        Mapping[str, float], "MAP(VARCHAR, DOUBLE)", "the sums over the units of the block in the cell"
    ]


@dataclass(frozen=True)
class ResampledRow:
    """One row per metric whose scores can be resampled from `block_sums`, with the query that does it."""

    metric: Annotated[Text, "metric, as in scores"]
    number: Annotated[Whole, "number of the row within the run, in the order of the scores"]
    sql: Annotated[Text, "the query that computes the components of each replicate from sums of blocks"]
    definition: Annotated[Json, "what the query needs: macros, components, tables of sums, other tables; as JSON"]


@dataclass(frozen=True, eq=False)
class Replicates:
    """One row per score whose resampled values are kept, since `block_sums` cannot give them."""

    # Two rows with equal method, blocks and groups are paired, replicate by replicate. Replicate r of a jackknife is
    # the score without group r.
    metric: Annotated[Text, "metric, as in scores"]
    component: Annotated[Text, "component, as in scores"]
    slice: Annotated[Json, "slice, as in scores"]
    method: Annotated[
        Literal["bootstrap", "jackknife"],
        "VARCHAR",
        "bootstrap: blocks were drawn with replacement; jackknife: groups of blocks were left out in turn",
    ]
    blocks: Annotated[Text, "hash of the names of all blocks; with equal hash and method, the resamples are equal"]
    groups: Annotated[
        "Ints | None",
        "BIGINT[]",
        "number of blocks in each group that was left out; of a bootstrap, the number of all blocks",
    ]
    scores: Annotated["Floats", "DOUBLE[]", "the score in each replicate; NaN if it is undefined there"]


@dataclass(frozen=True)
class CurveRow:
    """One row per point of the curve of a metric that has one, with a column for each component.

    With `intervals`, a component has the columns `name_low` and `name_high`, the ends of its confidence interval.
    """

    metric: Annotated[Text, "metric, as in scores"]
    slice: Annotated[Json, "slice, as in scores"]
    rank: Annotated[Whole, "number of the threshold, counted from the highest; 0 accepts no row"]
    threshold: Annotated[Number, "least score of an accepted row"]
    mark: Annotated[str | None, "VARCHAR", "what is special about the point, such as best"]
    low: Annotated[
        Number,
        "lower end of the confidence interval of the optimised component at this point; NULL without --confidence, and "
        "if there is no interval",
    ]
    high: Annotated[
        Number,
        "upper end of the confidence interval of the optimised component at this point; NULL where `low` is",
    ]


@dataclass(frozen=True)
class ResultsVersion:
    """The version of these tables."""

    version: Annotated[Whole, "version of the tables of results"]


@dataclass(frozen=True)
class Stored:
    """A column: its type as DuckDB names it, and its meaning."""

    type: str
    about: str


KINDS = {
    "runs": RunRecord,
    "inputs": InputRecord,
    "scores": ScoreRow,
    "unit_statistics": UnitRow,
    "block_sums": BlockRow,
    "resampled": ResampledRow,
    "replicates": Replicates,
    "dropped_rows": DroppedRow,
    "curves": CurveRow,
    "results_version": ResultsVersion,
}


def run_column(table: str) -> str | None:
    """The column of a table of results that has the number of a run; None for a table that is not about runs."""
    if table in KINDS:
        return {"runs": "id", "results_version": None}.get(table, "run")
    return "run" if table.startswith(EVIDENCE) else None


def _columns(table: str) -> dict[str, Stored]:
    found = {"run": Stored("BIGINT", "number of the run")} if run_column(table) == "run" else {}
    stored = ((each.name, getattr(each.type, "__metadata__", ())) for each in fields(KINDS[table]))
    return found | {name: Stored(*metadata) for name, metadata in stored if metadata}


COLUMNS = {table: _columns(table) for table in KINDS}  # of each table, in the order in which they are shown
ABOUT = {table: " ".join((kind.__doc__ or "").split()) for table, kind in KINDS.items()}
TABLES = {table: {name: each.type for name, each in columns.items()} for table, columns in COLUMNS.items()}

# The columns of a row of scores.
IDENTITY = ("metric", "component", "slice")  # what a row is the score of
INTERVAL = ("low", "high")
PERCENTILE = ("percentile_low", "percentile_high")
ENDS = (*INTERVAL, *PERCENTILE)
SPREAD = ("std", "folds")
SCORE_COLUMNS = tuple(name for name in COLUMNS["scores"] if name != "run")
NUMBERS = tuple(name for name in SCORE_COLUMNS if TABLES["scores"][name] in ("DOUBLE", "BIGINT"))
