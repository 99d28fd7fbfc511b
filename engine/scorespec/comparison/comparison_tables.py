"""Comparisons and leaderboards as objects: Arrow tables, rows for programs, and text for people and papers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from scorespec.comparison.leaderboard import Column, Entry, corpus_name
from scorespec.comparison.paired import Comparison, SegmentTest, verdict
from scorespec.core.score_text import end_text, finite, number_text, score_name, slice_text
from scorespec.core.terminal import Place, aligned, html_table, latex_table, markdown_table, visible
from scorespec.results.reading import OLDER

if TYPE_CHECKING:
    import pyarrow as pa

Texts = dict[str, str]
COMPARISON_WORDS = ("metric", "slice", "a", "b", "method", "note")  # the columns of comparisons that are not numbers
WORDS = ("group", "system")  # the columns of a leaderboard that are not scores


@dataclass(frozen=True, eq=False)
class Comparisons:
    """The comparisons of some systems; ``verdict`` says in words what they found.

    ``level`` is that of the intervals in percent. ``matched_pairs`` are the matched-pairs tests of pairs of systems, if
    the suite declares their errors. pyarrow, pandas and polars read the object as a table. Iterating gives a
    :class:`.paired.Comparison` for each score and pair of systems.
    """

    rows: Sequence[Comparison]
    level: float = 95.0
    matched_pairs: Sequence[SegmentTest] = ()
    older: Sequence[str] = ()

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def verdict(self) -> str:
        """What the comparisons found, in words, and which runs are left out."""
        older = f" {OLDER.capitalize()}{', '.join(self.older)}." if self.older else ""
        return verdict(self.rows, self.level) + older

    @property
    def table(self) -> pa.Table:
        """The comparisons as an Arrow table."""
        return _arrow(self.rows, Comparison)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def to_dict(self) -> dict[str, Any]:
        """The comparisons as the command line prints them with ``--format json``."""
        rows = [{**vars(each), "slice": json.loads(each.slice)} for each in self.rows]
        pairs = {"matched_pairs": [asdict(each) for each in self.matched_pairs]} if self.matched_pairs else {}
        return finite({"comparisons": rows, **pairs, "verdict": self.verdict})  # type: ignore[no-any-return]

    def shown_rows(self) -> list[Texts]:
        """The comparisons as text for people: a column for each field that some row has."""
        several = len({(each.a, each.b) for each in self.rows}) > 1
        shown = []
        for each in self.rows:
            names = {
                "metric": score_name(each.metric, each.component),
                "slice": slice_text(json.loads(each.slice)),
            }
            counts = (each.wins, each.ties, each.losses)
            found = {
                "difference": "" if each.difference is None else f"{each.difference:+.4g}",
                **{"low": end_text(each.low), "high": end_text(each.high)},
                **{"p": _p(each.p), "p corrected": _p(each.p_corrected), "detectable": end_text(each.detectable)},
                "win/tie/loss": "" if each.wins is None else "/".join(map(str, counts)),
                "blocks": "" if each.blocks is None else str(each.blocks),
                **{"method": each.method or "", "note": each.note or ""},
            }
            systems = [each.a, each.b]
            if several:
                names |= {"a": each.a, "b": each.b}
                systems = ["value a", "value b"]
            while {*systems} & {*names, *found}:  # a system may be called `p`
                systems = [f"system {name}" for name in systems]
            values = dict(zip(systems, map(number_text, (each.value_a, each.value_b)), strict=True))
            shown.append({name: visible(text) for name, text in (names | values | found).items()})
        filled = [name for name in shown[0] if any(row[name] for row in shown)] if shown else []
        return [{name: row[name] for name in filled} for row in shown]

    def __repr__(self) -> str:
        return "\n".join([aligned(self.shown_rows(), COMPARISON_WORDS), *map(str, self.matched_pairs), self.verdict])

    def _repr_html_(self) -> str:
        return f"{html_table(self.shown_rows())}<p>{escape(self.verdict)}</p>"


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """The scores of systems with intervals and ranks, the best system first.

    pyarrow, pandas and polars read the object as a table. Iterating gives a :class:`.leaderboard.Entry` for each system
    and score.
    """

    entries: Sequence[Entry]
    level: float = 95.0
    older: Sequence[str] = ()

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def table(self) -> pa.Table:
        """The entries as an Arrow table."""
        return _arrow(self.entries, Entry)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def to_dict(self) -> dict[str, Any]:
        """The entries as the command line prints them with ``--format json``."""
        rows = [{**vars(each), "slice": json.loads(each.slice)} for each in self.entries]
        return {"leaderboard": finite(rows), "notes": self.notes}

    def shown_rows(self) -> list[Texts]:
        """A row for each system as text for people: its group of ties, and each score with its interval and ranks.

        The groups are those of the first score; without intervals there are none.
        """
        rows = []
        for system, cells in self._cells().items():
            lead = next(iter(cells.values()))
            group = {"group": str(lead.group) if lead and lead.group else ""} if self._lead_groups else {}
            texts = {name: _cell(entry) for name, entry in cells.items()}
            rows.append({**group, "system": visible(system), **texts})
        return rows

    @cached_property
    def _lead_groups(self) -> bool:
        """Whether the first score has groups of ties."""
        return any(each.group is not None and each.column == self.entries[0].column for each in self.entries)

    def markdown(self) -> str:
        """The leaderboard as a table in Markdown; the best scores are bold."""
        return markdown_table(self.shown_rows(), WORDS, self._best(), self.notes)

    def latex(self) -> str:
        """The leaderboard as a table in LaTeX, for the package booktabs; the best scores are bold."""
        return latex_table(self.shown_rows(), WORDS, self._best(), self.notes)

    @cached_property
    def _names(self) -> dict[str, Column]:
        """The headings of the scores."""
        columns = list(dict.fromkeys(each.column for each in self.entries))
        several = len({column[3:] for column in columns}) > 1
        names: dict[str, Column] = {}
        for column in columns:
            metric, component, slice_, corpus, corpora = column
            parts = list(filter(None, [score_name(metric, component), slice_text(json.loads(slice_))]))
            where = f"mean of {corpora} corpora" if corpora > 1 else corpus_name(corpus)
            name = " ".join([*parts, *([where] if several else [])])
            while name in (*WORDS, *names):  # a metric may be called `system`
                name = f"score {name}"
            names[name] = column
        return names

    def _cells(self) -> dict[str, dict[str, Entry | None]]:
        """The entries of each system, by heading."""
        found = {(each.system, each.column): each for each in self.entries}
        systems = dict.fromkeys(each.system for each in self.entries)
        return {
            system: {name: found.get((system, column)) for name, column in self._names.items()} for system in systems
        }

    def _best(self) -> set[Place]:
        """The cells with the best value of their column."""
        best: dict[Column, float] = {}
        for each in self.entries:
            if each.value is not None:
                choose = max if each.better == "higher" else min
                best[each.column] = choose(each.value, best.get(each.column, each.value))
        return {
            (row, name)
            for row, cells in enumerate(self._cells().values())
            for name, each in cells.items()
            if each and each.value is not None and each.value == best[each.column]
        }

    @property
    def notes(self) -> list[str]:
        """By what systems are ranked, what groups and brackets mean, and why scores or intervals are missing."""
        notes = [f"ranked by {next(iter(self._names))}: {self.entries[0].better} is better"] if self.entries else []
        notes += [OLDER + visible(", ".join(self.older))] if self.older else []
        if self._lead_groups:
            notes.append(f"group: systems of different groups differ significantly in {next(iter(self._names))}")
        if any(each.low is not None for each in self.entries):
            notes.append(f"in parentheses: {self.level:g} % interval; in brackets: the ranks that are possible")
        for note in dict.fromkeys(each.note for each in self.entries if each.note):
            those = [each for each in self.entries if each.note == note]
            what = "interval" if all(each.low is None for each in those) else "rank"
            names = dict.fromkeys(score_name(each.metric, each.component) for each in those)
            notes.append(f"no {what} of {', '.join(names)}: {note}")
        for lacks in dict.fromkeys(each.lacks for each in self.entries if each.lacks):
            systems = dict.fromkeys(each.system for each in self.entries if each.lacks == lacks)
            notes.append(visible(f"no mean of {', '.join(systems)}: no run of {lacks}"))
        return notes

    def __repr__(self) -> str:
        return "\n".join([aligned(self.shown_rows(), WORDS), *self.notes])

    def _repr_html_(self) -> str:
        return html_table(self.shown_rows()) + "".join(f"<p>{escape(note)}</p>" for note in self.notes)


def _arrow(rows: Sequence[Comparison] | Sequence[Entry], kind: type[Comparison] | type[Entry]) -> pa.Table:
    import pyarrow as pa  # slow to load

    types = {"str": pa.string(), "float": pa.float64(), "int": pa.int64()}
    schema = pa.schema([(each.name, types[str(each.type).removesuffix(" | None")]) for each in fields(kind)])
    return pa.Table.from_pylist([vars(each) for each in rows], schema)


def _cell(entry: Entry | None) -> str:
    """A score with its interval and its ranks: ``0.512 (0.480–0.545) [1–2]``."""
    if entry is None or entry.value is None:
        return "-"
    ends = "" if entry.low is None else f" ({end_text(entry.low)}–{end_text(entry.high)})"
    ranks = sorted({each for each in (entry.best, entry.worst) if each is not None})
    return number_text(entry.value) + ends + (f" [{'–'.join(map(str, ranks))}]" if ranks else "")


def _p(value: float | None) -> str:
    return "" if value is None else "< 0.0001" if value < 1e-4 else f"{value:.4f}"
