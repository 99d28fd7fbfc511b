"""Sums of blocks in results databases: what a run leaves there, so that its scores can be resampled at any time.

The table `block_sums` has the sums. The table `resampled` has, for each metric, the query that computes its components
from resampled sums, with all else that the query reads. So neither documents nor inputs are needed to resample.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from scorespec.core.arrays import arrow_ints, arrow_texts
from scorespec.core.groups import grouped
from scorespec.errors import UsageError
from scorespec.intervals.block_sums import OF_RUN
from scorespec.plan.parameters import text_literal
from scorespec.plan.plan import Plan
from scorespec.plan.rendering.macros import macros_called
from scorespec.plan.rendering.templates import quoted
from scorespec.plan.resampling.interval_sql import BlockSums, ResampledScores
from scorespec.results.reading import reading_table, stored_runs
from scorespec.results.saving import ResultsWriter
from scorespec.run.session import Session, rows_of_all
from scorespec.run.statements import asked

TYPE = re.compile(r"[A-Z][A-Z0-9_ ]*(\(\d+(, *\d+)?\))?(\[\])*")  # the name of a type, as DuckDB writes it


@dataclass(frozen=True)
class GivenTable:
    """A small table that the query of a metric reads, too: types of its columns, and its rows as text."""

    types: Mapping[str, str]
    rows: Sequence[Sequence[str | None]]


@dataclass(frozen=True)
class StoredScores:
    """How the scores of a metric of a stored run are resampled; ``types`` has the keys of each table of sums."""

    scores: ResampledScores
    macros: Sequence[Mapping[str, Any]]
    given: Mapping[str, GivenTable]
    types: Mapping[str, Mapping[str, str]]


def write_sums(session: Session, plan: Plan, writer: ResultsWriter) -> None:
    """Write the sums of blocks of a run, and the queries that resample its scores."""
    if not plan.resampling.scores:
        return
    tables = dict.fromkeys(of for each in plan.resampling.scores for of in each.sums)
    with rows_of_all(session, map(_rows_of_sums, tables)) as reader:
        writer.append("block_sums", reader)
    texts = {
        "metric": [each.metric for each in plan.resampling.scores],
        "sql": [each.sql for each in plan.resampling.scores],
        "definition": _definitions(session, plan),
    }
    number = {"number": arrow_ints(np.arange(len(plan.resampling.scores)))}
    writer.append("resampled", pa.table({name: arrow_texts(each) for name, each in texts.items()} | number))


def _rows_of_sums(of: BlockSums) -> str:
    """The query of the rows of a table of sums as the results have them."""
    statistics = ", ".join(f"{text_literal(name)}: {quoted(name)}" for name in of.statistics)
    cell = ", ".join(f"{text_literal(name)}, {quoted(name)}" for name in of.keys)
    return (
        f"SELECT {text_literal(of.table)} AS source, json_object({cell}) AS cell, unit_block::JSON AS block, "
        f"MAP {{{statistics}}}::MAP(VARCHAR, DOUBLE) AS statistics FROM {quoted(of.table)}"
    )


def _definitions(session: Session, plan: Plan) -> list[str]:
    """What the query of each metric needs, as JSON."""
    # Metrics have many tables in common: each is read once.
    types, given = cache(partial(_types, session)), cache(partial(_given, session))
    found = []
    for scores in plan.resampling.scores:
        others = sorted(scores.reads.difference(each.table for each in scores.sums))
        macros = macros_called(plan.macros, scores.sql)
        sums = [{**vars(each), "keys": {key: types(each.table)[key] for key in each.keys}} for each in scores.sums]
        definition = {
            "components": scores.components,
            "sums": sums,
            "given": {name: vars(given(name)) for name in others},
            "macros": [{"name": each.name, "params": each.params, "sql": each.sql} for each in macros],
        }
        found.append(json.dumps(definition))
    return found


def _types(session: Session, table: str) -> dict[str, str]:
    """The types of the columns of a table."""
    found = session.connection.table(quoted(table))
    return dict(zip(found.columns, map(str, found.types), strict=True))


def _given(session: Session, table: str) -> GivenTable:
    types = _types(session, table)
    texts = ", ".join(f"{quoted(name)}::VARCHAR AS {quoted(name)}" for name in types)
    rows = session.table(f"SELECT {texts} FROM {quoted(table)} ORDER BY ALL").to_pylist()
    return GivenTable(types, [list(row.values()) for row in rows])


# -- reading -----------------------------------------------------------------------------------------


def read_scores(results: Path, schema: str, runs: Iterable[int]) -> dict[int, list[StoredScores]]:
    """How the scores of some stored runs are resampled, in the order of their metrics, by the number of the run.

    Runs whose results do not say so are left out.
    """
    listed = ", ".join(map(str, runs))
    asked = f"SELECT run, metric, sql, definition FROM resampled WHERE run IN ({listed}) ORDER BY run, number"
    with stored_runs(results, schema) as database, reading_table(results, "resampled"):
        rows = database.ask(asked).to_pylist() if "resampled" in database.tables else []
        return grouped((row["run"], _stored(row)) for row in rows)


def _stored(row: Mapping[str, Any]) -> StoredScores:
    found = json.loads(row["definition"])
    sums = tuple(
        BlockSums(
            each["table"],
            tuple(each["keys"]),
            tuple(each["statistics"]),
            tuple(each["wanted"]),
            each["fitted"],
            each["size"],
        )
        for each in found["sums"]
    )
    given = {name: GivenTable(each["types"], each["rows"]) for name, each in found["given"].items()}
    reads = frozenset([*given, *(each.table for each in sums)])
    scores = ResampledScores(tuple(found["components"]), row["sql"], sums, reads, row["metric"])
    return StoredScores(scores, found["macros"], given, {each["table"]: each["keys"] for each in found["sums"]})


def read_block_sums(
    results: Path, schema: str, runs: Mapping[int, int], metrics: Iterable[StoredScores]
) -> dict[str, pa.Table]:
    """The rows of all tables of sums that some metrics need; ``runs`` has the place of each run among all runs."""
    tables = {of.table: (of, stored.types[of.table]) for stored in metrics for of in stored.scores.sums}
    with stored_runs(results, schema) as database, reading_table(results, "block_sums"):
        found = {name: database.ask(_sums_of_runs(*each, runs)) for name, each in tables.items()}
        for name, (of, _) in tables.items():
            if any(found[name][statistic].null_count for statistic in of.statistics):
                raise ValueError(f"a sum of {name} is missing")
    return found


def _sums_of_runs(of: BlockSums, types: Mapping[str, str], runs: Mapping[int, int]) -> str:
    places = " ".join(f"WHEN {run:d} THEN {place:d}" for run, place in runs.items())
    keys = (f"(cell->>{text_literal(name)})::{_checked(kind)} AS {quoted(name)}" for name, kind in types.items())
    statistics = (f"statistics[{text_literal(name)}] AS {quoted(name)}" for name in of.statistics)
    return (
        f"SELECT CASE run {places} END AS {quoted(OF_RUN)}, {', '.join(keys)}, block::VARCHAR AS unit_block, "
        f"{', '.join(statistics)} FROM block_sums "
        f"WHERE source = {text_literal(of.table)} AND run IN ({', '.join(map(str, runs))})"
    )


def given_rows(session: Session, of_runs: Sequence[GivenTable]) -> pa.Table:
    """The rows of a table that the query of a metric reads in addition to sums, of several runs."""
    types = of_runs[0].types
    rows = [(run, row) for run, given in enumerate(of_runs) for row in given.rows]
    texts = {name: arrow_texts([row[at] for _, row in rows]) for at, name in enumerate(types)}
    owners = {OF_RUN: arrow_ints(np.array([run for run, _ in rows], np.int64))}
    typed = (f"{quoted(name)}::{_checked(kind)} AS {quoted(name)}" for name, kind in types.items())
    with session.reading("given_texts", pa.table(owners | texts)):
        return session.table(f"SELECT {', '.join((quoted(OF_RUN), *typed))} FROM given_texts")


def query_of_runs(stored: StoredScores, runs: Sequence[int]) -> str:
    """The query of a metric, for some runs at once: replicate r is one of the run in place r modulo their number.

    The tables that the query reads have the rows of all runs. For each run, a CTE of the same name has only its rows.
    """

    def of_run(table: str, columns: str, run: str) -> str:
        return f"{quoted(table)} AS (SELECT {columns} FROM temp.main.{quoted(table)} WHERE {run})"

    its_place, its_number = f"replicate % {len(runs)} = runs.place", f"{quoted(OF_RUN)} = runs.number"
    tables = [of_run(each.replicates, "*", its_place) for each in stored.scores.sums]
    tables += [of_run(name, f"* EXCLUDE ({quoted(OF_RUN)})", its_number) for name in stored.given]
    places = ", ".join(f"({place}, {number})" for place, number in enumerate(runs))
    return (
        f"SELECT scores.* FROM (VALUES {places}) AS runs(place, number), "
        f"LATERAL (WITH {', '.join(tables)} FROM {asked(stored.scores.sql)}) AS scores "
        "ORDER BY replicate, breakdown, slice"
    )


def _checked(kind: str) -> str:
    """The name of a type of a results database, which may come from anyone."""
    if not TYPE.fullmatch(kind):
        raise UsageError(f"the results database has sums of blocks by columns of the unknown type {kind!r}")
    return kind


def make_macros(session: Session, stored: Sequence[StoredScores]) -> None:
    """Make the macros of the queries of stored scores."""
    for macro in {each["name"]: each for one in stored for each in one.macros}.values():
        names = [macro["name"], *macro["params"]]
        if not all(each.isidentifier() for each in names):
            raise UsageError(f"the results database has a macro that is no macro: {names[0]!r}")
        session.make_macro(macro["name"], macro["params"], macro["sql"])
