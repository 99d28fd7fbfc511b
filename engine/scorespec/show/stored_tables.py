"""What the tables and columns of a results database mean."""

from __future__ import annotations

from collections.abc import Iterator

from scorespec.core.text_tables import in_columns

TABLES = {
    "runs": "One row per run. Of two runs with equal name, suite, corpus, gold, documents, metrics, breakdowns, "
    "parameters and withheld parts, the later one supersedes the other, which stays. A view such as `current_scores` "
    "has the rows of a table without those of superseded runs.",
    "inputs": "One row per file, or object in memory, of the inputs of a run.",
    "dropped_rows": "One row per row of a submission that was left out (on_bad_row=drop).",
    "scores": "One row per score: a component of a metric in a slice.",
    "unit_statistics": "One row per unit of a metric, such as a file; a score is computed from the sums over units.",
    "block_sums": "One row per block of units and cell: the sums of statistics from which scores are resampled. A "
    "cell is a slice, or a fold of a slice. A block is a set of units that a resample draws together.",
    "resampled": "One row per metric whose scores can be resampled from `block_sums`, with the query that does it.",
    "replicates": "One row per score whose resampled values are kept, since `block_sums` cannot give them.",
    "results_version": "The version of these tables.",
    "curves": "One row per point of the curve of a metric that has one, with a column for each component. With "
    "`intervals`, a component has the columns `name_low` and `name_high`, the ends of its confidence interval.",
}
COLUMNS = {
    "runs.id": "number of the run in this database",
    "runs.time": "time at which the run began",
    "runs.suite": "suite that was scored",
    "runs.signature": "suite, parameters that scores depend on, hash of documents, version; equal for equal scoring",
    "runs.parameters": "value of every parameter of the scores and the evidence, as JSON",
    "runs.versions": "versions of scorespec, DuckDB and plugins, as JSON",
    "runs.reference_point": "name of the reference point that was scored; NULL for a submission",
    "runs.name": "name of the scored system",
    "runs.corpus": "name of the data; NULL if none was given",
    "runs.meta": "what else was said of the run (--meta), as JSON",
    "runs.superseded_by": "number of the run that superseded this one; NULL for a current run",
    "runs.gold": "SHA-256 hash of each input that is not of the submission, as JSON; NULL if one is not a file",
    "runs.documents": "hash of the documents that define the suite, and versions of plugins",
    "runs.metrics": "metrics that were scored, as JSON",
    "runs.breakdowns": "columns by which scores are broken down, as JSON",
    "runs.short_signature": "signature with only those parameters that the run set",
    "runs.counts": "components that are whole numbers, each with its metric, as JSON",
    "runs.better": "components of which higher or lower values are better: metric, component, direction; as JSON",
    "runs.ranges": "least and greatest value of components: metric, component, and both values, as JSON",
    "runs.primary_scores": "main scores of the suite, each as metric.component, as JSON",
    "runs.matched_pairs": "the evidence of the matched-pairs test: its name, and the columns of a sentence; as JSON",
    "runs.warnings": "warnings of the run, as JSON",
    "runs.call": "what it takes to score the files again, as JSON",
    "runs.withheld": "parts of the results that the run left out (--withhold), as JSON; a run without units cannot be "
    "compared",
    "results_version.version": "version of the tables of results; files without this table have version 1",
    "inputs.run": "number of the run",
    "inputs.name": "name of the input in the suite",
    "inputs.path": "path of the file, or name of the object in memory; NULL if --withhold leaves it out",
    "inputs.format": "format of the file, with its options; object for an object in memory",
    "inputs.rows": "number of rows that were read; NULL if --withhold leaves it out",
    "inputs.bytes": "size of the file; NULL for an object in memory, or if --withhold leaves it out",
    "inputs.sha256": "SHA-256 hash of the file; NULL for an object in memory",
    "inputs.lines_before": "number of lines in the earlier files of the input; `line` of a row is its line in this "
    "file plus this number",
    "dropped_rows.run": "number of the run",
    "dropped_rows.input": "name of the input in the suite",
    "dropped_rows.path": "path of the file, or name of the object in memory",
    "dropped_rows.line": "line of the row; number of the row in Parquet and in an object in memory",
    "dropped_rows.code": "kind of the fault, such as check or not_a_number",
    "dropped_rows.message": "why the row was left out",
    "scores.run": "number of the run",
    "scores.metric": "metric with the parameters of its call; suite.metric for a metric of another suite",
    "scores.component": "component of the metric, such as precision",
    "scores.slice": "the values by which the score is broken down, as JSON; {} is the whole submission",
    "scores.value": "the score; NULL if it is undefined. With folds, the mean of the folds in which it is defined",
    "scores.low": "lower end of the confidence interval; NULL without --confidence, or if there is no interval",
    "scores.high": "upper end of the confidence interval; NULL without --confidence, or if there is no interval",
    "scores.percentile_low": "lower end of the percentile interval; NULL without --percentile, and if the score "
    "is not bootstrapped",
    "scores.percentile_high": "upper end of the percentile interval; NULL where percentile_low is",
    "scores.std": "population standard deviation over the folds; NULL without folds",
    "scores.folds": "number of folds in which the score is defined; NULL without folds",
    "scores.note": "why the score is undefined, or what is special about it",
    "unit_statistics.run": "number of the run",
    "unit_statistics.metric": "metric, as in scores",
    "unit_statistics.unit": "the unit, as JSON",
    "unit_statistics.slice": "the slice that the unit belongs to, as JSON",
    "unit_statistics.statistics": "the statistics of the unit, as JSON; they add up over units",
    "unit_statistics.block": "the block that the unit belongs to, as JSON: units that a resample draws together; NULL "
    "if the metric has no blocks",
    "block_sums.run": "number of the run",
    "block_sums.source": "name of the table of sums, as `resampled.sql` reads it",
    "block_sums.cell": "the slice, and the fold if there are folds, as JSON",
    "block_sums.block": "the block, as JSON; NULL in a row for a cell that may have no units",
    "block_sums.statistics": "the sums over the units of the block in the cell",
    "resampled.run": "number of the run",
    "resampled.metric": "metric, as in scores",
    "resampled.number": "number of the row within the run, in the order of the scores",
    "resampled.sql": "the query that computes the components of each replicate from sums of blocks",
    "resampled.definition": "what the query needs: macros, components, tables of sums, other tables; as JSON",
    "replicates.run": "number of the run",
    "replicates.metric": "metric, as in scores",
    "replicates.component": "component, as in scores",
    "replicates.slice": "slice, as in scores",
    "replicates.method": "bootstrap: blocks were drawn with replacement; jackknife: groups of blocks were left out "
    "in turn",
    "replicates.blocks": "hash of the names of all blocks; with equal hash and method, the resamples are equal",
    "replicates.groups": "number of blocks in each group that was left out; of a bootstrap, the number of all blocks",
    "replicates.scores": "the score in each replicate; NaN if it is undefined there",
    "curves.run": "number of the run",
    "curves.metric": "metric, as in scores",
    "curves.slice": "slice, as in scores",
    "curves.rank": "number of the threshold, counted from the highest; 0 accepts no row",
    "curves.threshold": "least score of an accepted row",
    "curves.mark": "what is special about the point, such as best",
    "curves.low": "lower end of the confidence interval of the optimised component at this point; NULL without "
    "--confidence, and if there is no interval",
    "curves.high": "upper end of the confidence interval of the optimised component at this point; NULL where `low` is",
}


def result_lines(name: str) -> Iterator[str]:
    """What the results database has by a name: a table, a column, or ``table.column``."""
    if name in TABLES:
        columns = [(each.rpartition(".")[2], about) for each, about in COLUMNS.items() if each.startswith(f"{name}.")]
        listed = (f"    {line}" for line in in_columns(columns))
        yield "\n".join([f"table {name} of the results database", f"  {TABLES[name]}", "  columns:", *listed])
    for each, about in COLUMNS.items():
        if name in (each, each.partition(".")[2]):
            yield f"column {each} of the results database\n  {about}"
