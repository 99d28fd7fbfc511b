"""The units in which two systems differ most, as lines: the reference, and below it each system with its errors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from pathlib import Path
from typing import TYPE_CHECKING

from scorespec.comparison.differences import worst_units
from scorespec.core.score_text import value_text
from scorespec.core.terminal import in_columns, visible
from scorespec.plan.parameters import text_literal
from scorespec.plan.rendering.templates import quoted
from scorespec.report.figures import statement
from scorespec.report.subject import read_subjects
from scorespec.results.reading import stored_runs

if TYPE_CHECKING:
    from scorespec.comparison.paired import Comparison

REFERENCE = "REF"
LONGEST_NAME = 20  # of a system; of a longer name, the end is shown
Pair = tuple[str, str, bool]  # words of the reference, words of the system, and whether they are an error


def worst_texts(
    results: Path, schema: str, of: Comparison, runs: Sequence[int | str], number: int, width: int
) -> Iterator[str]:
    """The ``number`` units in which two ``runs`` differ most in a metric, each as aligned lines of at most ``width``.

    A suite shows texts if it has a figure of the kind `texts` whose groups are the units; nothing is yielded otherwise.
    """
    with stored_runs(results, schema) as stored:
        numbers = [stored.named(run)[-1] for run in runs]
        subject = read_subjects(stored, results, schema, numbers)[0]
        units = stored.ask(worst_units(of, numbers[0], numbers[1], number)).to_pylist()
        for unit, rows in groupby(units, key=lambda row: row["unit"]):
            keys = json.loads(unit)
            figure = next((each for each in subject.figures if {*(each.group or ())} == {*keys}), None)
            if figure is None or figure.kind != "texts":
                return
            values = ((quoted(key), f"{text_literal(unit)} ->> {text_literal(key)}") for key in keys)
            is_unit = " AND ".join(f"{key}::VARCHAR IS NOT DISTINCT FROM ({value})" for key, value in values)
            sql = statement(figure.sql.text, figure.needs, subject.runs, schema, is_unit)
            pairs: dict[int, list[Pair]] = {each: [] for each in numbers}
            for row in stored.ask(sql).to_pylist():
                texts = value_text(row[figure.above]), value_text(row[figure.below])
                pairs[row["run"]].append((*texts, bool(row[figure.wrong])))
            counts = ", ".join(f"{row['statistic']} {row['a']:,.5g} → {row['b']:,.5g}" for row in rows)
            named = {subject.run_names[each]: pairs[each] for each in numbers}
            yield "\n".join([f"{visible(' '.join(map(str, keys.values())))}: {counts}", *_aligned(named, width)])


def _aligned(pairs: Mapping[str, Sequence[Pair]], width: int) -> Iterator[str]:
    """The words of the reference above those of each system, in as many groups of lines as the ``width`` needs.

    A place is the number of words of the reference before it, and 1 at the next word, 0 before it.
    """
    cells: dict[tuple[int, int], dict[str, str]] = {}
    for system, found in pairs.items():
        at = 0
        for above, below, wrong in found:
            place = cells.setdefault((at, 1 if above else 0), {})
            place[system] = " ".join(filter(None, [place.get(system), f"[{below or '-'}]" if wrong else below]))
            for word in above.split() or [above] * bool(above):
                cells.setdefault((at, 1), {})[REFERENCE] = word
                at += 1
    whole = [system for system, found in pairs.items() if not found]  # without an error
    words = [{**dict.fromkeys(whole, cell.get(REFERENCE, "")), **cell} for _, cell in sorted(cells.items())]
    lines = {each: f"…{each[1 - LONGEST_NAME :]}" if len(each) > LONGEST_NAME else each for each in (REFERENCE, *pairs)}
    room = width - max(map(len, lines.values()))
    while words:
        ends = accumulate(2 + max(map(len, cell.values())) for cell in words)
        taken = max(1, sum(end <= room for end in ends))
        yield from in_columns(
            [[visible(name), *(visible(w.get(of, "")) for w in words[:taken])] for of, name in lines.items()]
        )
        words = words[taken:]
        if words:
            yield ""
